/*
 * error_test.c - error texts, and how a broken invariant ends the process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/protocol.h"

static void test_fail(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_fail(&err, CFZ_EFORMAT, "%s: line %d", "x", 3), -1);
    assert_int_equal(err.code, CFZ_EFORMAT);
    assert_int_equal(err.sys, 0);
    assert_string_equal(err.text, "x: line 3");
    assert_int_equal(cfz_fail(NULL, CFZ_EFORMAT, "nobody cares"), -1);
}

static void test_fail_errno(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    errno = ENOENT;
    assert_int_equal(cfz_fail_errno(&err, "open %s", "a"), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(err.sys, ENOENT);
    assert_string_equal(err.text, "open a: No such file or directory");
    assert_int_equal(errno, ENOENT);
    assert_int_equal(cfz_fail_errno(NULL, "nobody cares"), -1);
}

static void test_wrap(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    errno = EACCES;
    cfz_fail_errno(&err, "open b");
    assert_int_equal(cfz_error_wrap(&err, "load %s", "a"), -1);
    assert_string_equal(err.text, "load a: open b: Permission denied");
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(err.sys, EACCES);
    assert_int_equal(cfz_error_wrap(NULL, "nobody cares"), -1);
}

/* Texts longer than there is room for are cut, and end in a NUL. */
static void test_long(void **state)
{
    char name[CFZ_ERROR_TEXT_MAX + 100];
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cfz_fail(&err, CFZ_EIO, "%s", name);
    assert_int_equal(strlen(err.text), CFZ_ERROR_TEXT_MAX - 1);
    cfz_error_wrap(&err, "b");
    assert_int_equal(strlen(err.text), CFZ_ERROR_TEXT_MAX - 1);
    assert_memory_equal(err.text, "b: aaa", 6);
    cfz_error_wrap(&err, "%s", name);
    assert_int_equal(strlen(err.text), CFZ_ERROR_TEXT_MAX - 1);
    errno = EIO;
    cfz_fail_errno(&err, "%s", name);
    assert_int_equal(strlen(err.text), CFZ_ERROR_TEXT_MAX - 1);
}

static void test_keep(void **state)
{
    struct cfz_error first = CFZ_ERROR_INIT, err = CFZ_ERROR_INIT;

    (void)state;
    cfz_fail(&err, CFZ_EINTERNAL, "the first");
    cfz_error_keep(&first, &err);
    assert_int_equal(first.code, CFZ_EINTERNAL);
    assert_string_equal(first.text, "the first");
    cfz_fail(&err, CFZ_EIO, "what followed");
    cfz_error_keep(&first, &err);
    assert_int_equal(first.code, CFZ_EINTERNAL);
    assert_string_equal(first.text, "the first");
}

/* Nothing in an error moves the cursor or begins a line that looks like ours. */
static void test_escaped(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    cfz_fail(&err, CFZ_EIO, "a\nok\x1b: %s", "\xe2\x80\xae\r");
    assert_string_equal(err.text, "a\\x0aok\\x1b: \\xe2\\x80\\xae\\x0d");
    cfz_error_wrap(&err, "b\n");
    assert_string_equal(err.text, "b\\x0a: a\\x0aok\\x1b: \\xe2\\x80\\xae\\x0d");
    cfz_fail(&err, CFZ_EIO, "its output:");
    cfz_error_add_lines(&err, "one\nok  \x1b[2K\n");
    assert_string_equal(err.text, "its output:\n    one\n    ok  \\x1b[2K");
    for (int i = 0; i < 1000; i++)
        cfz_error_add_lines(&err, "a line\n\n");
    assert_true(strlen(err.text) < sizeof err.text);
}

static void test_assert(void **state)
{
    char text[600] = "";
    int fds[2], status;
    ssize_t n;
    pid_t pid;

    (void)state;
    CFZ_ASSERT(1 + 1 == 2);
    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        CFZ_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(fds[1]);
    n = read(fds[0], text, sizeof text - 1);
    close(fds[0]);
    assert_true(n > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CFZ_EXIT_INTERNAL);
    assert_memory_equal(text, "cfuzz: internal error: ", 23);
    assert_non_null(strstr(text, "error_test.c:"));
    assert_non_null(strstr(text, ": assertion failed: 1 + 1 == 3\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail),    cmocka_unit_test(test_fail_errno),
        cmocka_unit_test(test_wrap),    cmocka_unit_test(test_long),
        cmocka_unit_test(test_keep),    cmocka_unit_test(test_assert),
        cmocka_unit_test(test_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
