/*
 * mutators_num.c - Go's mutations of integers, floats and bools, which are small steps; and the
 * tables, in which ours, which go further, stand behind them (mutators_jump.c).
 *
 * Integers move by 1 to 100 without wrapping. The limit is the largest value of the type that the C
 * parameter has, on every machine. As in Go, these mutations leave the least value of a signed type
 * but never reach it, since its distance from 0 is one more.
 *
 * Floats differ from Go in one point. No sum, product or quotient gets away from a NaN or an
 * infinity, so a NaN is mutated as if it were 0, and an infinity as if it were the largest finite
 * value of its sign.
 */
#include <float.h>
#include <math.h>

#include "search/mutators.h"

enum {
    STEP_MAX = 100,  /* of additions */
    FACTOR_MAX = 10, /* of multiplications and divisions */
};

static bool int_add(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    int64_t n = cfz_value_int(v), max = (int64_t)limit, step = STEP_MAX;

    if (n >= max)
        return false;
    if (n > 0 && max - n < step)
        step = max - n;
    v->bits = (uint64_t)(n + 1 + cfz_rand_below(r, (uint32_t)step));
    return true;
}

static bool int_subtract(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    int64_t n = cfz_value_int(v), max = (int64_t)limit, step = STEP_MAX;

    if (n <= -max)
        return false;
    if (n < 0 && max + n < step)
        step = max + n;
    v->bits = (uint64_t)(n - 1 - cfz_rand_below(r, (uint32_t)step));
    return true;
}

static bool uint_add(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint64_t step = STEP_MAX;

    if (v->bits >= limit)
        return false;
    if (limit - v->bits < step)
        step = limit - v->bits;
    v->bits += 1 + cfz_rand_below(r, (uint32_t)step);
    return true;
}

static bool uint_subtract(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint64_t step = STEP_MAX;

    (void)limit;
    if (v->bits == 0)
        return false;
    if (v->bits < step)
        step = v->bits;
    v->bits -= 1 + cfz_rand_below(r, (uint32_t)step);
    return true;
}

/* The largest finite value of v's type. */
static double float_max(const struct cfz_value *v)
{
    return cfz_kind_is(v->kind, CFZ_FAMILY_FLOAT, 32) ? (double)FLT_MAX : DBL_MAX;
}

/* The value to start from; see the top of this file. */
static double float_get(const struct cfz_value *v)
{
    double x = cfz_value_float(v);

    if (isnan(x))
        return 0;
    if (isinf(x))
        return x > 0 ? float_max(v) : -float_max(v);
    return x;
}

static bool float_set(struct cfz_value *v, double x)
{
    cfz_value_set_float(v, x);
    return true;
}

/* 1 + r(max), or more exactly of max without its fraction. max is at least 0. */
static double float_draw(struct cfz_rand *r, double max)
{
    return 1 + (double)cfz_rand_below(r, (uint32_t)max);
}

static bool float_add(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    double x = float_get(v), max = float_max(v), step = STEP_MAX;

    (void)limit;
    if (x >= max)
        return false;
    if (x > 0 && max - x < step)
        step = max - x;
    return float_set(v, x + float_draw(r, step));
}

static bool float_subtract(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    double x = float_get(v), max = float_max(v), step = STEP_MAX;

    (void)limit;
    if (x <= -max)
        return false;
    if (x < 0 && max + x < step)
        step = max + x;
    return float_set(v, x - float_draw(r, step));
}

static bool float_multiply(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    double x = float_get(v), max = float_max(v), factor = FACTOR_MAX;

    (void)limit;
    if (x == 0 || fabs(x) >= max)
        return false;
    if (max / fabs(x) < factor)
        factor = max / fabs(x);
    return float_set(v, x * float_draw(r, factor));
}

static bool float_divide(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    double x = float_get(v);

    (void)limit;
    if (x == 0)
        return false;
    return float_set(v, x / float_draw(r, FACTOR_MAX));
}

static bool bool_keep(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r;
    (void)v;
    (void)limit;
    return true;
}

static bool bool_flip(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r;
    (void)limit;
    v->bits ^= 1;
    return true;
}

/* Eight of nineteen are small steps. */
#define INT_TABLE(add, subtract)                                                                   \
    {                                                                                              \
        {"add", 0, add, NULL}, {"subtract", 0, subtract, NULL}, {"add", 0, add, NULL},             \
            {"subtract", 0, subtract, NULL}, {"add", 0, add, NULL},                                \
            {"subtract", 0, subtract, NULL}, {"add", 0, add, NULL},                                \
            {"subtract", 0, subtract, NULL}, {"step by a power of 2", 0, cfz_int_step, NULL},      \
            {"bit flip", 0, cfz_int_bit, NULL}, {"negate", 0, cfz_int_negate, NULL},               \
            {"limit of a type", 0, cfz_int_limit, NULL}, {"power of 2", 0, cfz_int_power, NULL},   \
            {"notable value", 0, cfz_int_notable, NULL}, {"random bits", 0, cfz_int_random, NULL}, \
            {"shift", 0, cfz_int_shift, NULL}, {"scale", 0, cfz_int_scale, NULL},                  \
            {"turn bytes", 0, cfz_int_turn, NULL}, {"other value", 0, NULL, cfz_int_other},        \
    }

const struct cfz_mutation cfz_int_mutations[CFZ_INT_MUTATIONS] = INT_TABLE(int_add, int_subtract);

const struct cfz_mutation cfz_uint_mutations[CFZ_UINT_MUTATIONS] =
    INT_TABLE(uint_add, uint_subtract);

/* Half are small steps and small factors. */
const struct cfz_mutation cfz_float_mutations[CFZ_FLOAT_MUTATIONS] = {
    {"add", 0, float_add, NULL},
    {"subtract", 0, float_subtract, NULL},
    {"multiply", 0, float_multiply, NULL},
    {"divide", 0, float_divide, NULL},
    {"add", 0, float_add, NULL},
    {"subtract", 0, float_subtract, NULL},
    {"multiply", 0, float_multiply, NULL},
    {"divide", 0, float_divide, NULL},
    {"negate", 0, cfz_float_negate, NULL},
    {"special value", 0, cfz_float_special, NULL},
    {"bit flip", 0, cfz_float_bit, NULL},
    {"next", 0, cfz_float_next, NULL},
    {"scale by a power of 2", 0, cfz_float_scale2, NULL},
    {"scale by a power of 10", 0, cfz_float_scale10, NULL},
    {"whole number", 0, cfz_float_whole, NULL},
    {"random bits", 0, cfz_float_random, NULL},
};

/* As in Go, half of the choices leave a bool as it is. */
const struct cfz_mutation cfz_bool_mutations[CFZ_BOOL_MUTATIONS] = {
    {"keep", 0, bool_keep, NULL},
    {"flip", 0, bool_flip, NULL},
};
