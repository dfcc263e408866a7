/*
 * Counts the characters of UTF-8 text.
 *
 * Bug: one byte too many is read. A lead byte at the end of the text is taken at
 * its word. No sanitizer needed: what follows the input is inaccessible.
 */
#include <stdint.h>

/* Decodes the character at *p and moves on; -1 for malformed text. */
static int32_t utf8_next(const uint8_t **p)
{
    const uint8_t *s = *p;
    int32_t c;

    if (s[0] < 0x80) {
        *p = s + 1;
        return s[0];
    }
    if (s[0] < 0xc2 || s[0] > 0xdf) /* characters up to U+07FF are enough here */
        return -1;
    if ((s[1] & 0xc0) != 0x80) /* the bug: s[1] may be past the end */
        return -1;
    c = (s[0] & 0x1f) << 6 | (s[1] & 0x3f);
    *p = s + 2;
    return c;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzUtf8)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("na\xc3\xafve"), false);
    cfuzz_add(f, CFUZZ_BYTES(""), true);
}

FUZZ_TEST(FuzzUtf8, []byte, bool)(cfuzz_t *t, const uint8_t *data, size_t len, bool ascii)
{
    const uint8_t *p = data, *end = data + len;
    size_t n = 0;

    while (p < end) {
        int32_t c = utf8_next(&p);

        if (c < 0 || (ascii && c > 127))
            cfuzz_skip(t, "malformed");
        n++;
    }
    if (n > len)
        cfuzz_error(t, "%zu characters in %zu bytes", n, len);
}
#endif
