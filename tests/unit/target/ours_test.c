/*
 * ours_test.c - which signals reach processes of cfuzz's, in a process whose parents are not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/crash.h"
#include "target/ours.h"

/* What cfz_crash_kill was told, in its place: this process is not a worker. */
static enum cfz_whom told;
static int told_sig;

bool __wrap_cfz_crash_kill(enum cfz_whom whom, int sig, uintptr_t from);

bool __wrap_cfz_crash_kill(enum cfz_whom whom, int sig, uintptr_t from)
{
    (void)from;
    told = whom;
    told_sig = sig;
    return false;
}

static enum cfz_whom reached(pid_t to, int sig)
{
    told = CFZ_WHOM_NONE;
    told_sig = 0;
    assert_int_equal(cfz_ours_signal(to, sig), told != CFZ_WHOM_NONE);
    if (told != CFZ_WHOM_NONE)
        assert_int_equal(told_sig, sig);
    return told;
}

static pid_t stranger; /* in a group of its own */

static void nobody_is_ours(void **state)
{
    (void)state;
    assert_int_equal(reached(-1, SIGKILL), CFZ_WHOM_NONE);
    assert_int_equal(reached(getppid(), SIGKILL), CFZ_WHOM_NONE);
}

static void some_are(void **state)
{
    (void)state;
    cfz_ours_add(stranger);
    cfz_ours_add(getppid());
    cfz_ours_add(getpid());
    assert_int_equal(reached(getppid(), SIGTERM), CFZ_WHOM_PARENT);
    assert_int_equal(reached(stranger, SIGKILL), CFZ_WHOM_OURS);
    assert_int_equal(reached(-stranger, SIGRTMAX), CFZ_WHOM_OURS);
    assert_int_equal(reached(-1, SIGSTOP), CFZ_WHOM_ALL);
}

static void others_are_not(void **state)
{
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        pause();
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(reached(child, SIGKILL), CFZ_WHOM_NONE);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(reached(getpid(), SIGABRT), CFZ_WHOM_NONE);
    assert_int_equal(reached(0, SIGTERM), CFZ_WHOM_NONE);
    assert_int_equal(reached(-getpgrp(), SIGTERM), CFZ_WHOM_NONE);
}

static void harmless_ones(void **state)
{
    static const int signals[] = {0, SIGCHLD, SIGCONT, SIGURG, SIGWINCH, -1, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        assert_int_equal(reached(stranger, signals[i]), CFZ_WHOM_NONE);
    assert_int_equal(reached(-1, SIGWINCH), CFZ_WHOM_ALL); /* nobody means that */
    assert_int_equal(reached(-1, 0), CFZ_WHOM_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_ours),
        cmocka_unit_test(some_are),
        cmocka_unit_test(others_are_not),
        cmocka_unit_test(harmless_ones),
    };
    int status;

    stranger = fork();
    if (stranger == 0) {
        setpgid(0, 0);
        pause();
        _exit(0);
    }
    setpgid(stranger, stranger);
    setpgid(0, 0); /* so that the parent's group is not this one's */
    status = cmocka_run_group_tests(tests, NULL, NULL);
    kill(stranger, SIGKILL);
    waitpid(stranger, NULL, 0);
    return status;
}
