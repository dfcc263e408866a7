/* lanes.c - barriers of numbers that an optimiser compares at once, as vectors: no branch lies
 * between them, as in code whose time may not depend on what it compares. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct header {
    uint32_t magic, version, flags, end;
};

/* A header whose fields are looked at with one branch. */
FUZZ_TEST(FuzzAtOnce, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    struct header h;

    (void)t;
    if (len < sizeof h)
        return;
    memcpy(&h, data, sizeof h);
    if ((h.magic == 0x4b434150) & (h.version == 0x20261128) & (h.flags == 0x80000005) &
        (h.end == 0x0d0a1a0a))
        abort();
}

static bool all_same(const uint32_t *a, const uint32_t *b, int n)
{
    bool same = true;

    for (int i = 0; i < n; i++)
        same &= a[i] == b[i];
    return same;
}

/* A key of eight words. */
FUZZ_TEST(FuzzAllWords, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    static const uint32_t key[8] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344,
                                    0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89};
    uint32_t words[8];

    (void)t;
    if (len != sizeof words)
        return;
    memcpy(words, data, sizeof words);
    if (all_same(words, key, 8))
        abort();
}

/* Votes of sixteen, of which twelve are needed, and not from one who votes otherwise. */
FUZZ_TEST(FuzzVotes, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    uint16_t votes[16];
    int yes = 0, no = 0;

    (void)t;
    if (len < sizeof votes)
        return;
    memcpy(votes, data, sizeof votes);
    for (int i = 0; i < 16; i++) {
        yes += votes[i] == 0x5945;
        no += votes[i] == 0x4e4f;
    }
    if (yes >= 12 && no == 2)
        abort();
}

/* Whether a token is right, in a time that does not tell how much of it is. */
static const uint8_t token[16] = {0x4b, 0x1f, 0x9a, 0x33, 0xe0, 0x77, 0x5c, 0x81,
                                  0x10, 0xfe, 0x6d, 0x22, 0xb9, 0x48, 0xc3, 0x05};

static bool same_time(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t differs = 0;

    for (size_t i = 0; i < n; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}

FUZZ_TEST(FuzzToken, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (len >= 17 && same_time(data + 1, token, 16) && data[0] == 'q')
        abort();
}

/* The same as cryptographic libraries have it, without any comparison. */
__attribute__((noinline)) static int verify(const uint8_t *a, const uint8_t *b, size_t n)
{
    unsigned differs = 0;

    for (size_t i = 0; i < n; i++)
        differs |= a[i] ^ b[i];
    return (int)(1 & ((differs - 1) >> 8)) - 1;
}

FUZZ_TEST(FuzzVerify, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (len > 20 && verify(data + 4, token, 16) == 0 && data[2] == 'q')
        abort();
}

/* How far three numbers are from those wanted, in one. */
FUZZ_TEST(FuzzDifferences, uint32, uint64, int)(cfuzz_t *t, uint32_t a, uint64_t b, int c)
{
    (void)t;
    if (((a ^ 0x12345678) | (b ^ 0x9abcdef012345678) | ((unsigned)c ^ 77)) == 0)
        abort();
}
