/*
 * seeds_test.c - paths as the user of a package knows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "seeds.h"

static void test_shorten(void **state)
{
    static const struct {
        const char *text, *dir, *want;
    } cases[] = {
        {"/a/b/testdata/x: bad", "/a/b", "testdata/x: bad"},
        {"read /a/b/x: /a/b/y", "/a/b", "read x: y"},
        {"/a/bc/x", "/a/b", "/a/bc/x"},
        {"/a/b", "/a/b", "/a/b"},
        {"nothing", "/a/b", "nothing"},
        {"/x", "", "/x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];

        strcpy(text, cases[i].text);
        seeds_shorten(text, cases[i].dir);
        assert_string_equal(text, cases[i].want);
    }
}

static void test_dir(void **state)
{
    char *path = seeds_dir("/a/b", "FuzzX");

    (void)state;
    assert_string_equal(path, "/a/b/testdata/corpus/FuzzX");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shorten),
        cmocka_unit_test(test_dir),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
