/*
 * solver_number.c - steps that solve a comparison of numbers, cheap ones first.
 *
 *     word      a number that is a text in memory, as text (solver_text.c)
 *     copy      the value that is wanted, where bytes influence the operand; followed while the
 *               other operand moves with it
 *     code      the same in a code of variable length (solver_code.c)
 *     whole     the value that is wanted as a whole argument, converted between integer and float
 *     text      the same in decimal, hexadecimal, octal, as a float
 *     inserted  a decimal number between bytes of text, where nothing moves an operand
 *     length    so many bytes more or less as the difference needs
 *     digits    each digit as each other one, where a path is repaired
 *     newton    one number, and floats (solver_real.c)
 *     linear    bits whose effects add up to the difference
 *     numerals  several numbers in text, or arguments, that add up to it (solver_numerals.c)
 *     carry     the same again and again from where it led, for sums and products that are mixed up
 *     bisect    a window as a number between two values on either side
 *     descend   each influencing byte in turn to its best value, from several starts; then all of
 *               these once more from the best input
 *     pair      all values of two bytes, where few influence an equality and nothing else helped
 */
#define _GNU_SOURCE
#include "solver/solving.h"

#include <stdio.h>
#include <string.h>

enum {
    COPY_POSITIONS = 24,
    COPY_FOLLOW = 4,
    TEXT_RUNS = 6,         /* runs of letters and digits that are rewritten */
    TEXT_INSERTIONS = 256, /* places where a number is put in */
    TEXT_REACH = 24,       /* to each side of a position */
    BISECT_POSITIONS = 12,
    DESCEND_STARTS = 3,
    DESCEND_ROUNDS = 8,
    DESCEND_POSITIONS = 64,
    DESCEND_WINDOWS = 16,
    DIGITS_MOST = 24,      /* digits that are tried as each other one */
    PAIR_BYTES = 4,        /* bytes that influence a comparison of which all pairs are tried */
    PAIR_ATTEMPT = 3,      /* the attempt with the first pair */
    PAIR_TRY = 16,         /* the most that one of its trials may cost */
    PAIR_SUMS = 4,         /* values of both that tell whether their effect is a sum */
    PAIR_FOUND = 64,       /* pairs of these that are tried */
    COST_FROM_BEST = 2000, /* what a descent found is looked at in any case */
};

static struct cfz_image im; /* what a step makes; each takes it up anew */
static struct cfz_image at_best;

static void from_base(const struct cfz_solver *v)
{
    cfz_image_copy(&im, &v->base->im);
}

/* Whether this is the second attempt at the goal, the fourth, and so on. */
static bool is_even_attempt(const struct cfz_task *t)
{
    return (atomic_load_explicit(&t->note->tried, memory_order_relaxed) & 1) == 0;
}

static uint64_t low_mask(uint32_t bytes)
{
    return bytes >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
}

/* Whether n bytes can hold an operand of the site, zero- or sign-extended. */
static bool holds_value(const struct cfz_site *site, uint64_t v, uint32_t n)
{
    uint64_t mask = cfz_site_mask(site), high;

    if (n >= 8 || 8 * n >= site->width)
        return true;
    high = (v & mask) >> 8 * n;
    return high == 0 || (high == mask >> 8 * n && (v >> (8 * n - 1) & 1));
}

/* Whether the bytes at p hold the operand now. */
static bool shows(const struct cfz_image *b, uint32_t p, uint32_t n, bool big,
                  const struct cfz_site *site, uint64_t operand)
{
    uint64_t mask = low_mask(n);

    return ((cfz_image_get(b, p, n, big) ^ operand) & mask & cfz_site_mask(site)) == 0 &&
           holds_value(site, operand, n);
}

/* ---- copy ------------------------------------------------------------------------- */

/* Writes one value at one place, and follows the other operand. */
static enum cfz_trial copy_at(struct cfz_solver *v, uint32_t p, uint32_t n, bool big, unsigned side,
                              uint64_t value)
{
    const struct cfz_task *t = v->task;
    enum cfz_trial r;

    from_base(v);
    cfz_image_put(&im, p, n, big, value);
    v->step = "copy";
    v->recipe = (struct cfz_recipe){
        .set = CFZ_RECIPE_COPY, .width = (uint8_t)n, .big_endian = big, .side = (uint8_t)side};
    cfz_recipe_place(&v->recipe, &im, p);
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_LOST)
        cfz_note_lost(v, &im, p, p + n, CFZ_WRITTEN_BYTES);
    for (int k = 0; k < COPY_FOLLOW && r == CFZ_TRIAL_REACHED; k++) {
        uint64_t other = side ? v->event->a : cfz_task_b(t, v->event), values[CFZ_GOAL_VALUES];

        if (other == (side ? t->a : t->b) || cfz_goal_values(&t->g, side, other, values) == 0)
            break;
        cfz_image_put(&im, p, n, big, values[0]);
        v->step = "copy and follow";
        r = cfz_trial(v, &im);
    }
    return r;
}

static enum cfz_trial copy(struct cfz_solver *v)
{
    static const uint32_t widths[] = {8, 4, 2, 1};
    const struct cfz_task *t = v->task;
    const struct cfz_site *site = t->g.site;
    const struct cfz_image *b = &v->base->im;

    for (unsigned side = 0; side < 2; side++) {
        uint64_t values[CFZ_GOAL_VALUES];
        unsigned n = cfz_goal_values(&t->g, side, side ? t->a : t->b, values);

        if (!(t->sides & 1U << side) || (side && site->kind == CFZ_SITE_SWITCH))
            continue;
        /* First the windows that hold the operand now. */
        for (int pass = 0; pass < 2; pass++)
            for (unsigned k = 0; k < n; k++) {
                unsigned used = 0;

                for (uint32_t f = 0; f < t->nat && used < COPY_POSITIONS; f++) {
                    if (!(t->at[f].sides & 1U << side))
                        continue;
                    used++;
                    for (size_t w = 0; w < 4; w++)
                        for (int big = 0; big < (widths[w] > 1 ? 2 : 1); big++) {
                            uint32_t p = t->at[f].p, len = widths[w];
                            enum cfz_trial r;

                            if (len > 1 && 8 * len > (site->width + 7U) / 8 * 8)
                                continue;
                            if (!cfz_image_fits(b, p, len) || !holds_value(site, values[k], len) ||
                                shows(b, p, len, big, site, side ? t->b : t->a) == (pass == 1))
                                continue;
                            r = copy_at(v, p, len, big, side, values[k]);
                            if (cfz_trial_ends(r))
                                return r;
                        }
                }
            }
    }
    return CFZ_TRIAL_REACHED;
}

/* ---- whole arguments ------------------------------------------------------------------ */

/* The operand as an argument of another type, or false if that makes no difference to copy. */
static bool converted(const struct cfz_site *site, uint64_t v, enum cfz_kind kind, uint64_t *bits)
{
    struct cfz_value x = {.kind = kind};
    double d;

    if (site->kind == CFZ_SITE_FLOAT) {
        d = cfz_number_float(site, v);
        if (cfz_kind_is_float(kind)) {
            cfz_value_set_float(&x, d);
            *bits = x.bits;
            return true;
        }
        if (!(d > -9.2e18 && d < 9.2e18))
            return false;
        *bits = (uint64_t)(int64_t)d;
        return true;
    }
    if (!cfz_kind_is_float(kind))
        return false;
    d = site->flags & CFZ_SITE_SIGNED ? (double)(int64_t)v : (double)v;
    cfz_value_set_float(&x, d);
    *bits = x.bits;
    return true;
}

static enum cfz_trial whole(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;

    v->recipe.set = CFZ_RECIPE_NONE;
    for (unsigned side = 0; side < 2; side++) {
        uint64_t values[CFZ_GOAL_VALUES], bits;
        unsigned n = cfz_goal_values(&t->g, side, side ? t->a : t->b, values);

        if (!(t->sides & 1U << side) || (side && t->g.site->kind == CFZ_SITE_SWITCH))
            continue;
        for (uint32_t f = 0; f < t->nat; f++) {
            uint32_t i = cfz_image_value(b, t->at[f].p), len = b->at[i + 1] - b->at[i];

            if (cfz_image_grows(b, i) || (f > 0 && cfz_image_value(b, t->at[f - 1].p) == i))
                continue;
            for (unsigned k = 0; k < n; k++)
                for (int near = -1; near <= 1; near++) {
                    enum cfz_trial r;

                    if (!converted(t->g.site, values[k], b->like[i].kind, &bits))
                        continue;
                    from_base(v);
                    cfz_image_put(&im, b->at[i], len, false, bits + (uint64_t)(int64_t)near);
                    v->step = "whole argument";
                    r = cfz_trial(v, &im);
                    if (cfz_trial_ends(r))
                        return r;
                }
        }
    }
    return CFZ_TRIAL_REACHED;
}

/* ---- text ------------------------------------------------------------------------------ */

static bool is_word(uint8_t c)
{
    return cfz_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
}

/* The ways to write a value; returns how many. */
static unsigned writings(const struct cfz_site *site, uint64_t value, char text[5][CFZ_NUMBER_TEXT])
{
    unsigned n = 1;
    uint64_t v = value & cfz_site_mask(site);

    cfz_number_text(site, value, text[0]);
    if (site->kind == CFZ_SITE_FLOAT)
        return n;
    if (text[0][0] == '-')
        snprintf(text[n++], CFZ_NUMBER_TEXT, "%llu", (unsigned long long)v);
    snprintf(text[n++], CFZ_NUMBER_TEXT, "%llx", (unsigned long long)v);
    snprintf(text[n++], CFZ_NUMBER_TEXT, "0x%llx", (unsigned long long)v);
    snprintf(text[n++], CFZ_NUMBER_TEXT, "%llo", (unsigned long long)v);
    return n;
}

/* Rewrites the run of digits, the word and the rest around position p. */
static enum cfz_trial rewrite(struct cfz_solver *v, uint32_t p, unsigned side, uint64_t value)
{
    const struct cfz_image *b = &v->base->im;
    uint32_t i = cfz_image_value(b, p), from = b->at[i], end = b->at[i + 1];
    uint32_t s = p, e = p, ds = p, de = p;
    char text[5][CFZ_NUMBER_TEXT];
    unsigned n = writings(v->task->g.site, value, text);

    while (s > from && is_word(b->bytes[s - 1]) && p - s < TEXT_REACH)
        s--;
    while (e < end && is_word(b->bytes[e]) && e - p < TEXT_REACH)
        e++;
    while (ds > from && cfz_is_digit(b->bytes[ds - 1]))
        ds--;
    while (de < end && cfz_is_digit(b->bytes[de]))
        de++;
    for (unsigned k = 0; k < n; k++) {
        uint32_t len = (uint32_t)strlen(text[k]);
        const struct {
            uint32_t at, del;
        } places[] = {
            {ds, de - ds}, {p, de - p}, {s, e - s}, {ds, len < end - ds ? len : end - ds},
            {p, end - p},  {p, 0},
        };

        for (size_t m = 0; m < sizeof places / sizeof places[0]; m++) {
            enum cfz_trial r;
            uint32_t at = places[m].at;

            from_base(v);
            if (!cfz_image_splice(&im, i, at, places[m].del, (const uint8_t *)text[k], len))
                continue;
            v->step = "text";
            v->recipe = (struct cfz_recipe){.set = v->task->g.site->kind == CFZ_SITE_INT &&
                                                           k == 0 && at > from
                                                       ? CFZ_RECIPE_TEXT
                                                       : CFZ_RECIPE_NONE,
                                            .side = (uint8_t)side,
                                            .mark = at > from ? im.bytes[at - 1] : 0,
                                            .value = (uint8_t)i,
                                            .at = at - from};
            r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
            if (r == CFZ_TRIAL_LOST && de > ds)
                cfz_note_lost(v, &im, at, at + len, CFZ_WRITTEN_NUMERAL);
        }
    }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial text(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    unsigned runs = 0;

    for (unsigned side = 0; side < 2; side++) {
        uint64_t values[CFZ_GOAL_VALUES];
        unsigned n = cfz_goal_values(&t->g, side, side ? t->a : t->b, values);
        uint32_t done = 0;

        if (!(t->sides & 1U << side) || (side && t->g.site->kind == CFZ_SITE_SWITCH))
            continue;
        for (uint32_t f = 0; f < t->nat && runs < TEXT_RUNS; f++) {
            uint32_t p = t->at[f].p, i = cfz_image_value(b, p);

            if (!(t->at[f].sides & 1U << side) || p < done || !cfz_image_grows(b, i))
                continue;
            for (done = p + 1; done < b->at[i + 1] && cfz_is_digit(b->bytes[done - 1]);)
                done++;
            runs++;
            for (unsigned k = 0; k < n; k++) {
                enum cfz_trial r = rewrite(v, p, side, values[k]);

                if (cfz_trial_ends(r))
                    return r;
            }
        }
    }
    v->recipe.set = CFZ_RECIPE_NONE;
    return CFZ_TRIAL_REACHED;
}

/* Puts a value as a number between any two bytes of text that are no digits. */
static enum cfz_trial insert_text(struct cfz_solver *v, uint64_t value, unsigned *places)
{
    const struct cfz_image *b = &v->base->im;
    char shown[CFZ_NUMBER_TEXT];

    cfz_number_text(v->task->g.site, value, shown);
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t from = b->at[i], end = b->at[i + 1], p = from; p <= end; p++) {
            enum cfz_trial r;

            if (!cfz_image_grows(b, i) || !cfz_is_amid_text(b, i, p, p) ||
                (p > from && cfz_is_digit(b->bytes[p - 1])) ||
                (p < end && cfz_is_digit(b->bytes[p])))
                continue;
            if ((*places)++ == TEXT_INSERTIONS)
                return CFZ_TRIAL_REACHED;
            from_base(v);
            if (!cfz_image_splice(&im, i, p, 0, (const uint8_t *)shown, (uint32_t)strlen(shown)))
                continue;
            v->step = "number inserted";
            r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
        }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_inserted(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    unsigned places = 0;

    v->recipe.set = CFZ_RECIPE_NONE;
    for (unsigned side = 0; side < (t->g.site->kind == CFZ_SITE_SWITCH ? 1 : 2); side++) {
        uint64_t values[CFZ_GOAL_VALUES];
        enum cfz_trial r;

        if (cfz_is_program(t->g.site, (uint8_t)side) || (t->sides & 1U << side) ||
            cfz_goal_values(&t->g, side, side ? t->a : t->b, values) == 0)
            continue;
        r = insert_text(v, values[0], &places);
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

/* ---- length --------------------------------------------------------------------------- */

/* Changes the length of a value at p by k bytes, as the probe did. */
static bool stretch(const struct cfz_solver *v, const struct cfz_length *l, uint32_t k)
{
    static uint8_t fill[CFZ_IMAGE_MAX];
    const struct cfz_image *b = &v->base->im;
    uint32_t from = b->at[l->i], end = b->at[l->i + 1];

    from_base(v);
    if (l->way == CFZ_DELETE)
        return k <= end - l->p && cfz_image_splice(&im, l->i, l->p, k, fill, 0);
    if (l->way == CFZ_TRUNCATE)
        return k <= end - from && cfz_image_splice(&im, l->i, end - k, k, fill, 0);
    if (k > CFZ_IMAGE_MAX)
        return false;
    memset(fill, l->p < end ? b->bytes[l->p] : end > from ? b->bytes[end - 1] : 'A', k);
    return cfz_image_splice(&im, l->i, l->p, 0, fill, k);
}

/* Tries that change. */
static enum cfz_trial stretch_once(struct cfz_solver *v, const struct cfz_length *l, uint32_t k)
{
    enum cfz_trial r;

    if (!stretch(v, l, k))
        return CFZ_TRIAL_REACHED;
    v->step = "length";
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_LOST && l->is_guess)
        cfz_note_lost(v, &im, im.at[l->i], im.at[l->i], CFZ_WRITTEN_LENGTH);
    return r;
}

static uint32_t whole_units(uint32_t k, uint32_t unit)
{
    return (k + unit - 1) / unit * unit;
}

/* Tries k bytes and the next more that are whole units of so many: a length may have to be one. */
static enum cfz_trial stretch_by_units(struct cfz_solver *v, const struct cfz_length *l, uint32_t k)
{
    static const uint32_t units[] = {1, 2, 8, 16};
    const uint32_t words = whole_units(k, 4); /* the usual one comes first */
    enum cfz_trial r = stretch_once(v, l, words);

    for (uint32_t i = 0; i < sizeof units / sizeof units[0] && !cfz_trial_ends(r); i++) {
        uint32_t n = whole_units(k, units[i]);

        if (n != words && (units[i] == 1 || n != k))
            r = stretch_once(v, l, n);
    }
    return r;
}

static enum cfz_trial length(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const int64_t difference = cfz_difference(t, t->a, t->b);

    /* No length makes up for this much, and INT64_MIN / -1 would end the process. */
    if (difference <= INT64_MIN + 1 || difference == INT64_MAX)
        return CFZ_TRIAL_REACHED;
    for (uint32_t i = 0; i < t->nlengths; i++)
        for (int64_t target = -1; target <= 1; target++) {
            const struct cfz_length *l = &t->lengths[i];
            int64_t need = target - difference, k = need / l->effect;
            enum cfz_relation becomes = target < 0   ? CFZ_REL_LESS
                                        : target > 0 ? CFZ_REL_GREATER
                                                     : CFZ_REL_EQUAL;
            enum cfz_trial r;

            if (!(becomes & t->g.want) || k < 0 || k > CFZ_IMAGE_MAX)
                continue;
            if (k * l->effect != need) {
                if (becomes == CFZ_REL_EQUAL)
                    continue;
                k++;
            }
            if (k == 0)
                continue;
            r = l->is_guess && becomes != CFZ_REL_EQUAL ? stretch_by_units(v, l, (uint32_t)k)
                                                        : stretch_once(v, l, (uint32_t)k);
            if (cfz_trial_ends(r))
                return r;
        }
    return CFZ_TRIAL_REACHED;
}

/* Where nothing moves the comparison: more and more bytes at the end of each value. */
static enum cfz_trial grow(struct cfz_solver *v)
{
    const struct cfz_image *b = &v->base->im;

    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = 1; k < CFZ_IMAGE_MAX; k *= 2) {
            const struct cfz_length l = {CFZ_APPEND, i, b->at[i + 1], 1, false};
            enum cfz_trial r;

            if (!stretch(v, &l, k))
                break;
            v->step = "growth";
            r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
        }
    return CFZ_TRIAL_REACHED;
}

/* ---- linear ----------------------------------------------------------------------------- */

enum { BITS_MAX = 512 };

/* What the flip of one bit does to a - b, and to a ^ b. */
struct bit {
    uint32_t p;
    uint8_t bit;
    bool used;
    uint64_t sum, parity;
};

static struct bit bits[BITS_MAX];
static uint32_t nbits;

/* Finds the bits of from, whose operands are sum and parity apart. */
static enum cfz_trial probe_bits(struct cfz_solver *v, const struct cfz_image *from, uint64_t sum,
                                 uint64_t parity)
{
    const struct cfz_task *t = v->task;
    uint64_t mask = cfz_site_mask(t->g.site);

    nbits = 0;
    cfz_image_copy(&im, from);
    for (uint32_t f = 0; f < t->nat; f++)
        for (unsigned k = 0; k < 8 && nbits < BITS_MAX; k++) {
            uint32_t p = t->at[f].p;
            enum cfz_trial r;
            uint64_t b;

            im.bytes[p] ^= (uint8_t)(1U << k);
            v->step = "bit";
            r = cfz_trial(v, &im);
            im.bytes[p] ^= (uint8_t)(1U << k);
            if (cfz_trial_ends(r))
                return r;
            if (r != CFZ_TRIAL_REACHED)
                continue;
            b = cfz_task_b(t, v->event);
            if (((v->event->a - b) & mask) == sum)
                continue;
            bits[nbits++] = (struct bit){p, (uint8_t)k, false, (v->event->a - b - sum) & mask,
                                         ((v->event->a ^ b) ^ parity) & mask};
        }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial try_bits(struct cfz_solver *v, const struct cfz_image *from, const char *step)
{
    cfz_image_copy(&im, from);
    for (uint32_t i = 0; i < nbits; i++)
        if (bits[i].used)
            im.bytes[bits[i].p] ^= (uint8_t)(1U << bits[i].bit);
    v->step = step;
    return cfz_trial(v, &im);
}

/* The effect of the bit k of the byte at p, or NULL. */
static const struct bit *bit_at(uint32_t p, unsigned k)
{
    for (uint32_t i = 0; i < nbits; i++)
        if (bits[i].p == p && bits[i].bit == k)
            return &bits[i];
    return NULL;
}

/* Whether the n bytes at p go into a ^ b, or a - b, as a number does. */
static bool is_field(const struct cfz_solver *v, uint32_t p, uint32_t n, bool big,
                     enum cfz_recipe_kind kind, bool against)
{
    uint64_t mask = cfz_site_mask(v->task->g.site);

    for (uint32_t k = 0; k < 8 * n; k++) {
        uint32_t at = p + (big ? n - 1 - k / 8 : k / 8);
        const struct bit *b = bit_at(at, k % 8);
        uint64_t one = (uint64_t)1 << k;
        bool was_set = v->base->im.bytes[at] >> k % 8 & 1;

        if (!b ||
            (kind == CFZ_RECIPE_XOR ? b->parity != (one & mask)
                                    : b->sum != ((was_set != against ? 0 - one : one) & mask)))
            return false;
    }
    return true;
}

/* A field among the bits, by which the site can be kept equal. */
static void find_field(struct cfz_solver *v)
{
    static const uint32_t widths[] = {8, 4, 2, 1};
    const struct cfz_image *b = &v->base->im;

    for (size_t w = 0; w < 4; w++)
        for (uint32_t i = 0; i < nbits; i++)
            for (int way = 0; way < 6; way++) {
                uint32_t p = bits[i].p, n = widths[w];
                bool big = way & 1;
                enum cfz_recipe_kind kind = way < 2 ? CFZ_RECIPE_XOR : CFZ_RECIPE_SUM;

                if (8 * n > v->task->g.site->width || (i > 0 && bits[i - 1].p == p) ||
                    !cfz_image_fits(b, p, n) || !is_field(v, p, n, big, kind, way >= 4))
                    continue;
                v->recipe = (struct cfz_recipe){
                    .set = (uint8_t)kind, .width = (uint8_t)n, .big_endian = big, .side = way >= 4};
                cfz_recipe_place(&v->recipe, b, p);
                return;
            }
}

/* Elimination over GF(2): bits whose parities add up to a ^ b. Marks them; false if there are none.
 */
static bool eliminate(uint64_t want)
{
    enum { WORDS = BITS_MAX / 64 };
    static uint64_t rows[64], sets[64][WORDS];
    bool has[64] = {false};
    uint64_t set[WORDS];

    for (uint32_t i = 0; i <= nbits; i++) {
        uint64_t row = i < nbits ? bits[i].parity : want;

        memset(set, 0, sizeof set);
        if (i < nbits)
            set[i / 64] |= (uint64_t)1 << i % 64;
        while (row != 0) {
            int k = 63 - __builtin_clzll(row);

            if (!has[k])
                break;
            row ^= rows[k];
            for (int w = 0; w < WORDS; w++)
                set[w] ^= sets[k][w];
        }
        if (i == nbits) {
            for (uint32_t k = 0; k < nbits; k++)
                bits[k].used = set[k / 64] >> k % 64 & 1;
            return row == 0 && want != 0;
        }
        if (row != 0) {
            int k = 63 - __builtin_clzll(row);

            has[k] = true;
            rows[k] = row;
            memcpy(sets[k], set, sizeof set);
        }
    }
    return false;
}

/* Bits whose effects add up to need, each taken by the lowest bit that is still missing. */
static bool add_up(uint64_t need, unsigned width)
{
    uint64_t mask = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;

    for (uint32_t i = 0; i < nbits; i++)
        bits[i].used = false;
    for (unsigned k = 0; k < width && (need & mask) != 0; k++) {
        uint32_t i = 0;

        if (!(need >> k & 1))
            continue;
        while (i < nbits &&
               (bits[i].used || bits[i].sum == 0 || (unsigned)__builtin_ctzll(bits[i].sum) != k))
            i++;
        if (i == nbits)
            return false;
        bits[i].used = true;
        need -= bits[i].sum;
    }
    return (need & mask) == 0;
}

/* Takes the bits outside of the field that was found away, for a time. Returns whether there is
 * one. */
static bool keep_field(const struct cfz_solver *v)
{
    const struct cfz_recipe *f = &v->recipe;
    const struct cfz_image *b = &v->base->im;
    uint32_t n = 0;

    if (f->set == CFZ_RECIPE_NONE)
        return false;
    for (uint32_t i = 0; i < nbits; i++) {
        uint32_t at = b->at[f->value] + f->at;

        if (bits[i].p >= at && bits[i].p < at + f->width) {
            struct bit other = bits[n];

            bits[n++] = bits[i];
            bits[i] = other;
        }
    }
    nbits = n;
    return n > 0;
}

/* Bits that make the operands equal, or as is wanted. */
static enum cfz_trial try_linear(struct cfz_solver *v, uint64_t sum, uint64_t parity)
{
    const struct cfz_task *t = v->task;
    uint64_t mask = cfz_site_mask(t->g.site);

    if ((t->g.want & CFZ_REL_EQUAL) && eliminate(parity)) {
        enum cfz_trial r = try_bits(v, &v->base->im, "bits by parity");

        if (cfz_trial_ends(r))
            return r;
    }
    for (int target = -1; target <= 1; target++) {
        enum cfz_relation becomes = target < 0   ? CFZ_REL_LESS
                                    : target > 0 ? CFZ_REL_GREATER
                                                 : CFZ_REL_EQUAL;
        enum cfz_trial r;

        if (!(becomes & t->g.want) ||
            !add_up(((uint64_t)(int64_t)target - sum) & mask, t->g.site->width))
            continue;
        r = try_bits(v, &v->base->im, "bits by sum");
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial linear(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    uint64_t mask = cfz_site_mask(t->g.site);
    uint64_t sum = (t->a - t->b) & mask, parity = (t->a ^ t->b) & mask;
    uint32_t all;
    enum cfz_trial r;

    if (t->g.site->kind == CFZ_SITE_FLOAT || t->g.site->width < 8)
        return CFZ_TRIAL_REACHED;
    v->recipe.set = CFZ_RECIPE_NONE;
    r = probe_bits(v, &v->base->im, sum, parity);
    if (cfz_trial_ends(r))
        return r;
    find_field(v);
    /* Other bits of a checksum's data are what comparisons before it have asked for. */
    all = nbits;
    if (keep_field(v)) {
        r = try_linear(v, sum, parity);
        if (cfz_trial_ends(r))
            return r;
    }
    nbits = all;
    return try_linear(v, sum, parity);
}

/*
 * What has carries is linear only nearly: bits by parity have one bit more right each time that
 * they are taken anew from where they led, as each bit of a sum or of a product with an odd number
 * depends on those below it alone. Rotation, and other mixing that is linear in bits, may come
 * before and behind.
 */
static enum cfz_trial carry(struct cfz_solver *v)
{
    enum { POSITIONS = 8 };
    static struct cfz_image from;
    const struct cfz_task *t = v->task;
    const uint64_t mask = cfz_site_mask(t->g.site);
    uint64_t a = t->a, b = t->b;

    if (t->g.site->kind == CFZ_SITE_FLOAT || t->g.site->width < 16 || t->nat > POSITIONS ||
        !(t->g.want & CFZ_REL_EQUAL))
        return CFZ_TRIAL_REACHED;
    v->recipe.set = CFZ_RECIPE_NONE;
    cfz_image_copy(&from, &v->base->im);
    for (unsigned k = 0; k < t->g.site->width; k++) {
        enum cfz_trial r = probe_bits(v, &from, (a - b) & mask, (a ^ b) & mask);

        if (cfz_trial_ends(r))
            return r;
        if (!eliminate((a ^ b) & mask))
            return CFZ_TRIAL_REACHED;
        r = try_bits(v, &from, "bits with carries");
        if (r != CFZ_TRIAL_REACHED)
            return r;
        a = v->event->a;
        b = cfz_task_b(t, v->event);
        cfz_image_copy(&from, &im);
    }
    return CFZ_TRIAL_REACHED;
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

static enum cfz_trial bisect(struct cfz_solver *v)
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

static enum cfz_trial descend(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    bool in_bits =
        t->g.want == CFZ_REL_EQUAL && t->g.site->kind != CFZ_SITE_FLOAT && is_even_attempt(t);

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
static enum cfz_trial digits(struct cfz_solver *v)
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
        uint8_t old = im.bytes[p];

        if (!cfz_is_digit(old) || !cfz_image_grows(&im, cfz_image_value(&im, p)))
            continue;
        n++;
        for (uint8_t c = '0'; c <= '9'; c++) {
            enum cfz_trial r = CFZ_TRIAL_REACHED;

            im.bytes[p] = c;
            if (c != old)
                r = cfz_trial(v, &im);
            if (cfz_trial_ends(r))
                return r;
        }
        im.bytes[p] = old;
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
static enum cfz_trial pair(struct cfz_solver *v)
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

/* ---- in this order ------------------------------------------------------------------------- */

/* Whether a byte that influences an operand is a digit of a number that the operand is. */
static bool is_in_digits(const struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    char shown[2][CFZ_NUMBER_TEXT];

    if (t->g.site->kind == CFZ_SITE_FLOAT)
        return false;
    cfz_number_text(t->g.site, t->a, shown[0]);
    cfz_number_text(t->g.site, t->b, shown[1]);
    for (uint32_t f = 0; f < t->nat; f++) {
        uint32_t p = t->at[f].p, i = cfz_image_value(b, p), from = p, end = p;

        if (!cfz_image_grows(b, i))
            continue;
        while (from > b->at[i] && cfz_is_digit(b->bytes[from - 1]))
            from--;
        while (end < b->at[i + 1] && cfz_is_digit(b->bytes[end]))
            end++;
        for (int side = 0; side < 2; side++)
            if ((t->at[f].sides & 1 << side) && end - from == strlen(shown[side]) &&
                memcmp(b->bytes + from, shown[side], end - from) == 0)
                return true;
    }
    return false;
}

static enum cfz_trial quick(struct cfz_solver *v)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (v->task->nat > 0) {
        bool digits = is_in_digits(v);

        r = cfz_solve_number_word(v);
        if (!cfz_trial_ends(r))
            r = cfz_solve_numerals(v, true);
        if (digits && !cfz_trial_ends(r))
            r = text(v);
        if (!cfz_trial_ends(r))
            r = copy(v);
        if (!cfz_trial_ends(r))
            r = cfz_solve_code(v);
        if (!cfz_trial_ends(r))
            r = whole(v);
        if (!digits && !cfz_trial_ends(r))
            r = text(v);
    }
    if (!cfz_trial_ends(r))
        r = length(v);
    return r;
}

/*
 * Where several arguments influence the comparison, each of them as a small number: what is left
 * for the others may be simpler than from where the entry stands. A product of which one factor is
 * 2, say.
 */
static enum cfz_trial from_small(struct cfz_solver *v)
{
    static const uint8_t small[] = {2, 3, 1, 5, 7};
    static struct cfz_image start, with;
    uint64_t numbers = 0;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    cfz_image_copy(&start, &v->base->im);
    for (uint32_t k = 0; k < v->task->nat; k++) {
        uint32_t i = cfz_image_value(&start, v->task->at[k].p);

        if (!cfz_image_grows(&start, i))
            numbers |= (uint64_t)1 << i;
    }
    if ((numbers & (numbers - 1)) == 0 || v->task->g.site->kind == CFZ_SITE_FLOAT)
        return r;
    v->step = "small";
    for (uint32_t k = 0; k < sizeof small; k++)
        for (uint32_t i = 0; i < start.n; i++) {
            if (!(numbers >> i & 1) || start.at[i + 1] - start.at[i] < 2)
                continue;
            cfz_image_copy(&with, &start);
            cfz_image_put(&with, with.at[i], with.at[i + 1] - with.at[i], false, small[k]);
            r = cfz_reprobe(v, &with);
            if (cfz_trial_ends(r))
                return r;
            if (r != CFZ_TRIAL_REACHED)
                continue;
            r = linear(v);
            if (cfz_trial_ends(r))
                return r;
        }
    return r;
}

enum cfz_trial cfz_solve_number(struct cfz_solver *v)
{
    enum cfz_trial r = quick(v);

    if (cfz_trial_ends(r))
        return r;
    if (v->task->nat == 0)
        return v->task->nlengths == 0 ? grow(v) : r;
    r = v->repairs ? digits(v) : r;
    if (!cfz_trial_ends(r))
        r = cfz_solve_real(v);
    if (!cfz_trial_ends(r))
        r = linear(v);
    if (!cfz_trial_ends(r))
        r = cfz_solve_numerals(v, false);
    if (!cfz_trial_ends(r))
        r = bisect(v);
    if (!cfz_trial_ends(r) && is_even_attempt(v->task))
        r = carry(v);
    if (!cfz_trial_ends(r))
        r = descend(v);
    if (r != CFZ_TRIAL_MET && !v->s->over)
        r = pair(v);
    if (r == CFZ_TRIAL_MET || v->s->over || v->best == UINT64_MAX)
        return r;
    if (v->limit < v->s->cost + COST_FROM_BEST)
        v->limit = v->s->cost + COST_FROM_BEST;
    /* Once more from the best input: what is left may be a length, or a field. */
    cfz_image_copy(&at_best, &v->best_im);
    r = cfz_reprobe(v, &at_best);
    if (r != CFZ_TRIAL_REACHED)
        return r;
    r = quick(v);
    if (!cfz_trial_ends(r) && v->task->nat > 0)
        r = linear(v);
    if (!cfz_trial_ends(r) && v->task->nat > 0)
        r = from_small(v);
    return r;
}
