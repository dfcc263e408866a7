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
 *     escape    the value that is wanted, escaped, amid text (solver_escape.c)
 *     digits    each digit as each other one, where a path is repaired (solver_descend.c)
 *     newton    one number, and floats (solver_real.c)
 *     linear    bits whose effects add up to the difference (solver_linear.c)
 *     numerals  several numbers in text, or arguments, that add up to it (solver_numerals.c)
 *     bisect    a window as a number between two values on either side (solver_descend.c)
 *     carry     linear, again and again from where it led (solver_linear.c)
 *     descend   each influencing byte in turn to its best value (solver_descend.c); then the cheap
 *               ones once more from the best input
 *     pair      all values of two bytes (solver_descend.c)
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
    COST_FROM_BEST = 2000, /* what a descent found is looked at in any case */
};

static struct cfz_image im; /* what a step makes; each takes it up anew */
static struct cfz_image at_best;

static void from_base(const struct cfz_solver *v)
{
    cfz_image_copy(&im, &v->base->im);
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
                              uint64_t value, enum cfz_written by)
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
        cfz_note_lost(v, &im, p, p + n, by);
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
                            r = copy_at(v, p, len, big, side, values[k],
                                        pass == 0 ? CFZ_WRITTEN_OPERAND : CFZ_WRITTEN_BYTES);
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
    static uint8_t fill[CFZ_IMAGE_SHORT];
    const struct cfz_image *b = &v->base->im;
    uint32_t from = b->at[l->i], end = b->at[l->i + 1];

    from_base(v);
    if (l->way == CFZ_DELETE)
        return k <= end - l->p && cfz_image_splice(&im, l->i, l->p, k, fill, 0);
    if (l->way == CFZ_TRUNCATE)
        return k <= end - from && cfz_image_splice(&im, l->i, end - k, k, fill, 0);
    if (k > CFZ_IMAGE_SHORT)
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

            if (!(becomes & t->g.want) || k < 0 || k > CFZ_IMAGE_SHORT)
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
        for (uint32_t k = 1; k < CFZ_IMAGE_SHORT; k *= 2) {
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
            r = cfz_solve_linear(v);
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
    r = cfz_solve_escaped(v);
    if (cfz_trial_ends(r))
        return r;
    r = v->repairs ? cfz_solve_digits(v) : r;
    if (!cfz_trial_ends(r))
        r = cfz_solve_real(v);
    if (!cfz_trial_ends(r))
        r = cfz_solve_linear(v);
    if (!cfz_trial_ends(r))
        r = cfz_solve_numerals(v, false);
    if (!cfz_trial_ends(r))
        r = cfz_solve_bisect(v);
    if (!cfz_trial_ends(r) && cfz_is_even_attempt(v->task))
        r = cfz_solve_carry(v);
    if (!cfz_trial_ends(r))
        r = cfz_solve_descend(v);
    if (r != CFZ_TRIAL_MET && !v->s->over)
        r = cfz_solve_pair(v);
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
        r = cfz_solve_linear(v);
    if (!cfz_trial_ends(r) && v->task->nat > 0)
        r = from_small(v);
    return r;
}
