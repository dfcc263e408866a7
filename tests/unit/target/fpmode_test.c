/*
 * fpmode_test.c - rounding, tiny numbers and traps go back to what they were.
 */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "target/fpmode.h"

/* Called through pointers: compilers move divisions across changes of the mode. */
static double quotient(double a, double b)
{
    return a / b;
}

static long double long_quotient(long double a, long double b)
{
    return a / b;
}

static double (*volatile divide)(double, double) = quotient;
static long double (*volatile divide_long)(long double, long double) = long_quotient;

static void unchanged(void **state)
{
    struct cfz_fpmode m = cfz_fpmode_get();

    (void)state;
    assert_false(cfz_fpmode_restore(&m));
    feraiseexcept(FE_INEXACT); /* flags are no mode */
    assert_false(cfz_fpmode_restore(&m));
}

static void rounding(void **state)
{
    struct cfz_fpmode m = cfz_fpmode_get();
    double nearest = divide(1, 3);
    long double nearest_long = divide_long(1, 7);

    (void)state;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    assert_true(divide(1, 3) > nearest);
    assert_true(divide_long(1, 7) > nearest_long);
    assert_true(cfz_fpmode_restore(&m));
    assert_false(cfz_fpmode_restore(&m));
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(divide(1, 3) == nearest);
    assert_true(divide_long(1, 7) == nearest_long);
}

#if defined(__x86_64__)
static void flush_to_zero(void **state)
{
    struct cfz_fpmode m = cfz_fpmode_get();

    (void)state;
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
    assert_true(divide(1e-310, 3) == 0);
    assert_true(cfz_fpmode_restore(&m));
    assert_true(divide(1e-310, 3) != 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged),
        cmocka_unit_test(rounding),
#if defined(__x86_64__)
        cmocka_unit_test(flush_to_zero),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
