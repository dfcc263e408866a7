/*
 * flat_test.c - the flat form of values: exact bytes, what odd bytes are read as, and that both
 * ways fit together for a million random strings and a million random tuples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/corpus/encoding.h"
#include "core/corpus/flat.h"
#include "core/rand.h"

enum { ROUNDS = 1000 * 1000 }; /* of each of the two */

/* Reads in[0..len) as the types of a list; returns the text of a corpus file with its values. */
static char *read_as(const char *types, const void *in, size_t len, struct cfz_buf *flat)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t n;

    assert_int_equal(cfz_types_parse(types, kinds, &n, NULL), 0);
    assert_int_equal(cfz_flat_read(&vals, kinds, n, in, len, NULL), 0);
    assert_int_equal(cfz_values_check(&vals, kinds, n, NULL), 0);
    assert_int_equal(cfz_encoding_write(&vals, &text, NULL), 0);
    assert_int_equal(cfz_flat_write(&vals, flat, NULL), 0);
    cfz_values_release(&vals);
    return (char *)text.data;
}

/* The flat form of values, and the values of the flat form. BYTES gives string and length. */
#define BYTES(s) s, sizeof(s) - 1
static const struct {
    const char *types;
    const char *flat;
    size_t len;
    const char *values; /* lines of the corpus file */
} forms[] = {
    /* One []byte or string is itself. */
    {"[]byte", BYTES(""), "[]byte(\"\")\n"},
    {"[]byte", BYTES("\0a\xff"), "[]byte(\"\\x00a\\xff\")\n"},
    {"string", BYTES(""), "string(\"\")\n"},
    {"string", BYTES("a\xff\n"), "string(\"a\\xff\\n\")\n"},
    /* Numbers: the width of the C parameter, low byte first. */
    {"bool", BYTES("\1"), "bool(true)\n"},
    {"bool, bool", BYTES("\0\1"), "bool(false)\nbool(true)\n"},
    {"int8", BYTES("\x80"), "int8(-128)\n"},
    {"int16", BYTES("\xfe\xff"), "int16(-2)\n"},
    {"int32", BYTES("\1\0\0\x80"), "int32(-2147483647)\n"},
    {"int64", BYTES("\0\0\0\0\0\0\0\x80"), "int64(-9223372036854775808)\n"},
    {"int", BYTES("\xff\xff\xff\xff"), "int(-1)\n"},
    {"uint8", BYTES("\x61"), "byte('a')\n"},
    {"uint16", BYTES("\1\2"), "uint16(513)\n"},
    {"uint32", BYTES("\xff\xff\xff\xff"), "uint32(4294967295)\n"},
    {"uint64", BYTES("\1\2\3\4\5\6\7\x88"), "uint64(9801809732607083009)\n"},
    {"uint", BYTES("\0\0\0\x80"), "uint(2147483648)\n"},
    {"float32", BYTES("\0\0\xc0\xbf"), "float32(-1.5)\n"},
    {"float32", BYTES("\1\0\x80\xff"), "math.Float32frombits(0xff800001)\n"},
    {"float64", BYTES("\0\0\0\0\0\0\0\x80"), "float64(-0)\n"},
    {"float64", BYTES("\2\0\0\0\0\0\xf4\x7f"), "math.Float64frombits(0x7ff4000000000002)\n"},
    /* Numbers come first. The last []byte or string takes the rest, the others have a length. */
    {"[]byte, int", BYTES("\5\0\0\0ab"), "[]byte(\"ab\")\nint(5)\n"},
    {"int8, string, uint16", BYTES("\1\2\3x"), "int8(1)\nstring(\"x\")\nuint16(770)\n"},
    {"string, []byte", BYTES("\2\0\0\0ab\0c"), "string(\"ab\")\n[]byte(\"\\x00c\")\n"},
    {"[]byte, bool, []byte, string", BYTES("\1\1\0\0\0\0\0\0\0xyz"),
     "[]byte(\"x\")\nbool(true)\n[]byte(\"\")\nstring(\"yz\")\n"},
    /* The text of a corpus file of other types is bytes like others. */
    {"[]byte", BYTES("go test fuzz v1\nint(1)\n"), "[]byte(\"go test fuzz v1\\nint(1)\\n\")\n"},
    {"[]byte", BYTES("go test fuzz v1\n[]byte(\"\n"),
     "[]byte(\"go test fuzz v1\\n[]byte(\\\"\\n\")\n"},
    {"[]byte", BYTES("go test fuzz v1"), "[]byte(\"go test fuzz v1\")\n"},
    {"[]byte", BYTES("go test fuzz v2\n[]byte(\"a\")\n"),
     "[]byte(\"go test fuzz v2\\n[]byte(\\\"a\\\")\\n\")\n"},
    /* Bytes that are the text of a corpus file of this test have the text of a corpus file. */
    {"[]byte", BYTES("go test fuzz v1\n[]byte(\"go test fuzz v1\\n[]byte(\\\"a\\\")\")\n"),
     "[]byte(\"go test fuzz v1\\n[]byte(\\\"a\\\")\")\n"},
};

static void test_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct cfz_buf flat = CFZ_BUF_INIT, want = CFZ_BUF_INIT;
        char *text = read_as(forms[i].types, forms[i].flat, forms[i].len, &flat);

        assert_int_equal(
            cfz_buf_printf(&want, NULL, "%s\n%s", CFZ_ENCODING_HEADER, forms[i].values), 0);
        assert_string_equal(text, cfz_buf_str(&want));
        assert_int_equal(flat.len, forms[i].len);
        assert_memory_equal(cfz_buf_str(&flat), forms[i].flat, forms[i].len);
        free(text);
        cfz_buf_release(&flat);
        cfz_buf_release(&want);
    }
}

/* Bytes that are not the flat form of what they are read as, and the flat form. */
static const struct {
    const char *types;
    const char *in;
    size_t in_len;
    const char *flat;
    size_t len;
} others[] = {
    /* What is missing is 0, what is left over is nothing. */
    {"int", BYTES(""), BYTES("\0\0\0\0")},
    {"int16", BYTES("\xff"), BYTES("\xff\0")},
    {"int8, uint8", BYTES("\1\2\3"), BYTES("\1\2")},
    {"[]byte, int", BYTES("\1"), BYTES("\1\0\0\0")},
    {"[]byte, string", BYTES(""), BYTES("\0\0\0\0")},
    {"[]byte, string", BYTES("\1\0\0"), BYTES("\0\0\0\0")},
    /* Of a bool the lowest bit. */
    {"bool, bool", BYTES("\xff\x80"), BYTES("\1\0")},
    /* A string ends at its NUL; the next value does not begin earlier. */
    {"string", BYTES("a\0b"), BYTES("a")},
    {"string, []byte", BYTES("\4\0\0\0a\0bcd"), BYTES("\1\0\0\0ad")},
    /* Lengths beyond the end: modulo 2 * left + 1, and at most left. */
    {"[]byte, []byte", BYTES("\4\0\0\0abc"), BYTES("\3\0\0\0abc")},
    {"[]byte, []byte", BYTES("\6\0\0\0abc"), BYTES("\3\0\0\0abc")},
    {"[]byte, []byte", BYTES("\7\0\0\0abc"), BYTES("\0\0\0\0abc")},
    {"[]byte, []byte", BYTES("\10\0\0\0abc"), BYTES("\1\0\0\0abc")},
    {"[]byte, []byte", BYTES("\xff\xff\xff\xff"), BYTES("\0\0\0\0")},
    {"[]byte, []byte, []byte", BYTES("\2\0\0\0\5\0\0\0abc"), BYTES("\2\0\0\0\1\0\0\0abc")},
    /* The text of a corpus file that fits. */
    {"[]byte", BYTES("go test fuzz v1\n[]byte(\"a\")\n"), BYTES("a")},
    {"[]byte", BYTES("go test fuzz v1\r\n  []byte(`a`)"), BYTES("a")},
    {"int8, string", BYTES("go test fuzz v1\nint8(-1)\nstring(\"b\")\n"),
     BYTES("\xff"
           "b")},
    /* One that does not fit is read like any other bytes. */
    {"int8, string", BYTES("go test fuzz v1\nint8(-1)\nstring(\"\\x00\")\n"),
     BYTES("go test fuzz v1\nint8(-1)\nstring(\"\\x00\")\n")},
    {"int", BYTES("go test fuzz v1\nint(2147483648)\n"), BYTES("go t")},
    {"int", BYTES("go test fuzz v1\nint(0)\nint(0)\n"), BYTES("go t")},
};

static void test_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct cfz_buf flat = CFZ_BUF_INIT, again = CFZ_BUF_INIT;
        char *text = read_as(others[i].types, others[i].in, others[i].in_len, &flat);

        assert_int_equal(flat.len, others[i].len);
        assert_memory_equal(cfz_buf_str(&flat), others[i].flat, others[i].len);
        free(text);
        free(read_as(others[i].types, flat.data, flat.len, &again));
        assert_int_equal(again.len, flat.len);
        assert_memory_equal(cfz_buf_str(&again), cfz_buf_str(&flat), flat.len);
        cfz_buf_release(&flat);
        cfz_buf_release(&again);
    }
}

static void test_is_text(void **state)
{
    static const uint8_t text[] = "go test fuzz v1\r\nint(1)\n";

    (void)state;
    assert_true(cfz_flat_is_text(text, sizeof text - 1));
    assert_true(cfz_flat_is_text(text, 17));
    assert_false(cfz_flat_is_text(text, 16)); /* CR alone */
    assert_false(cfz_flat_is_text(text, 15));
    assert_false(cfz_flat_is_text(text, 0));
    assert_false(cfz_flat_is_text(NULL, 0));
    assert_true(cfz_flat_is_text((const uint8_t *)"go test fuzz v1\n", 16));
    assert_false(cfz_flat_is_text((const uint8_t *)"go test fuzz v10\n", 17));
}

/* A value has no more than a slot holds; with a length before it the rest is passed over. */
static void test_longest(void **state)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_STRING, CFZ_KIND_BYTES};
    const size_t len = 4 + CFZ_SLOT_SIZE + 1 + CFZ_SLOT_SIZE + 1;
    uint8_t *in = malloc(len);
    struct cfz_value v[2];

    (void)state;
    assert_non_null(in);
    memset(in, 'x', len);
    memcpy(in, "\1\0\0\4", 4);
    cfz_flat_split(kinds, 2, in, len, v);
    assert_int_equal(v[0].len, CFZ_SLOT_SIZE - 1);
    assert_ptr_equal(v[0].data, in + 4);
    assert_int_equal(v[1].len, CFZ_SLOT_SIZE);
    assert_ptr_equal(v[1].data, in + 4 + CFZ_SLOT_SIZE + 1);
    cfz_flat_split(kinds, 1, in, len, v);
    assert_int_equal(v[0].len, 1); /* ends at the first NUL */
    free(in);
}

/* ---- a million random ones of each ----------------------------------------------------- */

static size_t draw_kinds(struct cfz_rand *r, enum cfz_kind kinds[])
{
    size_t n = 1 + cfz_rand_below(r, cfz_rand_below(r, 64) == 0 ? CFZ_VALUES_MAX : 4);

    for (size_t i = 0; i < n; i++) {
        kinds[i] = (enum cfz_kind)(CFZ_KIND_NONE + 1 +
                                   (int)cfz_rand_below(r, CFZ_KIND_COUNT - CFZ_KIND_NONE - 1));
        if (cfz_rand_below(r, 4) == 0)
            kinds[i] = cfz_rand_bool(r) ? CFZ_KIND_BYTES : CFZ_KIND_STRING;
    }
    return n;
}

/* Random bytes, of which many are 0, small or 0xff, and some begin with the text of a corpus file.
 */
static size_t draw_bytes(struct cfz_rand *r, uint8_t *out, size_t most)
{
    static const char *const texts[] = {"go test fuzz v1\n", "go test fuzz v1\n[]byte(\"a\")\n",
                                        "go test fuzz v1\nint(7)\nstring(\"b\")\n",
                                        "go test fuzz v1\nstring(\"go test fuzz v1\")"};
    size_t len = cfz_rand_below(r, 1 + cfz_rand_below(r, (uint32_t)most + 1)), kept = 0;

    if (cfz_rand_below(r, 32) == 0) {
        const char *text = texts[cfz_rand_below(r, 4)];

        kept = strlen(text) < most ? strlen(text) : most;
        memcpy(out, text, kept);
        if (cfz_rand_bool(r) || len < kept)
            len = kept;
    }
    for (size_t i = kept; i < len; i++) {
        uint32_t draw = cfz_rand_u32(r);

        out[i] = (uint8_t)(draw >> 8);
        if ((draw & 3) == 0)
            out[i] = (draw & 4) ? (uint8_t)(draw >> 8 & 7) : 0xff;
    }
    return len;
}

/* A value that the C parameter of its kind can hold, and any bits that it can have. */
static void draw_value(struct cfz_rand *r, struct cfz_value *v)
{
    unsigned unused = 64 - cfz_kind_c_width(v->kind);
    uint64_t bits = cfz_rand_below(r, 4) == 0 ? cfz_rand_below(r, 3) : cfz_rand_u64(r);
    uint8_t data[48];
    size_t len;

    if (cfz_kind_is_slot(v->kind)) {
        len = draw_bytes(r, data, sizeof data);
        for (size_t i = 0; cfz_kind_is_string(v->kind) && i < len; i++)
            data[i] = data[i] ? data[i] : 'z';
        assert_int_equal(cfz_value_set_bytes(v, data, len, NULL), 0);
    } else if (cfz_kind_is_signed(v->kind)) {
        v->bits = (uint64_t)((int64_t)(bits << unused) >> unused);
    } else {
        v->bits = cfz_kind_is(v->kind, CFZ_FAMILY_BOOL, 0) ? bits & 1 : bits << unused >> unused;
    }
}

/* What was written is read back, and is written the same again. */
static void check_written(const struct cfz_values *vals, const enum cfz_kind *kinds, size_t n,
                          struct cfz_buf *flat, struct cfz_buf *again)
{
    struct cfz_values back = CFZ_VALUES_INIT;

    cfz_buf_truncate(flat, 0);
    cfz_buf_truncate(again, 0);
    assert_int_equal(cfz_flat_write(vals, flat, NULL), 0);
    assert_int_equal(cfz_flat_read(&back, kinds, n, flat->data, flat->len, NULL), 0);
    assert_true(cfz_values_equal(&back, vals));
    assert_int_equal(cfz_flat_write(&back, again, NULL), 0);
    assert_true(again->len == flat->len);
    if (flat->len > 0)
        assert_memory_equal(again->data, flat->data, flat->len);
    cfz_values_release(&back);
}

static void test_random_tuples(void **state)
{
    struct cfz_buf flat = CFZ_BUF_INIT, again = CFZ_BUF_INIT;
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 11, 1);
    for (int round = 0; round < ROUNDS; round++) {
        struct cfz_values vals = CFZ_VALUES_INIT;
        enum cfz_kind kinds[CFZ_VALUES_MAX];
        size_t n = draw_kinds(&r, kinds);

        assert_int_equal(cfz_values_zero(&vals, kinds, n, NULL), 0);
        for (size_t i = 0; i < n; i++)
            draw_value(&r, &vals.v[i]);
        check_written(&vals, kinds, n, &flat, &again);
        cfz_values_release(&vals);
    }
    cfz_buf_release(&flat);
    cfz_buf_release(&again);
}

static void test_random_strings(void **state)
{
    struct cfz_buf flat = CFZ_BUF_INIT, again = CFZ_BUF_INIT;
    struct cfz_rand r;
    uint8_t in[64];
    size_t same = 0, texts = 0;

    (void)state;
    cfz_rand_init(&r, 11, 2);
    for (int round = 0; round < ROUNDS; round++) {
        struct cfz_values vals = CFZ_VALUES_INIT;
        enum cfz_kind kinds[CFZ_VALUES_MAX];
        size_t n = draw_kinds(&r, kinds), len = draw_bytes(&r, in, sizeof in);

        assert_int_equal(cfz_flat_read(&vals, kinds, n, in, len, NULL), 0);
        assert_int_equal(cfz_values_check(&vals, kinds, n, NULL), 0);
        check_written(&vals, kinds, n, &flat, &again);
        same += flat.len == len && (len == 0 || memcmp(flat.data, in, len) == 0);
        texts += cfz_flat_is_text(in, len);
        cfz_values_release(&vals);
    }
    assert_true(same > ROUNDS / 100); /* neither the rule nor the exception */
    assert_true(same < ROUNDS - ROUNDS / 100);
    assert_true(texts > ROUNDS / 100);
    cfz_buf_release(&flat);
    cfz_buf_release(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),         cmocka_unit_test(test_others),
        cmocka_unit_test(test_is_text),       cmocka_unit_test(test_longest),
        cmocka_unit_test(test_random_tuples), cmocka_unit_test(test_random_strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
