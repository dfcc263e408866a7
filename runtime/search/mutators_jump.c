/*
 * mutators_jump.c - the mutations of integers and floats that Go does not have: far away in
 * one step, to where code changes its mind.
 *
 * Steps of 1 to 100 (mutators_num.c) never reach a limit of a type, a size that overflows when it
 * is multiplied, a NaN. docs/decisions/033 says what was chosen, and how often it comes.
 *
 * An integer result is cut to the width of the type, so every bit pattern is one of its values,
 * also the least of a signed type. Nothing here calls libm, which is not linked.
 */
#include <float.h>
#include <math.h>

#include "search/mutators.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

/* ---- integers --------------------------------------------------------------------- */

static bool is_signed(const struct cfz_value *v)
{
    return cfz_kind_is_signed(v->kind);
}

/* The bits of the type whose largest value is limit. */
static unsigned width_of(const struct cfz_value *v, uint64_t limit)
{
    return 64u - (unsigned)__builtin_clzll(limit) + is_signed(v);
}

/* Makes v what the type keeps of x. */
static bool set(struct cfz_value *v, uint64_t limit, uint64_t x)
{
    uint64_t sign = limit + 1; /* of a signed type */

    v->bits = is_signed(v) ? ((x & (limit | sign)) ^ sign) - sign : x & limit;
    return true;
}

/* 2^k; 0 for 64. */
static uint64_t power(uint32_t k)
{
    return k < 64 ? (uint64_t)1 << k : 0;
}

/* x or, of a signed type and half of the time, -x. */
static uint64_t either_sign(struct cfz_rand *r, const struct cfz_value *v, uint64_t x)
{
    return is_signed(v) && cfz_rand_bool(r) ? -x : x;
}

bool cfz_int_step(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint64_t step = power(cfz_rand_below(r, width_of(v, limit)));

    return set(v, limit, cfz_rand_bool(r) ? v->bits - step : v->bits + step);
}

bool cfz_int_bit(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    return set(v, limit, v->bits ^ power(cfz_rand_below(r, width_of(v, limit))));
}

bool cfz_int_negate(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    return set(v, limit, cfz_rand_bool(r) ? ~v->bits : -v->bits);
}

bool cfz_int_limit(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    /* Least and largest value of 8, 16, 32, 64 bits, with a sign; largest without one; beyond. */
    static const uint64_t limits[] = {(uint64_t)INT8_MIN,  INT8_MAX,  UINT8_MAX,  0x100,
                                      (uint64_t)INT16_MIN, INT16_MAX, UINT16_MAX, 0x10000,
                                      (uint64_t)INT32_MIN, INT32_MAX, UINT32_MAX, 0x100000000,
                                      (uint64_t)INT64_MIN, INT64_MAX, UINT64_MAX, 0};
    unsigned width = width_of(v, limit);
    uint32_t widths = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 3 : 4; /* up to its own */

    return set(v, limit, limits[cfz_rand_below(r, 4 * widths)]);
}

bool cfz_int_power(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint64_t x = power(cfz_rand_below(r, width_of(v, limit) + 1));

    x += cfz_rand_below(r, 3);
    return set(v, limit, either_sign(r, v, x - 1));
}

bool cfz_int_notable(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    /* Powers of ten, then the limits of Unicode that are not powers of two. */
    static const uint64_t notable[] = {10,
                                       100,
                                       1000,
                                       10000,
                                       100000,
                                       1000000,
                                       10000000,
                                       100000000,
                                       1000000000,
                                       10000000000,
                                       100000000000,
                                       1000000000000,
                                       10000000000000,
                                       100000000000000,
                                       1000000000000000,
                                       10000000000000000,
                                       100000000000000000,
                                       1000000000000000000,
                                       0xd800,
                                       0xdfff,
                                       0xe000,
                                       0xfeff,
                                       0xfffd,
                                       0xfffe,
                                       0x10ffff,
                                       0x110000};
    uint64_t x = notable[cfz_rand_below(r, COUNT(notable))];

    return x <= limit && set(v, limit, either_sign(r, v, x));
}

bool cfz_int_random(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t width = 1 + cfz_rand_below(r, width_of(v, limit));
    uint64_t x = cfz_rand_u64(r) >> (64 - width);

    return set(v, limit, either_sign(r, v, x));
}

bool cfz_int_shift(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t n = 1 + cfz_rand_below(r, width_of(v, limit) - 1);

    if (v->bits == 0)
        return false;
    if (cfz_rand_bool(r))
        return set(v, limit, is_signed(v) ? (uint64_t)(cfz_value_int(v) >> n) : v->bits >> n);
    return set(v, limit, v->bits << n);
}

bool cfz_int_scale(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t n = 2 + cfz_rand_below(r, 15);

    if (v->bits == 0)
        return false;
    if (cfz_rand_bool(r))
        return set(v, limit, is_signed(v) ? (uint64_t)(cfz_value_int(v) / n) : v->bits / n);
    return set(v, limit, v->bits * n);
}

bool cfz_int_turn(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    unsigned width = width_of(v, limit);

    (void)r;
    if (width == 8)
        return false;
    return set(v, limit, __builtin_bswap64(v->bits) >> (64 - width));
}

bool cfz_int_other(const struct cfz_among *a)
{
    const struct cfz_values *vs = a->vs;
    const struct cfz_value *other;
    uint64_t x;
    size_t at;

    if (vs->n < 2)
        return false;
    at = cfz_rand_below(a->r, (uint32_t)vs->n - 1);
    other = &vs->v[at < a->i ? at : at + 1];
    if (cfz_kind_is_slot(other->kind))
        x = other->len;
    else if (cfz_kind_is_signed(other->kind) || cfz_kind_is_unsigned(other->kind))
        x = other->bits;
    else
        return false;
    x += cfz_rand_below(a->r, 3);
    return set(&vs->v[a->i], a->limit, x - 1);
}

/* ---- floats ----------------------------------------------------------------------- */

static bool is_float32(const struct cfz_value *v)
{
    return cfz_kind_is(v->kind, CFZ_FAMILY_FLOAT, 32);
}

static bool put(struct cfz_value *v, double x)
{
    cfz_value_set_float(v, x);
    return true;
}

static bool put_bits(struct cfz_value *v, uint64_t x)
{
    v->bits = is_float32(v) ? (uint32_t)x : x;
    return true;
}

static unsigned float_width(const struct cfz_value *v)
{
    return is_float32(v) ? 32 : 64;
}

bool cfz_float_negate(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r;
    (void)limit;
    return put_bits(v, v->bits ^ power(float_width(v) - 1)); /* of zeros and NaNs, too */
}

bool cfz_float_special(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    enum { EXACT = 4 };
    /* By their bits, of float32 and float64: a quiet NaN, infinity, the largest and the least
     * denormal. */
    static const uint64_t exact[][2] = {{0x7fc00000, 0x7ff8000000000000},
                                        {0x7f800000, 0x7ff0000000000000},
                                        {0x007fffff, 0x000fffffffffffff},
                                        {1, 1}};
    static const double numbers[] = {0, 1, 0.5, 0x1p24, 0x1p31, 0x1p32, 0x1p53, 0x1p63, 0x1p64};
    /* Values that differ from type to type. */
    const double own[] = {is_float32(v) ? (double)FLT_MAX : DBL_MAX,
                          is_float32(v) ? (double)FLT_MIN : DBL_MIN,
                          is_float32(v) ? (double)FLT_EPSILON : DBL_EPSILON};
    uint32_t at = cfz_rand_below(r, EXACT + COUNT(own) + COUNT(numbers));

    (void)limit;
    if (at < EXACT)
        put_bits(v, exact[at][!is_float32(v)]);
    else if (at < EXACT + COUNT(own))
        put(v, own[at - EXACT]);
    else
        put(v, numbers[at - EXACT - COUNT(own)]);
    return cfz_rand_bool(r) ? cfz_float_negate(r, v, 0) : true;
}

bool cfz_float_bit(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return put_bits(v, v->bits ^ power(cfz_rand_below(r, float_width(v))));
}

bool cfz_float_next(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return put_bits(v, cfz_rand_bool(r) ? v->bits - 1 : v->bits + 1);
}

bool cfz_float_scale2(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct cfz_value two = {.kind = CFZ_KIND_FLOAT64};
    double x = cfz_value_float(v), by;
    uint32_t k;

    (void)limit;
    if (x == 0 || isnan(x) || isinf(x))
        return false;
    k = 1 + cfz_rand_below(r, is_float32(v) ? 126 : 1022);
    two.bits = ((uint64_t)1023 + k) << 52; /* 2^k by the bits of its exponent */
    by = cfz_value_f64(&two);
    return put(v, cfz_rand_bool(r) ? x / by : x * by);
}

bool cfz_float_scale10(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    static const double tens[] = {1e1, 1e2, 1e3, 1e4, 1e6, 1e9, 1e16, 1e19, 1e22, 1e38};
    double x = cfz_value_float(v), by;

    (void)limit;
    if (x == 0 || isnan(x) || isinf(x))
        return false;
    by = tens[cfz_rand_below(r, COUNT(tens))];
    return put(v, cfz_rand_bool(r) ? x / by : x * by);
}

bool cfz_float_whole(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t width = 1 + cfz_rand_below(r, 64);
    double x = (double)(cfz_rand_u64(r) >> (64 - width));

    (void)limit;
    return put(v, cfz_rand_bool(r) ? -x : x);
}

bool cfz_float_random(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return put_bits(v, cfz_rand_u64(r));
}
