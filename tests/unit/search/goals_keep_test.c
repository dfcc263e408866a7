/*
 * goals_keep_test.c - what is known of goals outlives the run; what is damaged or of another program
 * does not come in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/shmem.h"
#include "search/goals_keep.h"

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

/* Three goals and two sites of which something is known. Returns the length of the file. */
static size_t make(void)
{
    struct cfz_recipe recipe = {.set = CFZ_RECIPE_SUM, .width = 4, .side = 1, .at = 9};

    forget();
    cfz_goal_note(goals, 11)->tried = 3;
    cfz_goal_note(goals, 12)->copied = 64;
    cfz_goal_note(goals, 13)->met = 1;
    cfz_goal_note(goals, 14); /* nothing is known of that one */
    goals->sites[1].failed = 7;
    goals->sites[3].erratic = 1;
    goals->recipes[1] = recipe;
    return cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
}

static void test_round_trip(void **state)
{
    size_t len = make();

    (void)state;
    assert_int_equal(len, 32 + 2 * 32 + 3 * 16);
    forget();
    assert_true(cfz_goals_recall(goals, MARK, file, len));
    assert_int_equal(goals->nnotes, 3);
    assert_int_equal(cfz_goal_note(goals, 11)->tried, 3);
    assert_int_equal(cfz_goal_note(goals, 12)->copied, 64);
    assert_int_equal(cfz_goal_note(goals, 13)->met, 1);
    assert_int_equal(cfz_goal_note(goals, 11)->met, 0);
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

/* What cost most stays where there is not room for all; and a file has an end. */
static void test_bounds(void **state)
{
    size_t len;

    (void)state;
    forget();
    for (uint64_t i = 1; i <= CFZ_GOALS_MAX / 2; i++) {
        struct cfz_goal_note *n = cfz_goal_note(goals, cfz_hash_mix(i));

        assert_non_null(n);
        n->met = 1;
        n->tried = i == 5000;
        n->copied = i == 70;
    }
    assert_int_equal(cfz_goals_keep(goals, MARK, file, 32 + 32 + 16 + 15), 32 + 3 * 16);
    len = cfz_goals_keep(goals, MARK, file, CFZ_GOALS_SIZE_MAX);
    assert_int_equal(len, 32 + CFZ_GOALS_KEPT_NOTES * 16);
    forget();
    assert_true(cfz_goals_recall(goals, MARK, file, len));
    assert_int_equal(goals->nnotes, CFZ_GOALS_KEPT_NOTES);
    assert_int_equal(cfz_goal_note(goals, cfz_hash_mix(5000))->tried, 1);
    assert_int_equal(cfz_goal_note(goals, cfz_hash_mix(70))->copied, 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_bounds), cmocka_unit_test(test_mark)};
    int ret = cmocka_run_group_tests(tests, setup, NULL);

    free(file);
    return ret;
}
