/*
 * mutators_mix.c - the mutations of []byte and string that Go does not have: pieces of other inputs
 * and of other values, words and numbers in text, repetition.
 *
 * Crossover and splicing are as old as genetic algorithms; in fuzzing AFL and libFuzzer have both.
 * Words and numbers in text: libFuzzer has the latter (ChangeASCIIInteger), AFL++ mutates text by
 * delimiters. A word here is a run of letters, digits, "_", "-" and bytes from 0x80 on, or a run of
 * anything else.
 *
 * What is written ends with cfz_cut_at_nul, since strings end at their first NUL.
 */
#define _GNU_SOURCE
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "search/mutators.h"
#include "search/mutators_move.h"

enum {
    PIECE_SHORT = 16, /* half of the pieces are not longer */
    WORD_MAX = 64,    /* longer runs are looked at in part */
    DIGITS_MAX = 18,  /* so that a number fits 64 bits */
    REPEAT_MOST = 32,
};

struct piece {
    const uint8_t *p;
    uint32_t n;
    uint32_t room; /* so many bytes from p on can be read, if they are more than n */
};

/* All of a value. */
static inline struct piece text_of(const struct cfz_value *v)
{
    return (struct piece){v->data, (uint32_t)v->len,
                          v->cap < UINT32_MAX ? (uint32_t)v->cap : UINT32_MAX};
}

/* Replaces del bytes at pos by a piece, which is not part of v. False without room. */
static bool replace(struct cfz_value *v, uint32_t pos, uint32_t del, struct piece by,
                    uint64_t limit)
{
    uint64_t len = v->len - del + by.n;

    if (by.n > del && len > limit)
        return false;
    cfz_move_tail(v, pos + del, (size_t)pos + by.n);
    cfz_put_piece(v->data + pos, by.p, by.n);
    cfz_cut_at_nul(v, pos, pos + by.n);
    return true;
}

/* The same value of an input that is no entry; empty if there is none. */
static struct piece other_image(const struct cfz_among *a)
{
    const struct cfz_image *im = a->other(a->r);
    uint32_t at;

    if (!im)
        return (struct piece){NULL, 0, 0};
    at = im->at[a->i];
    return (struct piece){im->bytes + at, im->at[a->i + 1] - at, CFZ_IMAGE_MAX - at};
}

/* The value at the same place in a random entry; empty if there is none. */
static struct piece other_entry(const struct cfz_among *a)
{
    struct piece none = {NULL, 0, 0};
    const uint8_t *p;
    uint64_t n, size;

    if (__builtin_expect(a->other != NULL, 0) && cfz_rand_bool(a->r))
        return other_image(a);
    n = a->run ? atomic_load_explicit(&a->run->nentries, memory_order_acquire) : 0;
    if (n < 2)
        return none;
    p = (const uint8_t *)(cfz_run_shm_entry(a->run, cfz_rand_below(a->r, (uint32_t)n)) + 1);
    for (size_t k = 0;; k++) {
        memcpy(&size, p, sizeof size);
        p += sizeof size;
        if (k == a->i)
            break;
        if (cfz_kind_is_slot(a->vs->v[k].kind))
            p += (size + 7) & ~(uint64_t)7;
    }
    if (size > UINT32_MAX)
        return none;
    /* What follows on its page is there. */
    return (struct piece){p, (uint32_t)size, CFZ_SHM_PAGE - ((uintptr_t)p & (CFZ_SHM_PAGE - 1))};
}

uint32_t cfz_other_bytes(const struct cfz_among *a, const uint8_t **p)
{
    struct piece from = other_entry(a);

    *p = from.p;
    return from.n;
}

/* Draws a part of a piece, which is not empty. */
static struct piece part_of(struct cfz_rand *r, struct piece from)
{
    uint32_t at = cfz_rand_below(r, from.n), max = from.n - at;

    if (max > PIECE_SHORT && cfz_rand_bool(r))
        max = PIECE_SHORT;
    return (struct piece){.p = from.p + at, .n = 1 + cfz_rand_below(r, max)};
}

static bool cross_over(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a);
    uint32_t at;

    if (from.n == 0 || v->len == 0)
        return false;
    from = part_of(a->r, from);
    at = cfz_rand_below(a->r, (uint32_t)v->len);
    if (from.n > v->len - at)
        from.n = (uint32_t)v->len - at;
    return replace(v, at, from.n, from, a->limit);
}

static bool cross_insert(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a);

    if (from.n == 0)
        return false;
    from = part_of(a->r, from);
    return replace(v, cfz_rand_below(a->r, (uint32_t)v->len + 1), 0, from, a->limit);
}

static bool splice(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a);
    uint32_t at, skip;

    if (from.n == 0 || v->len == 0)
        return false;
    at = cfz_rand_below(a->r, (uint32_t)v->len);
    skip = cfz_rand_below(a->r, from.n);
    from.p += skip;
    from.n -= skip;
    return replace(v, at, (uint32_t)v->len - at, from, a->limit);
}

static bool other_value(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    const struct cfz_value *other;
    struct piece from;
    uint32_t at, del;
    size_t k;

    if (a->vs->n < 2)
        return false;
    k = cfz_rand_below(a->r, (uint32_t)a->vs->n - 1);
    other = &a->vs->v[k < a->i ? k : k + 1];
    if (!cfz_kind_is_slot(other->kind) || other->len == 0)
        return false;
    from = part_of(a->r, text_of(other));
    at = cfz_rand_below(a->r, (uint32_t)v->len + 1);
    del = cfz_rand_bool(a->r) ? 0 : from.n;
    if (del > v->len - at)
        del = (uint32_t)v->len - at;
    return replace(v, at, del, from, a->limit);
}

/* ---- text ------------------------------------------------------------------------ */

static const uint64_t LOW7 = 0x7f7f7f7f7f7f7f7f, HIGH = 0x8080808080808080;

/* Bytes that are all c. */
static inline uint64_t all(uint8_t c)
{
    return 0x0101010101010101U * c;
}

/* The highest bit of each byte of x, which has none set: whether it is at least c. */
static inline uint64_t from(uint64_t x, uint8_t c)
{
    return x + all((uint8_t)(0x80 - c));
}

/* The highest bit of each of 8 bytes: whether it belongs to a word. The other bits are 0. */
static inline uint64_t in_word8(uint64_t w)
{
    uint64_t x = w & LOW7, letter = x | all(0x20);

    return (w | (from(letter, 'a') & ~from(letter, 'z' + 1)) | (from(x, '0') & ~from(x, '9' + 1)) |
            ~from(x ^ all('_'), 1) | ~from(x ^ all('-'), 1)) &
           HIGH;
}

static inline bool in_word(uint8_t c)
{
    return in_word8(c) & 0x80;
}

/* The same of 8 bytes in 8 bits, the first byte in the lowest one. */
static inline uint64_t in_word_bits(uint64_t w)
{
    return (in_word8(w) >> 7) * 0x0102040810204080U >> 56;
}

/* The last 8 bytes of a text that has as many. */
static inline uint64_t last8(struct piece text)
{
    uint64_t w;

    memcpy(&w, text.p + text.n - 8, sizeof w);
    return w;
}

/* All bytes of a text of 1 to 7, with zeros behind them. */
static inline uint64_t up_to8(struct piece text)
{
    uint32_t first, last;

    if (text.n < 4)
        return text.p[0] | (uint64_t)text.p[text.n / 2] << text.n / 2 * 8 |
               (uint64_t)text.p[text.n - 1] << (text.n - 1) * 8;
    memcpy(&first, text.p, sizeof first);
    memcpy(&last, text.p + text.n - 4, sizeof last);
    return first | (uint64_t)last << (text.n - 4) * 8;
}

/* The same of 32 bytes. */
static inline uint32_t in_word_bits32(const uint8_t *p)
{
#if defined(__SSE2__)
    uint32_t bits = 0;

    for (int i = 0; i < 2; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
        __m128i in = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter);

        in = _mm_or_si128(in, _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit));
        in = _mm_or_si128(in, _mm_cmpeq_epi8(x, _mm_set1_epi8('_')));
        in = _mm_or_si128(in, _mm_cmpeq_epi8(x, _mm_set1_epi8('-')));
        bits |= (uint32_t)_mm_movemask_epi8(_mm_or_si128(in, x)) << 16 * i;
    }
    return bits;
#else
    uint64_t w, bits = 0;

    for (uint32_t i = 0; i < 32; i += 8) {
        memcpy(&w, p + i, sizeof w);
        bits |= in_word_bits(w) << i;
    }
    return (uint32_t)bits;
#endif
}

/* The word around a position of a text of 1 to 64 bytes, without a branch that depends on where it
 * ends: that is not to be guessed. */
static inline struct piece word_at_short(struct piece text, uint32_t pos)
{
    uint64_t in = 0, w, ends;
    uint32_t i = 0;

    if (text.n <= 32 && text.room >= 32) {
        in = in_word_bits32(text.p);
        i = text.n;
    }
    for (; i + 8 <= text.n; i += 8) {
        memcpy(&w, text.p + i, 8);
        in |= in_word_bits(w) << i;
    }
    if (i < text.n)
        in |= i > 0 ? in_word_bits(last8(text)) << (text.n - 8) : in_word_bits(up_to8(text));
    ends = in >> pos & 1 ? ~in : in; /* bit i: byte i is not of the same word */
    if (text.n < 64)
        ends |= UINT64_MAX << text.n;
    w = ends & (((uint64_t)1 << pos) - 1);
    i = w != 0 ? 64 - (uint32_t)__builtin_clzll(w) : 0;
    w = ends >> pos;
    return (struct piece){.p = text.p + i,
                          .n = (w != 0 ? pos + (uint32_t)__builtin_ctzll(w) : 64) - i};
}

/* The word around a position of a text that is not empty. It is looked for 8 bytes at a time. */
static struct piece word_at(struct piece text, uint32_t pos)
{
    uint64_t in, w;
    uint32_t from = pos, to = pos + 1;

    if (text.n <= 64)
        return word_at_short(text, pos);
    in = in_word(text.p[pos]) ? HIGH : 0;
    while (from >= 8 && pos - from < WORD_MAX) {
        memcpy(&w, text.p + from - 8, 8);
        w = in_word8(w) ^ in;
        if (w != 0) {
            from -= (uint32_t)__builtin_clzll(w) / 8;
            goto forward;
        }
        from -= 8;
    }
    while (from > 0 && pos - from < WORD_MAX && in_word(text.p[from - 1]) == (in != 0))
        from--;
forward:
    while (text.n - to >= 8 && to - pos <= WORD_MAX - 8) {
        memcpy(&w, text.p + to, 8);
        w = in_word8(w) ^ in;
        if (w != 0)
            return (struct piece){.p = text.p + from,
                                  .n = to + (uint32_t)__builtin_ctzll(w) / 8 - from};
        to += 8;
    }
    while (to < text.n && to - pos < WORD_MAX && in_word(text.p[to]) == (in != 0))
        to++;
    return (struct piece){.p = text.p + from, .n = to - from};
}

static struct piece random_word(struct cfz_rand *r, struct piece text)
{
    return word_at(text, cfz_rand_below(r, text.n));
}

static bool exchange_word(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a), gone;

    if (from.n == 0 || v->len == 0)
        return false;
    from = random_word(a->r, from);
    gone = random_word(a->r, text_of(v));
    return replace(v, (uint32_t)(gone.p - v->data), gone.n, from, a->limit);
}

static bool insert_word(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a), before;

    if (from.n == 0 || v->len == 0)
        return false;
    from = random_word(a->r, from);
    before = random_word(a->r, text_of(v));
    return replace(v, (uint32_t)(before.p - v->data), 0, from, a->limit);
}

static bool remove_word(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct piece gone = random_word(r, text_of(v));

    return replace(v, (uint32_t)(gone.p - v->data), gone.n, (struct piece){.p = gone.p}, limit);
}

/* Another number for one in decimal. */
static uint64_t another_number(struct cfz_rand *r, uint64_t n)
{
    switch (cfz_rand_below(r, 6)) {
    case 0:
        return n + 1;
    case 1:
        return n == 0 ? 0 : n - 1;
    case 2:
        return n * 2;
    case 3:
        return n / 2;
    case 4: /* 2^k, 1 less or more */
        return ((uint64_t)1 << cfz_rand_below(r, 64)) + cfz_rand_below(r, 3) - 1;
    default: /* any number of some bits */
        return cfz_rand_u64(r) >> cfz_rand_below(r, 64);
    }
}

static bool change_number(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, pos = cfz_rand_below(r, len), end, k = 0;
    uint8_t text[24];
    uint64_t n = 0;

    while (pos < len && !(v->data[pos] >= '0' && v->data[pos] <= '9'))
        pos++;
    if (pos == len)
        return false;
    for (end = pos;
         end < len && end - pos < DIGITS_MAX && v->data[end] >= '0' && v->data[end] <= '9'; end++)
        n = 10 * n + (v->data[end] - '0');
    n = another_number(r, n);
    do
        text[sizeof text - ++k] = (uint8_t)('0' + n % 10);
    while ((n /= 10) != 0);
    return replace(v, pos, end - pos, (struct piece){.p = text + sizeof text - k, .n = k}, limit);
}

static bool repeat_bytes(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    uint32_t len = (uint32_t)v->len, pos = cfz_rand_below(r, len), max = len - pos, n, times;

    n = 1 + cfz_rand_below(r, max < PIECE_SHORT ? max : PIECE_SHORT);
    times = 1 + cfz_rand_below(r, REPEAT_MOST);
    if (v->len + (uint64_t)n * times > limit)
        return false;
    cfz_move_tail(v, pos + n, pos + n + n * times);
    /* Each copy is of all that is there so far. */
    for (uint32_t have = n, all = n + n * times; have < all; have *= 2)
        cfz_put_piece(v->data + pos + have, v->data + pos, have < all - have ? have : all - have);
    return true;
}

/* The line around a position, with the newline at its end. */
static struct piece line_at(struct piece text, uint32_t pos)
{
    const uint8_t *before = memrchr(text.p, '\n', pos);
    const uint8_t *end = memchr(text.p + pos, '\n', text.n - pos);
    const uint8_t *from = before ? before + 1 : text.p;

    return (struct piece){.p = from, .n = (uint32_t)((end ? end + 1 : text.p + text.n) - from)};
}

static bool insert_line(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    struct piece from = other_entry(a), before;

    if (from.n == 0 || v->len == 0)
        return false;
    from = line_at(from, cfz_rand_below(a->r, from.n));
    before = line_at(text_of(v), cfz_rand_below(a->r, (uint32_t)v->len));
    return replace(v, (uint32_t)(before.p - v->data), 0, from, a->limit);
}

/* Puts a piece in brackets or quotes. */
static bool enclose(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    static const char pairs[][2] = {{'(', ')'}, {'[', ']'}, {'{', '}'},
                                    {'<', '>'}, {'"', '"'}, {'\'', '\''}};
    struct piece text = text_of(v), in;
    const char *pair = pairs[cfz_rand_below(r, sizeof pairs / sizeof pairs[0])];
    uint32_t at;

    if (v->len + 2 > limit)
        return false;
    in = cfz_rand_bool(r) ? random_word(r, text) : part_of(r, text);
    at = (uint32_t)(in.p - v->data);
    cfz_move_tail(v, at + in.n, (size_t)at + in.n + 2);
    cfz_put_piece(v->data + at + 1, v->data + at, in.n);
    v->data[at] = (uint8_t)pair[0];
    v->data[at + in.n + 1] = (uint8_t)pair[1];
    return true;
}

/* Makes each byte of a piece, or of all, two bytes: a text in UTF-16. All of it may get a byte
 * order mark. */
static bool widen(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    struct piece in = text_of(v);
    uint32_t big = cfz_rand_below(r, 2), mark = cfz_rand_below(r, 3), at;

    if (mark == 0)
        in = part_of(r, in);
    mark = mark == 1 ? 2 : 0;
    if (cfz_kind_is_string(v->kind) || v->len + in.n + mark > limit)
        return false;
    at = (uint32_t)(in.p - v->data);
    cfz_move_tail(v, at + in.n, at + 2 * (size_t)in.n + mark);
    for (uint32_t i = in.n; i-- > 0;) {
        uint8_t b = v->data[at + i];

        v->data[at + 2 * i + mark + big] = b;
        v->data[at + 2 * i + mark + 1 - big] = 0;
    }
    if (mark) {
        v->data[at] = big ? 0xfe : 0xff;
        v->data[at + 1] = big ? 0xff : 0xfe;
    }
    return true;
}

const struct cfz_mutation cfz_mix_mutations[CFZ_MIX_MUTATIONS] = {
    {"cross over", 1, NULL, cross_over},
    {"insert from another input", 0, NULL, cross_insert},
    {"splice", 1, NULL, splice},
    {"take from another value", 0, NULL, other_value},
    {"exchange a word", 1, NULL, exchange_word},
    {"insert a word", 1, NULL, insert_word},
    {"remove a word", 2, remove_word, NULL},
    {"change a number in text", 1, change_number, NULL},
    {"repeat bytes", 1, repeat_bytes, NULL},
    {"insert a line", 1, NULL, insert_line},
    {"enclose", 1, enclose, NULL},
    {"widen to 16 bits", 1, widen, NULL},
    {"resize within lengths", 2, cfz_bytes_resize, NULL},
    {"insert within lengths", 2, NULL, cfz_bytes_insert_within},
    {"change an element", 4, NULL, cfz_bytes_element},
};
