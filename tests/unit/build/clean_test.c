/*
 * clean_test.c - what cfuzz-test clean removes, and what it leaves.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "work_directory.h"

static void test_clean(void **state)
{
    const char *arg = "src";
    const struct clean_options opt = {.fuzzcache = true};
    struct packages pkgs = {NULL, 0}, none = {NULL, 0};
    struct cfz_error err = CFZ_ERROR_INIT;
    char text[1000], cache[700];

    (void)state;
    put("src/a.c", "");
    put("precious", "x");
    snprintf(text, sizeof(text), "%s/cache", work);
    setenv("CFUZZCACHE", text, 1);
    snprintf(cache, sizeof(cache), "cache/fuzz%s/src", work);
    snprintf(text, sizeof(text), "%s/FuzzX/1", cache);
    put(text, "x");
    snprintf(text, sizeof(text), "%s/FuzzLib/FuzzY/1", cache); /* a package below */
    put(text, "x");
    snprintf(text, sizeof(text), "%s/FuzzX/link", cache);
    assert_int_equal(symlink("../../../../../precious", text), 0);

    assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
    assert_int_equal(clean_run(&opt, &pkgs, &err), 0);
    snprintf(text, sizeof(text), "%s/FuzzX", cache);
    assert_int_equal(access(text, F_OK), -1);
    snprintf(text, sizeof(text), "%s/FuzzLib/FuzzY/1", cache);
    assert_int_equal(access(text, F_OK), 0);

    put("cache/build/x", "");
    snprintf(text, sizeof(text), "%s/out", cache);
    assert_int_equal(symlink(work, text), 0);
    assert_int_equal(clean_run(&opt, &none, &err), 0);
    assert_int_equal(access("cache/fuzz", F_OK), -1);
    assert_int_equal(access("cache/build/x", F_OK), 0);
    assert_int_equal(access("precious", F_OK), 0);
    assert_int_equal(clean_run(&opt, &none, &err), 0); /* nothing there is fine */
    packages_release(&pkgs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clean, enter_directory, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
