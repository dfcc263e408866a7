/*
 * duration_test.c - lengths of time as Go reads and writes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/duration.h"

#define SECOND INT64_C(1000000000)

static const struct {
    const char *text;
    int64_t ns;
} good[] = {
    {"0", 0},
    {"-0", 0},
    {"+0", 0},
    {"5s", 5 * SECOND},
    {"+5s", 5 * SECOND},
    {"-5s", -5 * SECOND},
    {"5.0s", 5 * SECOND},
    {"5.s", 5 * SECOND},
    {".5s", SECOND / 2},
    {"1h30m", 5400 * SECOND},
    {"1h2m3s4ms5us6ns", INT64_C(3723004005006)},
    {"1\u00b5s", 1000},
    {"1\u03bcs", 1000},
    {"10ns", 10},
    {"1.5ns", 1},
    {"39h9m14.425s", INT64_C(140954425000000)},
    {"0.3333333333333333333h", 20 * 60 * SECOND},
    {"0.100000000000000000000h", 6 * 60 * SECOND},
    {"9223372036854775807ns", INT64_MAX},
    {"-9223372036854775808ns", INT64_MIN},
    {"2562047h47m16.854775807s", INT64_MAX},
};

static const char *const bad[] = {
    "",
    "3",
    "-",
    "s",
    ".",
    "-.",
    ".s",
    "+.s",
    "1d",
    "1ss",
    "1 s",
    " 1s",
    "1s ",
    "x",
    "1.2.3s",
    "0x10s",
    "--1s",
    "1e3s",
    "9223372036854775808ns",
    "2562048h",
    "2562047h47m17s",
    "99999999999999999999s",
    "3000000h1s",
    "-9223372036854775809ns",
};

static void test_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        int64_t ns = -77;

        if (!duration_parse(good[i].text, &ns))
            fail_msg("%s: refused", good[i].text);
        if (ns != good[i].ns)
            fail_msg("%s: %lld, want %lld", good[i].text, (long long)ns, (long long)good[i].ns);
    }
}

static void test_parse_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t ns = -77;

        if (duration_parse(bad[i], &ns))
            fail_msg("\"%s\": taken for %lld", bad[i], (long long)ns);
        assert_int_equal(ns, -77);
    }
}

static const struct {
    int64_t ns;
    const char *text;
} formatted[] = {
    {0, "0s"},
    {1, "1ns"},
    {1100, "1.1\u00b5s"},
    {2200000, "2.2ms"},
    {3300 * INT64_C(1000000), "3.3s"},
    {10 * SECOND, "10s"},
    {59 * SECOND, "59s"},
    {60 * SECOND, "1m0s"},
    {245 * SECOND, "4m5s"},
    {245001 * INT64_C(1000000), "4m5.001s"},
    {3600 * SECOND, "1h0m0s"},
    {18367001 * INT64_C(1000000), "5h6m7.001s"},
    {8 * 60 * SECOND + 1, "8m0.000000001s"},
    {-2 * SECOND, "-2s"},
    {INT64_MAX, "2562047h47m16.854775807s"},
    {INT64_MIN, "-2562047h47m16.854775808s"},
};

static void test_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(formatted) / sizeof(formatted[0]); i++) {
        char text[DURATION_TEXT_MAX];

        assert_string_equal(duration_format(formatted[i].ns, text), formatted[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
