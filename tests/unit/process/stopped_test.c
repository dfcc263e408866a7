/*
 * stopped_test.c - a child that is stopped, and goes on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/stopped.h"

static pid_t start_child(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        for (;;)
            pause();
    }
    assert_true(pid > 0);
    return pid;
}

static void test_goes_on(void **state)
{
    pid_t pid = start_child();
    int status;

    (void)state;
    assert_false(stopped_go_on(pid));
    for (int i = 0; i < 2; i++) { /* as often as it takes */
        kill(pid, SIGSTOP);
        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        assert_true(stopped_go_on(pid));
        assert_int_equal(waitpid(pid, &status, WCONTINUED), pid);
        assert_true(WIFCONTINUED(status));
        assert_false(stopped_go_on(pid));
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
}

static void test_none(void **state)
{
    (void)state;
    assert_false(stopped_go_on(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
