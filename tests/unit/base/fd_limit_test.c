/*
 * fd_limit_test.c - the limit of descriptors, of this process and of those it starts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "base/fd_limit.h"
#include "base/subprocess.h"

static void check(rlim_t soft, rlim_t hard)
{
    struct rlimit now;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_int_equal(now.rlim_cur, soft);
    assert_int_equal(now.rlim_max, hard);
}

/* What a program that is started may open. */
static void check_child(const char *want)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    const char *argv[] = {"/bin/sh", "-c", "ulimit -Sn; ulimit -Hn", NULL};
    struct subprocess p = {.argv = argv, .out = &out};
    int status;

    assert_int_equal(subprocess_run(&p, &status, NULL), 0);
    assert_int_equal(status, 0);
    assert_string_equal(cfz_buf_str(&out), want);
    cfz_buf_release(&out);
}

/* One test, since the hard limit cannot be raised again. */
static void test_limit(void **state)
{
    const struct rlimit few = {.rlim_cur = 50, .rlim_max = 100};

    (void)state;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    fd_limit_restore(); /* nothing to undo */
    check(50, 100);
    fd_limit_raise();
    check(100, 100);
    check_child("50\n100\n");
    check(100, 100);  /* the child's alone was set back */
    fd_limit_raise(); /* a second time does not forget what was before */
    fd_limit_restore();
    check(50, 100);
    check_child("50\n100\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limit)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
