/*
 * solver_code.c - numbers in codes of variable length: 7 bits a byte, the lowest first (LEB128, the
 * varints of protocol buffers) or the highest first (MIDI, ASN.1, SQLite), and UTF-8.
 *
 *     the number around a byte, decoded --is it the operand, or do they differ as usual?-->
 *     the one that is wanted, encoded, in its place
 *
 * As usual: the operand is the number without its lowest bits, which say what kind of field it is;
 * its zigzag decoding; or a little more or less.
 */
#include <string.h>

#include "solver/solving.h"

enum {
    POSITIONS = 24, /* numbers that are looked at for a side */
    LENGTH = 10,    /* bytes of one */
    SHIFT_MOST = 4,
    OFFSET_MOST = 16,
};

enum code { LOW_FIRST, HIGH_FIRST, UTF8, CODES };

/* A number of the input. */
struct number {
    enum code code;
    uint32_t at, len;
    uint64_t x;
};

/* How an operand comes from a number. */
struct relation {
    enum { SHIFTED, ZIGZAG, OFFSET } kind;
    unsigned shift;
    uint64_t offset;
};

static struct cfz_image im;

/* The UTF-8 sequence around p, in a value that is [from, end). */
static bool read_utf8(const struct cfz_image *b, uint32_t from, uint32_t end, uint32_t p,
                      struct number *n)
{
    static const uint8_t begins[] = {0, 0xc0, 0xe0, 0xf0};
    uint32_t at = p, len;
    uint8_t c;

    while (at > from && p - at < 3 && (b->bytes[at] & 0xc0) == 0x80)
        at--;
    c = b->bytes[at];
    len = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
    if (len == 0 || at + len > end || p >= at + len)
        return false;
    n->x = c & (uint8_t)~begins[len - 1];
    for (uint32_t k = 1; k < len; k++) {
        if ((b->bytes[at + k] & 0xc0) != 0x80)
            return false;
        n->x = n->x << 6 | (b->bytes[at + k] & 0x3f);
    }
    n->at = at;
    n->len = len;
    return true;
}

/* The number around p. */
static bool read_number(const struct cfz_image *b, uint32_t p, enum code code, struct number *n)
{
    uint32_t i = cfz_image_value(b, p), from = b->at[i], end = b->at[i + 1], at = p, stop = p;

    n->code = code;
    if (!cfz_image_grows(b, i))
        return false;
    if (code == UTF8)
        return read_utf8(b, from, end, p, n);
    while (at > from && p - at < LENGTH && b->bytes[at - 1] & 0x80)
        at--;
    while (stop < end && stop - at < LENGTH && b->bytes[stop] & 0x80)
        stop++;
    if (stop == end || stop - at >= LENGTH || b->bytes[stop] & 0x80)
        return false;
    n->at = at;
    n->len = stop + 1 - at;
    n->x = 0;
    for (uint32_t k = 0; k < n->len; k++) {
        uint64_t bits = b->bytes[at + k] & 0x7f;

        if (code == LOW_FIRST)
            n->x |= k < 9 || bits < 2 ? bits << 7 * k : 0;
        else
            n->x = n->x << 7 | bits;
    }
    return true;
}

/* Writes x in a code. Returns how many bytes; 0 if it has none there. */
static uint32_t encode(enum code code, uint64_t x, uint8_t out[LENGTH])
{
    uint32_t n = 0;

    if (code == UTF8) {
        static const uint8_t begins[] = {0, 0xc0, 0xe0, 0xf0};
        uint32_t len = x < 0x80 ? 1 : x < 0x800 ? 2 : x < 0x10000 ? 3 : x < 0x110000 ? 4 : 0;

        for (uint32_t k = len; k-- > 1; x >>= 6)
            out[k] = (uint8_t)(0x80 | (x & 0x3f));
        if (len > 0)
            out[0] = (uint8_t)(begins[len - 1] | x);
        return len;
    }
    do {
        out[n++] = (uint8_t)(0x80 | (x & 0x7f));
        x >>= 7;
    } while (x != 0);
    for (uint32_t k = 0; code == HIGH_FIRST && k < n / 2; k++) {
        uint8_t c = out[k];

        out[k] = out[n - 1 - k];
        out[n - 1 - k] = c;
    }
    out[n - 1] &= 0x7f;
    return n;
}

/* A number of the site's width as one of 64 bits, by its sign. */
static uint64_t extended(const struct cfz_site *site, uint64_t v)
{
    unsigned unused = site->width >= 64 ? 0 : 64U - site->width;

    return (uint64_t)((int64_t)(v << unused) >> unused);
}

/* How an operand comes from x, or false. */
static bool relate(const struct cfz_site *site, uint64_t operand, uint64_t x, struct relation *r)
{
    uint64_t mask = cfz_site_mask(site), difference;

    for (unsigned shift = 0; shift <= SHIFT_MOST; shift++)
        if (((x >> shift ^ operand) & mask) == 0) {
            *r = (struct relation){.kind = SHIFTED, .shift = shift};
            return true;
        }
    if ((((x >> 1 ^ (0 - (x & 1))) ^ operand) & mask) == 0) {
        *r = (struct relation){.kind = ZIGZAG};
        return true;
    }
    difference = extended(site, operand - x);
    *r = (struct relation){.kind = OFFSET, .offset = difference};
    return difference + OFFSET_MOST <= 2 * OFFSET_MOST;
}

/* The number of which an operand that is wanted comes. */
static uint64_t source(const struct cfz_site *site, const struct relation *r, uint64_t x,
                       uint64_t want)
{
    want &= cfz_site_mask(site);
    if (r->kind == SHIFTED)
        return want << r->shift | (x & ((1U << r->shift) - 1));
    if (r->kind == OFFSET)
        return (want - r->offset) & cfz_site_mask(site);
    want = extended(site, want);
    return want << 1 ^ (0 - (want >> 63));
}

/* Tries a value of an operand in the place of a number. */
static enum cfz_trial put(struct cfz_solver *v, const struct number *n, uint64_t x)
{
    const struct cfz_image *b = &v->base->im;
    uint8_t bytes[LENGTH];
    uint32_t len = encode(n->code, x, bytes);
    enum cfz_trial r;

    if (len == 0 || (len == n->len && memcmp(bytes, b->bytes + n->at, len) == 0))
        return CFZ_TRIAL_REACHED;
    cfz_image_copy(&im, b);
    if (!cfz_image_splice(&im, cfz_image_value(b, n->at), n->at, n->len, bytes, len))
        return CFZ_TRIAL_REACHED;
    v->step = "code";
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_LOST)
        cfz_note_lost(v, &im, n->at, n->at + len, CFZ_WRITTEN_BYTES);
    return r;
}

/* The numbers in one code that are an operand of a side. */
static enum cfz_trial side_in(struct cfz_solver *v, unsigned side, enum code code)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    uint64_t values[CFZ_GOAL_VALUES];
    unsigned nvalues = cfz_goal_values(&t->g, side, side ? t->a : t->b, values), used = 0;
    uint32_t last = UINT32_MAX;

    for (uint32_t f = 0; f < t->nat && used < POSITIONS; f++) {
        struct relation how;
        struct number n;

        if (!(t->at[f].sides & 1U << side) || !read_number(b, t->at[f].p, code, &n) || n.at == last)
            continue;
        last = n.at;
        used++;
        if (!relate(t->g.site, side ? t->b : t->a, n.x, &how))
            continue;
        for (unsigned k = 0; k < nvalues; k++) {
            enum cfz_trial r = put(v, &n, source(t->g.site, &how, n.x, values[k]));

            if (cfz_trial_ends(r))
                return r;
        }
    }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_code(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (t->g.site->kind == CFZ_SITE_FLOAT)
        return r;
    v->recipe.set = CFZ_RECIPE_NONE;
    for (unsigned side = 0; side < (t->g.site->kind == CFZ_SITE_SWITCH ? 1U : 2U); side++)
        for (int code = 0; code < CODES && t->sides & 1U << side; code++) {
            r = side_in(v, side, (enum code)code);
            if (cfz_trial_ends(r))
                return r;
        }
    return r;
}
