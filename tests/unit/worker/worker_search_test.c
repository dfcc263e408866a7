/*
 * worker_search_test.c - what turns of the search cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worker/worker_search.h"

/* One long turn is waited for as long as many short ones: what is looked back on is a million, so
 * eight million of work counts 16,384 at once. */
static void test_long_turn(void **state)
{
    static struct cfz_worker w;
    struct cfz_worker_search *s = &w.search;

    (void)state;
    cfz_worker_search_begin_turn(s, CFZ_SEARCH_APPROACH);
    s->search.cost += (1 << 23) - 1;
    s->search.nnews += 4;
    cfz_worker_search_end_turn(&w);
    assert_int_equal(s->approach.cost, 1 << 14);
    assert_int_equal(s->approach.news, 2);
    assert_int_equal(s->approach.cost_owed, (1 << 23) - (1 << 14));
    assert_int_equal(s->approach.news_owed, 4 * 256 - 2);
    assert_int_equal(s->approach_ever, 1 << 23);
    assert_int_equal(s->turn, CFZ_SEARCH_NO_TURN);

    cfz_worker_search_begin_turn(s, CFZ_SEARCH_APPROACH); /* a short one owes nothing */
    s->search.cost += 999;
    cfz_worker_search_end_turn(&w);
    assert_int_equal(s->approach.cost, (1 << 14) + 1000);
    assert_int_equal(s->approach.cost_owed, (1 << 23) - (1 << 14));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_turn)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
