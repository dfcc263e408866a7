/*
 * text_test.c - UTF-8, blanks, printable characters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/text.h"

static void test_round_trip(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < 0x110000; r++) {
        uint8_t utf8[4];
        uint32_t got;
        size_t n;

        if (!cfz_rune_is_valid(r)) {
            assert_in_range(r, 0xd800, 0xdfff);
            continue;
        }
        n = cfz_utf8_encode(r, utf8);
        if (n != (r < 0x80      ? 1
                  : r < 0x800   ? 2
                  : r < 0x10000 ? 3
                                : 4) ||
            cfz_utf8_decode(utf8, n, &got) != n || got != r)
            fail_msg("U+%04X", (unsigned)r);
        for (size_t cut = 1; cut < n; cut++)
            if (cfz_utf8_decode(utf8, cut, &got) != 1 || got != CFZ_RUNE_BAD)
                fail_msg("U+%04X, %zu bytes", (unsigned)r, cut);
    }
    assert_false(cfz_rune_is_valid(0x110000));
    assert_false(cfz_rune_is_valid(CFZ_RUNE_BAD));
}

static void test_bad(void **state)
{
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xff",
        "\xfe",
        "\xc3(",
        "\xe2\x82(",
        "\xf0\x9f\x98(",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t r = 0;

        assert_int_equal(cfz_utf8_decode((const uint8_t *)bad[i], strlen(bad[i]), &r), 1);
        assert_int_equal(r, CFZ_RUNE_BAD);
    }
}

static void test_printable(void **state)
{
    static const uint32_t no[] = {0,      0x1f,   0x7f,   0x80,   0x9f,   0xa0,     0xad,  0x200b,
                                  0x2028, 0x3000, 0xfeff, 0xe000, 0xfffe, 0x10ffff, 0x378, 0xd800};
    static const uint32_t yes[] = {' ', 'a', '~', 0xa1, 0xae, 0x2318, 0xfffd, 0x1f600, 0xe0100};
    size_t n = 0;

    (void)state;
    for (uint32_t r = 0; r < 0x120000; r++)
        n += cfz_rune_is_printable(r);
    assert_int_equal(n, 143680); /* Unicode 13.0.0 */
    assert_int_equal(cfz_nprintable, 678);
    for (size_t i = 1; i < cfz_nprintable; i++) {
        assert_true(cfz_printable[i].first <= cfz_printable[i].last);
        assert_true(cfz_printable[i].first > cfz_printable[i - 1].last);
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(cfz_rune_is_printable(no[i]));
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(cfz_rune_is_printable(yes[i]));
}

static void test_trim(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"", ""},
        {" ", ""},
        {"\t\n\v\f\r x y \r\n", "x y"},
        {"\xc2\x85\xc2\xa0\xe1\x9a\x80\xe2\x80\x80\xe2\x80\x8a", ""},
        {"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\x9f\xe3\x80\x80", ""},
        {"x\xe2\x80\x83\xe3\x80\x80", "x"},
        {"\xe2\x80\x8b", "\xe2\x80\x8b"}, /* zero width */
        {"\xef\xbb\xbfx", "\xef\xbb\xbfx"},
        {"\x85x\xa0", "\x85x\xa0"}, /* no UTF-8 */
        {"x\xf0\xe3\x80\x80", "x\xf0"},
        {"\xc2 ", "\xc2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *p = (const uint8_t *)cases[i].in;
        size_t len = strlen(cases[i].in);

        cfz_text_trim(&p, &len);
        assert_int_equal(len, strlen(cases[i].out));
        assert_memory_equal(p, cases[i].out, len);
    }
}

/* White space is this and nothing else, in names and around values alike. */
static void test_every_blank(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < 0x110000; r++) {
        bool blank = (r >= 9 && r <= 13) || r == 0x20 || r == 0x85 || r == 0xa0 || r == 0x1680 ||
                     (r >= 0x2000 && r <= 0x200a) || r == 0x2028 || r == 0x2029 || r == 0x202f ||
                     r == 0x205f || r == 0x3000;
        uint8_t text[9] = "";
        const uint8_t *p = text;
        size_t n, len;

        if (!cfz_rune_is_valid(r))
            continue;
        n = cfz_utf8_encode(r, text);
        text[n] = 'x';
        cfz_utf8_encode(r, text + n + 1);
        len = 2 * n + 1;
        cfz_text_trim(&p, &len);
        if (len != (blank ? 1 : 2 * n + 1) || p != text + (blank ? n : 0))
            fail_msg("U+%04X", (unsigned)r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_bad),
        cmocka_unit_test(test_printable),   cmocka_unit_test(test_trim),
        cmocka_unit_test(test_every_blank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
