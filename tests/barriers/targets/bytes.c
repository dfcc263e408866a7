/* bytes.c - barriers in binary formats: magics, fields, lengths, checksums. */
#include <cfuzz.h>

#include "read.h"

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)
#define NEED(k)                                                                                    \
    (void)t;                                                                                       \
    if (n < (k))                                                                                   \
    return

/* A magic of two bytes, and one of four further on. */
BYTES(FuzzMagics)
{
    NEED(12);
    if (le16(d) == 0x7a41 && le32(d + 8) == 0x91b2c3d7)
        abort();
}

/* A magic put together byte by byte, the highest first. */
BYTES(FuzzBigEndian)
{
    NEED(8);
    if (be32(d + 4) == 0xc0ffee42)
        abort();
}

/* A magic of eight bytes. */
BYTES(FuzzMagic64)
{
    NEED(16);
    if (le64(d + 3) == 0x1122334455667788)
        abort();
}

/* Eight bytes, each behind a branch. */
BYTES(FuzzChain)
{
    NEED(8);
    if (d[0] == 'g' && d[1] == 0x1e && d[2] == 'P' && d[3] == 0xe3)
        if (d[4] == '6' && d[5] == 0x81 && d[6] == 'v' && d[7] == 8)
            abort();
}

/* The sum of all bytes, in the last two. */
BYTES(FuzzSum)
{
    unsigned sum = 0;

    NEED(16);
    for (size_t i = 0; i + 2 < n; i++)
        sum += d[i];
    if (sum >= 700 && le16(d + n - 2) == (uint16_t)sum)
        abort();
}

/* A length of sixteen bits that tells how much follows. */
BYTES(FuzzLength)
{
    NEED(5);
    if ((unsigned)(d[1] | d[2] << 8) == n - 3 && n >= 25 && d[0] == 3 && d[n - 1] == 0xfe)
        abort();
}

/* Tags of 32 bits by a switch. */
static int tag(uint32_t t)
{
    switch (t) {
    case 0x21656d61:
        return 1;
    case 0x6c6c6f63:
        return 2;
    case 0x31323334:
        return 3;
    case 0x7a7a7a79:
        return 4;
    case 0x10203040:
        return 5;
    default:
        return 0;
    }
}

BYTES(FuzzTags)
{
    static volatile int last;
    int a, b;

    NEED(12);
    a = tag(le32(d));
    b = tag(le32(d + 8));
    last = a;
    if (a == 4) {
        last = 10 + b;
        if (b == 2)
            abort();
    }
}

/* Values within values, each with tag and length. */
static int enter(const uint8_t **p, size_t *n, uint8_t tag)
{
    size_t len;

    if (*n < 2 || (*p)[0] != tag)
        return 0;
    len = (*p)[1];
    if (len == 0 || len > *n - 2)
        return 0;
    *p += 2;
    *n = len;
    return 1;
}

BYTES(FuzzNestedTags)
{
    NEED(2);
    if (enter(&d, &n, 0x31) && enter(&d, &n, 0xa2) && enter(&d, &n, 5) && n == 3 && d[0] == 2 &&
        d[1] == 0x43 && d[2] == 0xfd)
        abort();
}

/* A state machine that six bytes in order drive. */
BYTES(FuzzMachine)
{
    static const uint8_t word[6] = {'W', 'o', 6, '|', 'd', 0xb3};
    int state = 0;

    NEED(1);
    for (size_t i = 0; i < n && i < 64; i++) {
        switch (state) {
        case 0:
            state = d[i] == word[0] ? 1 : 0;
            break;
        case 1:
            state = d[i] == word[1] ? 2 : 0;
            break;
        case 2:
            state = d[i] == word[2] ? 3 : 0;
            break;
        case 3:
            state = d[i] == word[3] ? 4 : 0;
            break;
        case 4:
            state = d[i] == word[4] ? 5 : 0;
            break;
        default:
            if (d[i] == word[5])
                abort();
            state = 0;
        }
    }
}

/* Lengths within lengths, which must fit exactly. */
BYTES(FuzzNestedLengths)
{
    size_t m = n;

    NEED(14);
    if (be16(d) != m - 2)
        return;
    d += 2, m -= 2;
    if (d[0] != 9 || be16(d + 1) != m - 3)
        return;
    d += 3, m -= 3;
    if (d[0] != 4 || be16(d + 1) != m - 3)
        return;
    if (d[3] == 0x5a && d[4] == 0xa5)
        abort();
}

static uint32_t crc32(const uint8_t *d, size_t n)
{
    uint32_t c = ~0U;

    while (n--) {
        c ^= *d++;
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (0xedb88320 & -(c & 1));
    }
    return ~c;
}

/* A CRC over all that follows it, then a command. */
BYTES(FuzzCrc)
{
    NEED(16);
    if (crc32(d + 4, n - 4) == be32(d) && d[4] == 0x6e && d[9] == 0x91)
        abort();
}

/* A CRC over a part, compared with a constant. */
BYTES(FuzzCrcValue)
{
    NEED(8);
    if (crc32(d + 2, 6) == 0x5eed1234)
        abort();
}

/* A number that is xored, rotated and added to, with a key from the input. */
BYTES(FuzzScrambled)
{
    uint32_t v;
    unsigned r;

    NEED(9);
    v = le32(d + 1) ^ 0x9b1d3e57;
    r = (d[0] & 7U) + 3;
    v = v << r | v >> (32 - r);
    v += 0x2468;
    if (v == 0xfeedc0de && d[0] == 0x45)
        abort();
}

/* Width times height is what follows. */
BYTES(FuzzArea)
{
    unsigned w, h;

    NEED(6);
    w = le16(d);
    h = le16(d + 2);
    if (w >= 5 && h >= 5 && (size_t)w * h == n - 4 && d[4] == 'Q' && d[n - 1] == 'R')
        abort();
}

/* Twelve numbers, each greater than the one before. */
BYTES(FuzzAscending)
{
    NEED(24);
    for (int i = 1; i < 12; i++)
        if (le16(d + 2 * i) <= le16(d + 2 * i - 2))
            return;
    if (le16(d) > 600)
        abort();
}

/* Two fields far from each other are equal after a mask. */
BYTES(FuzzFarApart)
{
    NEED(180);
    if (le64(d + 20) > 0x1000000000000 && (le64(d + 20) ^ 0x3c3c3c3c3c3c3c3c) == le64(d + 160))
        abort();
}

/* A byte exactly so many times. */
BYTES(FuzzCount)
{
    unsigned c = 0;

    NEED(1);
    for (size_t i = 0; i < n; i++)
        c += d[i] == '{';
    if (c == 61)
        abort();
}

/* Long, with a byte far inside. */
BYTES(FuzzLong)
{
    NEED(1800);
    if (d[1777] == 'Y' && d[n - 1] == 0xc1)
        abort();
}

/* Two floats and a bit of arithmetic. */
BYTES(FuzzFloatFields)
{
    static volatile float two = 2.0F;
    float x, y, z;

    NEED(8);
    memcpy(&x, d, 4);
    memcpy(&y, d + 4, 4);
    z = x * x + two * y;
    if (z > 2000.25F && z < 2000.5F && x > 3)
        abort();
}

/* A hash of sixteen bits over eight bytes. */
BYTES(FuzzHash16)
{
    uint32_t h = 0x811c9dc5;

    NEED(8);
    for (int i = 0; i < 8; i++)
        h = (h ^ d[i]) * 0x01000193;
    if ((h >> 16 ^ (h & 0xffff)) == 0x4242)
        abort();
}

/* A table of sizes: the index must be in range, and the size there be what the header says. */
BYTES(FuzzIndirect)
{
    static const uint16_t sizes[16] = {3, 19, 200, 41, 7, 33, 950, 12, 77, 5, 611, 2, 90, 31, 8, 1};

    NEED(6);
    if (d[0] < 16 && d[0] > 3 && sizes[d[0]] > 900 && le32(d + 2) == sizes[d[0]] * 1000003U)
        abort();
}

/* The last bytes are a tag and how long the directory before them is, which has a tag of its own:
 * as long as that is 0, both are looked for in one place. */
BYTES(FuzzDirectory)
{
    uint32_t length;

    NEED(8);
    d += n - 8;
    if (le32(d) != 0x0605564b)
        return;
    length = le32(d + 4);
    if (length <= n - 8 && le32(d - length) == 0x0201564b)
        abort();
}

/* Where an archive's second directory is, as 8 bytes behind the last mark say; 0: it has none. */
static uint64_t second_directory(const uint8_t *d, size_t n)
{
    for (size_t at = n - 16; at > 0; at--)
        if (le32(d + at) == 0x074b4c4d) {
            uint64_t place = le64(d + at + 8);

            if (le32(d + at + 4) != 1 || place > n - 4)
                return 0;
            return le32(d + place) == 0x064b4c4d ? place : 0;
        }
    return 0;
}

BYTES(FuzzLocator)
{
    NEED(20);
    if (second_directory(d, n) != 0)
        abort();
}

/* A header says where a table is, and the table where a record is; each has a tag. */
BYTES(FuzzOffsets)
{
    uint32_t at;

    NEED(6);
    if (be32(d) != 0x4f464653)
        return;
    at = be16(d + 4);
    if (at + 6 > n || be32(d + at) != 0x7461626c)
        return;
    at = be16(d + at + 4);
    if (at + 4 <= n && le32(d + at) == 0x64636572)
        abort();
}

/* memcmp with a magic, then a version in big endian, then flags. */
BYTES(FuzzHeader)
{
    NEED(16);
    if (memcmp(d, "\x89QOX\r\n\x1a\n", 8) == 0 && be16(d + 8) == 0x0203 &&
        (be32(d + 10) & 0xff00ff) == 0x120034)
        abort();
}

/* Six options that are set one by one, and matter together; the last one has to be there. */
BYTES(FuzzOptions)
{
    static const char letters[6] = "vkqxjw";
    unsigned set = 0;

    NEED(6);
    for (unsigned i = 0; i < 5; i++)
        if (d[2 * i % 7 % n] == letters[i])
            set |= 1U << i;
    if (d[5] == letters[5] && set == 31)
        abort();
}

/* A table of which the last row is one too far, behind a number in text; nothing asks for it. */
static uint16_t rows[70001];
static uint16_t *volatile rows_end = rows + sizeof rows / sizeof rows[0];

__attribute__((noinline)) static bool is_rows_end(const uint16_t *at)
{
    return at == rows_end;
}

BYTES(FuzzIndexInText)
{
    size_t row = 0;

    NEED(4);
    for (size_t i = 2; i < n && i < 8 && d[i] >= '0' && d[i] <= '9'; i++)
        row = row * 10 + d[i] - '0';
    if (d[0] == 'r' && d[1] == '=' && row > 9 && is_rows_end(&rows[row % 70002]))
        abort();
}

/* A bracket within another, alternately round and square, 300 deep. */
static unsigned nested(const uint8_t *d, size_t n, unsigned depth)
{
    static volatile int closed;
    unsigned deepest = depth;

    if (depth < 300 && n > 0 && d[0] == (depth % 2 ? '[' : '('))
        deepest = nested(d + 1, n - 1, depth + 1);
    closed++;
    return deepest;
}

BYTES(FuzzRecursion)
{
    NEED(0);
    if (nested(d, n, 0) == 300)
        abort();
}

/* An image's header and its CRC. A check that fails says so and goes on to the next one; what they
 * said together is asked at the end. */
__attribute__((noinline)) static bool complain(const char *what)
{
    static volatile int said;

    while (*what)
        said += *what++;
    return true;
}

BYTES(FuzzImageHeader)
{
    uint32_t width, height;
    uint8_t depth, color;
    bool bad = false;

    NEED(17);
    if (crc32(d, 13) != be32(d + 13))
        return;
    width = be32(d);
    height = be32(d + 4);
    depth = d[8];
    color = d[9];
    if (width == 0)
        bad = complain("no width");
    if (width > 256)
        bad = complain("too wide");
    if (height == 0)
        bad = complain("no height");
    if (height > 256)
        bad = complain("too high");
    if (depth != 1 && depth != 2 && depth != 4 && depth != 8 && depth != 16)
        bad = complain("bits of a sample");
    if (color == 1 || color == 5 || color > 6)
        bad = complain("kind of colors");
    if ((color == 3 && depth > 8) || ((color == 2 || color == 4 || color == 6) && depth < 8))
        bad = complain("bits of such colors");
    if (d[10] > 1)
        bad = complain("order of rows");
    if (d[11] != 0)
        bad = complain("compression");
    if (d[12] != 0)
        bad = complain("filter");
    if (!bad)
        abort();
}

/* Chunks, each with its length before it and its checksum behind: the first has 9 bytes, and the
 * last a type and a value of its own. */
BYTES(FuzzChunks)
{
    bool begun = false;

    if (n < 4 || memcmp(d, "CHK1", 4) != 0)
        return;
    for (d += 4, n -= 4; n >= 12;) {
        uint32_t len = be32(d);

        if (len > n - 12 || crc32(d + 4, len + 4) != be32(d + 8 + len))
            return;
        if (!begun && (memcmp(d + 4, "HEAD", 4) != 0 || len != 9 || d[16] != 3))
            return;
        if (begun && memcmp(d + 4, "Tail", 4) == 0 && len == 2 && be16(d + 8) == 51966)
            abort();
        begun = true;
        d += len + 12;
        n -= len + 12;
    }
}

/* A small calculator: numbers are pushed, the two on top are added or multiplied. */
BYTES(FuzzCalculator)
{
    uint32_t stack[8] = {0};
    size_t top = 0;

    for (size_t i = 0; i < n && i < 24; i++) {
        if (d[i] < 0x80) {
            if (top == 8)
                return;
            stack[top++] = d[i];
        } else {
            if (top < 2)
                return;
            top--;
            if (d[i] & 1)
                stack[top - 1] += stack[top];
            else
                stack[top - 1] *= stack[top];
        }
    }
    if (top == 1 && stack[0] == 7654321)
        abort();
}

/* Records behind a CRC that is the end of the input: one byte is three more than another, and two
 * others are the factors of a number. */
BYTES(FuzzTrailer)
{
    if (n < 12 || memcmp(d, "BOX1", 4) != 0 || crc32(d, n - 4) != le32(d + n - 4))
        return;
    if (n > 16 && d[5] == d[6] + 3 && d[9] * d[10] == 53 * 59)
        abort();
}

/* Two squares that add up, of numbers that no value of one alone brings nearer. */
BYTES(FuzzSquares)
{
    if (n > 6 && d[2] * d[2] + d[4] * d[4] == 86 * 86 + 211 * 211)
        abort();
}
