/*
 * solver_linear.c - steps for numbers whose bits, one by one, do something to the operands that
 * adds up.
 *
 *     linear    bits whose effects add up to the difference
 *     carry     the same again and again from where it led, for sums and products that are mixed up
 */
#define _GNU_SOURCE
#include <string.h>

#include "solver/solving.h"

static struct cfz_image im; /* what a step makes; each takes it up anew */

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

enum cfz_trial cfz_solve_linear(struct cfz_solver *v)
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
enum cfz_trial cfz_solve_carry(struct cfz_solver *v)
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
