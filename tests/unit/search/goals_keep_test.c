/*
 * goals_keep_test.c - what is known of goals outlives the run; what is damaged or of another
 * program does not come in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/shmem.h"
#include "program.h"
#include "search/goals_keep.h"
#include "solver/solver.h"

enum { NSITES = 4, MARK = 77 };

static struct cfz_site sites[NSITES] = {
    {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32, .line = 3},
    {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_LESS, .width = 64, .line = 4},
    {.kind = CFZ_SITE_STRING, .line = 5},
    {.kind = CFZ_SITE_STRING, .line = 6}};
static uint8_t tracing;
static struct cfz_goals *goals;
static uint8_t *file;

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    cfuzz_trace_init(CFUZZ_ABI, &tracing, sites, sites + NSITES);
    file = malloc(CFZ_GOALS_SIZE_MAX);
    return file && cfz_goals_map(&goals, &err) == 0 ? 0 : -1;
}

static void forget(void)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    assert_int_equal(cfz_goals_renew(goals, &err), 0);
}

/* Two goals and two sites of which something is to be kept. Returns the length of the file. */
static size_t make(void)
{
    struct cfz_recipe recipe = {.set = CFZ_RECIPE_SUM, .width = 4, .side = 1, .at = 9};

    forget();
    cfz_goal_note(goals, 11)->tried = 3;
    cfz_goal_note(goals, 12)->copied = 64;
    cfz_goal_note(goals, 23)->tried = 2;
    cfz_goal_meet(goals, 23);          /* by an input that is not in the corpus, perhaps */
    cfz_goal_note(goals, 14);          /* nothing is known of that one */
    goals->sites[1].failed = 7;
    goals->sites[3].erratic = 1;
    goals->recipes[1] = recipe;
    return cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
}

static void test_round_trip(void **state)
{
    size_t len = make();

    (void)state;
    assert_int_equal(len, 32 + 2 * 32 + 2 * 16);
    forget();
    assert_true(cfz_goals_recall(goals, MARK, file, len));
    assert_int_equal(goals->nnotes, 2);
    assert_int_equal(cfz_goal_note(goals, 11)->tried, 3);
    assert_int_equal(cfz_goal_note(goals, 12)->copied, 64);
    assert_int_equal(cfz_goal_note(goals, 23)->tried, 0);
    assert_false(cfz_goal_is_met(goals, 11));
    assert_int_equal(goals->sites[1].failed, 7);
    assert_int_equal(goals->sites[3].erratic, 1);
    assert_int_equal(goals->recipes[1].set, CFZ_RECIPE_SUM);
    assert_int_equal(goals->recipes[1].at, 9);
    assert_int_equal(goals->nrecipes, 1);
}

static void test_nothing_known(void **state)
{
    (void)state;
    forget();
    assert_int_equal(cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX), 0);
    make();
    assert_int_equal(cfz_goals_keep(goals, MARK, file, 40), 0);
}

/* Whatever byte is another, and however much is missing or too much: nothing comes in. */
static void test_damage(void **state)
{
    size_t len = make();

    (void)state;
    forget();
    for (size_t i = 0; i < len; i++) {
        file[i] ^= 0x10;
        assert_false(cfz_goals_recall(goals, MARK, file, len));
        file[i] ^= 0x10;
        assert_false(cfz_goals_recall(goals, MARK, file, i));
    }
    file[len] = 0;
    assert_false(cfz_goals_recall(goals, MARK, file, len + 1));
    assert_false(cfz_goals_recall(goals, MARK + 1, file, len));
    assert_int_equal(goals->nnotes, 0);
    assert_int_equal(goals->sites[1].failed, 0);
    assert_int_equal(goals->nrecipes, 0);
    assert_true(cfz_goals_recall(goals, MARK, file, len));
}

/* A recipe that no run may have written stays away; what else the file says comes in. */
static void test_no_recipe(void **state)
{
    static const struct cfz_recipe wrong[] = {
        {.set = CFZ_RECIPE_UNITS, .width = 1},
        {.set = CFZ_RECIPE_COPY, .width = 9},
        {.set = CFZ_RECIPE_COPY, .width = 2, .radix = 2},
        {.set = CFZ_RECIPE_SUM, .width = 2, .side = 2},
        {.set = CFZ_RECIPE_XOR, .width = 2, .big_endian = 2},
    };
    const struct cfz_recipe digits = {.set = CFZ_RECIPE_COPY, .width = 6, .radix = 8};
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        make();
        goals->recipes[1] = wrong[i];
        len = cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
        forget();
        assert_true(cfz_goals_recall(goals, MARK, file, len));
        assert_int_equal(goals->recipes[1].set, CFZ_RECIPE_NONE);
        assert_int_not_equal(goals->sites[1].failed, 0);
    }
    make();
    goals->recipes[1] = digits;
    len = cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
    forget();
    assert_true(cfz_goals_recall(goals, MARK, file, len));
    assert_memory_equal(&goals->recipes[1], &digits, sizeof digits);
}

/* What cost most stays where there is not room for all; and a file has an end. */
static void test_bounds(void **state)
{
    size_t len;

    (void)state;
    forget();
    for (uint64_t i = 1; i <= CFZ_GOALS_MAX / 2; i++) {
        struct cfz_goal_note *n = cfz_goal_note(goals, cfz_hash_mix(i));

        assert_non_null(n);
        n->tried = i == 5000;
        n->copied = 1;
    }
    assert_int_equal(cfz_goals_keep(goals, MARK, file, 32 + 32 + 16 + 15), 32 + 3 * 16);
    assert_true(cfz_goals_recall(goals, MARK, file, 32 + 3 * 16));
    len = cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
    assert_int_equal(len, 32 + CFZ_GOALS_KEPT_NOTES * 16);
    forget();
    assert_true(cfz_goals_recall(goals, MARK, file, len));
    assert_int_equal(goals->nnotes, CFZ_GOALS_KEPT_NOTES);
    assert_int_equal(cfz_goal_note(goals, cfz_hash_mix(5000))->tried, 1);
}

/* Another line, another counter behind it: another program. */
static void test_mark(void **state)
{
    uint64_t mark = cfz_goals_mark();

    (void)state;
    assert_true(cfz_goals_mark() == mark);
    sites[2].line++;
    assert_true(cfz_goals_mark() != mark);
    sites[2].line--;
    sites[0].counter_false += 4;
    assert_true(cfz_goals_mark() != mark);
    sites[0].counter_false -= 4;
    assert_true(cfz_goals_mark() == mark);
}

/* Nothing solves this: each bit of the result depends on each bit of the input. */
static void mixed(struct program *p, const struct cfz_values *vs)
{
    p->solved = program_equal(p, 0, cfz_hash_mix(vs->v[0].bits * 0x9e3779b97f4a7c15), 0xbad1dea1);
}

/* Turns of the solver, more than it takes to give up. Returns the executions. */
static uint64_t give_up(struct program *p)
{
    uint64_t before = p->runs;

    for (unsigned round = 0; round < 20; round++)
        cfz_solver_entry(&p->search, round, 0);
    assert_false(p->solved);
    return p->runs - before;
}

/* What was given up in one run is not tried again in the next one. */
static void test_not_again(void **state)
{
    static struct program p = {
        .sites = {{.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 64}}};
    static const enum cfz_kind one[] = {CFZ_KIND_UINT64};
    struct cfz_error err = CFZ_ERROR_INIT;
    uint64_t first, second;
    size_t len;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    assert_int_equal(program_begin(&p, one, 1, mixed), 0);
    first = give_up(&p);
    assert_true(first > 1000);
    len = cfz_goals_keep(p.search.goals, MARK, file, CFZ_GOALS_SIZE_MAX);
    assert_true(len > 0);
    assert_int_equal(cfz_goals_renew(p.search.goals, &err), 0);
    assert_true(cfz_goals_recall(p.search.goals, MARK, file, len));
    second = give_up(&p);
    assert_true(second < first / 10);
    assert_int_equal(cfz_goals_renew(p.search.goals, &err), 0);
    assert_true(give_up(&p) > 1000); /* without the file */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_no_recipe),
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_mark),
        cmocka_unit_test(test_not_again)};
    int ret = cmocka_run_group_tests(tests, setup, NULL);

    free(file);
    return ret;
}
