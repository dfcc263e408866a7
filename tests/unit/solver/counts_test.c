/*
 * counts_test.c - what nothing in the input moves, until more of it is put in: characters that a
 * program counts, and numbers in text that are not there. And a checksum that is mended in the
 * right place then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

enum { SUM, NAME, FIND, COUNT };

static const struct cfz_site equal32 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
static const enum cfz_kind text[] = {CFZ_KIND_STRING};

static char line[PROGRAM_ROOM];

static void take_line(const struct cfz_values *vs)
{
    memcpy(line, vs->v[0].data, vs->v[0].len);
    line[vs->v[0].len] = 0;
}

/* strchr, as a traced copy tells of it. */
static const char *find(struct program *p, const char *s, char c)
{
    if (p->tracing)
        cfuzz_trace_text(&p->sites[FIND], s, 0, NULL, (uint8_t)c);
    return strchr(s, c);
}

static void begin(struct program *p, const char *input,
                  void (*body)(struct program *, const struct cfz_values *))
{
    for (int i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] = equal32;
    p->sites[FIND] = (struct cfz_site){.kind = CFZ_SITE_FIND_BYTE, .flags = CFZ_SITE_CONST_B};
    p->sites[COUNT].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(p, text, 1, body), 0);
    p->v[0].len = strlen(input);
    memcpy(p->data[0], input, p->v[0].len);
    p->limit = 20000;
}

/* Works on the last comparison of the input, of level 0. */
static void work_on_last(struct program *p)
{
    static struct cfz_image im;
    struct cfz_goal g;

    assert_true(program_last_goal(p, &im, &g));
    cfz_solver_goal(&p->search, &im, &g);
}

static bool is_summed(struct program *p, size_t n)
{
    unsigned sum = 0;
    char shown[3] = {line[n - 2], line[n - 1]}, *end;
    const unsigned told = (unsigned)strtoul(shown, &end, 16);

    for (size_t i = 0; i < n - 2; i++)
        sum += (uint8_t)line[i];
    return *end == 0 && program_equal(p, SUM, told, sum & 0xff);
}

static void fields(struct program *p, const struct cfz_values *vs)
{
    const size_t n = vs->v[0].len;
    unsigned count = 0;

    take_line(vs);
    if (n < 6 || !is_summed(p, n))
        return;
    for (const char *c = line; (c = find(p, c, ';')); c++)
        count++;
    p->solved = program_equal(p, COUNT, count, 7);
}

/* All are put in at once when one was, and the two digits at the end are right again. */
static void test_fields(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, "abcd8A", fields);
    work_on_last(&p);
    assert_true(p.solved);
    assert_string_equal(line, ";;;;;;;abcd27");
    assert_int_equal(p.runs, 95);
}

static void nested(struct program *p, const struct cfz_values *vs)
{
    static const char open[] = "(<", close[] = ")>";
    char stack[16];
    unsigned n = 0, deepest = 0;

    take_line(vs);
    for (const char *s = line; *s; s++) {
        const char *k = program_equal(p, NAME, (uint8_t)*s, '(')   ? open
                        : program_equal(p, NAME, (uint8_t)*s, '<') ? open + 1
                                                                   : NULL;

        if (k && (n == sizeof stack || (n > 0 && stack[n - 1] == close[k - open])))
            return;
        if (k)
            stack[n++] = close[k - open];
        else if (n == 0 || stack[--n] != *s)
            return;
        deepest = n > deepest ? n : deepest;
    }
    if (n == 0)
        p->solved = program_equal(p, COUNT, deepest, 9);
}

/* A bracket comes with the one that ends it. */
static void test_brackets(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, "()", nested);
    p.sites[NAME].flags = CFZ_SITE_CONST_B;
    work_on_last(&p);
    assert_true(p.solved);
    assert_string_equal(line, "(<(<(<(<()>)>)>)>)");
    assert_string_equal(cfz_solver_step_name(), "count");
    assert_int_equal(p.runs, 230);
}

/* "3/" is 3 of 0. */
static void parts(struct program *p, const struct cfz_values *vs)
{
    unsigned part = 0, all = 0;
    const char *slash;

    take_line(vs);
    if (!(slash = find(p, line, '/')))
        return;
    part = (unsigned)strtoul(line, NULL, 10);
    all = (unsigned)strtoul(slash + 1, NULL, 10);
    if (part == 0)
        return;
    if (p->tracing)
        cfuzz_trace_number(&p->sites[COUNT], part, all);
    p->solved = part <= all;
}

/* A number is put in for the operand that nothing moves, while bytes move the other one. */
static void test_number_that_is_not_there(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, "37/", parts);
    p.sites[COUNT].predicate = CFZ_REL_GREATER;
    p.sites[COUNT].flags = 0;
    work_on_last(&p);
    work_on_last(&p); /* at each second attempt */
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "number inserted");
    assert_int_equal(p.runs, 2290);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_number_that_is_not_there),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
