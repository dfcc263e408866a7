/*
 * solver_descend.c - steps for numbers that come nearer, or of which all values are tried.
 *
 *     bisect    a window as a number between two values on either side
 *     descend   each influencing byte in turn to its best value, from several starts
 *     digits    each digit as each other one, where a path is repaired
 *     pair      all values of two bytes, where few influence an equality and nothing else helped
 */
#define _GNU_SOURCE
#include <string.h>

#include "solver/solving.h"

enum {
    BISECT_POSITIONS = 12,
    DESCEND_STARTS = 3,
    DESCEND_ROUNDS = 8,
    DESCEND_POSITIONS = 64,
    DESCEND_WINDOWS = 16,
    DIGITS_MOST = 24, /* digits that are tried as each other one */
    PAIR_BYTES = 4,   /* bytes that influence a comparison of which all pairs are tried */
    PAIR_ATTEMPT = 3, /* the attempt with the first pair */
    PAIR_TRY = 16,    /* the most that one of its trials may cost */
    PAIR_SUMS = 4,    /* values of both that tell whether their effect is a sum */
    PAIR_FOUND = 64,  /* pairs of these that are tried */
};

static struct cfz_image im; /* what a step makes; each takes it up anew */

static void from_base(const struct cfz_solver *v)
{
    cfz_image_copy(&im, &v->base->im);
}

/* ---- bisect ----------------------------------------------------------------------------- */

enum { NOT_REACHED = 16 }; /* beside the relations */

/* A window of the input as a number. */
struct window {
    uint32_t p, n;
    bool big, is_float;
};

static uint64_t window_order(const struct window *w, uint64_t x, bool back)
{
    const struct cfz_site like = {.kind = w->is_float ? CFZ_SITE_FLOAT : CFZ_SITE_INT,
                                  .width = (uint8_t)(8 * w->n)};

    return back ? cfz_unorder(&like, x) : cfz_order(&like, x);
}

/* Tries x, in order, in the window. *side gets how the operands relate. */
static enum cfz_trial try_window(struct cfz_solver *v, const struct window *w, uint64_t x,
                                 int *side)
{
    enum cfz_trial r;

    from_base(v);
    cfz_image_put(&im, w->p, w->n, w->big, window_order(w, x, true));
    v->step = "bisection";
    r = cfz_trial(v, &im);
    *side = r != CFZ_TRIAL_REACHED
                ? NOT_REACHED
                : (int)cfz_relate(v->task->g.site, v->event->a, cfz_task_b(v->task, v->event));
    return r;
}

static enum cfz_trial bisect_window(struct cfz_solver *v, const struct window *w)
{
    static const double floats[] = {-1e9, -1e4, -100, -1, 0, 1e-3, 1, 10, 100, 1e4, 1e6, 1e9, 1e15};
    enum { FLOATS = sizeof floats / sizeof floats[0], INTEGERS = 10, POINTS = FLOATS };
    uint64_t xs[POINTS];
    int sides[POINTS];
    unsigned n = 0, width = 8 * w->n;
    enum cfz_trial r;

    for (unsigned q = 0; q < (w->is_float ? (unsigned)FLOATS : (unsigned)INTEGERS); q++) {
        uint64_t x;

        if (w->is_float) {
            struct cfz_value f = {.kind = w->n == 4 ? CFZ_KIND_FLOAT32 : CFZ_KIND_FLOAT64};

            cfz_value_set_float(&f, floats[q]);
            x = window_order(w, f.bits, false);
        } else {
            unsigned used = width * q / (INTEGERS - 1);

            x = used == 0 ? 0 : UINT64_MAX >> (64 - used);
        }
        r = try_window(v, w, x, &sides[n]);
        if (cfz_trial_ends(r))
            return r;
        if (sides[n] != CFZ_REL_UNORDERED)
            xs[n++] = x;
    }
    for (unsigned q = 0; q + 1 < n; q++) {
        uint64_t low = xs[q], high = xs[q + 1];

        if (sides[q] == sides[q + 1] || sides[q] == CFZ_REL_EQUAL || sides[q + 1] == CFZ_REL_EQUAL)
            continue;
        while (high - low > 1) {
            uint64_t middle = low + (high - low) / 2;
            int side;

            r = try_window(v, w, middle, &side);
            if (cfz_trial_ends(r))
                return r;
            if (side == sides[q])
                low = middle;
            else
                high = middle;
        }
    }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_bisect(struct cfz_solver *v)
{
    static const struct window shapes[] = {
        {0, 4, false, true},  {0, 8, false, true}, {0, 2, false, false}, {0, 4, false, false},
        {0, 8, false, false}, {0, 2, true, false}, {0, 4, true, false},  {0, 8, true, false},
    };
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;

    if (t->g.site->kind == CFZ_SITE_SWITCH || t->g.want == (CFZ_REL_GREATER | CFZ_REL_LESS))
        return CFZ_TRIAL_REACHED;
    v->recipe.set = CFZ_RECIPE_NONE;
    for (uint32_t f = 0; f < t->nat && f < BISECT_POSITIONS; f++)
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
            uint32_t i = cfz_image_value(b, t->at[f].p), n = shapes[k].n;
            uint32_t starts[3] = {t->at[f].p, t->at[f].p + 1 - n, b->at[i]};

            if (!cfz_image_grows(b, i)) { /* a number is one window */
                if ((f > 0 && cfz_image_value(b, t->at[f - 1].p) == i) ||
                    n != b->at[i + 1] - b->at[i] || shapes[k].big ||
                    shapes[k].is_float != cfz_kind_is_float(b->like[i].kind))
                    continue;
                starts[0] = b->at[i];
            } else if (shapes[k].is_float && t->g.site->kind != CFZ_SITE_FLOAT) {
                continue;
            }
            for (int s = 0; s < (cfz_image_grows(b, i) ? 3 : 1); s++) {
                struct window w = shapes[k];
                enum cfz_trial r;

                w.p = s == 2 ? b->at[i] + (t->at[f].p - b->at[i]) / n * n : starts[s];
                if (w.p < b->at[i] || w.p > t->at[f].p || !cfz_image_fits(b, w.p, n) ||
                    (s > 0 && w.p == starts[0]))
                    continue;
                r = bisect_window(v, &w);
                if (cfz_trial_ends(r))
                    return r;
            }
        }
    return CFZ_TRIAL_REACHED;
}

/* ---- descend ------------------------------------------------------------------------------ */

/* The distance of the last trial: of the numbers, or in bits. */
static uint64_t far(const struct cfz_solver *v, bool in_bits)
{
    const struct cfz_task *t = v->task;

    if (!in_bits)
        return cfz_goal_distance(&t->g, v->event);
    return (uint64_t)__builtin_popcountll((v->event->a ^ cfz_task_b(t, v->event)) &
                                          cfz_site_mask(t->g.site));
}

static void keep_best(struct cfz_solver *v, uint64_t d, bool in_bits)
{
    if (in_bits || d >= v->best)
        return;
    v->best = d;
    cfz_image_copy(&v->best_im, &im);
}

/* Tries small numbers in the windows of im at p; im keeps the best. */
static enum cfz_trial small_numbers(struct cfz_solver *v, uint32_t p, bool in_bits, uint64_t *d)
{
    enum { SMALL = 20, POWERS = 5 };

    for (uint32_t n = 2; n <= 4; n *= 2)
        for (int big = 0; big < 2; big++) {
            uint64_t best;

            if (!cfz_image_fits(&im, p, n))
                continue;
            best = cfz_image_get(&im, p, n, big);
            for (unsigned k = 0; k < SMALL + POWERS; k++) {
                uint64_t x = k < SMALL ? k : UINT64_C(1) << (k - SMALL + 5);
                enum cfz_trial r;

                cfz_image_put(&im, p, n, big, x);
                r = cfz_trial(v, &im);
                if (cfz_trial_ends(r))
                    return r;
                if (r == CFZ_TRIAL_REACHED && far(v, in_bits) < *d) {
                    *d = far(v, in_bits);
                    best = x;
                }
            }
            cfz_image_put(&im, p, n, big, best);
        }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_descend(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    bool in_bits =
        t->g.want == CFZ_REL_EQUAL && t->g.site->kind != CFZ_SITE_FLOAT && cfz_is_even_attempt(t);

    v->recipe.set = CFZ_RECIPE_NONE;
    for (int start = 0; start < DESCEND_STARTS; start++) {
        enum cfz_trial r;
        uint64_t d;

        from_base(v);
        for (uint32_t f = 0; start > 0 && f < t->nat; f++)
            im.bytes[t->at[f].p] = (uint8_t)cfz_rand_u32(v->s->rand);
        v->step = "descent";
        r = cfz_trial(v, &im);
        if (cfz_trial_ends(r))
            return r;
        if (r != CFZ_TRIAL_REACHED)
            continue;
        d = far(v, in_bits);
        keep_best(v, d, in_bits);
        for (int round = 0; round < DESCEND_ROUNDS; round++) {
            uint64_t before = d;

            for (uint32_t f = 0; round == 0 && f < t->nat && f < DESCEND_WINDOWS; f++) {
                r = small_numbers(v, t->at[f].p, in_bits, &d);
                if (cfz_trial_ends(r))
                    return r;
            }
            keep_best(v, d, in_bits);
            for (uint32_t f = 0; f < t->nat && f < DESCEND_POSITIONS; f++) {
                uint32_t p = t->at[f].p;
                uint8_t old = im.bytes[p], best = old;

                for (unsigned c = 0; c < 256; c++) {
                    if (c == old)
                        continue;
                    im.bytes[p] = (uint8_t)c;
                    r = cfz_trial(v, &im);
                    if (cfz_trial_ends(r))
                        return r;
                    if (r == CFZ_TRIAL_REACHED && far(v, in_bits) < d) {
                        d = far(v, in_bits);
                        best = (uint8_t)c;
                    }
                }
                im.bytes[p] = best;
            }
            keep_best(v, d, in_bits);
            if (d >= before)
                break;
        }
    }
    return CFZ_TRIAL_REACHED;
}

/* ---- digits ------------------------------------------------------------------------------- */

/* Each digit as each other one: of a remainder that has to be zero, as that of a number with a
 * check digit, about one in as many as there are remainders is right. */
enum cfz_trial cfz_solve_digits(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    uint32_t n = 0;

    if (t->g.want != CFZ_REL_EQUAL || t->g.site->kind == CFZ_SITE_FLOAT)
        return CFZ_TRIAL_REACHED;
    v->step = "digits";
    v->recipe.set = CFZ_RECIPE_NONE;
    from_base(v);
    for (uint32_t f = 0; f < t->nat && n < DIGITS_MOST; f++) {
        uint32_t p = t->at[f].p;
        enum cfz_trial r;

        if (!cfz_is_digit(im.bytes[p]) || !cfz_image_grows(&im, cfz_image_value(&im, p)))
            continue;
        n++;
        r = cfz_trial_values(v, &im, p, '0', '9');
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

/* ---- pair --------------------------------------------------------------------------------- */

/* Two bytes of an input, and what the operands differ by at the start. */
struct pair {
    uint32_t p[2];
    uint8_t old[2];
    uint64_t difference;
};

/* Writes both bytes. difference: a - b of the comparison then, if it is reached. */
static enum cfz_trial pair_trial(struct cfz_solver *v, const struct pair *pair, uint8_t first,
                                 uint8_t second, uint64_t *difference)
{
    enum cfz_trial r;

    im.bytes[pair->p[0]] = first;
    im.bytes[pair->p[1]] = second;
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_REACHED)
        *difference = (uint64_t)cfz_difference(v->task, v->event->a, cfz_task_b(v->task, v->event));
    return r;
}

/* REACHED if the two bytes do together what each does alone, as far as a few values tell. */
static enum cfz_trial pair_is_sum(struct cfz_solver *v, struct pair *pair)
{
    enum cfz_trial r = pair_trial(v, pair, pair->old[0], pair->old[1], &pair->difference);

    for (unsigned k = 0; k < PAIR_SUMS && r == CFZ_TRIAL_REACHED; k++) {
        const uint32_t draw = cfz_rand_u32(v->s->rand);
        const uint8_t x[2] = {(uint8_t)draw, (uint8_t)(draw >> 8)};
        uint64_t d[2], both;

        r = pair_trial(v, pair, x[0], pair->old[1], &d[0]);
        if (r == CFZ_TRIAL_REACHED)
            r = pair_trial(v, pair, pair->old[0], x[1], &d[1]);
        if (r == CFZ_TRIAL_REACHED)
            r = pair_trial(v, pair, x[0], x[1], &both);
        if (r == CFZ_TRIAL_REACHED && both != d[0] + d[1] - pair->difference)
            return CFZ_TRIAL_LOST;
    }
    return r;
}

/* All values of each byte alone, and then the pairs of which these tell that they are equal. */
static enum cfz_trial pair_of_sum(struct cfz_solver *v, const struct pair *pair)
{
    const uint64_t mask = cfz_site_mask(v->task->g.site);
    uint64_t d[2][256];
    bool known[2][256];
    enum cfz_trial r = CFZ_TRIAL_REACHED;
    unsigned found = 0;

    for (unsigned i = 0; i < 2; i++)
        for (unsigned c = 0; c < 256; c++) {
            r = pair_trial(v, pair, (uint8_t)(i == 0 ? c : pair->old[0]),
                           (uint8_t)(i == 1 ? c : pair->old[1]), &d[i][c]);
            if (cfz_trial_ends(r))
                return r;
            known[i][c] = r == CFZ_TRIAL_REACHED;
        }
    for (unsigned x = 0; x < 256 && found < PAIR_FOUND; x++)
        for (unsigned y = 0; y < 256 && found < PAIR_FOUND; y++) {
            if (!known[0][x] || !known[1][y] ||
                ((d[0][x] + d[1][y] - pair->difference) & mask) != 0)
                continue;
            found++;
            r = pair_trial(v, pair, (uint8_t)x, (uint8_t)y, &(uint64_t){0});
            if (cfz_trial_ends(r))
                return r;
        }
    return CFZ_TRIAL_REACHED;
}

/* Takes a pair of the bytes that influence the task, and tries it if its effect is a sum.
 * LOST: it is none. */
static enum cfz_trial pair_take(struct cfz_solver *v, uint32_t first, uint32_t second,
                                struct pair *pair)
{
    enum cfz_trial r;

    from_base(v);
    for (int i = 0; i < 2; i++) {
        pair->p[i] = v->task->at[i == 0 ? first : second].p;
        pair->old[i] = im.bytes[pair->p[i]];
    }
    r = pair_is_sum(v, pair);
    return r == CFZ_TRIAL_REACHED ? pair_of_sum(v, pair) : r;
}

/*
 * Two bytes of which no value alone brings the operands nearer. Where their effect is a sum, such
 * as that of two squares, 512 executions tell which of the 65536 pairs it is, or that it is none:
 * one attempt is for all such pairs. After it all values of a pair are tried, which is little:
 * factors of a product, keys of a table, a hash; from a random one on, as the trials may be cut
 * off. One pair an attempt.
 */
enum cfz_trial cfz_solve_pair(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const unsigned attempt = atomic_load_explicit(&t->note->tried, memory_order_relaxed);
    const uint64_t tries = v->s->tries ? v->s->tries : 1, each = v->s->cost / tries + 1;
    uint32_t first = 0, second = 1, start, most = (t->nat - 1) * t->nat / 2;
    enum cfz_trial r = CFZ_TRIAL_REACHED;
    struct pair of;

    if (v->outer || t->g.level > 0 || t->g.want != CFZ_REL_EQUAL || t->nat < 2 ||
        t->nat > PAIR_BYTES || attempt + 1 < PAIR_ATTEMPT || attempt >= PAIR_ATTEMPT + most ||
        each > PAIR_TRY)
        return CFZ_TRIAL_REACHED;
    v->step = "pair";
    v->recipe.set = CFZ_RECIPE_NONE;
    if (attempt < PAIR_ATTEMPT) {
        for (first = 0; first < t->nat; first++)
            for (second = first + 1; second < t->nat && !cfz_trial_ends(r); second++)
                r = pair_take(v, first, second, &of);
        return r;
    }
    for (unsigned k = PAIR_ATTEMPT; k < attempt; k++)
        if (++second == t->nat) {
            first++;
            second = first + 1;
        }
    /* Of a sum nearly all of it is left for the steps behind, which is worth it (FuzzTrailer). */
    if (v->limit < v->s->cost + each * 4 * 0x10000)
        v->limit = v->s->cost + each * 4 * 0x10000;
    r = pair_take(v, first, second, &of);
    if (r != CFZ_TRIAL_LOST)
        return r;
    start = cfz_rand_below(v->s->rand, 0x10000);
    for (uint32_t k = 0; k < 0x10000; k++) {
        r = pair_trial(v, &of, (uint8_t)(start + k), (uint8_t)((start + k) >> 8), &(uint64_t){0});
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}
