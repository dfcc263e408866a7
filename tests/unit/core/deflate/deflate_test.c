/*
 * deflate_test.c - streams with codes that are drawn hold what they should; scripted draws, exact
 * results, which zlib reads, too.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/deflate/deflate.h"
#include "core/deflate/inflate.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint8_t out[1 << 18], back[1 << 16];

/* Writes a text with these draws; returns the size. */
static size_t write(const char *text, size_t room, const uint32_t *draws, size_t n)
{
    struct cfz_rand_script script = {.draws = draws, .n = n};
    struct cfz_rand r;

    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    return cfz_deflate(&r, (const uint8_t *)text, strlen(text), out, room);
}

#define WRITES(text, room, wanted, ...)                                                            \
    do {                                                                                           \
        static const uint32_t draws[] = {__VA_ARGS__};                                             \
        assert_int_equal(write(text, room, draws, COUNT(draws)), sizeof(wanted) - 1);              \
        assert_memory_equal(out, wanted, sizeof(wanted) - 1);                                      \
    } while (0)

enum { STORED, FIXED, DYNAMIC, WHOLE = 1, PART = 0 };

static void writes(void **state)
{
    (void)state;
    WRITES("abc", 8,
           "\x01\x03\0\xfc\xff"
           "abc",
           STORED, WHOLE);
    WRITES("abc", 7, "", STORED, WHOLE); /* no room */
    WRITES("", 5, "\x01\0\0\xff\xff", STORED, WHOLE);
    WRITES("abc", 99, "\x4b\x4c\x4a\x06\0", FIXED, WHOLE);
    /* two blocks */
    WRITES("abc", 99,
           "\0\x02\0\xfd\xff"
           "ab"
           "\x4b\x06\0",
           STORED, PART, 2, FIXED, WHOLE);
    /* four distances at each place: only at the fourth byte one fits, three back */
    WRITES("abcabcabcabc", 99, "\x4b\x4c\x4a\x86\x23\0", FIXED, WHOLE, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
           2, 2);
    /* codes of its own, three symbols in the first and one distance in the second */
    WRITES("aab", 99, "\x05\xc1\x01\x09\x00\x00\x00\xc3\xa0\x55\xdd\xe8\x4f\x86\x89\x36", DYNAMIC,
           WHOLE, 0, 1, 0, 0);
}

/* Whatever is drawn. */
static void holds_the_same(void **state)
{
    static uint8_t text[5000];
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 1, 1);
    for (int k = 0; k < 500; k++) {
        const size_t n = cfz_rand_below(&r, k % 50 == 0 ? sizeof text : 300);
        const uint32_t letters = 1 + cfz_rand_below(&r, 256);
        size_t size, used, len;

        for (size_t i = 0; i < n; i++)
            text[i] = (uint8_t)cfz_rand_below(&r, letters);
        size = cfz_deflate(&r, text, n, out, sizeof out);
        assert_true(size > 0);
        assert_true(cfz_inflate(out, size, back, sizeof back, &used, &len));
        assert_int_equal(used, size);
        assert_int_equal(len, n);
        assert_memory_equal(back, text, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes),
        cmocka_unit_test(holds_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
