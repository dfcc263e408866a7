/*
 * counters_one_test.c - a single small module, and a second one that comes late.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coverage/counters.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

enum { A = 39, B = 3, GUARD = 40 };
static uint8_t a[GUARD + A + GUARD], b[B], mask[A + B];
static struct cfz_error err;
static struct cfz_seen seen;

/* Counts at place i: each is told once, with its bucket, and cleared; what lies beside the module
 * is not touched. */
static void each_place(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < A; i++) {
        memset(a, 0xee, sizeof a);
        memset(a + GUARD, 0, A);
        assert_int_equal(cfz_seen_map(&seen, mask, A, &err), 0);
        a[GUARD + i] = 5;
        assert_int_equal(cfz_counters_collect(&seen), 1);
        assert_int_equal(seen.bits[0].index, i);
        assert_int_equal(seen.bits[0].bits, 4);
        cfz_seen_learn(&seen);
        a[GUARD + i] = 7;
        assert_int_equal(cfz_counters_collect(&seen), 0);
        for (int k = 0; k < GUARD + A + GUARD; k++)
            assert_int_equal(a[k], k < GUARD || k >= GUARD + A ? 0xee : 0);
    }
}

static void all_places(void **state)
{
    (void)state;
    assert_int_equal(cfz_seen_map(&seen, mask, A, &err), 0);
    memset(a + GUARD, 1, A);
    assert_int_equal(cfz_counters_collect(&seen), A);
    for (uint32_t i = 0; i < A; i++)
        assert_int_equal(seen.bits[i].bits, 1);
    assert_int_equal(cfz_counters_collect(&seen), 0);
}

/* Nothing is mapped for what comes later than the map. */
static void no_room(void **state)
{
    struct cfz_seen none = {.n = A - 1};

    (void)state;
    memset(a + GUARD, 1, A);
    assert_int_equal(cfz_counters_collect(&none), 0);
    memset(a + GUARD, 0, A);
}

static void a_second_module(void **state)
{
    (void)state;
    __sanitizer_cov_8bit_counters_init(b, b + B);
    assert_int_equal(cfz_counters_prepare(&err), 0);
    assert_int_equal(cfz_seen_map(&seen, mask, A + B, &err), 0);
    a[GUARD] = b[B - 1] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 2);
    assert_int_equal(seen.bits[0].index, 0);
    assert_int_equal(seen.bits[1].index, A + B - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_place), cmocka_unit_test(all_places),
                                       cmocka_unit_test(no_room)};
    const struct CMUnitTest once[] = {cmocka_unit_test(a_second_module)};
    int failed = 0;

    __sanitizer_cov_8bit_counters_init(a + GUARD, a + GUARD + A);
    if (cfz_counters_prepare(&err) < 0)
        return 1;
    for (int way = 0; way < CFZ_COUNTERS_WAYS; way++)
        if (cfz_counters_use((enum cfz_counters_way)way))
            failed += cmocka_run_group_tests_name("counters_one", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("counters_one, more", once, NULL, NULL);
}
