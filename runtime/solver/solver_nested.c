/*
 * solver_nested.c - more bytes in a field that lies within lengths.
 *
 * In a row of tags, lengths and data, one of which may lie in another's data, a field gets longer
 * only if its own length and all those around it grow as the data does. Which bytes are lengths
 * nobody says: any byte may be one that reaches, as a number of bytes behind it, to the place at
 * which bytes are put in or further, and not beyond the end. There are few of these, so all ways to
 * choose among them are tried, with one byte put in, until the comparison is reached with other
 * operands. These tell how many more it takes.
 */
#include "solver/solving.h"

#include <string.h>

enum {
    NESTED_LENGTHS = 8,    /* bytes that may be lengths around a place */
    NESTED_OTHERS = 3,     /* of these, which are none */
    NESTED_POSITIONS = 48, /* places of a value; of a longer one a sample. Guessed, both */
    NESTED_SIZE = 512,     /* of a value */
};

static struct cfz_image im;

/* The lengths around place p of value i: the first one, and then the innermost. */
static unsigned lengths_around(const struct cfz_image *b, uint32_t i, uint32_t p,
                               uint32_t at[NESTED_LENGTHS])
{
    unsigned n = 0;

    for (uint32_t q = b->at[i]; q < p; q++) {
        uint32_t reach = q + 1 + b->bytes[q];

        if (b->bytes[q] == 0 || reach < p || reach > b->at[i + 1])
            continue;
        if (n == NESTED_LENGTHS) {
            memmove(at + 1, at + 2, (NESTED_LENGTHS - 2) * sizeof *at);
            n--;
        }
        at[n++] = q;
    }
    return n;
}

/* Makes im the start with k bytes more at p, and of the lengths those that the mask has. False if
 * it is too long. */
static bool put_in(const struct cfz_image *start, uint32_t i, uint32_t p, const uint32_t *at,
                   unsigned mask, uint32_t k)
{
    uint8_t fill[UINT8_MAX];

    cfz_image_copy(&im, start);
    for (unsigned j = 0; mask >> j; j++) {
        if (!(mask >> j & 1))
            continue;
        if (im.bytes[at[j]] + k > UINT8_MAX)
            return false;
        im.bytes[at[j]] += (uint8_t)k;
    }
    memset(fill, p > start->at[i] ? start->bytes[p - 1] : 0, sizeof fill);
    return cfz_image_splice(&im, i, p, 0, fill, k);
}

/* a - b of the comparison that was reached. */
static int64_t difference(const struct cfz_solver *v)
{
    return cfz_difference(v->task, v->event->a, cfz_task_b(v->task, v->event));
}

/* All ways at one place; before: the difference at the start. */
static enum cfz_trial at_place(struct cfz_solver *v, const struct cfz_image *start, uint32_t i,
                               uint32_t p, int64_t before)
{
    uint32_t at[NESTED_LENGTHS];
    unsigned n = lengths_around(start, i, p, at);
    enum cfz_trial r = CFZ_TRIAL_LOST;

    for (unsigned mask = (1U << n) - 1; mask > 0; mask--) {
        int64_t effect, k;

        if ((unsigned)__builtin_popcount(mask) + NESTED_OTHERS < n ||
            !put_in(start, i, p, at, mask, 1))
            continue;
        r = cfz_trial(v, &im);
        if (cfz_trial_ends(r))
            return r;
        if (r != CFZ_TRIAL_REACHED)
            continue;
        effect = (int64_t)((uint64_t)difference(v) - (uint64_t)before);
        if (effect == 0)
            continue;
        k = cfz_times((int64_t)(0 - (uint64_t)before), effect);
        /* Equal, or one beyond it. */
        for (int beyond = 0; beyond < 2 && k <= UINT8_MAX; beyond++, k++) {
            if (k < 2 || !put_in(start, i, p, at, mask, (uint32_t)k))
                continue;
            r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
        }
    }
    return r;
}

enum cfz_trial cfz_solve_nested(struct cfz_solver *v, const struct cfz_image *start)
{
    enum cfz_trial r = cfz_trial(v, start);
    int64_t before;

    v->recipe.set = CFZ_RECIPE_NONE;
    v->step = "nested lengths";
    if (r != CFZ_TRIAL_REACHED)
        return r;
    before = difference(v);
    for (uint32_t i = 0; i < start->n; i++) {
        uint32_t from = start->at[i], size = start->at[i + 1] - from;
        uint32_t step = size / NESTED_POSITIONS + 1;

        if (!cfz_image_grows(start, i) || size > NESTED_SIZE)
            continue;
        for (uint32_t p = from + 1 + (step > 1 ? cfz_rand_below(v->s->rand, step) : 0);
             p <= from + size; p += step) {
            r = at_place(v, start, i, p, before);
            if (cfz_trial_ends(r))
                return r;
        }
    }
    return r;
}
