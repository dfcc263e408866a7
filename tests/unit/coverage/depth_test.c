/*
 * depth_test.c - steps of the stack's depth, and how they are collected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi.h"
#include "coverage/counters.h"
#include "coverage/depth.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

enum { FRAME = 1 << 30, COUNTERS = 5, STEPS_AT = COUNTERS, ALL = COUNTERS + CFZ_DEPTH_STEPS / 8 };

static const struct {
    uintptr_t depth;
    int step;
} steps[] = {
    {0, -1},          {63, -1},       {64, 0},        {71, 0},          {72, 1},
    {127, 7},         {128, 8},       {143, 8},       {144, 9},         {1024, 32},
    {(1 << 20), 112}, {1441792, 115}, {4194303, 127}, {(1 << 22), 127}, {FRAME - 1, 127},
};

static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        __sancov_lowest_stack = FRAME - steps[i].depth;
        if (cfz_depth_step(FRAME) != steps[i].step)
            fail_msg("depth %zu: not step %d", steps[i].depth, steps[i].step);
        assert_int_equal(__sancov_lowest_stack, UINTPTR_MAX); /* it is forgotten */
    }
    assert_int_equal(cfz_depth_step(FRAME), -1);
    __sancov_lowest_stack = FRAME + 100; /* another stack */
    assert_int_equal(cfz_depth_step(FRAME), -1);
}

/* A depth is a bit of a counter behind the others; it is new once. */
static void test_collect(void **state)
{
    static uint8_t counters[COUNTERS], mask[ALL];
    static const uintptr_t frame = FRAME;
    struct cfz_error err;
    struct cfz_seen seen;

    (void)state;
    __sanitizer_cov_8bit_counters_init(counters, counters + COUNTERS);
    cfuzz_depth_init(CFUZZ_ABI + 1); /* of another version: not looked at */
    assert_int_equal(cfz_counters_prepare(&err), 0);
    assert_int_equal(cfz_counters_total(), COUNTERS);
    cfuzz_depth_init(CFUZZ_ABI);
    cfuzz_depth_init(CFUZZ_ABI); /* by another module */
    assert_int_equal(cfz_counters_prepare(&err), 0);
    assert_int_equal(cfz_counters_total(), ALL);
    assert_int_equal(cfz_seen_map(&seen, mask, ALL, &err), 0);

    __sancov_lowest_stack = FRAME - 1441792;
    assert_int_equal(cfz_counters_collect(&seen), 0); /* nobody says where the stack begins */
    seen.frame = &frame;
    assert_int_equal(cfz_counters_collect(&seen), 1);
    assert_int_equal(seen.bits[0].index, STEPS_AT + 115 / 8);
    assert_int_equal(seen.bits[0].bits, 1 << 115 % 8);
    cfz_seen_learn(&seen);
    assert_int_equal(cfz_counters_collect(&seen), 0); /* it was forgotten */
    __sancov_lowest_stack = FRAME - 1441792;
    assert_int_equal(cfz_counters_collect(&seen), 0);
    __sancov_lowest_stack = FRAME - 1441792;
    assert_int_equal(cfz_counters_collect_all(&seen), 1);
    cfz_seen_hold(&seen); /* the same depth again */
    __sancov_lowest_stack = FRAME - 1441792;
    cfz_counters_collect_all(&seen);
    assert_int_equal(cfz_seen_confirm(&seen), 1);
    assert_false(seen.unstable);
    seen.nbits = 0;
    cfz_seen_hold(&seen); /* the first execution was traced: the depth is told by the second alone */
    __sancov_lowest_stack = FRAME - 1024;
    assert_int_equal(cfz_counters_collect(&seen), 1);
    assert_int_equal(cfz_seen_confirm(&seen), 1);
    assert_false(seen.unstable);
    assert_int_equal(seen.bits[0].index, STEPS_AT + 32 / 8);
    mask[STEPS_AT] = 1;
    __sancov_lowest_stack = FRAME - 64; /* another worker's input was as deep */
    assert_int_equal(cfz_counters_collect(&seen), 0);
    __sancov_lowest_stack = FRAME - 64;
    cfz_counters_reset();
    assert_int_equal(cfz_counters_collect_all(&seen), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_collect),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
