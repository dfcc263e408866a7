/*
 * corpus_fuzz.c - the text of corpus files, and the numbers and quotes in it.
 */
//cfuzz:cflags -include renamed.h -I../../include -I../../runtime -I../../cfuzz-test
//cfuzz:sources ../../runtime/core/buf.c ../../runtime/core/coverage.c ../../runtime/core/error.c
//cfuzz:sources ../../runtime/core/escape.c ../../runtime/core/io.c ../../runtime/core/known.c
//cfuzz:sources ../../runtime/core/printable.c ../../runtime/core/shmem.c ../../runtime/core/text.c
//cfuzz:sources ../../runtime/core/types.c ../../runtime/core/value.c
//cfuzz:sources ../../runtime/core/corpus/decimal.c ../../runtime/core/corpus/encoding.c
//cfuzz:sources ../../runtime/core/corpus/encoding_line.c ../../runtime/core/corpus/expr.c
//cfuzz:sources ../../runtime/core/corpus/flat.c ../../runtime/core/corpus/lexer.c
//cfuzz:sources ../../runtime/core/corpus/quote.c
#include "fuzz.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/corpus/decimal.h"
#include "core/corpus/encoding.h"
#include "core/corpus/encoding_line.h"
#include "core/corpus/flat.h"
#include "core/corpus/lexer.h"
#include "core/corpus/quote.h"
#include "core/text.h"

/* Whether two values are the same; of NaNs the file has no bits, unless they are odd. */
static void check_written(cfuzz_t *t, const struct cfz_values *vs, size_t most)
{
    struct cfz_buf text = CFZ_BUF_INIT, twice = CFZ_BUF_INIT;
    struct cfz_values again = CFZ_VALUES_INIT;
    struct cfz_error err;

    error_clear(&err);
    CHECK(t, cfz_encoding_write(vs, &text, &err) == 0);
    CHECK(t, text.len <= most);
    CHECK(t, cfz_encoding_parse(text.data, text.len, &again, NULL, &err) == 0);
    CHECK(t, cfz_values_equal(vs, &again));
    CHECK(t, cfz_encoding_write(&again, &twice, &err) == 0);
    CHECK(t, twice.len == text.len && memcmp(twice.data, text.data, text.len) == 0);
    cfz_values_release(&again);
    cfz_buf_release(&text);
    cfz_buf_release(&twice);
}

/* A line of n bytes becomes at most this: a byte takes 4, and numbers have bounds of their own. */
static size_t written_at_most(size_t n, size_t nvalues)
{
    return 4 * n + 64 * (nvalues + 1);
}

FUZZ_SETUP(FuzzCorpusText)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("go test fuzz v1\n[]byte(\"a\\x00\")\nstring(`b`)\nint(-1)\n"));
    cfuzz_add(f, CFUZZ_BYTES("go test fuzz v1\r\nfloat64(0x1p-2)\nrune('\\u00e9')\nbyte('a')\n"));
    cfuzz_add(f, CFUZZ_BYTES("go test fuzz v1\nmath.Float64frombits(0x7ff8000000000001)\n"));
    cfuzz_add(f, CFUZZ_BYTES("go test fuzz v1\nbool(true)\nuint64(0b1_0)\nfloat32(NaN)\n"));
}

FUZZ_TEST(FuzzCorpusText, []byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    size_t line = SIZE_MAX, lines = 1;
    struct cfz_error err;

    error_clear(&err);
    if (cfz_encoding_parse(text, len, &vs, &line, &err) < 0) {
        for (size_t i = 0; i < len; i++)
            lines += text[i] == '\n';
        check_error(t, &err);
        CHECK(t, vs.n == 0 && line <= lines);
        return;
    }
    CHECK(t, err.code == CFZ_OK);
    if (vs.n > 0)
        check_written(t, &vs, written_at_most(len, vs.n));
    cfz_values_release(&vs);
}

FUZZ_SETUP(FuzzCorpusLine)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("[]byte(\"\\a\\u1234\\377\")"));
    cfuzz_add(f, CFUZZ_BYTES("math.Float32frombits(0x7fc00001)"));
    cfuzz_add(f, CFUZZ_BYTES("float64(-1_0.5e-3)"));
    cfuzz_add(f, CFUZZ_BYTES("int8(f(x[1:2]...)){a: b}"));
    cfuzz_add(f, CFUZZ_BYTES("rune('\\U0010ffff')"));
    cfuzz_add(f, CFUZZ_BYTES("uint32(0o17) // c"));
}

FUZZ_TEST(FuzzCorpusLine, []byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err;

    error_clear(&err);
    cfz_text_trim(&line, &len);
    if (memchr(line, '\n', len) != NULL)
        return;
    if (cfz_encoding_parse_line(line, len, &vs, &err) < 0) {
        check_error(t, &err);
        CHECK(t, vs.n == 0);
    } else {
        CHECK(t, vs.n == 1 && err.code == CFZ_OK);
        check_written(t, &vs, written_at_most(len, 1));
    }
    cfz_values_release(&vs);
}

/* Bits of a number as values of this kind have them. */
static uint64_t bits_of(enum cfz_kind kind, uint64_t bits)
{
    unsigned unused = 64 - cfz_kind_width(kind);

    if (cfz_kind_is_signed(kind))
        return (uint64_t)((int64_t)(bits << unused) >> unused);
    return bits << unused >> unused;
}

FUZZ_SETUP(FuzzCorpusValues)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a\x00\xff\xe2\x80\xa8"), "b`\n", (uint64_t)1 << 63);
    cfuzz_add(f, CFUZZ_BYTES(""), "", UINT64_C(0x7ff0000000000001));
}

FUZZ_TEST(FuzzCorpusValues, []byte, string, uint64)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *text, uint64_t bits)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err;

    error_clear(&err);
    for (int kind = CFZ_KIND_NONE + 1; kind < CFZ_KIND_COUNT; kind++) {
        struct cfz_value *v = cfz_values_push(&vs, (enum cfz_kind)kind);

        CHECK(t, v != NULL);
        if (!cfz_kind_is_slot(v->kind))
            v->bits = bits_of(v->kind, bits);
        else if (cfz_kind_is_string(v->kind))
            CHECK(t, cfz_value_set_bytes(v, text, strlen(text), &err) == 0);
        else
            CHECK(t, cfz_value_set_bytes(v, data, len, &err) == 0);
    }
    check_written(t, &vs, written_at_most(len + strlen(text), vs.n));
    cfz_values_release(&vs);
}

FUZZ_SETUP(FuzzFlat)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("\x01\x02"), CFUZZ_BYTES("\x03\0\0\0abcdef"));
    cfuzz_add(f, CFUZZ_BYTES("\x01"), CFUZZ_BYTES("go test fuzz v1\n[]byte(\"a\")\n"));
    cfuzz_add(f, CFUZZ_BYTES("\x0f\x0e\x03"), CFUZZ_BYTES("\0\0\xc0\x7f\xff\0\0\0\0\0\0\xf4\x7f"));
    cfuzz_add(f, CFUZZ_BYTES("\x02\x02"),
              CFUZZ_BYTES("go test fuzz v1\nstring(`b`)\nstring(\"c\")"));
}

/* Whatever the bytes are, they are values that the test can be called with, and these have one flat
 * form. The first argument is the types, a byte each. */
FUZZ_TEST(FuzzFlat, []byte, []byte)
(cfuzz_t *t, const uint8_t *types, size_t n, const uint8_t *in, size_t len)
{
    struct cfz_values vs = CFZ_VALUES_INIT, again = CFZ_VALUES_INIT;
    struct cfz_buf flat = CFZ_BUF_INIT, twice = CFZ_BUF_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    struct cfz_error err;

    error_clear(&err);
    if (n == 0 || n > CFZ_VALUES_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        kinds[i] =
            (enum cfz_kind)(CFZ_KIND_NONE + 1 + types[i] % (CFZ_KIND_COUNT - CFZ_KIND_NONE - 1));
    CHECK(t, cfz_flat_read(&vs, kinds, n, in, len, &err) == 0);
    CHECK(t, cfz_values_check(&vs, kinds, n, &err) == 0);
    CHECK(t, cfz_flat_write(&vs, &flat, &err) == 0);
    CHECK(t, cfz_flat_read(&again, kinds, n, flat.data, flat.len, &err) == 0);
    CHECK(t, cfz_values_equal(&vs, &again));
    CHECK(t, cfz_flat_write(&again, &twice, &err) == 0);
    CHECK(t,
          twice.len == flat.len && memcmp(cfz_buf_str(&twice), cfz_buf_str(&flat), flat.len) == 0);
    if (n == 1 && cfz_kind_is_bytes(kinds[0]) && !cfz_flat_is_text(in, len))
        CHECK(t, flat.len == len && memcmp(cfz_buf_str(&flat), in, len) == 0);
    cfz_values_release(&vs);
    cfz_values_release(&again);
    cfz_buf_release(&flat);
    cfz_buf_release(&twice);
}

FUZZ_SETUP(FuzzFloatText)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("-1.5e-7"));
    cfuzz_add(f, CFUZZ_BYTES("0x1.8p+1023"));
    cfuzz_add(f, CFUZZ_BYTES("9007199254740993"));
    cfuzz_add(f, CFUZZ_BYTES("4.9406564584124654e-324"));
    cfuzz_add(f, CFUZZ_BYTES("3.4028235677973366e38"));
    cfuzz_add(f, CFUZZ_BYTES("0X1.00000000000018p-1023"));
    cfuzz_add(f, CFUZZ_BYTES("0x1.00000000000018000p-1023"));
}

/* The digits before the exponent of a hexadecimal number; 0: it is none. */
static size_t hex_digits(const char *s)
{
    size_t n = 0;

    s += *s == '-' || *s == '+';
    if (s[0] != '0' || (s[1] | 0x20) != 'x')
        return 0;
    for (s += 2; *s != '\0' && (*s | 0x20) != 'p'; s++)
        n += *s != '.';
    return n;
}

/* The bits of the number that the C library reads, and whether it can be trusted to the last one:
 * glibc 2.36 rounds 0x1.00000000000018p-1023 down, though the number above is nearer. A long double
 * holds 16 hexadecimal digits, and is rounded by the processor. */
static uint64_t libc_bits(const char *s, enum cfz_float_format format, char **end, bool *exact)
{
    const size_t hex = hex_digits(s);
    const bool whole = hex > 0 && hex <= 16 && LDBL_MANT_DIG >= 64;
    uint64_t bits = 0;

    if (format == CFZ_FLOAT64) {
        double d = whole ? (double)strtold(s, end) : strtod(s, end);

        memcpy(&bits, &d, sizeof d);
        *exact = hex == 0 || whole || !(fabs(d) <= DBL_MIN);
    } else {
        float d = whole ? (float)strtold(s, end) : strtof(s, end);

        memcpy(&bits, &d, sizeof d);
        *exact = hex == 0 || whole || !(fabsf(d) <= FLT_MIN);
    }
    return bits;
}

/* What is read as a float is what the C library reads. */
FUZZ_TEST(FuzzFloatText, []byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    static const enum cfz_float_format formats[] = {CFZ_FLOAT32, CFZ_FLOAT64};
    char copy[4096], *end;
    size_t n = 0;

    if (len >= sizeof copy)
        return;
    for (size_t i = 0; i < len; i++)
        if (text[i] != '_')
            copy[n++] = (char)text[i];
    copy[n] = '\0';
    for (int i = 0; i < 2; i++) {
        uint64_t bits = UINT64_MAX, want;
        bool exact;
        enum cfz_number_status status = cfz_float_parse((const char *)text, len, formats[i], &bits);

        if (status == CFZ_NUMBER_SYNTAX) {
            CHECK(t, bits == UINT64_MAX);
            continue;
        }
        want = libc_bits(copy, formats[i], &end, &exact);
        CHECK(t, end == copy + n);
        if (status == CFZ_NUMBER_OK)
            CHECK(t, bits == want || (!exact && bits - want + 1 <= 2));
        else
            CHECK(t, (want << 1) << (formats[i] == CFZ_FLOAT32 ? 32 : 0) == UINT64_C(0xff) << 56 ||
                         want << 1 == UINT64_C(0x7ff) << 53);
    }
}

FUZZ_SETUP(FuzzFloatBits)(cfuzz_f *f)
{
    cfuzz_add(f, UINT64_C(0x3ff0000000000000));
    cfuzz_add(f, UINT64_C(1));
    cfuzz_add(f, UINT64_C(0x7fefffffffffffff));
    cfuzz_add(f, UINT64_C(0x7f7fffff));
}

/* What is written is read back, and no shorter text would be. */
static void check_float(cfuzz_t *t, uint64_t bits, enum cfz_float_format format)
{
    char text[CFZ_FLOAT_TEXT_MAX], shorter[64];
    size_t len = cfz_float_format(bits, format, text), digits = 0, zeros = 0;
    uint64_t again = 0;
    double value, other;

    CHECK(t, len < sizeof text && strlen(text) == len);
    if (strchr("NI", text[0]) != NULL || text[1] == 'I')
        return;
    CHECK(t, cfz_float_parse(text, len, format, &again) == CFZ_NUMBER_OK && again == bits);
    for (const char *s = text; *s != '\0' && *s != 'e'; s++) {
        if (*s < '0' || *s > '9' || (*s == '0' && digits == 0))
            continue;
        digits++;
        zeros = *s == '0' ? zeros + 1 : 0;
    }
    digits -= zeros;
    if (digits < 2)
        return;
    value = format == CFZ_FLOAT32 ? (double)strtof(text, NULL) : strtod(text, NULL);
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
    other = format == CFZ_FLOAT32 ? (double)strtof(shorter, NULL) : strtod(shorter, NULL);
    CHECK(t, other != value);
}

FUZZ_TEST(FuzzFloatBits, uint64)(cfuzz_t *t, uint64_t bits)
{
    check_float(t, bits, CFZ_FLOAT64);
    check_float(t, bits & UINT32_MAX, CFZ_FLOAT32);
}

FUZZ_SETUP(FuzzIntText)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("-128"), (uint8_t)0);
    cfuzz_add(f, CFUZZ_BYTES("0xffff_ffff_ffff_ffff"), (uint8_t)3);
    cfuzz_add(f, CFUZZ_BYTES("0b101"), (uint8_t)1);
    cfuzz_add(f, CFUZZ_BYTES("0o777"), (uint8_t)2);
}

/* What is read as a number is what strtoull reads, and its decimal text is read as the same. */
FUZZ_TEST(FuzzIntText, []byte, uint8)(cfuzz_t *t, const uint8_t *text, size_t len, uint8_t which)
{
    unsigned width = 8u << (which & 3);
    char copy[256], *end, decimal[32];
    uint64_t u = 7, again = 0;
    int64_t i = 7, back = 0;
    enum cfz_number_status status = cfz_uint_parse((const char *)text, len, width, &u);
    bool prefix = false;
    size_t n = 0;

    if (status == CFZ_NUMBER_OK) {
        CHECK(t, width == 64 || u >> width == 0);
        n = (size_t)snprintf(decimal, sizeof decimal, "%" PRIu64, u);
        CHECK(t, cfz_uint_parse(decimal, n, width, &again) == CFZ_NUMBER_OK && again == u);
    } else {
        CHECK(t, u == 7);
    }
    n = 0;
    for (size_t k = 0; k < len && n + 1 < sizeof copy; k++) {
        prefix |= strchr("bBoO", text[k]) != NULL && text[k] != '\0';
        if (text[k] != '_')
            copy[n++] = (char)text[k];
    }
    copy[n] = '\0';
    /* Which places '_' may have the lexer says. strtoull knows neither 0b nor 0o. */
    if (n == len && status != CFZ_NUMBER_SYNTAX && (!prefix || strpbrk(copy, "xX") != NULL)) {
        errno = 0;
        again = strtoull(copy, &end, 0);
        CHECK(t, end == copy + n || status == CFZ_NUMBER_RANGE);
        if (end == copy + n)
            CHECK(t, (status == CFZ_NUMBER_OK) ==
                         (errno != ERANGE && (width == 64 || again >> width == 0)));
        CHECK(t, status != CFZ_NUMBER_OK || again == u);
    }
    if (cfz_int_parse((const char *)text, len, width, &i) == CFZ_NUMBER_OK) {
        CHECK(t, i >= INT64_MIN >> (64 - width) && i <= INT64_MAX >> (64 - width));
        n = (size_t)snprintf(decimal, sizeof decimal, "%" PRId64, i);
        CHECK(t, cfz_int_parse(decimal, n, width, &back) == CFZ_NUMBER_OK && back == i);
    } else {
        CHECK(t, i == 7);
    }
}

FUZZ_SETUP(FuzzQuote)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a\"\\\x00\x7f\xc3\xa9\xed\xa0\x80\xf4\x8f\xbf\xbf"), (uint8_t)9,
              (int32_t)0x2028);
    cfuzz_add(f, CFUZZ_BYTES("\a\b\f\n\r\t\v'"), (uint8_t)0, (int32_t)'\'');
}

/* Quoted text is one token, which stands for the text. */
FUZZ_TEST(FuzzQuote, []byte, uint8, rune)
(cfuzz_t *t, const uint8_t *text, size_t len, uint8_t most, int32_t rune)
{
    struct cfz_buf quoted = CFZ_BUF_INIT, plain = CFZ_BUF_INIT, some = CFZ_BUF_INIT;
    struct cfz_token tok;
    struct cfz_lexer lx;
    struct cfz_error err;

    error_clear(&err);
    CHECK(t, cfz_quote(text, len, &quoted, &err) == 0);
    CHECK(t, quoted.len >= len + 2 && quoted.len <= 4 * len + 2);
    cfz_lexer_init(&lx, quoted.data, quoted.len);
    tok = cfz_lexer_next(&lx);
    CHECK(t, tok.kind == CFZ_TOKEN_STRING && tok.len == quoted.len && !lx.failed);
    CHECK(t, cfz_unquote(&tok, &plain, &err) == 0);
    CHECK(t, plain.len == len && (len == 0 || memcmp(plain.data, text, len) == 0));
    for (size_t at = 0, used; at < quoted.len; at += used) {
        uint32_t shown;

        used = cfz_utf8_decode(quoted.data + at, quoted.len - at, &shown);
        CHECK(t, cfz_rune_is_printable(shown));
    }
    CHECK(t, cfz_quote_some(text, len, most, &some, &err) == 0);
    CHECK(t, some.len <= 4 * (len < most ? len : most) + 2 + 3);
    if (cfz_rune_is_valid((uint32_t)rune)) {
        quoted.len = 0;
        CHECK(t, cfz_quote_char((uint32_t)rune, &quoted, &err) == 0);
        cfz_lexer_init(&lx, quoted.data, quoted.len);
        tok = cfz_lexer_next(&lx);
        CHECK(t, tok.kind == CFZ_TOKEN_CHAR && tok.len == quoted.len && !lx.failed);
        CHECK(t, cfz_unquote_char(&tok) == (uint32_t)rune);
    }
    cfz_buf_release(&quoted);
    cfz_buf_release(&plain);
    cfz_buf_release(&some);
}

FUZZ_SETUP(FuzzLexer)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a.b(1.5e3i, 'x', \"\\n\", `r`)[0x_1p-2:...] <- &^= /* c */"));
    cfuzz_add(f, CFUZZ_BYTES("'\\400' \"\\ud800\" 08 1__0 \xff"));
}

/* Tokens follow each other inside the line, and end. */
FUZZ_TEST(FuzzLexer, []byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_lexer lx;
    struct cfz_error err;
    size_t behind = 0;

    error_clear(&err);
    if (len > 0 && memchr(line, '\n', len) != NULL)
        return;
    cfz_lexer_init(&lx, line, len);
    for (;;) {
        struct cfz_token tok = cfz_lexer_next(&lx);

        CHECK(t, tok.pos <= len && tok.pos >= behind);
        if (tok.kind == CFZ_TOKEN_END)
            break;
        CHECK(t, tok.len > 0 && tok.text == line + tok.pos && tok.len <= len - tok.pos);
        behind = tok.pos + tok.len;
        if (lx.failed)
            continue;
        if (tok.kind == CFZ_TOKEN_STRING) {
            text.len = 0;
            CHECK(t, cfz_unquote(&tok, &text, &err) == 0);
            CHECK(t, text.len < tok.len);
        } else if (tok.kind == CFZ_TOKEN_CHAR) {
            CHECK(t, cfz_rune_is_valid(cfz_unquote_char(&tok)));
        }
    }
    CHECK(t, !lx.failed || (lx.error_pos <= len && lx.error[0] != '\0'));
    cfz_buf_release(&text);
}

FUZZ_SETUP(FuzzEscape)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a\x1b[31m\n\tb\xc2\x85\xe2\x80\xaeok\x80"), (uint16_t)12);
}

/* What is escaped is safe on a terminal, and the same if it is escaped again. */
FUZZ_TEST(FuzzEscape, []byte, uint16)
(cfuzz_t *t, const uint8_t *text, size_t len, uint16_t room)
{
    struct cfz_error err;
    char *line;

    error_clear(&err);
    for (int what = CFZ_ESCAPE_TEXT; what <= CFZ_ESCAPE_LINE; what++) {
        struct cfz_buf once = CFZ_BUF_INIT, twice = CFZ_BUF_INIT;
        const char *p = (const char *)text;

        CHECK(t, cfz_buf_escape(&once, p, len, (enum cfz_escape_what)what, &err) == 0);
        CHECK(t, once.len >= len && once.len <= 4 * len);
        for (size_t i = 0; i < once.len; i++)
            CHECK(t, once.data[i] >= ' ' || once.data[i] == '\t' ||
                         (what == CFZ_ESCAPE_TEXT && once.data[i] == '\n'));
        CHECK(t, cfz_buf_escape(&twice, cfz_buf_str(&once), once.len,
                                (enum cfz_escape_what)what, &err) == 0);
        CHECK(t,
              twice.len == once.len && (len == 0 || memcmp(twice.data, once.data, once.len) == 0));
        if (what == CFZ_ESCAPE_LINE && memchr(text, '\0', len) == NULL && room > len) {
            line = malloc(room);
            CHECK(t, line != NULL);
            memcpy(line, text, len);
            line[len] = '\0';
            cfz_escape_line_in_place(line, room);
            CHECK(t, strlen(line) < room && strlen(line) <= once.len);
            CHECK(t, memcmp(line, cfz_buf_str(&once), strlen(line)) == 0);
            CHECK(t, once.len < room ? strlen(line) == once.len
                                     : strlen(line) + CFZ_ESCAPED_MAX >= room);
            free(line);
        }
        cfz_buf_release(&once);
        cfz_buf_release(&twice);
    }
}

FUZZ_SETUP(FuzzTypes)(cfuzz_f *f)
{
    cfuzz_add(f, "[]byte, int, unsigned long long, const char *");
    cfuzz_add(f, "rune,byte ,size_t,\tuint8_t , const uint8_t *");
}

/* A list of types is read as kinds, whose names are read as the same. */
FUZZ_TEST(FuzzTypes, string)(cfuzz_t *t, const char *types)
{
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    struct cfz_error err;
    size_t n = SIZE_MAX;

    error_clear(&err);
    if (cfz_types_parse(types, kinds, &n, &err) < 0) {
        check_error(t, &err);
        CHECK(t, n == SIZE_MAX);
        return;
    }
    CHECK(t, n > 0 && n <= CFZ_VALUES_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *name = cfz_kind_name(kinds[i]);

        CHECK(t, kinds[i] > CFZ_KIND_NONE && kinds[i] < CFZ_KIND_COUNT);
        CHECK(t, cfz_kind_of_word(name, strlen(name)) == kinds[i]);
    }
}
