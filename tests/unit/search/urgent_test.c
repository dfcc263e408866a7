/*
 * urgent_test.c - which goals cannot wait, and in which order the solver gets them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "program.h"
#include "search/obstacles.h"
#include "search/urgent.h"

static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES};

static struct program p;
static struct cfz_urgent urgent;

static struct cfz_site equal(uint32_t behind_true, uint32_t behind_false)
{
    return (struct cfz_site){.kind = CFZ_SITE_INT,
                             .predicate = CFZ_REL_EQUAL,
                             .width = 32,
                             .flags = CFZ_SITE_CONST_B,
                             .behind_true = behind_true,
                             .behind_false = behind_false};
}

/* What is behind them: much, little, some, much but shown. Then text, a switch, and a bound. */
static void body(struct program *program, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    program_equal(program, 0, d[0], 100);
    program_equal(program, 1, d[0], 101);
    program_equal(program, 2, d[0], 102);
    program_equal(program, 3, d[0], 'a');
    program_text(program, 4, "x", "keyword");
    if (program->tracing)
        cfuzz_trace_switch(&program->sites[5], d[0]);
    if (program->tracing)
        cfuzz_trace_number(&program->sites[6], d[0], 200);
    program_equal(program, 2, d[0], 103); /* the second of its site */
}

static int setup_program(void **state)
{
    static const struct cfz_case cases[] = {{.value = 5, .behind = 90}};

    (void)state;
    p.sites[0] = equal(40, 0);
    p.sites[1] = equal(CFZ_URGENT_BEHIND - 1, 50);
    p.sites[2] = equal(CFZ_URGENT_BEHIND, 0);
    p.sites[3] = equal(60, 3);
    p.sites[4] = (struct cfz_site){.kind = CFZ_SITE_STRING, .behind_true = 20};
    p.sites[5] =
        (struct cfz_site){.kind = CFZ_SITE_SWITCH, .width = 32, .ncases = 1, .cases = cases};
    p.sites[6] = equal(0, 70);
    p.sites[6].predicate = CFZ_REL_LESS;
    p.data[0][0] = 'a';
    if (program_begin(&p, kinds, 1, body) != 0)
        return -1;
    p.v[0].len = 1;
    return 0;
}

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    memset(&urgent, 0, sizeof urgent);
    return cfz_goals_renew(p.search.goals, &err);
}

/* An entry arrives. */
static void sees(uint64_t entry)
{
    struct cfz_image im;

    assert_true(cfz_image_read(&im, &p.vs));
    assert_true(cfz_search_trace(&p.search, &im));
    cfz_obstacles_saw(p.search.goals, &p.seen);
    cfz_urgent_see(&urgent, &p.search, entry, 100 * entry);
}

/* The next goal is of that site, or of none (-1). Returns how many attempts it had. */
static unsigned next_is(int site, uint64_t entry)
{
    struct cfz_goal g;
    unsigned before = 0;
    uint64_t of;

    assert_int_equal(cfz_urgent_next(&urgent, &p.search, 400, &g, &of, &before), site >= 0);
    if (site < 0)
        return 0;
    assert_ptr_equal(g.site, &p.sites[site]);
    assert_int_equal(g.key, cfz_goal_key0(g.site, true));
    assert_int_equal(g.want, CFZ_REL_EQUAL);
    assert_int_equal(g.level, 0);
    assert_int_equal(g.nth, 0);
    assert_int_equal(of, entry);
    return before;
}

static void gives_each_goal_its_attempts(void **state)
{
    (void)state;
    sees(3);
    for (int attempt = 0; attempt < CFZ_URGENT_ATTEMPTS; attempt++) {
        assert_int_equal(next_is(0, 3), attempt);
        assert_int_equal(next_is(4, 3), attempt);
        assert_int_equal(next_is(2, 3), attempt);
    }
    next_is(-1, 0);
}

static void drops_what_was_met(void **state)
{
    (void)state;
    sees(3);
    cfz_goal_meet(p.search.goals, cfz_goal_key0(&p.sites[0], true));
    next_is(4, 3);
    next_is(2, 3);
    next_is(4, 3);
}

static void takes_the_first_inputs_only(void **state)
{
    (void)state;
    sees(3);
    sees(4); /* the goals are there already */
    next_is(0, 3);
    urgent.n = 0;
    sees(5); /* it is the third that came to them */
    next_is(-1, 0);
    assert_int_equal(CFZ_URGENT_REACHED, 2);
}

static void keeps_those_with_most_behind(void **state)
{
    (void)state;
    urgent.n = CFZ_URGENT_GOALS;
    for (uint32_t i = 0; i < urgent.n; i++)
        urgent.goals[i] = (struct cfz_urgent_goal){.key = 1 + i, .behind = 30 + (i != 7)};
    sees(3);
    assert_int_equal(urgent.n, CFZ_URGENT_GOALS);
    for (uint32_t i = 0; i < urgent.n; i++) {
        assert_int_equal(urgent.goals[i].behind, i == 7 ? 40 : 31);
        assert_int_equal(urgent.goals[i].site, i == 7 ? p.sites[0].id : 0);
    }
}

static void waits_for_room(void **state)
{
    (void)state;
    assert_false(cfz_urgent_due(&urgent, UINT64_MAX));
    sees(5);
    next_is(-1, 0); /* it costs 500 */
    assert_int_equal(urgent.n, 3);
    assert_false(cfz_urgent_due(&urgent, 499));
    assert_true(cfz_urgent_due(&urgent, 500));
    urgent.goals[1].cost = 400;
    next_is(2, 5);
}

/* The target can write over it. */
static void survives_nonsense(void **state)
{
    (void)state;
    urgent.n = 1000;
    next_is(-1, 0);
    sees(3);
    assert_int_equal(urgent.n, 3);
    urgent.goals[0].site = UINT32_MAX;
    next_is(4, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(gives_each_goal_its_attempts, setup),
        cmocka_unit_test_setup(drops_what_was_met, setup),
        cmocka_unit_test_setup(takes_the_first_inputs_only, setup),
        cmocka_unit_test_setup(keeps_those_with_most_behind, setup),
        cmocka_unit_test_setup(waits_for_room, setup),
        cmocka_unit_test_setup(survives_nonsense, setup),
    };

    return cmocka_run_group_tests(tests, setup_program, NULL);
}
