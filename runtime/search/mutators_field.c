/*
 * mutators_field.c - a piece of a []byte gets longer or shorter, and the lengths around it with it.
 *
 * In formats of tags, lengths and data an inserted byte is nearly always the end: all that follows
 * is read from the wrong place. Which bytes are lengths nobody says. Here any number of 4, 2 or 1
 * bytes is taken for one if what it spans, counted from its end, contains the place and lies within
 * what the length before it spans. Chance says in which order of bytes they are, and how many of
 * those that could be lengths are. The solver does the same for one comparison (solver_nested.c);
 * this one is a mutation like any other.
 */
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
    uint32_t x = 0;

    for (uint32_t i = 0; i < width; i++)
        x = x << 8 | p[big ? i : width - 1 - i];
    return x;
}

static void add(uint8_t *p, uint32_t width, bool big, uint32_t k)
{
    uint32_t x = get(p, width, big) + k;

    for (uint32_t i = 0; i < width; i++)
        p[big ? width - 1 - i : i] = (uint8_t)(x >> 8 * i);
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
    for (uint32_t i = 0; i < n; i++)
        add(v->data + around[i].at, around[i].width, big, grows ? k : 0 - k);
    if (!grows) {
        cfz_move_tail(v, pos + k, pos);
        return true;
    }
    for (uint32_t i = 0, from = cfz_rand_below(r, len); i < k; i++)
        fill[i] = v->data[(from + i) % len];
    cfz_move_tail(v, pos, pos + (size_t)k);
    cfz_put_piece(v->data + pos, fill, k);
    return true;
}
