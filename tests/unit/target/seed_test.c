/*
 * seed_test.c - arguments of cfuzz_add to values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "target/seed.h"

static struct cfz_error err;

/* Binds tagged arguments, as cfuzz_add makes them, to kinds. */
#define BIND(kinds, ...)                                                                           \
    cfz_seed_bind((const struct cfuzz_arg[]){CFUZZ_MAP_(CFUZZ_ARG_, __VA_ARGS__)},                 \
                  sizeof((const struct cfuzz_arg[]){CFUZZ_MAP_(CFUZZ_ARG_, __VA_ARGS__)}) /        \
                      sizeof(struct cfuzz_arg),                                                    \
                  kinds, sizeof kinds / sizeof kinds[0], &vs, &err)

static struct cfz_values vs;

static int teardown(void **state)
{
    (void)state;
    cfz_values_release(&vs);
    return 0;
}

static void test_fits(void **state)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES,   CFZ_KIND_STRING, CFZ_KIND_BOOL,
                                          CFZ_KIND_INT64,   CFZ_KIND_UINT64, CFZ_KIND_FLOAT32,
                                          CFZ_KIND_FLOAT64, CFZ_KIND_BYTES};
    char text[] = "text";

    (void)state;
    assert_int_equal(BIND(kinds, CFUZZ_BYTES("a\0b"), text, 1 == 1, -1, 18446744073709551615u, 1.5f,
                          0.1, "abc", 2),
                     0);
    assert_int_equal(vs.n, 8);
    assert_int_equal(vs.v[0].len, 3);
    assert_memory_equal(vs.v[0].data, "a\0b", 3);
    assert_int_equal(vs.v[1].len, 4);
    assert_int_equal(vs.v[2].bits, 1);
    assert_int_equal(vs.v[3].bits, UINT64_MAX);
    assert_int_equal(vs.v[4].bits, UINT64_MAX);
    assert_true(cfz_value_f32(&vs.v[5]) == 1.5f);
    assert_true(cfz_value_f64(&vs.v[6]) == 0.1);
    assert_int_equal(vs.v[7].len, 2); /* of three */
}

static void test_empty_and_null(void **state)
{
    static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, string[] = {CFZ_KIND_STRING};

    (void)state;
    assert_int_equal(BIND(bytes, (const void *)NULL, 0), 0);
    assert_int_equal(vs.v[0].len, 0);
    assert_int_equal(BIND(bytes, (const void *)NULL, 1), -1);
    assert_string_equal(err.text, "value 1: []byte is a null pointer");
    assert_int_equal(BIND(string, (const char *)NULL), -1);
    assert_string_equal(err.text, "value 1: string is a null pointer");
    assert_int_equal(BIND(bytes, "x", -1), -1);
    assert_string_equal(err.text, "value 1: []byte of -1 bytes");
    assert_int_equal(BIND(bytes, "x", (size_t)67108865), -1);
    assert_string_equal(err.text, "value 1: []byte of 67108865 bytes is longer than 67108864");
}

static void test_ranges(void **state)
{
    static const struct {
        enum cfz_kind kind;
        int64_t min;
        uint64_t max;
        const char *name;
    } cases[] = {
        {CFZ_KIND_INT8, INT8_MIN, INT8_MAX, "int8"},
        {CFZ_KIND_INT16, INT16_MIN, INT16_MAX, "int16"},
        {CFZ_KIND_INT32, INT32_MIN, INT32_MAX, "int32"},
        {CFZ_KIND_INT, INT32_MIN, INT32_MAX, "int"}, /* what the C parameter holds */
        {CFZ_KIND_INT64, INT64_MIN, INT64_MAX, "int64"},
        {CFZ_KIND_UINT8, 0, UINT8_MAX, "uint8"},
        {CFZ_KIND_UINT16, 0, UINT16_MAX, "uint16"},
        {CFZ_KIND_UINT32, 0, UINT32_MAX, "uint32"},
        {CFZ_KIND_UINT, 0, UINT32_MAX, "uint"},
        {CFZ_KIND_UINT64, 0, UINT64_MAX, "uint64"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum cfz_kind kinds[] = {cases[i].kind};
        char want[80];

        assert_int_equal(BIND(kinds, cases[i].min), 0);
        assert_int_equal((int64_t)vs.v[0].bits, cases[i].min);
        assert_int_equal(BIND(kinds, cases[i].max), 0);
        assert_int_equal(vs.v[0].bits, cases[i].max);
        if (cases[i].max < UINT64_MAX) {
            assert_int_equal(BIND(kinds, cases[i].max + 1), -1);
            snprintf(want, sizeof want, "value 1: %llu out of range of %s",
                     (unsigned long long)cases[i].max + 1, cases[i].name);
            assert_string_equal(err.text, want);
        }
        if (cases[i].min > INT64_MIN) {
            assert_int_equal(BIND(kinds, cases[i].min - 1), -1);
            snprintf(want, sizeof want, "value 1: %lld out of range of %s",
                     (long long)cases[i].min - 1, cases[i].name);
            assert_string_equal(err.text, want);
        }
    }
}

static void test_mismatches(void **state)
{
    static const enum cfz_kind bytes_int8[] = {CFZ_KIND_BYTES, CFZ_KIND_INT8};
    static const enum cfz_kind boolean[] = {CFZ_KIND_BOOL};
    static const enum cfz_kind f64[] = {CFZ_KIND_FLOAT64};
    static const enum cfz_kind string[] = {CFZ_KIND_STRING};

    (void)state;
    assert_int_equal(BIND(bytes_int8, "x"), -1);
    assert_string_equal(err.text, "wrong number of values in corpus entry: 1, want 2");
    assert_int_equal(BIND(bytes_int8, CFUZZ_BYTES("x"), 1, 2), -1);
    assert_string_equal(err.text, "wrong number of values in corpus entry: 3, want 2");
    assert_int_equal(BIND(bytes_int8, "hello", 50), -1);
    assert_string_equal(err.text,
                        "mismatched types in corpus entry: [string int], want [[]uint8 int8]");
    assert_int_equal(BIND(bytes_int8, (const void *)"x", 1), -1);
    assert_string_equal(err.text, "wrong number of values in corpus entry: 1, want 2");
    assert_int_equal(BIND(bytes_int8, 1.5, (const char *)"x"), -1);
    assert_string_equal(err.text,
                        "mismatched types in corpus entry: [float64 string], want [[]uint8 int8]");
    assert_int_equal(BIND(bytes_int8, CFUZZ_BYTES("x"), 1.5f), -1);
    assert_string_equal(err.text,
                        "mismatched types in corpus entry: [[]uint8 float32], want [[]uint8 int8]");
    assert_int_equal(BIND(boolean, 2), -1);
    assert_string_equal(err.text, "mismatched types in corpus entry: [int], want [bool]");
    assert_int_equal(BIND(boolean, 1), 0);
    assert_int_equal(BIND(f64, 1), -1); /* no silent conversion */
    assert_string_equal(err.text, "mismatched types in corpus entry: [int], want [float64]");
    assert_int_equal(BIND(string, (int64_t)1), -1);
    assert_string_equal(err.text, "mismatched types in corpus entry: [int64], want [string]");
    assert_int_equal(BIND(string, CFUZZ_BYTES("x")), -1);
    assert_string_equal(err.text, "mismatched types in corpus entry: [[]uint8], want [string]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_fits, teardown),
        cmocka_unit_test_teardown(test_empty_and_null, teardown),
        cmocka_unit_test_teardown(test_ranges, teardown),
        cmocka_unit_test_teardown(test_mismatches, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
