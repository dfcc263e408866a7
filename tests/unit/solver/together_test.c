/*
 * together_test.c - two numbers of which a comparison before asks something that has to stay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

enum { FIRST, SECOND };

static const enum cfz_kind ints[] = {CFZ_KIND_INT64, CFZ_KIND_INT64},
                           words[] = {CFZ_KIND_UINT32, CFZ_KIND_UINT32},
                           floats[] = {CFZ_KIND_FLOAT64, CFZ_KIND_FLOAT64},
                           texts[] = {CFZ_KIND_STRING, CFZ_KIND_STRING};

static void begin(struct program *p, const enum cfz_kind kinds[2], enum cfz_site_kind kind,
                  void (*body)(struct program *, const struct cfz_values *))
{
    for (int i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] =
            (struct cfz_site){.kind = (uint8_t)kind, .predicate = CFZ_REL_EQUAL, .width = 64};
    assert_int_equal(program_begin(p, kinds, 2, body), 0);
    p->limit = 20000;
}

/* Two attempts at the last comparison of the input: the step is one of the second. */
static void work_on_last(struct program *p)
{
    static struct cfz_image im;
    struct cfz_goal g;

    assert_true(program_last_goal(p, &im, &g));
    assert_int_equal(cfz_trace.nevents, 2);
    for (int k = 0; k < 2 && !p->solved; k++)
        cfz_solver_goal(&p->search, &im, &g);
    assert_true(p->solved);
    assert_string_equal(cfz_solver_step_name(), "together");
}

static void amounts(struct program *p, const struct cfz_values *vs)
{
    const uint64_t a = vs->v[0].bits, b = vs->v[1].bits;

    p->solved = program_equal(p, FIRST, a + b, 1000000) && program_equal(p, SECOND, a - 2 * b, 100);
}

/* a is 666,700 and b 333,300. */
static void test_sum_and_difference(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, ints, CFZ_SITE_INT, amounts);
    p.v[0].bits = 1000007;
    p.v[1].bits = (uint64_t)-7;
    work_on_last(&p);
    assert_int_equal(p.v[0].bits, 666700);
    assert_int_equal(p.v[1].bits, 333300);
    assert_int_equal(p.runs, 8090);
}

static void sides(struct program *p, const struct cfz_values *vs)
{
    const uint64_t w = (uint32_t)vs->v[0].bits, h = (uint32_t)vs->v[1].bits;

    p->solved = program_equal(p, FIRST, w * 9, h * 16) &&
                program_equal(p, SECOND, w ^ h, (16 * 54321) ^ (9 * 54321));
}

/* What an xor asks is met from the lowest bit on, from the smallest sides that there are. */
static void test_ratio_and_xor(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, words, CFZ_SITE_INT, sides);
    p.v[0].bits = UINT64_C(16) * 250000000;
    p.v[1].bits = UINT64_C(9) * 250000000;
    work_on_last(&p);
    assert_int_equal((uint32_t)p.v[0].bits, 16 * 54321);
    assert_int_equal((uint32_t)p.v[1].bits, 9 * 54321);
    assert_int_equal(p.runs, 705);
}

static uint64_t bits_of(double d)
{
    struct cfz_value v = {.kind = CFZ_KIND_FLOAT64};

    cfz_value_set_float(&v, d);
    return v.bits;
}

static void shares(struct program *p, const struct cfz_values *vs)
{
    const double a = cfz_value_float(&vs->v[0]), b = cfz_value_float(&vs->v[1]);

    if (p->tracing)
        cfuzz_trace_number(&p->sites[FIRST], bits_of(a + b), bits_of(1));
    if (a + b != 1)
        return;
    if (p->tracing)
        cfuzz_trace_number(&p->sites[SECOND], bits_of(a - b), bits_of(0.25));
    p->solved = a - b == 0.25;
}

static void test_floats(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, floats, CFZ_SITE_FLOAT, shares);
    cfz_value_set_float(&p.v[0], 0.75);
    cfz_value_set_float(&p.v[1], 0.25);
    work_on_last(&p);
    assert_true(cfz_value_float(&p.v[0]) == 0.625);
    assert_int_equal(p.runs, 3491);
}

/* Has a and b, integers, add up to a hundred units of a float. */
static void quarters(struct program *p, const struct cfz_values *vs, double unit)
{
    const double a = (double)(int64_t)vs->v[0].bits, b = (double)(int64_t)vs->v[1].bits;

    if (p->tracing)
        cfuzz_trace_number(&p->sites[FIRST], bits_of(a * unit + b * unit), bits_of(100 * unit));
    p->solved = a * unit + b * unit == 100 * unit &&
                program_equal(p, SECOND, vs->v[0].bits - 2 * vs->v[1].bits, 40);
}

static void of_a_quarter(struct program *p, const struct cfz_values *vs)
{
    quarters(p, vs, 0.25);
}

/* The effect of one more is a part of 1. */
static void test_parts_of_one(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, ints, CFZ_SITE_FLOAT, of_a_quarter);
    p.sites[SECOND].kind = CFZ_SITE_INT;
    p.v[0].bits = 107;
    p.v[1].bits = (uint64_t)-7;
    work_on_last(&p);
    assert_int_equal(p.v[0].bits, 80);
    assert_int_equal(p.v[1].bits, 20);
    assert_int_equal(p.runs, 589);
}

static void ratio(struct program *p, const struct cfz_values *vs)
{
    const double a = (double)(int64_t)vs->v[0].bits, b = (double)(int64_t)vs->v[1].bits;

    if (p->tracing)
        cfuzz_trace_number(&p->sites[FIRST], bits_of(1.5 * a - 2.5 * b), bits_of(0));
    p->solved =
        1.5 * a == 2.5 * b && program_equal(p, SECOND, vs->v[0].bits + 7 * vs->v[1].bits, 26000);
}

/* 3 of one for 5 of the other. */
static void test_ratio_of_parts(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, ints, CFZ_SITE_FLOAT, ratio);
    p.sites[SECOND].kind = CFZ_SITE_INT;
    p.v[0].bits = 5;
    p.v[1].bits = 3;
    work_on_last(&p);
    assert_int_equal(p.v[0].bits, 5000);
    assert_int_equal(p.v[1].bits, 3000);
    assert_int_equal(p.runs, 643);
}

static void more_than(struct program *p, const struct cfz_values *vs)
{
    const double a = cfz_value_float(&vs->v[0]), b = cfz_value_float(&vs->v[1]);

    if (p->tracing)
        cfuzz_trace_number(&p->sites[FIRST], bits_of(a + b), bits_of(1e6));
    if (a + b != 1e6)
        return;
    if (p->tracing)
        cfuzz_trace_number(&p->sites[SECOND], bits_of(a - 2 * b), bits_of(250003));
    p->solved = a - 2 * b > 250003;
}

/* More is wanted, however little, where they are as good as equal already. */
static void test_beyond(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, floats, CFZ_SITE_FLOAT, more_than);
    p.sites[SECOND].predicate = CFZ_REL_GREATER;
    cfz_value_set_float(&p.v[0], 750000);
    cfz_value_set_float(&p.v[1], 250000);
    work_on_last(&p);
    assert_int_equal(p.runs, 1687);
}

static void three(struct program *p, const struct cfz_values *vs)
{
    const uint64_t a = vs->v[0].bits, b = vs->v[1].bits, c = vs->v[2].bits & 1;

    p->solved = a <= 100000 && b <= 100000 && program_equal(p, FIRST, a * 9, b * 16);
    if (p->solved) {
        program_equal(p, SECOND, a + 2 * b + 1000 * c, 1938);
        p->solved = a + 2 * b + 1000 * c > 1938;
    }
}

/* What came nearest before has another number in it: it begins from the input all the same. */
static void test_from_the_input(void **state)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_INT64, CFZ_KIND_INT64, CFZ_KIND_UINT8};
    static struct program p;
    static struct cfz_image from;
    struct cfz_goal g;

    (void)state;
    for (int i = 0; i < PROGRAM_SITES; i++)
        p.sites[i] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                       .predicate = i ? CFZ_REL_GREATER : CFZ_REL_EQUAL,
                                       .width = 64,
                                       .flags = i ? CFZ_SITE_CONST_B : 0};
    assert_int_equal(program_begin(&p, kinds, 3, three), 0);
    p.limit = 20000;
    p.v[0].bits = 160;
    p.v[1].bits = 90;
    assert_true(program_last_goal(&p, &from, &g));
    for (int k = 0; k < 6 && !p.solved; k++)
        cfz_solver_goal(&p.search, &from, &g);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "together");
    assert_int_equal(p.runs, 3832);
}

/* Reads two addresses of two numbers; false if text is not that. */
static bool read_address(const struct cfz_value *v, uint64_t *address)
{
    unsigned x, y;
    char end, text[32];

    if (v->len >= sizeof text)
        return false;
    memcpy(text, v->data, v->len);
    text[v->len] = '\0';
    if (sscanf(text, "%3u.%3u%c", &x, &y, &end) != 2)
        return false;
    *address = x << 8 | y;
    return true;
}

static void neighbours(struct program *p, const struct cfz_values *vs)
{
    uint64_t a, b;

    p->solved = read_address(&vs->v[0], &a) && read_address(&vs->v[1], &b) &&
                program_equal(p, FIRST, a ^ b, 0) && program_equal(p, SECOND, a, 192 << 8 | 168);
}

/* Of each pair of numbers both become the same; the first one is too large by one until then. */
static void test_text(void **state)
{
    static const char *const from[2] = {"193.005", "193.5"};
    static struct program p;

    (void)state;
    begin(&p, texts, CFZ_SITE_INT, neighbours);
    for (int i = 0; i < 2; i++) {
        p.v[i].len = strlen(from[i]);
        memcpy(p.v[i].data, from[i], p.v[i].len);
    }
    work_on_last(&p);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(p.v[i].len, 7);
        assert_memory_equal(p.v[i].data, "192.168", 7);
    }
    assert_int_equal(p.runs, 655);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_and_difference),
        cmocka_unit_test(test_ratio_and_xor),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_parts_of_one),
        cmocka_unit_test(test_ratio_of_parts),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_from_the_input),
        cmocka_unit_test(test_text),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
