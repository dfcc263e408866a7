/*
 * Tests for core/escape.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/buf.h"
#include "core/escape.h"

static const struct {
    const char *text, *line;
} cases[] = {
    {"", ""},
    {"a b\tc été 世界 \xf0\x9f\x98\x80", "a b\tc été 世界 \xf0\x9f\x98\x80"},
    {"\x1b[2K\r\a\x7f", "\\x1b[2K\\x0d\\x07\\x7f"},
    {"a\nok", "a\\x0aok"},
    {"\xc2\x9bK\xc2\x85", "\\xc2\\x9bK\\xc2\\x85"},                 /* C1 */
    {"\x9b\xff\xe2\x80", "\\x9b\\xff\\xe2\\x80"},                   /* not UTF-8 */
    {"\xe2\x80\xa8\xe2\x80\xa9", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9"}, /* line, paragraph */
    {"\xef\xbb\xbf\xc2\xad", "\\xef\\xbb\\xbf\\xc2\\xad"},          /* not to be seen */
    {"\\x1b", "\\x1b"},
};

/* What turns the direction of writing: Go's IsPrint has none of it either. */
static void test_bidi(void **state)
{
    static const uint16_t marks[] = {0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
                                     0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};

    (void)state;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char text[4], shown[CFZ_ESCAPED_MAX];
        size_t len = 0, n;

        if (marks[i] >= 0x800) {
            text[len++] = (char)(0xe0 | marks[i] >> 12);
            text[len++] = (char)(0x80 | (marks[i] >> 6 & 0x3f));
        } else {
            text[len++] = (char)(0xc0 | marks[i] >> 6);
        }
        text[len++] = (char)(0x80 | (marks[i] & 0x3f));
        assert_int_equal(cfz_escape_next(text, len, CFZ_ESCAPE_TEXT, shown, &n), len);
        assert_int_equal(n, 4 * len);
        assert_int_equal(shown[0], '\\');
    }
}

static void test_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf once = CFZ_BUF_INIT, twice = CFZ_BUF_INIT;
        char place[256];

        assert_int_equal(
            cfz_buf_escape(&once, cases[i].text, strlen(cases[i].text), CFZ_ESCAPE_LINE, NULL), 0);
        assert_string_equal(cfz_buf_str(&once), cases[i].line);
        assert_int_equal(
            cfz_buf_escape(&twice, cfz_buf_str(&once), once.len, CFZ_ESCAPE_LINE, NULL), 0);
        assert_string_equal(cfz_buf_str(&twice), cases[i].line);
        strcpy(place, cases[i].text);
        cfz_escape_line_in_place(place, sizeof place);
        assert_string_equal(place, cases[i].line);
        cfz_buf_release(&once);
        cfz_buf_release(&twice);
    }
}

static void test_text(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(cfz_buf_escape(&out, "a\n\tb\r\n", 6, CFZ_ESCAPE_TEXT, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "a\n\tb\\x0d\n");
    cfz_buf_release(&out);
}

/* What does not fit is cut off, and never half of an escaped byte is left. */
static void test_in_place_cut(void **state)
{
    static const char whole[] = "ab\\x0acd\\x1be";

    (void)state;
    for (size_t room = 8; room < 24; room++) {
        char *text = test_malloc(room); /* cmocka notices a byte too far */
        size_t len;

        strcpy(text, "ab\ncd\x1b"
                     "e");
        cfz_escape_line_in_place(text, room);
        len = strlen(text);
        assert_true(len < room);
        assert_memory_equal(text, whole, len);
        assert_true(len == strlen(whole) || len == 2 || len == 6 || len == 7 || len == 8 ||
                    len == 12);
        if (room > strlen(whole))
            assert_string_equal(text, whole);
        test_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bidi),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_in_place_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
