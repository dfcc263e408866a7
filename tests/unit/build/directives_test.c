/*
 * directives_test.c - the //cfuzz: lines of a source.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "build/directives.h"
#include "work_directory.h"

static void test_directives(void **state)
{
    static const char text[] = "/* a comment */\n"
                               "//cfuzz:cflags -I../inc '-DA=b c'\n"
                               "//cfuzz:ldflags\t-lm\r\n"
                               " //cfuzz:cflags -Dnot_in_the_first_column\n"
                               "// cfuzz:cflags -Dnot_a_directive\n"
                               "//cfuzz:sources ../a.c b.c\n"
                               "int x; //cfuzz:ldflags -lnot\n"
                               "//cfuzz:cflags\n"
                               "//cfuzz:compare my_streq 0 01\n"
                               "//cfuzz:compare _m2 3 1 10\r\n"
                               "/*cfuzz:exclude luac.c win*.c */ int y;\n"
                               "/*cfuzz:pkg-config glib-2.0*/\n"
                               "/* cfuzz:exclude not_a_directive */\n"
                               "//cfuzz:cflags -DLAST";
    struct directives d = DIRECTIVES_INIT;

    (void)state;
    assert_int_equal(directives_parse(text, strlen(text), &d, NULL), 0);
    assert_string_equal(joined(&d.cflags), "-I../inc|-DA=b c|-DLAST");
    assert_string_equal(joined(&d.ldflags), "-lm");
    assert_string_equal(joined(&d.sources), "../a.c|b.c");
    assert_string_equal(joined(&d.comparators), "my_streq:0:1@9|_m2:3:1:10@10");
    assert_string_equal(joined(&d.exclude), "luac.c|win*.c");
    assert_string_equal(joined(&d.pkg_config), "glib-2.0");
    assert_string_equal(joined(&d.sources_lines), "6|6");
    assert_string_equal(joined(&d.exclude_lines), "11|11");
    assert_string_equal(joined(&d.pkg_config_lines), "12");
    directives_release(&d);
}

static void test_directives_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"\n\n//cfuzz:cflag -O0\n",
         "line 3: unknown directive //cfuzz:cflag; did you mean //cfuzz:cflags?"},
        {"/*cfuzz:cflags -O0\n*/", "line 1: /*cfuzz:...: the comment has to end on its line"},
        {"//cfuzz:\n", "line 1: unknown directive //cfuzz:"},
        {"//cfuzz:cflags=-O0", "line 1: unknown directive //cfuzz:cflags=-O0"},
        {"//cfuzz:compares f 0 1", "line 1: unknown directive //cfuzz:compares"},
        {"//cfuzz:compare",
         "line 1: //cfuzz:compare: 0 words; it takes a function, the numbers of the "
         "two parameters that it compares, and perhaps that of their size"},
        {"//cfuzz:compare f 0 1 2 3",
         "line 1: //cfuzz:compare: 5 words; it takes a function, the numbers of the two parameters "
         "that it compares, and perhaps that of their size"},
        {"//cfuzz:compare 0f 0 1", "line 1: //cfuzz:compare: \"0f\" is not the name of a function"},
        {"//cfuzz:compare f:0 0 1",
         "line 1: //cfuzz:compare: \"f:0\" is not the name of a function"},
        {"//cfuzz:compare '' 0 1", "line 1: //cfuzz:compare: \"\" is not the name of a function"},
        {"//cfuzz:compare f -1 1",
         "line 1: //cfuzz:compare: \"-1\" is not the number of a parameter: 0 "
         "for the first, up to 63"},
        {"//cfuzz:compare f 0 64",
         "line 1: //cfuzz:compare: \"64\" is not the number of a parameter: 0 "
         "for the first, up to 63"},
        {"//cfuzz:compare f 0 1 0", "line 1: //cfuzz:compare: parameter 0 is both a and the size"},
        {"x\n//cfuzz:ldflags 'a\n", "line 2: unterminated quote"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct directives d = DIRECTIVES_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(directives_parse(bad[i].text, strlen(bad[i].text), &d, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, bad[i].why);
        directives_release(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directives),
        cmocka_unit_test(test_directives_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
