/*
 * stored.h - deflate streams of one stored block, whose lengths and checksums stay right as what
 * they hold is mutated.
 *
 * A program that decompresses its input turns nearly each mutation of compressed data away, and
 * most often a library does it that was not compiled by the plugin, so nothing tells why. But
 * deflate can hold data as they are: a block of type 0 is a byte, a length, its complement, and the
 * data (RFC 1951, 3.2.4). Around it are a header and a checksum of zlib (RFC 1950) or of gzip (RFC
 * 1952), or nothing. In that form the program sees the bytes of the input, copies and the solver
 * find operands in them, and mutations do what they say. The mutations of mutators_stored.c make
 * such streams. docs/decisions/120.
 *
 * Nothing here allocates.
 */
#ifndef CFZ_STORED_H
#define CFZ_STORED_H

#include "core/value.h"

enum {
    CFZ_STORED_MAX = 4,          /* streams of an input that are known */
    CFZ_STORED_LEN = UINT16_MAX, /* bytes that a stored block holds at most */
    CFZ_STORED_BLOCK = 5,        /* bytes of its header: a type, length and complement */
    CFZ_STORED_AFTER = 8,
};

enum cfz_stored_kind { CFZ_STORED_RAW, CFZ_STORED_ZLIB, CFZ_STORED_GZIP, CFZ_STORED_KINDS };

struct cfz_stored_stream {
    uint32_t value; /* it is in this one of the values */
    uint32_t size;  /* which has so many bytes */
    uint32_t at;    /* of the block's first byte, in the value */
    uint32_t len;   /* of what it holds */
    uint8_t kind;
    uint8_t nafter; /* bytes behind the stream that are known: */
    uint8_t after[CFZ_STORED_AFTER];
};

struct cfz_stored {
    bool on; /* the program decompresses; if not, none are looked for */
    uint32_t n;
    struct cfz_stored_stream v[CFZ_STORED_MAX];
};

/* cfz_stored_find makes s those of an input that are right; none if s is not on. cfz_stored_find_in
 * adds those of value i, a []byte that is p[0..n). */
void cfz_stored_find(struct cfz_stored *s, const struct cfz_values *vs);
void cfz_stored_find_in(struct cfz_stored *s, uint32_t i, const uint8_t *p, size_t n);

/*
 * cfz_stored_keep writes lengths and checksums of the streams anew in what was made of that input.
 * A stream is taken to have changed inside if the value has another length, its block is where it
 * was, and what was behind it is behind it still. One that is not found is left alone. No value
 * changes its length. cfz_stored_keep_in does it for value i alone, which is p[0..n) now.
 */
void cfz_stored_keep(const struct cfz_stored *s, struct cfz_values *vs);
void cfz_stored_keep_in(const struct cfz_stored *s, uint32_t i, uint8_t *p, size_t n);

/*
 * cfz_stored_around returns how many bytes a stream of that kind has before and behind what it
 * holds, and cfz_stored_write writes both around the len bytes at data + before; gzip's header is
 * the shortest.
 */
struct cfz_stored_around {
    uint32_t before, behind;
};
struct cfz_stored_around cfz_stored_around(enum cfz_stored_kind kind);
void cfz_stored_write(enum cfz_stored_kind kind, uint8_t *data, uint32_t len);

/* cfz_stored_write_block writes the block's header to at and, behind the len bytes that it holds,
 * the checksum. What stands before is left as it is. */
void cfz_stored_write_block(enum cfz_stored_kind kind, uint8_t *at, uint32_t len);

#endif
