/*
 * known_test.c - which marks the table of known crashes recognises.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/known.h"

static struct cfz_run_shm run; /* its table is all that is looked at */

static struct cfz_crash mark(uint32_t kind, int signo, uint32_t nframes)
{
    struct cfz_crash c;

    memset(&c, 0, sizeof c);
    c.kind = kind;
    c.signo = signo;
    c.code = 1;
    c.sp = 0x7000000;
    c.nframes = nframes;
    for (uint32_t i = 0; i < nframes; i++)
        c.frames[i] = 0x1000 + i;
    return c;
}

static int setup(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    return 0;
}

/* The innermost frames decide; what is further out may be anything. */
static void test_frames(void **state)
{
    struct cfz_crash a = mark(CFZ_CRASH_SIGNAL, SIGABRT, 5), b = a;

    (void)state;
    assert_int_equal(cfz_known_find(&run, &a), -1);
    assert_int_equal(cfz_known_add(&run, &a, 3, false), 0);
    assert_int_equal(cfz_known_find(&run, &a), 0);
    assert_int_equal(cfz_known_add(&run, &a, 3, false), 0); /* it is there */
    b.frames[3] = 7;
    b.nframes = 4;
    assert_int_equal(cfz_known_find(&run, &b), 0);
    b.nframes = 2;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    b = a;
    b.frames[2] = 7;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    assert_int_equal(cfz_known_add(&run, &b, 5, true), 1);
    assert_int_equal(cfz_known_find(&run, &b), 1);
    b.nframes = 6;
    assert_int_equal(cfz_known_find(&run, &b), -1); /* more frames than the whole stack had */
}

/* With the same frames it is another crash if kind, signal, exit status or report differ. */
static void test_kind(void **state)
{
    struct cfz_crash a = mark(CFZ_CRASH_SIGNAL, SIGSEGV, 3), b = a;

    (void)state;
    assert_int_equal(cfz_known_add(&run, &a, 3, false), 0);
    b.signo = SIGBUS;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    b = a;
    b.kind = CFZ_CRASH_EXIT;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    assert_int_equal(cfz_known_add(&run, &b, 3, false), 1);
    b.code = 2;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    b = a;
    b.report = 1;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    b = a;
    b.foreign_thread = 1;
    assert_int_equal(cfz_known_find(&run, &b), -1);
    b = a;
    b.addr = 0x1234; /* where it faulted is not what it is */
    assert_int_equal(cfz_known_find(&run, &b), 0);
}

/* A stack that ran out is known wherever that happened, and is no other fault. */
static void test_overflow(void **state)
{
    struct cfz_crash a = mark(CFZ_CRASH_SIGNAL, SIGSEGV, CFZ_FRAMES_MAX), b;

    (void)state;
    a.addr = a.sp - 8;
    assert_true(cfz_known_overflow(&a));
    assert_int_equal(cfz_known_add(&run, &a, 0, false), 0);
    b = a;
    b.frames[0] = 1;
    b.nframes = 1;
    assert_int_equal(cfz_known_find(&run, &b), 0);
    b.addr = 0;
    assert_false(cfz_known_overflow(&b));
    assert_int_equal(cfz_known_find(&run, &b), -1);
}

static void test_full(void **state)
{
    struct cfz_crash a = mark(CFZ_CRASH_EXIT, 0, 1);

    (void)state;
    for (int i = 0; i < CFZ_KNOWN_MAX; i++) {
        a.code = i;
        assert_int_equal(cfz_known_add(&run, &a, 1, false), i);
    }
    a.code = CFZ_KNOWN_MAX;
    assert_int_equal(cfz_known_add(&run, &a, 1, false), -1);
    a.nframes = UINT32_MAX; /* scribbled on */
    assert_int_equal(cfz_known_find(&run, &a), -1);
    a.code = 3;
    assert_int_equal(cfz_known_find(&run, &a), 3);
}

/* A worker reports a known crash again when it has died of it as often as the driver says. */
static void test_recurs(void **state)
{
    struct cfz_crash a = mark(CFZ_CRASH_EXIT, 0, 1);
    int at = cfz_known_add(&run, &a, 1, false);

    (void)state;
    assert_false(cfz_known_recurs(&run, at, UINT64_MAX - 1));
    cfz_known_recur(&run, at, 4);
    assert_int_equal(cfz_known_add(&run, &a, 1, false),
                     at); /* that it is met again changes nothing */
    assert_false(cfz_known_recurs(&run, at, 3));
    assert_true(cfz_known_recurs(&run, at, 4));
    assert_true(cfz_known_recurs(&run, at, 5));
    cfz_known_recur(&run, at, UINT64_MAX);
    assert_false(cfz_known_recurs(&run, at, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_frames, setup),   cmocka_unit_test_setup(test_kind, setup),
        cmocka_unit_test_setup(test_overflow, setup), cmocka_unit_test_setup(test_full, setup),
        cmocka_unit_test_setup(test_recurs, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
