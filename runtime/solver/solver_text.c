/*
 * solver_text.c - steps that solve a comparison of text.
 *
 *     place      the other side's text where bytes influence this side: over it, or in its place
 *     insert     the word anywhere, where nothing influences the comparison
 *     escape     the same two with the text escaped (solver_escape.c)
 *     translate  one sweep of a byte shows what the program makes of it; the word that becomes the
 *                wanted one is written
 *     climb      one byte more that is equal, then its bits, by 256 tries a position
 */
#define _GNU_SOURCE
#include "solver/solving.h"

#include <string.h>

enum {
    PLACES = 8,       /* different offsets */
    PLACE_WAYS = 24,  /* writings at one of them */
    INSERTIONS = 256, /* positions */
    SWEEPS = 3,       /* positions that are swept for translate */
    CLIMB_ROUNDS = 300,
    PREFIX = 1 << 23, /* a distance smaller by more: a byte was gained */
};

static struct cfz_image im, next;

static void from_base(const struct cfz_solver *v)
{
    cfz_image_copy(&im, &v->base->im);
}

/* Both sides of the comparison as seen from one of them. */
struct view {
    const uint8_t *have, *want;
    uint32_t nhave, nwant;
};

static struct view view_of(const struct cfz_task *t, unsigned side)
{
    struct view w = {t->text_a, t->text_b, t->len_a, t->len_b};

    if (side)
        w = (struct view){t->text_b, t->text_a, t->len_b, t->len_a};
    /* strcmp with a constant is often compiled as memcmp that looks at the NUL, too. */
    if (w.nwant > 1 && w.want[w.nwant - 1] == 0)
        w.nwant--;
    return w;
}

/* Writes word over del bytes at p of value i, with a NUL behind it or not. */
static enum cfz_trial put_word(struct cfz_solver *v, uint32_t i, uint32_t p, uint32_t del,
                               const uint8_t *word, uint32_t n, bool nul, const char *step)
{
    uint8_t ins[CFZ_TEXT_MAX + 1];
    uint32_t end = v->base->im.at[i + 1];
    enum cfz_trial r;

    memcpy(ins, word, n);
    ins[n] = 0;
    from_base(v);
    if (!cfz_image_splice(&im, i, p, del < end - p ? del : end - p, ins, n + nul))
        return CFZ_TRIAL_LOST;
    v->step = step;
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_LOST && del <= end - p)
        cfz_note_lost(v, &im, p, p + n + nul, CFZ_WRITTEN_BYTES);
    return r;
}

/*
 * Writes the wanted text at p of value i: over as many bytes, over the text that is there, over the
 * other operand, or between. If all of these leave the path, since it says how many of the bytes
 * are of some kind, over fewer.
 */
static enum cfz_trial place_at(struct cfz_solver *v, const struct view *w, uint32_t i, uint32_t p)
{
    const bool is_string = cfz_kind_is_string(v->base->im.like[i].kind);
    bool reached = false;

    for (unsigned way = 0; way < 8 || (!reached && way < 7 + w->nwant && way < PLACE_WAYS); way++) {
        bool nul = way < 8 && way & 1;
        uint32_t del = way < 2   ? w->nwant + nul
                       : way < 4 ? (uint32_t)strnlen((const char *)w->have, w->nhave)
                       : way < 6 ? w->nhave
                       : way < 8 ? 0
                                 : way - 7;
        enum cfz_trial r;

        if (nul && is_string)
            continue;
        r = put_word(v, i, p, del, w->want, w->nwant, nul,
                     way < 2 ? "text over text" : "text for text");
        if (cfz_trial_ends(r))
            return r;
        reached |= r == CFZ_TRIAL_REACHED;
    }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial place(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;

    for (unsigned side = 0; side < 2; side++) {
        struct view w = view_of(t, side);
        int64_t tried[PLACES];
        unsigned ntried = 0;

        if (!(t->sides & 1U << side) || w.nwant == 0)
            continue;
        for (uint32_t f = 0; f < t->nat && ntried < PLACES; f++) {
            int32_t at = side ? t->at[f].b_at : t->at[f].a_at;
            uint32_t i = cfz_image_value(b, t->at[f].p);
            int64_t p = (int64_t)t->at[f].p - (cfz_site_is_find(t->g.site) ? 0 : at);
            bool again = false;
            enum cfz_trial r;

            if (!(t->at[f].sides & 1U << side) || at < 0 || p < (int64_t)b->at[i])
                continue;
            for (unsigned k = 0; k < ntried; k++)
                again |= tried[k] == p;
            if (again)
                continue;
            tried[ntried++] = p;
            r = place_at(v, &w, i, (uint32_t)p);
            if (cfz_trial_ends(r))
                return r;
        }
    }
    return CFZ_TRIAL_REACHED;
}

unsigned cfz_texts_program(const struct cfz_site *site, const struct cfz_image *in,
                           const uint8_t *a, uint32_t na, const uint8_t *b, uint32_t nb)
{
    if (cfz_has_constant(site))
        return cfz_is_program(site, 0) ? 0 : 1;
    if (na == 0 || (nb > 0 && cfz_image_find(in, 0, b, nb) == UINT32_MAX))
        return 1;
    return cfz_image_find(in, 0, a, na) == UINT32_MAX ? 0 : 1;
}

static enum cfz_trial insert(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    struct view w =
        view_of(t, cfz_texts_program(t->g.site, b, t->text_a, t->len_a, t->text_b, t->len_b) == 0);
    unsigned done = 0;

    for (uint32_t i = 0; i < b->n && w.nwant > 0; i++) {
        if (!cfz_image_grows(b, i))
            continue;
        for (uint32_t p = b->at[i]; p <= b->at[i + 1] && done < INSERTIONS; p++, done++) {
            enum cfz_trial r = put_word(v, i, p, 0, w.want, w.nwant, false, "text inserted");

            if (cfz_trial_ends(r))
                return r;
        }
    }
    return CFZ_TRIAL_REACHED;
}

/* Sweeps the byte at p, which makes byte at of a side. inverse[c]: what makes c there, or -1. */
static enum cfz_trial sweep(struct cfz_solver *v, uint32_t p, unsigned side, uint32_t at,
                            int16_t inverse[256])
{
    bool fold = cfz_site_ignores_case(v->task->g.site);

    for (int c = 0; c < 256; c++)
        inverse[c] = -1;
    from_base(v);
    for (int c = 0; c < 256; c++) {
        enum cfz_trial r;
        const struct cfz_event *e;
        uint8_t becomes;

        im.bytes[p] = (uint8_t)c;
        v->step = "translation";
        r = cfz_trial(v, &im);
        if (cfz_trial_ends(r))
            return r;
        e = v->event;
        if (r != CFZ_TRIAL_REACHED || at >= (side ? e->b_len : e->a_len))
            continue;
        becomes = cfz_trace.text[(side ? e->b_at : e->a_at) + at];
        if (fold)
            becomes = cfz_fold(becomes);
        if (inverse[becomes] < 0)
            inverse[becomes] = (int16_t)c;
    }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial translate(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    bool fold = cfz_site_ignores_case(t->g.site);
    unsigned done = 0;

    for (unsigned side = 0; side < 2; side++) {
        struct view w = view_of(t, side);

        for (uint32_t f = 0; f < t->nat && done < SWEEPS; f++) {
            int32_t at = side ? t->at[f].b_at : t->at[f].a_at;
            uint32_t p = t->at[f].p, i = cfz_image_value(b, p);
            int16_t inverse[256];
            uint8_t word[CFZ_TEXT_MAX];
            uint32_t n = 0;
            enum cfz_trial r;

            if (!(t->at[f].sides & 1U << side) || at < 0 || p < b->at[i] + (uint32_t)at)
                continue;
            done++;
            r = sweep(v, p, side, (uint32_t)at, inverse);
            if (cfz_trial_ends(r))
                return r;
            while (n < w.nwant) {
                int16_t c = inverse[fold ? cfz_fold(w.want[n]) : w.want[n]];

                if (c < 0)
                    break;
                word[n++] = (uint8_t)c;
            }
            if (n < w.nwant)
                continue;
            for (int way = 0; way < 4; way++) {
                bool nul = way & 1;

                r = put_word(v, i, p - (uint32_t)at, way < 2 ? w.nhave : n + nul, word, n, nul,
                             "translation");
                if (cfz_trial_ends(r))
                    return r;
            }
        }
    }
    return CFZ_TRIAL_REACHED;
}

/* The best change of one climb: a byte at p becomes c, or c is inserted there. */
struct gain {
    uint64_t distance;
    uint32_t p;
    int c; /* -1: none */
    bool inserted;
};

/* Tries all bytes at p of im, or inserted there. */
static enum cfz_trial try_all(struct cfz_solver *v, uint32_t p, bool inserted, struct gain *g)
{
    uint8_t c = 0;

    cfz_image_copy(&next, &im);
    if (inserted && !cfz_image_splice(&next, cfz_image_value(&im, p), p, 0, &c, 1))
        return CFZ_TRIAL_LOST;
    for (int k = 0; k < 256; k++) {
        enum cfz_trial r;

        next.bytes[p] = (uint8_t)k;
        v->step = "climb";
        r = cfz_trial(v, &next);
        if (cfz_trial_ends(r))
            return r;
        if (r == CFZ_TRIAL_REACHED) {
            uint64_t d = cfz_goal_distance(&v->task->g, v->event);

            if (d < g->distance)
                *g = (struct gain){d, p, k, inserted};
        }
    }
    return CFZ_TRIAL_REACHED;
}

/* A byte was inserted at p, which is a place too, in the order of the n others, if there is room.
 * Returns how many there are. */
static uint32_t insert_place(uint32_t at[CFZ_INFLUENCES + 1], uint32_t n, uint32_t p)
{
    uint32_t k = 0;

    for (uint32_t f = 0; f < n; f++) {
        k = at[f] < p ? f + 1 : k;
        at[f] += at[f] >= p;
    }
    if (n == CFZ_INFLUENCES)
        return n;
    memmove(&at[k + 1], &at[k], (n - k) * sizeof at[0]);
    at[k] = p;
    return n + 1;
}

static enum cfz_trial climb(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    uint32_t at[CFZ_INFLUENCES + 1], n = t->nat;
    uint64_t d = UINT64_MAX;
    enum cfz_trial r;

    for (uint32_t f = 0; f < n; f++)
        at[f] = t->at[f].p;
    from_base(v);
    r = cfz_trial(v, &im);
    if (r != CFZ_TRIAL_REACHED)
        return r;
    d = cfz_goal_distance(&t->g, v->event);
    for (int round = 0; round < CLIMB_ROUNDS; round++) {
        struct gain g = {d, 0, -1, false};
        uint32_t i;

        for (uint32_t f = 0; f < n && g.distance + PREFIX >= d; f++) {
            r = try_all(v, at[f], false, &g);
            if (cfz_trial_ends(r))
                return r;
        }
        for (uint32_t f = 0; f <= n && g.distance + PREFIX >= d; f++) {
            uint32_t p = f < n ? at[f] : n ? at[n - 1] + 1 : cfz_image_size(&im);

            if (p > cfz_image_size(&im))
                continue;
            r = try_all(v, p, true, &g);
            if (cfz_trial_ends(r))
                return r;
        }
        if (g.c < 0)
            return CFZ_TRIAL_REACHED;
        d = g.distance;
        if (!g.inserted) {
            im.bytes[g.p] = (uint8_t)g.c;
            continue;
        }
        i = cfz_image_value(&im, g.p);
        {
            uint8_t c = (uint8_t)g.c;

            if (!cfz_image_splice(&im, i, g.p, 0, &c, 1))
                return CFZ_TRIAL_REACHED;
        }
        n = insert_place(at, n, g.p);
    }
    return CFZ_TRIAL_REACHED;
}

/* Where the text that is there begins, of which the byte at p is one; or p. */
static uint32_t begin_of(const struct cfz_image *b, const struct view *w, uint32_t i, uint32_t p)
{
    for (uint32_t k = 0; k < w->nhave && k <= p - b->at[i]; k++)
        if (w->nhave <= b->at[i + 1] - (p - k) && memcmp(b->bytes + p - k, w->have, w->nhave) == 0)
            return p - k;
    return p;
}

enum cfz_trial cfz_solve_number_word(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    const bool is_a = cfz_is_program(t->g.site, 0);
    uint8_t have[8], want[8];
    struct view w = {.have = have, .want = want};
    uint32_t tried[PLACES];
    unsigned ntried = 0;

    if (!cfz_has_constant(t->g.site) || t->g.want != CFZ_REL_EQUAL)
        return CFZ_TRIAL_REACHED;
    w.nwant = cfz_number_word(t->g.site, is_a ? t->a : t->b, want);
    w.nhave = cfz_number_head(t->g.site, is_a ? t->b : t->a, have);
    v->recipe.set = CFZ_RECIPE_NONE;
    for (uint32_t f = 0; w.nwant > 0 && f < t->nat && ntried < PLACES; f++) {
        const uint32_t i = cfz_image_value(b, t->at[f].p);
        const uint32_t p = begin_of(b, &w, i, t->at[f].p);
        bool again = !cfz_image_grows(b, i);
        enum cfz_trial r;

        for (unsigned k = 0; k < ntried; k++)
            again |= tried[k] == p;
        if (again)
            continue;
        tried[ntried++] = p;
        r = place_at(v, &w, i, p);
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_text(struct cfz_solver *v)
{
    enum cfz_trial r;

    v->recipe.set = CFZ_RECIPE_NONE;
    r = place(v);
    /* What is looked for may stand anywhere, also where no change of a byte was seen to matter. */
    if (!cfz_trial_ends(r) && (v->task->nat == 0 || cfz_site_is_find(v->task->g.site)))
        r = insert(v);
    if (cfz_trial_ends(r) || cfz_site_is_find(v->task->g.site))
        return r;
    r = cfz_solve_escaped(v);
    if (!cfz_trial_ends(r))
        r = translate(v);
    if (!cfz_trial_ends(r))
        r = climb(v);
    return r;
}
