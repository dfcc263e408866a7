/*
 * minimizer_num.c - brings numbers near 0 and makes floats short.
 *
 * The order for an integer whose distance from 0 is m (log: to the base of 2). "Accepted" is what
 * the caller's callback says, mostly that the test fails with it:
 *
 *     0, the positive one, 1, -1             4 tries
 *     binary search                          log m: exact if all from some value on are accepted
 *     if it depends on digits or bits, each from its least candidate up:
 *       low bits and low decimal digits      4/3 log m: values modulo something
 *       powers of 2 and their neighbours,
 *       powers of 10                         10/3 log m: flags, sizes
 *       m / 10^k, m / 2^k                    4/3 log m: leading digits
 *       m without one byte, one bit          9/8 log m: masks
 *     all of it again from binary search, until nothing is accepted
 *     at the very end 1, -1, 2, -2 ... 64    what no search finds
 *
 * Numbers that only go together (they are equal, or at a fixed distance) are lowered by the same
 * amount, in the same order.
 *
 * The candidates are our own choice of what programs compare with; the reasons are in
 * docs/decisions/044-minimizing-values.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/minimizer/minimizing.h"

enum {
    WALK_MAX = 64, /* numbers up to here are tried one by one; guessed: 128 cheap tries */
    SHORT_DIGITS =
        4, /* of a float with at most so many digits, the least digits are searched for; guessed */
    SMALL = 64, /* refusals of magnitudes below are remembered: bits of refused_small */
};

/* A number that is made smaller: a value, several together, or the digits of a float. */
struct search {
    struct cfz_minimizer *m;
    size_t i;               /* the value, or the first of several, whose patience is used */
    bool negative;          /* its sign; not used for several */
    uint64_t best;          /* the least magnitude that was accepted */
    uint64_t refused_small; /* bit k: magnitude k, below SMALL, of this sign was refused */
    bool (*try_at)(struct search *s, bool negative, uint64_t magnitude);
    uint64_t members; /* for try_together: the values */
    int exponent;     /* for try_decimal */
};

static struct cfz_value *value_of(const struct search *s)
{
    return &s->m->vs->v[s->i];
}

static bool is_over(const struct search *s)
{
    return cfz_out_of_budget(s->m) || s->m->patience[s->i].lowering <= 0;
}

/* Tries a magnitude. Returns whether it was accepted; then it is the best. */
static bool try_magnitude(struct search *s, bool negative, uint64_t to)
{
    if (is_over(s))
        return false;
    if (s->try_at(s, negative, to)) {
        if (negative != s->negative)
            s->refused_small = 0;
        s->negative = negative;
        s->best = to;
        return true;
    }
    s->m->patience[s->i].lowering--;
    if (negative == s->negative && to < SMALL)
        s->refused_small |= (uint64_t)1 << to;
    return false;
}

/* Tries a magnitude, unless it is not smaller than the best or was refused before. */
static bool lower(struct search *s, uint64_t to)
{
    if (to >= s->best || (to < SMALL && (s->refused_small >> to & 1) != 0))
        return false;
    return try_magnitude(s, s->negative, to);
}

/* Binary search: in the end best was accepted and best - 1 was refused. */
static void bisect(struct search *s)
{
    uint64_t refused = 0;

    while (s->best - refused > 1 && !is_over(s)) {
        uint64_t middle = refused + (s->best - refused) / 2;

        if (!lower(s, middle))
            refused = middle;
    }
}

/* Tries the low bits alone, the fewest first. A clear bit makes no new number, so it is left
 * out. */
static void try_low_bits(struct search *s)
{
    uint64_t all = s->best;

    for (unsigned k = 0; k < 64 && all >> k > 1; k++) {
        uint64_t bit = (uint64_t)1 << k;

        if ((all & bit) != 0 && lower(s, all & (bit | (bit - 1))))
            return;
    }
}

/* Tries the low decimal digits alone, the fewest first. */
static void try_low_digits(struct search *s)
{
    uint64_t all = s->best;

    for (uint64_t ten = 10; all / ten > 0; ten *= 10) {
        if (all % ten >= ten / 10 && lower(s, all % ten))
            return;
        if (ten > UINT64_MAX / 10)
            return;
    }
}

/* Tries powers of 2 and their neighbours, then powers of 10, from the least up. */
static void try_powers(struct search *s)
{
    uint64_t ten = 10;

    for (unsigned k = 1; k < 64 && (uint64_t)1 << k <= s->best; k++) {
        uint64_t two = (uint64_t)1 << k;

        if (lower(s, two - 1) || lower(s, two) || lower(s, two + 1))
            break;
    }
    while (ten < s->best && !lower(s, ten) && ten <= UINT64_MAX / 10)
        ten *= 10;
}

/* Tries the leading digits alone, decimal and then binary, the fewest first. */
static void try_high_digits(struct search *s)
{
    uint64_t all = s->best, ten = 1;

    while (all / ten >= 10)
        ten *= 10;
    for (; ten > 1; ten /= 10) {
        if (lower(s, all / ten))
            break;
    }
    all = s->best;
    for (unsigned k = 63; k > 0; k--) {
        if (all >> k > 1 && lower(s, all >> k))
            break;
    }
}

/* Clears bytes, then bits, from the top. */
static void clear_parts(struct search *s)
{
    for (unsigned shift = 64; shift > 0; shift -= 8) {
        uint64_t byte = (uint64_t)0xff << (shift - 8);

        if ((s->best & byte) != 0 && (s->best & ~byte) != 0)
            lower(s, s->best & ~byte);
    }
    for (uint64_t bit = (uint64_t)1 << 63; bit > 0; bit >>= 1) {
        if ((s->best & bit) != 0 && s->best != bit)
            lower(s, s->best & ~bit);
    }
}

/* All searches, again and again until none helps. The caller has tried 0. */
static void search_down(struct search *s)
{
    uint64_t before;

    do {
        before = s->best;
        bisect(s);
        try_low_bits(s);
        try_low_digits(s);
        try_powers(s);
        try_high_digits(s);
        clear_parts(s);
    } while (s->best < before && !is_over(s));
}

/* ---- integers and bool --------------------------------------------------- */

/* Tries bits as the value v. */
static bool try_bits(struct cfz_minimizer *m, struct cfz_value *v, uint64_t bits)
{
    uint64_t before = v->bits;

    if (bits == before)
        return true; /* accepted already */
    v->bits = bits;
    if (cfz_accept(m))
        return true;
    v->bits = before;
    return false;
}

/* A try_at. Refuses what the type cannot hold without a try. */
static bool try_integer(struct search *s, bool negative, uint64_t magnitude)
{
    struct cfz_value *v = value_of(s);

    if (cfz_kind_is_signed(v->kind) && !negative &&
        magnitude >> (cfz_kind_c_width(v->kind) - 1) != 0)
        return false;
    return try_bits(s->m, v, negative ? -magnitude : magnitude);
}

static struct search integer_search(struct cfz_minimizer *m, size_t i)
{
    const struct cfz_value *v = &m->vs->v[i];

    return (struct search){.m = m,
                           .i = i,
                           .negative = cfz_is_negative(v),
                           .best = cfz_magnitude(v),
                           .try_at = try_integer};
}

static void minimize_integer(struct cfz_minimizer *m, size_t i)
{
    struct search s = integer_search(m, i);
    bool is_signed = cfz_kind_is_signed(value_of(&s)->kind), turned;

    if (s.best == 0 || try_magnitude(&s, false, 0))
        return;
    if (s.negative)
        try_magnitude(&s, false, s.best);
    if (s.best > 1 && !try_magnitude(&s, false, 1) && is_signed)
        try_magnitude(&s, true, 1);
    do {
        search_down(&s);
        turned = s.negative && try_magnitude(&s, false, s.best);
    } while (turned);
}

/* ---- several integers ------------------------------------------------------ */

/* A try_at: lowers all members by as much as best is lowered. */
static bool try_together(struct search *s, bool unused, uint64_t to)
{
    struct cfz_value *v = s->m->vs->v;
    uint64_t by = s->best - to, negative = 0;

    (void)unused;
    for (size_t j = 0; j < s->m->vs->n; j++) {
        if ((s->members >> j & 1) == 0)
            continue;
        if (cfz_is_negative(&v[j])) {
            negative |= (uint64_t)1 << j;
            v[j].bits += by;
        } else {
            v[j].bits -= by;
        }
    }
    if (cfz_accept(s->m))
        return true;
    for (size_t j = 0; j < s->m->vs->n; j++) {
        if ((s->members >> j & 1) != 0)
            v[j].bits += (negative >> j & 1) != 0 ? -by : by;
    }
    return false;
}

void cfz_lower_together(struct cfz_minimizer *m, uint64_t members)
{
    struct search s = {.m = m, .best = UINT64_MAX, .try_at = try_together, .members = members};

    if ((members & (members - 1)) == 0)
        return; /* not even two */
    s.i = (size_t)__builtin_ctzll(members);
    for (size_t j = 0; j < m->vs->n; j++) {
        if ((members >> j & 1) != 0 && cfz_magnitude(&m->vs->v[j]) < s.best)
            s.best = cfz_magnitude(&m->vs->v[j]);
    }
    /* Most integers have nothing to do with each other. Three tries show that. */
    if (lower(&s, 0) || !(lower(&s, s.best / 2) || lower(&s, s.best - 1)))
        return;
    search_down(&s);
}

/* ---- floats ----------------------------------------------------------------- */

/* What differs between the two types. */
struct float_type {
    double large;       /* a short decimal near the largest value */
    uint64_t whole_max; /* whole numbers up to here are exact */
    int digits;         /* so many decimal digits tell all values apart */
    uint64_t sign;      /* the bit of the sign */
    uint64_t nan;       /* the pattern that corpus files write as NaN */
};

static const struct float_type float32_type = {1e38, (uint64_t)1 << 24, 9, (uint64_t)1 << 31,
                                               0x7fc00000};
static const struct float_type float64_type = {1e308, (uint64_t)1 << 53, 17, (uint64_t)1 << 63,
                                               0x7ff8000000000001};

static const struct float_type *type_of(const struct cfz_value *v)
{
    return cfz_kind_is(v->kind, CFZ_FAMILY_FLOAT, 32) ? &float32_type : &float64_type;
}

/* Tries x, rounded to v's type. Refuses what becomes an infinity without a try. */
static bool try_float(struct cfz_minimizer *m, struct cfz_value *v, double x)
{
    struct cfz_value cand = {.kind = v->kind};

    cfz_value_set_float(&cand, x);
    return isfinite(cfz_value_float(&cand)) && try_bits(m, v, cand.bits);
}

/* A try_at for whole numbers. */
static bool try_whole(struct search *s, bool negative, uint64_t magnitude)
{
    double x = (double)magnitude;

    return try_float(s->m, value_of(s), negative ? -x : x);
}

/*
 * Makes value i, which is finite and not 0, a whole number: its integer part or the next one (of
 * large ones 2^53 or 2^24), and then as small as search_down can. False if none is accepted.
 */
static bool minimize_whole(struct cfz_minimizer *m, size_t i)
{
    const struct float_type *type = type_of(&m->vs->v[i]);
    double x = cfz_value_float(&m->vs->v[i]);
    struct search s = {.m = m, .i = i, .negative = x < 0, .try_at = try_whole};
    uint64_t whole = fabs(x) < (double)type->whole_max ? (uint64_t)fabs(x) : type->whole_max;

    if (whole == 0 || !try_magnitude(&s, s.negative, whole)) {
        if (whole == type->whole_max || !try_magnitude(&s, s.negative, whole + 1))
            return false;
    }
    search_down(&s);
    return true;
}

/*
 * A try_at: digits x 10^exponent. It goes through text, so that it is rounded to the nearest value.
 * The text has no decimal point, so the locale does not matter.
 */
static bool try_decimal(struct search *s, bool negative, uint64_t digits)
{
    char text[48];

    snprintf(text, sizeof text, "%s%llue%d", negative ? "-" : "", (unsigned long long)digits,
             s->exponent);
    return try_float(s->m, value_of(s), strtod(text, NULL));
}

/* Tries decimals next to value i, on both sides, the shortest first. s gets the first that is
 * accepted; returns how many digits it has. */
static int find_digits(struct search *s)
{
    const struct float_type *type = type_of(value_of(s));
    double x = fabs(cfz_value_float(value_of(s)));
    char text[48], *e;
    uint64_t all = 0;

    snprintf(text, sizeof text, "%.*e", type->digits - 1, x);
    for (e = text; *e != 'e' && *e != '\0'; e++) {
        if (*e >= '0' && *e <= '9')
            all = all * 10 + (uint64_t)(*e - '0');
    }
    s->exponent = (int)strtol(*e == 'e' ? e + 1 : e, NULL, 10) + 1;
    for (int n = 1; n < type->digits; n++) {
        uint64_t digits = all;

        for (int k = n; k < type->digits; k++)
            digits /= 10;
        s->exponent--;
        if (try_magnitude(s, s->negative, digits) || try_magnitude(s, s->negative, digits + 1))
            return n;
    }
    s->exponent--;
    s->best = all;
    return type->digits;
}

/* Looks for few digits, then for an exponent near 0; if there are few digits, then for the
 * least. */
static void shorten_decimal(struct cfz_minimizer *m, size_t i)
{
    struct search s = {
        .m = m, .i = i, .negative = cfz_value_float(&m->vs->v[i]) < 0, .try_at = try_decimal};
    int n = find_digits(&s);
    int point = n - 1, refused = 0, exponent = s.exponent + point; /* d.dd x 10^exponent */

    while (abs(exponent - refused) > 1 && !is_over(&s)) {
        int middle = refused + (exponent - refused) / 2;

        s.exponent = middle - point;
        if (try_magnitude(&s, s.negative, s.best))
            exponent = middle;
        else
            refused = middle;
    }
    s.exponent = exponent - point;
    s.refused_small = 0; /* those were refused with other exponents */
    if (n <= SHORT_DIGITS)
        bisect(&s);
}

static void minimize_float(struct cfz_minimizer *m, size_t i)
{
    struct cfz_value *v = &m->vs->v[i];
    const struct float_type *type = type_of(v);
    double x = cfz_value_float(v);

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
    if (isinf(cfz_value_float(v)))
        return;
    if (!minimize_whole(m, i))
        shorten_decimal(m, i);
    if (cfz_value_float(v) < 0)
        try_bits(m, v, v->bits & ~type->sign);
}

/* ---- both -------------------------------------------------------------------- */

void cfz_minimize_number(struct cfz_minimizer *m, size_t i)
{
    if (cfz_kind_is_float(m->vs->v[i].kind))
        minimize_float(m, i);
    else
        minimize_integer(m, i); /* also a bool, which becomes 0 */
}

/* Sets *s to a search over value i. False for a float that is not a whole number. */
static bool walk_search(struct cfz_minimizer *m, size_t i, struct search *s)
{
    const struct cfz_value *v = &m->vs->v[i];
    double x;

    if (!cfz_kind_is_float(v->kind)) {
        *s = integer_search(m, i);
        return true;
    }
    x = cfz_value_float(v);
    if (!(fabs(x) <= (double)type_of(v)->whole_max) || fabs(x) != (double)(uint64_t)fabs(x))
        return false;
    *s = (struct search){
        .m = m, .i = i, .negative = x < 0, .best = (uint64_t)fabs(x), .try_at = try_whole};
    return true;
}

void cfz_walk_number(struct cfz_minimizer *m, size_t i)
{
    bool both = !cfz_kind_is_unsigned(m->vs->v[i].kind);
    struct search s;

    if (!walk_search(m, i, &s))
        return;
    for (uint64_t to = 1; to < s.best && to <= WALK_MAX && !is_over(&s); to++) {
        if (try_magnitude(&s, false, to) || (both && try_magnitude(&s, true, to)))
            return;
    }
}
