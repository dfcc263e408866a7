/*
 * image_test.c - values as a row of bytes, and back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/image.h"

static uint8_t text[64], data[64];
static struct cfz_value v[4];
static struct cfz_values vs = {v, 4, 0};
static struct cfz_image im;

/* (int) -2, []byte "ab", bool true, string "xyz". */
static int setup(void **state)
{
    (void)state;
    memcpy(data, "ab", 2);
    memcpy(text, "xyz", 3);
    v[0] = (struct cfz_value){.kind = CFZ_KIND_INT, .bits = (uint64_t)-2};
    v[1] = (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = data, .len = 2, .cap = sizeof data};
    v[2] = (struct cfz_value){.kind = CFZ_KIND_BOOL, .bits = 1};
    v[3] = (struct cfz_value){.kind = CFZ_KIND_STRING, .data = text, .len = 3, .cap = sizeof text};
    assert_true(cfz_image_read(&im, &vs));
    return 0;
}

static void test_row(void **state)
{
    static const uint8_t row[] = {0xfe, 0xff, 0xff, 0xff, 'a', 'b', 1, 'x', 'y', 'z'};

    (void)state;
    assert_int_equal(cfz_image_size(&im), sizeof row);
    assert_memory_equal(im.bytes, row, sizeof row);
    assert_int_equal(im.at[1], 4);
    assert_int_equal(im.at[2], 6);
    assert_int_equal(im.at[3], 7);
    assert_int_equal(cfz_image_value(&im, 3), 0);
    assert_int_equal(cfz_image_value(&im, 4), 1);
    assert_int_equal(cfz_image_value(&im, 10), 3);
    assert_true(cfz_image_fits(&im, 0, 4));
    assert_false(cfz_image_fits(&im, 1, 4)); /* into the next value */
    assert_false(cfz_image_fits(&im, 10, 1));
}

static void test_back(void **state)
{
    (void)state;
    cfz_image_put(&im, 0, 4, false, 0x80000001);
    im.bytes[6] = 2; /* of a bool the lowest bit counts */
    im.bytes[8] = 0; /* a string ends at its first NUL */
    cfz_image_write(&im, &vs);
    assert_true(v[0].bits == 0xffffffff80000001); /* extended as an int is */
    assert_int_equal(v[2].bits, 0);
    assert_int_equal(v[3].len, 1);
    assert_int_equal(v[1].len, 2);
}

static void test_numbers_in_bytes(void **state)
{
    (void)state;
    assert_int_equal(cfz_image_get(&im, 4, 2, false), 0x6261);
    assert_int_equal(cfz_image_get(&im, 4, 2, true), 0x6162);
    cfz_image_put(&im, 4, 2, true, 0x1234);
    assert_int_equal(im.bytes[4], 0x12);
    assert_int_equal(im.bytes[5], 0x34);
}

static void test_splice(void **state)
{
    static struct cfz_image copy;

    (void)state;
    assert_true(cfz_image_splice(&im, 1, 5, 1, (const uint8_t *)"1234", 4));
    assert_memory_equal(im.bytes + 4, "a1234\x01xyz", 9);
    assert_int_equal(im.at[2], 9);
    assert_int_equal(cfz_image_size(&im), 13);
    cfz_image_copy(&copy, &im);
    assert_memory_equal(copy.bytes, im.bytes, 13);
    assert_int_equal(copy.at[4], 13);
    assert_true(cfz_image_splice(&im, 1, 4, 5, NULL, 0));
    assert_int_equal(im.at[2], 4);
    /* What it refuses leaves all as it is. */
    assert_false(cfz_image_splice(&im, 0, 0, 1, NULL, 0)); /* of a number */
    assert_false(cfz_image_splice(&im, 3, 6, 3, NULL, 0)); /* more than the value has */
    assert_false(cfz_image_splice(&im, 3, 4, 1, NULL, 0)); /* before it */
    assert_int_equal(cfz_image_size(&im), 8);
}

static void test_too_long(void **state)
{
    static uint8_t big[CFZ_IMAGE_MAX];

    (void)state;
    assert_false(cfz_image_splice(&im, 1, 4, 0, big, CFZ_IMAGE_SHORT - 9));
    assert_true(cfz_image_splice(&im, 1, 4, 0, big, CFZ_IMAGE_SHORT - 10));
    v[1].data = big;
    v[1].len = sizeof big;
    assert_false(cfz_image_read(&im, &vs));
    /* One that is long gets longer by little; shorter it may get at any time. */
    v[1].len = CFZ_IMAGE_MAX / 2;
    assert_true(cfz_image_read(&im, &vs));
    assert_false(cfz_image_splice(&im, 1, 4, 0, big, CFZ_IMAGE_GROWS + 1));
    assert_true(cfz_image_splice(&im, 1, 4, 0, big, CFZ_IMAGE_GROWS));
    assert_true(cfz_image_splice(&im, 1, 4, CFZ_IMAGE_MAX / 4, NULL, 0));
}

/* How much of the image is that of other values. */
static void test_same(void **state)
{
    static uint8_t packed[256], other_text[64], other_data[64];
    struct cfz_value o[4];
    const struct cfz_values others = {o, 4, 0};
    static const struct {
        uint64_t bits;
        const char *data, *text;
        uint32_t same;
    } cases[] = {
        {(uint64_t)-2, "ab", "xyz", 10}, {(uint64_t)-2, "ab", "xyzzy", 10},
        {(uint64_t)-2, "ab", "xya", 9},  {(uint64_t)-2, "abc", "xyz", 6},
        {(uint64_t)-2, "b", "xyz", 4},   {0xfffe, "ab", "xyz", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(o, v, sizeof o);
        o[0].bits = cases[i].bits;
        o[1].data = other_data;
        o[1].len = strlen(cases[i].data);
        memcpy(other_data, cases[i].data, o[1].len);
        o[3].data = other_text;
        o[3].len = strlen(cases[i].text);
        memcpy(other_text, cases[i].text, o[3].len);
        cfz_values_pack(&others, packed);
        assert_int_equal(cfz_image_same(&vs, packed), cases[i].same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_row, setup),
        cmocka_unit_test_setup(test_back, setup),
        cmocka_unit_test_setup(test_numbers_in_bytes, setup),
        cmocka_unit_test_setup(test_splice, setup),
        cmocka_unit_test_setup(test_same, setup),
        cmocka_unit_test_setup(test_too_long, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
