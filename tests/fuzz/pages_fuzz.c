/*
 * pages_fuzz.c - what reports are made of: coverage in lcov's format, histories of runs, and text
 * of others in pages.
 */
//cfuzz:ldflags -ljansson
//cfuzz:sources ../../cfuzz-test/cover/lcov.c ../../cfuzz-test/history/history.c
//cfuzz:sources ../../cfuzz-test/report/html.c ../../cfuzz-test/base/cache.c
#include "fuzz.h"

#include "cover/lcov.h"
#include "history/history.h"
#include "report/html.h"

FUZZ_SETUP(FuzzLcov)(cfuzz_f *f)
{
    cfuzz_add(f, "SF:/a.c\nFN:3,a.c:f\nFNDA:2,a.c:f\nBRDA:4,0,0,2\nBRDA:4,0,1,-\nDA:3,2\n"
                 "DA:4,0\nend_of_record\n");
    cfuzz_add(f, "TN:x\nSF:b\nDA:1,18446744073709551615\nDA:1,1\nend_of_record\n");
    cfuzz_add(f, "SF:a\nFNDA:1,f\nend_of_record\n");
}

/* What is read is written, and reads the same; read twice, it has the same lines. */
FUZZ_TEST(FuzzLcov, string)(cfuzz_t *t, const char *text)
{
    struct lcov l = LCOV_INIT, again = LCOV_INIT;
    struct cfz_buf first = CFZ_BUF_INIT, second = CFZ_BUF_INIT;
    struct lcov_counts n;
    struct cfz_error err;

    error_clear(&err);
    if (lcov_read(&l, text, NULL, NULL, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && strncmp(err.text, "line ", 5) == 0);
    }
    n = lcov_count(&l);
    CHECK(t, n.lines_run <= n.lines && n.lines <= strlen(text));
    CHECK(t, n.functions_run <= n.functions && n.functions <= strlen(text));
    for (size_t i = 0; i < l.n; i++) {
        CHECK(t, lcov_find(&l, l.v[i].path) == &l.v[i]);
        for (size_t k = 0; k < l.v[i].nlines; k++)
            CHECK(t, lcov_line_of(&l.v[i], l.v[i].lines[k].line) == &l.v[i].lines[k]);
    }
    CHECK(t, lcov_write(&first, &l, NULL) == 0);
    CHECK(t, lcov_read(&again, cfz_buf_str(&first), NULL, NULL, &err) == 0);
    CHECK(t, lcov_write(&second, &again, NULL) == 0);
    CHECK(t, strcmp(cfz_buf_str(&first), cfz_buf_str(&second)) == 0);
    CHECK(t, lcov_add(&again, &l, NULL) == 0);
    CHECK(t, lcov_count(&again).lines == n.lines && lcov_count(&again).lines_run == n.lines_run);
    cfz_buf_release(&first);
    cfz_buf_release(&second);
    lcov_release(&l);
    lcov_release(&again);
}

FUZZ_SETUP(FuzzHistory)(cfuzz_f *f)
{
    cfuzz_add(
        f, CFUZZ_BYTES(
               "{\"version\":1,\"runs\":[{\"id\":\"a\",\"began\":3,\"seed\":\"7\",\"workers\":2,"
               "\"points\":[[0,1,2,3,4],[5,6,7,8,9]],\"crashes\":[{\"where\":\"w\",\"file\":\"f\","
               "\"met\":1}],\"said\":\"x\"}]}"));
    cfuzz_add(
        f, CFUZZ_BYTES("{\"version\":1,\"runs\":[{\"id\":\"a\"},{\"id\":\"a\"},{\"id\":\"b\"}]}"));
}

/* Whatever a file holds, what is taken of it is within bounds. */
FUZZ_TEST(FuzzHistory, [] byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct history h = HISTORY_INIT, copy = HISTORY_INIT;

    CHECK(t, history_parse((const char *)text, len, &h, NULL) == 0);
    CHECK(t, h.n <= HISTORY_RUNS);
    for (size_t i = 0; i < h.n; i++) {
        const struct history_run *r = &h.runs[i];

        CHECK(t, r->id[0] != '\0' && r->npoints <= HISTORY_POINTS);
        CHECK(t, r->ncrashes <= HISTORY_CRASHES && strlen(r->said) <= HISTORY_TEXT);
        for (size_t k = 1; k < r->npoints; k++)
            CHECK(t, r->points[k].ms >= r->points[k - 1].ms &&
                         r->points[k].execs >= r->points[k - 1].execs);
    }
    CHECK(t, history_copy(&copy, &h, NULL) == 0 && copy.n == h.n);
    history_release(&copy);
    history_release(&h);
}

FUZZ_SETUP(FuzzHtml)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("<script>\"'&amp;\x1b[0m\xff\xe2\x80\xae\n\t"));
}

/* Text in a page begins no markup, ends no attribute and has no character that does something. */
FUZZ_TEST(FuzzHtml, [] byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    struct cfz_buf out = CFZ_BUF_INIT;

    CHECK(t, html_text(&out, (const char *)text, len, NULL) == 0);
    for (size_t i = 0; i < out.len; i++) {
        bool known = out.data[i] != '&';

        CHECK(t, strchr("<>\"'", out.data[i]) == NULL);
        CHECK(t, out.data[i] >= ' ' || out.data[i] == '\n' || out.data[i] == '\t');
        for (size_t k = 0; k < sizeof entities / sizeof entities[0]; k++)
            known |= strncmp((const char *)out.data + i, entities[k], strlen(entities[k])) == 0;
        CHECK(t, known);
    }
    cfz_buf_release(&out);
}
