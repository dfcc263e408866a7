/*
 * migrate_test.c - corpus files of tests whose parameters changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/corpus/encoding.h"
#include "corpus/migrate.h"

static const struct {
    const char *name;
    const char *old; /* lines of the corpus file */
    const char *types;
    const char *want; /* lines, or the error */
    size_t placed;
} cases[] = {
    {"the same", "int8(1)\nstring(\"a\")\n", "int8, string", "int8(1)\nstring(\"a\")\n", 2},
    {"one added at the end", "int8(1)\n", "int8, string", "int8(1)\nstring(\"\")\n", 1},
    {"one added before", "int8(1)\nint8(2)\n", "bool, int8, int8",
     "bool(false)\nint8(1)\nint8(2)\n", 2},
    {"one removed", "int8(1)\nstring(\"a\")\nint8(2)\n", "int8, int8", "int8(1)\nint8(2)\n", 2},
    {"moved", "int8(1)\nstring(\"a\")\n", "string, int8", "string(\"a\")\nint8(1)\n", 2},
    {"one of three moved", "int8(1)\nstring(\"a\")\nbool(true)\n", "bool, int8, string",
     "bool(true)\nint8(1)\nstring(\"a\")\n", 3},
    {"wider", "int8(-1)\nuint16(7)\n", "int64, uint32", "int64(-1)\nuint32(7)\n", 2},
    {"narrower, where it fits", "int64(-128)\n", "int8", "int8(-128)\n", 1},
    {"narrower, where not", "bool(true)\nint64(-129)\n", "bool, int8",
     "value 2: int64 -129 out of range of int8", 2},
    {"no sign any more", "int(-1)\n", "uint", "value 1: int -1 out of range of uint", 1},
    {"no room in a C int", "int64(5000000000)\n", "int",
     "value 1: int 5000000000 out of range of a 32-bit int", 1},
    {"largest unsigned", "uint64(18446744073709551615)\n", "int64",
     "value 1: uint64 18446744073709551615 out of range of int64", 1},
    {"float", "float32(1.5)\n", "float64", "float64(1.5)\n", 1},
    {"text", "string(\"a\")\n[]byte(\"b\")\n", "[]byte, string", "[]byte(\"b\")\nstring(\"a\")\n",
     2},
    {"a string with NUL", "[]byte(\"a\\x00\")\n", "string",
     "value 1: string has a NUL byte at offset 1", 1},
    {"bool as a number", "bool(true)\n", "int", "int(1)\n", 1},
    {"a number is no bool", "int(1)\n", "bool", "bool(false)\n", 0},
    {"nothing alike", "float64(1)\n", "string", "string(\"\")\n", 0},
};

static void read_text(const char *lines, struct cfz_values *out)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    assert_int_equal(cfz_buf_printf(&text, NULL, "%s\n%s", CFZ_ENCODING_HEADER, lines), 0);
    assert_int_equal(cfz_encoding_parse(text.data, text.len, out, NULL, NULL), 0);
    cfz_buf_release(&text);
}

static void test_migrate(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct cfz_values old = CFZ_VALUES_INIT, new = CFZ_VALUES_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        struct cfz_buf text = CFZ_BUF_INIT;
        enum cfz_kind kinds[CFZ_VALUES_MAX];
        int from[CFZ_VALUES_MAX];
        const char *got;
        size_t n;

        read_text(cases[i].old, &old);
        assert_int_equal(cfz_types_parse(cases[i].types, kinds, &n, NULL), 0);
        if (migrate_plan(&old, kinds, n, from) != cases[i].placed)
            fail_msg("%s: %zu placed", cases[i].name, migrate_plan(&old, kinds, n, from));
        if (migrate_values(&old, kinds, n, from, &new, &err) < 0) {
            assert_int_equal(err.code, CFZ_ETYPE);
            assert_int_equal(new.n, 0);
            got = err.text;
        } else {
            assert_int_equal(cfz_encoding_write(&new, &text, NULL), 0);
            got = strchr(cfz_buf_str(&text), '\n') + 1;
        }
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s: %s, want %s", cases[i].name, got, cases[i].want);
        cfz_values_release(&old);
        cfz_values_release(&new);
        cfz_buf_release(&text);
    }
}

/* All parameters that a test can have, all of one type. */
static void test_many(void **state)
{
    struct cfz_values old = CFZ_VALUES_INIT;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    int from[CFZ_VALUES_MAX];

    (void)state;
    for (size_t i = 0; i < CFZ_VALUES_MAX; i++)
        kinds[i] = CFZ_KIND_INT8;
    assert_int_equal(cfz_values_zero(&old, kinds, CFZ_VALUES_MAX, NULL), 0);
    assert_int_equal(migrate_plan(&old, kinds, CFZ_VALUES_MAX, from), CFZ_VALUES_MAX);
    for (int i = 0; i < CFZ_VALUES_MAX; i++)
        assert_int_equal(from[i], i);
    cfz_values_release(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_migrate),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
