/*
 * totals_test.c - the lines at the end of a run, and the debug variable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/debug.h"
#include "fuzz/totals.h"

static void check(const struct totals *t, const char *want)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    assert_int_equal(totals_report(&out, t, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), want);
    cfz_buf_release(&out);
}

/* Counts that cannot be true are left out. */
static void test_scribbled(void **state)
{
    struct cfz_proc_shm shm = {.execs = 10, .confirming = 4, .checking = 2, .skipped = 3};
    struct totals t = {.mutated = 6, .skipped = UINT64_MAX};

    (void)state;
    totals_add_worker(&t, NULL);
    t.skipped = 0;
    totals_add_worker(&t, &shm);
    assert_int_equal(t.confirming, 4);
    assert_int_equal(t.checking, 2);
    assert_int_equal(t.skipped, 3);
    shm.skipped = UINT64_C(0x4141414141414141);
    totals_add_worker(&t, &shm);
    assert_int_equal(t.confirming, 4);
    assert_int_equal(t.skipped, 3);
    t = (struct totals){.mutated = 6, .corpus = 1, .skipped = UINT64_MAX};
    check(&t, "fuzz: executions: 6 mutated\n"
              "fuzz: skipped by the test: 18446744073709551615 of 6 (100%)\n"
              "fuzz: corpus: 1 input, 0 new\n");
}

/* A test that takes hardly any input tests little. */
static void test_skipping(void **state)
{
    struct totals t = {.mutated = 1000, .corpus = 1, .skipped = 989};

    (void)state;
    check(&t, "fuzz: executions: 1000 mutated\n"
              "fuzz: skipped by the test: 989 of 1000 (98%)\n"
              "fuzz: corpus: 1 input, 0 new\n");
    t.skipped = 990;
    check(&t, "fuzz: executions: 1000 mutated\n"
              "fuzz: skipped by the test: 990 of 1000 (99%)\n"
              "warning: the test skipped 99% of its inputs, so that little was tested: add seeds "
              "that it takes, or skip less\n"
              "fuzz: corpus: 1 input, 0 new\n");
    t.mutated = t.skipped = 999;
    check(&t, "fuzz: executions: 999 mutated\n"
              "fuzz: skipped by the test: 999 of 999 (100%)\n"
              "fuzz: corpus: 1 input, 0 new\n");
}

static void test_lines(void **state)
{
    struct totals t = {.mutated = 1000, .corpus = 1};

    (void)state;
    check(&t, "fuzz: executions: 1000 mutated\nfuzz: corpus: 1 input, 0 new\n");
    t.baseline = 3;
    t.confirming = 12;
    t.minimizing = 240;
    t.checking = 7;
    t.settling = 31;
    t.cut = 1;
    t.skipped = 120;
    t.counters = true;
    t.covered = 31;
    t.covered_before_fuzzing = 19;
    t.ncounters = 118;
    t.corpus = 12;
    t.found = 9;
    t.unstable = 1;
    t.crashes = 2;
    t.distinct = 1;
    check(
        &t,
        "fuzz: executions: 1000 mutated, 3 baseline, 12 to confirm interesting inputs, 240 to "
        "minimize them, "
        "7 to see that no state stays, 31 for failing inputs\n"
        "fuzz: cut short: 1 slow execution, as these took much of the time; -slow=0 lets them end\n"
        "fuzz: skipped by the test: 120 of 1003 (11%)\n"
        "fuzz: coverage: 31 of 118 counters (26%), 12 more than the baseline\n"
        "fuzz: corpus: 12 inputs, 9 new; 1 with unstable coverage, not kept in the cache\n"
        "fuzz: failing inputs: 2, of 1 kind\n");
    t = (struct totals){.corpus = 1, .drifted = 3};
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "fuzz: processes replaced as the tested code had changed: 3\n");
    t = (struct totals){.corpus = 1, .of_trace = 1, .erratic_sites = 1};
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "fuzz: search: left alone 1 comparison that differs from one execution of an input "
              "to the next\n"
              "fuzz: search: 1 input failed only when traced, which takes more stack and time: not "
              "saved\n");
    t = (struct totals){.corpus = 1, .erratic_sites = 2, .erratic_inputs = 3};
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "fuzz: search: left alone 2 comparisons that differ from one execution of an input "
              "to the next, 3 inputs that run differently when traced\n");
    t = (struct totals){.corpus = 4, .found = 1, .unstable = 1, .forgotten = 11};
    check(&t,
          "fuzz: executions: 0 mutated\n"
          "fuzz: corpus: 4 inputs, 1 new; 1 with unstable coverage, not kept in the cache; forgot "
          "11 whose new coverage did not come again\n");
    t = (struct totals){.corpus = 1, .forgotten = 1};
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: corpus: 1 input, 0 new; forgot 1 whose new coverage did not come again\n");
    t = (struct totals){.corpus = 1, .crashes = 9, .distinct = 3, .of_seeds = 2};
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "fuzz: failing inputs: 9, of 3 kinds, 2 known before\n");
}

#define WARNING_END                                                                                \
    ": the tested code may be built elsewhere, or the compiler have removed it: use its result\n"

/* A run that saw nothing of the tested code says so. */
static void test_no_coverage(void **state)
{
    struct totals t = {.mutated = 10, .corpus = 1, .counters = true, .covered = 1, .ncounters = 4};

    (void)state;
    t.covered_before_fuzzing = 1;
    check(&t, "fuzz: executions: 10 mutated\n"
              "fuzz: coverage: 1 of 4 counters (25%), 0 more than the baseline\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "warning: no input reached more than 1 counter" WARNING_END);
    t.covered = t.covered_before_fuzzing = 0;
    check(&t, "fuzz: executions: 10 mutated\n"
              "fuzz: coverage: 0 of 4 counters (0%), 0 more than the baseline\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "warning: no input reached more than 0 counters" WARNING_END);
    t.covered = 2;
    check(&t, "fuzz: executions: 10 mutated\n"
              "fuzz: coverage: 2 of 4 counters (50%), 2 more than the baseline\n"
              "fuzz: corpus: 1 input, 0 new\n");
    t.covered = 1;
    t.mutated = 0;
    check(&t, "fuzz: executions: 0 mutated\n"
              "fuzz: coverage: 1 of 4 counters (25%), 1 more than the baseline\n"
              "fuzz: corpus: 1 input, 0 new\n");
    t.mutated = 10;
    t.crashes = t.distinct = 1;
    check(&t, "fuzz: executions: 10 mutated\n"
              "fuzz: coverage: 1 of 4 counters (25%), 1 more than the baseline\n"
              "fuzz: corpus: 1 input, 0 new\n"
              "fuzz: failing inputs: 1, of 1 kind\n");
}

static void test_add_worker(void **state)
{
    static struct cfz_proc_shm shm;
    struct totals t = {0};

    (void)state;
    shm.skipped = 5;
    shm.confirming = 6;
    shm.minimizing = 7;
    shm.unstable = 8;
    totals_add_worker(&t, &shm);
    totals_add_worker(&t, &shm);
    assert_int_equal(t.skipped, 10);
    assert_int_equal(t.confirming, 12);
    assert_int_equal(t.minimizing, 14);
    assert_int_equal(t.forgotten, 16);
    assert_int_equal(t.unstable, 0);
}

static void test_covered(void **state)
{
    struct cfz_run_shm *run;
    int fd;

    (void)state;
    assert_int_equal(cfz_run_shm_new(10, &run, &fd, NULL), 0);
    assert_int_equal(run->covered, 0);
    assert_int_equal(totals_counters(run, 3), 3);
    totals_merge(run, (struct cfz_cov_bits[]){{0, 1}, {5, 1}, {5, 2}, {10, 1}}, 4);
    assert_int_equal(run->covered, 2); /* 10 is beyond the mask */
    assert_int_equal(run->features, 3);
    assert_int_equal(totals_counters(run, 3), 6); /* the last one reached */
    assert_int_equal(totals_counters(run, 0), 6);
    totals_merge(run, (struct cfz_cov_bits[]){{9, 0x81}, {0, 1}, {3, 0}}, 3);
    assert_int_equal(run->covered, 3);
    assert_int_equal(run->features, 5);
    assert_int_equal(cfz_run_mask(run)[9], 0x81);
    assert_int_equal(totals_counters(run, 10), 10);
    assert_int_equal(totals_counters(run, 3), 10);
    cfz_shm_unmap(run, run->size);
}

static void test_debug_value(void **state)
{
    (void)state;
    assert_int_equal(debug_value(NULL, "fuzz"), 0);
    assert_int_equal(debug_value("", "fuzz"), 0);
    assert_int_equal(debug_value("fuzz=1", "fuzz"), 1);
    assert_int_equal(debug_value("fuzz=0", "fuzz"), 0);
    assert_int_equal(debug_value("fuzzy=1", "fuzz"), 0);
    assert_int_equal(debug_value("a=2,fuzz=3,b=4", "fuzz"), 3);
    assert_int_equal(debug_value("afuzz=3", "fuzz"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scribbled),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_skipping),    cmocka_unit_test(test_no_coverage),
        cmocka_unit_test(test_add_worker),  cmocka_unit_test(test_covered),
        cmocka_unit_test(test_debug_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
