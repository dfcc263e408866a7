/*
 * guess.c - where operands that no probe moved come from.
 */
#define _GNU_SOURCE
#include <string.h>

#include "solver/solving.h"

enum {
    GUESSED_BESIDE = 8, /* bytes that move a byte, beside which it is looked for where it stands */
    PLACES = 3,         /* of an operand */
};

/* Whether the byte at p is one of those of which it is known that they move an operand. */
static bool is_known_at(const struct cfz_task *t, uint32_t p)
{
    for (uint32_t k = 0; k < t->nat; k++)
        if (t->at[k].p == p)
            return true;
    return false;
}

/* Whether probes tell that no byte of at[p..p+n) is part of an operand: one was changed, the
 * comparison was reached, and had the same operands. Where each change leaves the path before it
 * nothing is known, and that is where a guess is worth something. */
static bool is_refuted(const struct cfz_task *t, uint32_t p, uint32_t n)
{
    for (uint32_t end = p + n; p < end; p++)
        if (t->unmoved[p / 64] >> p % 64 & 1)
            return true;
    return false;
}

static void guess_at(struct cfz_task *t, const struct cfz_image *im, const uint8_t *what,
                     uint32_t n, uint8_t side)
{
    const uint32_t size = cfz_image_size(im);
    unsigned found = 0;

    for (uint32_t p = size < n ? 0 : size - n + 1; n >= 1 && p-- > 0 && found < PLACES;) {
        if (memcmp(im->bytes + p, what, n) != 0 || !cfz_image_fits(im, p, n) || is_known_at(t, p) ||
            is_refuted(t, p, n) || t->nat == CFZ_INFLUENCES)
            continue;
        t->at[t->nat++] = (struct cfz_influence){p, side, side == 1 ? 0 : -1, side == 2 ? 0 : -1};
        t->sides |= side;
        found++;
    }
}

/* Whether what stands at so few places that it may be guessed, though it is small. */
static bool is_rare(const struct cfz_image *im, const uint8_t *what, uint32_t n)
{
    const uint32_t size = cfz_image_size(im);
    unsigned found = 0;

    for (uint32_t p = 0; p + n <= size && found <= PLACES; p++)
        found += memcmp(im->bytes + p, what, n) == 0 && cfz_image_fits(im, p, n);
    return found <= PLACES;
}

/* Whether argument i is of fixed size, and as a whole the operand v. */
static bool is_argument(const struct cfz_task *t, const struct cfz_image *im, uint32_t i,
                        uint64_t v)
{
    const uint32_t p = im->at[i], n = im->at[i + 1] - p;

    return !cfz_image_grows(im, i) && !is_known_at(t, p) && !is_refuted(t, p, n) &&
           ((cfz_image_get(im, p, n, false) ^ v) & cfz_site_mask(t->g.site)) == 0;
}

/* An argument that is the operand v as a whole; a flag only if it is the only one that is. */
static void guess_argument(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < im->n; i++)
        same += is_argument(t, im, i, v);
    if (v < 2 && same > 1)
        return;
    for (uint32_t i = 0; i < im->n && t->nat < CFZ_INFLUENCES; i++) {
        if (!is_argument(t, im, i, v))
            continue;
        t->at[t->nat++] = (struct cfz_influence){im->at[i], side, -1, -1};
        t->sides |= side;
    }
}

/* Numbers in text that are the operand v. */
static void guess_numeral(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    enum { DIGITS = 18 };
    const uint64_t mask = cfz_site_mask(t->g.site);
    unsigned found = 0;

    for (uint32_t i = im->n; i-- > 0 && found < PLACES;) {
        const uint32_t from = im->at[i];

        if (!cfz_image_grows(im, i))
            continue;
        for (uint32_t end = im->at[i + 1], p; end > from && found < PLACES; end = p) {
            uint64_t value = 0;

            for (p = end; p > from && cfz_is_digit(im->bytes[p - 1]);)
                p--;
            if (p == end) {
                p--;
                continue;
            }
            for (uint32_t k = p; k < end; k++)
                value = 10 * value + im->bytes[k] - '0';
            if (!cfz_is_amid_text(im, i, p, end) || end - p > DIGITS || t->nat == CFZ_INFLUENCES ||
                is_known_at(t, p) || is_refuted(t, p, end - p) ||
                (((value ^ v) & mask) != 0 &&
                 (p == from || im->bytes[p - 1] != '-' || ((-value ^ v) & mask) != 0)))
                continue;
            t->at[t->nat++] = (struct cfz_influence){p, side, -1, -1};
            t->sides |= side;
            found++;
        }
    }
}

/* Values whose size is the operand v: any other size leaves the path, since it stands in a field.
 */
static void guess_length(struct cfz_task *t, const struct cfz_image *im, uint64_t v, uint8_t side)
{
    const int64_t more = side == 1 ? 1 : -1;

    for (uint32_t i = 0; i < im->n && t->nlengths + 2 <= CFZ_LENGTHS; i++) {
        const uint32_t end = im->at[i + 1];

        if (!cfz_image_grows(im, i) || ((end - im->at[i]) ^ v) & cfz_site_mask(t->g.site))
            continue;
        t->lengths[t->nlengths++] = (struct cfz_length){CFZ_TRUNCATE, i, end, -more, true};
        t->lengths[t->nlengths++] = (struct cfz_length){CFZ_APPEND, i, end, more, true};
    }
}

void cfz_guess(struct cfz_task *t, const struct cfz_image *im)
{
    const struct cfz_site *site = t->g.site;
    const uint32_t width = site->width / 8, nprobed = t->nlengths;

    if (!t->lost || t->nat > (width == 1 ? GUESSED_BESIDE : 0) || site->kind == CFZ_SITE_FLOAT)
        return;
    if (cfz_site_is_text(site)) {
        if (t->len_a > 1)
            guess_at(t, im, t->text_a, t->len_a, 1);
        if (t->len_b > 1)
            guess_at(t, im, t->text_b, t->len_b, 2);
        return;
    }
    for (uint8_t side = 1; side <= (site->kind == CFZ_SITE_SWITCH ? 1 : 2); side++) {
        uint64_t v = side == 1 ? t->a : t->b;
        uint8_t little[8], big[8];

        v &= cfz_site_mask(site);
        if (!cfz_is_program(site, side - 1))
            guess_numeral(t, im, v, side);
        if (!cfz_is_program(site, side - 1))
            guess_argument(t, im, v, side);
        if (v < 2)
            continue; /* a flag */
        if (nprobed == 0 && !cfz_is_program(site, side - 1))
            guess_length(t, im, v, side);
        if (v < 0x100 && cfz_is_program(site, side - 1))
            continue; /* at too many places */
        for (uint32_t k = 0; k < width; k++)
            little[k] = big[width - 1 - k] = (uint8_t)(v >> 8 * k);
        if (width == 1 || v >= 0x100 || is_rare(im, little, width))
            guess_at(t, im, little, width, side);
        if (width > 1 && (v >= 0x100 || is_rare(im, big, width)))
            guess_at(t, im, big, width, side);
    }
}
