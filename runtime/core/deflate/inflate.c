/*
 * inflate.c - see inflate.h.
 *
 * Codes are read bit by bit: of each length there are so many codes, and those of one length are
 * numbers in a row. A table would be faster, and this is done once for an input of some thousand
 * bytes.
 */
#include "core/deflate/inflate.h"

#include <string.h>

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

struct code {
    uint16_t count[CFZ_DEFLATE_BITS + 1];  /* symbols of each length */
    uint16_t symbol[CFZ_DEFLATE_LITERALS]; /* by length, then by value */
};

static uint32_t bits(struct input *in, unsigned n)
{
    uint32_t v = 0;

    for (unsigned k = 0; k < n; k++, in->at++) {
        if (in->at / 8 >= in->n) {
            in->over = true;
            return 0;
        }
        v |= (uint32_t)(in->p[in->at / 8] >> in->at % 8 & 1) << k;
    }
    return v;
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
    return true;
}

/* Reads a symbol; -1: no code begins like that. */
static int symbol(struct input *in, const struct code *c)
{
    int code = 0, first = 0, at = 0;

    for (unsigned l = 1; l <= CFZ_DEFLATE_BITS && !in->over; l++) {
        code |= (int)bits(in, 1);
        if (code - first < c->count[l])
            return c->symbol[at + code - first];
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
    struct code literals, distances;

    cfz_fixed_lengths(of_literals, of_distances);
    make_code(&literals, of_literals, CFZ_DEFLATE_LITERALS);
    make_code(&distances, of_distances, CFZ_DEFLATE_DISTANCES);
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

uint32_t cfz_crc32(const uint8_t *p, size_t n)
{
    static const uint32_t of_four_bits[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                              0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                              0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                              0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        crc = crc >> 4 ^ of_four_bits[crc & 15];
        crc = crc >> 4 ^ of_four_bits[crc & 15];
    }
    return ~crc;
}
