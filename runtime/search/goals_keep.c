/*
 * goals_keep.c - see goals_keep.h.
 */
#include "search/goals_keep.h"

#include <string.h>

#include "core/shmem.h"

struct head {
    uint64_t magic, check, mark;
    uint32_t nsites, nnotes;
};

struct kept_site {
    uint32_t id;
    uint16_t failed, succeeded;
    uint32_t erratic;
    uint32_t reserved;
    struct cfz_recipe recipe;
};

struct kept_note {
    uint64_t key;
    uint16_t copied, tried;
    uint32_t reserved;
};

_Static_assert(sizeof(struct cfz_recipe) == 16 && sizeof(struct kept_site) == 32 &&
                   sizeof(struct kept_note) == 16,
               "what is in files has no holes");
_Static_assert(sizeof(struct head) + CFZ_GOALS_KEPT_SITES * sizeof(struct kept_site) +
                       CFZ_GOALS_KEPT_NOTES * sizeof(struct kept_note) <=
                   CFZ_GOALS_SIZE_MAX,
               "all that is kept has room");

static uint64_t add(uint64_t h, uint64_t v)
{
    return cfz_hash_mix((h ^ v) * 0x9e3779b97f4a7c15);
}

uint64_t cfz_goals_mark(void)
{
    uint32_t n = cfz_trace_sites();
    uint64_t h = add(CFZ_GOALS_MAGIC, n);

    for (uint32_t i = 0; i < n; i++) {
        const struct cfz_site *s = cfz_trace_site(i);

        if (!s)
            continue;
        h = add(h, (uint64_t)s->kind | (uint64_t)s->predicate << 8 | (uint64_t)s->width << 16 |
                       (uint64_t)s->flags << 24 | (uint64_t)s->ncases << 32);
        h = add(h, (uint64_t)s->line << 32 | s->column);
        h = add(h, (uint64_t)(uint32_t)s->counter_true << 32 | (uint32_t)s->counter_false);
        h = add(h, (uint64_t)s->behind_true << 32 | s->behind_false);
    }
    return h;
}

/* Of whole words. */
static uint64_t check_of(const uint8_t *p, size_t len)
{
    uint64_t h = len, word;

    for (size_t i = 0; i + sizeof word <= len; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        h = add(h, word);
    }
    return h;
}

/* ---- writing ------------------------------------------------------------------------- */

static uint32_t keep_sites(const struct cfz_goals *goals, struct kept_site *to, size_t most)
{
    uint32_t sites = cfz_trace_sites(), n = 0;

    for (uint32_t i = 0; i < sites && i < CFZ_SITE_NOTES_MAX && n < most; i++) {
        const struct cfz_site_note *s = &goals->sites[i];
        struct kept_site k = {.id = i, .recipe = goals->recipes[i]};

        k.failed = atomic_load_explicit(&s->failed, memory_order_relaxed);
        k.succeeded = atomic_load_explicit(&s->succeeded, memory_order_relaxed);
        k.erratic = atomic_load_explicit(&s->erratic, memory_order_relaxed);
        if (k.failed || k.succeeded || k.erratic || k.recipe.set != CFZ_RECIPE_NONE)
            to[n++] = k;
    }
    return n;
}

/* Goals that were tried and not met: first those of which the solver gave up some attempts, which
 * cost most, then those that only candidates of the first stage were for. */
static uint32_t keep_notes(const struct cfz_goals *goals, struct kept_note *to, size_t most)
{
    uint32_t n = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < CFZ_GOALS_MAX && n < most; i++) {
            const struct cfz_goal_note *g = &goals->notes[i];
            struct kept_note k = {.key = atomic_load_explicit(&g->key, memory_order_relaxed)};

            if (k.key == 0 || cfz_goal_is_met(goals, k.key))
                continue;
            k.copied = atomic_load_explicit(&g->copied, memory_order_relaxed);
            k.tried = atomic_load_explicit(&g->tried, memory_order_relaxed);
            if (pass == 0 ? k.tried > 0 : k.tried == 0 && k.copied > 0)
                to[n++] = k;
        }
    return n;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t cfz_goals_keep(const struct cfz_goals *goals, uint64_t mark, uint8_t *to, size_t room)
{
    struct head head = {.magic = CFZ_GOALS_MAGIC, .mark = mark};
    size_t at = sizeof head, body = offsetof(struct head, mark);

    if (room < sizeof head + sizeof(struct kept_site) + sizeof(struct kept_note))
        return 0;
    head.nsites = keep_sites(goals, (struct kept_site *)(void *)(to + at),
                             least((room - at) / sizeof(struct kept_site), CFZ_GOALS_KEPT_SITES));
    at += head.nsites * sizeof(struct kept_site);
    head.nnotes = keep_notes(goals, (struct kept_note *)(void *)(to + at),
                             least((room - at) / sizeof(struct kept_note), CFZ_GOALS_KEPT_NOTES));
    at += head.nnotes * sizeof(struct kept_note);
    if (head.nsites == 0 && head.nnotes == 0)
        return 0;
    memcpy(to, &head, sizeof head);
    head.check = check_of(to + body, at - body);
    memcpy(to, &head, sizeof head);
    return at;
}

/* ---- reading ------------------------------------------------------------------------- */

bool cfz_goals_recall(struct cfz_goals *goals, uint64_t mark, const uint8_t *from, size_t len)
{
    size_t body = offsetof(struct head, mark), at = sizeof(struct head);
    struct head head;

    if (len < sizeof head || len > CFZ_GOALS_SIZE_MAX)
        return false;
    memcpy(&head, from, sizeof head);
    if (head.magic != CFZ_GOALS_MAGIC || head.mark != mark || head.nsites > CFZ_GOALS_KEPT_SITES ||
        head.nnotes > CFZ_GOALS_KEPT_NOTES ||
        len !=
            at + head.nsites * sizeof(struct kept_site) + head.nnotes * sizeof(struct kept_note) ||
        head.check != check_of(from + body, len - body))
        return false;
    for (uint32_t i = 0; i < head.nsites; i++, at += sizeof(struct kept_site)) {
        struct kept_site k;

        memcpy(&k, from + at, sizeof k);
        if (k.id >= cfz_trace_sites() || k.id >= CFZ_SITE_NOTES_MAX)
            continue;
        atomic_store_explicit(&goals->sites[k.id].failed, k.failed, memory_order_relaxed);
        atomic_store_explicit(&goals->sites[k.id].succeeded, k.succeeded, memory_order_relaxed);
        atomic_store_explicit(&goals->sites[k.id].erratic, k.erratic != 0, memory_order_relaxed);
        if (k.recipe.set == CFZ_RECIPE_NONE || k.recipe.set > CFZ_RECIPE_LAST ||
            !cfz_recipe_is_sound(&k.recipe))
            continue;
        goals->recipes[k.id] = k.recipe;
        atomic_fetch_add_explicit(&goals->nrecipes, 1, memory_order_relaxed);
    }
    for (uint32_t i = 0; i < head.nnotes; i++, at += sizeof(struct kept_note)) {
        struct cfz_goal_note *note;
        struct kept_note k;

        memcpy(&k, from + at, sizeof k);
        note = k.key != 0 ? cfz_goal_note(goals, k.key) : NULL;
        if (!note)
            continue;
        atomic_store_explicit(&note->copied, k.copied, memory_order_relaxed);
        atomic_store_explicit(&note->tried, k.tried, memory_order_relaxed);
    }
    return true;
}
