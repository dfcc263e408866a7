/*
 * subprocess_test.c - helper programs: output, status, words for statuses.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/subprocess.h"

static void test_output(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT, err_out = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    int status = -1;

    (void)state;
    assert_int_equal(
        subprocess_run(
            &(struct subprocess){
                .argv = (const char *const[]){"sh", "-c", "pwd; echo e >&2; exit 3", NULL},
                .dir = "/",
                .out = &out,
                .err = &err_out},
            &status, &err),
        0);
    assert_string_equal(cfz_buf_str(&out), "/\n");
    assert_string_equal(cfz_buf_str(&err_out), "e\n");
    assert_int_equal(WEXITSTATUS(status), 3);
    cfz_buf_release(&out);
    cfz_buf_release(&err_out);
}

static void test_both_in_order(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    int status = -1;

    (void)state;
    assert_int_equal(
        subprocess_run(
            &(struct subprocess){
                .argv = (const char *const[]){"sh", "-c", "echo 1; echo 2 >&2; echo 3", NULL},
                .out = &out,
                .err = &out},
            &status, NULL),
        0);
    assert_string_equal(cfz_buf_str(&out), "1\n2\n3\n");
    assert_int_equal(status, 0);
    cfz_buf_release(&out);
}

/* More than a pipe holds, on both at once. */
static void test_much_output(void **state)
{
    static const char *const argv[] = {
        "sh", "-c", "head -c 300000 /dev/zero & head -c 200000 /dev/zero >&2; wait", NULL};
    struct cfz_buf out = CFZ_BUF_INIT, err_out = CFZ_BUF_INIT;
    int status = -1;

    (void)state;
    assert_int_equal(
        subprocess_run(&(struct subprocess){.argv = argv, .out = &out, .err = &err_out}, &status,
                       NULL),
        0);
    assert_int_equal(out.len, 300000);
    assert_int_equal(err_out.len, 200000);
    cfz_buf_release(&out);
    cfz_buf_release(&err_out);
}

static void test_missing(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    int status = -1;

    (void)state;
    assert_int_equal(
        subprocess_run(&(struct subprocess){.argv = (const char *const[]){"/nowhere/at-all", NULL}},
                       &status, &err),
        -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(strncmp(err.text, "/nowhere/at-all: ", 17), 0);
    assert_int_equal(status, -1);
}

static void test_signal(void **state)
{
    char text[SUBPROCESS_STATUS_MAX];
    int status = -1;

    (void)state;
    assert_int_equal(
        subprocess_run(
            &(struct subprocess){.argv = (const char *const[]){"sh", "-c", "kill -TERM $$", NULL}},
            &status, NULL),
        0);
    assert_string_equal(subprocess_status_text(status, text), "signal: terminated");
}

static void test_status_text(void **state)
{
    static const struct {
        int status;
        const char *text;
    } cases[] = {
        {0, "exit status 0"},
        {1 << 8, "exit status 1"},
        {70 << 8, "exit status 70"},
        {SIGSEGV, "signal: segmentation fault"},
        {SIGABRT | 0x80, "signal: aborted (core dumped)"},
        {SIGKILL, "signal: killed"},
        {40, "signal: signal 40"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[SUBPROCESS_STATUS_MAX];

        assert_string_equal(subprocess_status_text(cases[i].status, text), cases[i].text);
    }
}

static void test_crash_signals(void **state)
{
    static const int crash[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE};
    static const int other[] = {SIGKILL, SIGTERM, SIGHUP, SIGINT,
                                SIGQUIT, SIGALRM, SIGSYS, SIGXCPU};

    (void)state;
    for (size_t i = 0; i < sizeof(crash) / sizeof(crash[0]); i++)
        assert_true(subprocess_is_crash_signal(crash[i]));
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
        assert_false(subprocess_is_crash_signal(other[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),        cmocka_unit_test(test_both_in_order),
        cmocka_unit_test(test_much_output),   cmocka_unit_test(test_missing),
        cmocka_unit_test(test_signal),        cmocka_unit_test(test_status_text),
        cmocka_unit_test(test_crash_signals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
