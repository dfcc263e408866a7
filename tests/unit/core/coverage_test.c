/*
 * coverage_test.c - buckets and masks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/coverage.h"

static void test_buckets(void **state)
{
    (void)state;
    assert_int_equal(cfz_cov_bucket[0], 0);
    for (unsigned count = 1; count < 256; count++) {
        unsigned highest = 1;

        while (2 * highest <= count)
            highest *= 2;
        assert_int_equal(cfz_cov_bucket[count], highest);
    }
}

static void test_merge(void **state)
{
    uint8_t mask[4] = {0, 1, 0, 0};
    const struct cfz_cov_bits bits[] = {{1, 1}, {1, 2}, {3, 0x81}, {4, 1}, {UINT32_MAX, 1}};

    (void)state;
    assert_int_equal(cfz_cov_count_new(mask, 4, bits, 5), 3);
    assert_int_equal(mask[1], 1); /* count_new changes nothing */
    assert_int_equal(cfz_cov_merge(mask, 4, bits, 5), 3);
    assert_int_equal(mask[0], 0);
    assert_int_equal(mask[1], 3);
    assert_int_equal(mask[2], 0);
    assert_int_equal(mask[3], 0x81);
    assert_int_equal(cfz_cov_merge(mask, 4, bits, 5), 0);
    assert_int_equal(cfz_cov_count_new(mask, 4, bits, 5), 0);
}

/* One counter twice in one list: its bit counts once. */
static void test_merge_repeated(void **state)
{
    uint8_t mask[1] = {0};
    const struct cfz_cov_bits bits[] = {{0, 4}, {0, 4}};

    (void)state;
    assert_int_equal(cfz_cov_merge(mask, 1, bits, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
