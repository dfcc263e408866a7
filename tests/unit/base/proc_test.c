/*
 * proc_test.c - the state of a child, and the end of one with all below it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"

enum { LEVELS = 3 };

/* Says on fd that it is there, and stays. */
static void __attribute__((noreturn)) stay(int fd)
{
    if (write(fd, "x", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

/* A child in a session of its own, as a host is, with a child that has one. All hold the other end
 * of *alive. */
static pid_t start_tree(int *alive)
{
    char byte;
    int fds[2];
    pid_t pid;

    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setsid();
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int level = 1; level < LEVELS && fork() == 0;)
            level++;
        stay(fds[1]);
    }
    close(fds[1]);
    for (int i = 0; i < LEVELS; i++)
        assert_int_equal(read(fds[0], &byte, 1), 1);
    *alive = fds[0];
    return pid;
}

static void test_state(void **state)
{
    pid_t pid = fork();
    siginfo_t info;
    int status;

    (void)state;
    if (pid == 0)
        for (;;)
            pause();
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_int_equal(proc_state(pid), 'T');
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(proc_state(pid), 'Z');
    waitpid(pid, &status, 0);
    assert_int_equal(proc_state(pid), 0);
    assert_int_equal(proc_state(0), 0);
}

static void test_end_tree(void **state)
{
    char byte;
    int alive, status;
    pid_t pid = start_tree(&alive);

    (void)state;
    proc_end_tree(0, getsid(0));
    proc_end_tree(pid, getsid(0)); /* it is not of that session */
    assert_int_equal(waitpid(pid, &status, WNOHANG | WUNTRACED), 0);
    proc_end_tree(pid, pid);
    assert_int_equal(proc_state(pid), 'Z');
    assert_int_equal(read(alive, &byte, 1), 0); /* nobody of them is left */
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    proc_end_tree(pid, pid);
    close(alive);
}

static void *wait_for_ever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

static void test_threads(void **state)
{
    char byte;
    int fds[2];
    pid_t pid;

    (void)state;
    assert_int_equal(proc_threads(getpid()), 1);
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        pthread_t t;

        prctl(PR_SET_NAME, "a) b (");
        if (pthread_create(&t, NULL, wait_for_ever, NULL) != 0 || write(fds[1], "x", 1) != 1)
            _exit(1);
        wait_for_ever(NULL);
    }
    assert_int_equal(read(fds[0], &byte, 1), 1);
    assert_int_equal(proc_threads(pid), 2);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(proc_threads(pid), 0);
    close(fds[0]);
    close(fds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_end_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
