/*
 * frontier_test.c - which entries are drawn for branches that were taken one way only.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coverage/trace.h"
#include "search/frontier.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);

enum { SITES = 3, MANY = 600, COUNTERS = 9 };

/* Two comparisons and a switch, with counters: reached by nothing, 0 and 1, 2 and 3, 4 to 6. Then
 * many comparisons, all of 7 and 8. */
static struct {
    struct cfz_site sites[SITES + MANY];
    struct cfz_case cases[2];
    uint8_t counters[COUNTERS];
} program = {.sites = {{.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32},
                       {.kind = CFZ_SITE_STRING},
                       {.kind = CFZ_SITE_SWITCH, .width = 32, .ncases = 2}}};

static uint8_t tracing, own[COUNTERS];
static struct cfz_cov_bits bits[COUNTERS];
static struct cfz_seen seen = {.own = own, .n = COUNTERS, .bits = bits};
static struct cfz_frontier frontier;
static struct cfz_rand rng;
static struct cfz_error err;

static int32_t to(const int32_t *field, unsigned counter)
{
    return (int32_t)((const uint8_t *)&program.counters[counter] - (const uint8_t *)field);
}

static int setup(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        program.sites[i].counter_true = to(&program.sites[i].counter_true, 2 * i);
        program.sites[i].counter_false = to(&program.sites[i].counter_false, 2 * i + 1);
    }
    for (unsigned i = SITES; i < SITES + MANY; i++) {
        program.sites[i] = program.sites[0];
        program.sites[i].counter_true = to(&program.sites[i].counter_true, 7);
        program.sites[i].counter_false = to(&program.sites[i].counter_false, 8);
    }
    program.sites[2].cases = program.cases;
    program.sites[2].counter_false = to(&program.sites[2].counter_false, 4);
    for (unsigned i = 0; i < 2; i++)
        program.cases[i] = (struct cfz_case){.value = i, .counter = 0};
    for (unsigned i = 0; i < 2; i++)
        program.cases[i].counter = to(&program.cases[i].counter, 5 + i);
    __sanitizer_cov_8bit_counters_init(program.counters, program.counters + COUNTERS);
    cfuzz_trace_init(CFUZZ_ABI, &tracing, program.sites, program.sites + SITES + MANY);
    cfz_rand_init(&rng, 1, 1);
    return cfz_counters_prepare(&err) < 0 || cfz_frontier_map(&frontier, COUNTERS, &err) < 0;
}

/* An entry arrives that covers one counter. */
static void reaches(uint64_t entry, uint32_t counter, uint64_t cost)
{
    own[counter] = 1;
    bits[0] = (struct cfz_cov_bits){counter, 1};
    seen.nbits = 1;
    cfz_frontier_learn(&frontier, &seen, &rng, entry, cost);
    frontier.turns_left = 0; /* look at all sites anew */
}

static void draws_what_reaches_a_missing_outcome(void **state)
{
    unsigned cheapest = 0, other = 0;
    uint64_t entry;

    (void)state;
    assert_false(cfz_frontier_next(&frontier, &seen, &rng, &entry)); /* nothing is covered */
    reaches(10, 1, 100);
    assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
    assert_int_equal(entry, 10);
    reaches(11, 1, 50); /* cheaper: it comes at least half of the time */
    for (int i = 0; i < 1000; i++) {
        assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
        cheapest += entry == 11;
        other += entry == 10;
    }
    assert_int_equal(cheapest + other, 1000);
    assert_in_range(cheapest, 500, 950);
    reaches(12, 0, 100); /* both ways of the first comparison: nothing is missing */
    assert_false(cfz_frontier_next(&frontier, &seen, &rng, &entry));
}

static void outcomes_with_few_turns_first(void **state)
{
    unsigned text = 0;
    uint64_t entry;

    (void)state;
    reaches(20, 3, 100);
    for (int i = 0; i < 100; i++)
        assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
    reaches(30, 4, 100); /* the default of the switch: a case is missing */
    for (int i = 0; i < 90; i++) {
        assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
        text += entry == 20;
    }
    assert_in_range(text, 0, 20); /* it had 100 already */
    reaches(31, 5, 100);
    reaches(32, 6, 100);
    for (int i = 0; i < 100; i++) {
        assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
        assert_int_equal(entry, 20); /* all cases were shown */
    }
}

/* Each outcome has one favoured entry, the cheapest; one that is nobody's is not drawn. */
static void favours_the_cheapest_of_each_outcome(void **state)
{
    unsigned drawn[64] = {0};
    uint64_t entry;

    (void)state;
    for (uint32_t c = 0; c < 7; c++)
        reaches(40, c, 40);
    reaches(41, 2, 20);
    reaches(42, 2, 30); /* neither first nor cheapest */
    for (int i = 0; i < 1000; i++) {
        assert_true(cfz_frontier_favoured(&frontier, &rng, &entry));
        assert_in_range(entry, 40, 41);
        drawn[entry]++;
    }
    assert_in_range(drawn[41], 100, 250); /* one of two outcomes, of one of three comparisons */
}

static void favours_nothing_before_it_is_shown(void **state)
{
    uint64_t entry = 7;

    (void)state;
    assert_int_equal(cfz_frontier_renew(&frontier, &err), 0);
    assert_false(cfz_frontier_favoured(&frontier, &rng, &entry));
    assert_int_equal(entry, 7);
}

/* Among many comparisons what is missing is not looked for at each turn: once in three of 600. */
static void keeps_what_is_missing(void **state)
{
    uint64_t entry;

    (void)state;
    reaches(50, 7, 100);
    assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
    own[8] = 1; /* nothing is missing any more */
    for (int i = 0; i < 2; i++)
        assert_true(cfz_frontier_next(&frontier, &seen, &rng, &entry));
    assert_false(cfz_frontier_next(&frontier, &seen, &rng, &entry));
    assert_false(cfz_frontier_next(&frontier, &seen, &rng, &entry));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_what_reaches_a_missing_outcome),
                                       cmocka_unit_test(outcomes_with_few_turns_first),
                                       cmocka_unit_test(favours_the_cheapest_of_each_outcome),
                                       cmocka_unit_test(favours_nothing_before_it_is_shown),
                                       cmocka_unit_test(keeps_what_is_missing)};

    return cmocka_run_group_tests(tests, setup, NULL);
}
