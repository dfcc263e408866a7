/*
 * link_hints_test.c - names that linkers say are undefined, and the libraries that have them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "build/link_hints.h"

static void test_undefined(void **state)
{
    static const char said[] = "/usr/bin/ld: 0.o: in function `f':\n"
                               "t.c:3: undefined reference to `pow'\n"
                               "ld: t.c:4: undefined reference to `pow'\n"
                               "t.c:5: undefined reference to 'g_free'\n"
                               "ld.lld: error: undefined symbol: inflate\n"
                               ">>> referenced by t.c:3\n"
                               "ld.lld: error: undefined symbol: \n"
                               "undefined reference to `last";
    struct strlist names = STRLIST_INIT;

    (void)state;
    assert_int_equal(link_hints_undefined(said, &names, NULL), 0);
    assert_int_equal(names.n, 4);
    assert_string_equal(names.v[0], "pow");
    assert_string_equal(names.v[1], "g_free");
    assert_string_equal(names.v[2], "inflate");
    assert_string_equal(names.v[3], "last");
    strlist_release(&names);
    assert_int_equal(link_hints_undefined("", &names, NULL), 0);
    assert_int_equal(names.n, 0);
}

static void test_library(void **state)
{
    static const struct {
        const char *name, *want;
    } cases[] = {
        {"pow", "ldflags -lm"},
        {"powf", "ldflags -lm"},
        {"powl", "ldflags -lm"},
        {"power", NULL},
        {"po", NULL},
        {"inflate", "ldflags -lz"},
        {"inflatef", NULL},
        {"gzopen", "ldflags -lz"},
        {"g_malloc", "pkg-config glib-2.0"},
        {"g_object_ref", "pkg-config gobject-2.0"},
        {"g_file_test", "pkg-config glib-2.0"},
        {"g_file_new_for_path", "pkg-config gio-2.0"},
        {"SSL_new", "pkg-config libssl"},
        {"json_object_new_int", "pkg-config json-c"},
        {"json_loads", "pkg-config jansson"},
        {"my_function", NULL},
        {"", NULL},
        {"f", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = link_hints_library(cases[i].name);

        if (cases[i].want == NULL ? got != NULL : got == NULL || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].name, got != NULL ? got : "nothing");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
