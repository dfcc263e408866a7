/*
 * link_libraries_test.c - which words of a link are libraries of others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "build/link_libraries.h"

static void test_keep(void **state)
{
    static const struct {
        const char *line, *want; /* words with blanks between them */
    } cases[] = {
        {"/usr/bin/cc -O2 -rdynamic a.o -o app -lm", "-lm"},
        {"cc -lm -lz -lm -pthread", "-lm -lz -pthread"},
        {"cc -L/opt/lib -lx -L/b/lib -L/b -L lib -l", "-L/opt/lib -lx"},
        {"cc /usr/lib/x86_64-linux-gnu/libz.so /usr/lib/libx.so.1.2 /usr/lib/liby.a",
         "/usr/lib/x86_64-linux-gnu/libz.so /usr/lib/libx.so.1.2 /usr/lib/liby.a"},
        {"cc /opt/lib/libz.so", "/opt/lib/libz.so -Wl,-rpath,/opt/lib"},
        {"cc lib/liba.a /b/lib/libb.so /b/libc.a ../libd.so", ""},
        {"cc -o /usr/lib/libout.so -Wl,--start-group -lm -Wl,--end-group", "-lm"},
        {"cc -o", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strlist words = STRLIST_INIT, got = STRLIST_INIT, want = STRLIST_INIT;

        assert_int_equal(strlist_split(&words, cases[i].line, strlen(cases[i].line), NULL), 0);
        assert_int_equal(strlist_split(&want, cases[i].want, strlen(cases[i].want), NULL), 0);
        assert_int_equal(link_libraries_keep(&words, "/b", "/b", &got, NULL), 0);
        if (got.n != want.n)
            fail_msg("%s: %zu words", cases[i].line, got.n);
        for (size_t k = 0; k < got.n; k++)
            assert_string_equal(got.v[k], want.v[k]);
        strlist_release(&words);
        strlist_release(&got);
        strlist_release(&want);
    }
}

static void test_nothing_there(void **state)
{
    struct strlist objects = STRLIST_INIT, sources = STRLIST_INIT, got = STRLIST_INIT;

    (void)state;
    assert_int_equal(strlist_add(&objects, "/nonexistent/a.o", NULL), 0);
    assert_int_equal(strlist_add(&sources, "/nonexistent/a.c", NULL), 0);
    assert_int_equal(link_libraries_find("/nonexistent", &objects, &sources, &got, NULL), 0);
    assert_int_equal(got.n, 0);
    strlist_release(&objects);
    strlist_release(&sources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_nothing_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
