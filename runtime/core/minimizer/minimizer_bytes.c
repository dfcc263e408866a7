/*
 * minimizer_bytes.c - makes a []byte or string short, then plain.
 *
 * Removing by halved blocks follows A. Zeller and R. Hildebrandt, "Simplifying
 * and Isolating Failure-Inducing Input", IEEE Transactions on Software
 * Engineering 28(2), 2002; the steps after it and the characters tried are those
 * of Go's minimizer.
 *
 * What a program uses together has to shrink together: bytes and an integer that says how many they
 * are, in another argument or in a header before them; bytes and the checksum of the stream that
 * they are in; two buffers that are compared. So a step that is refused alone is tried in company
 * (enum cfz_company), if the values happen to agree. The company that was accepted last is tried
 * first, so that a long value costs one try a step, not one for each company.
 */
#include <string.h>

#include "core/deflate/stored.h"
#include "core/field.h"
#include "core/minimizer/minimizing.h"

enum {
    PATIENCE_GAIN = 16, /* patience for each accepted try; guessed */

    FIELD_NEAR =
        16, /* bytes at the beginning, and before a step, where length fields may be; guessed */

    RANGES_LEN_MAX = 32, /* bytes of a value of which every range is tried: 496 ranges; guessed */
};

/* What single bytes are replaced by, in order of preference: Go's. */
static const char plain[] = "012789ABCXYZabcxyz !\"#$%&'()*+,.";

/* Tries the values as they are now. *patience pays for a refusal, and gains from an acceptance. */
static bool accept_patiently(struct cfz_minimizer *m, int64_t *patience)
{
    bool ok = cfz_accept(m);

    *patience += ok ? PATIENCE_GAIN : -1;
    return ok;
}

/* ---- company --------------------------------------------------------------- */

/* A number among bytes; width 0: none. */
struct field {
    size_t at;
    unsigned width; /* bytes: 1, 2, 4 */
    bool big;       /* the most significant one first */
};

/* One step on value i and, as bits, the values that take part in it. */
struct step {
    size_t i, from, to;
    uint64_t numbers, twins;
    struct field field;              /* before from */
    struct cfz_stored_stream stream; /* around from and to; len 0: none */
    int64_t *patience;
};

/* Whether a number may say that there are n: it is n, or 1 more or less. */
static bool tells(uint64_t number, uint64_t n)
{
    return number - n + 1 <= 2; /* -1, 0 or 1, moved up by 1; the rest wraps around */
}

/* Integers that may say v's length (with 1 more, a size with NUL; with 1 less, a last index), and
 * that the removed bytes can be taken from. */
static uint64_t numbers_of(const struct cfz_minimizer *m, const struct cfz_value *v, size_t removed)
{
    uint64_t found = 0;

    for (size_t j = 0; j < m->vs->n; j++) {
        const struct cfz_value *w = &m->vs->v[j];

        if (cfz_is_integer(w) && !cfz_is_negative(w) && w->bits >= removed &&
            tells(w->bits, v->len))
            found |= (uint64_t)1 << j;
    }
    return found;
}

/* Other values as long as value i. */
static uint64_t twins_of(const struct cfz_minimizer *m, size_t i)
{
    const struct cfz_value *v = m->vs->v;
    uint64_t found = 0;

    for (size_t j = 0; j < m->vs->n; j++) {
        if (j != i && cfz_kind_is_slot(v[j].kind) && v[j].len == v[i].len)
            found |= (uint64_t)1 << j;
    }
    return found;
}

/* A field in the bytes of a value: reads it, writes it. */
static uint64_t field_get(const uint8_t *data, const struct field *f)
{
    return cfz_field_get(data + f->at, f->width, f->big);
}

static void field_set(uint8_t *data, const struct field *f, uint64_t number)
{
    cfz_field_put(data + f->at, f->width, f->big, number);
}

/* The first field before from that tells the length of v, or of what follows the field, and that
 * the removed bytes can be taken from. None in strings, which would get NULs. */
static struct field field_of(const struct cfz_value *v, size_t from, size_t removed)
{
    for (size_t at = 0; cfz_kind_is_bytes(v->kind) && at < from; at++) {
        if (at == FIELD_NEAR && from > (size_t)2 * FIELD_NEAR)
            at = from - FIELD_NEAR; /* skips the middle */
        for (unsigned width = 1; width <= 4 && at + width <= from; width *= 2) {
            for (unsigned big = 0; big <= (width > 1); big++) {
                struct field f = {at, width, big};
                uint64_t number = field_get(v->data, &f);

                if (number >= removed &&
                    (tells(number, v->len) || tells(number, v->len - at - width)))
                    return f;
            }
        }
    }
    return (struct field){0, 0, false};
}

/* The stored streams of a value. */
static struct cfz_stored streams_of(const struct cfz_value *v)
{
    struct cfz_stored found = {.on = true};

    if (cfz_kind_is_bytes(v->kind))
        cfz_stored_find_in(&found, 0, v->data, v->len);
    return found;
}

/* The stream that holds [from, to). */
static struct cfz_stored_stream stream_around(const struct cfz_stored *found, size_t from,
                                              size_t to)
{
    for (uint32_t k = 0; k < found->n; k++) {
        const size_t begin = found->v[k].at + CFZ_STORED_BLOCK;

        if (from >= begin && to <= begin + found->v[k].len)
            return found->v[k];
    }
    return (struct cfz_stored_stream){0};
}

/* Whether [from, to) has bytes of a block's header, by which it is known, and not all of what it
 * holds. */
static bool is_header(const struct cfz_stored *found, size_t from, size_t to)
{
    for (uint32_t k = 0; k < found->n; k++) {
        const size_t at = found->v[k].at, begin = at + CFZ_STORED_BLOCK;

        if (from < begin && to > at && !(from <= at && to >= begin + found->v[k].len))
            return true;
    }
    return false;
}

/* Makes the stream right for so many bytes that it holds now. */
static void stream_write(const struct cfz_value *v, const struct cfz_stored_stream *s, size_t len)
{
    cfz_stored_write_block((enum cfz_stored_kind)s->kind, v->data + s->at, (uint32_t)len);
}

static bool is_in(uint64_t set, size_t j)
{
    return (set >> j & 1) != 0;
}

/* ---- the two steps ------------------------------------------------------------ */

/* Moves [from, to) of v behind its new end. put_back moves it back from there. */
static void take_out(const struct cfz_minimizer *m, struct cfz_value *v, size_t from, size_t to)
{
    size_t n = to - from, rest = v->len - to;

    memcpy(m->room, v->data + from, n);
    memmove(v->data + from, v->data + to, rest);
    memcpy(v->data + from + rest, m->room, n);
    v->len -= n;
}

static void put_back(const struct cfz_minimizer *m, struct cfz_value *v, size_t from, size_t to)
{
    size_t n = to - from, rest = v->len - from;

    memcpy(m->room, v->data + v->len, n);
    memmove(v->data + to, v->data + from, rest);
    memcpy(v->data + from, m->room, n);
    v->len += n;
}

/* Removes the bytes of the step from all members of the company, and lowers what counts them. */
static bool remove_in(struct cfz_minimizer *m, const struct step *s, unsigned company)
{
    struct cfz_value *v = m->vs->v;
    uint64_t numbers = company & CFZ_WITH_NUMBERS ? s->numbers : 0;
    uint64_t members = (uint64_t)1 << s->i | (company & CFZ_WITH_TWINS ? s->twins : 0);
    uint64_t told = company & CFZ_WITH_FIELD ? field_get(v[s->i].data, &s->field) : 0;

    if (company & CFZ_WITH_FIELD)
        field_set(v[s->i].data, &s->field, told - (s->to - s->from));
    for (size_t j = 0; j < m->vs->n; j++) {
        if (is_in(members, j))
            take_out(m, &v[j], s->from, s->to);
        else if (is_in(numbers, j))
            v[j].bits -= s->to - s->from;
    }
    if (company & CFZ_WITH_STREAM)
        stream_write(&v[s->i], &s->stream, s->stream.len - (s->to - s->from));
    if (accept_patiently(m, s->patience))
        return true;
    for (size_t j = 0; j < m->vs->n; j++) {
        if (is_in(members, j))
            put_back(m, &v[j], s->from, s->to);
        else if (is_in(numbers, j))
            v[j].bits += s->to - s->from;
    }
    if (company & CFZ_WITH_STREAM)
        stream_write(&v[s->i], &s->stream, s->stream.len);
    if (company & CFZ_WITH_FIELD)
        field_set(v[s->i].data, &s->field, told);
    return false;
}

/* Fills the bytes of the step with c in all members of the company. They have equal bytes there, so
 * one copy is enough to put them back. */
static bool fill_in(struct cfz_minimizer *m, const struct step *s, unsigned company, uint8_t c)
{
    struct cfz_value *v = m->vs->v;
    uint64_t members = (uint64_t)1 << s->i | (company & CFZ_WITH_TWINS ? s->twins : 0);
    size_t n = s->to - s->from;

    memcpy(m->room, v[s->i].data + s->from, n);
    for (size_t j = 0; j < m->vs->n; j++) {
        if (is_in(members, j))
            memset(v[j].data + s->from, c, n);
    }
    if (company & CFZ_WITH_STREAM)
        stream_write(&v[s->i], &s->stream, s->stream.len);
    if (accept_patiently(m, s->patience))
        return true;
    for (size_t j = 0; j < m->vs->n; j++) {
        if (is_in(members, j))
            memcpy(v[j].data + s->from, m->room, n);
    }
    if (company & CFZ_WITH_STREAM)
        stream_write(&v[s->i], &s->stream, s->stream.len);
    return false;
}

/* Whether the company c is there for this step. */
static bool has_company(const struct step *s, unsigned c)
{
    return ((c & CFZ_WITH_NUMBERS) == 0 || s->numbers != 0) &&
           ((c & CFZ_WITH_TWINS) == 0 || s->twins != 0) &&
           ((c & CFZ_WITH_FIELD) == 0 || s->field.width != 0) &&
           ((c & CFZ_WITH_STREAM) == 0 || s->stream.len != 0) &&
           ((c & CFZ_WITH_TWINS) == 0 || /* whose fields and streams are not looked for */
            (c & (CFZ_WITH_FIELD | CFZ_WITH_STREAM)) == 0);
}

/* Tries a step in each company, the one that was accepted last first. fill is a byte, or -1 to
 * remove. */
static bool try_step(struct cfz_minimizer *m, const struct step *s, int fill)
{
    unsigned last = m->company[s->i];

    for (unsigned k = 0; k < CFZ_COMPANIES; k++) {
        /* Tries last, then the others from 0 on. */
        unsigned c = k == 0 ? last : k <= last ? k - 1 : k;

        if (!has_company(s, c) || (k > 0 && *s->patience <= 0))
            continue;
        if (fill < 0 ? remove_in(m, s, c) : fill_in(m, s, c, (uint8_t)fill)) {
            m->company[s->i] = (uint8_t)c;
            return true;
        }
    }
    return false;
}

/* Tries value i without its bytes [from, to). */
static bool try_without(struct cfz_minimizer *m, size_t i, size_t from, size_t to,
                        int64_t *patience)
{
    struct step s = {.i = i, .from = from, .to = to, .patience = patience};
    struct cfz_stored found;

    s.numbers = numbers_of(m, &m->vs->v[i], to - from);
    s.twins = twins_of(m, i);
    s.field = field_of(&m->vs->v[i], from, to - from);
    found = streams_of(&m->vs->v[i]);
    s.stream = stream_around(&found, from, to);
    return try_step(m, &s, -1);
}

/* Tries value i with c in all of [from, to). */
static bool try_fill(struct cfz_minimizer *m, size_t i, size_t from, size_t to, char c,
                     int64_t *patience)
{
    struct step s = {.i = i, .from = from, .to = to, .patience = patience};
    const struct cfz_value *v = m->vs->v;
    const struct cfz_stored found = streams_of(&v[i]);

    if (is_header(&found, from, to))
        return false;
    s.twins = twins_of(m, i);
    for (size_t j = 0; j < m->vs->n; j++) {
        if (is_in(s.twins, j) && memcmp(v[i].data + from, v[j].data + from, to - from) != 0)
            s.twins &= ~((uint64_t)1 << j);
    }
    s.stream = stream_around(&found, from, to);
    return try_step(m, &s, (uint8_t)c);
}

/* ---- short -------------------------------------------------------------------- */

/* Cuts the tail, in lengths halved from all of it to 1, each as often as it is accepted. */
static void cut_tail(struct cfz_minimizer *m, size_t i, int64_t *patience)
{
    const struct cfz_value *v = &m->vs->v[i];

    for (size_t size = v->len; size > 0; size = size > 1 ? (size + 1) / 2 : 0) {
        while (v->len >= size && !cfz_out_of_budget(m) && *patience > 0)
            if (!try_without(m, i, v->len - size, v->len, patience))
                break;
    }
}

/* How much of the patience is kept for smaller blocks while blocks of size are tried, since it may
 * be the smaller ones that can go. */
static int64_t spare_patience(int64_t patience, size_t size)
{
    return size > 1 ? patience / 2 : 0;
}

/*
 * Removes blocks, in sizes halved from half of the value to 1, and single bytes again until none
 * can go. After a size, each block of that size that is left has something that matters, so the
 * next size tries at most two blocks for each of them.
 */
static void remove_blocks(struct cfz_minimizer *m, size_t i, int64_t *patience)
{
    const struct cfz_value *v = &m->vs->v[i];
    size_t size = v->len;
    bool again = size > 1;

    while (again && *patience > 0 && !cfz_out_of_budget(m)) {
        uint64_t before = m->accepted;
        int64_t spare;
        size_t from;

        size = (size + 1) / 2;
        spare = spare_patience(*patience, size);
        *patience -= spare;
        for (size_t to = v->len; to > 0 && *patience > 0 && !cfz_out_of_budget(m); to = from) {
            from = to > size ? to - size : 0;
            if (to - from == v->len)
                break; /* cut_tail has tried the empty value */
            try_without(m, i, from, to, patience);
        }
        *patience += spare;
        again = size > 1 || m->accepted > before;
    }
}

/* Removes any range of two bytes and more from a short value. */
static void remove_ranges(struct cfz_minimizer *m, size_t i, int64_t *patience)
{
    const struct cfz_value *v = &m->vs->v[i];

    if (v->len > RANGES_LEN_MAX)
        return;
    for (size_t from = 0; from + 1 < v->len; from++) {
        for (size_t to = v->len; to >= from + 2; to--) {
            if (cfz_out_of_budget(m) || *patience <= 0)
                return;
            if (to - from < v->len && try_without(m, i, from, to, patience))
                to = v->len + 1; /* from the new end again */
        }
    }
}

/* ---- plain -------------------------------------------------------------------- */

static bool is_all(const uint8_t *p, size_t n, char c)
{
    return n == 0 || (p[0] == (uint8_t)c && memcmp(p, p + 1, n - 1) == 0);
}

/* Turns blocks of halved sizes into the plainest byte. */
static void fill_blocks(struct cfz_minimizer *m, size_t i, int64_t *patience)
{
    const struct cfz_value *v = &m->vs->v[i];

    for (size_t size = v->len; size > 0; size = size > 1 ? (size + 1) / 2 : 0) {
        int64_t spare = spare_patience(*patience, size);
        size_t to;

        *patience -= spare;
        for (size_t from = 0; from<v->len && * patience> 0; from = to) {
            if (cfz_out_of_budget(m))
                break;
            to = v->len - from > size ? from + size : v->len;
            if (!is_all(v->data + from, to - from, plain[0]))
                try_fill(m, i, from, to, plain[0], patience);
        }
        *patience += spare;
    }
}

/* Replaces each byte by the first plain character that is accepted. */
static void make_plain(struct cfz_minimizer *m, size_t i, int64_t *patience)
{
    const struct cfz_value *v = &m->vs->v[i];

    for (size_t at = 0; at < v->len; at++) {
        for (const char *c = plain; *c != '\0' && (uint8_t)*c != v->data[at]; c++) {
            if (cfz_out_of_budget(m) || *patience <= 0)
                return;
            if (try_fill(m, i, at, at + 1, *c, patience))
                break;
        }
    }
}

void cfz_minimize_bytes(struct cfz_minimizer *m, size_t i)
{
    struct cfz_patience *patience = &m->patience[i];

    cut_tail(m, i, &patience->removing);
    remove_blocks(m, i, &patience->removing);
    remove_ranges(m, i, &patience->removing);
    fill_blocks(m, i, &patience->filling);
    if (patience->filling > 0) /* otherwise too much of the value matters */
        make_plain(m, i, &patience->printing);
}
