/*
 * source_text_test.c - definitions of main and lines of tests, in all kinds of text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "build/source_text.h"

static void test_main_function(void **state)
{
    static const struct {
        const char *text;
        bool defines;
    } cases[] = {
        {"int main(void) { return 0; }", true},
        {"int main(int argc, char **argv)\n{\n}", true},
        {"int\nmain (argc, argv)\n    int argc;\n    char **argv;\n{\n}", true},
        {"int main(int argc, /* ) */ char *argv[]) // and\n{", true},
        {"int main(void) __attribute__((cold)) {}", true},
        {"int main(void);", false},
        {"extern int main(int, char **); int x = 1;", false},
        {"int x = main(1, 0) + 2;", false},
        {"/* int main(void) { } */", false},
        {"// int main(void) \\\n{ }\nint x;", false},
        {"const char *s = \"int main(void) {\";", false},
        {"int domain(void) {} int main_loop(void) {} struct { int main; } s;", false},
        {"char c = '\"'; int main(void) {}", true},
        {"int main(", false},
        {"int main(void)", false},
        {"main", false},
        {"", false},
        {"/*", false},
        {"\"", false},
        {"'\\", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (source_defines(cases[i].text, strlen(cases[i].text), "main") != cases[i].defines)
            fail_msg("%s", cases[i].text);
}

static void test_lines(void **state)
{
    static const char text[] = "/* FUZZ_TEST(FuzzA, int) */\n"
                               "// FUZZ_TEST(FuzzA, int)\n"
                               "MY_FUZZ_TEST(FuzzA, int)\n"
                               "FUZZ_TEST(FuzzAB, int)\n"
                               "FUZZ_TEST( /* the name */\n FuzzA , int)\n"
                               "FUZZ_TEST_VALUES(FuzzV, int)\n"
                               "FUZZ_TEST(FuzzEnd";

    (void)state;
    assert_int_equal(source_test_line(text, strlen(text), "FuzzA"), 5);
    assert_int_equal(source_test_line(text, strlen(text), "FuzzAB"), 4);
    assert_int_equal(source_test_line(text, strlen(text), "FuzzV"), 7);
    assert_int_equal(source_test_line(text, strlen(text), "Fuzz"), 0);
    assert_int_equal(source_test_line(text, strlen(text), "FuzzEnd"), 0);
    assert_int_equal(source_test_line("", 0, "FuzzA"), 0);
}

static void test_function_lines(void **state)
{
    static const struct {
        const char *text;
        size_t line;
    } cases[] = {
        {"int f(void) { return 0; }", 1},
        {"extern \"C\" int\nf(const uint8_t *d, size_t n) noexcept\n{", 2},
        {"int f(int);\nint g(void) { return f(1); }\nint f(int x)\n{\n}", 3},
        {"int f(void) __attribute__((cold, section(\"x\"))) {}", 1},
        {"int f(void) __attribute__((weak));\nint g(void) {}", 0},
        {"int f(a)\n    int a;\n{}", 0}, /* as before C89: no harness is written so */
        {"// int f(void) {}\nconst char *s = \"f() {\";", 0},
        {"int ff(void) {} int f_(void) {}", 0},
        {"if (f(x)) {", 0},
        {"f(", 0},
        {"f", 0},
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (source_function_line(cases[i].text, strlen(cases[i].text), "f") != cases[i].line)
            fail_msg("%s", cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_function),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_function_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
