/*
 * mutators_stored.c - deflate streams as a whole: bytes become one that holds them as they are, one
 * that is compressed becomes one that is not (core/deflate/stored.h), and any one is compressed anew
 * with codes that are drawn (core/deflate/deflate.h). For programs that decompress.
 */
#include "core/deflate/deflate.h"
#include "core/deflate/inflate.h"
#include "core/deflate/stored.h"
#include "search/mutators.h"
#include "search/mutators_move.h"

enum {
    RAW_PLACES = 16,   /* places from the one drawn at which a stream without a header may begin, */
    TOLD_PLACES = 256, /* ... and if its size is told. Guessed */
    RAW_LEAST = 6,     /* bytes of such a stream and of what it holds: chance makes shorter ones */
};

static bool wrap(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct cfz_stored_around around;
    enum cfz_stored_kind kind;
    uint32_t way;
    size_t at, n;

    if (cfz_kind_is_string(v->kind))
        return false;
    kind = (enum cfz_stored_kind)cfz_rand_below(r, CFZ_STORED_KINDS);
    way = cfz_rand_below(r, 3);
    at = way == 0 ? 0 : cfz_rand_below(r, (uint32_t)v->len);
    n = v->len - at;
    if (way == 2)
        n = 1 + cfz_rand_below(r, (uint32_t)n);
    around = cfz_stored_around(kind);
    if (n > CFZ_STORED_LEN || v->len + around.before + around.behind > limit)
        return false;
    cfz_move_tail(v, at + n, at + around.before + n + around.behind);
    memmove(v->data + at + around.before, v->data + at, n);
    cfz_stored_write(kind, v->data + at, (uint32_t)n);
    return true;
}

/* A compressed stream: kind, header and what it holds, which is in unpacked. */
struct packed {
    enum cfz_stored_kind kind;
    size_t header, used, len;
};

static uint8_t unpacked[CFZ_STORED_LEN];

/* Reads one that begins at p[0..n), a header of its kind first. stored: a stored one counts, too. */
static bool unpack(const uint8_t *p, size_t n, enum cfz_stored_kind kind, bool stored,
                   struct packed *s)
{
    const uint32_t behind = cfz_stored_around(kind).behind;

    *s = (struct packed){.kind = kind,
                         .header = kind == CFZ_STORED_ZLIB   ? cfz_zlib_header(p, n)
                                   : kind == CFZ_STORED_GZIP ? cfz_gzip_header(p, n)
                                                             : 0};
    return (s->header > 0 || kind == CFZ_STORED_RAW) &&
           cfz_inflate(p + s->header, n - s->header, unpacked, sizeof unpacked, &s->used,
                       &s->len) &&
           behind <= n - s->header - s->used &&
           (stored || p[s->header] != 1) && /* a block that is stored and the last */
           (kind != CFZ_STORED_RAW || (s->used >= RAW_LEAST && s->len >= RAW_LEAST));
}

/* Whether a stream without a header may begin at a place: anywhere, or where its size is told. */
enum raw { RAW_NONE, RAW_ANY, RAW_TOLD, RAW_WAYS };

static bool unpack_at(const struct cfz_value *v, size_t at, enum raw raw, bool stored,
                      struct packed *s)
{
    const uint8_t *p = v->data + at;
    const size_t n = v->len - at;

    return (cfz_may_be_header(*p) && (unpack(p, n, CFZ_STORED_ZLIB, stored, s) ||
                                      unpack(p, n, CFZ_STORED_GZIP, stored, s))) ||
           (raw != RAW_NONE && unpack(p, n, CFZ_STORED_RAW, stored, s) &&
            (raw == RAW_ANY || cfz_is_told(v, (uint32_t)s->used, false) ||
             cfz_is_told(v, (uint32_t)s->used, true)));
}

/* Reads the first stream from a place that is drawn on, round the end. Sets *at to its place. */
static bool draw_stream(struct cfz_rand *r, const struct cfz_value *v, bool stored, size_t *at,
                        struct packed *s)
{
    const enum raw raw = (enum raw)cfz_rand_below(r, RAW_WAYS);
    const size_t from = cfz_rand_below(r, (uint32_t)v->len);
    const size_t places = raw == RAW_ANY ? RAW_PLACES : TOLD_PLACES;

    for (size_t k = 0; k < v->len; k++) {
        *at = from + k < v->len ? from + k : from + k - v->len;
        if (unpack_at(v, *at, k < places ? raw : RAW_NONE, stored, s))
            return true;
    }
    return false;
}

/*
 * Makes room for size bytes in place of the stream's blocks, at which it returns a pointer. NULL:
 * that is over the limit. Sizes and offsets of what is behind it change along if its size is told
 * (a zip archive has both at its end), or else the lengths around it.
 */
static uint8_t *make_room(struct cfz_rand *r, struct cfz_value *v, uint64_t limit, size_t at,
                          const struct packed *s, size_t size)
{
    const size_t blocks = at + s->header; /* the header stays: gzip's may have a name */
    const struct cfz_piece_at piece = {(uint32_t)blocks, (uint32_t)s->used,
                                       (uint32_t)s->header + cfz_stored_around(s->kind).behind};
    const int64_t change = (int64_t)size - (int64_t)s->used;

    if (v->len - s->used + size > limit)
        return NULL;
    if (!cfz_sizes_change(r, v, &piece, change))
        cfz_lengths_change(r, v, (uint32_t)blocks, 0, change);
    cfz_move_tail(v, blocks + s->used, blocks + size);
    return v->data + blocks;
}

bool cfz_bytes_decompress(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct packed s;
    uint8_t *to;
    size_t at;

    if (cfz_kind_is_string(v->kind) || !draw_stream(r, v, false, &at, &s))
        return false;
    to = make_room(r, v, limit, at, &s, CFZ_STORED_BLOCK + s.len);
    if (!to)
        return false;
    memcpy(to + CFZ_STORED_BLOCK, unpacked, s.len);
    cfz_stored_write_block(s.kind, to, (uint32_t)s.len);
    return true;
}

/* What it holds is the same, and so is the checksum behind it. */
static bool compress(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    static uint8_t blocks[2 * CFZ_STORED_LEN];
    struct packed s;
    size_t at, size;
    uint8_t *to;

    if (cfz_kind_is_string(v->kind) || !draw_stream(r, v, true, &at, &s))
        return false;
    size = cfz_deflate(r, unpacked, s.len, blocks, sizeof blocks);
    to = size > 0 ? make_room(r, v, limit, at, &s, size) : NULL;
    if (!to)
        return false;
    memcpy(to, blocks, size);
    return true;
}

const struct cfz_mutation cfz_stored_mutations[CFZ_STORED_MUTATIONS] = {
    {"put into a stream", 1, wrap, NULL},
    {"decompress a stream", RAW_LEAST, cfz_bytes_decompress, NULL},
    {"compress a stream", RAW_LEAST, compress, NULL},
};
