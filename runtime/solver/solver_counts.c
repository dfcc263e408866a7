/*
 * solver_counts.c - more of what a program counts, where no byte of the input moves the count:
 * fields of a line, arguments, lines, brackets within each other.
 *
 *     characters that were compared before --one put in at each place--> nearer
 *     as many more of it as are missing, or else the next one from there
 *
 * What a field of a line ends with is what the program looks for, or compares the input's bytes
 * with, before it asks how many there were. A bracket or a quote is put in with the one that ends
 * it.
 */
#include "solver/solving.h"

#include <string.h>

enum {
    MARKS = 12,   /* characters that are put in; guessed, like these */
    PLACES = 64,  /* of a value; of a longer one a sample */
    BACK = 256,   /* comparisons before that of the task, in which they are looked for */
    LONGEST = 64, /* bytes that are put in at once */
};

/* A text that is put in. */
struct mark {
    uint8_t text[2];
    uint32_t len;
};

static struct mark marks[MARKS];
static uint32_t nmarks;
static struct cfz_image from, im; /* the input that it goes on from; the one that is tried */

static void add_mark(uint8_t c)
{
    static const char pairs[][2] = {{'(', ')'}, {'[', ']'}, {'{', '}'},
                                    {'<', '>'}, {'"', '"'}, {'\'', '\''}};
    struct mark m = {{c}, 1};

    if (!cfz_is_ascii_text(c) || nmarks == MARKS)
        return;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (c == (uint8_t)pairs[i][0])
            m = (struct mark){{c, (uint8_t)pairs[i][1]}, 2};
    for (uint32_t i = 0; i < nmarks; i++)
        if (marks[i].text[0] == c)
            return;
    marks[nmarks++] = m;
}

/* Adds the characters that an event compares the input with. */
static void add_marks_of(const struct cfz_event *e)
{
    const struct cfz_site *site = e->site;
    const uint8_t *b = cfz_trace.text + e->b_at;

    if (cfz_site_is_find(site)) {
        if (e->b_len == 1)
            add_mark(b[0]);
    } else if (site->kind == CFZ_SITE_SWITCH) {
        for (uint32_t i = 0; i < site->ncases; i++)
            if (site->cases[i].value < 0x80)
                add_mark((uint8_t)site->cases[i].value);
    } else if (site->kind == CFZ_SITE_INT && cfz_has_constant(site) &&
               cfz_site_asks_equality(site)) {
        uint64_t c = (cfz_is_program(site, 0) ? e->a : e->b) & cfz_site_mask(site);

        if (c < 0x80)
            add_mark((uint8_t)c);
    }
}

/* Finds the marks in the last trace, those that were compared last first. */
static void find_marks(const struct cfz_event *end)
{
    const struct cfz_event *e = end;

    nmarks = 0;
    for (uint32_t n = 0; n < BACK && e > cfz_trace.events; n++)
        add_marks_of(--e);
}

/* Makes im what from becomes with n of a mark at p of value i. False if it has no room. */
static bool put_in(const struct mark *m, uint32_t i, uint32_t p, uint32_t n)
{
    uint8_t text[LONGEST];

    for (uint32_t k = 0; k < n * m->len; k++)
        text[k] = m->text[k % m->len];
    cfz_image_copy(&im, &from);
    return cfz_image_splice(&im, i, p, 0, text, n * m->len);
}

/* Tries n of a mark there, and goes on from that if it is nearer: *nearer. */
static enum cfz_trial try_mark(struct cfz_solver *v, const struct mark *m, uint32_t i, uint32_t p,
                               uint32_t n, bool *nearer)
{
    const uint64_t distance = v->nearest;
    enum cfz_trial r;

    *nearer = false;
    if (!put_in(m, i, p, n))
        return CFZ_TRIAL_LOST;
    v->step = "count";
    v->recipe.set = CFZ_RECIPE_NONE;
    r = cfz_trial(v, &im);
    if (!cfz_trial_ends(r) && v->nearest < distance) {
        *nearer = true;
        cfz_image_copy(&from, &v->nearest_im); /* with fields that were mended */
    }
    return r;
}

/* Puts a mark in at p, and as often as that is nearer, all that are missing at once if each does as
 * much as the first one. */
static enum cfz_trial put_all(struct cfz_solver *v, const struct mark *m, uint32_t i, uint32_t p,
                              bool *nearer)
{
    const uint64_t distance = v->nearest;
    enum cfz_trial r = try_mark(v, m, i, p, 1, nearer);
    bool again = *nearer;

    if (again && !cfz_trial_ends(r)) {
        uint64_t missing = v->nearest / (distance - v->nearest);

        if (missing > 1 && missing * m->len <= LONGEST)
            r = try_mark(v, m, i, p, (uint32_t)missing, &again);
        again = true;
    }
    while (again && !cfz_trial_ends(r))
        r = try_mark(v, m, i, p, 1, &again);
    return r;
}

/* One round over all marks and places. */
static enum cfz_trial go_round(struct cfz_solver *v, bool *nearer)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    *nearer = false;
    for (uint32_t k = 0; k < nmarks; k++)
        for (uint32_t i = 0; i < from.n; i++) {
            const uint32_t size = from.at[i + 1] - from.at[i], step = 1 + size / PLACES;

            if (!cfz_image_grows(&from, i))
                continue;
            for (uint32_t p = from.at[i]; p <= from.at[i + 1]; p += step) {
                bool is_nearer;

                r = put_all(v, &marks[k], i, p, &is_nearer);
                if (cfz_trial_ends(r))
                    return r;
                *nearer |= is_nearer;
            }
        }
    return r;
}

enum cfz_trial cfz_solve_counts(struct cfz_solver *v)
{
    enum cfz_trial r;
    bool nearer = true;

    cfz_image_copy(&from, &v->base->im);
    r = cfz_trial(v, &from);
    if (r != CFZ_TRIAL_REACHED)
        return r;
    find_marks(v->event);
    while (nearer && !cfz_trial_ends(r))
        r = go_round(v, &nearer);
    return r;
}
