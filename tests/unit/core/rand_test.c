/*
 * rand_test.c - the generator: known answers, bounds, scripts.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/rand.h"

/* What Go's generator gives for the same seed and number. */
static void known_answers(void **state)
{
    static const struct {
        uint64_t seed, k, s;
        uint32_t outputs[6];
        size_t n;
    } cases[] = {
        {0,
         1,
         0x8f5dc87e5c07d8a,
         {0x0f5deba9, 0x184296dd, 0x357643f4, 0xf8e84c31, 0xaac1ca89, 0x4555f003},
         6},
        {1,
         1,
         0xc9a7695733e5aaa0,
         {0x75b3ee9a, 0x42ec7abc, 0x71a1739d, 0xf592e670, 0x4b07442b, 0x30ed5ad1},
         6},
        {123,
         1,
         0x9e448422719d271c,
         {0x8ecd5912, 0xc251b590, 0x46845bc1, 0xf5066aa5, 0x444ad4c8, 0xb5180a2a},
         6},
        {0, 2, 0xb999c4e27eeb7be6, {0x7aa10266}, 1},
        {1, 2, 0x7a4b51b1cd10a8fc, {0xc8c692d3}, 1},
        {123, 2, 0x4ee86c7d0ac82578, {0x716e87fc}, 1},
    };
    struct cfz_rand r;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cfz_rand_init(&r, cases[i].seed, cases[i].k);
        assert_int_equal(r.s, cases[i].s);
        assert_int_equal(r.c, 2 * cases[i].k + 1);
        for (size_t j = 0; j < cases[i].n; j++)
            assert_int_equal(cfz_rand_u32(&r), cases[i].outputs[j]);
    }
}

static void below_known_answers(void **state)
{
    static const uint32_t want[] = {55, 75, 27, 95, 26, 70, 45, 91, 63, 17, 74, 9};
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 123, 1);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(cfz_rand_below(&r, 100), want[i]);
}

static void bool_known_answers(void **state)
{
    static const bool want[] = {true, true, false, false, true, true, false, false, false, true};
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 123, 1);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(cfz_rand_bool(&r), want[i]);
}

static void u64_is_two_draws(void **state)
{
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 0, 1);
    assert_int_equal(cfz_rand_u64(&r), 0x0f5deba9184296dd);
    assert_int_equal(cfz_rand_u32(&r), 0x357643f4);
}

static void below_zero_and_one(void **state)
{
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 0, 1);
    assert_int_equal(cfz_rand_below(&r, 0), 0);
    assert_int_equal(cfz_rand_below(&r, 1), 0);
    assert_int_equal(cfz_rand_u32(&r), 0x357643f4); /* two draws were made */
}

/* A bound that rejects nearly half of the draws, against the definition written out. */
static void below_redraws(void **state)
{
    const uint32_t n = 0x80000001u;
    const uint32_t surplus = 0x7fffffffu; /* 2^32 mod n */
    struct cfz_rand r, plain;
    int redrawn = 0;

    (void)state;
    cfz_rand_init(&r, 123, 1);
    plain = r;
    for (int i = 0; i < 1000; i++) {
        uint64_t product = (uint64_t)cfz_rand_u32(&plain) * n;

        while ((uint32_t)product < surplus) {
            product = (uint64_t)cfz_rand_u32(&plain) * n;
            redrawn++;
        }
        assert_int_equal(cfz_rand_below(&r, n), product >> 32);
        assert_int_equal(r.s, plain.s);
    }
    assert_in_range(redrawn, 900, 1100);
}

static void script_answers_in_order(void **state)
{
    static const uint32_t draws[] = {7, 1, 2};
    struct cfz_rand_script script = {.draws = draws, .n = 3};
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_int_equal(cfz_rand_below(&r, 5), 2);
    assert_int_equal(cfz_rand_below(&r, 5), 1);
    assert_false(cfz_rand_bool(&r));
    assert_int_equal(cfz_rand_below(&r, 0), 0); /* uses the 2 up */
    assert_true(cfz_rand_bool(&r));
    assert_int_equal(cfz_rand_u32(&r), 7); /* from the start again */
    assert_false(cfz_rand_bool(&r));
    assert_int_equal(cfz_rand_u64(&r), 0x0000000100000002);
    assert_int_equal(script.used, 6);
    assert_int_equal(script.bools, 3);
    assert_int_equal(r.s, 0x8f5dc87e5c07d8a); /* the generator rests */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),           cmocka_unit_test(below_known_answers),
        cmocka_unit_test(bool_known_answers),      cmocka_unit_test(u64_is_two_draws),
        cmocka_unit_test(below_zero_and_one),      cmocka_unit_test(below_redraws),
        cmocka_unit_test(script_answers_in_order),
    };

    return cmocka_run_group_tests_name("rand", tests, NULL, NULL);
}
