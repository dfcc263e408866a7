/*
 * decimal.c - numbers and their text.
 *
 * Reading a float: the decimal is a fraction num/den of two big integers. Long division makes more
 * bits of it than the format has, and a bit that says whether something is left; then it is
 * rounded, once.
 *
 * Writing a float: the digit generation of Steele and White, "How to print floating-point numbers
 * accurately" (PLDI 1990), on big integers. It produces digits as long as they are needed to tell
 * the float from its neighbours.
 *
 * Both are exact by construction, and fast enough since corpora have few floats.
 */
#include "core/corpus/decimal.h"

#include <string.h>

#include "core/error.h"

/* ---- big integers ----------------------------------------------------------- */

/* Enough for the largest number below: 10^(800 + 400) shifted by 64 bits, < 2^4096. */
enum { BIG_LIMBS = 132 };

/* A natural number, least limb first; limb[n - 1] != 0; zero has n == 0. */
struct big {
    unsigned n;
    uint32_t limb[BIG_LIMBS];
};

/* Adds a limb at the top. */
static void big_push(struct big *a, uint32_t limb)
{
    CFZ_ASSERT(a->n < BIG_LIMBS);
    a->limb[a->n++] = limb;
}

static void big_set(struct big *a, uint64_t v)
{
    a->n = 0;
    for (; v; v >>= 32)
        big_push(a, (uint32_t)v);
}

static void big_copy(struct big *a, const struct big *b)
{
    a->n = b->n;
    memcpy(a->limb, b->limb, b->n * sizeof *b->limb);
}

/* a = a * mul + add */
static void big_mul(struct big *a, uint32_t mul, uint32_t add)
{
    uint64_t carry = add;

    for (unsigned i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] * mul;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big_push(a, (uint32_t)carry);
}

/* a = a * 10^n */
static void big_mul_pow10(struct big *a, unsigned n)
{
    for (; n >= 9; n -= 9)
        big_mul(a, 1000000000, 0); /* the largest power of ten in a limb */
    for (; n > 0; n--)
        big_mul(a, 10, 0);
}

/* a = a * 2^bits */
static void big_shift(struct big *a, unsigned bits)
{
    unsigned limbs = bits / 32, i;

    if (a->n == 0)
        return;
    bits %= 32;
    if (bits > 0)
        big_mul(a, (uint32_t)1 << bits, 0);
    if (limbs == 0)
        return;
    CFZ_ASSERT(a->n + limbs <= BIG_LIMBS);
    memmove(a->limb + limbs, a->limb, a->n * sizeof *a->limb);
    for (i = 0; i < limbs; i++)
        a->limb[i] = 0;
    a->n += limbs;
}

static int big_cmp(const struct big *a, const struct big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (unsigned i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a = a + b */
static void big_add(struct big *a, const struct big *b)
{
    uint64_t carry = 0;

    while (a->n < b->n)
        big_push(a, 0);
    for (unsigned i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limb[i] + (i < b->n ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big_push(a, (uint32_t)carry);
}

/* a = a - b, a >= b */
static void big_sub(struct big *a, const struct big *b)
{
    uint64_t borrow = 0;

    for (unsigned i = 0; i < a->n; i++) {
        uint64_t d = (uint64_t)a->limb[i] - (i < b->n ? b->limb[i] : 0) - borrow;

        a->limb[i] = (uint32_t)d;
        borrow = d >> 63;
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

/* How many bits v has, without leading zeros. */
static int bits_of(uint64_t v)
{
    int n = 0;

    for (; v; v >>= 1)
        n++;
    return n;
}

static int big_bits(const struct big *a)
{
    return a->n == 0 ? 0 : (int)(a->n - 1) * 32 + bits_of(a->limb[a->n - 1]);
}

/* ---- formats ------------------------------------------------------------------ */

/* A finite float is m * 2^e with m < 2^precision and e >= least. */
struct layout {
    int precision; /* bits of m, the hidden one included */
    int least;     /* e of subnormals and of the smallest normals */
    int greatest;  /* e of the largest */
};

static struct layout layout_of(enum cfz_float_format format)
{
    return format == CFZ_FLOAT32 ? (struct layout){24, -149, 104} : (struct layout){53, -1074, 971};
}

/* Rounds (q + r) * 2^e to the format, where r is in [0, 1), and not 0 if rest. */
static enum cfz_number_status round_to(struct layout l, uint64_t q, bool rest, int e,
                                       uint64_t *bits)
{
    uint64_t m = q, lost, half;
    int shift = bits_of(q) - l.precision; /* so that m has precision bits */

    if (e + shift < l.least)
        shift = l.least - e; /* subnormal: m has fewer bits */
    if (shift > 64) {
        m = 0; /* less than half of the least float */
    } else if (shift > 0) {
        half = (uint64_t)1 << (shift - 1);
        lost = q & (half | (half - 1));
        m = shift == 64 ? 0 : q >> shift;
        if (lost > half || (lost == half && (rest || (m & 1))))
            m++;
    } else {
        m = q << -shift; /* exact; there is no rest, see the callers */
    }
    e += shift;
    if (m == (uint64_t)1 << l.precision) { /* rounded up to one bit more */
        m >>= 1;
        e++;
    }
    if (m == 0) {
        *bits = 0;
        return CFZ_NUMBER_OK;
    }
    if (e > l.greatest)
        return CFZ_NUMBER_RANGE;
    half = (uint64_t)1 << (l.precision - 1); /* the hidden bit */
    *bits = m < half ? m : (uint64_t)(e - l.least + 1) << (l.precision - 1) | (m & (half - 1));
    return CFZ_NUMBER_OK;
}

/* ---- reading -------------------------------------------------------------------- */

enum {
    DIGITS_MAX = 800, /* kept; 767 tell any float from a tie, so it is enough to know of the rest */
    HEX_DIGITS_MAX = 15,       /* kept: 57 bits or more, which is more than any format has */
    EXPONENT_MAX = 1000000000, /* no mantissa makes up for a larger one */
    NO_DIGIT = 99,
    /* Beyond +-these exponents every value of any format is 0 or too large. */
    DECIMAL_FAR = 400, /* of the first digit */
    BINARY_FAR = 5000, /* of the last of HEX_DIGITS_MAX digits */
};

struct cursor {
    const char *p, *end;
};

static int peek(const struct cursor *c)
{
    return c->p < c->end ? (unsigned char)*c->p : -1;
}

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return NO_DIGIT;
}

/* Reads [+-]digits to the end of the text; false if it is something else. The result is held within
 * +-EXPONENT_MAX. */
static bool read_exponent(struct cursor *c, int64_t *exponent)
{
    bool negative = peek(c) == '-', any = false;
    int64_t v = 0;

    if (peek(c) == '-' || peek(c) == '+')
        c->p++;
    for (; c->p < c->end; c->p++) {
        if (*c->p == '_')
            continue;
        if (*c->p < '0' || *c->p > '9')
            return false;
        any = true;
        v = v * 10 + (*c->p - '0');
        if (v > EXPONENT_MAX)
            v = EXPONENT_MAX;
    }
    *exponent = negative ? -v : v;
    return any;
}

/* Digits, with a '.' among them. */
struct mantissa {
    int base;
    bool any;       /* there was a digit, if only a zero */
    bool more;      /* digits were dropped, and not all were zeros */
    int64_t point;  /* exponent, in digits, of the last digit kept */
    struct big big; /* base 10: the digits kept */
    uint64_t word;  /* base 16: the digits kept */
    unsigned n;     /* how many, without leading zeros */
};

/* Reads a mantissa up to the first character that is not part of it. Skips '_'. */
static void read_mantissa(struct cursor *c, struct mantissa *m)
{
    bool after_point = false;
    unsigned room = m->base == 16 ? HEX_DIGITS_MAX : DIGITS_MAX;

    for (; c->p < c->end; c->p++) {
        int d = digit_value((unsigned char)*c->p);

        if (*c->p == '_')
            continue;
        if (*c->p == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (d >= m->base)
            break;
        m->any = true;
        if (m->n == 0 && d == 0) {
            m->point -= after_point;
        } else if (m->n < room) {
            m->n++;
            m->point -= after_point;
            if (m->base == 16)
                m->word = m->word << 4 | (uint64_t)d;
            else
                big_mul(&m->big, 10, (uint32_t)d);
        } else {
            m->point += !after_point;
            m->more |= d != 0;
        }
    }
}

/* The float nearest to m.big * 10^m.point. */
static enum cfz_number_status round_decimal(struct layout l, struct mantissa *m, uint64_t *bits)
{
    int64_t first = m->point + m->n - 1; /* decimal exponent of the first digit */
    struct big den;
    uint64_t q = 0;
    int shift, count;

    if (m->n == 0 || first < -DECIMAL_FAR) {
        *bits = 0;
        return CFZ_NUMBER_OK;
    }
    if (first > DECIMAL_FAR)
        return CFZ_NUMBER_RANGE;
    if (m->more) { /* a digit 1 stands for what was dropped */
        big_mul(&m->big, 10, 1);
        m->point--;
    }
    big_set(&den, 1);
    if (m->point >= 0)
        big_mul_pow10(&m->big, (unsigned)m->point);
    else
        big_mul_pow10(&den, (unsigned)-m->point);
    /* num/den in [2^(shift - 1), 2^(shift + 1)): scale to [1/4, 1), then take enough bits. */
    shift = big_bits(&m->big) - big_bits(&den) + 1;
    if (shift > 0)
        big_shift(&den, (unsigned)shift);
    else
        big_shift(&m->big, (unsigned)-shift);
    count = l.precision + 4; /* at least precision + 2 significant ones */
    for (int i = 0; i < count; i++) {
        big_shift(&m->big, 1);
        q <<= 1;
        if (big_cmp(&m->big, &den) >= 0) {
            big_sub(&m->big, &den);
            q |= 1;
        }
    }
    return round_to(l, q, m->big.n != 0, shift - count, bits);
}

/* Reads a number without its sign. */
static enum cfz_number_status parse_magnitude(struct cursor *c, struct layout l, uint64_t *bits)
{
    struct mantissa m = {.base = 10};
    int64_t exponent = 0;
    int e;

    if (c->end - c->p >= 2 && c->p[0] == '0' && (c->p[1] == 'x' || c->p[1] == 'X')) {
        m.base = 16;
        c->p += 2;
    }
    read_mantissa(c, &m);
    if (!m.any)
        return CFZ_NUMBER_SYNTAX;
    e = peek(c);
    if (e == (m.base == 16 ? 'p' : 'e') || e == (m.base == 16 ? 'P' : 'E')) {
        c->p++;
        if (!read_exponent(c, &exponent))
            return CFZ_NUMBER_SYNTAX;
    } else if (e >= 0 || m.base == 16) {
        return CFZ_NUMBER_SYNTAX; /* 0b11, 0x10 */
    }
    if (m.base == 10) {
        m.point += exponent;
        return round_decimal(l, &m, bits);
    }
    exponent += 4 * m.point;
    if (m.n == 0 || exponent < -BINARY_FAR) {
        *bits = 0;
        return CFZ_NUMBER_OK;
    }
    if (exponent > BINARY_FAR)
        return CFZ_NUMBER_RANGE;
    /* What was dropped lies below the last bit of any format. */
    return round_to(l, m.word, m.more, (int)exponent, bits);
}

enum cfz_number_status cfz_float_parse(const char *text, size_t len, enum cfz_float_format format,
                                       uint64_t *bits)
{
    struct cursor c = {text, text + len};
    enum cfz_number_status status;
    bool negative = len > 0 && *text == '-';
    uint64_t magnitude;

    c.p += negative;
    status = parse_magnitude(&c, layout_of(format), &magnitude);
    if (status == CFZ_NUMBER_OK)
        *bits = magnitude | (uint64_t)negative << (format - 1);
    return status;
}

/* ---- writing -------------------------------------------------------------------- */

enum { SHORTEST_MAX = 17 }; /* digits that tell any two doubles apart */

/*
 * Writes the digits of m * 2^e and sets *point so that the value is 0.DIGITS * 10^*point. Returns
 * how many digits there are.
 *
 * r/s is what is left to write. up/s and down/s are half the distances to the next floats: every
 * decimal in between reads as this float. So do the two ends if m is even, since ties round to
 * even.
 */
static int shortest_digits(uint64_t m, int e, struct layout l, char digits[SHORTEST_MAX],
                           int *point)
{
    struct big r, s, up, down, sum;
    bool even = (m & 1) == 0;
    /* At a power of two the next float below is at half the distance of the next one above. */
    bool uneven = m == (uint64_t)1 << (l.precision - 1) && e > l.least;
    int n = 0, k = 0;

    big_set(&r, m);
    big_set(&s, 1);
    big_set(&up, 1);
    big_set(&down, 1);
    if (e >= 0) {
        big_shift(&r, (unsigned)e);
        big_shift(&up, (unsigned)e);
        big_shift(&down, (unsigned)e);
    } else {
        big_shift(&s, (unsigned)-e);
    }
    big_shift(&r, 1 + uneven); /* in units of half, or a quarter, of the last place */
    big_shift(&s, 1 + uneven);
    big_shift(&up, uneven);

    /* An estimate of the decimal exponent, log10(2) being 78913 / 2^18, then exact steps. */
    k = (int)((int64_t)(e + bits_of(m)) * 78913 / 262144);
    if (k >= 0) {
        big_mul_pow10(&s, (unsigned)k);
    } else {
        big_mul_pow10(&r, (unsigned)-k);
        big_mul_pow10(&up, (unsigned)-k);
        big_mul_pow10(&down, (unsigned)-k);
    }
    for (;;) { /* k is too small if the value, or what rounds to it, reaches 1 */
        big_copy(&sum, &r);
        big_add(&sum, &up);
        if (big_cmp(&sum, &s) < (even ? 0 : 1))
            break;
        big_mul(&s, 10, 0);
        k++;
    }
    for (;;) { /* k is too large if the first digit would be 0 */
        big_copy(&sum, &r);
        big_add(&sum, &up);
        big_mul(&sum, 10, 0);
        if (big_cmp(&sum, &s) >= (even ? 0 : 1))
            break;
        big_mul(&r, 10, 0);
        big_mul(&up, 10, 0);
        big_mul(&down, 10, 0);
        k--;
    }
    *point = k;

    for (;;) { /* a digit */
        bool low, high;
        int digit = 0;

        big_mul(&r, 10, 0);
        big_mul(&up, 10, 0);
        big_mul(&down, 10, 0);
        for (; big_cmp(&r, &s) >= 0; digit++)
            big_sub(&r, &s);
        low = big_cmp(&r, &down) < (even ? 1 : 0); /* stopping here reads back */
        big_copy(&sum, &r);
        big_add(&sum, &up);
        high = big_cmp(&sum, &s) >= (even ? 0 : 1); /* so does the next digit up */
        if (low && high) { /* takes the closer one; if both are as close, the even one */
            int half;

            big_add(&r, &r);
            half = big_cmp(&r, &s);
            high = half > 0 || (half == 0 && (digit & 1));
        }
        CFZ_ASSERT(n < SHORTEST_MAX);
        digits[n++] = (char)('0' + digit + high);
        if (low || high)
            return n;
    }
}

/* Writes the exponent behind d.ddd: "e+05", with a sign always and at least two digits. */
static char *put_exponent(char *p, int x)
{
    *p++ = 'e';
    *p++ = x < 0 ? '-' : '+';
    if (x < 0)
        x = -x;
    if (x >= 100)
        *p++ = (char)('0' + x / 100);
    *p++ = (char)('0' + x / 10 % 10);
    *p++ = (char)('0' + x % 10);
    return p;
}

/* Writes 0.DIGITS * 10^point, plain or with an exponent. */
static char *put_digits(char *p, const char *digits, int n, int point)
{
    if (point - 1 < -4 || point - 1 >= 6) {
        *p++ = digits[0];
        if (n > 1)
            *p++ = '.';
        for (int i = 1; i < n; i++)
            *p++ = digits[i];
        return put_exponent(p, point - 1);
    }
    if (point <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = point; i < 0; i++)
            *p++ = '0';
    }
    for (int i = 0; i < n || i < point; i++) {
        if (i == point && i > 0)
            *p++ = '.';
        *p++ = i < n ? digits[i] : '0';
    }
    return p;
}

size_t cfz_float_format(uint64_t bits, enum cfz_float_format format, char out[CFZ_FLOAT_TEXT_MAX])
{
    struct layout l = layout_of(format);
    int e, point, n, special = (1 << ((int)format - l.precision)) - 1;
    uint64_t hidden = (uint64_t)1 << (l.precision - 1), m;
    char digits[SHORTEST_MAX], *p = out;
    bool negative = bits >> (format - 1) & 1;

    m = bits & (hidden - 1);
    e = (int)(bits >> (l.precision - 1)) & special;
    if (e == special) {
        memcpy(out, m ? "NaN" : negative ? "-Inf" : "+Inf", m ? 4 : 5);
        return m ? 3 : 4;
    }
    if (negative)
        *p++ = '-';
    if (e == 0 && m == 0) {
        *p++ = '0';
    } else {
        if (e > 0)
            m |= hidden;
        n = shortest_digits(m, l.least + (e > 0 ? e - 1 : 0), l, digits, &point);
        p = put_digits(p, digits, n, point);
    }
    *p = '\0';
    return (size_t)(p - out);
}

/* ---- integers --------------------------------------------------------------------- */

enum cfz_number_status cfz_uint_parse(const char *text, size_t len, unsigned width, uint64_t *v)
{
    uint64_t max = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1, n = 0;
    int base = 10;
    bool any = false;
    size_t i = 0;

    if (len > 0 && text[0] == '0') {
        int c = len > 1 ? text[1] | 0x20 : 0;

        base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
        i = c == 'x' || c == 'b' || c == 'o' ? 2 : 1;
        any = i == 1;
    }
    for (; i < len; i++) {
        int d = digit_value((unsigned char)text[i]);

        if (text[i] == '_')
            continue;
        if (d >= base)
            return CFZ_NUMBER_SYNTAX;
        if (n > (max - (uint64_t)d) / (uint64_t)base)
            return CFZ_NUMBER_RANGE;
        n = n * (uint64_t)base + (uint64_t)d;
        any = true;
    }
    if (!any)
        return CFZ_NUMBER_SYNTAX;
    *v = n;
    return CFZ_NUMBER_OK;
}

enum cfz_number_status cfz_int_parse(const char *text, size_t len, unsigned width, int64_t *v)
{
    bool negative = len > 0 && *text == '-';
    uint64_t limit = (uint64_t)1 << (width - 1), n; /* magnitude of the least value */
    enum cfz_number_status status = cfz_uint_parse(text + negative, len - negative, width, &n);

    if (status != CFZ_NUMBER_OK)
        return status;
    if (n > limit || (n == limit && !negative))
        return CFZ_NUMBER_RANGE;
    *v = (int64_t)(negative ? 0 - n : n);
    return CFZ_NUMBER_OK;
}
