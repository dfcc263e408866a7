/*
 * cache_test.c - where the cache is.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cache.h"

static void set(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static const struct {
    const char *cfuzzcache, *xdg, *home;
    const char *root; /* NULL: refused with text */
    const char *text;
} cases[] = {
    {"/c", "/x", "/h", "/c", NULL},
    {NULL, "/x", "/h", "/x/cfuzz", NULL},
    {"", "/x", "/h", "/x/cfuzz", NULL},
    {NULL, NULL, "/h", "/h/.cache/cfuzz", NULL},
    {NULL, "relative", "/h", "/h/.cache/cfuzz", NULL},
    {"relative", "/x", "/h", NULL, "CFUZZCACHE is not an absolute path: relative"},
    {NULL, NULL, NULL, NULL,
     "no place for the cache: neither CFUZZCACHE, XDG_CACHE_HOME nor HOME is set"},
};

static void test_root(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        char *root = NULL;
        int rc;

        set("CFUZZCACHE", cases[i].cfuzzcache);
        set("XDG_CACHE_HOME", cases[i].xdg);
        set("HOME", cases[i].home);
        rc = cache_root(&root, &err);
        if (cases[i].root != NULL) {
            assert_int_equal(rc, 0);
            assert_string_equal(root, cases[i].root);
        } else {
            assert_int_equal(rc, -1);
            assert_null(root);
            assert_int_equal(err.code, CFZ_EUSAGE);
            assert_string_equal(err.text, cases[i].text);
        }
        free(root);
    }
}

static void test_directories(void **state)
{
    static const struct {
        const char *package, *test, *dir;
    } fuzz[] = {
        {"home/u/p", "FuzzX", "/c/fuzz/home/u/p/FuzzX"},
        {"home/u/p", NULL, "/c/fuzz/home/u/p"},
        {NULL, NULL, "/c/fuzz"},
    };
    char *dir = NULL;

    (void)state;
    set("CFUZZCACHE", "/c");
    for (size_t i = 0; i < sizeof(fuzz) / sizeof(fuzz[0]); i++) {
        assert_int_equal(cache_fuzz_dir(fuzz[i].package, fuzz[i].test, &dir, NULL), 0);
        assert_string_equal(dir, fuzz[i].dir);
        free(dir);
    }
    assert_int_equal(cache_build_dir("1234", &dir, NULL), 0);
    assert_string_equal(dir, "/c/build/1234");
    free(dir);
    assert_int_equal(cache_build_dir(NULL, &dir, NULL), 0);
    assert_string_equal(dir, "/c/build");
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_directories),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
