/*
 * lf_control_test.c - control files that libFuzzer wrote, ones that are wrong or cut, and which
 * files a merge takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "libfuzzer/lf_control.h"

/* As libFuzzer 19 wrote it, features that were shown before left out. */
static const char of_libfuzzer[] = "4\n2\nout/a\nout/b\nin/c\nin/d\n"
                                   "STARTED 0 2\nFT 0 0 8\nCOV 0 0 1\n"
                                   "STARTED 1 5\nFT 1 16\nCOV 1 2\n"
                                   "STARTED 2 3\nFT 2 32\nCOV 2 4\n"
                                   "STARTED 3 3\nFT 3 176 40 64 65\nCOV 3 5 8 22\n";

static void test_parse(void **state)
{
    struct lf_control c;

    (void)state;
    assert_int_equal(lf_control_parse(of_libfuzzer, strlen(of_libfuzzer), &c, NULL), 0);
    assert_int_equal(c.n, 4);
    assert_int_equal(c.first, 2);
    assert_string_equal(c.v[2].path, "in/c");
    assert_int_equal(c.v[3].size, 3);
    assert_true(c.v[3].done);
    assert_int_equal(c.v[3].features.n, 4);
    assert_int_equal(c.v[3].features.v[0], 40); /* ascending */
    assert_int_equal(c.v[3].features.v[3], 176);
    lf_control_release(&c);
}

/* What we write is read as it was. */
static void test_write(void **state)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct lf_control c, again;

    (void)state;
    assert_int_equal(lf_control_parse(of_libfuzzer, strlen(of_libfuzzer), &c, NULL), 0);
    assert_int_equal(lf_control_head(&c, &text, NULL), 0);
    for (size_t i = 0; i < c.n; i++) {
        assert_int_equal(lf_control_started(&c, i, &text, NULL), 0);
        assert_int_equal(lf_control_done(&c, i, &text, NULL), 0);
    }
    assert_non_null(strstr(cfz_buf_str(&text), "STARTED 3 3\nFT 3 40 64 65 176\nCOV 3 5 8 22\n"));
    assert_int_equal(lf_control_parse(cfz_buf_str(&text), text.len, &again, NULL), 0);
    for (size_t i = 0; i < c.n; i++) {
        assert_string_equal(c.v[i].path, again.v[i].path);
        assert_int_equal(c.v[i].features.n, again.v[i].features.n);
        assert_memory_equal(c.v[i].features.v, again.v[i].features.v,
                            c.v[i].features.n * sizeof(uint32_t));
    }
    lf_control_release(&c);
    lf_control_release(&again);
    cfz_buf_release(&text);
}

/* A merge that was killed: file 1 was started, its line of features is not whole. */
static void test_killed(void **state)
{
    static const char text[] = "3\n0\na\nb\nc\nSTARTED 0 1\nFT 0 8\nCOV 0 1\nSTARTED 1 7\nFT 1 1";
    struct lf_control c;

    (void)state;
    assert_int_equal(lf_control_parse(text, strlen(text), &c, NULL), 0);
    assert_true(c.v[0].done);
    assert_true(c.v[1].started);
    assert_false(c.v[1].done);
    assert_false(c.v[2].started);
    lf_control_release(&c);
}

static void test_bad(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "line 0: the number of files is expected"},
        {"x\n", "line 1: the number of files is expected"},
        {"2\n3\na\nb\n", "line 2: the number of files in the first directory is expected"},
        {"2\n0\na\n", "line 3: the path of a file is expected"},
        {"16000000\n0\na\n", "line 2: there are fewer files than the first line says"},
        {"1\n0\na\nHELLO\n", "line 4: STARTED, FT or COV is expected"},
        {"1\n0\na\nSTARTED 1 2\n", "line 4: there is no file of that number"},
        {"1\n0\na\nSTARTED 0\n", "line 4: STARTED: the size of the file is expected"},
        {"1\n0\na\nFT 0 1\n", "line 4: that file was not started"},
        {"1\n0\na\nSTARTED 0 2\nFT 0 1 x\n", "line 5: FT: a feature is not a number"},
        {"1\n0\na\nSTARTED 0 2\nFT 0 99999999999\n", "line 5: FT: a feature is not a number"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        struct lf_control c = LF_CONTROL_INIT;

        assert_int_equal(lf_control_parse(cases[i].text, strlen(cases[i].text), &c, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, cases[i].why);
        assert_null(c.v);
    }
}

static void choose(const char *text, bool cover, const char *want, uint64_t features,
                   uint64_t counters)
{
    struct lf_control c;
    bool chosen[8];
    uint64_t f, n;
    char got[9] = "";

    assert_int_equal(lf_control_parse(text, strlen(text), &c, NULL), 0);
    assert_int_equal(lf_choose(&c, cover, chosen, &f, &n, NULL), 0);
    for (size_t i = 0; i < c.n; i++)
        strcat(got, chosen[i] ? "x" : "-");
    assert_string_equal(got, want);
    assert_int_equal(f, features);
    assert_int_equal(n, counters);
    lf_control_release(&c);
}

static void test_choose(void **state)
{
    /* b shows what a did; c and d show one more each, e shows both and is larger; f failed. */
    static const char text[] = "6\n1\na\nb\nc\nd\ne\nf\n"
                               "STARTED 0 9\nFT 0 8 16\nSTARTED 1 1\nFT 1 8\n"
                               "STARTED 2 2\nFT 2 8 24\nSTARTED 3 2\nFT 3 16 32 33\n"
                               "STARTED 4 5\nFT 4 24 32 33 8\nSTARTED 5 1\n";

    (void)state;
    choose(text, false, "--xx--", 3, 2); /* small ones first */
    choose(text, true, "----x-", 3, 2);  /* as few as can be */
    choose("0\n0\n", false, "", 0, 0);
    choose("2\n2\na\nb\nSTARTED 0 1\nFT 0 8\nSTARTED 1 1\nFT 1 8\n", true, "--", 0, 0);
}

/* Of one size, the one that shows more. */
static void test_choose_rich(void **state)
{
    static const char text[] = "2\n0\na\nb\nSTARTED 0 3\nFT 0 8\nSTARTED 1 3\nFT 1 8 16\n";

    (void)state;
    choose(text, false, "-x", 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),  cmocka_unit_test(test_write),
        cmocka_unit_test(test_killed), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_choose), cmocka_unit_test(test_choose_rich),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
