/*
 * status_line_test.c - what the status line says, and what it leaves out where there is no room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "results/status_line.h"

#define SECOND UINT64_C(1000000000)

static const struct fuzz_status status = {.doing = "fuzzing",
                                          .elapsed_ns = 63 * SECOND,
                                          .execs = 1000000,
                                          .rate = 34149,
                                          .interesting = 12,
                                          .total = 45,
                                          .covered = 31,
                                          .counters = 118,
                                          .workers = 2,
                                          .since_find_ns = 12 * SECOND};

static void check(const struct fuzz_status *s, unsigned width, const char *want)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    unsigned columns;

    assert_int_equal(status_line_text(&b, "FuzzParse", s, width, &columns, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), want);
    if (strchr(want, '\x1b') == NULL)
        assert_int_equal(columns, strlen(want));
    assert_true(columns <= width);
    cfz_buf_release(&b);
}

static void one_input(void **state)
{
    struct fuzz_status s = status;

    (void)state;
    s.rate = 0;
    s.executing_ns = 6 * SECOND;
    check(&s, 120,
          "FuzzParse: fuzzing 1m3s one input for 6s new 12/45 cov 31/118 crashes 0 find 12s ago, 2 "
          "workers");
}

static void widths(void **state)
{
    (void)state;
    check(&status, 100,
          "FuzzParse: fuzzing 1m3s 34.1k/s new 12/45 cov 31/118 crashes 0 find 12s ago, 2 workers");
    check(&status, 79,
          "fuzzing 1m3s 34.1k/s new 12/45 cov 31/118 crashes 0 find 12s ago, 2 workers");
    check(&status, 74, "fuzzing 1m3s 34.1k/s new 12/45 cov 31/118 crashes 0");
    check(&status, 41, "fuzzing 1m3s 34.1k/s new 12/45 crashes 0");
    check(&status, 39, "fuzzing 1m3s 34.1k/s crashes 0");
    check(&status, 20, "fuzzing 1m3s 34.1k/s");
    check(&status, 12, "fuzzing 1m3s");
    check(&status, 9, "1m3s");
    check(&status, 2, "1m");
    check(&status, 1, "1");
}

static void states(void **state)
{
    struct fuzz_status s = status;

    (void)state;
    s.crashes = 1;
    check(&s, 41, "fuzzing 1m3s 34.1k/s new 12/45 \x1b[1;31mcrashes 1\x1b[0m");
    s = status;
    s.doing = "baseline";
    s.of_baseline = 3400;
    s.counters = 0;
    s.workers = 1;
    check(&s, 79, "baseline 0/3400 1m3s 34.1k/s new 12/45 crashes 0 find 12s ago, 1 worker");
}

static void rates(void **state)
{
    static const struct {
        double rate;
        const char *want;
    } cases[] = {
        {0, "0/s"},         {999.4, "999/s"},   {999.96, "1.0k/s"},
        {1000, "1.0k/s"},   {34149, "34.1k/s"}, {999949, "999.9k/s"},
        {999999, "1.0M/s"}, {2.5e6, "2.5M/s"},  {7e9, "7.0G/s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fuzz_status s = {.doing = "x", .rate = cases[i].rate};
        struct cfz_buf b = CFZ_BUF_INIT;
        unsigned columns;

        assert_int_equal(status_line_text(&b, "FuzzX", &s, 14, &columns, NULL), 0);
        assert_string_equal(cfz_buf_str(&b) + 5, cases[i].want);
        cfz_buf_release(&b);
    }
}

/* Only a terminal has one. */
static void wanted(void **state)
{
    (void)state;
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (status_line_wanted()) { /* this test runs at one */
        setenv("NO_COLOR", "1", 1);
        assert_false(status_line_wanted());
        unsetenv("NO_COLOR");
        setenv("TERM", "dumb", 1);
        assert_false(status_line_wanted());
        unsetenv("TERM");
    }
    assert_false(status_line_wanted() && getenv("TERM") == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths), cmocka_unit_test(one_input), cmocka_unit_test(states),
        cmocka_unit_test(rates),  cmocka_unit_test(wanted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
