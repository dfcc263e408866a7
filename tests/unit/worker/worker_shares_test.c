/*
 * worker_shares_test.c - what turns cost and brought, and which part of the work they get for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "worker/worker_shares.h"

enum { MILLION = 1 << 20, AT_ONCE = MILLION / 64, GIVEN = MILLION / 4 };

static void assert_spent(const struct cfz_worker_spent *p, uint64_t cost, uint64_t news,
                         uint64_t cost_owed, uint64_t news_owed)
{
    assert_int_equal(p->cost, cost);
    assert_int_equal(p->news, news);
    assert_int_equal(p->cost_owed, cost_owed);
    assert_int_equal(p->news_owed, news_owed);
}

static void test_spend(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    cfz_shares_spend(&s, &s.solver, 1000, 2, false);
    assert_spent(&s.solver, 1000, 2 * 256, 0, 0);
    cfz_shares_spend(&s, &s.solver, 24, 0, false);
    assert_spent(&s.solver, 1024, 2 * 256, 0, 0);
    assert_spent(&s.mending, 0, 0, 0, 0);
}

/* Of a turn that is four times too long three quarters are owed, of what it brought as well. */
static void test_owed(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    cfz_shares_spend(&s, &s.solver, 4 * AT_ONCE, 8, false);
    assert_spent(&s.solver, AT_ONCE, 2 * 256, 3 * AT_ONCE, 6 * 256);
    /* With half of the work for each, what is owed is added as mutation goes on. */
    s.mutation.cost = 2 * AT_ONCE - 1;
    assert_false(cfz_shares_may(&s, &s.solver, 512));
    assert_spent(&s.solver, 2 * AT_ONCE, 4 * 256, 2 * AT_ONCE, 4 * 256);
    s.mutation.cost = 3 * AT_ONCE - 1;
    assert_false(cfz_shares_may(&s, &s.solver, 512));
    s.mutation.cost = 5 * AT_ONCE;
    assert_true(cfz_shares_may(&s, &s.solver, 512));
    assert_spent(&s.solver, 4 * AT_ONCE, 8 * 256, 0, 0);
}

/* Of what was granted sixteen times as much counts at once, and the less is owed. */
static void test_granted(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    cfz_shares_spend(&s, &s.solver, GIVEN, 3, true);
    assert_spent(&s.solver, GIVEN, 3 * 256, 0, 0);
    cfz_shares_spend(&s, &s.solver, 2 * GIVEN, 2, true);
    assert_spent(&s.solver, 2 * GIVEN, 4 * 256, GIVEN, 256);
}

/* What is owed counts as far as the part goes, and what it brought with it. */
static void test_paid(void **state)
{
    struct cfz_worker_search s = {.solver = {.cost_owed = 5000, .news_owed = 1000},
                                  .mutation = {.cost = 3072}};

    (void)state;
    assert_false(cfz_shares_may(&s, &s.solver, 256)); /* a third of mutation's, and one */
    assert_int_equal(s.solver.cost, 1025);
    assert_int_equal(s.solver.news, 205);
    assert_int_equal(s.solver.cost_owed, 3975);
    assert_int_equal(s.solver.news_owed, 795);
    assert_false(cfz_shares_may(&s, &s.solver, 256)); /* nothing was mutated since */
    assert_int_equal(s.solver.cost, 1025);
    s.mutation.cost = 3 * 4999;
    assert_false(cfz_shares_may(&s, &s.solver, 256));
    assert_int_equal(s.solver.cost, 5000);
    assert_int_equal(s.solver.cost_owed, 0);
    assert_int_equal(s.solver.news_owed, 0);
    assert_int_equal(s.solver.news, 1000);
    s.mutation.cost = 3 * 5001;
    assert_true(cfz_shares_may(&s, &s.solver, 256)); /* all is paid */
}

/* Work counts half when all kinds together have had so much. */
static void test_decay(void **state)
{
    struct cfz_worker_search s = {.mutation = {.cost = MILLION - 1000, .news = 512}};

    (void)state;
    cfz_shares_spend(&s, &s.approach, 1000, 1, false);
    assert_spent(&s.approach, 1000, 256, 0, 0);
    cfz_shares_spend(&s, &s.approach, 2, 0, false);
    assert_spent(&s.approach, 501, 128, 0, 0);
    assert_spent(&s.mutation, (MILLION - 1000) / 2, 256, 0, 0);
}

static void test_may(void **state)
{
    struct cfz_worker_search s = {.mutation = {.cost = 3000}, .mending = {.cost = 999}};

    (void)state;
    assert_true(cfz_shares_may(&s, &s.mending, 256));
    s.mending.cost = 1000;
    assert_false(cfz_shares_may(&s, &s.mending, 256));
    assert_true(cfz_shares_may(&s, &s.mending, 257));
    assert_false(cfz_shares_may(&s, &s.mending, 0));
}

/* By what they brought for their cost, with a quarter of a find for 1,024 work that each is assumed
 * to have had. */
static void test_earned(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    assert_int_equal(cfz_shares_earned(&s, &s.solver), 512);
    s.solver = s.mutation = (struct cfz_worker_spent){.cost = 77777, .news = 2560};
    assert_int_equal(cfz_shares_earned(&s, &s.solver), 512);
    s.mutation = (struct cfz_worker_spent){.cost = 3 * 1024, .news = 3 * 64};
    s.solver = (struct cfz_worker_spent){.cost = 1024, .news = 5 * 64};
    assert_int_equal(cfz_shares_earned(&s, &s.solver), 1024 * 3 / 4);
}

static void test_in_vain(void **state)
{
    (void)state;
    assert_int_equal(cfz_shares_in_vain(96, 0), 96);
    assert_int_equal(cfz_shares_in_vain(96, MILLION / 2 - 1), 96);
    assert_int_equal(cfz_shares_in_vain(96, MILLION / 2), 48);
    assert_int_equal(cfz_shares_in_vain(96, MILLION), 24);
    assert_int_equal(cfz_shares_in_vain(96, 3 * (MILLION / 2)), 12);
    assert_int_equal(cfz_shares_in_vain(96, 2 * MILLION - 1), 12);
    assert_int_equal(cfz_shares_in_vain(96, 2 * MILLION), 6);
    assert_int_equal(cfz_shares_in_vain(96, UINT64_MAX), 6);
}

/* Where a try costs more than 64 on average, a cost counts less. */
static void test_patient(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    assert_int_equal(cfz_shares_patient(&s, 960), 960); /* before the first try */
    s.search.tries = 10;
    s.search.cost = 10 * 64;
    assert_int_equal(cfz_shares_patient(&s, 960), 960);
    s.search.cost = 3 * (10 * 64 + 1);
    assert_int_equal(cfz_shares_patient(&s, 960), 320);
    s.search.cost = 1000000;
    assert_int_equal(cfz_shares_patient(&s, 960), 60);
}

static void test_solver(void **state)
{
    struct cfz_worker_search s = {0};

    (void)state;
    /* It brought nothing yet, or nothing for long. */
    assert_int_equal(cfz_shares_solver(&s, false), 96);
    assert_int_equal(cfz_shares_solver(&s, true), 384);
    s.cost_vain = MILLION;
    assert_int_equal(cfz_shares_solver(&s, false), 24);
    assert_int_equal(cfz_shares_solver(&s, true), 96);
    /* A long turn brought something, of which most is owed. */
    s.solver =
        (struct cfz_worker_spent){.cost = 256, .news = 64, .cost_owed = 768, .news_owed = 192};
    s.mutation = (struct cfz_worker_spent){.cost = 1024, .news = 256};
    assert_int_equal(cfz_shares_solver(&s, false), 512);
    s.solver.news--;
    assert_int_equal(cfz_shares_solver(&s, false), 24);
    /* What it earned, within limits. */
    s.solver = (struct cfz_worker_spent){.cost = 1024, .news = 256};
    s.mutation = (struct cfz_worker_spent){.cost = 1024, .news = 256};
    assert_int_equal(cfz_shares_solver(&s, false), 512);
    assert_int_equal(cfz_shares_solver(&s, true), 614);
    s.mutation.news = 0;
    assert_int_equal(cfz_shares_solver(&s, false), 614);
    s.mutation.news = 2560000;
    assert_int_equal(cfz_shares_solver(&s, false), 32);
    assert_int_equal(cfz_shares_solver(&s, true), 128);
}

/* A new counter or none, then nothing new at all; work in vain; what was earned. */
static void test_approach(void **state)
{
    enum { QUARTER = MILLION / 4 };
    struct cfz_worker_search s = {.counter_since = 1000, .quiet_since = 1000};

    (void)state;
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER - 1), 16);
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 256);
    s.quiet_since = 1001; /* other counts of known edges */
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 96);
    s.approach_vain = MILLION - 1;
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 96);
    s.approach_vain = 2 * MILLION;
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 24);
    assert_int_equal(cfz_shares_approach(&s, 1001 + QUARTER), 64);
    assert_int_equal(cfz_shares_approach(&s, 2000), 16); /* not less */
    s.approach_vain = 5 * MILLION - 1;
    assert_int_equal(cfz_shares_approach(&s, 1001 + QUARTER), 16);
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 16);
    s.approach_vain = 5 * MILLION; /* but for where it has been in vain for long */
    assert_int_equal(cfz_shares_approach(&s, 1001 + QUARTER), 8);
    assert_int_equal(cfz_shares_approach(&s, 1000 + QUARTER), 8);
    assert_int_equal(cfz_shares_approach(&s, 2000), 16);
    s.approach = (struct cfz_worker_spent){.cost = 1024, .news = 64 * 256};
    s.mutation = (struct cfz_worker_spent){.cost = 1024, .news = 64 * 256};
    assert_int_equal(cfz_shares_approach(&s, 2000), 512);
    s.mutation.news = 4 * 64 * 256;
    assert_int_equal(cfz_shares_approach(&s, 2000), cfz_shares_earned(&s, &s.approach));
    s.mutation.news = 0;
    assert_int_equal(cfz_shares_approach(&s, 2000), 512);
}

static void test_sentences(void **state)
{
    enum { QUARTER = MILLION / 4 };
    struct cfz_worker_search s = {.quiet_since = 1000};

    (void)state;
    assert_int_equal(cfz_shares_sentences(&s, 2000), 256); /* at first */
    s.sentences_vain = MILLION / 2;
    assert_int_equal(cfz_shares_sentences(&s, 2000), 128);
    s.sentences_vain = 8 * MILLION;
    assert_int_equal(cfz_shares_sentences(&s, 2000), 16);
    assert_int_equal(cfz_shares_sentences(&s, 1000 + QUARTER), 16);
    s.sentences_news = 1; /* ever */
    assert_int_equal(cfz_shares_sentences(&s, 2000), 64);
    assert_int_equal(cfz_shares_sentences(&s, 1000 + QUARTER - 1), 64);
    assert_int_equal(cfz_shares_sentences(&s, 1000 + QUARTER), 256); /* nothing else does better */
    s.sentences = (struct cfz_worker_spent){.cost = 1024, .news = 64 * 256};
    s.mutation = (struct cfz_worker_spent){.cost = 1024, .news = 256 * 256};
    assert_int_equal(cfz_shares_sentences(&s, 2000), cfz_shares_earned(&s, &s.sentences));
    s.mutation.news = 0;
    assert_int_equal(cfz_shares_sentences(&s, 2000), 512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spend),    cmocka_unit_test(test_owed),
        cmocka_unit_test(test_granted),  cmocka_unit_test(test_paid),
        cmocka_unit_test(test_decay),    cmocka_unit_test(test_may),
        cmocka_unit_test(test_earned),   cmocka_unit_test(test_in_vain),
        cmocka_unit_test(test_patient),  cmocka_unit_test(test_solver),
        cmocka_unit_test(test_approach),
        cmocka_unit_test(test_sentences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
