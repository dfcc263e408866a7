/*
 * nearest_trial_test.c - how near the solver came to a goal that it did not meet is not lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/nearest.h"
#include "search/program.h"
#include "solver/solver.h"

/* 1003 of the first byte is as near to 1000 as it gets. */
static void never(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len > 0)
        p->solved = program_equal(p, 0, 7ULL * vs->v[0].data[0] + 2, 1000);
}

static void test_kept(void **state)
{
    static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};
    static struct program p;
    const struct cfz_nearest *n;

    (void)state;
    p.sites[0] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                   .predicate = CFZ_REL_EQUAL,
                                   .width = 32,
                                   .flags = CFZ_SITE_CONST_B,
                                   .behind_true = 1};
    assert_int_equal(program_begin(&p, bytes, 1, never), 0);
    p.v[0].data[0] = 10;
    p.v[0].len = 1;
    cfz_solver_entry(&p.search, 0, 0);
    assert_false(p.solved);
    n = cfz_nearest_next(&p.search);
    assert_non_null(n);
    assert_ptr_equal(n->goal.site, &p.sites[0]);
    assert_int_equal(n->distance, 3);
    assert_int_equal(n->a, 1003);
}

static int map(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    return cfz_solver_map(&err) < 0 || cfz_nearest_map(&err) < 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept)};

    return cmocka_run_group_tests(tests, map, NULL);
}
