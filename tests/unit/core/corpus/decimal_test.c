/*
 * decimal_test.c - numbers and their text, against known answers and against the
 * C library's conversions in the C locale.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/corpus/decimal.h"

static uint64_t seed = 1;

static uint64_t rnd(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t bits32(float f)
{
    uint32_t b;

    memcpy(&b, &f, sizeof b);
    return b;
}

static uint64_t bits64(double d)
{
    uint64_t b;

    memcpy(&b, &d, sizeof b);
    return b;
}

/* ---- reading -------------------------------------------------------------------- */

static void test_parse_known(void **state)
{
    static const struct {
        const char *text;
        enum cfz_number_status status32, status64;
        uint64_t b32, b64;
    } cases[] = {
        {"0", 0, 0, 0, 0},
        {"-0", 0, 0, 0x80000000, 0x8000000000000000},
        {"1", 0, 0, 0x3f800000, 0x3ff0000000000000},
        {"017", 0, 0, 0x41880000, 0x4031000000000000},
        {".5", 0, 0, 0x3f000000, 0x3fe0000000000000},
        {"5.", 0, 0, 0x40a00000, 0x4014000000000000},
        {"1_0.5", 0, 0, 0x41280000, 0x4025000000000000},
        {"0x1p-2", 0, 0, 0x3e800000, 0x3fd0000000000000},
        {"0X1.8P3", 0, 0, 0x41400000, 0x4028000000000000},
        /* Ties to even, and what a second rounding through double would get wrong. */
        {"16777217", 0, 0, 0x4b800000, 0x4170000010000000},
        {"16777219", 0, 0, 0x4b800002, 0x4170000030000000},
        {"1.000000059604644775390625", 0, 0, 0x3f800000, 0x3ff0000010000000},
        {"1.000000059604644775390626", 0, 0, 0x3f800001, 0x3ff0000010000000},
        {"0x1.000001p0", 0, 0, 0x3f800000, 0x3ff0000010000000},
        {"0x1.0000010000000000000000000000001p0", 0, 0, 0x3f800001, 0x3ff0000010000000},
        {"9007199254740993", 0, 0, 0x5a000000, 0x4340000000000000},
        {"9007199254740993.00000000000000000000000000000000001", 0, 0, 0x5a000000,
         0x4340000000000001},
        /* Edges of the ranges. */
        {"3.4028235e38", 0, 0, 0x7f7fffff, 0x47efffffe54daff8},
        {"3.4028235677973366e38", 0, 0, 0x7f7fffff, 0x47effffff0000000},
        {"3.4028235677973367e38", CFZ_NUMBER_RANGE, 0, 0, 0x47effffff0000000},
        {"0x1.ffffffp127", CFZ_NUMBER_RANGE, 0, 0, 0x47effffff0000000},
        {"0x1.fffffefp127", 0, 0, 0x7f7fffff, 0x47efffffef000000},
        {"1.7976931348623157e308", CFZ_NUMBER_RANGE, 0, 0, 0x7fefffffffffffff},
        {"1.7976931348623158e308", CFZ_NUMBER_RANGE, 0, 0, 0x7fefffffffffffff},
        {"1.7976931348623159e308", CFZ_NUMBER_RANGE, CFZ_NUMBER_RANGE, 0, 0},
        {"1e400", CFZ_NUMBER_RANGE, CFZ_NUMBER_RANGE, 0, 0},
        {"1e99999999999999999999", CFZ_NUMBER_RANGE, CFZ_NUMBER_RANGE, 0, 0},
        {"0x1p99999999999999999999", CFZ_NUMBER_RANGE, CFZ_NUMBER_RANGE, 0, 0},
        {"0e99999999999999999999", 0, 0, 0, 0},
        {"0x0p99999999999999999999", 0, 0, 0, 0},
        {"1e-99999999999999999999", 0, 0, 0, 0},
        {"-1e-400", 0, 0, 0x80000000, 0x8000000000000000},
        {"-0x1p-5000", 0, 0, 0x80000000, 0x8000000000000000},
        {"5e-324", 0, 0, 0, 1},
        {"2.4703282292062327e-324", 0, 0, 0, 0},
        {"2.4703282292062328e-324", 0, 0, 0, 1},
        {"0x1p-1075", 0, 0, 0, 0},
        {"0x1.8p-1075", 0, 0, 0, 1},
        {"0x3p-1075", 0, 0, 0, 2},
        {"0x1.00000000000018p-1023", 0, 0, 0, 0x0008000000000001}, /* of glibc's strtod: ...0 */
        {"1.4e-45", 0, 0, 1, 0x369ff868bf4d956a},
        {"2.2250738585072011e-308", 0, 0, 0, 0x000fffffffffffff},
        {"2.2250738585072012e-308", 0, 0, 0, 0x0010000000000000},
        {"", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"-", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {".", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"1e", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"1e+", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"1.2.3", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"0x10", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"0xp1", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"0b11", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"inf", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"nan", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"1,5", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {" 1", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
        {"+1", CFZ_NUMBER_SYNTAX, CFZ_NUMBER_SYNTAX, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t b32 = 0, b64 = 0;
        size_t len = strlen(cases[i].text);
        enum cfz_number_status s32 = cfz_float_parse(cases[i].text, len, CFZ_FLOAT32, &b32);
        enum cfz_number_status s64 = cfz_float_parse(cases[i].text, len, CFZ_FLOAT64, &b64);

        if (s32 != cases[i].status32 || s64 != cases[i].status64 || b32 != cases[i].b32 ||
            b64 != cases[i].b64)
            fail_msg("%s: float32 %d %#llx, float64 %d %#llx", cases[i].text, (int)s32,
                     (unsigned long long)b32, (int)s64, (unsigned long long)b64);
    }
}

/* Random decimals: as strtof and strtod, which round correctly in glibc, read them. */
static void test_parse_random(void **state)
{
    (void)state;
    for (int i = 0; i < 60000; i++) {
        char text[900];
        int digits = rnd() % 16 ? 1 + (int)(rnd() % 25) : 1 + (int)(rnd() % 850);
        size_t n = 0;
        uint64_t got;
        float f;
        double d;

        for (int j = 0; j < digits; j++)
            text[n++] = (char)('0' + (rnd() % 4 ? rnd() % 10 : rnd() % 2 * 9));
        snprintf(text + n, sizeof text - n, "e%d", (int)(rnd() % 760) - 400 - digits / 2);
        errno = 0;
        d = strtod(text, NULL);
        if (isinf(d)) {
            assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT64, &got),
                             CFZ_NUMBER_RANGE);
        } else {
            assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT64, &got), 0);
            if (got != bits64(d))
                fail_msg("%s: got %#llx, want %a", text, (unsigned long long)got, d);
        }
        f = strtof(text, NULL);
        if (isinf(f)) {
            assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT32, &got),
                             CFZ_NUMBER_RANGE);
        } else {
            assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT32, &got), 0);
            if (got != bits32(f))
                fail_msg("%s: got %#llx, want %a", text, (unsigned long long)got, (double)f);
        }
    }
}

/* The exact middle of two neighbours, and a hair to both sides of it. */
static void test_parse_halfway(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        uint64_t low = rnd() >> 1, got, even;
        char text[1600];
        long double middle;
        double d;

        if (low >= 0x7fe0000000000000)
            continue;
        memcpy(&d, &low, sizeof d);
        middle = d;
        low++;
        memcpy(&d, &low, sizeof d);
        low--;
        middle = (middle + d) / 2; /* 64 bits hold it */
        snprintf(text, sizeof text, "%.1200Lf", middle);
        even = low & 1 ? low + 1 : low;
        assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT64, &got), 0);
        assert_int_equal(got, even);
        strcat(text, "1");
        assert_int_equal(cfz_float_parse(text, strlen(text), CFZ_FLOAT64, &got), 0);
        assert_int_equal(got, low + 1);
    }
}

/* ---- writing -------------------------------------------------------------------- */

static const char *format64(double d)
{
    static char text[CFZ_FLOAT_TEXT_MAX];
    size_t n = cfz_float_format(bits64(d), CFZ_FLOAT64, text);

    assert_int_equal(n, strlen(text));
    return text;
}

static void test_format_layout(void **state)
{
    (void)state;
    assert_string_equal(format64(0), "0");
    assert_string_equal(format64(-0.0), "-0");
    assert_string_equal(format64(1), "1");
    assert_string_equal(format64(-1.5), "-1.5");
    assert_string_equal(format64(100000), "100000");
    assert_string_equal(format64(999999), "999999");
    assert_string_equal(format64(999999.9), "999999.9");
    assert_string_equal(format64(1e6), "1e+06");
    assert_string_equal(format64(-1234567.5), "-1.2345675e+06");
    assert_string_equal(format64(0.0001), "0.0001");
    assert_string_equal(format64(0.00099), "0.00099");
    assert_string_equal(format64(0.00001), "1e-05");
    assert_string_equal(format64(1e100), "1e+100");
    assert_string_equal(format64(5e-324), "5e-324");
    assert_string_equal(format64(1.7976931348623157e308), "1.7976931348623157e+308");
    assert_string_equal(format64(-1.2345678901234e-300), "-1.2345678901234e-300");
    assert_string_equal(format64(INFINITY), "+Inf");
    assert_string_equal(format64(-INFINITY), "-Inf");
    assert_string_equal(format64(NAN), "NaN");
    /* Just above and below a power of two the neighbours lie at different distances. */
    assert_string_equal(format64(0x1p-24), "5.960464477539063e-08");
    assert_string_equal(format64(0x1p-1022), "2.2250738585072014e-308");
    assert_string_equal(format64(9007199254740992), "9.007199254740992e+15");
    assert_string_equal(format64(9007199254740994), "9.007199254740994e+15");
}

/* The digits in text, without sign, point, exponent, and zeros at the ends. */
static int count_digits(const char *text)
{
    int n = 0, zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (n == 0 && *text == '0'))
            continue;
        n++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return n - zeros;
}

/* Reads back as itself, with as few digits as "%.*e" needs for that, and as close as it. */
static void check_shortest(uint64_t bits, enum cfz_float_format format)
{
    char text[CFZ_FLOAT_TEXT_MAX], libc[64];
    uint64_t got = ~bits;
    int precision;
    double d;
    float f;

    cfz_float_format(bits, format, text);
    assert_int_equal(cfz_float_parse(text, strlen(text), format, &got), 0);
    if (got != bits)
        fail_msg("%s: read as %#llx, not %#llx", text, (unsigned long long)got,
                 (unsigned long long)bits);
    if (format == CFZ_FLOAT32) {
        uint32_t b = (uint32_t)bits;

        memcpy(&f, &b, sizeof f);
        d = f;
    } else {
        memcpy(&d, &bits, sizeof d);
    }
    for (precision = 0; precision < 17; precision++) {
        snprintf(libc, sizeof libc, "%.*e", precision, d);
        if (format == CFZ_FLOAT32 ? strtof(libc, NULL) == f : strtod(libc, NULL) == d)
            break;
    }
    /* The nearest decimal of a length may not read back where a farther one does (2^-44). */
    if (count_digits(text) > count_digits(libc))
        fail_msg("%s is longer than %s", text, libc);
    if (count_digits(text) == count_digits(libc) &&
        fabsl(strtold(text, NULL) - d) > fabsl(strtold(libc, NULL) - d) * 1.0001L)
        fail_msg("%s is farther off than %s", text, libc);
}

static void test_format_random(void **state)
{
    (void)state;
    for (int i = 0; i < 40000; i++) {
        uint64_t bits = rnd();

        if ((bits >> 52 & 0x7ff) != 0x7ff)
            check_shortest(bits, CFZ_FLOAT64);
        bits &= 0xffffffff;
        if ((bits >> 23 & 0xff) != 0xff && bits << 1 != 0)
            check_shortest(bits, CFZ_FLOAT32);
    }
}

/* Every power of two, its neighbours, and the smallest numbers. */
static void test_format_edges(void **state)
{
    (void)state;
    for (uint64_t e = 0; e < 0x7ff; e++)
        for (uint64_t i = e == 0 ? 1 : (uint64_t)-1; i != 2; i++)
            check_shortest((e << 52) + i, CFZ_FLOAT64);
    for (uint64_t e = 0; e < 0xff; e++)
        for (uint64_t i = e == 0 ? 1 : (uint64_t)-1; i != 2; i++)
            check_shortest((e << 23) + i, CFZ_FLOAT32);
    for (uint64_t i = 1; i < 2000; i++) {
        check_shortest(i, CFZ_FLOAT64);
        check_shortest(i, CFZ_FLOAT32);
    }
}

/* ---- integers --------------------------------------------------------------------- */

static void test_uint(void **state)
{
    static const struct {
        const char *text;
        unsigned width;
        enum cfz_number_status status;
        uint64_t v;
    } cases[] = {
        {"0", 8, 0, 0},
        {"255", 8, 0, 255},
        {"256", 8, CFZ_NUMBER_RANGE, 0},
        {"0xff", 8, 0, 255},
        {"0x100", 8, CFZ_NUMBER_RANGE, 0},
        {"0b1_1", 8, 0, 3},
        {"0o17", 8, 0, 15},
        {"017", 8, 0, 15},
        {"0_7", 8, 0, 7},
        {"00", 8, 0, 0},
        {"18446744073709551615", 64, 0, UINT64_MAX},
        {"18446744073709551616", 64, CFZ_NUMBER_RANGE, 0},
        {"0xffffffffffffffff", 64, 0, UINT64_MAX},
        {"0x1_0000_0000_0000_0000", 64, CFZ_NUMBER_RANGE, 0},
        {"", 64, CFZ_NUMBER_SYNTAX, 0},
        {"-1", 64, CFZ_NUMBER_SYNTAX, 0},
        {"0x", 64, CFZ_NUMBER_SYNTAX, 0},
        {"08", 64, CFZ_NUMBER_SYNTAX, 0},
        {"1.0", 64, CFZ_NUMBER_SYNTAX, 0},
        {"99999999999999999999.0", 64, CFZ_NUMBER_RANGE, 0}, /* what comes first */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t v = 0;

        if (cfz_uint_parse(cases[i].text, strlen(cases[i].text), cases[i].width, &v) !=
                cases[i].status ||
            v != cases[i].v)
            fail_msg("%s: %llu", cases[i].text, (unsigned long long)v);
    }
}

static void test_int(void **state)
{
    static const struct {
        const char *text;
        unsigned width;
        enum cfz_number_status status;
        int64_t v;
    } cases[] = {
        {"127", 8, 0, 127},
        {"128", 8, CFZ_NUMBER_RANGE, 0},
        {"-128", 8, 0, -128},
        {"-129", 8, CFZ_NUMBER_RANGE, 0},
        {"-0x80", 8, 0, -128},
        {"-0", 8, 0, 0},
        {"9223372036854775807", 64, 0, INT64_MAX},
        {"9223372036854775808", 64, CFZ_NUMBER_RANGE, 0},
        {"-9223372036854775808", 64, 0, INT64_MIN},
        {"-9223372036854775809", 64, CFZ_NUMBER_RANGE, 0},
        {"-", 64, CFZ_NUMBER_SYNTAX, 0},
        {"--1", 64, CFZ_NUMBER_SYNTAX, 0},
        {"+1", 64, CFZ_NUMBER_SYNTAX, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t v = 0;

        if (cfz_int_parse(cases[i].text, strlen(cases[i].text), cases[i].width, &v) !=
                cases[i].status ||
            v != cases[i].v)
            fail_msg("%s: %lld", cases[i].text, (long long)v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_known),   cmocka_unit_test(test_parse_random),
        cmocka_unit_test(test_parse_halfway), cmocka_unit_test(test_format_layout),
        cmocka_unit_test(test_format_random), cmocka_unit_test(test_format_edges),
        cmocka_unit_test(test_uint),          cmocka_unit_test(test_int),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
