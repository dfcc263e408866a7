/*
 * mutators_stored.c - bytes become a deflate stream that holds them as they are, and one that is
 * compressed becomes one that is not (stored.h). For programs that decompress.
 */
#include "search/inflate.h"
#include "search/mutators.h"
#include "search/mutators_move.h"
#include "search/stored.h"

enum {
    RAW_PLACES = 16, /* places from the one drawn at which a stream without a header may begin */
    RAW_LEAST = 6,   /* bytes of such a stream and of what it holds: chance makes shorter ones */
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

/* Reads one that begins at p[0..n), a header of its kind first. */
static bool unpack(const uint8_t *p, size_t n, enum cfz_stored_kind kind, struct packed *s)
{
    const uint32_t behind = cfz_stored_around(kind).behind;

    *s = (struct packed){.kind = kind,
                         .header = kind == CFZ_STORED_ZLIB   ? cfz_zlib_header(p, n)
                                   : kind == CFZ_STORED_GZIP ? cfz_gzip_header(p, n)
                                                             : 0};
    return (s->header > 0 || kind == CFZ_STORED_RAW) &&
           cfz_inflate(p + s->header, n - s->header, unpacked, sizeof unpacked, &s->used,
                       &s->len) &&
           behind <= n - s->header - s->used && p[s->header] != 1 && /* 1: it is stored already */
           (kind != CFZ_STORED_RAW || (s->used >= RAW_LEAST && s->len >= RAW_LEAST));
}

static bool unpack_at(const uint8_t *p, size_t n, bool raw, struct packed *s)
{
    return unpack(p, n, CFZ_STORED_ZLIB, s) || unpack(p, n, CFZ_STORED_GZIP, s) ||
           (raw && unpack(p, n, CFZ_STORED_RAW, s));
}

bool cfz_bytes_decompress(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct packed s;
    size_t from;
    bool raw;

    if (cfz_kind_is_string(v->kind))
        return false;
    raw = cfz_rand_bool(r);
    from = cfz_rand_below(r, (uint32_t)v->len);
    for (size_t k = 0; k < v->len; k++) {
        const size_t at = from + k < v->len ? from + k : from + k - v->len;
        uint8_t *to;

        if (!unpack_at(v->data + at, v->len - at, raw && k < RAW_PLACES, &s))
            continue;
        if (v->len - s.used + CFZ_STORED_BLOCK + s.len > limit)
            return false;
        if (cfz_rand_bool(r))
            cfz_lengths_change(r, v, (uint32_t)(at + s.header), 0,
                               (int64_t)(CFZ_STORED_BLOCK + s.len) - (int64_t)s.used);
        to = v->data + at + s.header; /* the header stays: gzip's may have a name */
        cfz_move_tail(v, at + s.header + s.used, at + s.header + CFZ_STORED_BLOCK + s.len);
        memcpy(to + CFZ_STORED_BLOCK, unpacked, s.len);
        cfz_stored_write_block(s.kind, to, (uint32_t)s.len);
        return true;
    }
    return false;
}

const struct cfz_mutation cfz_stored_mutations[CFZ_STORED_MUTATIONS] = {
    {"put into a stream", 1, wrap, NULL},
    {"decompress a stream", RAW_LEAST, cfz_bytes_decompress, NULL},
};
