/*
 * project_test.c - paths within a project.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/project.h"

static void test_relative(void **state)
{
    static const struct {
        const char *dir, *path, *want;
    } cases[] = {
        {"/a/b", "/a/b/c.c", "c.c"},       {"/a/b", "/a/b/d/c.c", "d/c.c"},
        {"/a/b", "/a/c.c", "../c.c"},      {"/a/b", "/a/bc/d.c", "../bc/d.c"},
        {"/a/bc", "/a/b/d.c", "../b/d.c"}, {"/a/b/c", "/x/y.c", "../../../x/y.c"},
        {"/a", "/b.c", "../b.c"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *got = project_relative(cases[i].dir, cases[i].path);

        assert_non_null(got);
        assert_string_equal(got, cases[i].want);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relative),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
