/*
 * Curves: where axes end, and what is drawn of runs that are hardly there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/plot.h"

static void test_nice(void **state)
{
    static const double cases[][2] = {
        {0, 1},   {1, 1},    {2, 2},     {2.1, 2.4},  {7, 8},     {9, 10},       {10, 10},
        {11, 12}, {99, 100}, {101, 120}, {850, 1000}, {1e6, 1e6}, {1.1e9, 1.2e9}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_float_equal(plot_nice(cases[i][0]), cases[i][1], cases[i][1] / 1e9);
    for (double n = 1; n < 1e15; n *= 1.37)
        assert_true(plot_nice(n) >= n && plot_nice(n) <= 1.5 * n);
}

/* How often what stands in text. */
static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text += strlen(what))
        n++;
    return n;
}

static void test_curves(void **state)
{
    struct history h = HISTORY_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(plot_curves(&out, &h, PLOT_COVERED, PLOT_MS, NULL), 0);
    assert_int_equal(plot_spark(&out, &h, NULL), 0);
    assert_int_equal(count(cfz_buf_str(&out), "<svg"), 0);
    assert_non_null(strstr(cfz_buf_str(&out), "no run that took long enough"));
    for (int i = 0; i < PLOT_RUNS + 3; i++) {
        char id[16];
        struct history_run *r;

        snprintf(id, sizeof id, "r%d", i);
        r = history_run(&h, id);
        assert_non_null(r);
        /* The last one has no point, the one before it a single one at zero. */
        for (uint64_t k = 0; i < PLOT_RUNS + 1 && k < 3; k++)
            history_add_point(r, &(struct history_point){k * 1000, k * 70, k, 3 * k, 0});
        if (i == PLOT_RUNS + 1)
            history_add_point(r, &(struct history_point){0, 0, 0, 0, 0});
    }
    out.len = 0;
    assert_int_equal(plot_curves(&out, &h, PLOT_COVERED, PLOT_MS, NULL), 0);
    assert_int_equal(count(cfz_buf_str(&out), "<polyline"), PLOT_RUNS - 1);
    assert_int_equal(count(cfz_buf_str(&out), "data-run=\"0\""), 1);
    assert_int_equal(count(cfz_buf_str(&out), "nan") + count(cfz_buf_str(&out), "inf"), 0);
    /* Things that are counted have no halves: 6 edges end at 8, with steps of 2. */
    assert_non_null(strstr(cfz_buf_str(&out), ">8</text>"));
    assert_non_null(strstr(cfz_buf_str(&out), ">6</text>"));
    assert_null(strstr(cfz_buf_str(&out), "1.5</text>"));
    cfz_buf_release(&out);
    history_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nice),
        cmocka_unit_test(test_curves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
