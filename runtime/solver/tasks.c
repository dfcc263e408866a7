/*
 * tasks.c - which goals of an input are worked on, and in which order.
 */
#define _GNU_SOURCE
#include <string.h>

#include "core/map.h"
#include "coverage/prelude.h"
#include "solver/solving.h"

enum {
    TASKS = 192,        /* goals of an entry at a time */
    TASKS_LEVEL0 = 112, /* of these, the most of level 0; with level 1: */
    TASKS_LEVEL1 = 160,
    WATCHED = 8,        /* behind them: comparisons of which it is only seen what moves them */
    WATCHED_MOST = 2,   /* inputs in which those of a site are */
    WATCH = 0x5ee5,     /* a key that no goal has */
    SWITCH_CASES = 32,  /* of a switch, for one of its comparisons */
    SAME_KEY = 3,       /* comparisons that are tried for one goal: the first two and the last */
    SITE_FAILURES = 24, /* after so many more failures than successes a site is given up */
    FINE_ORDERED = 16,  /* comparisons of a site that level 2 looks at, but for equality */
    COUNTS = 2,         /* rounds of a loop that counts which may each be its last one on a path */
    PART_NTH = 4,       /* comparisons of a site that are looked at as parts of a condition */
    FIXED_AGAIN = 16,   /* in one of so many inputs, sites that nothing moved are looked at again */
};

struct cfz_tasks cfz_tasks;

static uint64_t parts; /* a hash of the outcomes that are parts of conditions; of nparts */
static uint32_t nparts;
static bool takes_fixed; /* goals that no input moved are among the tasks */

bool cfz_tasks_map(void)
{
    cfz_tasks.of = cfz_map_private((TASKS + WATCHED) * sizeof *cfz_tasks.of);
    return cfz_tasks.of;
}

bool cfz_tasks_are_full(void)
{
    return cfz_tasks.n >= TASKS_LEVEL0;
}

/* ---- parts of conditions --------------------------------------------------------------- */

uint32_t cfz_parts_held(const struct cfz_search *s, uint64_t *hash)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        const uint8_t *counter = cfz_site_joined(e->site, cfz_holds(e));

        if (!counter || !cfz_is_early(e, PART_NTH) || cfz_seen_has_counter(s->seen, counter))
            continue;
        n++;
        if (hash)
            *hash += cfz_goal_key2(e->site, e->nth, cfz_holds(e)) >> 8;
    }
    return n;
}

/* ---- goals of an input ----------------------------------------------------------------- */

/* How much inputs are known to move what a site compares: 2 where nothing before it went another
 * way, which much behind a check that fails does, 1 where something did, 0 where none is known to.
 */
static int moved_by_inputs(struct cfz_search *s, const struct cfz_site *site)
{
    const struct cfz_site_note *note = cfz_site_note(s->goals, site);

    if (!note)
        return 0;
    if (atomic_load_explicit(&note->direct, memory_order_relaxed))
        return 2;
    return atomic_load_explicit(&note->moved, memory_order_relaxed);
}

/* Whether nothing in several inputs moved the operands of a site: what it compares is no input, as
 * when a program reads its own version or parses its own text before it comes to the input. A long
 * trace is full of such comparisons, and there is no room for the others. */
static bool is_fixed(const struct cfz_site_note *site)
{
    return atomic_load_explicit(&site->fixed, memory_order_relaxed) >= CFZ_FIXED &&
           !atomic_load_explicit(&site->moved, memory_order_relaxed);
}

/* Whether a goal is to be worked on; counts nothing. */
static bool worth(struct cfz_search *s, const struct cfz_goal *g, struct cfz_goal_note **note,
                  unsigned attempts)
{
    const struct cfz_site_note *site = cfz_site_note(s->goals, g->site);
    unsigned failed, succeeded;

    if (!site || atomic_load_explicit(&site->erratic, memory_order_relaxed) ||
        !cfz_goal_open(s->goals, s->seen, g))
        return false;
    cfz_tasks.nopen++;
    if (is_fixed(site) && !takes_fixed)
        return false;
    *note = cfz_goal_note(s->goals, g->key);
    if (!*note || atomic_load_explicit(&(*note)->tried, memory_order_relaxed) >= attempts)
        return false;
    failed = atomic_load_explicit(&site->failed, memory_order_relaxed);
    succeeded = atomic_load_explicit(&site->succeeded, memory_order_relaxed);
    return failed < SITE_FAILURES + 4 * succeeded;
}

/* Returns the task, or NULL if there is none for the goal now. */
static struct cfz_task *add_task(struct cfz_search *s, const struct cfz_event *e,
                                 const struct cfz_goal *g, unsigned attempts)
{
    static const uint32_t rooms[] = {TASKS_LEVEL0, TASKS_LEVEL1, TASKS, TASKS};
    struct cfz_goal_note *note;
    struct cfz_task *t;
    unsigned same = 0;

    for (uint32_t i = 0; i < cfz_tasks.n; i++)
        if (cfz_tasks.of[i].g.key == g->key)
            same++;
    if (same >= SAME_KEY) { /* the last one stands for those between */
        for (uint32_t i = cfz_tasks.n; i-- > 0;)
            if (cfz_tasks.of[i].g.key == g->key) {
                cfz_tasks.of[i].g = *g;
                cfz_task_at(&cfz_tasks.of[i], e);
                return &cfz_tasks.of[i];
            }
    }
    if (cfz_tasks.n >= rooms[g->level] || !worth(s, g, &note, attempts))
        return NULL;
    t = &cfz_tasks.of[cfz_tasks.n++];
    t->g = *g;
    t->is_part = false;
    t->note = note;
    cfz_task_at(t, e);
    return t;
}

static void on_path(struct cfz_goal *g)
{
    g->level = 3;
    g->path = cfz_tasks.path;
    g->key = cfz_goal_key3(g->key, cfz_tasks.path);
}

/* All cases that the event does not show, but of a large switch not all at once. */
static void switch_goals(struct cfz_search *s, const struct cfz_event *e, uint8_t level,
                         unsigned attempts)
{
    const struct cfz_site *site = e->site;
    uint32_t n = site->ncases < SWITCH_CASES ? site->ncases : SWITCH_CASES;
    uint32_t start = n < site->ncases ? cfz_rand_below(s->rand, site->ncases) : 0;

    for (uint32_t k = 0; k < n; k++) {
        struct cfz_goal g;

        cfz_goal_of_case(e->site, (start + k) % site->ncases, e->nth, &g);
        g.level = level;
        if (level > 0)
            g.key = cfz_goal_key2_case(site, e->nth, g.value);
        if (level == 3)
            on_path(&g);
        if (((e->a ^ g.value) & cfz_site_mask(site)) != 0)
            add_task(s, e, &g, attempts);
    }
}

static void level0(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const struct cfz_site *site = e->site;
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH) {
        switch_goals(s, e, 0, attempts);
        return;
    }
    if (cfz_site_is_text(site) && e->outcome)
        return;
    cfz_flipped(e, &g);
    add_task(s, e, &g, attempts);
}

/* The event of the same site that is the nearest before event i, or behind it, or NULL. */
static const struct cfz_event *beside(uint32_t i, int way)
{
    enum { FAR = 64 };
    const struct cfz_site *site = cfz_trace.events[i].site;

    /* Before the first one is a number that is too large. */
    for (uint32_t k = i + (uint32_t)way, n = 0; n < FAR && k < cfz_trace.nevents;
         k += (uint32_t)way, n++)
        if (cfz_trace.events[k].site == site)
            return &cfz_trace.events[k];
    return NULL;
}

static bool same_text(const struct cfz_event *x, const struct cfz_event *y, unsigned side)
{
    const uint32_t n = side ? x->b_len : x->a_len;

    return n == (side ? y->b_len : y->a_len) &&
           memcmp(cfz_trace.text + (side ? x->b_at : x->a_at),
                  cfz_trace.text + (side ? y->b_at : y->a_at), n) == 0;
}

/* Whether an operand of two comparisons of a site is the same, that of side. */
static bool same_operand(const struct cfz_event *x, const struct cfz_event *y, unsigned side)
{
    if (cfz_site_is_text(x->site))
        return same_text(x, y, side);
    return (((side ? x->b : x->a) ^ (side ? y->b : y->a)) & cfz_site_mask(x->site)) == 0;
}

/*
 * Which operand of e, an equality, is the program's, most likely: 0 for a. Where neither is a
 * constant it is what changes along a table in which the other one is looked up.
 */
static unsigned programs_side(const struct cfz_event *e, const struct cfz_image *im)
{
    const uint32_t i = (uint32_t)(e - cfz_trace.events);
    const struct cfz_event *other = NULL;

    if (!cfz_has_constant(e->site) && !(other = beside(i, 1)))
        other = beside(i, -1);
    if (other && same_operand(e, other, 0) != same_operand(e, other, 1))
        return same_operand(e, other, 0) ? 1 : 0;
    if (cfz_site_is_text(e->site))
        return cfz_texts_program(e->site, im, cfz_trace.text + e->a_at, e->a_len,
                                 cfz_trace.text + e->b_at, e->b_len);
    return cfz_is_program(e->site, 0) ? 0 : 1;
}

/* The key of level 1 of a site and the program's operand: a number, or text of n bytes. */
static uint64_t key1_of(const struct cfz_site *site, uint64_t number, const uint8_t *text,
                        uint32_t n)
{
    return cfz_goal_key1(site, cfz_site_is_text(site) ? cfz_text_hash(text, n) : number);
}

static void level1(struct cfz_search *s, const struct cfz_event *e, const struct cfz_image *im,
                   unsigned attempts)
{
    const struct cfz_site *site = e->site;
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH || site->kind == CFZ_SITE_FLOAT || cfz_holds(e) ||
        (!cfz_site_is_text(site) && site->predicate != CFZ_REL_EQUAL))
        return;
    cfz_flipped(e, &g);
    g.level = 1;
    g.key = programs_side(e, im) == 0 ? key1_of(site, e->a, cfz_trace.text + e->a_at, e->a_len)
                                      : key1_of(site, e->b, cfz_trace.text + e->b_at, e->b_len);
    add_task(s, e, &g, attempts);
}

static void level2(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const struct cfz_site *site = e->site;
    bool equality = cfz_site_asks_equality(site);
    struct cfz_goal g;

    if (site->kind == CFZ_SITE_SWITCH && cfz_is_early(e, FINE_ORDERED)) {
        switch_goals(s, e, 2, attempts);
        return;
    }
    if (site->kind != CFZ_SITE_INT ||
        !cfz_is_early(e, equality ? (uint32_t)CFZ_FINE_NTH : (uint32_t)FINE_ORDERED))
        return;
    cfz_flipped(e, &g);
    if (equality && !(g.want & CFZ_REL_EQUAL) && e + 1 != cfz_trace.events + cfz_trace.nevents)
        return; /* all that a loop asks; but behind the last one the program gave up, most likely */
    g.level = 2;
    g.key = cfz_goal_key2(site, e->nth, !cfz_holds(e));
    add_task(s, e, &g, attempts);
}

/*
 * A comparison that is a part of a condition behind which no input came yet. Each part may have
 * held in some input, and is no goal of its own any more; but all have to hold in one. Which others
 * hold here is a part of the key: where more of them do, it is another goal.
 */
static void part(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    const bool holds = cfz_holds(e);
    const uint8_t *counter = cfz_site_joined(e->site, !holds);
    struct cfz_goal g;
    struct cfz_task *t;

    if (!counter || cfz_seen_has_counter(s->seen, counter) || !cfz_is_early(e, PART_NTH) ||
        (cfz_site_is_text(e->site) && holds))
        return;
    cfz_flipped(e, &g);
    if (cfz_goal_open(s->goals, s->seen, &g))
        return; /* it is one of level 0 */
    g.level = 1;
    g.path = parts | 1;
    g.key = cfz_goal_key3(
        cfz_site_is_text(e->site) ? g.key : cfz_goal_key2(e->site, e->nth, !holds), g.path);
    t = add_task(s, e, &g, attempts);
    if (t) {
        t->is_part = true;
        t->held = nparts;
    }
}

/* The bound of an array, or a number that the library read, when all that the program asks was
 * looked at. */
static void unasked(struct cfz_search *s, const struct cfz_event *e, unsigned attempts)
{
    struct cfz_goal g;

    cfz_flipped(e, &g);
    add_task(s, e, &g, attempts);
}

/* Whether e is one of many comparisons with which a loop counts up to one and the same number. */
static bool is_amid_count(const struct cfz_event *e)
{
    const uint32_t i = (uint32_t)(e - cfz_trace.events);
    const struct cfz_event *before, *behind;

    if (e->nth < COUNTS || e->site->kind != CFZ_SITE_INT)
        return false;
    before = beside(i, -1);
    behind = beside(i, 1);
    return before && behind && before->b == e->b && behind->b == e->b && e->a != before->a &&
           e->a - before->a == behind->a - e->a;
}

/*
 * Each outcome of this path the other way, as far as another level does not see to it. Where a loop
 * counts, it is enough to leave it at the beginning and at the end. Text shows
 * no key of level 2, so that its goal here is never met, and an attempt goes on as far as it may:
 * where it was met, fewer targets were passed (decision 141).
 */
static void level3(struct cfz_search *s, const struct cfz_event *e)
{
    struct cfz_goal g;

    if (!cfz_is_early(e, CFZ_PATH_NTH) || (cfz_site_is_text(e->site) && e->outcome) ||
        is_amid_count(e))
        return;
    if (e->site->kind == CFZ_SITE_SWITCH) {
        switch_goals(s, e, 3, 1);
        return;
    }
    cfz_flipped(e, &g);
    g.key = cfz_goal_key2(e->site, e->nth, !cfz_holds(e));
    on_path(&g);
    add_task(s, e, &g, 1);
}

uint64_t cfz_hash_path(void)
{
    uint64_t h = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (cfz_is_early(&cfz_trace.events[i], CFZ_PATH_NTH))
            h += cfz_goal_key2_case(cfz_trace.events[i].site, cfz_trace.events[i].nth,
                                    cfz_chosen(&cfz_trace.events[i])) >>
                 8;
    return h | 1;
}

/* Adds the goals of a level that an event of the last trace is for. */
static void collect_event(struct cfz_search *s, const struct cfz_event *e,
                          const struct cfz_image *im, unsigned level, unsigned attempts)
{
    if ((level == 0 ? cfz_is_beyond(e) : cfz_is_pointer_like(e)) ||
        (cfz_is_before_input(e) && !takes_fixed))
        return;
    if (cfz_site_is_unasked(e->site)) {
        if (level == 1 && !cfz_holds(e))
            unasked(s, e, attempts);
    } else if (level == 0) {
        level0(s, e, attempts);
    } else if (level == 1) {
        part(s, e, attempts);
        level1(s, e, im, attempts);
    } else if (level == 2) {
        level2(s, e, attempts);
    } else {
        level3(s, e);
    }
}

void cfz_tasks_collect(struct cfz_search *s, const struct cfz_image *im, unsigned round,
                       unsigned generation, bool tail)
{
    const int most = tail ? 2 : 1;

    /* Else loops over blanks build towers of ever longer inputs. */
    unsigned longer = generation > 0 ? generation - 1 : 0;
    bool fine = cfz_rand_below(s->rand, 1 + 2 * longer) == 0;
    bool is_long = cfz_trace.nevents > CFZ_EVENTS_LONG;

    takes_fixed = cfz_rand_below(s->rand, FIXED_AGAIN) == 0;
    cfz_tasks.n = 0;
    cfz_tasks.path = cfz_hash_path();
    parts = 0;
    nparts = cfz_parts_held(s, &parts);
    for (unsigned level = 0; level < 4; level++) {
        unsigned attempts = level == 0   ? 2 + 2 * round
                            : level == 1 ? 1 + round
                            : fine       ? !is_long + round
                                         : 0;

        if (level == 3 && (cfz_tasks.n > 0 || is_long))
            break;
        for (int known = is_long ? most : 0; known >= 0; known--)
            for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
                int moved = moved_by_inputs(s, cfz_trace.events[i].site);

                if (!is_long || (moved < most ? moved : most) == known)
                    collect_event(s, &cfz_trace.events[i], im, level, attempts);
            }
    }
}

uint32_t cfz_tasks_watch(struct cfz_search *s, const struct cfz_image *im)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cfz_trace.nevents && n < WATCHED; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        struct cfz_task *t = &cfz_tasks.of[cfz_tasks.n + n];
        struct cfz_goal_note *note;

        if (!cfz_is_early(e, 1) || !cfz_recipe_wanted(s, e, im))
            continue;
        note = cfz_goal_note(s->goals, cfz_goal_key3(WATCH, cfz_goal_key0(e->site, 0)));
        if (!note ||
            atomic_fetch_add_explicit(&note->tried, 1, memory_order_relaxed) >= WATCHED_MOST)
            continue;
        memset(t, 0, sizeof *t);
        t->g.site = e->site;
        t->g.level = 2; /* the report is not about it */
        t->note = note;
        cfz_task_at(t, e);
        n++;
    }
    return n;
}

/* ---- another key, when the input was probed -------------------------------------------------- */

bool cfz_mend_on_path(struct cfz_search *s, struct cfz_task *t)
{
    struct cfz_goal_note *note;

    if (!cfz_is_checksum(t) || t->g.nth >= CFZ_FINE_NTH)
        return false;
    t->g.key = cfz_goal_key2(t->g.site, t->g.nth, true);
    on_path(&t->g);
    if (!worth(s, &t->g, &note, 1))
        return false;
    t->note = note;
    return true;
}

bool cfz_rekey(struct cfz_search *s, struct cfz_task *t)
{
    const uint64_t was = t->g.key;

    t->g.key = t->sides == 2 ? key1_of(t->g.site, t->a, t->text_a, t->len_a)
                             : key1_of(t->g.site, t->b, t->text_b, t->len_b);
    return t->g.key == was || worth(s, &t->g, &t->note, 1);
}
