/*
 * report_test.c - the lines a user reads, character by character.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cli/report.h"

#define SECOND UINT64_C(1000000000)

static void test_elapsed(void **state)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {SECOND / 2 - 1, "0s"},
        {SECOND / 2, "1s"},
        {59 * SECOND, "59s"},
        {60 * SECOND, "1m0s"},
        {3600 * SECOND, "1h0m0s"},
        {3723 * SECOND + 1, "1h2m3s"},
    };
    char text[REPORT_DURATION_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(report_elapsed(cases[i].ns, text), cases[i].text);
    assert_string_equal(report_duration(1500000000, text), "1.5s");
}

static void test_progress(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct progress p = {.elapsed_ns = 6 * SECOND,
                         .execs = 1234567,
                         .since_execs = 234567,
                         .since_ns = 2 * SECOND,
                         .interesting = 7,
                         .total = 12};

    (void)state;
    assert_int_equal(report_progress(&b, &p, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), "fuzz: elapsed: 6s, execs: 1234567 (250000/sec), new "
                                         "interesting: 7 (total: 12)\n");
    b.len = 0;
    p.since_execs = p.execs;
    p.meanwhile = "minimizing a failing input";
    assert_int_equal(report_progress(&b, &p, NULL), 0);
    assert_string_equal(cfz_buf_str(&b),
                        "fuzz: elapsed: 6s, execs: 1234567 (0/sec), new "
                        "interesting: 7 (total: 12); minimizing a failing input\n");
    b.len = 0;
    p = (struct progress){0}; /* no time has passed: no division by it */
    assert_int_equal(report_progress(&b, &p, NULL), 0);
    assert_string_equal(cfz_buf_str(&b),
                        "fuzz: elapsed: 0s, execs: 0 (0/sec), new interesting: 0 (total: 0)\n");
    cfz_buf_release(&b);
}

static void test_baseline(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(report_baseline(&b, 3 * SECOND, true, 1, 3, 0, NULL), 0);
    assert_int_equal(report_baseline(&b, 3 * SECOND, true, 3, 3, 1, NULL), 0);
    assert_int_equal(report_baseline(&b, 0, false, 0, 2, 0, NULL), 0);
    assert_int_equal(report_baseline(&b, 0, false, 2, 2, 4, NULL), 0);
    assert_string_equal(
        cfz_buf_str(&b),
        "fuzz: elapsed: 3s, gathering baseline coverage: 1/3 completed\n"
        "fuzz: elapsed: 3s, gathering baseline coverage: 3/3 completed, now fuzzing with 1 "
        "workers\n"
        "fuzz: elapsed: 0s, testing seed corpus: 0/2 completed\n"
        "fuzz: elapsed: 0s, testing seed corpus: 2/2 completed, now fuzzing with 4 workers\n");
    cfz_buf_release(&b);
}

static void test_result(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    static const char log[] = "x_test.c:8: error here\n    second line\nx_test.c:9: no line end";

    (void)state;
    assert_int_equal(report_result(&b, 0, "FAIL", "FuzzFoo", 1234 * SECOND / 1000, NULL), 0);
    assert_int_equal(report_result(&b, 1, "FAIL", "FuzzFoo/seed#1", 0, NULL), 0);
    assert_int_equal(report_indent(&b, 8, log, strlen(log), NULL), 0);
    assert_string_equal(cfz_buf_str(&b), "--- FAIL: FuzzFoo (1.23s)\n"
                                         "    --- FAIL: FuzzFoo/seed#1 (0.00s)\n"
                                         "        x_test.c:8: error here\n"
                                         "            second line\n"
                                         "        x_test.c:9: no line end\n");
    cfz_buf_release(&b);
}

static void test_values(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT;
    uint8_t zeros[100] = {0};

    (void)state;
    memset(zeros, 'z', sizeof zeros);
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), "a\xff", 2, NULL),
                     0);
    cfz_values_push(&vs, CFZ_KIND_INT)->bits = (uint64_t)-5;
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_STRING), zeros, 100, NULL),
                     0);
    assert_int_equal(report_values(&b, &vs, NULL), 0);
    assert_string_equal(
        cfz_buf_str(&b),
        "[]byte(\"a\\xff\")\n"
        "int(-5)\n"
        "string(\"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\"...) (100 "
        "bytes)\n");
    cfz_values_release(&vs);
    cfz_buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elapsed),  cmocka_unit_test(test_progress),
        cmocka_unit_test(test_baseline), cmocka_unit_test(test_result),
        cmocka_unit_test(test_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
