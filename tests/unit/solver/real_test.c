/*
 * real_test.c - steps for float arguments of which a program makes integers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

enum { COLUMNS = 64 };

static uint64_t column_of(double longitude)
{
    if (!(longitude >= -180 && longitude <= 180))
        longitude = 0; /* as if it were wrapped */
    return (uint64_t)((longitude + 180) / 360 * COLUMNS);
}

/* A column of a map is one too many at exactly 180 degrees. */
static void map(struct program *p, const struct cfz_values *vs)
{
    const uint64_t column = column_of(cfz_value_float(&vs->v[0]));

    if (p->tracing)
        cfuzz_trace_number(&p->sites[0], column, COLUMNS);
    p->solved = column >= COLUMNS;
}

/* From a number on, the input is solved. */
static void solve_from(struct program *p, double x)
{
    static const enum cfz_kind kind[] = {CFZ_KIND_FLOAT64};

    p->sites[0] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                    .predicate = CFZ_REL_GREATER | CFZ_REL_EQUAL,
                                    .width = 64,
                                    .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(p, kind, 1, map), 0);
    cfz_value_set_float(&p->v[0], x);
    cfz_solver_entry(&p->search, 0, 0);
    assert_true(p->solved);
    assert_in_range(p->runs, 1, 400);
}

/* 0: bits of its bytes move the column into nowhere, or not at all. */
static void test_from_zero(void **state)
{
    static struct program p;

    (void)state;
    solve_from(&p, 0);
}

static void test_from_the_last_column(void **state)
{
    static struct program p;

    (void)state;
    solve_from(&p, 176.5);
}

static void test_from_the_west(void **state)
{
    static struct program p;

    (void)state;
    solve_from(&p, -133.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_zero),
        cmocka_unit_test(test_from_the_last_column),
        cmocka_unit_test(test_from_the_west),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
