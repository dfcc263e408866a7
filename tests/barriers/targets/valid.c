/* valid.c - barriers of formats of which one valid input is at hand. */
#include <cfuzz.h>

#include "read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

static uint32_t crc_of(const uint8_t *p, size_t n)
{
    uint32_t c = 0xffffffff;

    while (n-- > 0) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    }
    return ~c;
}

static volatile unsigned sink;

/* The state machine of FuzzSealed: step x leads on from state s, where all others stay. */
static uint8_t leads[8][32];

FUZZ_SETUP(FuzzSealed)(cfuzz_f *f)
{
    static const uint8_t keys[8] = {21, 7, 30, 2, 17, 11, 26, 5};
    uint8_t seed[20] = {'S', 'E', 'A', 'L'};
    uint32_t c;

    for (unsigned s = 0; s < 8; s++)
        for (unsigned x = 0; x < 32; x++)
            leads[s][x] = (uint8_t)(x == keys[s] ? s + 1 : s);
    c = crc_of(seed + 4, 12);
    for (int i = 0; i < 4; i++)
        seed[16 + i] = (uint8_t)(c >> 8 * i);
    cfuzz_add(f, seed, sizeof seed);
}

/* Steps of a machine that a table tells, so that nothing is compared with what is wanted, behind a
 * checksum. */
BYTES(FuzzSealed)
{
    unsigned s = 0;

    (void)t;
    if (n != 20 || memcmp(d, "SEAL", 4) != 0 || crc_of(d + 4, 12) != le32(d + 16))
        return;
    for (int i = 4; i < 16 && s < 8; i++)
        s = leads[s][d[i] & 31];
    switch (s) {
    case 1: sink = 10; break;
    case 2: sink = 21; break;
    case 3: sink = 32; break;
    case 4: sink = 43; break;
    case 5: sink = 54; break;
    case 6: sink = 65; break;
    case 7: sink = 76; break;
    case 8: abort();
    }
}

/* The content of an element of ASN.1, and its length; moves *d behind it. NULL if it is another. */
static const uint8_t *element(const uint8_t **d, const uint8_t *end, uint8_t tag, size_t *n)
{
    const uint8_t *p = *d;

    if (end - p < 2 || *p++ != tag || *p >= 0x80 || *p > end - p - 1)
        return NULL;
    *n = *p++;
    *d = p + *n;
    return p;
}

static const struct {
    uint8_t n;
    const char *bytes;
} kinds[] = {{9, "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"}, {7, "\x2a\x86\x48\xce\x3d\x02\x01"}};

FUZZ_SETUP(FuzzElements)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x30\x23\x02\x01\x05\x30\x06\x0c\x04name\x30\x16\x30\x0d\x06\x09\x2a\x86\x48"
                             "\x86\xf7\x0d\x01\x01\x01\x05\x00\x03\x05\x00keys"));
}

/* A key of another kind, whose name is shorter, three elements deep; and what belongs to it. */
BYTES(FuzzElements)
{
    const uint8_t *end = d + n, *p, *q;
    size_t len, inner;
    int kind = -1;

    (void)t;
    if (!(p = element(&d, end, 0x30, &len)) || d != end || !element(&p, end, 2, &len) ||
        !element(&p, end, 0x30, &len) || !(q = element(&p, end, 0x30, &len)))
        return;
    end = q + len;
    if (p != d || !(p = element(&q, end, 0x30, &inner)))
        return;
    if (!element(&q, end, 3, &len) || q != end)
        return;
    end = p + inner;
    if (!(q = element(&p, end, 6, &len)))
        return;
    for (int k = 0; k < 2; k++)
        if (kinds[k].n == len && memcmp(kinds[k].bytes, q, len) == 0)
            kind = k;
    if (kind == 1 && (q = element(&p, end, 6, &len)) && p == end && len == 5 &&
        memcmp(q, "\x2b\x81\x04\x00\x22", 5) == 0)
        abort();
}
