/*
 * shared_test.c - memory that a host makes and its workers share, and another in its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "self/shared.h"

enum { SIZE = 3 << 20 };

static struct cfz_error err;

/* A child that was forked before renewal keeps what it had; one after it has zeros, and shares. */
static void test_renew(void **state)
{
    uint8_t *p = cfz_shared_map(SIZE, "a test", &err);
    int go[2], status;
    char c;
    pid_t old;

    (void)state;
    assert_non_null(p);
    assert_int_equal(pipe(go), 0);
    p[0] = p[SIZE - 1] = 7;
    old = fork();
    if (old == 0) {
        close(go[1]);
        while (read(go[0], &c, 1) > 0) {
        }
        _exit(p[0] == 7 && p[SIZE - 1] == 7 ? 0 : 1);
    }
    assert_int_equal(cfz_shared_renew(p, SIZE, &err), 0);
    assert_int_equal(p[0], 0);
    assert_int_equal(p[SIZE - 1], 0);
    if (fork() == 0) {
        p[1] = 9;
        _exit(0);
    }
    assert_true(wait(&status) > 0);
    assert_int_equal(p[1], 9);
    close(go[0]);
    close(go[1]);
    assert_int_equal(waitpid(old, &status, 0), old);
    assert_int_equal(status, 0);
}

static void test_fails(void **state)
{
    (void)state;
    assert_null(cfz_shared_map((size_t)1 << 60, "a test", &err));
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "map memory for a test: Cannot allocate memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_renew),
        cmocka_unit_test(test_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
