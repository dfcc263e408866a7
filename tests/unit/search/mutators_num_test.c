/*
 * mutators_num_test.c - each mutation of integers, floats and bools with
 * scripted draws, at the limits of every type.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "search/mutators.h"

enum { DECLINES = -1 }; /* as the count of draws */

static const struct cfz_mutation *find(const struct cfz_mutation *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    fail_msg("no mutation \"%s\"", name);
    return NULL;
}

/* Applies a mutation with one scripted draw; a declined one leaves the value alone. */
static uint64_t apply(const struct cfz_mutation *mutation, enum cfz_kind kind, uint64_t limit,
                      uint64_t bits, uint32_t draw, int draws)
{
    struct cfz_rand_script script = {.draws = &draw, .n = 1};
    struct cfz_value v = {.kind = kind, .bits = bits};
    struct cfz_rand r;

    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_int_equal(mutation->apply(&r, &v, limit), draws != DECLINES);
    assert_int_equal(script.used, draws == DECLINES ? 0 : draws);
    assert_int_equal(script.bools, 0);
    if (draws == DECLINES)
        assert_int_equal(v.bits, bits);
    return v.bits;
}

static void ints(void **state)
{
    static const struct {
        const char *name;
        int64_t max, in;
        uint32_t draw;
        int64_t want;
        int draws;
    } cases[] = {
        {"add", INT8_MAX, 0, 0, 1, 1},
        {"add", INT8_MAX, 0, 99, 100, 1},
        {"add", INT8_MAX, 0, 100, 1, 1}, /* a step is at most 100 */
        {"add", INT8_MAX, 26, 99, 126, 1},
        {"add", INT8_MAX, 27, 99, 127, 1},
        {"add", INT8_MAX, 28, 98, 127, 1}, /* never beyond the limit */
        {"add", INT8_MAX, 28, 99, 29, 1},
        {"add", INT8_MAX, 126, 99, 127, 1},
        {"add", INT8_MAX, 127, 0, 127, DECLINES},
        {"add", INT8_MAX, -1, 0, 0, 1}, /* signs change in both directions */
        {"add", INT8_MAX, INT8_MIN, 0, -127, 1},
        {"subtract", INT8_MAX, 0, 0, -1, 1},
        {"subtract", INT8_MAX, 0, 99, -100, 1},
        {"subtract", INT8_MAX, -28, 98, -127, 1},
        {"subtract", INT8_MAX, -28, 99, -29, 1},
        {"subtract", INT8_MAX, -126, 99, -127, 1},
        {"subtract", INT8_MAX, -127, 0, -127, DECLINES},
        {"subtract", INT8_MAX, INT8_MIN, 0, INT8_MIN, DECLINES},
        {"subtract", INT8_MAX, 127, 99, 27, 1},
        {"add", INT16_MAX, 32766, 50, 32767, 1},
        {"add", INT16_MAX, 32767, 0, 32767, DECLINES},
        {"subtract", INT16_MAX, -32766, 50, -32767, 1},
        {"add", INT32_MAX, INT32_MAX - 1, 50, INT32_MAX, 1},
        {"add", INT32_MAX, INT32_MIN, 4, -2147483643, 1},
        {"subtract", INT32_MAX, INT32_MIN, 0, INT32_MIN, DECLINES},
        {"subtract", INT32_MAX, -2147483646, 50, -2147483647, 1},
        {"add", INT64_MAX, INT64_MAX - 1, 50, INT64_MAX, 1},
        {"add", INT64_MAX, INT64_MAX, 0, INT64_MAX, DECLINES},
        {"add", INT64_MAX, INT64_MIN, 99, INT64_MIN + 100, 1},
        {"subtract", INT64_MAX, INT64_MIN, 0, INT64_MIN, DECLINES},
        {"subtract", INT64_MAX, INT64_MIN + 2, 50, INT64_MIN + 1, 1},
        {"subtract", INT64_MAX, INT64_MIN + 1, 0, INT64_MIN + 1, DECLINES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(find(cfz_int_mutations, CFZ_INT_MUTATIONS, cases[i].name),
                               CFZ_KIND_INT64, (uint64_t)cases[i].max, (uint64_t)cases[i].in,
                               cases[i].draw, cases[i].draws),
                         (uint64_t)cases[i].want);
}

static void uints(void **state)
{
    static const struct {
        const char *name;
        uint64_t max, in;
        uint32_t draw;
        uint64_t want;
        int draws;
    } cases[] = {
        {"add", UINT8_MAX, 0, 0, 1, 1},
        {"add", UINT8_MAX, 0, 99, 100, 1},
        {"add", UINT8_MAX, 156, 98, 255, 1},
        {"add", UINT8_MAX, 156, 99, 157, 1},
        {"add", UINT8_MAX, 254, 99, 255, 1},
        {"add", UINT8_MAX, 255, 0, 255, DECLINES},
        {"subtract", UINT8_MAX, 0, 0, 0, DECLINES},
        {"subtract", UINT8_MAX, 1, 99, 0, 1},
        {"subtract", UINT8_MAX, 99, 98, 0, 1},
        {"subtract", UINT8_MAX, 99, 99, 98, 1},
        {"subtract", UINT8_MAX, 255, 99, 155, 1},
        {"add", UINT16_MAX, 65530, 4, 65535, 1},
        {"add", UINT32_MAX, 4294967290, 4, 4294967295, 1},
        {"add", UINT64_MAX, UINT64_MAX - 1, 7, UINT64_MAX, 1},
        {"add", UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, DECLINES},
        {"subtract", UINT64_MAX, UINT64_MAX, 99, UINT64_MAX - 100, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(find(cfz_uint_mutations, CFZ_UINT_MUTATIONS, cases[i].name),
                               CFZ_KIND_UINT64, cases[i].max, cases[i].in, cases[i].draw,
                               cases[i].draws),
                         cases[i].want);
}

static uint64_t bits32(float f)
{
    struct cfz_value v;

    cfz_value_set_f32(&v, f);
    return v.bits;
}

static uint64_t bits64(double d)
{
    struct cfz_value v;

    cfz_value_set_f64(&v, d);
    return v.bits;
}

static void float64s(void **state)
{
    static const struct {
        const char *name;
        double in;
        uint32_t draw;
        double want;
        int draws;
    } cases[] = {
        {"add", 0, 0, 1, 1},
        {"add", 1.5, 99, 101.5, 1},
        {"add", -0.25, 0, 0.75, 1},
        {"add", DBL_MAX, 0, DBL_MAX, DECLINES},
        {"add", -DBL_MAX, 99, -DBL_MAX, 1}, /* 100 is less than its precision */
        {"subtract", 0, 0, -1, 1},
        {"subtract", 2.5, 99, -97.5, 1},
        {"subtract", -DBL_MAX, 0, -DBL_MAX, DECLINES},
        {"multiply", 1.5, 9, 15, 1},
        {"multiply", -1.5, 0, -1.5, 1},
        {"multiply", 1.5, 10, 1.5, 1},          /* a factor is at most 10 */
        {"multiply", 0x1p1023, 9, 0x1p1023, 1}, /* no factor but 1 fits */
        {"multiply", 0x1p1022, 9, 0x1p1022, 1}, /* largest is 3.99...: draws below 3 */
        {"multiply", 0x1p1022, 2, 0x1.8p1023, 1},
        {"multiply", 0, 0, 0, DECLINES},
        {"multiply", -0.0, 0, -0.0, DECLINES},
        {"multiply", DBL_MAX, 0, DBL_MAX, DECLINES},
        {"multiply", -DBL_MAX, 0, -DBL_MAX, DECLINES},
        {"divide", 15, 9, 1.5, 1},
        {"divide", -15, 4, -3, 1},
        {"divide", 0x1p-1074, 1, 0, 1}, /* halves to even */
        {"divide", 0, 0, 0, DECLINES},
        {"divide", -0.0, 0, -0.0, DECLINES},
        /* Away from where Go stays for ever. */
        {"add", NAN, 0, 1, 1},
        {"subtract", NAN, 4, -5, 1},
        {"multiply", NAN, 0, NAN, DECLINES},
        {"divide", NAN, 0, NAN, DECLINES},
        {"add", INFINITY, 0, INFINITY, DECLINES},
        {"add", -INFINITY, 0, -DBL_MAX, 1},
        {"subtract", INFINITY, 0, DBL_MAX, 1},
        {"subtract", -INFINITY, 0, -INFINITY, DECLINES},
        {"multiply", INFINITY, 0, INFINITY, DECLINES},
        {"divide", INFINITY, 0, DBL_MAX, 1},
        {"divide", -INFINITY, 1, -DBL_MAX / 2, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(find(cfz_float_mutations, CFZ_FLOAT_MUTATIONS, cases[i].name),
                               CFZ_KIND_FLOAT64, 0, bits64(cases[i].in), cases[i].draw,
                               cases[i].draws),
                         bits64(cases[i].want));
}

static void float32s(void **state)
{
    static const struct {
        const char *name;
        float in;
        uint32_t draw;
        float want;
        int draws;
    } cases[] = {
        {"add", 0.5f, 1, 2.5f, 1},
        {"add", FLT_MAX, 0, FLT_MAX, DECLINES},
        {"add", 16777216.0f, 0, 16777216.0f, 1}, /* 2^24 + 1 rounds back */
        {"subtract", 0.5f, 1, -1.5f, 1},
        {"subtract", -FLT_MAX, 0, -FLT_MAX, DECLINES},
        {"multiply", 1.25f, 3, 5.0f, 1},
        {"multiply", 0x1p127f, 9, 0x1p127f, 1}, /* bounded by float32, not by float64 */
        {"multiply", 0x1p126f, 2, 0x1.8p127f, 1},
        {"multiply", -FLT_MAX, 0, -FLT_MAX, DECLINES},
        {"divide", 5.0f, 3, 1.25f, 1},
        {"divide", 0x1p-149f, 1, 0.0f, 1},
        {"add", NAN, 2, 3.0f, 1},
        {"subtract", INFINITY, 0, FLT_MAX, 1},
        {"divide", -INFINITY, 1, -FLT_MAX / 2, 1},
        {"add", INFINITY, 0, INFINITY, DECLINES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(find(cfz_float_mutations, CFZ_FLOAT_MUTATIONS, cases[i].name),
                               CFZ_KIND_FLOAT32, 0, bits32(cases[i].in), cases[i].draw,
                               cases[i].draws),
                         bits32(cases[i].want));
}

static void bools(void **state)
{
    const struct cfz_mutation *keep = find(cfz_bool_mutations, CFZ_BOOL_MUTATIONS, "keep");
    const struct cfz_mutation *flip = find(cfz_bool_mutations, CFZ_BOOL_MUTATIONS, "flip");

    (void)state;
    assert_int_equal(apply(keep, CFZ_KIND_BOOL, 0, 0, 0, 0), 0);
    assert_int_equal(apply(keep, CFZ_KIND_BOOL, 0, 1, 0, 0), 1);
    assert_int_equal(apply(flip, CFZ_KIND_BOOL, 0, 0, 0, 0), 1);
    assert_int_equal(apply(flip, CFZ_KIND_BOOL, 0, 1, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ints),     cmocka_unit_test(uints), cmocka_unit_test(float64s),
        cmocka_unit_test(float32s), cmocka_unit_test(bools),
    };

    return cmocka_run_group_tests_name("mutators_num", tests, NULL, NULL);
}
