/*
 * Reading, adding and writing lcov's format.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cover/lcov.h"

static const char two[] = "SF:/p/b.c\n"
                          "FN:3,b.c:f\n"
                          "FN:9,g\n"
                          "FNDA:2,b.c:f\n"
                          "FNDA:0,g\n"
                          "FNF:2\n"
                          "DA:4,2\n"
                          "DA:3,2\n"
                          "DA:9,0\n"
                          "BRDA:4,0,0,2\n"
                          "BRDA:4,0,1,-\n"
                          "LF:3\n"
                          "end_of_record\n"
                          "SF:/p/a.c\n"
                          "DA:1,18446744073709551615\n"
                          "end_of_record\n";

static void test_read_and_write(void **state)
{
    struct lcov l = LCOV_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(lcov_read(&l, two, NULL, NULL, NULL), 0);
    /* A second time: counts are added up, and none goes over. */
    assert_int_equal(lcov_read(&l, two, NULL, NULL, NULL), 0);
    assert_int_equal(lcov_write(&text, &l, NULL), 0);
    assert_string_equal(cfz_buf_str(&text),
                        "TN:\nSF:/p/a.c\nFNF:0\nFNH:0\nBRF:0\nBRH:0\n"
                        "DA:1,18446744073709551615\nLF:1\nLH:1\nend_of_record\n"
                        "TN:\nSF:/p/b.c\nFN:3,f\nFN:9,g\nFNDA:4,f\nFNDA:0,g\nFNF:2\nFNH:1\n"
                        "BRDA:4,0,0,4\nBRDA:4,0,1,-\nBRF:2\nBRH:1\n"
                        "DA:3,4\nDA:4,4\nDA:9,0\nLF:3\nLH:2\nend_of_record\n");
    cfz_buf_release(&text);
    lcov_release(&l);
}

/* Functions of one name and file, on two lines: counts are for them in turn. */
static void test_equal_names(void **state)
{
    static const char *const text = "SF:/a.c\nFN:9,a.c:f\nFN:3,a.c:f\nFNDA:4,a.c:f\nFNDA:0,a.c:f\n"
                                    "FNDA:2,a.c:f\nend_of_record\n";
    static const char *const written = "TN:\nSF:/a.c\nFN:3,f\nFN:9,f\nFNDA:6,f\nFNDA:0,f\nFNF:2\n"
                                       "FNH:1\nBRF:0\nBRH:0\nLF:0\nLH:0\nend_of_record\n";
    struct lcov l = LCOV_INIT, again = LCOV_INIT;
    struct cfz_buf first = CFZ_BUF_INIT, second = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(lcov_read(&l, text, NULL, NULL, NULL), 0);
    assert_int_equal(lcov_write(&first, &l, NULL), 0);
    assert_string_equal(cfz_buf_str(&first), written);
    assert_int_equal(lcov_read(&again, written, NULL, NULL, NULL), 0);
    assert_int_equal(lcov_write(&second, &again, NULL), 0);
    assert_string_equal(cfz_buf_str(&second), written);
    cfz_buf_release(&first);
    cfz_buf_release(&second);
    lcov_release(&l);
    lcov_release(&again);
}

/* Leaves out b.c, and gives a.c another name. */
static char *name(void *ctx, const char *path, bool *failed)
{
    (void)ctx;
    (void)failed;
    return strcmp(path, "/p/a.c") == 0 ? strdup("/q/a.c") : NULL;
}

static void test_names_and_questions(void **state)
{
    struct lcov l = LCOV_INIT, sum = LCOV_INIT;
    struct lcov_counts n;

    (void)state;
    assert_int_equal(lcov_read(&l, two, name, NULL, NULL), 0);
    assert_int_equal(l.n, 1);
    assert_null(lcov_find(&l, "/p/a.c"));
    assert_non_null(lcov_find(&l, "/q/a.c"));
    assert_null(lcov_line_of(lcov_find(&l, "/q/a.c"), 2));
    assert_int_equal(lcov_line_of(lcov_find(&l, "/q/a.c"), 1)->line, 1);
    lcov_release(&l);

    assert_int_equal(lcov_read(&l, two, NULL, NULL, NULL), 0);
    assert_int_equal(lcov_add(&sum, &l, NULL), 0);
    assert_int_equal(lcov_add(&sum, &l, NULL), 0);
    n = lcov_count(&sum);
    assert_int_equal(n.lines, 4);
    assert_int_equal(n.lines_run, 3);
    assert_int_equal(n.functions, 2);
    assert_int_equal(n.functions_run, 1);
    assert_int_equal(lcov_find(&sum, "/p/b.c")->lines[0].count, 4);
    lcov_release(&sum);
    lcov_release(&l);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"DA:1,2\n", "line 1: outside of a record"},
        {"SF:/a\nDA:1\nend_of_record\n", "line 2: DA: no two numbers"},
        {"SF:/a\nDA:x,1\nend_of_record\n", "line 2: DA: no two numbers"},
        {"SF:/a\nDA:1,-1\nend_of_record\n", "line 2: DA: no two numbers"},
        {"SF:/a\nDA:4294967296,1\nend_of_record\n", "line 2: DA: no two numbers"},
        {"SF:/a\nDA:1,99999999999999999999\nend_of_record\n", "line 2: DA: no two numbers"},
        {"SF:/a\nFN:1\nend_of_record\n", "line 2: FN: no number and name"},
        {"SF:/a\nFNDA:1,f\nend_of_record\n", "line 2: FNDA: a function without FN"},
        {"SF:/a\nBRDA:1,0,1,x\nend_of_record\n", "line 2: BRDA: no count"},
        {"SF:/a\nBRDA:1,0\nend_of_record\n", "line 2: BRDA: no three numbers"},
        {"SF:/a\nSF:/b\nend_of_record\n", "line 2: SF: the record before has no end"},
        {"SF:/a\nDA:1,1\n", "line 2: the last record has no end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lcov l = LCOV_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(lcov_read(&l, cases[i].text, NULL, NULL, &err), -1);
        assert_string_equal(err.text, cases[i].why);
        assert_int_equal(err.code, CFZ_EFORMAT);
        lcov_release(&l);
    }
}

static void test_percent(void **state)
{
    char text[LCOV_PERCENT_MAX];

    (void)state;
    assert_string_equal(lcov_percent(0, 3, text), "0.0%");
    assert_string_equal(lcov_percent(3, 3, text), "100.0%");
    assert_string_equal(lcov_percent(1, 3, text), "33.3%");
    assert_string_equal(lcov_percent(99999, 100000, text), "99.9%");
    assert_string_equal(lcov_percent(1, 100000, text), "0.1%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_equal_names),
        cmocka_unit_test(test_names_and_questions),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_percent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
