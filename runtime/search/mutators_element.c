/*
 * mutators_element.c - elements of ASN.1 are taken out, put in, and made longer or shorter.
 *
 * Certificates, keys, and what SNMP, LDAP and Kerberos send are elements of a tag, a length and a
 * content, which is often elements again (BER, ITU-T X.690). A byte more in one makes five or six
 * lengths wrong. Those that could be lengths (mutators_field.c) are too many there: a tag of 0x30
 * is one as well. So the bytes are read as elements, of which at least the first has others within,
 * and the lengths around a change are all known.
 */
#include "search/mutators.h"
#include "search/mutators_move.h"

enum {
    ELEMENTS = 256,
    DEPTH = 24,
    PIECE_MOST = 1024, /* bytes of an element that is put in */
    RESIZE_MOST = 8,   /* by which a content gets longer or shorter */
    CONSTRUCTED = 0x20,
    BIT_STRING = 3,
    OCTET_STRING = 4,
};

struct element {
    uint32_t at;
    uint32_t header; /* bytes of tag and length, the last of which is the length's */
    uint32_t len;    /* of the content behind them */
    uint32_t around; /* the element that it is in; itself where it is in none */
};

struct elements {
    struct element v[ELEMENTS];
    uint32_t n;
};

/* Reads the header of an element at p, which ends by end. Tags of one byte, lengths of up to two.
 */
static bool read_header(const uint8_t *d, uint32_t p, uint32_t end, struct element *e)
{
    if (end - p < 2 || d[p] == 0 || (d[p] & 0x1f) == 0x1f)
        return false;
    e->at = p;
    if (d[p + 1] < 0x80) {
        e->header = 2;
        e->len = d[p + 1];
    } else if (d[p + 1] == 0x81 && end - p >= 3) {
        e->header = 3;
        e->len = d[p + 2];
    } else if (d[p + 1] == 0x82 && end - p >= 4) {
        e->header = 4;
        e->len = (uint32_t)d[p + 2] << 8 | d[p + 3];
    } else {
        return false;
    }
    return e->len <= end - p - e->header;
}

/* Reads elements that fill [p, end), and those within them; around: whose content it is. Where
 * they do not, none is added, but at the top those before. */
static void read_all(const uint8_t *d, uint32_t p, uint32_t end, uint32_t around, unsigned depth,
                     struct elements *es)
{
    uint32_t before = es->n;
    bool is_top = depth == 0;

    while (p < end) {
        struct element *e = &es->v[es->n];
        uint32_t i = es->n, from;

        if (es->n == ELEMENTS || !read_header(d, p, end, e)) {
            if (!is_top)
                es->n = before;
            return;
        }
        es->n++;
        e->around = is_top ? i : around;
        from = p + e->header;
        p = from + e->len;
        if (depth == DEPTH)
            continue;
        if (d[e->at] & CONSTRUCTED || (d[e->at] == OCTET_STRING && e->len >= 4))
            read_all(d, from, p, i, depth + 1, es);
        else if (d[e->at] == BIT_STRING && e->len >= 5 && d[from] == 0)
            read_all(d, from + 1, p, i, depth + 1, es);
    }
}

/* Whether the bytes are elements, with others within the first. */
static bool read_elements(const uint8_t *d, uint32_t n, struct elements *es)
{
    es->n = 0;
    if (n >= 4 && d[0] & CONSTRUCTED)
        read_all(d, 0, n, 0, 0, es);
    return es->n > 1 && es->v[1].around == 0;
}

static uint32_t content(const struct element *e)
{
    return e->at + e->header;
}

/* Makes the length of an element, and those around it, longer by delta; or tells whether it can. */
static bool lengthen(struct cfz_value *v, const struct elements *es, uint32_t i, int64_t delta,
                     bool writes)
{
    for (;;) {
        const struct element *e = &es->v[i];
        uint8_t *last = v->data + content(e) - 1;
        int64_t len = (int64_t)e->len + delta;

        if (len < 0 || len > (e->header == 2 ? 0x7f : e->header == 3 ? 0xff : 0xffff))
            return false;
        if (writes) {
            *last = (uint8_t)len;
            if (e->header == 4)
                last[-1] = (uint8_t)(len >> 8);
        }
        if (e->around == i)
            return true;
        i = e->around;
    }
}

/* Puts n bytes in the place of [at, at + cut), which is in the content of element i; of none, if i
 * is es->n. */
static bool exchange(struct cfz_value *v, const struct elements *es, uint32_t i, uint32_t at,
                     uint32_t cut, const uint8_t *with, uint32_t n, uint64_t limit)
{
    int64_t delta = (int64_t)n - cut;

    if (v->len - cut + n > limit || (i < es->n && !lengthen(v, es, i, delta, false)))
        return false;
    if (i < es->n)
        lengthen(v, es, i, delta, true);
    cfz_move_tail(v, at + (size_t)cut, at + (size_t)n);
    cfz_put_piece(v->data + at, with, n);
    return true;
}

/* Takes an element out of the value, or puts another in its place or before it. */
static bool change_element(const struct cfz_among *a, const struct elements *es, uint32_t i,
                           uint32_t way)
{
    static struct elements others;
    uint8_t piece[PIECE_MOST];
    struct cfz_value *v = &a->vs->v[a->i];
    const struct element *e = &es->v[i], *o;
    const struct elements *from = es;
    const uint8_t *bytes = v->data;
    uint32_t size = e->header + e->len, around = e->around == i ? es->n : e->around, n;

    if (way == 0)
        return i > 0 && exchange(v, es, around, e->at, size, piece, 0, a->limit);
    if (cfz_rand_bool(a->r)) {
        const uint8_t *other;

        n = cfz_other_bytes(a, &other);
        if (n > 0 && read_elements(other, n, &others)) {
            from = &others;
            bytes = other;
        }
    }
    o = &from->v[cfz_rand_below(a->r, from->n)];
    n = o->header + o->len;
    if (n > PIECE_MOST)
        return false;
    memcpy(piece, bytes + o->at, n);
    return exchange(v, es, around, e->at, way == 1 ? size : 0, piece, n, a->limit);
}

/* Makes the content of an element longer or shorter at its end. */
static bool resize(const struct cfz_among *a, const struct elements *es, uint32_t i)
{
    struct cfz_value *v = &a->vs->v[a->i];
    const struct element *e = &es->v[i];
    bool grows = cfz_rand_bool(a->r);
    uint32_t k = 1 + cfz_rand_below(a->r, RESIZE_MOST), end = content(e) + e->len;
    uint64_t fill;

    if (!grows)
        return k <= e->len && exchange(v, es, i, end - k, k, v->data, 0, a->limit);
    fill = cfz_rand_u64(a->r);
    return exchange(v, es, i, end, 0, (const uint8_t *)&fill, k, a->limit);
}

bool cfz_bytes_element(const struct cfz_among *a)
{
    static struct elements es;
    const struct cfz_value *v = &a->vs->v[a->i];
    uint32_t i, way;

    if (cfz_kind_is_string(v->kind) || !read_elements(v->data, (uint32_t)v->len, &es))
        return false;
    i = cfz_rand_below(a->r, es.n);
    way = cfz_rand_below(a->r, 4);
    return way == 3 ? resize(a, &es, i) : change_element(a, &es, i, way);
}
