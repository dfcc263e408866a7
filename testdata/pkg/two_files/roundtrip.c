#include "hex.h"

enum { MAX = 256 };

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzRoundTrip)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x00\x7f\xff"));
}

FUZZ_TEST(FuzzRoundTrip, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    char text[2 * MAX + 1];
    uint8_t back[MAX];
    long n;

    if (len > MAX)
        cfuzz_skip(t, "too long");
    hex_encode(data, len, text);
    n = hex_decode(text, back);
    if (n != (long)len)
        cfuzz_fatal(t, "%zu bytes became %ld", len, n);
    for (size_t i = 0; i < len; i++)
        if (back[i] != data[i])
            cfuzz_fatal(t, "byte %zu: %u became %u", i, data[i], back[i]);
}
#endif
