/* pages.c - barriers of pages with a digest each, which is compared as memory. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

enum { HEAD = 16, AT_DIGEST = 6, DIGEST = 10, PAYLOAD_MOST = 64 };

/* Ten bytes of all others: FNV-1a of 64 bits, and 16 bits of it turned. */
static void digest(const uint8_t *d, size_t n, uint8_t to[DIGEST])
{
    uint64_t h = 0xcbf29ce484222325;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (i >= AT_DIGEST && i < HEAD ? 0 : d[i])) * 0x100000001b3;
    for (int k = 0; k < DIGEST; k++)
        to[k] = (uint8_t)(k < 8 ? h >> 8 * k : h >> (3 + 8 * (k - 8)));
}

/* Whether a page begins here: PG, version, kind, serial number, length, digest, so many bytes. */
static bool is_page(const uint8_t *d, size_t n)
{
    uint8_t want[DIGEST], have[DIGEST];

    if (n < HEAD || d[0] != 'P' || d[1] != 'G' || d[5] > PAYLOAD_MOST || n < HEAD + d[5])
        return false;
    memcpy(have, d + AT_DIGEST, DIGEST);
    digest(d, HEAD + d[5], want);
    return memcmp(have, want, DIGEST) == 0;
}

/* A page that says what is to follow, and one that is that. Each byte of them is under its digest.
 */
BYTES(FuzzPages)
{
    const uint8_t *second;

    (void)t;
    if (!is_page(d, n) || d[2] != 0 || d[3] != 1 || d[5] < 4 || memcmp(d + HEAD, "head", 4) != 0)
        return;
    second = d + HEAD + d[5];
    n -= HEAD + d[5];
    if (is_page(second, n) && second[3] == 2 && second[4] == d[4] && second[5] > 2 &&
        second[HEAD] == 0x7e && second[HEAD + 1] > second[5])
        abort();
}
