/*
 * arrivals_test.c - entries that arrived last, the last one first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worker/arrivals.h"

static void assert_next(struct cfz_arrivals *a, uint64_t wanted)
{
    uint64_t entry;

    assert_true(cfz_arrivals_take(a, &entry));
    assert_int_equal(entry, wanted);
}

static void test_last_first(void **state)
{
    struct cfz_arrivals a = {0};
    uint64_t entry;

    (void)state;
    assert_false(cfz_arrivals_take(&a, &entry));
    cfz_arrivals_add(&a, 7);
    cfz_arrivals_add(&a, 8);
    assert_next(&a, 8);
    cfz_arrivals_add(&a, 9);
    assert_next(&a, 9);
    assert_next(&a, 7);
    assert_false(cfz_arrivals_take(&a, &entry));
}

/* The oldest ones make room. */
static void test_full(void **state)
{
    struct cfz_arrivals a = {0};
    uint64_t entry;

    (void)state;
    for (uint64_t i = 0; i < 100; i++)
        cfz_arrivals_add(&a, i);
    assert_next(&a, 99);
    assert_next(&a, 98);
    cfz_arrivals_add(&a, 100);
    assert_next(&a, 100);
    for (uint64_t i = 97; i >= 100 - CFZ_ARRIVALS; i--)
        assert_next(&a, i);
    assert_false(cfz_arrivals_take(&a, &entry));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_last_first),
                                       cmocka_unit_test(test_full)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
