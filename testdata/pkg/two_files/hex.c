/*
 * Hexadecimal text. The test of the static function is here, beside it; the
 * other one is in roundtrip.c. No bug known.
 */
#include <stddef.h>
#include <stdint.h>
#include "hex.h"

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void hex_encode(const uint8_t *data, size_t len, char *out)
{
    for (size_t i = 0; i < len; i++) {
        *out++ = "0123456789abcdef"[data[i] >> 4];
        *out++ = "0123456789abcdef"[data[i] & 15];
    }
    *out = '\0';
}

long hex_decode(const char *text, uint8_t *out)
{
    long n = 0;

    for (; text[0] != '\0'; text += 2) {
        int high = hex_digit((unsigned char)text[0]);
        int low = high < 0 ? -1 : hex_digit((unsigned char)text[1]);

        if (low < 0)
            return -1;
        out[n++] = (uint8_t)(high << 4 | low);
    }
    return n;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzHexDigit)(cfuzz_f *f)
{
    cfuzz_add(f, 'a');
    cfuzz_add(f, 'G');
}

FUZZ_TEST(FuzzHexDigit, byte)(cfuzz_t *t, uint8_t c)
{
    int d = hex_digit(c);

    if (d > 15)
        cfuzz_error(t, "digit %c is %d", c, d);
}
#endif
