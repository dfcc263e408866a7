/*
 * worker_search_test.c - how work is shared between mutation and the stages of the search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worker/worker_search.h"

static bool may(struct cfz_worker_search *s, uint64_t part)
{
    return cfz_worker_search_may(s, &s->solver, part);
}

static void test_part(void **state)
{
    struct cfz_worker_search s = {.solver = {.cost = 1000}, .mutation = {.cost = 3000}};

    (void)state;
    assert_true(may(&s, 257)); /* a quarter, and a little */
    assert_false(may(&s, 256));
}

/* What is owed counts as far as the part goes, and what it brought with it. */
static void test_owed(void **state)
{
    struct cfz_worker_search s = {.solver = {.cost_owed = 5000, .news_owed = 1000},
                                  .mutation = {.cost = 3072}};

    (void)state;
    assert_false(may(&s, 256)); /* a third of mutation's, and one */
    assert_int_equal(s.solver.cost, 1025);
    assert_int_equal(s.solver.news, 205);
    assert_int_equal(s.solver.cost_owed, 3975);
    assert_int_equal(s.solver.news_owed, 795);
    assert_false(may(&s, 256)); /* nothing was mutated since */
    assert_int_equal(s.solver.cost, 1025);
    s.mutation.cost = 3 * 4999;
    assert_false(may(&s, 256));
    assert_int_equal(s.solver.cost, 5000);
    assert_int_equal(s.solver.cost_owed, 0);
    assert_int_equal(s.solver.news_owed, 0);
    assert_int_equal(s.solver.news, 1000);
    s.mutation.cost = 3 * 5001;
    assert_true(may(&s, 256)); /* all is paid */
}

/* One long turn is waited for as long as many short ones: what is looked back on is a million, so
 * eight million of work counts 262,144 at once. */
static void test_long_turn(void **state)
{
    static struct cfz_worker w;
    struct cfz_worker_search *s = &w.search;

    (void)state;
    cfz_worker_search_begin_turn(s, CFZ_SEARCH_APPROACH);
    s->search.cost += (1 << 23) - 1;
    s->search.nnews += 4;
    cfz_worker_search_end_turn(&w);
    assert_int_equal(s->approach.cost, 1 << 18);
    assert_int_equal(s->approach.news, 32);
    assert_int_equal(s->approach.cost_owed, (1 << 23) - (1 << 18));
    assert_int_equal(s->approach.news_owed, 4 * 256 - 32);
    assert_int_equal(s->approach_ever, 1 << 23);
    assert_int_equal(s->turn, CFZ_SEARCH_NO_TURN);

    cfz_worker_search_begin_turn(s, CFZ_SEARCH_APPROACH); /* a short one owes nothing */
    s->search.cost += 999;
    cfz_worker_search_end_turn(&w);
    assert_int_equal(s->approach.cost, (1 << 18) + 1000);
    assert_int_equal(s->approach.cost_owed, (1 << 23) - (1 << 18));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_part), cmocka_unit_test(test_owed),
                                       cmocka_unit_test(test_long_turn)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
