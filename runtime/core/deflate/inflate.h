/*
 * inflate.h - what a deflate stream holds, for a mutation that writes it out.
 *
 * Deflate is RFC 1951, zlib's header RFC 1950, gzip's RFC 1952. Nothing here allocates; all ends in
 * time that n and room bound. Context: target.
 */
#ifndef CFZ_INFLATE_H
#define CFZ_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tables of RFC 1951, 3.2.5 and 3.2.7. */
enum {
    CFZ_DEFLATE_BITS = 15,      /* of a code */
    CFZ_DEFLATE_LITERALS = 288, /* literals and lengths, as the fixed code has them */
    CFZ_DEFLATE_TOLD = 286,     /* of them, in a block that tells its codes */
    CFZ_DEFLATE_DISTANCES = 30,
    CFZ_DEFLATE_END = 256,    /* of a block */
    CFZ_DEFLATE_LENGTHS = 29, /* symbols behind it */
    CFZ_DEFLATE_ORDER = 19    /* symbols of the code that tells the lengths of the others */
};

extern const uint16_t cfz_length_base[CFZ_DEFLATE_LENGTHS];
extern const uint8_t cfz_length_bits[CFZ_DEFLATE_LENGTHS];
extern const uint16_t cfz_distance_base[CFZ_DEFLATE_DISTANCES];
extern const uint8_t cfz_deflate_order[CFZ_DEFLATE_ORDER];

/* The bits that tell how much larger than its base a distance is. */
static inline unsigned cfz_distance_bits(unsigned symbol)
{
    return symbol < 4 ? 0 : symbol / 2 - 1;
}

/* A code of n <= 16 bits, which has its first bit highest, as it is written: the first one lowest.
 */
static inline uint16_t cfz_deflate_turned(uint32_t code, unsigned n)
{
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
    code = (code & 0x00ff) << 8 | (code >> 8 & 0x00ff);
    return (uint16_t)(code >> (16 - n));
}

/* The lengths of the fixed codes. */
void cfz_fixed_lengths(uint8_t literals[CFZ_DEFLATE_LITERALS],
                       uint8_t distances[CFZ_DEFLATE_DISTANCES]);

/*
 * cfz_inflate reads a deflate stream at in[0..n), up to the end of its last block, and writes what
 * it holds to out[0..room). False if it is none, ends too early, or holds more than room. *used is
 * the bytes that it takes, *len those that it holds.
 */
bool cfz_inflate(const uint8_t *in, size_t n, uint8_t *out, size_t room, size_t *used, size_t *len);

/* cfz_zlib_header and cfz_gzip_header return how many bytes at p[0..n) are a header of that format,
 * without a preset dictionary; 0: they are none. */
size_t cfz_zlib_header(const uint8_t *p, size_t n);
size_t cfz_gzip_header(const uint8_t *p, size_t n);

/* Whether a header of either can begin with this byte: few bytes can. */
static inline bool cfz_may_be_header(uint8_t first)
{
    enum { ZLIB_BITS = 0x8f, ZLIB = 8, GZIP = 0x1f };

    return (first & ZLIB_BITS) == ZLIB || first == GZIP;
}

/* Checksums of p[0..n): of zlib (RFC 1950) and of gzip. */
uint32_t cfz_adler32(const uint8_t *p, size_t n);
uint32_t cfz_crc32(const uint8_t *p, size_t n);

#endif
