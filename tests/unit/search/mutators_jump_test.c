/*
 * mutators_jump_test.c - each mutation that Go does not have, with scripted draws, for types of
 * each width.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/mutators.h"

enum { DECLINES = -1, DRAWS = 3 };

/*
 * Applies a mutation. used is how many draws it is to take, booleans not counted; the booleans are
 * false, true in turn, or the other way round when second is set.
 */
static uint64_t apply(cfz_mutation_fn *mutation, enum cfz_kind kind, uint64_t limit, uint64_t bits,
                      const uint32_t draws[DRAWS], bool second, int used)
{
    struct cfz_rand_script script = {.draws = draws, .n = DRAWS, .bools = second};
    struct cfz_value v = {.kind = kind, .bits = bits};
    struct cfz_rand r;

    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_int_equal(mutation(&r, &v, limit), used != DECLINES);
    if (used == DECLINES)
        assert_int_equal(v.bits, bits);
    else
        assert_int_equal(script.used, used);
    return v.bits;
}

#define I8 CFZ_KIND_INT8, INT8_MAX
#define I16 CFZ_KIND_INT16, INT16_MAX
#define I32 CFZ_KIND_INT32, INT32_MAX
#define I64 CFZ_KIND_INT64, INT64_MAX
#define INT CFZ_KIND_INT, INT32_MAX
#define U8 CFZ_KIND_UINT8, UINT8_MAX
#define U16 CFZ_KIND_UINT16, UINT16_MAX
#define U32 CFZ_KIND_UINT32, UINT32_MAX
#define U64 CFZ_KIND_UINT64, UINT64_MAX
#define UINT CFZ_KIND_UINT, UINT32_MAX

static void ints(void **state)
{
    static const struct {
        cfz_mutation_fn *mutation;
        enum cfz_kind kind;
        uint64_t limit;
        int64_t in;
        uint32_t draws[DRAWS];
        bool second;
        int64_t want;
        int used;
    } cases[] = {
        {cfz_int_step, I8, 1, {6}, false, 65, 1},
        {cfz_int_step, I8, 1, {7}, false, -127, 1}, /* wraps */
        {cfz_int_step, I8, 1, {8}, false, 2, 1},    /* bits 0 to 7 */
        {cfz_int_step, I8, 1, {6}, true, -63, 1},
        {cfz_int_step, U8, 1, {7}, true, 129, 1},
        {cfz_int_step, I64, 0, {63}, false, INT64_MIN, 1},
        {cfz_int_bit, I8, 0, {7}, false, -128, 1},
        {cfz_int_bit, I8, -128, {7}, false, 0, 1},
        {cfz_int_bit, U16, 0, {15}, false, 0x8000, 1},
        {cfz_int_bit, INT, 0, {31}, false, INT32_MIN, 1},
        {cfz_int_bit, UINT, 0, {31}, false, 0x80000000, 1},
        {cfz_int_bit, INT, 0, {32}, false, 1, 1},
        {cfz_int_bit, U64, 0, {63}, false, INT64_MIN, 1},
        {cfz_int_negate, I8, 5, {0}, false, -5, 0},
        {cfz_int_negate, I8, 5, {0}, true, -6, 0},
        {cfz_int_negate, I8, -128, {0}, false, -128, 0},
        {cfz_int_negate, U8, 5, {0}, false, 251, 0},
        {cfz_int_negate, U32, 0, {0}, true, UINT32_MAX, 0},
        {cfz_int_limit, I8, 5, {0}, false, -128, 1},
        {cfz_int_limit, I8, 5, {1}, false, 127, 1},
        {cfz_int_limit, I8, 5, {2}, false, -1, 1},
        {cfz_int_limit, I8, 5, {4}, false, -128, 1}, /* nothing of wider types */
        {cfz_int_limit, U8, 5, {2}, false, 255, 1},
        {cfz_int_limit, I16, 5, {4}, false, -32768, 1},
        {cfz_int_limit, I16, 5, {3}, false, 256, 1},
        {cfz_int_limit, I32, 5, {8}, false, INT32_MIN, 1},
        {cfz_int_limit, I32, 5, {9}, false, INT32_MAX, 1},
        {cfz_int_limit, I32, 5, {12}, false, -128, 1},
        {cfz_int_limit, U32, 5, {10}, false, UINT32_MAX, 1},
        {cfz_int_limit, I64, 5, {10}, false, UINT32_MAX, 1},
        {cfz_int_limit, I64, 5, {11}, false, 0x100000000, 1},
        {cfz_int_limit, I64, 5, {12}, false, INT64_MIN, 1},
        {cfz_int_limit, U64, 5, {14}, false, -1, 1},
        {cfz_int_power, I8, 5, {5, 0}, false, 31, 2},
        {cfz_int_power, I8, 5, {5, 1}, true, -32, 2},
        {cfz_int_power, I8, 5, {7, 0}, false, 127, 2},
        {cfz_int_power, I8, 5, {8, 0}, false, -1, 2},
        {cfz_int_power, U8, 5, {8, 0}, false, 255, 2},
        {cfz_int_power, U64, 5, {60, 2}, false, 0x1000000000000001, 2},
        {cfz_int_power, U64, 5, {64, 0}, false, -1, 2},
        {cfz_int_power, I64, 5, {63, 0}, true, -INT64_MAX, 2},
        {cfz_int_notable, I8, 5, {1}, true, -100, 1},
        {cfz_int_notable, I8, 5, {2}, false, 5, DECLINES}, /* 1000 */
        {cfz_int_notable, I32, 5, {24}, false, 0x10ffff, 1},
        {cfz_int_notable, I32, 5, {25}, false, 0x110000, 1},
        {cfz_int_notable, I32, 5, {18}, false, 0xd800, 1},
        {cfz_int_notable, I32, 5, {26}, false, 10, 1},
        {cfz_int_notable, U64, 5, {17}, false, 1000000000000000000, 1},
        {cfz_int_random, I8, 5, {2, 0xe0000000}, false, 7, 3}, /* three bits */
        {cfz_int_random, I8, 5, {2, 0xe0000000}, true, -7, 3},
        {cfz_int_random, I8, 5, {7, 0xe0000000}, false, -32, 3},
        {cfz_int_random, U8, 5, {7, 0xe0000000}, false, 0xe0, 3},
        {cfz_int_random, U64, 5, {63, 0xe0000000, 9}, false, (int64_t)0xe000000000000009, 3},
        {cfz_int_shift, I32, 3, {3}, false, 48, 1},
        {cfz_int_shift, I32, 48, {3}, true, 3, 1},
        {cfz_int_shift, I32, -48, {3}, true, -3, 1}, /* the sign stays */
        {cfz_int_shift, U32, 0xf0000000, {3}, true, 0x0f000000, 1},
        {cfz_int_shift, I32, 1, {30}, false, INT32_MIN, 1},
        {cfz_int_shift, I32, 1, {31}, false, 2, 1},
        {cfz_int_shift, I32, 0, {3}, false, 0, DECLINES},
        {cfz_int_scale, I8, 5, {0}, false, 10, 1},
        {cfz_int_scale, I8, 5, {14}, false, 80, 1},
        {cfz_int_scale, I8, 5, {15}, false, 10, 1}, /* 2 to 16 */
        {cfz_int_scale, I8, -50, {8}, true, -5, 1},
        {cfz_int_scale, U8, 200, {8}, true, 20, 1},
        {cfz_int_scale, U8, 0, {8}, true, 0, DECLINES},
        {cfz_int_turn, I8, 5, {0}, false, 5, DECLINES},
        {cfz_int_turn, I16, 0x00ff, {0}, false, -256, 0},
        {cfz_int_turn, U16, 0x1234, {0}, false, 0x3412, 0},
        {cfz_int_turn, I32, 0x12345678, {0}, false, 0x78563412, 0},
        {cfz_int_turn, U64, 1, {0}, false, INT64_C(1) << 56, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(cases[i].mutation, cases[i].kind, cases[i].limit,
                               (uint64_t)cases[i].in, cases[i].draws, cases[i].second,
                               cases[i].used),
                         (uint64_t)cases[i].want);
}

static uint64_t bits_of(enum cfz_kind kind, double d)
{
    struct cfz_value v = {.kind = kind};

    if (kind == CFZ_KIND_FLOAT32)
        cfz_value_set_f32(&v, (float)d);
    else
        cfz_value_set_f64(&v, d);
    return v.bits;
}

#define F32 CFZ_KIND_FLOAT32
#define F64 CFZ_KIND_FLOAT64

static void floats(void **state)
{
    static const struct {
        cfz_mutation_fn *mutation;
        enum cfz_kind kind;
        double in;
        uint32_t draws[DRAWS];
        bool second;
        double want;
        int used;
    } cases[] = {
        {cfz_float_negate, F64, 0, {0}, false, -0.0, 0},
        {cfz_float_negate, F32, -1.5, {0}, false, 1.5, 0},
        {cfz_float_special, F64, 7, {0}, false, NAN, 1},
        {cfz_float_special, F32, 7, {0}, false, NAN, 1},
        {cfz_float_special, F64, 7, {1}, false, INFINITY, 1},
        {cfz_float_special, F64, 7, {1}, true, -INFINITY, 1},
        {cfz_float_special, F32, 7, {1}, true, -INFINITY, 1},
        {cfz_float_special, F64, 7, {2}, false, 0x0.fffffffffffffp-1022, 1},
        {cfz_float_special, F32, 7, {2}, false, 0x0.fffffep-126, 1},
        {cfz_float_special, F64, 7, {3}, false, 0x1p-1074, 1},
        {cfz_float_special, F32, 7, {3}, true, -0x1p-149, 1},
        {cfz_float_special, F64, 7, {4}, false, DBL_MAX, 1},
        {cfz_float_special, F32, 7, {4}, false, (double)FLT_MAX, 1},
        {cfz_float_special, F64, 7, {5}, false, DBL_MIN, 1},
        {cfz_float_special, F32, 7, {6}, false, (double)FLT_EPSILON, 1},
        {cfz_float_special, F64, 7, {7}, true, -0.0, 1},
        {cfz_float_special, F64, 7, {8}, false, 1, 1},
        {cfz_float_special, F64, 7, {15}, false, 0x1p64, 1},
        {cfz_float_special, F64, 7, {16}, false, NAN, 1},
        {cfz_float_bit, F64, 1.5, {51}, false, 1, 1},
        {cfz_float_bit, F64, 1, {63}, false, -1, 1},
        {cfz_float_bit, F32, 1, {31}, false, -1, 1},
        {cfz_float_bit, F32, 1, {32 + 22}, false, 1.5, 1}, /* 32 bits */
        {cfz_float_next, F64, 1, {0}, false, 1 + DBL_EPSILON, 0},
        {cfz_float_next, F64, 1, {0}, true, 1 - DBL_EPSILON / 2, 0},
        {cfz_float_next, F32, INFINITY, {0}, true, (double)FLT_MAX, 0},
        {cfz_float_scale2, F64, 1.5, {9}, false, 1536, 1},
        {cfz_float_scale2, F64, 1.5, {1}, true, 0.375, 1},
        {cfz_float_scale2, F64, 1, {1021}, false, 0x1p1022, 1},
        {cfz_float_scale2, F64, 1, {1022}, false, 2, 1},
        {cfz_float_scale2, F32, 1, {126}, false, 2, 1},
        {cfz_float_scale2, F32, 0x1p100, {99}, false, INFINITY, 1},
        {cfz_float_scale2, F64, 0, {9}, false, 0, DECLINES},
        {cfz_float_scale2, F64, NAN, {9}, false, NAN, DECLINES},
        {cfz_float_scale2, F64, INFINITY, {9}, false, INFINITY, DECLINES},
        {cfz_float_scale10, F64, 1.5, {0}, false, 15, 1},
        {cfz_float_scale10, F64, 15, {1}, true, 0.15, 1},
        {cfz_float_scale10, F64, 1, {9}, false, 1e38, 1},
        {cfz_float_scale10, F64, -0.0, {9}, false, -0.0, DECLINES},
        {cfz_float_whole, F64, 7, {2, 0xe0000000}, false, 7, 3},
        {cfz_float_whole, F64, 7, {2, 0xe0000000}, true, -7, 3},
        {cfz_float_whole, F32, 7, {63, 0x80000000}, false, 0x1p63, 3},
        {cfz_float_random, F64, 7, {0x3ff80000, 0}, false, 1.5, 2},
        {cfz_float_random, F32, 7, {9, 0x3fc00000}, false, 1.5, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(apply(cases[i].mutation, cases[i].kind, 0,
                               bits_of(cases[i].kind, cases[i].in), cases[i].draws, cases[i].second,
                               cases[i].used),
                         bits_of(cases[i].kind, cases[i].want));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ints),
        cmocka_unit_test(floats),
    };

    return cmocka_run_group_tests_name("mutators_jump", tests, NULL, NULL);
}
