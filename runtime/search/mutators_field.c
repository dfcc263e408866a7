/*
 * mutators_field.c - a piece of a []byte gets longer or shorter, and the lengths around it with it.
 *
 * In formats of tags, lengths and data an inserted byte is nearly always the end: all that follows
 * is read from the wrong place. Which bytes are lengths nobody says. Here any number of 4, 2 or 1
 * bytes is taken for one if what it spans, counted from its end, contains the place and lies within
 * what the length before it spans. Chance says in which order of bytes they are, and how many of
 * those that could be lengths are. The solver does the same for one comparison (solver_nested.c);
 * these are mutations like any other.
 */
#define _GNU_SOURCE
#include <string.h>

#include "core/field.h"
#include "search/mutators.h"
#include "search/mutators_move.h"

enum {
    LENGTHS_MOST = 16,
    LENGTHS_BACK = 512, /* bytes before the place in which lengths are looked for; guessed */
    CHANGE_MOST = 16,   /* bytes put in or taken out */
};

struct length {
    uint32_t at, width;
};

static uint32_t get(const uint8_t *p, uint32_t width, bool big)
{
    return (uint32_t)cfz_field_get(p, width, big);
}

static void add(uint8_t *p, uint32_t width, bool big, uint32_t k)
{
    cfz_field_put(p, width, big, get(p, width, big) + k);
}

/* Whether a number of width bytes at q may be a length that spans [pos, pos + cut) and ends at *end
 * or before, and can get by change longer. Sets *end to where it ends. */
static bool spans(const struct cfz_value *v, uint32_t q, uint32_t width, bool big, uint32_t pos,
                  uint32_t cut, uint32_t grow, uint32_t *end)
{
    uint32_t from = q + width, n = get(v->data + q, width, big);

    if (n == 0 || n > *end - from || from + n < pos + cut ||
        (width < 4 && (n + grow) >> 8 * width != 0))
        return false;
    *end = from + n;
    return true;
}

/* The lengths around [pos, pos + cut), outermost first. taken of 4 that could be lengths are. */
static uint32_t lengths_around(struct cfz_rand *r, const struct cfz_value *v, uint32_t pos,
                               uint32_t cut, uint32_t grow, bool big, uint32_t taken,
                               struct length found[LENGTHS_MOST])
{
    uint32_t end = (uint32_t)v->len, n = 0, width;

    for (uint32_t q = pos > LENGTHS_BACK ? pos - LENGTHS_BACK : 0; q < pos && n < LENGTHS_MOST;
         q += width ? width : 1) {
        uint32_t inner = end;

        for (width = 4; width > 0; width /= 2)
            if (width <= pos - q && spans(v, q, width, big, pos, cut, grow, &inner))
                break;
        if (width == 0)
            continue;
        if (taken < 4 && cfz_rand_below(r, 4) >= taken) {
            width = 0;
            continue;
        }
        found[n++] = (struct length){q, width};
        end = inner;
    }
    return n;
}

void cfz_lengths_change(struct cfz_rand *r, struct cfz_value *v, uint32_t pos, uint32_t cut,
                        int64_t change)
{
    struct length around[LENGTHS_MOST];
    uint32_t how = cfz_rand_below(r, 6), n;

    n = lengths_around(r, v, pos, cut, change > 0 ? (uint32_t)change : 0, how & 1, 2 + how / 2,
                       around);
    for (uint32_t i = 0; i < n; i++)
        add(v->data + around[i].at, around[i].width, how & 1, (uint32_t)change);
}

bool cfz_is_told(const struct cfz_value *v, uint32_t size, bool big)
{
    const uint32_t little = __builtin_bswap32(size);
    uint8_t bytes[4];

    for (int k = 0; k < 4; k++)
        bytes[k] = (uint8_t)((big ? size : little) >> 8 * (3 - k));
    return memmem(v->data, v->len, bytes, sizeof bytes) != NULL;
}

bool cfz_sizes_change(struct cfz_rand *r, struct cfz_value *v, const struct cfz_piece_at *p,
                      int64_t change)
{
    const uint32_t end = p->at + p->size, whole = p->size + p->around;
    const bool big = cfz_is_told(v, p->size, true) || cfz_is_told(v, whole, true);
    bool all;

    if (!big && !cfz_is_told(v, p->size, false) && !cfz_is_told(v, whole, false))
        return false;
    all = cfz_rand_below(r, 4) == 0;
    for (uint32_t q = 0; q + 4 <= v->len; q++) {
        uint32_t x;

        if (q + 4 > p->at && q < end)
            continue;
        x = get(v->data + q, 4, big);
        if (x != p->size && x != whole && (x < end || x > v->len))
            continue;
        if (x < end || all || cfz_rand_bool(r))
            add(v->data + q, 4, big, (uint32_t)change);
        q += 3;
    }
    return true;
}

/* Puts k > 0 bytes in at pos, and makes the n lengths around it that much longer. */
static void put_in(struct cfz_value *v, uint32_t pos, const uint8_t *bytes, uint32_t k,
                   const struct length *around, uint32_t n, bool big)
{
    for (uint32_t i = 0; i < n; i++)
        add(v->data + around[i].at, around[i].width, big, k);
    cfz_move_tail(v, pos, pos + (size_t)k);
    cfz_put_piece(v->data + pos, bytes, k);
}

bool cfz_bytes_resize(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, pos, how, k, n, taken;
    struct length around[LENGTHS_MOST];
    uint8_t fill[CHANGE_MOST];
    bool big, grows;

    if (cfz_kind_is_string(v->kind))
        return false;
    pos = 1 + cfz_rand_below(r, len);
    how = cfz_rand_below(r, 12);
    big = how & 1;
    grows = how & 2;
    taken = 2 + how / 4;
    k = 1 + cfz_rand_below(r, CHANGE_MOST);
    if (grows ? len + (uint64_t)k > limit : k > len - pos)
        return false;
    n = lengths_around(r, v, pos, grows ? 0 : k, grows ? k : 0, big, taken, around);
    if (n == 0)
        return false;
    if (!grows) {
        for (uint32_t i = 0; i < n; i++)
            add(v->data + around[i].at, around[i].width, big, 0 - k);
        cfz_move_tail(v, pos + k, pos);
        return true;
    }
    for (uint32_t i = 0, from = cfz_rand_below(r, len); i < k; i++)
        fill[i] = v->data[(from + i) % len];
    put_in(v, pos, fill, k, around, n, big);
    return true;
}

bool cfz_bytes_insert_within(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct length around[LENGTHS_MOST];
    uint32_t pos, how, from, max, k, n, size;
    const uint8_t *other;

    if (cfz_kind_is_string(v->kind))
        return false;
    size = cfz_other_bytes(a, &other);
    if (size == 0)
        return false;
    pos = 1 + cfz_rand_below(a->r, (uint32_t)v->len);
    how = cfz_rand_below(a->r, 6);
    from = cfz_rand_below(a->r, size);
    max = size - from;
    if (cfz_rand_bool(a->r) && max > 2 && other[from + 1] > 0 && other[from + 1] <= max - 2)
        k = 2u + other[from + 1];
    else
        k = 1 + cfz_rand_below(a->r, max < CHANGE_MOST ? max : CHANGE_MOST);
    if (v->len + k > a->limit)
        return false;
    n = lengths_around(a->r, v, pos, 0, k, how & 1, 2 + how / 2, around);
    if (n > 0)
        put_in(v, pos, other + from, k, around, n, how & 1);
    return n > 0;
}
