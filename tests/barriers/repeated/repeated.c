/* repeated.c - barriers of formats that say things twice, of which one valid input is at hand. */
#include <cfuzz.h>

#include "../targets/read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

FUZZ_SETUP(FuzzMethod)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("AR\x08\x00\x03\x00"
                             "abcDI\x08\x00\x02\x00"));
}

/* How a member is stored, which it says itself, and the directory says again. */
BYTES(FuzzMethod)
{
    const uint8_t *dir = d + 9;
    unsigned method, at;

    (void)t;
    if (n != 15 || memcmp(d, "AR", 2) != 0 || memcmp(dir, "DI", 2) != 0)
        return;
    method = le16(dir + 2);
    at = le16(dir + 4);
    if (at > n - 2 || le16(d + at) != method)
        return;
    if (method != 0 && method != 1293 && method != 8)
        return;
    if (method == 1293)
        abort();
}
