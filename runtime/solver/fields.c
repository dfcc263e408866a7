/*
 * fields.c - where the field of an input may be that a comparison, which was equal before the input
 * was changed, needs to be written anew.
 *
 * One operand was reckoned from what was changed, a checksum or a count, and the other one was not:
 * that one stands in the input as it is, as a number in bytes or digits, or as memory. Or both are
 * in one operand, so that their sum is compared with a constant, or a field counts with something
 * added to it: then what is missing is added to a field. Or the field was changed itself: then it
 * is the length of a part, which becomes as long, or nothing is to be mended. Places near the
 * change come first, those behind it before those in front.
 */
#include <string.h>

#include "core/digits.h"
#include "core/field.h"
#include "solver/solving.h"

enum {
    PLACES = 6,     /* of one form */
    SUM_PLACES = 8, /* where something is added */
};

struct finder {
    const struct cfz_compared *c;
    const struct cfz_image *im, *base;
    uint32_t change; /* the first byte that differs */
    struct cfz_recipe *to;
    uint32_t n;
};

/* Whether bytes [p, p + n) of im differ from those of base, if both are as long. */
static bool differ(const struct cfz_image *im, const struct cfz_image *base, uint32_t p, uint32_t n)
{
    const uint32_t size = cfz_image_size(im);

    return size == cfz_image_size(base) && p <= size && n <= size - p &&
           memcmp(im->bytes + p, base->bytes + p, n) != 0;
}

bool cfz_field_is_changed(const struct cfz_recipe *r, const struct cfz_image *im,
                          const struct cfz_image *base)
{
    return r->value < im->n && differ(im, base, im->at[r->value] + r->at, r->width);
}

/* Place number k: those behind the change first. */
static uint32_t place(const struct finder *f, uint32_t k)
{
    const uint32_t size = cfz_image_size(f->im);

    return k + f->change < size ? k + f->change : size - 1 - k;
}

/* Adds a field of n bytes at p, as far as nothing there was changed. */
static void add(struct finder *f, struct cfz_recipe r, uint32_t p, uint32_t n)
{
    if (f->n == CFZ_FIELD_TRIES || differ(f->im, f->base, p, n))
        return;
    r.reckoned = true;
    cfz_recipe_place(&r, f->im, p);
    f->to[f->n++] = r;
}

/* The places that show text; digits in letters of either case. */
static void add_places(struct finder *f, struct cfz_recipe r, const uint8_t *text, uint32_t n)
{
    const uint32_t size = cfz_image_size(f->im);
    unsigned found = 0;

    for (uint32_t k = 0; k < size && found < PLACES; k++) {
        uint32_t p = place(f, k);
        bool same = n > 0 && n <= size - p && cfz_image_fits(f->im, p, n);

        for (uint32_t i = 0; same && i < n; i++)
            same = f->im->bytes[p + i] == text[i] ||
                   (r.radix && cfz_digit(f->im->bytes[p + i]) == cfz_digit(text[i]));
        if (!same)
            continue;
        found++;
        add(f, r, p, n);
    }
}

/* ---- copies of an operand ---------------------------------------------------------------- */

static uint64_t operand(const struct cfz_event *e, uint8_t side)
{
    return (side ? e->b : e->a) & cfz_site_mask(e->site);
}

/* In so many bytes, if it has room there, and what is wanted has. */
static void add_copies(struct finder *f, uint32_t width)
{
    const struct cfz_event *e = &f->c->e;
    const unsigned bits = 8 * width;

    if (width > (e->site->width + 7U) / 8 ||
        (bits < 64 && (operand(e, 0) | operand(e, 1)) >> bits != 0))
        return;
    for (uint8_t side = 0; side < 2; side++)
        for (uint8_t big = 0; big < (width > 1 ? 2 : 1); big++) {
            uint8_t shown[sizeof(uint64_t)];

            cfz_field_put(shown, width, big, operand(e, side));
            add_places(f,
                       (struct cfz_recipe){.set = CFZ_RECIPE_COPY,
                                           .width = (uint8_t)width,
                                           .side = side,
                                           .big_endian = big},
                       shown, width);
        }
}

/* In digits, with zeros before them first. is_single: as one digit, else as two and more. */
static void add_digits(struct finder *f, uint8_t side, uint8_t radix, bool is_single)
{
    static const uint8_t widths[] = {8, 7, 6, 4, 2}; /* of fields with zeros */
    const uint64_t v = operand(&f->c->e, side);
    const uint32_t n = cfz_digits_count(v, radix);
    struct cfz_recipe r = {.set = CFZ_RECIPE_COPY, .side = side, .radix = radix};
    uint8_t text[sizeof v];

    for (size_t i = 0; i <= sizeof widths; i++) {
        r.width = i < sizeof widths ? widths[i] : (uint8_t)n;
        if (r.width > sizeof text || (i < sizeof widths && r.width <= n) ||
            (r.width == 1) != is_single)
            continue;
        cfz_digits_put(text, r.width, radix, false, v);
        add_places(f, r, text, r.width);
    }
}

/* The same in each radix. */
static void add_all_digits(struct finder *f, bool is_single)
{
    for (uint8_t side = 0; side < 2; side++) {
        add_digits(f, side, 16, is_single);
        if (operand(&f->c->e, side) >= 8)
            add_digits(f, side, 8, is_single);
        if (operand(&f->c->e, side) >= 10)
            add_digits(f, side, 10, is_single);
    }
}

static void add_memory(struct finder *f)
{
    const struct cfz_event *e = &f->c->e;

    for (uint8_t side = 0; side < 2; side++)
        if (!cfz_is_program(e->site, side))
            add_places(f, (struct cfz_recipe){.set = CFZ_RECIPE_BYTES, .side = side},
                       side ? f->c->b : f->c->a, side ? e->b_len : e->a_len);
}

/* Whether so many bytes of an operand stand where something was changed. */
static bool is_changed_text(const struct finder *f, const uint8_t *text, uint32_t n)
{
    const uint32_t size = cfz_image_size(f->im);

    for (uint32_t p = f->change < n ? 0 : f->change - n + 1; p <= f->change; p++)
        if (n <= size - p && memcmp(f->im->bytes + p, text, n) == 0 && differ(f->im, f->base, p, n))
            return true;
    return false;
}

/* Whether it was the operand itself that was changed, and nothing that it is reckoned from. */
static bool is_itself(const struct finder *f, uint8_t side)
{
    const struct cfz_event *e = &f->c->e;

    if (cfz_is_program(e->site, side))
        return false;
    if (cfz_site_is_text(e->site)) {
        uint32_t n = side ? e->b_len : e->a_len;

        return n > 0 && is_changed_text(f, side ? f->c->b : f->c->a, n);
    }
    for (uint32_t width = 8; width > 0; width /= 2)
        for (int big = 0; big < 2; big++) {
            uint8_t shown[sizeof(uint64_t)];

            cfz_field_put(shown, width, big, operand(e, side));
            if ((width == 8 || operand(e, side) >> 8 * width == 0) &&
                is_changed_text(f, shown, width))
                return true;
        }
    return false;
}

/* ---- what is missing ---------------------------------------------------------------------- */

/* How many bytes, a power of two, have room for v. */
static uint32_t bytes_for(uint64_t v)
{
    return v >> 32 ? 8 : v >> 16 ? 4 : v >> 8 ? 2 : 1;
}

static bool are_digits(const struct cfz_image *im, uint32_t p, uint32_t n, uint8_t radix)
{
    for (uint32_t i = 0; i < n; i++)
        if (cfz_digit(im->bytes[p + i]) >= radix)
            return false;
    return true;
}

/* Whether what stands in a field is the operand as it is, so that the field is no part of a sum. */
static bool is_operand(const struct finder *f, const struct cfz_recipe *r, uint32_t p)
{
    uint64_t v = 0;

    if (!r->radix)
        return cfz_image_get(f->im, p, r->width, r->big_endian) == operand(&f->c->e, r->side);
    for (uint32_t i = 0; i < r->width; i++)
        v = v * r->radix + cfz_digit(f->im->bytes[p + i]);
    return v == operand(&f->c->e, r->side);
}

/* Added to a field that counts in an operand, or xored with it: a number in bytes, or a byte in two
 * digits. */
static void add_sums(struct finder *f, uint8_t side, uint32_t width, uint8_t radix, bool may_xor)
{
    const struct cfz_event *e = &f->c->e;
    const uint64_t mask = cfz_site_mask(e->site), less = (e->a - e->b) & mask,
                   more = (0 - less) & mask;
    const uint32_t size = cfz_image_size(f->im), n = radix ? 2 * width : width;
    const bool xors = may_xor && bytes_for((e->a ^ e->b) & mask) <= width;
    const bool sums = bytes_for(less < more ? less : more) <= width;
    unsigned found = 0;

    for (uint32_t k = 0; k < size && found < SUM_PLACES && (xors || sums); k++) {
        uint32_t p = place(f, k);

        if (n > size - p || !cfz_image_fits(f->im, p, n) || differ(f->im, f->base, p, n) ||
            (radix && !are_digits(f->im, p, n, radix)))
            continue;
        found++;
        for (uint8_t big = 0; big < (width > 1 ? 2 : 1); big++) {
            struct cfz_recipe r = {
                .width = (uint8_t)n, .big_endian = big, .side = side, .radix = radix};

            if (is_operand(f, &r, p))
                continue;
            for (r.set = CFZ_RECIPE_XOR; r.set <= CFZ_RECIPE_SUM; r.set++)
                if (r.set == CFZ_RECIPE_XOR ? xors : sums)
                    add(f, r, p, n);
        }
    }
}

/* The same in bytes of a digit pair and of the two smallest widths that have room for it. */
static void add_all_sums(struct finder *f, uint8_t side, uint32_t most, bool may_xor)
{
    uint32_t before = f->n;

    add_sums(f, side, 1, 16, false);
    for (uint32_t width = 1, tried = 0; width <= most && tried < 2; width *= 2) {
        add_sums(f, side, width, 0, may_xor);
        tried += f->n > before;
        before = f->n;
    }
}

/* Bytes that are repeated, or left out. */
static void add_units(struct finder *f)
{
    static const uint8_t behind[] = {8, 4, 2, 1}; /* the change, after the end of the value */
    const uint32_t i = cfz_image_value(f->im, f->change);
    const uint32_t from = f->im->at[i], end = f->im->at[i + 1];

    for (uint8_t side = 0; side < 2 && cfz_image_grows(f->im, i); side++)
        for (uint8_t width = 1; width <= 2; width++)
            for (size_t k = 0; k <= sizeof behind && f->n < CFZ_FIELD_TRIES; k++) {
                uint32_t p = k > 0 ? f->change + behind[k - 1] : end;

                if (p <= end)
                    f->to[f->n++] = (struct cfz_recipe){.set = CFZ_RECIPE_UNITS,
                                                        .width = width,
                                                        .side = side,
                                                        .value = (uint8_t)i,
                                                        .at = p - from,
                                                        .from_end = end - p,
                                                        .reckoned = true};
            }
}

uint32_t cfz_field_candidates(const struct cfz_compared *c, const struct cfz_image *im,
                              const struct cfz_image *base, struct cfz_recipe to[CFZ_FIELD_TRIES])
{
    struct finder f = {.c = c, .im = im, .base = base, .to = to};
    const struct cfz_site *site = c->e.site;
    const uint32_t size = cfz_image_size(im), most = (site->width + 7U) / 8;

    while (f.change < size && f.change < cfz_image_size(base) &&
           im->bytes[f.change] == base->bytes[f.change])
        f.change++;
    if (f.change == size)
        f.change = 0; /* it is shorter now */
    if (size == 0)
        return 0;
    if (is_itself(&f, 0) || is_itself(&f, 1)) {
        if (!cfz_has_constant(site) && !cfz_site_is_text(site))
            add_units(&f);
        return f.n;
    }
    if (cfz_site_is_text(site)) {
        add_memory(&f);
        return f.n;
    }
    if (cfz_has_constant(site)) {
        add_all_sums(&f, cfz_is_program(site, 0), most, true);
        return f.n;
    }
    for (uint32_t width = 8; width > 2; width /= 2)
        add_copies(&f, width);
    add_all_digits(&f, false); /* a single byte is the same as many others by chance */
    for (uint32_t width = 1; width <= 2; width++) /* zeros stand before many a byte */
        add_copies(&f, width);
    add_all_digits(&f, true);
    add_units(&f);
    for (uint8_t side = 0; side < 2; side++)
        add_all_sums(&f, side, most < 2 ? most : 2, false);
    return f.n;
}
