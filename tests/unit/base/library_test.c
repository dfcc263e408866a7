/*
 * library_test.c - a library is loaded by name, with all the functions that are asked for or none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/library.h"

static void test_functions(void **state)
{
    static const char *const names[] = {"getpid", "strlen"}, *const missing[] = {"getpid",
                                                                                 "no_such"};
    struct cfz_error err = CFZ_ERROR_INIT;
    union {
        struct {
            __typeof__(&getpid) getpid;
            __typeof__(&strlen) strlen;
        } calls;
        void *functions[2];
    } u = {.functions = {NULL}};

    (void)state;
    assert_int_equal(library_load("libc.so.6", missing, 2, u.functions, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_non_null(strstr(err.text, "no_such"));
    assert_null(u.functions[0]);
    assert_int_equal(library_load("libc.so.6", names, 2, u.functions, NULL), 0);
    assert_int_equal(u.calls.getpid(), getpid());
    assert_int_equal(u.calls.strlen("abc"), 3);
}

static void test_no_library(void **state)
{
    static const char *const names[] = {"getpid"};
    struct cfz_error err = CFZ_ERROR_INIT;
    void *function = NULL;

    (void)state;
    assert_int_equal(library_load("libno_such.so.1", names, 1, &function, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_memory_equal(err.text, "libno_such.so.1: ", 17);
    assert_null(function);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_no_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
