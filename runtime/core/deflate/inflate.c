/*
 * inflate.c - see inflate.h.
 *
 * Of each length there are so many codes, and those of one length are numbers in a row: that is
 * how long codes are read, bit by bit. Short ones, which are most of what is read, are looked up.
 */
#include "core/deflate/inflate.h"

#include <string.h>

#include "core/field.h"

const uint16_t cfz_length_base[CFZ_DEFLATE_LENGTHS] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
const uint8_t cfz_length_bits[CFZ_DEFLATE_LENGTHS] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
const uint16_t cfz_distance_base[CFZ_DEFLATE_DISTANCES] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
const uint8_t cfz_deflate_order[CFZ_DEFLATE_ORDER] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};

struct input {
    const uint8_t *p;
    size_t n, at; /* at: in bits */
    bool over;    /* more was read than is there */
};

struct output {
    uint8_t *p;
    size_t room, n;
};

enum {
    SHORT = 8, /* bits of a code that is looked up */
    SYMBOL_BY = 16,
};

struct code {
    uint16_t count[CFZ_DEFLATE_BITS + 1];  /* symbols of each length */
    uint16_t symbol[CFZ_DEFLATE_LITERALS]; /* by length, then by value */
    /* By the next bits, the first one lowest: SYMBOL_BY * symbol + length; 0: no short code. */
    uint16_t by_bits[1 << SHORT];
};

/* The next bits, the first one lowest: all that are left, or at least 57; the rest are 0. */
static uint64_t peek(const struct input *in)
{
    const uint8_t *p = in->p + in->at / 8;
    const size_t left = in->n - in->at / 8;

    /* Eight bytes, known to be so many, are one load. */
    return (left < 8 ? cfz_field_get(p, (uint32_t)left, false) : cfz_field_get(p, 8, false)) >>
           in->at % 8;
}

static void skip(struct input *in, unsigned n)
{
    in->over = in->over || n > 8 * in->n - in->at;
    in->at = in->over ? 8 * in->n : in->at + n;
}

static uint32_t bits(struct input *in, unsigned n)
{
    const uint64_t v = peek(in);

    skip(in, n);
    return in->over ? 0 : (uint32_t)(v & ((1u << n) - 1));
}

/* Enters the short codes of c into by_bits. */
static void make_lookup(struct code *c)
{
    uint32_t code = 0, at = 0;

    memset(c->by_bits, 0, sizeof c->by_bits);
    for (uint32_t l = 1; l <= SHORT; l++, code *= 2)
        for (uint32_t k = 0; k < c->count[l]; k++, code++, at++)
            for (uint32_t i = cfz_deflate_turned(code, l); i < 1u << SHORT; i += 1u << l)
                c->by_bits[i] = (uint16_t)(SYMBOL_BY * c->symbol[at] + l);
}

/* Makes the code of n symbols with these lengths. False if there are more codes than their lengths
 * have room for. */
static bool make_code(struct code *c, const uint8_t *lengths, unsigned n)
{
    uint16_t first[CFZ_DEFLATE_BITS + 2] = {0};
    int left = 1;

    memset(c->count, 0, sizeof c->count);
    for (unsigned i = 0; i < n; i++)
        c->count[lengths[i]]++;
    c->count[0] = 0;
    for (unsigned l = 1; l <= CFZ_DEFLATE_BITS; l++) {
        left = 2 * left - c->count[l];
        if (left < 0)
            return false;
        first[l + 1] = (uint16_t)(first[l] + c->count[l]);
    }
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            c->symbol[first[lengths[i]]++] = (uint16_t)i;
    make_lookup(c);
    return true;
}

/* Reads a symbol; -1: no code begins like that. */
static int symbol(struct input *in, const struct code *c)
{
    int code = 0, first = 0, at = 0;
    uint64_t next = peek(in);
    const uint32_t found = c->by_bits[next & ((1 << SHORT) - 1)];

    if (found) {
        skip(in, found % SYMBOL_BY);
        return (int)(found / SYMBOL_BY);
    }
    for (unsigned l = 1; l <= CFZ_DEFLATE_BITS; l++, next >>= 1) {
        code |= (int)(next & 1);
        if (code - first < c->count[l]) {
            skip(in, l);
            return c->symbol[at + code - first];
        }
        at += c->count[l];
        first = 2 * (first + c->count[l]);
        code *= 2;
    }
    return -1;
}

static bool stored_block(struct input *in, struct output *out)
{
    size_t at = (in->at + 7) / 8, n;

    if (at > in->n || in->n - at < 4)
        return false;
    n = (size_t)(in->p[at] | in->p[at + 1] << 8);
    if ((n ^ (size_t)(in->p[at + 2] | in->p[at + 3] << 8)) != 0xffff || n > in->n - at - 4 ||
        n > out->room - out->n)
        return false;
    memcpy(out->p + out->n, in->p + at + 4, n);
    out->n += n;
    in->at = 8 * (at + 4 + n);
    return true;
}

static bool copy_back(struct output *out, size_t distance, size_t len)
{
    if (distance > out->n || len > out->room - out->n)
        return false;
    for (size_t k = 0; k < len; k++, out->n++)
        out->p[out->n] = out->p[out->n - distance];
    return true;
}

static bool coded_block(struct input *in, struct output *out, const struct code *literals,
                        const struct code *distances)
{
    for (;;) {
        int s = symbol(in, literals), d;
        size_t len;

        if (s < 0 || in->over)
            return false;
        if (s == CFZ_DEFLATE_END)
            return true;
        if (s < CFZ_DEFLATE_END) {
            if (out->n == out->room)
                return false;
            out->p[out->n++] = (uint8_t)s;
            continue;
        }
        s -= CFZ_DEFLATE_END + 1;
        if (s >= CFZ_DEFLATE_LENGTHS)
            return false;
        len = cfz_length_base[s] + bits(in, cfz_length_bits[s]);
        d = symbol(in, distances);
        if (d < 0 || d >= CFZ_DEFLATE_DISTANCES ||
            !copy_back(out, cfz_distance_base[d] + bits(in, cfz_distance_bits((unsigned)d)), len))
            return false;
    }
}

void cfz_fixed_lengths(uint8_t literals[CFZ_DEFLATE_LITERALS],
                       uint8_t distances[CFZ_DEFLATE_DISTANCES])
{
    for (unsigned i = 0; i < CFZ_DEFLATE_LITERALS; i++)
        literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(distances, 5, CFZ_DEFLATE_DISTANCES);
}

static bool fixed_block(struct input *in, struct output *out)
{
    uint8_t of_literals[CFZ_DEFLATE_LITERALS], of_distances[CFZ_DEFLATE_DISTANCES];
    static struct code literals, distances; /* always the same; made when first needed */

    if (literals.by_bits[0] == 0) {
        cfz_fixed_lengths(of_literals, of_distances);
        make_code(&distances, of_distances, CFZ_DEFLATE_DISTANCES);
        make_code(&literals, of_literals, CFZ_DEFLATE_LITERALS);
    }
    return coded_block(in, out, &literals, &distances);
}

static bool dynamic_block(struct input *in, struct output *out)
{
    const unsigned nliterals = bits(in, 5) + 257, ndistances = bits(in, 5) + 1, n = bits(in, 4) + 4;
    struct code literals, distances;
    uint8_t lengths[CFZ_DEFLATE_LITERALS + 32 + 1] = {0};

    if (nliterals > CFZ_DEFLATE_TOLD || ndistances > CFZ_DEFLATE_DISTANCES)
        return false;
    for (unsigned i = 0; i < n; i++)
        lengths[cfz_deflate_order[i]] = (uint8_t)bits(in, 3);
    if (!make_code(&literals, lengths, CFZ_DEFLATE_ORDER))
        return false;
    for (unsigned i = 0; i < nliterals + ndistances;) {
        int s = symbol(in, &literals);
        uint8_t same = s == 16 && i > 0 ? lengths[i - 1] : 0;
        unsigned times = s == 16 ? 3 + bits(in, 2) : s == 17 ? 3 + bits(in, 3) : 11;

        if (s == 18)
            times += bits(in, 7);
        if (s < 0 || in->over || (s == 16 && i == 0))
            return false;
        if (s < 16) {
            same = (uint8_t)s;
            times = 1;
        }
        if (times > nliterals + ndistances - i)
            return false;
        memset(lengths + i, same, times);
        i += times;
    }
    return lengths[CFZ_DEFLATE_END] != 0 &&
           make_code(&distances, lengths + nliterals, ndistances) &&
           make_code(&literals, lengths, nliterals) && coded_block(in, out, &literals, &distances);
}

bool cfz_inflate(const uint8_t *in, size_t n, uint8_t *out, size_t room, size_t *used, size_t *len)
{
    struct input i = {.p = in, .n = n};
    struct output o = {.p = out, .room = room};
    bool last = false, ok = true;

    while (ok && !last) {
        uint32_t type;

        last = bits(&i, 1);
        type = bits(&i, 2);
        ok = !i.over && (type == 0   ? stored_block(&i, &o)
                         : type == 1 ? fixed_block(&i, &o)
                                     : type == 2 && dynamic_block(&i, &o));
    }
    *used = (i.at + 7) / 8;
    *len = o.n;
    return ok && !i.over;
}

size_t cfz_zlib_header(const uint8_t *p, size_t n)
{
    enum { DEFLATE = 8, WINDOW_MOST = 7, DICTIONARY = 0x20 };

    return n >= 2 && (p[0] & 15) == DEFLATE && p[0] >> 4 <= WINDOW_MOST && !(p[1] & DICTIONARY) &&
                   (p[0] << 8 | p[1]) % 31 == 0
               ? 2
               : 0;
}

size_t cfz_gzip_header(const uint8_t *p, size_t n)
{
    enum { FIXED = 10, HEADER_CRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16, RESERVED = 0xe0 };
    size_t at = FIXED;

    if (n < FIXED || p[0] != 0x1f || p[1] != 0x8b || p[2] != 8 || p[3] & RESERVED)
        return 0;
    if (p[3] & EXTRA) {
        if (n - at < 2)
            return 0;
        at += 2 + (size_t)(p[at] | p[at + 1] << 8);
    }
    for (unsigned text = NAME; text <= COMMENT; text *= 2) {
        const uint8_t *end;

        if (!(p[3] & text))
            continue;
        end = at < n ? memchr(p + at, 0, n - at) : NULL;
        if (!end)
            return 0;
        at = (size_t)(end - p) + 1;
    }
    at += p[3] & HEADER_CRC ? 2 : 0;
    return at <= n ? at : 0;
}

uint32_t cfz_adler32(const uint8_t *p, size_t n)
{
    enum { MODULUS = 65521, BLOCK = 5552 }; /* the most bytes that 32 bits have room for */
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < n;) {
        size_t end = n - i < BLOCK ? n : i + BLOCK;

        for (; i < end; i++) {
            a += p[i];
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}

/* What bytes add that stand 1 to 8 places before the end of eight: S. Sarwate's table and, for
 * eight bytes at a time, those of M. Kounavis and F. Berry (IEEE ISCC 2005). Made when first
 * needed. */
static uint32_t crc_of[8][256];

static void make_crcs(void)
{
    enum { POLYNOMIAL = (int)0xedb88320 };

    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;

        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? (uint32_t)POLYNOMIAL : 0);
        crc_of[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            crc_of[k][i] = crc_of[k - 1][i] >> 8 ^ crc_of[0][crc_of[k - 1][i] & 255];
}

uint32_t cfz_crc32(const uint8_t *p, size_t n)
{
    uint32_t crc = UINT32_MAX;

    if (crc_of[0][1] == 0)
        make_crcs();
    for (; n >= 8; p += 8, n -= 8) {
        const uint64_t x = cfz_field_get(p, 8, false) ^ crc;

        crc = 0;
        for (int k = 0; k < 8; k++)
            crc ^= crc_of[7 - k][x >> 8 * k & 255];
    }
    for (; n > 0; p++, n--)
        crc = crc >> 8 ^ crc_of[0][(crc ^ *p) & 255];
    return ~crc;
}
