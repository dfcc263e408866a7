/*
 * parse.c - names with their length in front, and their fuzz test.
 */
#include "parse.h"

int parse(const unsigned char *p, size_t n)
{
    int len;

    if (n == 0)
        return -1;
    len = p[0];
    if ((size_t)len >= n)
        return -1;
    for (int i = 0; i < len; i++)
        if (p[1 + i] == '\0')
            return -1;
    return len;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzParse)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x05hello"));
    cfuzz_add(f, CFUZZ_BYTES("\x05hell"));
}

FUZZ_TEST(FuzzParse, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    int n = parse(data, len);

    if (n < 0)
        cfuzz_skip(t, "malformed");
    if ((size_t)n >= len)
        cfuzz_error(t, "a name of %d bytes in %zu", n, len);
}
#endif
