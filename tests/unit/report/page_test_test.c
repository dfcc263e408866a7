/*
 * The page of a test: which inputs it lists, and what it says of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/site.h"

/* How often what stands in text. */
static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

/* The part of the page that begins with a section of that name. */
static const char *section(const struct cfz_buf *page, const char *id)
{
    char head[64];
    const char *at;

    snprintf(head, sizeof head, "<section id=\"%s\">", id);
    at = strstr(cfz_buf_str(page), head);
    assert_non_null(at);
    return at;
}

enum { INPUTS = 2003 };

/* Of more inputs than are listed it is said how many there are more; the slowest are of all. */
static void test_many(void **state)
{
    static const struct result_input in = {ORIGIN_CACHE, 3, "int8(-1)\nstring(\"<\")\n"};
    struct result *v = calloc(INPUTS, sizeof *v);
    char(*names)[32] = calloc(INPUTS, sizeof *names);
    struct report_test t = {.name = "FuzzX", .inputs = v, .ninputs = INPUTS, .cached = INPUTS - 1};
    struct report_package p = {.name = "p", .dir = "/p", .tests = &t, .ntests = 1};
    struct report r = REPORT_INIT;
    struct cfz_buf page = CFZ_BUF_INIT;

    (void)state;
    assert_non_null(v);
    assert_non_null(names);
    for (int i = 0; i < INPUTS; i++) { /* one is of a test whose name begins alike */
        snprintf(names[i], sizeof names[i], "FuzzX%s/cache/%d", i == 7 ? "Y" : "", i);
        v[i] = (struct result){.test = names[i], .ns = (uint64_t)i * 1000, .input = &in};
    }
    r.v = &p;
    r.n = 1;
    assert_int_equal(page_test(&page, &r, &p, &t, NULL), 0);
    assert_int_equal(count(section(&page, "inputs"), "<tr><th scope"), 2000);
    assert_non_null(strstr(section(&page, "inputs"), "<summary>The first 2000 of them</summary>"));
    assert_non_null(strstr(section(&page, "inputs"), "<p>and 2 more</p>"));
    assert_int_equal(count(cfz_buf_str(&page), "<code>cache/2002</code>"), 1);
    assert_int_equal(count(cfz_buf_str(&page), "<code>cache/1993</code>"), 2);
    assert_int_equal(count(cfz_buf_str(&page), "cache/7<"), 0);
    assert_non_null(strstr(section(&page, "slowest"),
                           "<code>cache/2002</code></th><td class=\"values\"><code>int8(-1)\n"
                           "string(&quot;&lt;&quot;)\n</code></td><td>cache</td><td class=\"\">"
                           "passed</td><td class=\"num\" data-sort=\"3\">3</td>"
                           "<td class=\"num\" data-sort=\"2002000\">2.0ms</td></tr>"));
    cfz_buf_release(&page);
    free(names);
    free(v);
}

/* A file is a crasher if it fails, or if a run saved it; else it is a seed. */
static void test_origins(void **state)
{
    static const struct result_input file = {ORIGIN_FILE, 1, ""}, seed = {ORIGIN_SEED, 1, ""};
    char none[] = "", done[] = "done", name[] = "testdata/corpus/FuzzX/once";
    struct history_crash saved = {none, name, 1};
    struct history_run run = {.id = none,
                              .seed = none,
                              .sanitizers = none,
                              .end = done,
                              .blocked = none,
                              .said = none,
                              .crashes = &saved,
                              .ncrashes = 1};
    struct result v[] = {
        {.test = "FuzzX/seed#0", .kind = RESULT_FAILED, .text = "", .input = &seed},
        {.test = "FuzzX/mine", .input = &file},
        {.test = "FuzzX/once", .input = &file},
        {.test = "FuzzX/now", .kind = RESULT_FAILED, .text = "", .input = &file},
    };
    struct report_test t = {
        .name = "FuzzX", .inputs = v, .ninputs = 4, .seeds = 4, .failed = 2, .history = {&run, 1}};
    struct report_package p = {.name = "p", .dir = "/p", .tests = &t, .ntests = 1};
    struct report r = REPORT_INIT;
    struct cfz_buf page = CFZ_BUF_INIT;
    const char *at;

    (void)state;
    r.v = &p;
    r.n = 1;
    assert_int_equal(page_test(&page, &r, &p, &t, NULL), 0);
    at = section(&page, "inputs");
    assert_non_null(strstr(at, "<summary>All 4 of them</summary>"));
    assert_non_null(strstr(at, "seed#0</code></th><td class=\"values\"><code></code></td>"
                               "<td>seed</td><td class=\"bad\">failed<"));
    assert_non_null(strstr(at, "mine</code></th><td class=\"values\"><code></code></td>"
                               "<td>seed</td><td class=\"\">passed<"));
    assert_non_null(strstr(at, "once</code></th><td class=\"values\"><code></code></td>"
                               "<td>crasher</td><td class=\"\">passed<"));
    assert_non_null(strstr(at, "now</code></th><td class=\"values\"><code></code></td>"
                               "<td>crasher</td><td class=\"bad\">failed<"));
    cfz_buf_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_origins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
