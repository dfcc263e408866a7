/*
 * stored.c - see stored.h.
 */
#include "core/deflate/stored.h"

#include <string.h>

#include "core/deflate/inflate.h"

enum {
    FINAL = 1, /* the first byte of a last block that is stored */
    BLOCK = CFZ_STORED_BLOCK,
    GZIP_BACK = 80, /* bytes of a header of gzip's that are looked back */
};

static const uint8_t zlib_header[] = {0x78, 0x01};
static const uint8_t gzip_header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff};

/* ---- one stream ------------------------------------------------------------------- */

static uint32_t get16(const uint8_t *p)
{
    return (uint32_t)(p[0] | p[1] << 8);
}

static uint32_t get_little32(const uint8_t *p)
{
    return get16(p) | get16(p + 2) << 16;
}

static uint32_t get_big32(const uint8_t *p)
{
    return __builtin_bswap32(get_little32(p));
}

static void put_little(uint8_t *p, uint32_t v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        p[k] = (uint8_t)(v >> 8 * k);
}

static uint32_t trailer(enum cfz_stored_kind kind)
{
    return kind == CFZ_STORED_ZLIB ? 4 : kind == CFZ_STORED_GZIP ? 8 : 0;
}

struct cfz_stored_around cfz_stored_around(enum cfz_stored_kind kind)
{
    const uint32_t header = kind == CFZ_STORED_ZLIB   ? sizeof zlib_header
                            : kind == CFZ_STORED_GZIP ? sizeof gzip_header
                                                      : 0;

    return (struct cfz_stored_around){header + BLOCK, trailer(kind)};
}

void cfz_stored_write_block(enum cfz_stored_kind kind, uint8_t *at, uint32_t len)
{
    const uint8_t *data = at + BLOCK;
    uint8_t *behind = at + BLOCK + len;

    at[0] = FINAL;
    put_little(at + 1, len, 2);
    put_little(at + 3, ~len, 2);
    if (kind == CFZ_STORED_ZLIB) {
        put_little(behind, __builtin_bswap32(cfz_adler32(data, len)), 4);
    } else if (kind == CFZ_STORED_GZIP) {
        put_little(behind, cfz_crc32(data, len), 4);
        put_little(behind + 4, len, 4);
    }
}

/* Whether the checksum behind a block is right. */
static bool is_right(enum cfz_stored_kind kind, const uint8_t *at, uint32_t len)
{
    const uint8_t *data = at + BLOCK, *behind = data + len;

    return kind == CFZ_STORED_ZLIB   ? get_big32(behind) == cfz_adler32(data, len)
           : kind == CFZ_STORED_GZIP ? get_little32(behind) == cfz_crc32(data, len)
                                     : true;
}

void cfz_stored_write(enum cfz_stored_kind kind, uint8_t *data, uint32_t len)
{
    if (kind == CFZ_STORED_ZLIB)
        memcpy(data, zlib_header, sizeof zlib_header);
    else if (kind == CFZ_STORED_GZIP)
        memcpy(data, gzip_header, sizeof gzip_header);
    cfz_stored_write_block(kind, data + cfz_stored_around(kind).before - BLOCK, len);
}

/* Whether a header of gzip's ends at p[at]. */
static bool is_behind_gzip(const uint8_t *p, uint32_t at)
{
    for (uint32_t k = sizeof gzip_header; k <= GZIP_BACK && k <= at; k++)
        if (cfz_gzip_header(p + at - k, k) == k)
            return true;
    return false;
}

/* Whether what stands before p[at] is the header of a kind. */
static bool is_behind(enum cfz_stored_kind kind, const uint8_t *p, uint32_t at)
{
    return kind == CFZ_STORED_ZLIB   ? at >= 2 && cfz_zlib_header(p + at - 2, 2) == 2
           : kind == CFZ_STORED_GZIP ? is_behind_gzip(p, at)
                                     : true;
}

/* ---- of an input ------------------------------------------------------------------ */

void cfz_stored_find_in(struct cfz_stored *s, uint32_t i, const uint8_t *p, size_t n)
{
    const uint8_t *next = p, *end = p + n;

    while (s->n < CFZ_STORED_MAX && end - next >= BLOCK &&
           (next = memchr(next, FINAL, (size_t)(end - next) - (BLOCK - 1)))) {
        struct cfz_stored_stream *st = &s->v[s->n];
        uint32_t at = (uint32_t)(next - p), len = get16(next + 1), all;
        size_t after;

        next++;
        if ((len ^ get16(p + at + 3)) != 0xffff || len > n - at - BLOCK)
            continue;
        *st = (struct cfz_stored_stream){.value = i, .size = (uint32_t)n, .at = at, .len = len};
        if (is_behind(CFZ_STORED_ZLIB, p, at))
            st->kind = CFZ_STORED_ZLIB;
        else if (is_behind(CFZ_STORED_GZIP, p, at))
            st->kind = CFZ_STORED_GZIP;
        all = BLOCK + len + trailer(st->kind);
        if (all > n - at || !is_right(st->kind, p + at, len))
            continue;
        after = n - at - all;
        st->nafter = (uint8_t)(after < CFZ_STORED_AFTER ? after : CFZ_STORED_AFTER);
        memcpy(st->after, p + at + all, st->nafter);
        next = p + at + all;
        s->n++;
    }
}

void cfz_stored_find(struct cfz_stored *s, const struct cfz_values *vs)
{
    s->n = 0;
    for (size_t i = 0; s->on && i < vs->n; i++)
        if (vs->v[i].kind == CFZ_KIND_BYTES && vs->v[i].len > 0)
            cfz_stored_find_in(s, (uint32_t)i, vs->v[i].data, vs->v[i].len);
}

/* Whether the stream can be at that place of p[0..n) now, with so much in it. */
static bool is_at(const struct cfz_stored_stream *st, const uint8_t *p, size_t n, int64_t at,
                  int64_t len)
{
    int64_t behind = at + BLOCK + len + trailer(st->kind);

    return at >= 0 && len >= 0 && len <= CFZ_STORED_LEN && behind + st->nafter <= (int64_t)n &&
           p[at] == FINAL && is_behind(st->kind, p, (uint32_t)at) &&
           (st->kind != CFZ_STORED_RAW || (get16(p + at + 1) ^ get16(p + at + 3)) == 0xffff) &&
           memcmp(p + behind, st->after, st->nafter) == 0;
}

/* Of a value, which is p[0..n) now. */
static void keep(const struct cfz_stored_stream *st, uint8_t *p, size_t n)
{
    const int64_t more = (int64_t)n - st->size;

    if (is_at(st, p, n, st->at, st->len + more))
        cfz_stored_write_block(st->kind, p + st->at, (uint32_t)(st->len + more));
    else if (is_at(st, p, n, st->at + more, st->len))
        cfz_stored_write_block(st->kind, p + st->at + more, st->len);
    else if (is_at(st, p, n, st->at, st->len))
        cfz_stored_write_block(st->kind, p + st->at, st->len);
}

/* How many streams s has; the target may have written over it. */
static uint32_t count(const struct cfz_stored *s)
{
    return s->n < CFZ_STORED_MAX ? s->n : CFZ_STORED_MAX;
}

void cfz_stored_keep_in(const struct cfz_stored *s, uint32_t i, uint8_t *p, size_t n)
{
    for (uint32_t k = 0; k < count(s); k++)
        if (s->v[k].value == i)
            keep(&s->v[k], p, n);
}

void cfz_stored_keep(const struct cfz_stored *s, struct cfz_values *vs)
{
    for (size_t i = 0; s->n > 0 && i < vs->n; i++)
        cfz_stored_keep_in(s, (uint32_t)i, vs->v[i].data, vs->v[i].len);
}
