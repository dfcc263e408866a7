/*
 * value_test.c - typed values: copy, compare, check, pack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/shmem.h"
#include "core/value.h"

static const enum cfz_kind all[] = {
    CFZ_KIND_BYTES,  CFZ_KIND_STRING, CFZ_KIND_BOOL, CFZ_KIND_INT8,    CFZ_KIND_INT16,
    CFZ_KIND_INT32,  CFZ_KIND_INT64,  CFZ_KIND_INT,  CFZ_KIND_UINT8,   CFZ_KIND_UINT16,
    CFZ_KIND_UINT32, CFZ_KIND_UINT64, CFZ_KIND_UINT, CFZ_KIND_FLOAT32, CFZ_KIND_FLOAT64,
};
enum { NALL = sizeof all / sizeof *all };

/* One value of each kind, none of them zero. */
static void fill(struct cfz_values *vs)
{
    assert_int_equal(cfz_values_zero(vs, all, NALL, NULL), 0);
    assert_int_equal(cfz_value_set_bytes(&vs->v[0], "a\0bcdefgh", 9, NULL), 0);
    assert_int_equal(cfz_value_set_bytes(&vs->v[1], "text", 4, NULL), 0);
    for (size_t i = 2; i < NALL; i++)
        vs->v[i].bits = i;
    vs->v[3].bits = (uint64_t)-3;
    cfz_value_set_f32(&vs->v[13], -1.5f);
    cfz_value_set_f64(&vs->v[14], 2.5);
}

static void test_accessors(void **state)
{
    struct cfz_values vs = CFZ_VALUES_INIT;

    (void)state;
    fill(&vs);
    assert_int_equal(cfz_value_int(&vs.v[3]), -3);
    assert_true(cfz_value_f32(&vs.v[13]) == -1.5f);
    assert_int_equal(vs.v[13].bits, 0xbfc00000);
    assert_true(cfz_value_f64(&vs.v[14]) == 2.5);
    assert_int_equal(vs.v[14].bits, 0x4004000000000000);
    cfz_values_release(&vs);
    assert_null(vs.v);
    cfz_values_release(&vs);
}

static void test_zero(void **state)
{
    struct cfz_values vs = CFZ_VALUES_INIT;

    (void)state;
    fill(&vs);
    assert_int_equal(cfz_values_zero(&vs, all, NALL, NULL), 0); /* replaces */
    assert_int_equal(vs.n, NALL);
    for (size_t i = 0; i < NALL; i++) {
        assert_int_equal(vs.v[i].kind, all[i]);
        assert_int_equal(vs.v[i].bits, 0);
        assert_int_equal(vs.v[i].len, 0);
    }
    cfz_values_release(&vs);
}

static void test_set_bytes(void **state)
{
    static const char text[] = "borrowed";
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = (uint8_t *)text, .len = 8};
    struct cfz_values vs = {&v, 1, 0};
    const uint8_t *data;

    (void)state;
    assert_int_equal(cfz_value_set_bytes(&v, text + 2, 4, NULL), 0);
    assert_ptr_not_equal(v.data, text);
    assert_memory_equal(v.data, "rrow", 4);
    data = v.data;
    assert_int_equal(cfz_value_set_bytes(&v, v.data + 1, 3, NULL), 0); /* part of itself */
    assert_ptr_equal(v.data, data);
    assert_memory_equal(v.data, "row", 3);
    assert_int_equal(cfz_value_set_bytes(&v, v.data, 0, NULL), 0);
    assert_int_equal(v.len, 0);
    assert_int_equal(cfz_value_set_bytes(&v, text, 8, NULL), 0);
    assert_string_equal(text, "borrowed");
    free(v.data);
    v = (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = (uint8_t *)text, .len = 8};
    assert_int_equal(cfz_value_set_bytes(&v, NULL, 0, NULL), 0);
    assert_null(v.data); /* no longer borrows */
    assert_int_equal(cfz_values_packed_size(&vs), 8);
}

static void test_copy_equal(void **state)
{
    struct cfz_values a = CFZ_VALUES_INIT, b = CFZ_VALUES_INIT;

    (void)state;
    fill(&a);
    assert_int_equal(cfz_values_copy(&b, &a, NULL), 0);
    assert_true(cfz_values_equal(&a, &b));
    assert_ptr_not_equal(a.v[0].data, b.v[0].data);
    for (size_t i = 0; i < NALL; i++) {
        if (cfz_kind_is_slot(all[i])) {
            b.v[i].data[0] ^= 1;
            assert_false(cfz_values_equal(&a, &b));
            b.v[i].data[0] ^= 1;
            b.v[i].len--;
            assert_false(cfz_values_equal(&a, &b));
            b.v[i].len++;
        } else {
            b.v[i].bits ^= 1;
            assert_false(cfz_values_equal(&a, &b));
            b.v[i].bits ^= 1;
        }
    }
    assert_true(cfz_values_equal(&a, &b));
    b.v[7].kind = CFZ_KIND_INT64;
    assert_false(cfz_values_equal(&a, &b));
    b.v[7].kind = CFZ_KIND_INT;
    b.n--;
    assert_false(cfz_values_equal(&a, &b));
    b.n++;
    cfz_values_swap(&a, &b);
    assert_true(cfz_values_equal(&a, &b));
    cfz_values_release(&a);
    assert_int_equal(cfz_values_copy(&b, &a, NULL), 0); /* of nothing */
    assert_int_equal(b.n, 0);
    cfz_values_release(&b);
}

/* Floats are compared as bits: NaN equals itself, -0 does not equal 0. */
static void test_equal_floats(void **state)
{
    struct cfz_value x = {.kind = CFZ_KIND_FLOAT64, .bits = 0x7ff8000000000001}, y = x;
    struct cfz_values a = {&x, 1, 0}, b = {&y, 1, 0};

    (void)state;
    assert_true(cfz_values_equal(&a, &b));
    y.bits++;
    assert_false(cfz_values_equal(&a, &b));
    x.bits = 0;
    y.bits = 0x8000000000000000;
    assert_false(cfz_values_equal(&a, &b));
}

static void check_says(const struct cfz_values *vs, const enum cfz_kind *kinds, size_t n,
                       const char *want)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (!want) {
        assert_int_equal(cfz_values_check(vs, kinds, n, &err), 0);
        return;
    }
    assert_int_equal(cfz_values_check(vs, kinds, n, &err), -1);
    assert_int_equal(err.code, CFZ_ETYPE);
    assert_string_equal(err.text, want);
}

static void test_check_types(void **state)
{
    static const enum cfz_kind want[] = {CFZ_KIND_BYTES, CFZ_KIND_INT8};
    struct cfz_value v[] = {{.kind = CFZ_KIND_STRING}, {.kind = CFZ_KIND_INT}};
    struct cfz_values vs = {v, 2, 0}, one = {v, 1, 0}, none = CFZ_VALUES_INIT;
    struct cfz_values many = CFZ_VALUES_INIT;

    (void)state;
    check_says(&none, want, 2, "wrong number of values in corpus entry: 0, want 2");
    check_says(&one, want, 2, "wrong number of values in corpus entry: 1, want 2");
    check_says(&vs, want, 1, "wrong number of values in corpus entry: 2, want 1");
    check_says(&vs, want, 2, "mismatched types in corpus entry: [string int], want [[]uint8 int8]");
    v[0].kind = CFZ_KIND_BYTES;
    check_says(&vs, want, 2,
               "mismatched types in corpus entry: [[]uint8 int], want [[]uint8 int8]");
    v[1].kind = CFZ_KIND_INT8;
    check_says(&vs, want, 2, NULL);
    fill(&many);
    check_says(&many, all, NALL, NULL);
    cfz_values_release(&many);
}

static void test_check_ranges(void **state)
{
    static const struct {
        enum cfz_kind kind;
        uint64_t bits;
        const char *error;
    } cases[] = {
        {CFZ_KIND_INT, 2147483647, NULL},
        {CFZ_KIND_INT, (uint64_t)-2147483648LL, NULL},
        {CFZ_KIND_INT, 2147483648, "value 1: int 2147483648 out of range of a 32-bit int"},
        {CFZ_KIND_INT, (uint64_t)-2147483649LL,
         "value 1: int -2147483649 out of range of a 32-bit int"},
        {CFZ_KIND_UINT, 4294967295, NULL},
        {CFZ_KIND_UINT, UINT64_MAX,
         "value 1: uint 18446744073709551615 out of range of a 32-bit unsigned int"},
        {CFZ_KIND_INT64, UINT64_MAX, NULL},
        {CFZ_KIND_UINT64, UINT64_MAX, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cfz_value v = {.kind = cases[i].kind, .bits = cases[i].bits};
        struct cfz_values vs = {&v, 1, 0};

        check_says(&vs, &v.kind, 1, cases[i].error);
    }
}

static void test_check_data(void **state)
{
    struct cfz_value v = {.kind = CFZ_KIND_STRING, .data = (uint8_t *)"abc\0d", .len = 5};
    struct cfz_values vs = {&v, 1, 0};

    (void)state;
    check_says(&vs, &v.kind, 1, "value 1: string has a NUL byte at offset 3");
    v.len = 3;
    check_says(&vs, &v.kind, 1, NULL);
    v.kind = CFZ_KIND_BYTES;
    v.len = 5;
    check_says(&vs, &v.kind, 1, NULL);
    v.len = CFZ_SLOT_SIZE; /* not looked at: a length is enough to refuse or accept bytes */
    check_says(&vs, &v.kind, 1, NULL);
    v.len = CFZ_SLOT_SIZE + 1;
    check_says(&vs, &v.kind, 1, "value 1: []byte of 67108865 bytes is longer than 67108864");
    v.kind = CFZ_KIND_STRING;
    v.len = CFZ_SLOT_SIZE;
    check_says(&vs, &v.kind, 1, "value 1: string of 67108864 bytes is longer than 67108863");
}

static void test_pack(void **state)
{
    struct cfz_values a = CFZ_VALUES_INIT, b = CFZ_VALUES_INIT;
    size_t size;
    uint8_t *packed;

    (void)state;
    fill(&a);
    size = cfz_values_packed_size(&a);
    assert_int_equal(size, 8 * NALL + 16 + 8); /* 9 bytes take 16, 4 take 8 */
    packed = malloc(size);
    assert_non_null(packed);
    memset(packed, 0xaa, size);
    cfz_values_pack(&a, packed);
    assert_memory_equal(packed, "\x09\0\0\0\0\0\0\0a\0bcdefgh\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0text",
                        36);
    assert_int_equal(cfz_values_unpack(&b, all, NALL, packed, size, NULL), 0);
    assert_true(cfz_values_equal(&a, &b));
    free(packed);
    cfz_values_release(&a);
    cfz_values_release(&b);
}

/* Memory that a target scribbled on: every cut, and lengths that are not true. */
static void test_unpack_bad(void **state)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES, CFZ_KIND_INT8};
    static const uint64_t lengths[] = {
        9, 17, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 8, UINT64_C(1) << 63};
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    uint64_t words[3] = {5, 0, 7};

    (void)state;
    memcpy(&words[1], "hello", 5);
    assert_int_equal(cfz_values_unpack(&vs, kinds, 2, (uint8_t *)words, 24, &err), 0);
    assert_int_equal(vs.v[0].len, 5);
    assert_int_equal(vs.v[1].bits, 7);
    for (size_t len = 0; len < 24; len++) {
        uint8_t *cut = malloc(len ? len : 1);

        assert_non_null(cut);
        memcpy(cut, words, len);
        assert_int_equal(cfz_values_unpack(&vs, kinds, 2, cut, len, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        free(cut);
    }
    assert_int_equal(cfz_values_unpack(&vs, kinds, 1, (uint8_t *)words, 24, &err), -1);
    assert_string_equal(err.text, "packed values: 24 bytes, expected 16");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        words[0] = lengths[i];
        assert_int_equal(cfz_values_unpack(&vs, kinds, 2, (uint8_t *)words, 24, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
    }
    assert_int_equal(vs.n, 2); /* untouched */
    assert_int_equal(vs.v[0].len, 5);
    cfz_values_release(&vs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accessors),    cmocka_unit_test(test_zero),
        cmocka_unit_test(test_set_bytes),    cmocka_unit_test(test_copy_equal),
        cmocka_unit_test(test_equal_floats), cmocka_unit_test(test_check_types),
        cmocka_unit_test(test_check_ranges), cmocka_unit_test(test_check_data),
        cmocka_unit_test(test_pack),         cmocka_unit_test(test_unpack_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
