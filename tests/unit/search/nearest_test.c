/*
 * nearest_test.c - which inputs are kept as the nearest ones to a goal, and whose turn it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program.h"
#include "coverage/prelude.h"
#include "search/nearest.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

enum { FIRST, SECOND, EITHER, OWN, SWITCH }; /* sites */

/* The first byte is to be 100, and then the second one 50; the third one makes paths. */
static void two(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len < 3)
        return;
    program_equal(p, EITHER, d[2] & 1, 1);
    if (program_equal(p, FIRST, d[0], 100))
        program_equal(p, SECOND, d[1], 50);
}

/* The same of the first byte alone, at a site that the program comes to twenty times before: there
 * it compares numbers of its own, of which the last one is 99. */
static void own_first(struct program *p, const struct cfz_values *vs)
{
    for (uint64_t i = 80; i < 100; i++)
        program_equal(p, OWN, i, 100);
    if (vs->v[0].len > 0)
        program_equal(p, OWN, vs->v[0].data[0], 100);
}

/* The first byte chooses. */
static void chooses(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len > 0 && p->tracing)
        cfuzz_trace_switch(&p->sites[SWITCH], vs->v[0].data[0]);
}

static struct program p;
static struct cfz_image im;

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        p.sites[i] = (struct cfz_site){
            .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .behind_true = i};
    return program_begin(&p, bytes, 1, two) < 0 || cfz_nearest_map(&err) < 0 ||
           cfz_prelude_map(&err) < 0;
}

/* Executes an input, and shows its trace. Returns what cfz_nearest_see does. */
static bool see(const char *data)
{
    assert_true(program_read(&p, data, &im));
    assert_int_equal(cfz_search_try(&p.search, &im, true), CFZ_RAN);
    return cfz_nearest_see(&p.search, &im);
}

static bool has(const struct cfz_nearest *n, const char *data)
{
    for (uint32_t i = 0; i < n->nways; i++)
        if (cfz_image_size(&n->ways[i].im) == strlen(data) &&
            memcmp(n->ways[i].im.bytes, data, strlen(data)) == 0)
            return true;
    return false;
}

static void keeps_the_nearest(void **state)
{
    const struct cfz_nearest *n;
    uint64_t path;

    (void)state;
    assert_null(cfz_nearest_next(&p.search));
    assert_null(cfz_nearest_any(&p.rand));
    assert_true(see("A0B")); /* two outcomes, of 'A' and of 'B', for the first time */
    n = cfz_nearest_next(&p.search);
    assert_non_null(n);
    if (n->goal.site !=
        &p.sites[FIRST]) /* more is behind it, but the turn of the other one is in vain */
        n = cfz_nearest_next(&p.search);
    assert_ptr_equal(n->goal.site, &p.sites[FIRST]);
    assert_int_equal(n->distance, 100 - 'A');
    assert_int_equal(n->nways, 1);
    path = n->ways[0].path;

    assert_false(see("D0Blonger")); /* nearer: in its place */
    assert_int_equal(n->distance, 100 - 'D');
    assert_int_equal(n->vain, 0);
    assert_int_equal(n->nways, 1);
    assert_false(see("D0B")); /* as near, and shorter */
    assert_true(has(n, "D0B"));
    assert_false(see("B0B")); /* farther */
    assert_true(has(n, "D0B"));
    assert_int_equal(n->nways, 1);

    see("B0A"); /* on another path, beside it */
    assert_int_equal(n->nways, 2);
    assert_true(has(n, "D0B") && has(n, "B0A"));
    assert_int_equal(n->distance, 100 - 'D');
    assert_int_not_equal(n->ways[1].path, path);
}

static bool is_moved_by(const struct cfz_nearest *n, const char *data)
{
    return n->is_moved && cfz_image_size(&n->moved) == strlen(data) &&
           memcmp(n->moved.bytes, data, strlen(data)) == 0;
}

/* After some turns in vain an input that is farther away, with another operand, is kept as well. */
static void keeps_what_moves(void **state)
{
    struct cfz_nearest *n = NULL;

    (void)state;
    see("E0B"); /* nearer */
    while (!n || n->goal.site != &p.sites[FIRST] || n->vain < 3)
        n = cfz_nearest_next(&p.search);
    see("B0B");
    assert_false(n->is_moved);
    while (n->vain < 4)
        cfz_nearest_next(&p.search);
    see("E0Blonger"); /* the operand is that of the nearest one */
    assert_false(n->is_moved);
    see("B0B");
    assert_true(is_moved_by(n, "B0B"));
    assert_false(has(n, "B0B"));
    see("C0B"); /* one at a time */
    assert_true(is_moved_by(n, "B0B"));
    n->is_moved = false;
    for (int k = 1; k < 8; k++) { /* eight, until one comes nearer */
        see("C0B");
        assert_true(is_moved_by(n, "C0B"));
        n->is_moved = false;
    }
    see("C0B");
    assert_false(n->is_moved);
    see("F0B");
    while (n->vain < 4)
        cfz_nearest_next(&p.search);
    see("C0B");
    assert_true(is_moved_by(n, "C0B"));
}

static void forgets_what_is_met(void **state)
{
    const struct cfz_nearest *n;
    bool found = false;

    (void)state;
    assert_true(see("d0A")); /* shows that the first byte is right, which has no counter */
    for (int i = 0; i < 8; i++) {
        n = cfz_nearest_next(&p.search);
        assert_non_null(n);
        assert_ptr_not_equal(n->goal.site, &p.sites[FIRST]);
        found |= n->goal.site == &p.sites[SECOND];
    }
    assert_true(found);
    assert_false(see("d1A"));
    assert_true(see("d2A"));
    assert_null(cfz_nearest_next(&p.search)); /* both outcomes of all of them were seen */
    assert_null(cfz_nearest_any(&p.rand));
    assert_false(see("A0B")); /* nor do they come back */
    assert_null(cfz_nearest_next(&p.search));
}

/* What the program compares before it comes to its input is not near to anything. */
static void passes_over_what_comes_before(void **state)
{
    const struct cfz_nearest *n = NULL;
    char data[] = "A";

    (void)state;
    p.body = own_first;
    for (unsigned i = 0; i < CFZ_PRELUDE_AGREED + 2; i++, data[0]++) {
        assert_true(program_read(&p, data, &im));
        assert_int_equal(cfz_search_try(&p.search, &im, true), CFZ_RAN);
        cfz_prelude_see();
    }
    assert_int_equal(cfz_prelude(&p.sites[OWN]), 20);
    see("A");
    while (!n || n->goal.site != &p.sites[OWN])
        n = cfz_nearest_next(&p.search);
    assert_int_equal(n->distance, 100 - 'A');
    see("C");
    assert_int_equal(n->distance, 100 - 'C');
    p.body = two;
}

/* Of a switch the open case with most behind it is a goal; then the next one, until none is left
 * that has anything behind it. */
static void takes_cases_one_by_one(void **state)
{
    static const struct cfz_case cases[] = {
        {.value = '1', .behind = 2}, {.value = '2', .behind = 9}, {.value = '3', .behind = 0}};
    struct cfz_nearest *n;

    (void)state;
    p.sites[SWITCH] = (struct cfz_site){
        .id = p.sites[SWITCH].id, .kind = CFZ_SITE_SWITCH, .width = 8, .ncases = 3, .cases = cases};
    p.body = chooses;
    see("7longer");
    n = cfz_nearest_next(&p.search);
    while (n->goal.site != &p.sites[SWITCH])
        n = cfz_nearest_next(&p.search);
    assert_int_equal(n->goal.value, '2');
    assert_int_equal(cfz_goal_behind(&n->goal), 9);
    assert_int_equal(n->distance, 1);
    see("8"); /* however far: as near, and shorter */
    assert_int_equal(n->distance, 1);
    assert_true(has(n, "8"));
    while (n->vain < 3)
        n = cfz_nearest_next(&p.search);
    n->is_moved = true;
    n->moves = 8;
    see("2");
    cfz_goals_learn(p.search.goals);
    see("8");
    assert_int_equal(n->goal.value, '1');
    assert_int_equal(n->vain, 0);
    assert_int_equal(n->moves, 0);
    assert_false(n->is_moved);
    see("1");
    cfz_goals_learn(p.search.goals);
    see("8"); /* nothing is behind '3' */
    n = cfz_nearest_next(&p.search);
    assert_true(!n || n->goal.site != &p.sites[SWITCH]);
    see("8");
    n = cfz_nearest_next(&p.search);
    assert_true(!n || n->goal.site != &p.sites[SWITCH]);
    p.body = two;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_nearest), cmocka_unit_test(keeps_what_moves),
        cmocka_unit_test(forgets_what_is_met), cmocka_unit_test(passes_over_what_comes_before),
        cmocka_unit_test(takes_cases_one_by_one)};

    return cmocka_run_group_tests(tests, setup, NULL);
}
