/*
 * escaped_test.c - bytes that the program takes as part of a text only where they are escaped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

enum { NUMBER, MEMORY, TEXT, SWITCH, ROOM = 32 };

static const enum cfz_kind strings[] = {CFZ_KIND_STRING};
static const char *const wanted = "\r\n";

/* Where a text ends, and what it is without escapes: what is escaped begins with a sign. */
static size_t read_text(const struct cfz_values *vs, char sign, const char *ends,
                        size_t (*escaped)(const char *, char *), char out[ROOM])
{
    const char *s = (const char *)vs->v[0].data, *end = s + vs->v[0].len;
    size_t n = 0;

    while (s < end && n < ROOM - 1 && !strchr(ends, *s)) {
        if (*s != sign) {
            out[n++] = *s++;
            continue;
        }
        size_t used = end - s > 1 ? escaped(s + 1, out + n) : 0;

        if (used == 0 || used > (size_t)(end - s - 1))
            return 0;
        s += used + 1;
        n++;
    }
    out[n] = 0;
    return n;
}

static size_t two_digits(const char *s, char *c)
{
    char digits[3] = {s[0], s[1], 0}, *end;

    *c = (char)strtol(digits, &end, 16);
    return end == digits + 2 ? 2 : 0;
}

static size_t letter(const char *s, char *c)
{
    const char *at = strchr("n\nr\rt\t\"\"\\\\", *s);

    if (!*s || !at)
        return 0;
    *c = at[1];
    return 1;
}

static size_t reference(const char *s, char *c)
{
    char *end;

    if (*s != '#')
        return 0;
    *c = (char)strtol(s + 1, &end, 10);
    return *end == ';' ? (size_t)(end - s) + 1 : 0;
}

/* Part of an URL: an "&" in it. */
static void of_url(struct program *p, const struct cfz_values *vs)
{
    char text[ROOM];

    if (read_text(vs, '%', "&=", two_digits, text) > 0)
        p->solved = program_equal(p, NUMBER, (uint8_t)text[0], '&');
}

/* A string of JSON: the end of a line in it. */
static void of_json(struct program *p, const struct cfz_values *vs)
{
    char text[ROOM];

    if (read_text(vs, '\\', "\"\n\r\t", letter, text) > 1)
        p->solved = program_memory(p, MEMORY, text, wanted, 2);
}

/* The same behind the first character, where an input has nothing yet. */
static void behind(struct program *p, const struct cfz_values *vs)
{
    char text[ROOM];

    if (read_text(vs, '\\', "\"\n\r\t", letter, text) > 0)
        p->solved = program_text(p, TEXT, text + 1, wanted);
}

/* A value in XML: a quote in it, one of the cases of a switch. */
static void of_xml(struct program *p, const struct cfz_values *vs)
{
    char text[ROOM];

    if (read_text(vs, '&', "\"<", reference, text) == 0)
        return;
    if (p->tracing)
        cfuzz_trace_number(&p->sites[SWITCH], (uint8_t)text[0], 0);
    p->solved = text[0] == '"';
}

static const struct cfz_case cases[] = {{.value = '"'}};

static void begin(struct program *p, void (*body)(struct program *, const struct cfz_values *))
{
    p->sites[NUMBER] =
        (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8};
    p->sites[TEXT] = (struct cfz_site){.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B};
    p->sites[MEMORY] = (struct cfz_site){.kind = CFZ_SITE_MEM, .flags = CFZ_SITE_CONST_B};
    p->sites[SWITCH] =
        (struct cfz_site){.kind = CFZ_SITE_SWITCH, .width = 8, .cases = cases, .ncases = 1};
    assert_int_equal(program_begin(p, strings, 1, body), 0);
    p->limit = 100000;
}

/* Works on the last comparison of an input; becomes: what the input is then. */
static void work_on_last(struct program *p, const char *input, const char *becomes, uint64_t runs)
{
    static struct cfz_image im;
    struct cfz_goal g;

    p->v[0].len = strlen(input);
    memcpy(p->data[0], input, strlen(input));
    assert_true(program_last_goal(p, &im, &g));
    if (g.site->kind == CFZ_SITE_SWITCH)
        g = (struct cfz_goal){
            .site = g.site, .want = CFZ_REL_EQUAL, .value = '"', .key = cfz_goal_key0(g.site, '"')};
    cfz_solver_goal(&p->search, &im, &g);
    assert_true(p->solved);
    assert_string_equal(cfz_solver_step_name(), "escape");
    assert_int_equal(p->v[0].len, strlen(becomes));
    assert_memory_equal(p->v[0].data, becomes, strlen(becomes));
    assert_int_equal(p->runs, runs);
}

static void test_percent(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, of_url);
    work_on_last(&p, "ab", "%26b", 45);
}

static void test_letters(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, of_json);
    work_on_last(&p, "ab", "\\r\\n", 22);
}

static void test_inserted(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, behind);
    work_on_last(&p, "a", "a\\r\\n", 20);
}

static void test_reference(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, of_xml);
    work_on_last(&p, "ab", "&#34;b", 46);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percent),
        cmocka_unit_test(test_letters),
        cmocka_unit_test(test_inserted),
        cmocka_unit_test(test_reference),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
