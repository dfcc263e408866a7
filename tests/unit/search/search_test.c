/*
 * search_test.c - what is executed for the search, and what it costs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

static void begin(struct program *p, void (*body)(struct program *, const struct cfz_values *))
{
    for (int i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                        .predicate = CFZ_REL_EQUAL,
                                        .width = 32,
                                        .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(p, bytes, 1, body), 0);
}

static size_t longest; /* input that was executed */

static void one(struct program *p, const struct cfz_values *vs)
{
    longest = vs->v[0].len > longest ? vs->v[0].len : longest;
    program_equal(p, 0, vs->v[0].len, 7);
}

/* One that is too long is not executed, and what the last one showed is none of it. */
static void test_too_long(void **state)
{
    static struct program p;
    static struct cfz_image im;
    uint64_t cost;

    (void)state;
    begin(&p, one);
    p.search.max_len = 7;
    p.search.states = 5;
    assert_true(program_read(&p, "1234567", &im));
    assert_int_equal(cfz_search_try(&p.search, &im, true), CFZ_RAN);
    assert_int_equal(cfz_trace.nevents, 1);
    assert_int_equal(p.runs, 1);
    cost = p.search.cost;
    assert_true(program_read(&p, "12345678", &im));
    assert_int_equal(cfz_search_try(&p.search, &im, true), CFZ_RAN);
    assert_int_equal(p.runs, 1);
    assert_int_equal(cfz_trace.nevents, 0);
    assert_int_equal(p.search.states, 0);
    assert_int_equal(p.search.cost, cost + 1); /* so that a loop of them ends */
}

/* Nothing that is shorter says what is compared. */
static void scattered(struct program *p, const struct cfz_values *vs)
{
    uint64_t h = 7;

    longest = vs->v[0].len > longest ? vs->v[0].len : longest;
    for (size_t i = 0; i < vs->v[0].len; i++)
        h = cfz_hash_mix(h ^ vs->v[0].data[i]);
    program_equal(p, 0, h & 0xffffffff, 0x12345678);
}

/* An attempt that could execute nothing longer counts once for each time that it was made. */
static void test_as_long_as_may_be(void **state)
{
    static struct program p;
    const struct cfz_goal_note *note;

    (void)state;
    begin(&p, scattered);
    p.search.max_len = 8;
    longest = 0;
    for (unsigned round = 0; round < 4; round++) {
        p.v[0].len = 8;
        memcpy(p.data[0], "\5bcdefgh", 8);
        cfz_solver_entry(&p.search, round, 0);
        note = cfz_goal_known(p.search.goals, cfz_goal_key0(&p.sites[0], 1));
        assert_non_null(note);
        assert_int_equal(note->tried, round + 1);
    }
    assert_int_equal(longest, 8);
}

enum { GOALS = 6, LOOP = PROGRAM_SITES - 1 };

/* Attempts at all goals, each of which had as many. */
static unsigned attempts(const struct program *p, unsigned each)
{
    unsigned n = 0;

    for (unsigned k = 0; k < GOALS; k++) {
        const struct cfz_goal_note *note =
            cfz_goal_known(p->search.goals, cfz_goal_key0(&p->sites[k], 1));

        n += note ? note->tried : 0;
        if (each > 0)
            assert_int_equal(note->tried, each);
    }
    return n;
}

/* Dear goals that cannot be met. */
static void dear(struct program *p, const struct cfz_values *vs)
{
    uint64_t h = 7;

    for (size_t i = 0; i < vs->v[0].len; i++)
        h = cfz_hash_mix(h ^ vs->v[0].data[i]);
    for (unsigned k = 0; k < GOALS; k++)
        program_equal(p, k, cfz_hash_mix(h + k) & 0xffffffff, 0x12345678);
    for (unsigned i = 0; p->tracing && i < 100000; i++)
        program_equal(p, LOOP, 1, 1);
}

/* What is too much for one turn is worked on in further ones, goal by goal, until all had their
 * attempts. */
static void test_cut(void **state)
{
    static const unsigned after[] = {5, 7, 9, 11, 12, 12};
    static struct program p;
    uint64_t cost = 0;

    (void)state;
    begin(&p, dear);
    for (unsigned k = 0; k < sizeof after / sizeof after[0]; k++) {
        p.v[0].len = 8;
        memcpy(p.data[0], "\5bcdefgh", 8);
        cfz_solver_entry(&p.search, 0, 0);
        assert_int_equal(attempts(&p, 0), after[k]);
        assert_int_equal(p.search.is_cut, k < 5);
        assert_in_range(p.search.cost - cost, 1 << 21, 1 << 22);
        cost = p.search.cost;
    }
    attempts(&p, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_too_long),
                                       cmocka_unit_test(test_as_long_as_may_be),
                                       cmocka_unit_test(test_cut)};
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
