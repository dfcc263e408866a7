/*
 * records.c - see records.h.
 */
#include "search/records.h"

#include <string.h>

#include "search/mutators.h"

enum {
    EVENTS = 4096, /* of the unchanged input that are compared */
    TRIES = 4,     /* to find parts of the same kind in both */
    COUNTED = 4,   /* bytes at the beginning of a part that may be its number */
};

/* ---- finding ----------------------------------------------------------------------------- */

/* What an event compares. Of text the outcome alone: what is looked for may be in all that follows.
 */
struct shown {
    const struct cfz_site *site;
    uint64_t a, b;
};
static struct shown base[EVENTS];
static uint32_t nbase;

static struct shown shown(const struct cfz_event *e)
{
    if (cfz_site_is_text(e->site))
        return (struct shown){e->site, e->outcome, 0};
    return (struct shown){e->site, e->a, e->site->kind == CFZ_SITE_SWITCH ? 0 : e->b};
}

/* The index of the first event of the last trace that is not that of the base; nbase if there is
 * none. */
static uint32_t first_other(void)
{
    uint32_t n = cfz_trace.nevents < nbase ? cfz_trace.nevents : nbase;

    for (uint32_t i = 0; i < n; i++) {
        struct shown s = shown(&cfz_trace.events[i]);

        if (s.site != base[i].site || s.a != base[i].a || s.b != base[i].b)
            return i;
    }
    return n;
}

/* Sets *at to the event that reads position p; nbase if none is known to. */
static bool reads(struct cfz_search *s, const struct cfz_image *im, uint32_t p, uint32_t *at)
{
    static const uint8_t flips[] = {1, 0x80};
    static struct cfz_image changed;

    *at = nbase;
    for (size_t k = 0; k < sizeof flips && *at == nbase; k++) {
        enum cfz_ran r;

        cfz_image_copy(&changed, im);
        changed.bytes[p] ^= flips[k];
        r = cfz_search_try(s, &changed, true);
        if (r == CFZ_RAN_OVER)
            return false;
        if (r == CFZ_RAN)
            *at = first_other();
    }
    return true;
}

bool cfz_records_find(struct cfz_search *s, const struct cfz_image *im, struct cfz_records *r)
{
    static struct cfz_image of;
    uint32_t before = EVENTS + 1, value = UINT32_MAX;

    r->known = false;
    r->n = 0;
    if (cfz_image_size(im) > CFZ_RECORDS_BYTES) {
        r->known = true;
        return true;
    }
    cfz_image_copy(&of, im); /* what is borrowed may change as inputs are executed */
    if (cfz_search_try(s, &of, true) == CFZ_RAN_OVER)
        return false;
    nbase = cfz_trace.nevents < EVENTS ? cfz_trace.nevents : EVENTS;
    for (uint32_t i = 0; i < nbase; i++)
        base[i] = shown(&cfz_trace.events[i]);
    for (uint32_t p = 0; p < cfz_image_size(&of) && r->n < CFZ_FIELDS_MAX; p++) {
        uint32_t i = cfz_image_value(&of, p), at;

        if (!cfz_image_grows(&of, i))
            continue;
        if (!reads(s, &of, p, &at))
            return false;
        if (at == nbase || (at == before && i == value))
            continue;
        r->fields[r->n++] = (struct cfz_field){p, base[at].site->id};
        before = at;
        value = i;
    }
    r->known = true;
    return true;
}

/* ---- mixing ------------------------------------------------------------------------------ */

/* A part of an input, [p, end) of a value. */
struct part {
    uint32_t value, p, end;
};

/* The part that begins with field k: up to the next one that the same comparison reads, or to the
 * end; now and then up to any other. */
static struct part part_at(struct cfz_rand *rand, const struct cfz_image *im,
                           const struct cfz_records *r, uint32_t k)
{
    uint32_t p = r->fields[k].p, value = cfz_image_value(im, p), limit = im->at[value + 1];
    struct part part = {value, p, limit};
    uint32_t next = k + 1;

    if (k + 1 < r->n && cfz_rand_below(rand, 4) == 0) {
        next = k + 1 + cfz_rand_below(rand, r->n - k - 1);
    } else {
        while (next < r->n && r->fields[next].site != r->fields[k].site)
            next++;
    }
    if (next < r->n && r->fields[next].p < limit)
        part.end = r->fields[next].p;
    return part;
}

/* A field that a site reads first, drawn; r->n if there is none. */
static uint32_t field_of(struct cfz_rand *rand, const struct cfz_records *r, uint32_t site)
{
    uint32_t from = cfz_rand_below(rand, r->n);

    for (uint32_t k = 0; k < r->n; k++)
        if (r->fields[(from + k) % r->n].site == site)
            return (from + k) % r->n;
    return r->n;
}

/* Whether a byte may stand between two parts of a text. */
static bool may_separate(uint8_t byte)
{
    return byte < 0x80 && !(byte >= '0' && byte <= '9') &&
           !(cfz_fold(byte) >= 'a' && cfz_fold(byte) <= 'z');
}

/* What ends a part that begins as a site reads, where another one follows. False if no two are
 * there, or nothing seems to. */
static bool separator(const struct cfz_image *im, const struct cfz_records *r, uint32_t site,
                      uint8_t *byte)
{
    uint32_t last = r->n;

    for (uint32_t k = 0; k < r->n; k++) {
        if (r->fields[k].site != site)
            continue;
        if (last < r->n &&
            cfz_image_value(im, r->fields[k].p) == cfz_image_value(im, r->fields[last].p)) {
            *byte = im->bytes[r->fields[k].p - 1];
            return may_separate(*byte);
        }
        last = k;
    }
    return false;
}

/* Replaces [p, p + del) of a value by n bytes, and what looks like a length around it by as much,
 * or not. */
static bool put(struct cfz_rand *rand, struct cfz_image *im, uint32_t value, uint32_t p,
                uint32_t del, const uint8_t *bytes, uint32_t n)
{
    static struct cfz_image before;
    struct cfz_value v = {.kind = CFZ_KIND_BYTES,
                          .data = im->bytes + im->at[value],
                          .len = im->at[value + 1] - im->at[value],
                          .cap = im->at[value + 1] - im->at[value]};

    cfz_image_copy(&before, im);
    if (n != del && cfz_rand_bool(rand))
        cfz_lengths_change(rand, &v, p - im->at[value], del, (int64_t)n - del);
    if (cfz_image_splice(im, value, p, del, bytes, n))
        return true;
    cfz_image_copy(im, &before);
    return false;
}

/* Makes a byte of a copied part one more: what is told in its head may be which one it is. */
static void count_up(struct cfz_rand *rand, uint8_t *part, uint32_t n)
{
    part[cfz_rand_below(rand, n < COUNTED ? n : COUNTED)]++;
}

/* A part on its way into another input; a byte may come before it, or behind. */
struct piece {
    uint8_t room[1 + CFZ_RECORDS_BYTES + 1], *p;
    uint32_t n;
};

/* The last part of a text has nothing at its end that parts it from the next one: has it so, where
 * it is put in at position at of a value, in place of del bytes. */
static void part_from_others(struct piece *piece, const struct cfz_image *im, uint32_t value,
                             uint32_t at, uint32_t del, uint8_t byte)
{
    if (at + del < im->at[value + 1]) {
        if (piece->p[piece->n - 1] != byte)
            piece->p[piece->n++] = byte;
    } else if (del == 0 && at > im->at[value] && im->bytes[at - 1] != byte) {
        *--piece->p = byte;
        piece->n++;
    }
}

bool cfz_records_mix(struct cfz_rand *rand, struct cfz_image *im, const struct cfz_records *own,
                     const struct cfz_image *other, const struct cfz_records *others)
{
    enum { BEFORE, INSTEAD, BEHIND, WITHOUT, WAYS };
    uint32_t how = cfz_rand_below(rand, WAYS);
    struct part from, to;
    struct piece piece;
    uint32_t j, k, site, at, del;
    bool counts;
    uint8_t byte;

    if (own->n < 2 || others->n < 1)
        return false;
    if (how == WITHOUT) {
        to = part_at(rand, im, own, cfz_rand_below(rand, own->n));
        return put(rand, im, to.value, to.p, to.end - to.p, NULL, 0);
    }
    j = own->n;
    k = 0;
    for (int tries = 0; tries < TRIES && j == own->n; tries++) {
        k = cfz_rand_bool(rand) ? field_of(rand, others, others->fields[0].site)
                                : cfz_rand_below(rand, others->n);
        j = field_of(rand, own, others->fields[k].site);
    }
    site = others->fields[k].site;
    if (j == own->n)
        j = cfz_rand_below(rand, own->n);
    counts = others == own && cfz_rand_bool(rand);
    if (counts) {
        j = k;
        how = BEHIND;
    }
    from = part_at(rand, other, others, k);
    to = part_at(rand, im, own, j);
    piece.p = piece.room + 1;
    piece.n = from.end - from.p;
    if (from.value != to.value || piece.n > CFZ_RECORDS_BYTES)
        return false;
    memcpy(piece.p, other->bytes + from.p, piece.n);
    if (counts)
        count_up(rand, piece.p, piece.n);
    at = how == BEHIND ? to.end : to.p;
    del = how == INSTEAD ? to.end - to.p : 0;
    if (cfz_rand_bool(rand) &&
        (separator(im, own, site, &byte) || separator(other, others, site, &byte)))
        part_from_others(&piece, im, to.value, at, del, byte);
    return put(rand, im, to.value, at, del, piece.p, piece.n);
}
