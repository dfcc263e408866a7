/*
 * header_check_test.c - names of headers: those of libraries, and those that a compiler misses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "build/header_check.h"

static void test_header_name(void **state)
{
    static const struct {
        const char *path, *want;
    } cases[] = {
        {"/usr/include/yaml.h", "yaml.h"},
        {"/usr/local/include/a/b.h", "a/b.h"},
        {"/usr/include/x86_64-linux-gnu/zconf.h", "zconf.h"},
        {"/usr/include/string.h", NULL},
        {"/usr/include/x86_64-linux-gnu/sys/types.h", NULL},
        {"/usr/include/linux/if.h", NULL},
        {"/p/yaml.h", NULL},
        {"yaml.h", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = header_check_name(cases[i].path);

        if (cases[i].want == NULL ? got != NULL : got == NULL || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].path, got != NULL ? got : "nothing");
    }
}

static void test_missing_header(void **state)
{
    static const struct {
        const char *line, *want;
    } cases[] = {
        {"a.c:1:10: fatal error: 'a/b.h' file not found", "a/b.h"},
        {"a.c:1:10: fatal error: a/b.h: No such file or directory", "a/b.h"},
        {"a.c:1:10: fatal error: too many errors emitted", NULL},
        {"a.c:1:10: fatal error: 'a.h", NULL},
        {"a.c:1:10: error: 'a.h' file not found", NULL},
        {"fatal error: ", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *got = header_check_missing(cases[i].line);

        if (cases[i].want == NULL ? got != NULL : got == NULL || strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].line, got != NULL ? got : "nothing");
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_header),
        cmocka_unit_test(test_header_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
