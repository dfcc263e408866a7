/*
 * temp_token_test.c - tokens of runs that last, and of runs that are over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/temp_token.h"

static void test_alive(void **state)
{
    uint64_t token = cfz_temp_token(getpid());

    (void)state;
    assert_int_not_equal(token, 0);
    assert_int_equal(cfz_temp_token(getpid()), token);
    assert_int_not_equal(cfz_temp_token(getppid()), token);
    assert_false(cfz_temp_token_is_dead(token));
    assert_false(cfz_temp_token_is_dead(cfz_temp_token(getppid())));
}

static void test_dead(void **state)
{
    pid_t pid = fork();
    uint64_t token;

    (void)state;
    if (pid == 0) {
        pause();
        _exit(0);
    }
    token = cfz_temp_token(pid);
    assert_int_not_equal(token, 0);
    assert_false(cfz_temp_token_is_dead(token));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(cfz_temp_token(pid), 0);
    assert_true(cfz_temp_token_is_dead(token));
    /* Another process that has the pid by now, and one of another machine. */
    assert_true(cfz_temp_token_is_dead(cfz_temp_token(getpid()) ^ 1));
    assert_false(cfz_temp_token_is_dead(token ^ UINT64_C(1) << 20));
    assert_false(cfz_temp_token_is_dead(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alive), cmocka_unit_test(test_dead)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
