/*
 * counters_test.c - modules, scanning, new bits; on counters of the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi.h"
#include "core/protocol.h"
#include "coverage/counters.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

static struct cfz_error err;

/*
 * Module A: 1203 counters at an odd address, between guards; functions of 11, 1, 130, 8 and 1000
 * counters with a flag, and 50 + 3 counters without, before and after.
 * Module B: 100 counters, no flags. Module C: 1 counter. Module D: a function of 20 counters with a flag,
 * so few that flags are not looked at.
 */
enum { A = 1203, B = 100, C = 1, D = 20, ALL = A + B + C + D };
static uint8_t space[A + 17] __attribute__((aligned(16)));
#define a_counters (space + 9)
static uint8_t b_counters[B], c_counters[C], d_counters[D];
static uint8_t flags[10], d_flags[1];
static struct cfz_func_rec recs[10], d_recs[1];
static const uint32_t at[10] = {50, 61, 62, 192, 200, 1200, 1200, 1200, 1200, 1200};
static const uint32_t len[10] = {11, 1, 130, 8, 1000, 0, 0, 0, 0, 0};

static uint8_t mask[ALL + 8]; /* room for a module that comes late */
static struct cfz_seen seen;

static void prepare(void)
{
    for (int i = 0; i < 10; i++) {
        recs[i].counters = (int32_t)(a_counters + at[i] - (uint8_t *)&recs[i].counters);
        recs[i].n = len[i];
    }
    for (int i = 0; i < 2; i++) { /* each object of a module announces it again */
        __sanitizer_cov_8bit_counters_init(a_counters, a_counters + A);
        cfuzz_module_init(CFUZZ_ABI, flags, flags + 10, recs, recs + 10);
    }
    __sanitizer_cov_8bit_counters_init(b_counters, b_counters + B);
    __sanitizer_cov_8bit_counters_init(b_counters, b_counters);
    __sanitizer_cov_8bit_counters_init(c_counters, c_counters + C);
    d_recs[0].counters = (int32_t)(d_counters - (uint8_t *)&d_recs[0].counters);
    d_recs[0].n = D;
    __sanitizer_cov_8bit_counters_init(d_counters, d_counters + D);
    cfuzz_module_init(CFUZZ_ABI, d_flags, d_flags + 1, d_recs, d_recs + 1);
    assert_int_equal(cfz_counters_prepare(&err), 0);
    assert_int_equal(cfz_counters_total(), ALL);
    assert_int_equal(cfz_counters_build(), CFZ_BUILD_COUNTERS | CFZ_BUILD_FUNC_FLAGS);
}

static int setup(void **state)
{
    (void)state;
    memset(mask, 0, sizeof mask);
    memset(space, 0xee, sizeof space);
    cfz_counters_reset();
    memset(space, 0xee, 9);
    return cfz_seen_map(&seen, mask, ALL, &err);
}

static void check_guards(void)
{
    for (int i = 0; i < 9; i++)
        assert_int_equal(space[i], 0xee);
    for (int i = 9 + A; i < (int)sizeof space; i++)
        assert_int_equal(space[i], 0xee);
}

static uint32_t bits_of(uint32_t index)
{
    for (size_t i = 0; i < seen.nbits; i++)
        if (seen.bits[i].index == index)
            return seen.bits[i].bits;
    return 0;
}

static void test_flagged_functions(void **state)
{
    (void)state;
    a_counters[50] = 1;
    a_counters[60] = 255;
    a_counters[61] = 3;
    flags[0] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 3); /* the word reaches into function 1 */
    assert_int_equal(bits_of(50), 1);
    assert_int_equal(bits_of(60), 0x80);
    assert_int_equal(bits_of(61), 2);
    assert_int_equal(flags[0], 0);
    assert_int_equal(a_counters[50], 0);
    assert_int_equal(a_counters[60], 0);

    a_counters[62] = 4;
    a_counters[62 + 129] = 5;
    a_counters[199] = 9;
    flags[2] = flags[3] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 3);
    assert_int_equal(bits_of(62), 4);
    assert_int_equal(bits_of(191), 4);
    assert_int_equal(bits_of(199), 8);
    assert_int_equal(cfz_counters_collect(&seen), 0);
    check_guards();
}

static void test_unflagged_function_is_not_looked_at(void **state)
{
    (void)state;
    a_counters[100] = 1; /* of function 2, whose flag is not set */
    assert_int_equal(cfz_counters_collect(&seen), 0);
    assert_int_equal(a_counters[100], 1);
}

static void test_small_module_is_looked_at_whole(void **state)
{
    (void)state;
    d_counters[19] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 1);
    assert_int_equal(bits_of(A + B + C + 19), 1);
    assert_int_equal(d_counters[19], 0);
    d_flags[0] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 0);
}

static void test_without_flags(void **state)
{
    (void)state;
    a_counters[0] = 1;
    a_counters[49] = 2;
    a_counters[A - 1] = 64; /* the last one, in a part of a word */
    b_counters[0] = b_counters[63] = b_counters[64] = b_counters[99] = 7;
    c_counters[0] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 8);
    assert_int_equal(bits_of(0), 1);
    assert_int_equal(bits_of(49), 2);
    assert_int_equal(bits_of(A - 1), 64);
    assert_int_equal(bits_of(A), 4);
    assert_int_equal(bits_of(A + 63), 4);
    assert_int_equal(bits_of(A + 64), 4);
    assert_int_equal(bits_of(A + 99), 4);
    assert_int_equal(bits_of(A + B), 1);
    assert_int_equal(cfz_counters_collect(&seen), 0);
    check_guards();
}

/* Every count at every place gives the bucket of the table. */
static void test_buckets(void **state)
{
    (void)state;
    for (int count = 1; count < 256; count++) {
        int i = count % B;

        b_counters[i] = (uint8_t)count;
        assert_int_equal(cfz_counters_collect_all(&seen), 1);
        assert_int_equal(seen.bits[0].index, A + i);
        assert_int_equal(seen.bits[0].bits, cfz_cov_bucket[count]);
    }
}

static void test_merged_bits_are_not_new(void **state)
{
    (void)state;
    mask[A + 5] = 1;
    b_counters[5] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 0);
    mask[A + 5] = 0; /* own has taken it over */
    b_counters[5] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 0);
    b_counters[5] = 2; /* another bucket */
    assert_int_equal(cfz_counters_collect(&seen), 1);
    assert_false(cfz_seen_has_first(&seen));
    b_counters[5] = 2; /* own learns nothing by itself */
    assert_int_equal(cfz_counters_collect(&seen), 1);
    cfz_seen_learn(&seen);
    b_counters[5] = 2;
    assert_int_equal(cfz_counters_collect(&seen), 0);
    b_counters[5] = 2;
    assert_int_equal(cfz_counters_collect_all(&seen), 1);
}

static void test_beyond_the_mask(void **state)
{
    (void)state;
    seen.mask_len = A + 10;
    b_counters[9] = b_counters[10] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 1);
    assert_int_equal(seen.bits[0].index, A + 9);
    assert_true(cfz_seen_has_first(&seen));
    mask[A + 9] = 2; /* another worker's input reached it, twice */
    assert_false(cfz_seen_has_first(&seen));
    mask[A + 9] = 0;
}

static void test_confirm(void **state)
{
    (void)state;
    b_counters[1] = b_counters[2] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 2);
    cfz_seen_hold(&seen);
    b_counters[2] = b_counters[3] = 1;
    assert_int_equal(cfz_counters_collect(&seen), 2);
    assert_int_equal(cfz_seen_confirm(&seen), 1);
    assert_int_equal(seen.bits[0].index, A + 2);
    assert_int_equal(seen.bits[0].bits, 1);
    assert_true(seen.unstable);                        /* each had another one besides */
    b_counters[1] = b_counters[2] = b_counters[3] = 1; /* own has all three now */
    assert_int_equal(cfz_counters_collect(&seen), 0);
    /* a bucket that differs is not confirmed */
    b_counters[1] = 2;
    cfz_counters_collect(&seen);
    cfz_seen_hold(&seen);
    b_counters[1] = 4;
    cfz_counters_collect(&seen);
    assert_int_equal(cfz_seen_confirm(&seen), 0);
    assert_true(seen.unstable);
}

/* What keeps its coverage when it is made smaller; after test_confirm. */
static void test_held(void **state)
{
    (void)state;
    b_counters[1] = b_counters[2] = 16;
    cfz_counters_collect(&seen);
    cfz_seen_hold(&seen);
    b_counters[1] = b_counters[2] = 16;
    cfz_counters_collect(&seen);
    assert_int_equal(cfz_seen_confirm(&seen), 2);
    assert_false(seen.unstable);
    cfz_seen_hold(&seen);
    b_counters[1] = b_counters[2] = b_counters[3] = 16; /* more is fine */
    cfz_counters_collect_all(&seen);
    assert_true(cfz_seen_has_held(&seen));
    b_counters[1] = 16;
    cfz_counters_collect_all(&seen);
    assert_false(cfz_seen_has_held(&seen));
    b_counters[1] = 16;
    b_counters[2] = 8; /* another bucket */
    cfz_counters_collect_all(&seen);
    assert_false(cfz_seen_has_held(&seen));
    b_counters[1] = b_counters[2] = 16;
    cfz_counters_collect_all(&seen);
    assert_true(cfz_seen_has_held(&seen));
    assert_false(cfz_seen_held_is_merged(&seen));
    mask[A + 1] = 16 | 1;
    mask[A + 2] = 8;
    assert_false(cfz_seen_held_is_merged(&seen)); /* one of two */
    mask[A + 2] |= 16;
    assert_true(cfz_seen_held_is_merged(&seen));
    seen.mask_len = A + 2;
    assert_false(cfz_seen_held_is_merged(&seen));
    seen.mask_len = ALL;
    seen.mask = NULL;
    assert_false(cfz_seen_held_is_merged(&seen));
    seen.mask = mask;
    cfz_seen_unhold(&seen);
    assert_int_equal(seen.nbits, 2);
    assert_int_equal(seen.bits[0].bits, 16);
}

/* In the middle of an execution: what counted so far is not cleared, and news only once. */
static void test_beyond(void **state)
{
    static uint8_t known[ALL];

    (void)state;
    memset(known, 0, sizeof known);
    assert_false(cfz_counters_beyond(known, ALL));
    a_counters[7] = 1;
    a_counters[A - 1] = 255;
    d_counters[D - 1] = 3;
    assert_true(cfz_counters_beyond(known, ALL));
    assert_false(cfz_counters_beyond(known, ALL));
    assert_int_equal(a_counters[7], 1);
    assert_int_equal(known[7] && known[A - 1] && known[ALL - 1], 1);
    for (size_t i = 0, n = 0; i < ALL; i++)
        assert_in_range(n += known[i], 0, 3);
    a_counters[7] = 200; /* other counts are not new */
    assert_false(cfz_counters_beyond(known, ALL));
    c_counters[0] = 1;
    assert_false(cfz_counters_beyond(known, A + B)); /* there is no room for it */
    assert_true(cfz_counters_beyond(known, A + B + C));
    check_guards();
}

static void test_reset(void **state)
{
    (void)state;
    flags[0] = 1;
    a_counters[50] = b_counters[1] = 1;
    cfz_counters_reset();
    assert_int_equal(cfz_counters_collect(&seen), 0);
    check_guards();
}

/* Last: what is announced stays. */
static void test_late_and_bad_modules(void **state)
{
    char want[64];
    static uint8_t late[8], vast[64 << 20], more_flags[1];
    static struct cfz_func_rec bad[1];

    struct cfz_seen roomy;

    (void)state;
    assert_int_equal(cfz_seen_map(&roomy, mask, ALL + 8, &err), 0);
    assert_false(cfz_counters_late());
    __sanitizer_cov_8bit_counters_init(late, late + 8);
    __sanitizer_cov_8bit_counters_init(late, late + 8);
    assert_true(cfz_counters_late());
    assert_int_equal(cfz_counters_prepare(&err), 0);
    assert_false(cfz_counters_late());
    assert_int_equal(cfz_counters_total(), ALL + 8);
    late[0] = 1; /* seen was mapped before: not looked at, and nothing breaks */
    assert_int_equal(cfz_counters_collect(&seen), 0);
    late[0] = 0;
    late[7] = 1; /* but where there is room for it */
    assert_int_equal(cfz_counters_collect(&roomy), 1);
    assert_int_equal(roomy.bits[0].index, ALL + 7);
    __sanitizer_cov_8bit_counters_init(vast, vast + sizeof vast);
    assert_int_equal(cfz_counters_prepare(&err), 0);
    vast[0] = vast[sizeof vast - 1] = 1; /* far beyond it */
    assert_int_equal(cfz_counters_collect(&roomy), 0);
    assert_int_equal(cfz_counters_collect_all(&roomy), 0);

    bad[0].counters = 1 << 30; /* nowhere */
    bad[0].n = 1;
    cfuzz_module_init(CFUZZ_ABI, more_flags, more_flags + 1, bad, bad + 1);
    assert_int_equal(cfz_counters_prepare(&err), -1);
    assert_non_null(strstr(err.text, "function 0 are not where its record says"));
    cfuzz_module_init(CFUZZ_ABI + 1, more_flags, more_flags + 1, bad, bad + 1);
    assert_int_equal(cfz_counters_prepare(&err), -1);
    snprintf(want, sizeof want, "compiled for version %d of cfuzz's interface", CFUZZ_ABI + 1);
    assert_non_null(strstr(err.text, want));
}

#define TEST(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_flagged_functions),
        TEST(test_unflagged_function_is_not_looked_at),
        TEST(test_small_module_is_looked_at_whole),
        TEST(test_without_flags),
        TEST(test_buckets),
        TEST(test_merged_bits_are_not_new),
        TEST(test_beyond_the_mask),
        TEST(test_confirm),
        TEST(test_held),
        TEST(test_beyond),
        TEST(test_reset),
    };
    const struct CMUnitTest once[] = {TEST(test_late_and_bad_modules)};

    int failed = 0;

    prepare();
    for (int way = 0; way < CFZ_COUNTERS_WAYS; way++)
        if (cfz_counters_use((enum cfz_counters_way)way))
            failed += cmocka_run_group_tests(tests, NULL, NULL);
    return failed + cmocka_run_group_tests(once, NULL, NULL);
}
