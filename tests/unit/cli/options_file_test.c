/*
 * options_file_test.c - what of a .options file counts, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/options_file.h"

static void test_values(void **state)
{
    static const char text[] = "# a comment\r\n"
                               "; another\n"
                               "[libfuzzer]\n"
                               "  max_len = 4096\n"
                               "timeout:25\n"
                               "rss_limit_mb=random(100, 300)\n"
                               "dict = a b.dict\n"
                               "only_ascii = 1\n"
                               "\n"
                               "[AFL]\n"
                               "max_len = none\n"
                               "[asan]\n"
                               "detect_leaks = 0\n"
                               "quarantine_size_mb=1\n"
                               "[ubsan]\n"
                               "x = y";
    struct options_file f = OPTIONS_FILE_INIT;

    (void)state;
    assert_int_equal(options_file_parse(text, strlen(text), &f, NULL), 0);
    assert_true(f.has_max_len && f.has_timeout && f.has_rss);
    assert_int_equal(f.max_len, 4096);
    assert_int_equal(f.timeout_s, 25);
    assert_int_equal(f.rss_mib, 300);
    assert_string_equal(f.dict, "a b.dict");
    assert_int_equal(f.env.n, 2);
    assert_string_equal(f.env.v[0], "ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1");
    assert_string_equal(f.env.v[1], "UBSAN_OPTIONS=x=y");
    options_file_release(&f);
    assert_int_equal(options_file_parse("", 0, &f, NULL), 0);
    assert_false(f.has_max_len || f.has_timeout || f.has_rss || f.dict != NULL || f.env.n > 0);
    options_file_release(&f);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"x", "line 1: neither [section] nor name = value"},
        {"\n= 3", "line 2: neither [section] nor name = value"},
        {"max_len = 3", "line 1: neither [section] nor name = value of a section"},
        {"[libfuzzer]\nmax_len = 3x", "line 2: max_len: \"3x\" is not a number"},
        {"[libfuzzer]\nmax_len =", "line 2: max_len: \"\" is not a number"},
        {"[libfuzzer]\nmax_len = -1", "line 2: max_len: \"-1\" is not a number"},
        {"[libfuzzer]\ntimeout = 99999999999999999999",
         "line 2: timeout: \"99999999999999999999\" is not a number"},
        {"[libfuzzer]\nrss_limit_mb = random(1)",
         "line 2: rss_limit_mb: \"random(1)\" is not a number"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options_file f = OPTIONS_FILE_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(options_file_parse(cases[i].text, strlen(cases[i].text), &f, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, cases[i].why);
        options_file_release(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
