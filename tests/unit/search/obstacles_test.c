/*
 * obstacles_test.c - what is noted of comparisons that block, and their order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program.h"
#include "search/obstacles.h"
#include "solver/solver.h"
#include "solver/solving.h"

static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT32};
static const struct cfz_param_desc params[] = {{.name = "data"}, {.name = ""}};

static struct cfz_obstacles list;

static struct cfz_site equal(uint32_t line, uint32_t behind)
{
    return (struct cfz_site){.kind = CFZ_SITE_INT,
                             .predicate = CFZ_REL_EQUAL,
                             .width = 32,
                             .flags = CFZ_SITE_CONST_B,
                             .file = "x.c",
                             .line = line,
                             .behind_true = behind};
}

/* Runs the stages on an input, until nothing is left to try, and ranks. */
static void search(struct program *p, const char *input, uint64_t number)
{
    unsigned generation;

    memcpy(p->data[0], input, strlen(input));
    p->v[0].len = strlen(input);
    p->v[1].bits = number;
    cfz_copies(&p->search, 2000);
    for (unsigned round = 0; round < 3; round++) {
        memcpy(p->data[0], input, strlen(input));
        p->v[0].len = strlen(input);
        p->v[1].bits = number;
        cfz_solver_entry(&p->search, round, 0);
    }
    while (cfz_solver_side(&p->search, false, &generation))
        ;
    cfz_obstacles_rank(p->search.goals, &p->seen, params, 2, &list);
}

static const struct cfz_obstacle *at_line(uint32_t line)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i].line == line)
            return &list.at[i];
    return NULL;
}

static uint32_t digest(const uint8_t *p, size_t n)
{
    uint32_t h = 0x9e3779b9;

    for (size_t i = 0; i < 2 * n; i++) {
        h = (h ^ p[i % n]) * 0x85ebca6b;
        h ^= h >> 13;
        h = h * 0xc2b2ae35 + 1;
        h ^= h >> 16;
    }
    return h;
}

/* What depends on what. */
static void influences(struct program *p, const struct cfz_values *vs)
{
    static uint64_t calls;
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len;

    if (n < 16)
        return;
    program_equal(p, 0, digest(d, n), 0x12345678);
    program_equal(p, 1, digest(d + 4, 4), 0x12345678);
    program_equal(p, 2, 7, 8); /* nothing */
    program_equal(p, 3, digest((const uint8_t *)&vs->v[1].bits, 4) ^ d[2], 0x12345678);
    if (d[9] == 'x')
        program_equal(p, 4, 9, 8); /* nothing, unless it gets no longer here */
    program_equal(p, 5, digest((const uint8_t *)&vs->v[1].bits, 8), 0x12345678);
    program_equal(p, 6, digest((const uint8_t *)&calls, 8), 8);
    calls++;
}

static void test_influences(void **state)
{
    static struct program p;
    const struct cfz_obstacle *o;

    (void)state;
    assert_int_equal(cfz_solver_map(&(struct cfz_error)CFZ_ERROR_INIT), 0);
    for (unsigned i = 0; i < 7; i++)
        p.sites[i] = equal(10 + i, 9 - i);
    assert_int_equal(program_begin(&p, kinds, 2, influences), 0);
    search(&p, "0123456-8x012345", 3);

    assert_int_equal(list.n, 7); /* by what lies behind; what nothing changes is the last */
    assert_int_equal(list.at[5].line, 12);
    assert_int_equal(list.at[6].line, 16);
    for (unsigned i = 0; i < 7; i++) {
        if (i < 5)
            assert_int_equal(list.at[i].line, i < 2 ? 10 + i : 11 + i);
        assert_int_equal(list.at[i].behind, 19 - list.at[i].line);
        assert_int_equal(list.at[i].reached, 1);
        assert_string_equal(list.at[i].file, "x.c");
        assert_int_equal(list.at[i].want, CFZ_REL_EQUAL);
        assert_int_equal(list.at[i].nearest, 1);
        assert_int_equal(list.at[i].b, i < 3 || i == 4 ? 0x12345678 : 8);
    }
    assert_int_equal(at_line(10)->influence, CFZ_INFLUENCE_MOST);
    o = at_line(11);
    assert_int_equal(o->influence, CFZ_INFLUENCE_RANGES);
    assert_int_equal(o->nranges, 1);
    assert_string_equal(o->ranges[0].name, "data");
    assert_int_equal(o->ranges[0].from, 4);
    assert_int_equal(o->ranges[0].to, 8);
    assert_true(o->attempts > 0);
    assert_int_equal(at_line(12)->influence, CFZ_INFLUENCE_NONE);
    assert_int_equal(at_line(12)->a, 7);
    o = at_line(13);
    assert_int_equal(o->influence, CFZ_INFLUENCE_RANGES);
    assert_int_equal(o->nranges, 2);
    assert_int_equal(o->ranges[0].from, 2);
    assert_int_equal(o->ranges[0].to, 3);
    assert_string_equal(o->ranges[1].name, "argument 2");
    assert_int_equal(o->ranges[1].to, 0);
    assert_int_equal(at_line(14)->influence, CFZ_INFLUENCE_HIDDEN);
    o = at_line(15); /* eight of its bytes matter, which are one number */
    assert_int_equal(o->influence, CFZ_INFLUENCE_RANGES);
    assert_int_equal(o->nranges, 1);
    assert_string_equal(o->ranges[0].name, "argument 2");
    assert_int_equal(at_line(16)->influence, CFZ_INFLUENCE_DRIFTS);
    assert_true(cfz_is_left_alone(&p.search, &p.sites[6]));
    assert_false(cfz_is_left_alone(&p.search, &p.sites[0]));
}

/* One is near and solved; one is passed by some input; one is a pointer. */
static void passed(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    program_equal(p, 0, vs->v[1].bits & 0xffff, 0x4321);
    if (p->tracing)
        cfuzz_trace_text(&p->sites[1], "key", 0, "other", 0);
    program_equal(p, 2, 5, 6);
    program_equal(p, 2, 6, 6);
    program_equal(p, 3, (uint64_t)(uintptr_t)p | (uint64_t)1 << 40, 0);
    program_equal(p, 4, 3, 400);
    program_equal(p, 5, 3, 4);
    program_equal(p, 6, 300, 0);
    if (p->tracing)
        cfuzz_trace_text(&p->sites[7], "key", 0, "1-1", 0);
}

static void test_what_is_told(void **state)
{
    static struct program p;

    (void)state;
    p.sites[0] = equal(20, 9);
    p.sites[1] = (struct cfz_site){.kind = CFZ_SITE_STRING,
                                   .flags = CFZ_SITE_CONST_B,
                                   .file = "y.c",
                                   .line = 21,
                                   .behind_true = 2};
    p.sites[2] = equal(22, 9);
    p.sites[3] = equal(23, 9);
    p.sites[3].width = 64;
    p.sites[4] = equal(24, 9);
    p.sites[4].predicate = CFZ_REL_GREATER; /* and little behind */
    p.sites[4].behind_true = 2;
    p.sites[5] = equal(25, 2); /* near, and little behind */
    p.sites[6] = equal(26, 2); /* zero, and little behind */
    p.sites[7] = p.sites[1];   /* an example of what is wanted */
    p.sites[7].flags |= CFZ_SITE_EXAMPLE;
    p.sites[7].line = 27;
    assert_int_equal(program_begin(&p, kinds, 2, passed), 0);
    search(&p, "ab", 1);
    assert_int_equal(list.n, 1); /* of these, the text alone */
    assert_int_equal(list.little, 0);
    assert_int_equal(list.at[0].line, 21);
    assert_int_equal(list.at[0].len_a, 3);
    assert_memory_equal(list.at[0].text_a, "key", 3);
    assert_int_equal(list.at[0].len_b, 5);
    assert_memory_equal(list.at[0].text_b, "other", 5);
    assert_int_equal(list.at[0].influence, CFZ_INFLUENCE_NONE);
    /* of a long trace, another comparison there was moved */
    atomic_store(&p.search.goals->sites[p.sites[1].id].moved, 1);
    cfz_obstacles_rank(p.search.goals, &p.seen, params, 2, &list);
    assert_int_equal(list.at[0].influence, CFZ_INFLUENCE_HIDDEN);
}

/* Where nothing else is told, three of those are that little is behind, whatever they look for. */
static void left(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    for (unsigned i = 0; i < 5; i++)
        program_equal(p, i, i, i + 1);
}

static void test_what_is_left(void **state)
{
    static struct program p;

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        p.sites[i] = equal(30 + i, i == 4 ? 0 : 1 + i % 2);
    assert_int_equal(program_begin(&p, kinds, 2, left), 0);
    search(&p, "ab", 1);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.little, 1);
    assert_int_equal(list.at[0].line, 31);
    assert_int_equal(list.at[1].line, 33);
    assert_int_equal(list.at[2].line, 30);
}

/* Guesses add positions to those that probing found: out of order, and again. */
static void test_order(void **state)
{
    static struct program p;
    static struct cfz_base base;
    static const uint32_t at[] = {9, 3, 4, 9, 2, 13};
    static struct cfz_task task;
    const struct cfz_obstacle *o;

    (void)state;
    p.sites[0] = equal(40, 5);
    assert_int_equal(program_begin(&p, kinds, 2, left), 0);
    search(&p, "0123456789", 1);
    memcpy(p.data[0], "0123456789", 10);
    p.v[0].len = 10;
    assert_true(cfz_image_read(&base.im, &p.vs));
    task.g.site = &p.sites[0];
    for (task.nat = 0; task.nat < sizeof at / sizeof at[0]; task.nat++)
        task.at[task.nat].p = at[task.nat];
    cfz_note_probed(&p.search, &base, &task);
    cfz_obstacles_rank(p.search.goals, &p.seen, params, 2, &list);
    o = at_line(40);
    assert_int_equal(o->influence, CFZ_INFLUENCE_RANGES);
    assert_int_equal(o->nranges, 3);
    assert_int_equal(o->ranges[0].from, 2);
    assert_int_equal(o->ranges[0].to, 5);
    assert_int_equal(o->ranges[1].from, 9);
    assert_int_equal(o->ranges[1].to, 10);
    assert_string_equal(o->ranges[2].name, "argument 2");
}

/* What is looked up is not there; another pointer is never null. */
static void looks_up(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    program_equal(p, 0, 0, 0);
    program_equal(p, 1, 1, 0);
}

static void test_pointers(void **state)
{
    static struct program p;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        p.sites[i] = equal(40 + i, 0);
        p.sites[i].flags = CFZ_SITE_CONST_B | CFZ_SITE_POINTER;
        p.sites[i].width = 8;
        p.sites[i].predicate = CFZ_REL_LESS | CFZ_REL_GREATER;
        p.sites[i].behind_true = 9;
    }
    assert_int_equal(program_begin(&p, kinds, 2, looks_up), 0);
    search(&p, "ab", 1);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.at[0].line, 40);
    assert_int_equal(list.at[0].behind, 9);
    assert_int_equal(list.at[0].a, 0);
}

static const struct cfz_case cases[] = {
    {.value = 1, .behind = 4, .body = 0}, {.value = 2, .behind = 7, .body = 1},
    {.value = 3, .behind = 4, .body = 0}, {.value = 4, .behind = 3, .body = 3},
    {.value = 5, .behind = 3, .body = 3}, {.value = 6, .behind = UINT16_MAX, .body = UINT16_MAX},
};

static void chooses(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    if (p->tracing) {
        cfuzz_trace_switch(&p->sites[0], 4);
        cfuzz_trace_switch(&p->sites[0], 77);
    }
}

/* A body that two cases share counts once, and not at all if one of them was met. */
static void test_switch(void **state)
{
    static struct program p;
    const struct cfz_obstacle *o = &list.at[0];

    (void)state;
    p.sites[0] = (struct cfz_site){.kind = CFZ_SITE_SWITCH,
                                   .width = 32,
                                   .ncases = 6,
                                   .cases = cases,
                                   .file = "z.c",
                                   .line = 30};
    assert_int_equal(program_begin(&p, kinds, 2, chooses), 0);
    search(&p, "ab", 1);
    assert_int_equal(list.n, 1);
    assert_int_equal(o->kind, CFZ_SITE_SWITCH);
    assert_int_equal(o->ncases, 6);
    assert_int_equal(o->nopen, 5);
    assert_int_equal(o->behind, 4 + 7 + 1 + 1 + 1);
    assert_int_equal(o->nvalues, 4);
    assert_int_equal(o->values[0], 2);
    assert_int_equal(o->values[1], 1);
    assert_int_equal(o->values[2], 3);
}

enum { MANY = PROGRAM_SITES };

static void many(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    for (unsigned i = 0; i < MANY; i++)
        program_equal(p, i, i, i == 3 ? 200 : 100);
}

/* The worst come first, all fit, and a line that was compiled twice is one. */
static void test_bounds(void **state)
{
    static struct program p[4];

    (void)state;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < MANY; i++)
            p[k].sites[i] = equal(100 + MANY * k + i, 1 + MANY * k + i);
    p[0].sites[1] = p[0].sites[2];           /* of the same line */
    p[0].sites[3].line = p[0].sites[4].line; /* and so is this one, with another constant */
    assert_int_equal(program_begin(&p[0], kinds, 2, many), 0);
    search(&p[0], "ab", 1);
    assert_int_equal(list.n, MANY - 1);
    for (unsigned k = 1; k < 4; k++) {
        struct cfz_goals *goals = p[0].search.goals;

        assert_int_equal(program_begin(&p[k], kinds, 2, many), 0);
        p[k].search.goals = goals;
        search(&p[k], "ab", 1);
    }
    assert_int_equal(list.n, CFZ_OBSTACLES_MAX);
    for (unsigned i = 0; i < list.n; i++)
        assert_int_equal(list.at[i].behind, 4 * MANY - i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_influences),   cmocka_unit_test(test_what_is_told),
        cmocka_unit_test(test_what_is_left), cmocka_unit_test(test_order),
        cmocka_unit_test(test_pointers),     cmocka_unit_test(test_switch),
        cmocka_unit_test(test_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
