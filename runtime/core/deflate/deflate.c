/*
 * deflate.c - see deflate.h.
 *
 * A complete prefix code of k symbols is a binary tree with k leaves, so lengths are drawn by
 * splitting leaves: any of them, which gives codes of about one length, or the newest one, which
 * gives long ones.
 */
#include "core/deflate/deflate.h"

#include <string.h>

#include "core/deflate/inflate.h"

enum {
    TOKENS = 4096, /* of a block */
    MATCH_LEAST = 3,
    MATCH_MOST = 258,
    DISTANCE_MOST = 32768,
    NEAR = 16, /* half of the distances that are tried are not larger */
    TRIES = 4, /* distances that are tried at a place */
    EXTRA_FEW =
        4, /* symbols with a code that do not occur; a quarter of the codes has any number */
    LENGTH_BITS = 7, /* of the code that tells the lengths of the others */
    STORED_MOST = UINT16_MAX,
};

/* ---- bits --------------------------------------------------------------------------- */

struct output {
    uint8_t *p;
    size_t room, at; /* at: in bits */
    bool over;       /* more was written than there is room for */
};

/* Writes the lowest n <= 32 bits of v, lowest first. */
static void put(struct output *o, uint32_t v, unsigned n)
{
    uint8_t *p = o->p + o->at / 8;
    const unsigned before = o->at % 8;
    uint64_t x = (v & ((UINT64_C(1) << n) - 1)) << before;

    if (n > 8 * o->room - o->at) {
        o->over = true;
        return;
    }
    x |= before ? p[0] : 0;
    for (unsigned k = 0; k < before + n; k += 8, p++, x >>= 8)
        *p = (uint8_t)x;
    o->at += n;
}

/* ---- codes -------------------------------------------------------------------------- */

/* Of each symbol its length, 0 if it has no code; and its bits, first one lowest. */
struct code {
    uint8_t length[CFZ_DEFLATE_LITERALS];
    uint16_t bits[CFZ_DEFLATE_LITERALS];
};

/* The lengths of a complete code of n symbols, up to max bits long. */
static void draw_lengths(struct cfz_rand *r, uint8_t *length, uint32_t n, uint8_t max)
{
    const uint32_t newest_of_8 = cfz_rand_below(r, 3) * 4; /* 0, 4 or 8 */
    uint32_t leaves = 1;

    length[0] = 0;
    while (leaves < n) {
        uint32_t k = cfz_rand_below(r, 8) < newest_of_8 ? leaves - 1 : cfz_rand_below(r, leaves);

        while (length[k] == max)
            k = k + 1 < leaves ? k + 1 : 0;
        length[leaves++] = ++length[k];
    }
    for (uint32_t k = n; k > 1; k--) {
        const uint32_t other = cfz_rand_below(r, k);
        const uint8_t x = length[k - 1];

        length[k - 1] = length[other];
        length[other] = x;
    }
}

/* Gives those of n symbols a code that have a length (RFC 1951, 3.2.2). */
static void assign(struct code *c, uint32_t n)
{
    uint32_t count[CFZ_DEFLATE_BITS + 1] = {0}, next[CFZ_DEFLATE_BITS + 1];

    for (uint32_t s = 0; s < n; s++)
        count[c->length[s]]++;
    next[0] = count[0] = 0;
    for (uint8_t l = 1; l <= CFZ_DEFLATE_BITS; l++)
        next[l] = 2 * (next[l - 1] + count[l - 1]);
    for (uint32_t s = 0; s < n; s++) {
        const uint8_t l = c->length[s];

        if (l)
            c->bits[s] = cfz_deflate_turned(next[l]++, l);
    }
}

/*
 * Draws a code for those of n symbols that occur, and some that do not. At least so many have one;
 * a single one has a length of 1.
 */
static void draw_code(struct cfz_rand *r, struct code *c, const bool *occurs, uint32_t n,
                      uint32_t least, uint8_t max)
{
    uint8_t length[CFZ_DEFLATE_LITERALS];
    bool has[CFZ_DEFLATE_LITERALS];
    uint32_t codes = 0, extra, at = 0;

    memcpy(has, occurs, n);
    for (uint32_t s = 0; s < n; s++)
        codes += has[s];
    extra = cfz_rand_below(r, cfz_rand_below(r, 4) == 0 ? n - codes + 1 : EXTRA_FEW);
    if (codes + extra < least)
        extra = least - codes;
    for (; extra > 0 && codes < n; extra--, codes++) {
        uint32_t s = cfz_rand_below(r, n);

        while (has[s])
            s = s + 1 < n ? s + 1 : 0;
        has[s] = true;
    }
    draw_lengths(r, length, codes, max);
    if (codes == 1)
        length[0] = 1;
    memset(c->length, 0, sizeof c->length);
    for (uint32_t s = 0; s < n; s++)
        if (has[s])
            c->length[s] = length[at++];
    assign(c, n);
}

/* ---- what a block holds --------------------------------------------------------------- */

/* A copy of so many bytes from that far before, or a byte. */
struct token {
    uint16_t len, distance;
    uint8_t byte;
};

struct content {
    struct token v[TOKENS];
    uint32_t n;
};

/* The last of n bases that is not larger. */
static uint32_t base_of(const uint16_t *base, uint32_t n, uint32_t v)
{
    uint32_t k = n - 1;

    while (base[k] > v)
        k--;
    return k;
}

/* A copy for the bytes at in[at..to), or none. */
static struct token draw_copy(struct cfz_rand *r, const uint8_t *in, size_t at, size_t to)
{
    const size_t back = at < DISTANCE_MOST ? at : DISTANCE_MOST;
    const size_t most = to - at < MATCH_MOST ? to - at : MATCH_MOST;
    struct token best = {.byte = in[at]};

    for (int k = 0; back > 0 && most >= MATCH_LEAST && k < TRIES; k++) {
        const size_t reach = k % 2 == 0 && back > NEAR ? NEAR : back;
        const size_t distance = 1 + cfz_rand_below(r, (uint32_t)reach);
        size_t len = 0;

        while (len < most && in[at + len] == in[at + len - distance])
            len++;
        if (len >= MATCH_LEAST && len > best.len) {
            best.len = (uint16_t)len;
            best.distance = (uint16_t)distance;
        }
    }
    return best;
}

/* Reads the block that begins at in[at] and ends at to or before; returns where it ends. */
static size_t read_content(struct cfz_rand *r, struct content *c, const uint8_t *in, size_t at,
                           size_t to)
{
    for (c->n = 0; at < to && c->n < TOKENS; c->n++) {
        c->v[c->n] = draw_copy(r, in, at, to);
        at += c->v[c->n].len ? c->v[c->n].len : 1;
    }
    return at;
}

static uint32_t literal_of(const struct token *t)
{
    return t->len == 0
               ? t->byte
               : CFZ_DEFLATE_END + 1 + base_of(cfz_length_base, CFZ_DEFLATE_LENGTHS, t->len);
}

static uint32_t distance_of(const struct token *t)
{
    return base_of(cfz_distance_base, CFZ_DEFLATE_DISTANCES, t->distance);
}

static void put_content(struct output *o, const struct content *c, const struct code *literals,
                        const struct code *distances)
{
    for (uint32_t k = 0; k < c->n; k++) {
        const struct token *t = &c->v[k];
        const uint32_t s = literal_of(t);
        uint32_t of, d;

        put(o, literals->bits[s], literals->length[s]);
        if (t->len == 0)
            continue;
        of = s - (CFZ_DEFLATE_END + 1);
        d = distance_of(t);
        put(o, (uint32_t)(t->len - cfz_length_base[of]), cfz_length_bits[of]);
        put(o, distances->bits[d], distances->length[d]);
        put(o, (uint32_t)(t->distance - cfz_distance_base[d]), cfz_distance_bits(d));
    }
    put(o, literals->bits[CFZ_DEFLATE_END], literals->length[CFZ_DEFLATE_END]);
}

/* ---- blocks ---------------------------------------------------------------------------- */

static void put_stored(struct output *o, const uint8_t *in, uint32_t n)
{
    put(o, 0, (unsigned)(-o->at & 7));
    put(o, n | ~n << 16, 32);
    for (uint32_t k = 0; k < n; k++)
        put(o, in[k], 8);
}

static void put_fixed(struct output *o, const struct content *c)
{
    struct code literals, distances;

    cfz_fixed_lengths(literals.length, distances.length);
    assign(&literals, CFZ_DEFLATE_LITERALS);
    assign(&distances, CFZ_DEFLATE_DISTANCES);
    put_content(o, c, &literals, &distances);
}

/* The lengths of two codes, as symbols of a third. */
struct lengths {
    uint8_t symbol[CFZ_DEFLATE_LITERALS + CFZ_DEFLATE_DISTANCES];
    uint8_t more[CFZ_DEFLATE_LITERALS + CFZ_DEFLATE_DISTANCES];
    uint32_t n;
};

/* How many of n lengths, from the first on, are the same; up to most. */
static uint32_t run_of(const uint8_t *v, uint32_t n, uint32_t most)
{
    uint32_t k = 1;

    while (k < n && k < most && v[k] == v[0])
        k++;
    return k;
}

/* Half of the runs are told as such. */
static void read_lengths(struct cfz_rand *r, struct lengths *l, const uint8_t *v, uint32_t n)
{
    enum { SAME = 16, ZEROS = 17, MANY_ZEROS = 18, LEAST = 3, ZEROS_MOST = 10 };

    l->n = 0;
    for (uint32_t at = 0, run; at < n; at += run, l->n++) {
        const bool is_same = v[at] != 0 && at > 0 && v[at - 1] == v[at];

        run = run_of(v + at, n - at, v[at] == 0 ? 138 : 6);
        if (run < LEAST || !(v[at] == 0 || is_same) || cfz_rand_bool(r))
            run = 1;
        l->symbol[l->n] = run == 1           ? v[at]
                          : v[at] != 0       ? SAME
                          : run > ZEROS_MOST ? MANY_ZEROS
                                             : ZEROS;
        l->more[l->n] = (uint8_t)(run == 1           ? 0
                                  : run > ZEROS_MOST ? run - (ZEROS_MOST + 1)
                                                     : run - LEAST);
    }
}

static void put_lengths(struct cfz_rand *r, struct output *o, const struct lengths *l)
{
    static const uint8_t bits_of_run[] = {2, 3, 7};
    bool occurs[CFZ_DEFLATE_ORDER] = {false};
    uint32_t n = CFZ_DEFLATE_ORDER;
    struct code c;

    for (uint32_t k = 0; k < l->n; k++)
        occurs[l->symbol[k]] = true;
    draw_code(r, &c, occurs, CFZ_DEFLATE_ORDER, 2, LENGTH_BITS);
    while (n > 4 && c.length[cfz_deflate_order[n - 1]] == 0)
        n--;
    put(o, n - 4, 4);
    for (uint32_t k = 0; k < n; k++)
        put(o, c.length[cfz_deflate_order[k]], 3);
    for (uint32_t k = 0; k < l->n; k++) {
        const uint8_t s = l->symbol[k];

        put(o, c.bits[s], c.length[s]);
        if (s >= 16)
            put(o, l->more[k], bits_of_run[s - 16]);
    }
}

/* How many of most symbols are told: all that have a code, and a few behind them. */
static uint32_t draw_told(struct cfz_rand *r, const struct code *c, uint32_t least, uint32_t most)
{
    uint32_t n = most;

    while (n > least && c->length[n - 1] == 0)
        n--;
    return cfz_rand_bool(r) ? n + cfz_rand_below(r, most - n + 1) : n;
}

static void put_dynamic(struct cfz_rand *r, struct output *o, const struct content *c)
{
    bool literal[CFZ_DEFLATE_TOLD] = {[CFZ_DEFLATE_END] = true};
    uint8_t all[CFZ_DEFLATE_TOLD + CFZ_DEFLATE_DISTANCES];
    bool distance[CFZ_DEFLATE_DISTANCES] = {false};
    struct code literals, distances;
    uint32_t nliterals, ndistances;
    struct lengths lengths;

    for (uint32_t k = 0; k < c->n; k++) {
        literal[literal_of(&c->v[k])] = true;
        if (c->v[k].len > 0)
            distance[distance_of(&c->v[k])] = true;
    }
    draw_code(r, &literals, literal, CFZ_DEFLATE_TOLD, 1, CFZ_DEFLATE_BITS);
    draw_code(r, &distances, distance, CFZ_DEFLATE_DISTANCES, 1, CFZ_DEFLATE_BITS);
    nliterals = draw_told(r, &literals, CFZ_DEFLATE_END + 1, CFZ_DEFLATE_TOLD);
    ndistances = draw_told(r, &distances, 1, CFZ_DEFLATE_DISTANCES);
    memcpy(all, literals.length, nliterals);
    memcpy(all + nliterals, distances.length, ndistances);
    read_lengths(r, &lengths, all, nliterals + ndistances);
    put(o, nliterals - (CFZ_DEFLATE_END + 1), 5);
    put(o, ndistances - 1, 5);
    put_lengths(r, o, &lengths);
    put_content(o, c, &literals, &distances);
}

size_t cfz_deflate(struct cfz_rand *r, const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
    enum { STORED, FIXED, DYNAMIC };
    struct output o = {.p = out, .room = room};
    struct content content;
    size_t at = 0;

    do {
        const uint32_t draw = cfz_rand_below(r, 8), type = draw < DYNAMIC ? draw : DYNAMIC;
        size_t end = n;

        if (cfz_rand_below(r, 4) == 0)
            end = at + cfz_rand_below(r, (uint32_t)(n - at + 1));
        if (type == STORED)
            end = end - at > STORED_MOST ? at + STORED_MOST : end;
        else
            end = read_content(r, &content, in, at, end);
        put(&o, end == n, 1);
        put(&o, type, 2);
        if (type == STORED)
            put_stored(&o, in + at, (uint32_t)(end - at));
        else if (type == FIXED)
            put_fixed(&o, &content);
        else
            put_dynamic(r, &o, &content);
        at = end;
    } while (at < n && !o.over);
    return o.over ? 0 : (o.at + 7) / 8;
}
