/*
 * Pieces of pages: whatever text holds, it is text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/html.h"

static void test_text(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"plain", "plain"},
        {"<script>&amp;</script>", "&lt;script&gt;&amp;amp;&lt;/script&gt;"},
        {"\"'", "&quot;&#39;"},
        {"a\tb\nc", "a\tb\nc"},
        {"\x1b[31m\r\x01", "\\x1b[31m\\x0d\\x01"},
        {"\xff\xfe", "\\xff\\xfe"},
        {"\xe2\x80\xae", "\\xe2\\x80\\xae"}, /* from right to left from here on */
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;

        assert_int_equal(html_text(&out, cases[i].text, strlen(cases[i].text), NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].shown);
        cfz_buf_release(&out);
    }
}

static void test_printf(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(html_printf(&out, NULL, "<b title=\"%t\">%s</b> 100%% %u %d%", "\"><i>",
                                 "<br>", UINT64_MAX, -3),
                     0);
    assert_string_equal(cfz_buf_str(&out), "<b title=\"&quot;&gt;&lt;i&gt;\"><br></b> 100%% "
                                           "18446744073709551615 -3%");
    cfz_buf_release(&out);
}

static void test_numbers(void **state)
{
    static const struct {
        uint64_t n;
        const char *number, *duration;
    } cases[] = {
        {0, "0", "0ns"},
        {999, "999", "999ns"},
        {1000, "1,000", "1\xc2\xb5s"},
        {2345678, "2,345,678", "2.3ms"},
        {12000000000, "12,000,000,000", "12.0s"},
        {130000000000, "130,000,000,000", "2m10s"},
        {UINT64_C(9000000000000), "9,000,000,000,000", "2.5h"},
        {999960, "999,960", "1.0ms"},
        {999960000, "999,960,000", "1.0s"},
        {UINT64_C(59960000000), "59,960,000,000", "1m00s"},
        {UINT64_C(119700000000), "119,700,000,000", "2m00s"},
        {UINT64_C(3599400000000), "3,599,400,000,000", "59m59s"},
        {UINT64_C(3599600000000), "3,599,600,000,000", "1.0h"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;

        assert_int_equal(html_number(&out, cases[i].n, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].number);
        out.len = 0;
        assert_int_equal(html_duration(&out, cases[i].n, NULL), 0);
        assert_string_equal(cfz_buf_str(&out), cases[i].duration);
        cfz_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
