/*
 * quote_test.c - text in Go's quotes. What encoding_test writes and reads again is quoted too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/corpus/quote.h"

static void test_quote(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        const char *want;
    } cases[] = {
        {NULL, 0, "\"\""},
        {"a\"\n\0\xff\xc3\xa9'", 8, "\"a\\\"\\n\\x00\\xff\xc3\xa9'\""},
        {"\a\b\t\n\v\f\r", 7, "\"\\a\\b\\t\\n\\v\\f\\r\""},
        {"\\\x1f\x7f", 3, "\"\\\\\\x1f\\x7f\""},
        /* U+0085 and U+00AD: not printable; U+FFFD: itself; U+E000, U+10FFFF: private */
        {"\xc2\x85\xc2\xad", 4, "\"\\u0085\\u00ad\""},
        {"\xef\xbf\xbd\xee\x80\x80", 6, "\"\xef\xbf\xbd\\ue000\""},
        {"\xf4\x8f\xbf\xbf", 4, "\"\\U0010ffff\""},
        /* Cut off, a surrogate. */
        {"\xe2\x82", 2, "\"\\xe2\\x82\""},
        {"\xed\xa0\x80", 3, "\"\\xed\\xa0\\x80\""},
    };
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cfz_quote(cases[i].text, cases[i].len, &out, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].want);
        cfz_buf_release(&out);
    }
    assert_int_equal(cfz_buf_puts(&out, "x", NULL), 0); /* appends */
    assert_int_equal(cfz_quote("y", 1, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "x\"y\"");
    cfz_buf_release(&out);
}

/* A text that is quoted in several pieces, with code points across their ends. */
static void test_long(void **state)
{
    enum { N = 5000 };
    static char text[3 * N], want[3 * N + 3];
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < N; i++)
        memcpy(text + 3 * i, "\xe2\x82\xac", 3); /* the euro sign */
    want[0] = want[sizeof want - 2] = '"';
    memcpy(want + 1, text, sizeof text);
    assert_int_equal(cfz_quote(text, sizeof text, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), want);
    cfz_buf_release(&out);
}

static void test_quote_some(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(cfz_quote_some("abcdef", 6, 3, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "\"abc\"...");
    cfz_buf_release(&out);
    assert_int_equal(cfz_quote_some("abc", 3, 3, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "\"abc\"");
    cfz_buf_release(&out);
}

static void test_quote_char(void **state)
{
    static const struct {
        uint32_t rune;
        const char *want;
    } cases[] = {
        {'a', "'a'"},   {'\'', "'\\''"},      {'"', "'\"'"},       {'\n', "'\\n'"},
        {0, "'\\x00'"}, {0xe9, "'\xc3\xa9'"}, {0x80, "'\\u0080'"}, {0x10ffff, "'\\U0010ffff'"},
    };
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cfz_quote_char(cases[i].rune, &out, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].want);
        cfz_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_quote_some),
        cmocka_unit_test(test_quote_char),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
