/*
 * encoding_test.c - corpus files: Go's vectors, round trips of every type, and
 * texts that are wrong in many ways.
 */
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/corpus/decimal.h"
#include "core/corpus/encoding.h"
#include "core/escape.h"
#include "core/io.h"
#include "core/text.h"

/* ---- helpers ---------------------------------------------------------------- */

static uint64_t seed;

/* splitmix64: the same numbers in every run. */
static uint64_t rnd(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void parse_ok(const char *text, size_t len, struct cfz_values *out)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    size_t line = 99;

    if (cfz_encoding_parse((const uint8_t *)text, len, out, &line, &err) < 0)
        fail_msg("%.*s: %s", (int)len, text, err.text);
    assert_int_equal(line, 0);
    assert_int_equal(err.code, CFZ_OK);
}

/* Parses text, which has to be refused, and returns the error. */
static const char *parse_bad(const char *text, size_t len, size_t *line)
{
    static struct cfz_error err;
    struct cfz_values vals = CFZ_VALUES_INIT;

    err = (struct cfz_error)CFZ_ERROR_INIT;
    assert_non_null(cfz_values_push(&vals, CFZ_KIND_INT));
    if (cfz_encoding_parse((const uint8_t *)text, len, &vals, line, &err) == 0)
        fail_msg("accepted: %.*s", (int)len, text);
    assert_int_equal(err.code, CFZ_EFORMAT);
    assert_int_equal(vals.n, 1); /* untouched */
    cfz_values_release(&vals);
    return err.text;
}

static const char *write_one(const struct cfz_value *v, struct cfz_buf *out)
{
    cfz_buf_release(out);
    assert_int_equal(cfz_encoding_write_value(v, out, NULL), 0);
    return cfz_buf_str(out);
}

/* Encodes one value as a file, decodes it, and compares. */
static void round_trip(const struct cfz_value *v)
{
    struct cfz_values in = {(struct cfz_value *)v, 1, 0}, out = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT, again = CFZ_BUF_INIT;

    assert_int_equal(cfz_encoding_write(&in, &text, NULL), 0);
    parse_ok(cfz_buf_str(&text), text.len, &out);
    if (!cfz_values_equal(&in, &out))
        fail_msg("%s: read as another value", cfz_buf_str(&text));
    assert_int_equal(cfz_encoding_write(&out, &again, NULL), 0);
    assert_string_equal(cfz_buf_str(&again), cfz_buf_str(&text));
    cfz_values_release(&out);
    cfz_buf_release(&text);
    cfz_buf_release(&again);
}

static void round_trip_bits(enum cfz_kind kind, uint64_t bits)
{
    struct cfz_value v = {.kind = kind, .bits = bits};

    round_trip(&v);
}

/* ---- Go's vectors ------------------------------------------------------------- */

static unsigned hex(const char *p, int n)
{
    char digits[9] = "";

    memcpy(digits, p, (size_t)n);
    return (unsigned)strtoul(digits, NULL, 16);
}

/* Undoes Go quoting: written anew here, so that it is not what is tested. In place. */
static size_t unquote(char *s)
{
    static const char letters[] = "abfnrtv\\\"'", values[] = "\a\b\f\n\r\t\v\\\"'";
    char *in = s + 1, *out = s;

    assert_int_equal(*s, '"');
    while (*in != '"') {
        const char *letter;

        assert_int_not_equal(*in, '\0');
        if (*in != '\\') {
            *out++ = *in++;
            continue;
        }
        in++;
        letter = strchr(letters, *in);
        if (*in == 'x') {
            *out++ = (char)hex(in + 1, 2);
            in += 3;
        } else if (*in == 'u' || *in == 'U') {
            int n = *in == 'u' ? 4 : 8;
            uint8_t utf8[4];
            size_t len = cfz_utf8_encode(hex(in + 1, n), utf8);

            memcpy(out, utf8, len);
            out += len;
            in += 1 + n;
        } else {
            assert_non_null(letter);
            *out++ = values[letter - letters];
            in++;
        }
    }
    *out = '\0';
    return (size_t)(out - s);
}

static enum cfz_kind kind_of_go_name(const char *name)
{
    for (int k = 1; k < CFZ_KIND_COUNT; k++)
        if (strcmp(name, cfz_kind_go_name((enum cfz_kind)k)) == 0)
            return (enum cfz_kind)k;
    fail_msg("%s: no such type", name);
    return CFZ_KIND_NONE;
}

static void check_accept(const char *id, char *field[])
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t len = unquote(field[2]);

    unquote(field[3]);
    parse_ok(field[2], len, &vals);
    if (vals.n > 0)
        assert_int_equal(cfz_encoding_write(&vals, &text, NULL), 0);
    if (strcmp(cfz_buf_str(&text), field[3]) != 0)
        fail_msg("%s: got %s, want %s", id, cfz_buf_str(&text), field[3]);
    if (strcmp(field[4], "-") != 0) {
        assert_int_equal(vals.n, 1);
        assert_int_equal(vals.v[0].kind, kind_of_go_name(field[4]));
    }
    cfz_values_release(&vals);
    cfz_buf_release(&text);
}

/* Go's words, but that errors show escaped what is not printable. */
static void check_reject(const char *id, char *field[])
{
    size_t len = unquote(field[2]), text_len = unquote(field[3]), want_len, line;
    const char *got = parse_bad(field[2], len, &line), *want;
    bool column = strstr(field[3], "(test):1:") != NULL;
    struct cfz_buf text = CFZ_BUF_INIT;

    assert_int_equal(cfz_buf_escape(&text, field[3], text_len, CFZ_ESCAPE_LINE, NULL), 0);
    want = cfz_buf_str(&text);
    want_len = strlen(want);
    if (column ? strncmp(got, want, want_len) != 0 || strlen(got) < want_len + 5
               : strcmp(got, want) != 0)
        fail_msg("%s: got %s, want %s", id, got, want);
    cfz_buf_release(&text);
}

static void check_encode(const char *id, char *field[])
{
    struct cfz_value v = {.kind = kind_of_go_name(field[2])};
    struct cfz_buf text = CFZ_BUF_INIT;

    if (cfz_kind_is_slot(v.kind)) {
        v.len = unquote(field[3]);
        v.data = (uint8_t *)field[3];
    } else {
        v.bits = strtoull(field[3], NULL, 16);
    }
    unquote(field[4]);
    if (strcmp(write_one(&v, &text), field[4]) != 0)
        fail_msg("%s: got %s, want %s", id, cfz_buf_str(&text), field[4]);
    cfz_buf_release(&text);
    round_trip(&v);
}

static void test_vectors(void **state)
{
    struct cfz_buf file = CFZ_BUF_INIT;
    unsigned accepted = 0, rejected = 0, encoded = 0;
    char *line, *rest;

    (void)state;
    assert_int_equal(cfz_io_read_file(-100 /* AT_FDCWD */,
                                      CFZ_TEST_SOURCE_DIR "/testdata/golden/encoding.tsv", 1 << 20,
                                      &file, NULL),
                     0);
    for (rest = (char *)file.data; (line = strsep(&rest, "\n"));) {
        char *field[5] = {NULL, NULL, NULL, NULL, NULL};

        if (*line == '\0' || *line == '#')
            continue;
        for (int i = 0; i < 5; i++)
            field[i] = strsep(&line, "\t");
        if (strcmp(field[1], "accept") == 0) {
            check_accept(field[0], field);
            accepted++;
        } else if (strcmp(field[1], "reject") == 0) {
            check_reject(field[0], field);
            rejected++;
        } else {
            assert_string_equal(field[1], "encode");
            check_encode(field[0], field);
            encoded++;
        }
    }
    assert_int_equal(accepted, 51 + 1 + 154 + 5); /* T, W, A */
    assert_int_equal(rejected, 10 + 12 + 144);
    assert_int_equal(encoded, 107 + 17);
    cfz_buf_release(&file);
}

/* The vectors again where other conversions would give other results. */
static void test_vectors_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};

    for (size_t i = 0; i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i]); i++)
        ;
    test_vectors(state);
    setlocale(LC_ALL, "C");
}

static void test_vectors_rounding(void **state)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        test_vectors(state);
    }
    fesetround(FE_TONEAREST);
}

/* ---- round trips -------------------------------------------------------------- */

static void test_every_byte(void **state)
{
    uint8_t byte;

    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = &byte, .len = 1};

        byte = (uint8_t)i;
        round_trip_bits(CFZ_KIND_UINT8, i);
        round_trip(&v);
        v.kind = CFZ_KIND_STRING;
        round_trip(&v);
    }
}

static void test_every_int8(void **state)
{
    (void)state;
    for (int i = -128; i < 128; i++)
        round_trip_bits(CFZ_KIND_INT8, (uint64_t)(int64_t)i);
}

static void test_every_code_point(void **state)
{
    (void)state;
    for (int64_t r = -2; r < 0x110002; r += r < 0x3000 ? 1 : 61) {
        uint8_t utf8[4];
        struct cfz_value v = {.kind = CFZ_KIND_STRING, .data = utf8};

        round_trip_bits(CFZ_KIND_INT32, (uint64_t)r);
        if (r < 0 || !cfz_rune_is_valid((uint32_t)r))
            continue;
        v.len = cfz_utf8_encode((uint32_t)r, utf8);
        round_trip(&v);
    }
}

static void test_float_patterns(void **state)
{
    static const uint32_t f32[] = {0,          0x80000000, 0x7f7fffff, 1,          0x807fffff,
                                   0x00800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc00001,
                                   0xffc00000, 0x7f800001, 0xffffffff};
    static const uint64_t f64[] = {0,
                                   0x8000000000000000,
                                   0x7fefffffffffffff,
                                   1,
                                   0x800fffffffffffff,
                                   0x0010000000000000,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0x7ff8000000000001,
                                   0x7ff0000000000001,
                                   0xfff8000000000001,
                                   0xffffffffffffffff};

    (void)state;
    for (size_t i = 0; i < sizeof f32 / sizeof *f32; i++)
        round_trip_bits(CFZ_KIND_FLOAT32, f32[i]);
    for (size_t i = 0; i < sizeof f64 / sizeof *f64; i++)
        round_trip_bits(CFZ_KIND_FLOAT64, f64[i]);
    /* Every quiet and signalling payload bit by itself. */
    for (int i = 0; i < 23; i++)
        round_trip_bits(CFZ_KIND_FLOAT32, 0x7f800000 | 1u << i);
    for (int i = 0; i < 52; i++)
        round_trip_bits(CFZ_KIND_FLOAT64, 0x7ff0000000000000 | UINT64_C(1) << i);
}

/* Bits as a value of a kind holds them. */
static uint64_t canonical(enum cfz_kind kind, uint64_t bits)
{
    unsigned width = cfz_kind_width(kind);

    if (width == 64)
        return bits;
    bits &= (UINT64_C(1) << width) - 1;
    if (cfz_kind_is_signed(kind) && bits >> (width - 1))
        bits |= ~UINT64_C(0) << width;
    return bits;
}

static void test_random_values(void **state)
{
    uint8_t bytes[64];

    (void)state;
    seed = 1;
    for (int k = 1; k < CFZ_KIND_COUNT; k++) {
        enum cfz_kind kind = (enum cfz_kind)k;

        for (int i = 0; i < 3000; i++) {
            struct cfz_value v = {.kind = kind};

            if (cfz_kind_is_slot(kind)) {
                v.data = bytes;
                v.len = rnd() % sizeof bytes;
                for (size_t j = 0; j < v.len; j++)
                    bytes[j] = (uint8_t)(rnd() % 4 ? rnd() : 0xe2); /* some UTF-8, mostly not */
            } else {
                v.bits = canonical(kind, rnd() >> rnd() % 64 << rnd() % 64);
            }
            round_trip(&v);
        }
    }
}

static void test_many_values(void **state)
{
    static const char text[] = "go test fuzz v1\n[]byte(\"a\\x00\")\nstring(\"\")\nbool(true)\n"
                               "int8(-1)\nint16(-2)\nrune('x')\nint64(-3)\nint(-4)\nbyte('\\n')\n"
                               "uint16(2)\nuint32(3)\nuint64(4)\nuint(5)\nfloat32(1.5)\n"
                               "float64(-2.5e-10)\n";
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    parse_ok(text, sizeof text - 1, &vals);
    assert_int_equal(vals.n, 15);
    assert_int_equal(vals.v[0].len, 2);
    assert_memory_equal(vals.v[0].data, "a\0", 2);
    assert_int_equal(vals.v[3].bits, UINT64_MAX);
    assert_int_equal(cfz_encoding_write(&vals, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), text);
    parse_ok("go test fuzz v1\nint(1)", 22, &vals); /* replaces what was there */
    assert_int_equal(vals.n, 1);
    cfz_values_release(&vals);
    cfz_buf_release(&out);
}

/* ---- what is not a corpus file --------------------------------------------------- */

static void test_line_numbers(void **state)
{
    static const struct {
        const char *text, *error;
        size_t line;
    } cases[] = {
        {"", "cannot unmarshal empty string", 0},
        {"go test fuzz v1", "must include version and at least one value", 0},
        {"go test fuzz v2\nint(1)\n", "unknown encoding version: go test fuzz v2", 1},
        {"go test fuzz v1\nint8(300)\n",
         "malformed line \"int8(300)\": strconv.ParseInt: parsing \"300\": value out of range", 2},
        {"go test fuzz v1\n\n  \nint(1)\n\t x\r\n",
         "malformed line \"x\": expected call expression", 5},
        /* Nothing that a terminal would obey reaches it. */
        {"\x1b[2J\xff\nint(1)\n", "unknown encoding version: \"\\x1b[2J\\xff\"", 1},
        {"go test fuzz v1\n\x1b[2J\n",
         "malformed line \"\\x1b[2J\": (test):1:1: illegal character U+001B", 2},
    };
    size_t line;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(parse_bad(cases[i].text, strlen(cases[i].text), &line), cases[i].error);
        assert_int_equal(line, cases[i].line);
    }
}

/* Texts of a header, count times open, a middle and count times close. */
static void nested(const char *open, const char *middle, const char *close, size_t count,
                   struct cfz_buf *out)
{
    cfz_buf_release(out);
    assert_int_equal(cfz_buf_puts(out, "go test fuzz v1\n", NULL), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(cfz_buf_puts(out, open, NULL), 0);
    assert_int_equal(cfz_buf_puts(out, middle, NULL), 0);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(cfz_buf_puts(out, close, NULL), 0);
}

static void test_hostile_lines(void **state)
{
    static const char *const cases[][3] = {
        {"(", "int(1)", ")"}, {"int(", "1", ")"}, {"-", "1", ""},     {"[]", "byte(\"a\")", ""},
        {"*", "x", ""},       {"x{", "1", "}"},   {"{", "1", "}"},    {"x[", "1", "]"},
        {"x.(", "y", ")"},    {"[](", "y", ")"},  {"x[y,", "z", "]"}, {"a{b:", "1", "}"},
        {"", "int(", ""},     {"1+", "1", ""},    {"x.", "x", ""},    {"x(", "", ""},
        {"\\", "", ""},       {"'\\", "", ""},    {"[", "", "]byte"}, {"f()", "", "()"},
    };
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t line;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *error;

        nested(cases[i][0], cases[i][1], cases[i][2], 100000, &text);
        error = parse_bad(cfz_buf_str(&text), text.len, &line);
        assert_int_equal(line, 2);
        assert_true(strncmp(error, "malformed line \"", 16) == 0);
        assert_true(strlen(error) < 2500); /* however long the line: the reason is seen */
    }
    cfz_buf_release(&text);
}

static void test_long_values(void **state)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT, zeros = CFZ_BUF_INIT;
    const char *z;
    size_t line;

    (void)state;
    nested("", "string(\"", "", 0, &text);
    for (int i = 0; i < 300000; i++)
        assert_int_equal(cfz_buf_puts(&text, "\\x00\xc3\xa9", NULL), 0);
    assert_int_equal(cfz_buf_puts(&text, "\")", NULL), 0);
    parse_ok(cfz_buf_str(&text), text.len, &vals);
    assert_int_equal(vals.v[0].len, 900000);

    nested("0", "", "", 200000, &zeros);
    z = cfz_buf_str(&zeros) + strlen("go test fuzz v1\n");
    cfz_buf_release(&text);
    assert_int_equal(cfz_buf_printf(&text, NULL,
                                    "go test fuzz v1\nfloat64(0.%s1e200000)\n"
                                    "float32(1%se-200000)\nfloat64(%s.5)\n",
                                    z, z, z),
                     0);
    parse_ok(cfz_buf_str(&text), text.len, &vals);
    assert_int_equal(vals.n, 3);
    assert_true(cfz_value_f64(&vals.v[0]) == 0.1);
    assert_true(cfz_value_f32(&vals.v[1]) == 1);
    assert_true(cfz_value_f64(&vals.v[2]) == 0.5);

    cfz_buf_release(&text);
    assert_int_equal(cfz_buf_printf(&text, NULL, "go test fuzz v1\nint8(1%s)\n", z), 0);
    assert_non_null(
        strstr(parse_bad(cfz_buf_str(&text), text.len, &line), "\"...: value out of range"));
    cfz_values_release(&vals);
    cfz_buf_release(&text);
    cfz_buf_release(&zeros);
}

/* Changes a text in a few places: bytes that mean something to the parser, mostly. */
static void mutate(char *text, size_t *len, size_t cap)
{
    static const char pool[] = "()[]{}.,:;\"'`\\/*-+<!^&~_ 0123456789abcefinptuxBEINPUX\r\n\t\0\xff"
                               "\xef\xbb\xbf";

    for (uint64_t n = 1 + rnd() % 4; n > 0; n--) {
        size_t low = *len > 16 && rnd() % 16 ? 16 : 0; /* mostly behind the header */
        size_t at = low + rnd() % (*len + 1 - low);
        char c = pool[rnd() % (sizeof pool - 1)];

        switch (rnd() % 3) {
        case 0:
            if (at < *len)
                text[at] = c;
            break;
        case 1:
            if (*len < cap) {
                memmove(text + at + 1, text + at, *len - at);
                text[at] = c;
                ++*len;
            }
            break;
        default:
            if (at < *len) {
                memmove(text + at, text + at + 1, *len - at - 1);
                --*len;
            }
        }
    }
}

/* Whatever the text: it is refused with a reason, or its values read back from what is written. */
static void test_mutated(void **state)
{
    static const char *const bases[] = {
        "go test fuzz v1\nint(-0x1f)\n",
        "go test fuzz v1\n[]byte(\"a\\xff\\u1234\\\"\")\nint8(1)\n",
        "go test fuzz v1\nstring(`a` ) // c\n",
        "go test fuzz v1\nfloat64(-12.5e+10)\nfloat32(0x1p-2)\n",
        "go test fuzz v1\nmath.Float64frombits(0x7ff8000000000002)\nbyte('\\'')\n",
        "go test fuzz v1\nrune('\\U0010ffff')\nbool(true)\nfloat32(-Inf)\n",
    };
    unsigned accepted = 0, refused = 0;

    (void)state;
    seed = 2;
    for (int i = 0; i < 60000; i++) {
        struct cfz_values vals = CFZ_VALUES_INIT, again = CFZ_VALUES_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        struct cfz_buf out = CFZ_BUF_INIT;
        const char *base = bases[i % (sizeof bases / sizeof *bases)];
        size_t len = strlen(base);
        char text[128], *exact;

        memcpy(text, base, len);
        mutate(text, &len, sizeof text);
        exact = malloc(len ? len : 1); /* so that a sanitizer sees a read past the end */
        assert_non_null(exact);
        memcpy(exact, text, len);
        if (cfz_encoding_parse((uint8_t *)exact, len, &vals, NULL, &err) < 0) {
            assert_int_equal(err.code, CFZ_EFORMAT);
            assert_true(strlen(err.text) > 10);
            refused++;
        } else if (vals.n > 0) {
            assert_int_equal(cfz_encoding_write(&vals, &out, NULL), 0);
            parse_ok(cfz_buf_str(&out), out.len, &again);
            assert_true(cfz_values_equal(&vals, &again));
            accepted++;
        }
        free(exact);
        cfz_values_release(&vals);
        cfz_values_release(&again);
        cfz_buf_release(&out);
    }
    assert_true(accepted > 2500 && refused > 20000);
}

static void test_file_name(void **state)
{
    static const struct {
        const char *content, *name;
    } cases[] = {
        {"go test fuzz v1\n[]byte(\"0\")\n", "582528ddfad69eb5"},
        {"go test fuzz v1\n[]byte(\"\")\n", "caf81e9797b19c76"},
        {"go test fuzz v1\nint(0)\n", "de87e46a2f41b2c4"},
        {"go test fuzz v1\nstring(\"hello\")\nint(10)\n", "938b0ddaf7af5000"},
    };
    char name[17];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cfz_encoding_file_name(cases[i].content, strlen(cases[i].content), name);
        assert_string_equal(name, cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),          cmocka_unit_test(test_vectors_locale),
        cmocka_unit_test(test_vectors_rounding), cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_every_int8),       cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_float_patterns),   cmocka_unit_test(test_random_values),
        cmocka_unit_test(test_many_values),      cmocka_unit_test(test_line_numbers),
        cmocka_unit_test(test_hostile_lines),    cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_mutated),          cmocka_unit_test(test_file_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
