/*
 * parser_states_test.c - the states of two parsers, whose records are this program's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi.h"
#include "core/hash.h"
#include "coverage/parser_states.h"

/* One parser of 11 states, which is no multiple of the eight that are looked at together, and one
 * of 3; what is beside them is no parser's. */
enum { A = 11, B = 3, GUARD = 8 };
static uint8_t a[GUARD + A + GUARD], b[GUARD + B + GUARD];
static struct cfz_func_rec recs[2] __attribute__((used, section(CFZ_SECTION_PARSERS)));

static void announce(struct cfz_func_rec *rec, uint8_t *states, uint32_t n)
{
    rec->counters = (int32_t)(states - (uint8_t *)&rec->counters);
    rec->n = n;
}

static int prepare(void **state)
{
    (void)state;
    announce(&recs[0], a + GUARD, A);
    announce(&recs[1], b + GUARD, B);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    return 0;
}

static void none_told(void **state)
{
    (void)state;
    assert_true(cfz_parser_states_any());
    assert_int_equal(cfz_parser_states(), 0);
}

/* Each state of each parser has a number of its own, counted from 1 through both. */
static void each_alone(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < A; i++) {
        a[GUARD + i] = 1;
        assert_int_equal(cfz_parser_states(), cfz_hash_mix(1 + i));
        a[GUARD + i] = 0;
    }
    for (uint32_t i = 0; i < B; i++) {
        b[GUARD + i] = 1;
        assert_int_equal(cfz_parser_states(), cfz_hash_mix(1 + A + i));
        b[GUARD + i] = 0;
    }
}

/* A set: neither how often a state was come to nor when matters. */
static void together(void **state)
{
    (void)state;
    a[GUARD] = 1;
    a[GUARD + 7] = 255;
    a[GUARD + 8] = 128;
    b[GUARD + 2] = 3;
    assert_int_equal(cfz_parser_states(),
                     cfz_hash_mix(1) + cfz_hash_mix(8) + cfz_hash_mix(9) + cfz_hash_mix(1 + A + 2));
    a[GUARD] = 2;
    assert_int_equal(cfz_parser_states(),
                     cfz_hash_mix(1) + cfz_hash_mix(8) + cfz_hash_mix(9) + cfz_hash_mix(1 + A + 2));
}

/* Bytes before and behind the states are not looked at. */
static void beside(void **state)
{
    (void)state;
    memset(a, 0xee, GUARD);
    memset(a + GUARD + A, 0xee, GUARD);
    memset(b, 0xee, GUARD);
    memset(b + GUARD + B, 0xee, GUARD);
    assert_int_equal(cfz_parser_states(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(none_told, clear),
        cmocka_unit_test_setup(each_alone, clear),
        cmocka_unit_test_setup(together, clear),
        cmocka_unit_test_setup(beside, clear),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
