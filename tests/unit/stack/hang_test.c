/*
 * hang_test.c - the stack of a process that spins with every signal blocked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stack/hang.h"

static volatile unsigned turns;

static void __attribute__((noinline)) spin(void)
{
    for (;;)
        turns++;
}

static void test_spinning(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stack st = {0};
    int status;
    bool spins = false;
    pid_t pid = fork();

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        sigset_t all;

        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        spin();
    }
    /* The child is a copy of this process, so its pc is in our spin, some bytes from its start, as
     * soon as it is there. */
    for (int i = 0; i < 500 && !spins; i++) {
        usleep(10000);
        if (hang_stack(pid, &st, &err) < 0) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            if (err.sys == EPERM)
                skip(); /* a container without ptrace */
            fail_msg("%s", err.text);
        }
        assert_true(st.n >= 1);
        spins =
            st.pc[0] >= (uint64_t)(uintptr_t)spin && st.pc[0] < (uint64_t)(uintptr_t)spin + 4096;
    }
    assert_true(spins);
    /* It was let go: it runs on, and can be stopped again. */
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    assert_int_equal(hang_stack(pid, &st, &err), 0);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

/* Waits in the C library, and goes on with something, so that this is no jump. */
static ssize_t __attribute__((noinline)) wait_in_read(int fd)
{
    char byte;
    ssize_t n = read(fd, &byte, 1);

    turns++;
    return n;
}

/* From a call that waits, which has no frame pointers, to its caller. */
static void test_waiting(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stack st = {0};
    uint64_t caller = (uint64_t)(uintptr_t)wait_in_read;
    int status, fds[2];
    bool found = false;
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit((int)wait_in_read(fds[0]));
    for (int i = 0; i < 500 && !found; i++) { /* until it is there */
        usleep(10000);
        if (hang_stack(pid, &st, &err) < 0)
            break;
        for (uint32_t k = 1; k < st.n; k++)
            found = found || (st.pc[k] > caller && st.pc[k] < caller + 1024);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    close(fds[0]);
    close(fds[1]);
    if (err.sys == EPERM)
        skip();
    assert_true(found);
    assert_true(st.n > 3); /* and on to main */
}

static void __attribute__((noinline)) take_long(void)
{
    for (int i = 0; i < 10000000; i++)
        turns++;
}

static void __attribute__((noinline)) call_for_ever(void)
{
    for (;;)
        take_long();
}

/* Calls itself from one place, to which the inner calls return first. */
static void __attribute__((noinline)) call_deep(int levels)
{
    if (levels > 0)
        call_deep(levels - 1);
    else
        take_long();
    turns++;
}

static void __attribute__((noinline)) call_deep_for_ever(void)
{
    for (;;)
        call_deep(2);
}

/* Whether a caller in the stack lies within the function at start. */
static bool is_within(const struct stack *st, uint64_t start)
{
    for (uint32_t i = 1; i < st->n; i++)
        if (st->pc[i] > start && st->pc[i] < start + 256)
            return true;
    return false;
}

/* Each look sees it in a call, but that returns: the loop is the caller's. */
static void check_loop(void (*loops)(void), void (*calls)(void))
{
    uint64_t loop = (uint64_t)(uintptr_t)loops, call = (uint64_t)(uintptr_t)calls;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stack st = {0};
    pid_t pid = fork();
    int ret;

    assert_true(pid >= 0);
    if (pid == 0)
        loops();
    /* Until it is there: under a sanitizer a child takes its time in fork. */
    for (int i = 0; i < 500 && !is_within(&st, loop) && err.sys == 0; i++) {
        usleep(10000);
        hang_stack(pid, &st, &err);
    }
    ret = hang_stack_steady(pid, &st, &err);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (err.sys == EPERM)
        skip();
    assert_int_equal(ret, 0);
    assert_true(st.nloop > 1 && st.steady > 0);
#if defined(__x86_64__)
    for (uint32_t i = 0; i < st.nloop; i++) {
        assert_in_range(st.loop[i], loop, loop + 256);
        assert_false(call > loop && st.loop[i] >= call);
    }
#endif
}

static void test_long_call(void **state)
{
    (void)state;
    check_loop(call_for_ever, take_long);
}

static void test_long_recursion(void **state)
{
    (void)state;
    check_loop(call_deep_for_ever, (void (*)(void))call_deep);
}

static void test_gone(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stack st = {.n = 7};
    pid_t pid = fork();

    (void)state;
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    assert_int_equal(hang_stack(pid, &st, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(st.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spinning),  cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_long_call), cmocka_unit_test(test_long_recursion),
        cmocka_unit_test(test_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
