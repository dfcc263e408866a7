/*
 * mutators_bytes.c - the mutations of []byte and string.
 *
 * All work inside the value's own buffer. Some of Go's need spare room behind the data, and decline
 * without it. These do not, so only the length of the result is bounded.
 *
 * A mutation that writes bytes which were not in the value before ends with
 * cfz_cut_at_nul over what it wrote: strings end at their first NUL.
 */
#include <string.h>

#include "search/mutators.h"
#include "search/mutators_move.h"

/* Draws a length: 90 times of 100 1 + r(8), 9 times 1 + r(32), once 1 + r(n); never more than n.
 * Takes two draws. */
static uint32_t draw_len(struct cfz_rand *r, uint32_t n)
{
    uint32_t percent = cfz_rand_below(r, 100);
    uint32_t max = percent < 90 ? 8 : percent < 99 ? 32 : n;

    return 1 + cfz_rand_below(r, max < n ? max : n);
}

/* Draws two different positions below n, which is at least 2. */
static void draw_two(struct cfz_rand *r, uint32_t n, uint32_t *src, uint32_t *dst)
{
    *src = cfz_rand_below(r, n);
    do
        *dst = cfz_rand_below(r, n);
    while (*dst == *src);
}

/*
 * Unsigned integers of width 2, 4 or 8 bytes at p, in either byte order. The width is a constant
 * where these are inlined. The order is random, so a branch on it would be mispredicted every other
 * time: hence the masks.
 */
static inline uint64_t in_order(uint64_t v, unsigned width, bool little)
{
    uint64_t native = -(uint64_t)(little == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__));
    uint64_t turned = __builtin_bswap64(v) >> (64 - 8 * width);

    return (v & native) | (turned & ~native);
}

static inline uint64_t load(const uint8_t *p, unsigned width, bool little)
{
    uint64_t v64;
    uint32_t v32;
    uint16_t v16;

    switch (width) {
    case 2:
        memcpy(&v16, p, sizeof v16);
        v64 = v16;
        break;
    case 4:
        memcpy(&v32, p, sizeof v32);
        v64 = v32;
        break;
    default:
        memcpy(&v64, p, sizeof v64);
    }
    return in_order(v64, width, little);
}

/* Stores the low bytes of v. */
static inline void store(uint8_t *p, unsigned width, bool little, uint64_t v)
{
    uint64_t v64 = in_order(v, width, little);
    uint32_t v32 = (uint32_t)v64;
    uint16_t v16 = (uint16_t)v64;

    switch (width) {
    case 2:
        memcpy(p, &v16, sizeof v16);
        break;
    case 4:
        memcpy(p, &v32, sizeof v32);
        break;
    default:
        memcpy(p, &v64, sizeof v64);
    }
}

/* Makes room for n bytes at pos; their content is the caller's to write. */
static inline void open_gap(struct cfz_value *v, size_t pos, size_t n)
{
    cfz_move_tail(v, pos, pos + n);
}

/* Sets n bytes at pos, at least one. */
static inline void fill(struct cfz_value *v, size_t pos, uint8_t b, uint32_t n)
{
    if (n <= CFZ_MOVE_WORD && cfz_has_room(v, pos, CFZ_MOVE_WORD))
        cfz_put_bytes(v->data + pos, 0x0101010101010101U * b, n);
    else
        memset(v->data + pos, b, n);
}

static bool remove_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, pos, n;

    (void)limit;
    pos = cfz_rand_below(r, len);
    n = draw_len(r, len - pos);
    cfz_move_tail(v, pos + n, pos);
    return true;
}

static bool insert_random(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len;
    uint32_t pos = cfz_rand_below(r, len + 1);
    uint32_t n = draw_len(r, 1024);

    if ((uint64_t)len + n > limit)
        return false;
    open_gap(v, pos, n);
    for (uint32_t i = 0; i < n; i++)
        v->data[pos + i] = (uint8_t)cfz_rand_below(r, 256);
    cfz_cut_at_nul(v, pos, pos + n);
    return true;
}

/* The same with a draw for four bytes, and no more bytes than there is room for. A byte of the draw is
 * one of the value, as random as any. */
static bool insert_words(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos, n, i = 0, word;

    if (v->len >= limit)
        return false;
    pos = cfz_rand_below(r, (uint32_t)v->len + 1);
    n = draw_len(r, limit - v->len < 1024 ? (uint32_t)(limit - v->len) : 1024);
    open_gap(v, pos, n);
    for (; i + 4 <= n; i += 4) {
        word = cfz_rand_u32(r);
        memcpy(v->data + pos + i, &word, 4);
    }
    word = i < n ? cfz_rand_u32(r) : 0;
    for (; i < n; i++, word >>= 8)
        v->data[pos + i] = (uint8_t)word;
    cfz_cut_at_nul(v, pos, pos + n);
    return true;
}

static bool duplicate_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, src, dst, n, before;

    draw_two(r, len, &src, &dst);
    n = draw_len(r, len - src);
    if ((uint64_t)len + n > limit)
        return false;
    if (n <= CFZ_MOVE_WORD && cfz_has_room(v, src > dst ? src : dst, CFZ_MOVE_WORD)) {
        uint64_t piece;

        memcpy(&piece, v->data + src, CFZ_MOVE_WORD);
        open_gap(v, dst, n);
        cfz_put_bytes(v->data + dst, piece, n);
        return true;
    }
    open_gap(v, dst, n);
    /* The part of [src, src + n) before dst is where it was, the rest has moved up by n. */
    before = src >= dst ? 0 : dst - src < n ? dst - src : n;
    if (before > 0)
        memcpy(v->data + dst, v->data + src, before);
    if (before < n)
        memcpy(v->data + dst + before, v->data + src + before + n, n - before);
    return true;
}

static bool overwrite_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, src, dst, n;

    (void)limit;
    draw_two(r, len, &src, &dst);
    n = draw_len(r, len - src - 1);
    n = n < len - dst ? n : len - dst;
    if (n <= CFZ_MOVE_WORD && cfz_has_room(v, src > dst ? src : dst, CFZ_MOVE_WORD)) {
        uint64_t piece;

        memcpy(&piece, v->data + src, CFZ_MOVE_WORD);
        cfz_put_bytes(v->data + dst, piece, n);
    } else {
        memmove(v->data + dst, v->data + src, n);
    }
    return true;
}

static bool flip_bit(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len);
    v->data[pos] ^= (uint8_t)(1u << cfz_rand_below(r, 8));
    cfz_cut_at_nul(v, pos, pos + 1);
    return true;
}

static bool xor_byte(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len);
    v->data[pos] ^= (uint8_t)(1 + cfz_rand_below(r, 255)); /* never 0: always a change */
    cfz_cut_at_nul(v, pos, pos + 1);
    return true;
}

static bool swap_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t src, dst;
    uint8_t b;

    (void)limit;
    draw_two(r, (uint32_t)v->len, &src, &dst);
    b = v->data[src];
    v->data[src] = v->data[dst];
    v->data[dst] = b;
    return true;
}

enum { ARITHMETIC_MAX = 35 }; /* Go's; AFL's too */

static bool add_uint8(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos, n;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len);
    n = 1 + cfz_rand_below(r, ARITHMETIC_MAX);
    v->data[pos] = (uint8_t)(cfz_rand_bool(r) ? v->data[pos] + n : v->data[pos] - n);
    cfz_cut_at_nul(v, pos, pos + 1);
    return true;
}

/* Like the one above for wider integers, but the draws have another order, and true means subtract.
 */
static inline bool add_uint(struct cfz_rand *r, struct cfz_value *v, unsigned width)
{
    uint64_t n, negate;
    uint32_t pos;
    bool little;
    uint8_t *p;

    n = 1 + (uint64_t)cfz_rand_below(r, ARITHMETIC_MAX);
    negate = -(uint64_t)cfz_rand_bool(r);
    n = (n ^ negate) - negate; /* two's complement, again without a branch */
    pos = cfz_rand_below(r, (uint32_t)v->len - width + 1);
    little = cfz_rand_bool(r);
    p = v->data + pos;
    store(p, width, little, load(p, width, little) + n);
    cfz_cut_at_nul(v, pos, pos + width);
    return true;
}

static bool add_uint16(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return add_uint(r, v, 2);
}

static bool add_uint32(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return add_uint(r, v, 4);
}

static bool add_uint64(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)limit;
    return add_uint(r, v, 8);
}

/* Values at which code likes to change its mind. Each width has those of the smaller ones too. */
#define INTERESTING_8 -128, -1, 0, 1, 16, 32, 64, 100, 127
#define INTERESTING_16 -32768, -129, 128, 255, 256, 512, 1000, 1024, 4096, 32767, INTERESTING_8
#define INTERESTING_32                                                                             \
    INT32_MIN, -100663046, -32769, 32768, 65535, 65536, 100663045, INT32_MAX, INTERESTING_16

static const int8_t interesting8[] = {INTERESTING_8};
static const int16_t interesting16[] = {INTERESTING_16};
static const int32_t interesting32[] = {INTERESTING_32};

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static bool interesting_uint8(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len);
    v->data[pos] = (uint8_t)interesting8[cfz_rand_below(r, COUNT(interesting8))];
    cfz_cut_at_nul(v, pos, pos + 1);
    return true;
}

static bool interesting_uint16(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos;
    uint16_t n;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len - 1);
    n = (uint16_t)interesting16[cfz_rand_below(r, COUNT(interesting16))];
    store(v->data + pos, 2, cfz_rand_bool(r), n);
    cfz_cut_at_nul(v, pos, pos + 2);
    return true;
}

static bool interesting_uint32(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t pos, n;

    (void)limit;
    pos = cfz_rand_below(r, (uint32_t)v->len - 3);
    n = (uint32_t)interesting32[cfz_rand_below(r, COUNT(interesting32))];
    store(v->data + pos, 4, cfz_rand_bool(r), n);
    cfz_cut_at_nul(v, pos, pos + 4);
    return true;
}

static bool insert_constant(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, dst, n;

    dst = cfz_rand_below(r, len);
    n = draw_len(r, 4096);
    if ((uint64_t)len + n > limit)
        return false;
    open_gap(v, dst, n);
    fill(v, dst, (uint8_t)cfz_rand_below(r, 256), n);
    cfz_cut_at_nul(v, dst, dst + 1); /* they are all the same */
    return true;
}

static bool overwrite_constant(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, dst, n;

    (void)limit;
    dst = cfz_rand_below(r, len);
    n = draw_len(r, len - dst);
    fill(v, dst, (uint8_t)cfz_rand_below(r, 256), n);
    cfz_cut_at_nul(v, dst, dst + 1);
    return true;
}

/* R. A. Fisher and F. Yates, in R. Durstenfeld's form ("Algorithm 235", CACM 7, 1964). */
static inline void shuffle(struct cfz_rand *r, uint8_t *p, uint32_t n)
{
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t j = cfz_rand_below(r, i + 1);
        uint8_t b = p[i];

        p[i] = p[j];
        p[j] = b;
    }
}

static bool shuffle_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, dst, n;

    (void)limit;
    dst = cfz_rand_below(r, len);
    n = draw_len(r, len - dst);
    if (n <= 2)
        return false;
    shuffle(r, v->data + dst, n);
    return true;
}

/* The same of three bytes and more, of which there always are as many. */
static bool shuffle_fitting(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, dst;

    (void)limit;
    dst = cfz_rand_below(r, len - 2);
    shuffle(r, v->data + dst, 2 + draw_len(r, len - dst - 2));
    return true;
}

/* Exchanges n bytes at min, and as many at max, which is more than n behind it. */
static inline void swap(struct cfz_value *v, uint32_t min, uint32_t max, uint32_t n)
{
    uint8_t *a = v->data + min, *b = v->data + max;
    uint64_t x, y;

    if (n < CFZ_MOVE_WORD && cfz_has_room(v, max, CFZ_MOVE_WORD)) {
        memcpy(&x, a, CFZ_MOVE_WORD);
        memcpy(&y, b, CFZ_MOVE_WORD);
        cfz_put_bytes(a, y, n);
        cfz_put_bytes(b, x, n);
        return;
    }
    for (; n >= sizeof x; n -= (uint32_t)sizeof x, a += sizeof x, b += sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        memcpy(a, &y, sizeof y);
        memcpy(b, &x, sizeof x);
    }
    for (; n > 0; n--, a++, b++) {
        uint8_t one = *a;

        *a = *b;
        *b = one;
    }
}

static bool swap_ranges(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, src, dst, max, min, n;

    (void)limit;
    draw_two(r, len, &src, &dst);
    max = src > dst ? src : dst;
    min = src > dst ? dst : src;
    n = draw_len(r, len - max - 1);
    if (min + n >= max)
        return false; /* they overlap or touch */
    swap(v, min, max, n);
    return true;
}

/* The same of ranges that are drawn so that they neither overlap nor touch. */
static bool swap_fitting(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, n, rest, min;

    (void)limit;
    n = draw_len(r, (len - 1) / 2);
    rest = len - 2 * n - 1; /* bytes before, behind and between the ranges, but for one between */
    min = cfz_rand_below(r, rest + 1);
    swap(v, min, min + n + 1 + cfz_rand_below(r, rest - min + 1), n);
    return true;
}

/* ---- at places that are not amid equal bytes --------------------------------------- */

enum { PLACE_TRIES = 3, PLACE_LEAST = 32 }; /* guessed, both */

/* Draws one of n places from p on, at least one. One amid eight equal bytes is drawn again, up to
 * three times: long runs are padding, most often, or not used (docs/decisions/125). */
static inline uint32_t draw_place(struct cfz_rand *r, const uint8_t *p, uint32_t n)
{
    uint32_t pos = cfz_rand_below(r, n);

    for (int k = 0; k < PLACE_TRIES && n >= PLACE_LEAST; k++) {
        uint32_t from = pos < 4 ? 0 : pos - 4;
        uint64_t w;

        memcpy(&w, p + (from < n - 8 ? from : n - 8), sizeof w);
        if (w != 0x0101010101010101U * (uint8_t)w)
            break;
        pos = cfz_rand_below(r, n);
    }
    return pos;
}

/* Has one of Go's mutations change width bytes at such a place. */
static inline bool at_place(cfz_mutation_fn *apply, struct cfz_rand *r, struct cfz_value *v,
                            uint32_t width)
{
    const uint32_t pos = draw_place(r, v->data, (uint32_t)v->len - width + 1);
    struct cfz_value part = *v;

    part.data += pos;
    part.len = width;
    apply(r, &part, width);
    if (part.len < width)
        v->len = pos + part.len; /* a string ends here now */
    return true;
}

#define AT_PLACE(name, width)                                                                      \
    static bool name##_at_place(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)           \
    {                                                                                              \
        (void)limit;                                                                               \
        return at_place(name, r, v, width);                                                        \
    }

AT_PLACE(flip_bit, 1)
AT_PLACE(xor_byte, 1)
AT_PLACE(add_uint8, 1)
AT_PLACE(add_uint16, 2)
AT_PLACE(add_uint32, 4)
AT_PLACE(add_uint64, 8)
AT_PLACE(interesting_uint8, 1)
AT_PLACE(interesting_uint16, 2)
AT_PLACE(interesting_uint32, 4)

const struct cfz_mutation cfz_bytes_mutations[CFZ_BYTES_MUTATIONS] = {
    {"remove bytes", 2, remove_bytes, NULL},
    {"insert random bytes", 0, insert_random, NULL},
    {"duplicate bytes", 2, duplicate_bytes, NULL},
    {"overwrite bytes", 2, overwrite_bytes, NULL},
    {"bit flip", 1, flip_bit, NULL},
    {"xor byte", 1, xor_byte, NULL},
    {"swap byte", 2, swap_bytes, NULL},
    {"add/sub uint8", 1, add_uint8, NULL},
    {"add/sub uint16", 2, add_uint16, NULL},
    {"add/sub uint32", 4, add_uint32, NULL},
    {"add/sub uint64", 8, add_uint64, NULL},
    {"interesting uint8", 1, interesting_uint8, NULL},
    {"interesting uint16", 2, interesting_uint16, NULL},
    {"interesting uint32", 4, interesting_uint32, NULL},
    {"insert constant bytes", 2, insert_constant, NULL},
    {"overwrite constant bytes", 2, overwrite_constant, NULL},
    {"shuffle bytes", 2, shuffle_bytes, NULL},
    {"swap ranges", 2, swap_ranges, NULL},
};

const struct cfz_mutation cfz_fitting_mutations[CFZ_FITTING_MUTATIONS] = {
    {"insert random bytes", 0, insert_words, NULL},
    {"bit flip", 1, flip_bit_at_place, NULL},
    {"xor byte", 1, xor_byte_at_place, NULL},
    {"add/sub uint8", 1, add_uint8_at_place, NULL},
    {"add/sub uint16", 2, add_uint16_at_place, NULL},
    {"add/sub uint32", 4, add_uint32_at_place, NULL},
    {"add/sub uint64", 8, add_uint64_at_place, NULL},
    {"interesting uint8", 1, interesting_uint8_at_place, NULL},
    {"interesting uint16", 2, interesting_uint16_at_place, NULL},
    {"interesting uint32", 4, interesting_uint32_at_place, NULL},
    {"shuffle bytes", 3, shuffle_fitting, NULL},
    {"swap ranges", 3, swap_fitting, NULL},
};
