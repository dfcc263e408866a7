/*
 * prelude_test.c - which comparisons come before the input.
 *
 * A trace here: a number of comparisons that are the same each time, then what the test asks for.
 * Sites 0 and 7 make traces long, sites 1 to 5 and 8 are one for each test, since what is known of
 * a site stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "search/goal.h"
#include "coverage/prelude.h"

enum { SITES = 9, FILL = 200 };

static struct cfz_site sites[SITES];
static uint8_t tracing;

/* Compares the numbers 0 to same-1 with themselves at a site, and then each of the others. Site 0
 * and 7 make the trace long. */
static void trace(unsigned site, uint32_t same, const uint64_t *others, uint32_t n)
{
    cfz_trace_begin();
    for (uint64_t i = 0; i < FILL + 1; i++) {
        cfuzz_trace_number(&sites[0], i, i);
        cfuzz_trace_number(&sites[7], 1, i);
    }
    for (uint32_t i = 0; i < same; i++)
        cfuzz_trace_number(&sites[site], i, i);
    for (uint32_t i = 0; i < n; i++)
        cfuzz_trace_number(&sites[site], others[i], 7);
    cfz_trace_end();
}

/* The same of an entry. */
static void sees(unsigned site, uint32_t same, uint64_t first, uint64_t second)
{
    trace(site, same, (const uint64_t[]){first, second}, 2);
    cfz_prelude_see();
}

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    for (unsigned i = 0; i < SITES; i++)
        sites[i] = (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 64};
    cfuzz_trace_init(CFUZZ_ABI, &tracing, sites, sites + SITES);
    return cfz_trace_map(&err) < 0 || cfz_prelude_map(&err) < 0 ? -1 : 0;
}

/* It is what is the same in all inputs, once enough of them went beyond it. */
static void test_known(void **state)
{
    (void)state;
    sees(1, 30, 100, 200);
    assert_int_equal(cfz_prelude(&sites[1]), 0);
    sees(1, 30, 101, 200); /* ends the first one's */
    assert_int_equal(cfz_prelude(&sites[1]), 0);
    for (unsigned i = 0; i < CFZ_PRELUDE_AGREED; i++) {
        assert_int_equal(cfz_prelude(&sites[1]), 0);
        sees(1, 30, 100, 200);
    }
    assert_int_equal(cfz_prelude(&sites[1]), 30);
    assert_int_equal(cfz_prelude(&sites[0]), 0); /* nothing lies beyond it */
    assert_int_equal(cfz_prelude(&sites[6]), 0); /* never reached */
}

/* What a later input has different ends it there, and it does not become longer again. */
static void test_shorter(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= CFZ_PRELUDE_AGREED; i++)
        sees(2, 30, 100 + (i > 0), 200);
    sees(2, 30, 100, 200);
    assert_int_equal(cfz_prelude(&sites[2]), 30);
    sees(2, 20, 0, 0);
    assert_int_equal(cfz_prelude(&sites[2]), 20);
    sees(2, 30, 100, 200);
    assert_int_equal(cfz_prelude(&sites[2]), 20);
    sees(2, 0, 5, 5); /* the first comparison differs */
    assert_int_equal(cfz_prelude(&sites[2]), 0);
    for (unsigned i = 0; i < 2 * CFZ_PRELUDE_AGREED; i++)
        sees(2, 30, 100, 200);
    assert_int_equal(cfz_prelude(&sites[2]), 0);
}

/* An input that ended early does not say how long it is: what goes on continues it. */
static void test_longer(void **state)
{
    (void)state;
    trace(3, 20, NULL, 0);
    cfz_prelude_see();
    for (unsigned i = 0; i < CFZ_PRELUDE_AGREED + 2; i++)
        sees(3, 120, 1000 + i, 200);
    assert_int_equal(cfz_prelude(&sites[3]), 120);
    trace(3, 20, NULL, 0); /* which says nothing of the rest */
    cfz_prelude_see();
    assert_int_equal(cfz_prelude(&sites[3]), 120);
}

/* Executions that are no entries count as evidence, and end it; a trace with few comparisons of a
 * site is not looked at. */
static void test_evidence(void **state)
{
    (void)state;
    sees(4, 30, 100, 200);
    sees(4, 30, 101, 200);
    for (unsigned k = 0; k < CFZ_PRELUDE_AGREED; k++) {
        assert_int_equal(cfz_prelude(&sites[4]), 0);
        trace(4, 30, (const uint64_t[]){300 + k}, 1);
        for (uint32_t i = 0; i < cfz_trace.nevents; i++)
            cfz_prelude_compare(&cfz_trace.events[i], cfz_event_hash(&cfz_trace.events[i]));
    }
    assert_int_equal(cfz_prelude(&sites[4]), 30);
    trace(4, 25, (const uint64_t[]){300}, 1);
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        cfz_prelude_compare(&cfz_trace.events[i], cfz_event_hash(&cfz_trace.events[i]));
    assert_int_equal(cfz_prelude(&sites[4]), 25);

    for (unsigned i = 0; i < 2 * CFZ_PRELUDE_AGREED; i++)
        sees(5, CFZ_PRELUDE_MANY - 2, 100 + i, 200); /* no more than MANY in all */
    assert_int_equal(cfz_prelude(&sites[5]), 0);
}

/* A short trace has one, too. */
static void test_short(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CFZ_PRELUDE_AGREED + 2; i++) {
        assert_int_equal(cfz_prelude(&sites[8]), 0);
        cfz_trace_begin();
        for (uint64_t k = 0; k < 20; k++)
            cfuzz_trace_number(&sites[8], k, k);
        cfuzz_trace_number(&sites[8], 100 + i, 7);
        cfz_trace_end();
        cfz_prelude_see();
    }
    assert_int_equal(cfz_prelude(&sites[8]), 20);
}

/* The first ones behind it are early, those within it are not. */
static void test_early(void **state)
{
    struct cfz_event e = {.site = &sites[3]}; /* test_longer: 120 */

    (void)state;
    assert_int_equal(cfz_prelude(&sites[3]), 120);
    e.nth = 0;
    assert_false(cfz_is_early(&e, 16));
    e.nth = 119;
    assert_false(cfz_is_early(&e, 16));
    e.nth = 120;
    assert_true(cfz_is_early(&e, 1));
    e.nth = 135;
    assert_true(cfz_is_early(&e, 16));
    e.nth = 136;
    assert_false(cfz_is_early(&e, 16));
    e = (struct cfz_event){.site = &sites[6], .nth = 15};
    assert_true(cfz_is_early(&e, 16));
    e.nth = 16;
    assert_false(cfz_is_early(&e, 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),  cmocka_unit_test(test_shorter),
        cmocka_unit_test(test_longer), cmocka_unit_test(test_evidence),
        cmocka_unit_test(test_short),  cmocka_unit_test(test_early),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
