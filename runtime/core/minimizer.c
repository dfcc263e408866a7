/*
 * minimizer.c - shrinks the values of an input.
 *
 * Removing by halved blocks follows A. Zeller and R. Hildebrandt, "Simplifying
 * and Isolating Failure-Inducing Input", IEEE Transactions on Software
 * Engineering 28(2), 2002; the steps after it and the characters tried are those
 * of Go's minimizer.
 *
 * Invariants
 * 1. Between tries the values are the best accepted so far: each step changes them
 *    in place, tries, and puts back what was there if the try is refused.
 * 2. Whatever is accepted is shorter or plainer than before by an order without
 *    endless descents, so the rounds over the values end.
 * 3. Refused tries of a value's bytes are bounded by its patience, however long it
 *    is: input that cannot be shrunk does not cost as many tries as it has bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "minimizer.h"

/* Refusals that each part of the work on one value's bytes may still meet. */
struct patience {
    int64_t removing;
    int64_t filling;
    int64_t printing;
};

enum {
    /* Guessed: values of some 380 bytes are searched to single bytes whatever happens, and a
     * longer one as long as it is worth it. */
    PATIENCE_REMOVING = 768,
    PATIENCE_FILLING = 768,
    PATIENCE_PRINTING = 4096, /* 128 bytes that none of 32 characters can replace */
    PATIENCE_GAIN = 16,       /* for each accepted try */

    RANGES_LEN_MAX = 32, /* all ranges of a value are tried up to this length: 496 of them */
};

/* What single bytes are replaced by, in order of preference: Go's. */
static const char plain[] = "012789ABCXYZabcxyz !\"#$%&'()*+,.";

struct minimizer {
    struct cfz_values *vs;
    uint64_t *budget;
    cfz_try_fn *try_cand;
    void *ctx;
    uint64_t accepted; /* tries, ever */
    uint8_t *saved;    /* room for the longest value: bytes that a try replaces */
    struct patience patience[CFZ_VALUES_MAX];
};

static bool out_of_budget(const struct minimizer *m)
{
    return *m->budget == 0;
}

/* Tries the values as they are now. */
static bool accept(struct minimizer *m)
{
    if (out_of_budget(m))
        return false;
    --*m->budget;
    if (!m->try_cand(m->ctx, m->vs))
        return false;
    m->accepted++;
    return true;
}

/* ---- []byte and string -------------------------------------------------- */

static bool accept_patiently(struct minimizer *m, int64_t *patience)
{
    bool ok = accept(m);

    *patience += ok ? PATIENCE_GAIN : -1;
    return ok;
}

/* Tries v without its bytes [from, to). */
static bool try_without(struct minimizer *m, struct cfz_value *v, size_t from, size_t to,
                        int64_t *patience)
{
    size_t n = to - from, rest = v->len - to;

    memcpy(m->saved, v->data + from, n);
    memmove(v->data + from, v->data + to, rest);
    v->len -= n;
    if (accept_patiently(m, patience))
        return true;
    memmove(v->data + to, v->data + from, rest);
    memcpy(v->data + from, m->saved, n);
    v->len += n;
    return false;
}

/* Tries v with c in all of [from, to). */
static bool try_fill(struct minimizer *m, struct cfz_value *v, size_t from, size_t to, uint8_t c,
                     int64_t *patience)
{
    memcpy(m->saved, v->data + from, to - from);
    memset(v->data + from, c, to - from);
    if (accept_patiently(m, patience))
        return true;
    memcpy(v->data + from, m->saved, to - from);
    return false;
}

/* Cuts the tail, in lengths halved from all of v to 1, each as often as it goes. */
static void cut_tail(struct minimizer *m, struct cfz_value *v, int64_t *patience)
{
    for (size_t size = v->len; size > 0; size = size > 1 ? (size + 1) / 2 : 0) {
        while (v->len >= size && !out_of_budget(m) && *patience > 0)
            if (!try_without(m, v, v->len - size, v->len, patience))
                break;
    }
}

/* What of the patience is kept for smaller blocks while those of size are tried: they may be
 * the ones that go. */
static int64_t spare_patience(int64_t patience, size_t size)
{
    return size > 1 ? patience / 2 : 0;
}

/*
 * Removes blocks in sizes halved from half of v to 1; single bytes again until none
 * goes. After each size what is left is made of blocks of that size, each with
 * something that matters: the next size finds at most two blocks for each of them.
 */
static void remove_blocks(struct minimizer *m, struct cfz_value *v, int64_t *patience)
{
    size_t size = v->len;
    bool again = size > 1;

    while (again && *patience > 0 && !out_of_budget(m)) {
        uint64_t before = m->accepted;
        int64_t spare;
        size_t from;

        size = (size + 1) / 2;
        spare = spare_patience(*patience, size);
        *patience -= spare;
        for (size_t to = v->len; to > 0 && *patience > 0 && !out_of_budget(m); to = from) {
            from = to > size ? to - size : 0;
            if (to - from == v->len)
                break; /* cut_tail has tried the empty value */
            try_without(m, v, from, to, patience);
        }
        *patience += spare;
        again = size > 1 || m->accepted > before;
    }
}

/* Removes ranges of two bytes and more from a short value, wherever they begin and end. */
static void remove_ranges(struct minimizer *m, struct cfz_value *v, int64_t *patience)
{
    if (v->len > RANGES_LEN_MAX)
        return;
    for (size_t from = 0; from + 1 < v->len; from++) {
        for (size_t to = v->len; to >= from + 2; to--) {
            if (out_of_budget(m) || *patience <= 0)
                return;
            if (to - from < v->len && try_without(m, v, from, to, patience))
                to = v->len + 1; /* from the new end again */
        }
    }
}

static bool is_all(const uint8_t *p, size_t n, uint8_t c)
{
    return n == 0 || (p[0] == c && memcmp(p, p + 1, n - 1) == 0);
}

/* Turns blocks of halved sizes into the plainest byte. */
static void fill_blocks(struct minimizer *m, struct cfz_value *v, int64_t *patience)
{
    uint8_t c = (uint8_t)plain[0];

    for (size_t size = v->len; size > 0; size = size > 1 ? (size + 1) / 2 : 0) {
        int64_t spare = spare_patience(*patience, size);
        size_t to;

        *patience -= spare;
        for (size_t from = 0; from<v->len && * patience> 0 && !out_of_budget(m); from = to) {
            to = v->len - from > size ? from + size : v->len;
            if (!is_all(v->data + from, to - from, c))
                try_fill(m, v, from, to, c, patience);
        }
        *patience += spare;
    }
}

/* Replaces each byte by the first plain character that goes. */
static void make_plain(struct minimizer *m, struct cfz_value *v, int64_t *patience)
{
    for (size_t i = 0; i < v->len; i++) {
        for (const char *c = plain; *c != '\0' && (uint8_t)*c != v->data[i]; c++) {
            if (out_of_budget(m) || *patience <= 0)
                return;
            if (try_fill(m, v, i, i + 1, (uint8_t)*c, patience))
                break;
        }
    }
}

static void minimize_bytes(struct minimizer *m, struct cfz_value *v, struct patience *patience)
{
    cut_tail(m, v, &patience->removing);
    remove_blocks(m, v, &patience->removing);
    remove_ranges(m, v, &patience->removing);
    fill_blocks(m, v, &patience->filling);
    if (patience->filling > 0) /* else there is too much that matters */
        make_plain(m, v, &patience->printing);
}

/* ---- integers and bool --------------------------------------------------- */

static bool try_bits(struct minimizer *m, struct cfz_value *v, uint64_t bits)
{
    uint64_t before = v->bits;

    if (bits == before)
        return true; /* accepted already */
    v->bits = bits;
    if (accept(m))
        return true;
    v->bits = before;
    return false;
}

static bool try_int(struct minimizer *m, struct cfz_value *v, bool negative, uint64_t magnitude)
{
    return try_bits(m, v, negative ? -magnitude : magnitude);
}

/* The positive counterpart, where the type has one. */
static bool try_positive(struct minimizer *m, struct cfz_value *v, uint64_t magnitude)
{
    unsigned bits = 8 * cfz_kind_size(v->kind);

    return magnitude >> (bits - 1) == 0 && try_int(m, v, false, magnitude);
}

static void minimize_int(struct minimizer *m, struct cfz_value *v)
{
    bool negative = cfz_kind_is_signed(v->kind) && cfz_value_int(v) < 0;
    uint64_t magnitude = negative ? -v->bits : v->bits;
    bool cleared;

    if (try_int(m, v, false, 0))
        return;
    if (negative && try_positive(m, v, magnitude))
        negative = false;
    do {
        uint64_t refused = 0;

        while (magnitude - refused > 1 && !out_of_budget(m)) {
            uint64_t middle = refused + (magnitude - refused) / 2;

            if (try_int(m, v, negative, middle))
                magnitude = middle;
            else
                refused = middle;
        }
        /* Where not every value between fails: flags and the like. */
        cleared = false;
        for (uint64_t bit = (uint64_t)1 << 63; bit > 0; bit >>= 1) {
            if ((magnitude & bit) != 0 && magnitude != bit &&
                try_int(m, v, negative, magnitude & ~bit)) {
                magnitude &= ~bit;
                cleared = true;
            }
        }
    } while (cleared && !out_of_budget(m));
    if (negative)
        try_positive(m, v, magnitude);
}

/* ---- floats ----------------------------------------------------------------- */

/* What differs between the two types. */
struct float_type {
    double large;     /* a short value that is nearly as large as any */
    double whole_max; /* whole numbers up to here are exact */
    int digits;       /* that tell all values apart */
    uint64_t sign;    /* its bit */
    uint64_t nan;     /* the pattern that is written as NaN */
};

static const struct float_type float32_type = {1e38, 0x1p24, 9, (uint64_t)1 << 31, 0x7fc00000};
static const struct float_type float64_type = {1e308, 0x1p53, 17, (uint64_t)1 << 63,
                                               0x7ff8000000000001};

static double float_get(const struct cfz_value *v)
{
    return v->kind == CFZ_KIND_FLOAT32 ? (double)cfz_value_f32(v) : cfz_value_f64(v);
}

/* Tries x, rounded to v's type; infinities are no improvement. */
static bool try_float(struct minimizer *m, struct cfz_value *v, double x)
{
    struct cfz_value cand = {.kind = v->kind};

    if (v->kind == CFZ_KIND_FLOAT32)
        cfz_value_set_f32(&cand, (float)x);
    else
        cfz_value_set_f64(&cand, x);
    return isfinite(float_get(&cand)) && try_bits(m, v, cand.bits);
}

/* x, at least 0, without its fraction, or whole_max. (No trunc: libm is not linked.) */
static double whole_part(double x, const struct float_type *type)
{
    return x < type->whole_max ? (double)(int64_t)x : type->whole_max;
}

/*
 * Tries whole numbers for v, a finite value that is not 0: 2^53 (or 2^24) or the
 * neighbours of v, then by binary search down from there. False if none goes.
 */
static bool minimize_whole(struct minimizer *m, struct cfz_value *v, const struct float_type *type)
{
    double x = float_get(v), sign = x < 0 ? -1 : 1, whole = whole_part(fabs(x), type), refused = 0;

    if (whole == 0 || !try_float(m, v, sign * whole)) {
        if (whole >= type->whole_max || !try_float(m, v, sign * (whole + 1)))
            return false;
        refused = whole++;
    }
    while (whole - refused > 1 && !out_of_budget(m)) {
        double middle = whole_part(refused + (whole - refused) / 2, type);

        if (try_float(m, v, sign * middle))
            whole = middle;
        else
            refused = middle;
    }
    return true;
}

/*
 * Makes the decimal form of v short: few digits, then an exponent near 0. Printed
 * and read in one locale, so its decimal point does not matter.
 */
static void shorten_decimal(struct minimizer *m, struct cfz_value *v, const struct float_type *type)
{
    double x = float_get(v);
    char text[64];
    char *e = NULL;
    long exponent, refused;

    for (int digits = 1; digits <= type->digits; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        if (try_float(m, v, strtod(text, NULL)))
            break; /* at the latest with all digits: that is v itself */
    }
    e = strchr(text, 'e');
    if (e == NULL || out_of_budget(m))
        return;
    exponent = strtol(e + 1, NULL, 10);
    refused = 0;
    while (labs(exponent - refused) > 1 && !out_of_budget(m)) {
        long middle = refused + (exponent - refused) / 2;

        snprintf(e, sizeof text - (size_t)(e - text), "e%ld", middle);
        if (try_float(m, v, strtod(text, NULL)))
            exponent = middle;
        else
            refused = middle;
    }
}

static void minimize_float(struct minimizer *m, struct cfz_value *v)
{
    const struct float_type *type = v->kind == CFZ_KIND_FLOAT32 ? &float32_type : &float64_type;
    double x = float_get(v);

    if (try_float(m, v, 0) || x == 0)
        return;
    if (isnan(x)) {
        try_bits(m, v, type->nan);
        return;
    }
    if (x < 0 && try_bits(m, v, v->bits & ~type->sign))
        x = -x;
    if (fabs(x) > type->large)
        try_float(m, v, x < 0 ? -type->large : type->large);
    if (isinf(float_get(v)))
        return;
    if (!minimize_whole(m, v, type))
        shorten_decimal(m, v, type);
}

/* ---- all of them ------------------------------------------------------------- */

static void minimize_value(struct minimizer *m, size_t i)
{
    struct cfz_value *v = &m->vs->v[i];

    if (cfz_kind_is_slot(v->kind))
        minimize_bytes(m, v, &m->patience[i]);
    else if (cfz_kind_is_float(v->kind))
        minimize_float(m, v);
    else
        minimize_int(m, v); /* of a bool: 0 */
}

void cfz_minimize_in(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                     uint8_t *room)
{
    struct minimizer m = {
        .vs = vs, .budget = budget, .try_cand = try_cand, .ctx = ctx, .saved = room};
    size_t quiet = 0;

    CFZ_ASSERT(vs->n <= CFZ_VALUES_MAX);
    for (size_t i = 0; i < vs->n; i++)
        m.patience[i] = (struct patience){PATIENCE_REMOVING, PATIENCE_FILLING, PATIENCE_PRINTING};
    /* Round and round, until as many values as there are were left as they were. */
    for (size_t i = 0; quiet < vs->n && !out_of_budget(&m); i = (i + 1) % vs->n) {
        uint64_t before = m.accepted;

        minimize_value(&m, i);
        quiet = m.accepted == before ? quiet + 1 : 0;
    }
}

int cfz_minimize(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                 struct cfz_error *err)
{
    size_t longest = 0;
    uint8_t *room = NULL;

    for (size_t i = 0; i < vs->n; i++) {
        if (cfz_kind_is_slot(vs->v[i].kind) && vs->v[i].len > longest)
            longest = vs->v[i].len;
    }
    if (longest > 0) {
        room = malloc(longest);
        if (room == NULL)
            return cfz_fail(err, CFZ_ENOMEM, "minimizing: no memory for %zu bytes", longest);
    }
    cfz_minimize_in(vs, budget, try_cand, ctx, room);
    free(room);
    return 0;
}
