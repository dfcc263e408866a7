/*
 * slow_test.c - which executions are asked to end, when it is looked, and what a slow one is worth.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "target/slow.h"

#define MS UINT64_C(1000000)

/* A worker that a test moves on. */
static struct {
    struct cfz_slow s;
    struct cfz_slow_sums sums;
    uint64_t cpu, execs;
} at;

static void begin(uint64_t limit)
{
    memset(&at.sums, 0, sizeof at.sums);
    cfz_slow_init(&at.s, limit, &at.sums);
    cfz_slow_begin(&at.s, 0, 0);
    at.cpu = at.execs = 0;
}

/* n executions of so many ns each, and a look after each ms. */
static void quick(uint64_t n, uint64_t ns)
{
    for (uint64_t since = 0; n-- > 0;) {
        at.execs++;
        at.cpu += ns;
        since += ns;
        if (since < MS && n > 0)
            continue;
        since = 0;
        assert_int_equal(cfz_slow_look(&at.s, at.cpu, at.execs, false, true), CFZ_SLOW_GOES_ON);
    }
}

/* One execution that takes ms, looked at after each: returns after how many it was asked to end, or
 * 0. */
static uint64_t one(uint64_t ms)
{
    at.execs++;
    assert_int_equal(cfz_slow_look(&at.s, at.cpu, at.execs, true, true), CFZ_SLOW_GOES_ON);
    for (uint64_t i = 1; i <= ms; i++) {
        at.cpu += MS;
        if (cfz_slow_look(&at.s, at.cpu, at.execs, true, true) == CFZ_SLOW_ASKED) {
            assert_int_equal(at.s.asked, at.execs);
            return i;
        }
    }
    return 0;
}

/* The process ends, and another takes its place. */
static void replace(uint64_t fork)
{
    cfz_slow_begin(&at.s, at.execs, fork);
    at.cpu = 0;
}

static void test_rules(void **state)
{
    (void)state;
    begin(10 * MS);
    quick(1000, 10000); /* 10 ms in all */
    /* Less than a tenth of the time: they go on. */
    quick(200000, 10000); /* two seconds */
    assert_int_equal(one(200), 0);
    /* The next one is over a tenth, but none was let go so far: it is. */
    assert_int_equal(one(300), 0);
    quick(1, 10000);
    assert_int_equal(at.sums.let > 0, 1);
    quick(1, 10000);
    assert_int_equal(one(300), 10);
    /* It goes on after it was asked: it is not asked again. */
    assert_true(cfz_slow_spares(&at.s));
    assert_int_equal(cfz_slow_look(&at.s, at.cpu += 500 * MS, at.execs, true, true),
                     CFZ_SLOW_GOES_ON);
    assert_int_equal(at.sums.shown, 500 * MS);
    /* A sixth of the time went to such ones: the next one is not spared. An eleventh, and it is. */
    assert_false(cfz_slow_spares(&at.s));
    quick(240000, 10000);
    assert_true(cfz_slow_spares(&at.s));
    replace(0);
    /* So is the first one of a process, since the first process had none. */
    assert_int_equal(one(300), 10);
    /* A seed that is run is not. */
    replace(0);
    at.execs++;
    cfz_slow_look(&at.s, at.cpu, at.execs, true, false);
    assert_int_equal(cfz_slow_look(&at.s, at.cpu += 300 * MS, at.execs, true, false),
                     CFZ_SLOW_GOES_ON);

    /* Nor is one before any other was seen to end. */
    begin(10 * MS);
    replace(0);
    replace(0);
    at.sums.beginning = 1;
    assert_int_equal(cfz_slow_look(&at.s, 1000 * MS, 0, true, true), CFZ_SLOW_GOES_ON);
    assert_int_equal(at.sums.nslow, 1);
    assert_int_equal(at.s.asked, 0);

    /* Of the very first one nobody knows. */
    begin(10 * MS);
    at.sums.let = at.sums.slow = at.sums.spent = 1000 * MS;
    assert_int_equal(one(30), 0);
    quick(1, 1000);
    assert_int_equal(at.sums.beginning, 30 * MS);
    assert_int_equal(one(300), 150);
    /* It may have been slow itself: once the process has lived for 20 of that, it is no measure. */
    quick(600, MS / 10);
    quick(5400, MS / 10);
    at.sums.let = at.sums.slow = at.sums.spent = 10000 * MS;
    assert_int_equal(one(300), 10);
}

/* A hang ends its guard with it. The next one knows of it, and lets no second one go on. */
static void test_next_guard(void **state)
{
    (void)state;
    begin(10 * MS);
    quick(1000, 10000);
    assert_int_equal(one(10000), 0);
    assert_int_equal(at.s.allowed, at.execs);
    assert_true(at.sums.let > 9900 * MS);
    cfz_slow_init(&at.s, 10 * MS, &at.sums);
    cfz_slow_begin(&at.s, at.execs, 0);
    at.cpu = 0;
    assert_int_equal(at.sums.done, 1001);
    assert_int_equal(one(300), 10); /* though it is the first of that guard */
}

/* What one worker spends others may spend, too. */
static void test_together(void **state)
{
    struct cfz_slow other;

    (void)state;
    begin(10 * MS);
    quick(1000, 10000);
    assert_int_equal(one(300), 0);
    cfz_slow_init(&other, 10 * MS, &at.sums);
    cfz_slow_begin(&other, 0, 0);
    quick(1, 10000);
    assert_int_equal(one(300), 10);
    for (uint64_t i = 1; i <= 6000; i++) /* a tenth of these is more than slow ones had */
        cfz_slow_look(&other, i * MS, i * 100, false, true);
    quick(1, 10000);
    assert_int_equal(one(300), 0);
}

static void test_times(void **state)
{
    (void)state;
    /* Where each takes 2 ms, slow is 40 and more. */
    begin(10 * MS);
    quick(100, 2 * MS);
    at.sums.let = at.sums.slow = at.sums.spent = 1000 * MS;
    assert_int_equal(one(300), 40);
    assert_int_equal(cfz_slow_worth(&at.s), 20);

    /* Where more than half is slow, that is what is usual. */
    begin(10 * MS);
    quick(100, 1000);
    at.sums.let = at.sums.slow = at.sums.spent = 1000 * MS;
    at.sums.nslow = 48;
    assert_int_equal(one(300), 10);
    at.sums.nslow = 60;
    assert_int_equal(one(200), 0);
    assert_true(cfz_slow_late(&at.s)); /* but the turn ends */
    quick(1, 1000);
    assert_false(cfz_slow_late(&at.s));

    /* Where a process takes 8 ms to begin, it is 40, too: the least of several counts. */
    begin(10 * MS);
    at.sums.let = at.sums.slow = at.sums.spent = 1000 * MS;
    replace(20 * MS);
    quick(1000, 1000);
    assert_int_equal(at.sums.beginning, 20 * MS);
    replace(8 * MS);
    quick(1000, 1000);
    assert_int_equal(at.sums.beginning, 8 * MS);
    replace(80 * MS);
    quick(1000, 1000);
    assert_int_equal(at.sums.beginning, 8 * MS);
    assert_int_equal(one(300), 40);

    /* What the first execution takes belongs to it. */
    begin(10 * MS);
    assert_int_equal(one(7), 0);
    quick(1, 1000);
    assert_int_equal(at.sums.beginning, 7 * MS);
}

static void test_worth(void **state)
{
    (void)state;
    begin(MS);
    assert_int_equal(cfz_slow_worth(&at.s), 1 << 20); /* nothing is known of others */
    quick(1000, 10000);
    one(10);
    assert_int_equal(cfz_slow_worth(&at.s), 1001); /* it counts as one of them itself */
}

/* Looks are 5 ms of CPU time apart while executions are seen twice, and up to 40 while none is. Of
 * a process that gets a tenth of the time it takes ten times as long; of one that gets none, half a
 * second. */
static void test_pace(void **state)
{
    uint64_t cpu = 0, execs = 0;

    (void)state;
    begin(10 * MS);
    assert_int_equal(at.s.wait, 5 * MS);
    for (int i = 0; i < 32 * 3; i++)
        cfz_slow_look(&at.s, cpu += at.s.wait, ++execs, false, true);
    assert_int_equal(at.s.wait, 40 * MS);
    for (int i = 0; i < 100; i++)
        cfz_slow_look(&at.s, cpu += at.s.wait, ++execs, false, true);
    assert_int_equal(at.s.wait, 40 * MS);
    cfz_slow_look(&at.s, cpu += at.s.wait, ++execs, true, true);
    cfz_slow_look(&at.s, cpu += at.s.wait, execs, true, true);
    assert_int_equal(at.s.wait, 5 * MS);
    cfz_slow_look(&at.s, cpu += at.s.wait / 10, execs, true, true);
    assert_int_equal(at.s.wait, 50 * MS);
    cfz_slow_look(&at.s, cpu += at.s.wait / 10, execs, true, true);
    assert_int_equal(at.s.wait, 50 * MS);
    cfz_slow_look(&at.s, cpu, execs, true, true);
    assert_int_equal(at.s.wait, 500 * MS);
    cfz_slow_look(&at.s, cpu += at.s.wait, execs, true, true);
    assert_int_equal(at.s.wait, 5 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),    cmocka_unit_test(test_next_guard),
        cmocka_unit_test(test_together), cmocka_unit_test(test_times),
        cmocka_unit_test(test_worth),    cmocka_unit_test(test_pace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
