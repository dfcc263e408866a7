/*
 * fields_test.c - where a field may be that a comparison needs to be written anew, in order, and
 * what is written there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solving.h"

static struct cfz_image base, im, written;
static struct cfz_recipe places[CFZ_FIELD_TRIES];
static struct cfz_compared compared;
static struct cfz_site site;

static void make(struct cfz_image *to, const void *bytes, uint32_t n)
{
    static struct cfz_value v[1];
    static uint8_t data[256];
    struct cfz_values vs = {.v = v, .n = 1};

    memcpy(data, bytes, n);
    v[0] = (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = data, .len = n, .cap = sizeof data};
    assert_true(cfz_image_read(to, &vs));
}

/* The places for a == b of so many bits, of an input that was before and is now. */
static uint32_t look(unsigned width, uint8_t flags, uint64_t a, uint64_t b, const char *before,
                     const char *now, uint32_t n)
{
    site = (struct cfz_site){
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = (uint8_t)width, .flags = flags};
    memset(&compared, 0, sizeof compared);
    compared.e = (struct cfz_event){.site = &site, .a = a, .b = b};
    make(&base, before, n);
    make(&im, now, n);
    return cfz_field_candidates(&compared, &im, &base, places);
}

/* What place k makes of the input. */
static void assert_writes(uint32_t k, const char *want, uint32_t n)
{
    cfz_image_copy(&written, &im);
    assert_true(cfz_recipe_write(&places[k], &compared, &written, 0));
    assert_int_equal(cfz_image_size(&written), n);
    assert_memory_equal(written.bytes, want, n);
}

/* The first place at which a field is of that kind, or n. */
static uint32_t first(uint32_t n, enum cfz_recipe_kind kind, uint8_t width, uint8_t radix)
{
    for (uint32_t k = 0; k < n; k++)
        if (places[k].set == kind && places[k].width == width && places[k].radix == radix)
            return k;
    return n;
}

/* What was not reckoned stands there as it is; the places behind the change come first. */
static void test_copies(void **state)
{
    uint32_t n = look(16, 0, 0x5678, 0x1234, "\x34\x12_a_\x12\x34_", "\x34\x12_b_\x12\x34_", 8);

    (void)state;
    assert_int_equal(places[0].set, CFZ_RECIPE_COPY);
    assert_int_equal(places[0].width, 2);
    assert_int_equal(places[0].side, 1);
    assert_true(places[0].reckoned);
    assert_writes(0, "\x78\x56_b_\x12\x34_", 8); /* in the order of bytes that it has there */
    assert_writes(1, "\x34\x12_b_\x56\x78_", 8);
    assert_true(first(n, CFZ_RECIPE_COPY, 1, 0) == n); /* it has no room */
}

/* A byte is taken for one before it is taken for two with a zero, and for four first. */
static void test_small(void **state)
{
    uint32_t n = look(32, 0, 9, 7, "a\0\0\0\7\0\7", "b\0\0\0\7\0\7", 7);

    (void)state;
    assert_writes(0, "b\0\0\0\x9\0\7", 7);
    assert_int_equal(places[0].width, 4);
    assert_true(first(n, CFZ_RECIPE_COPY, 1, 0) < first(n, CFZ_RECIPE_COPY, 2, 0));
    assert_true(first(n, CFZ_RECIPE_COPY, 2, 0) < n);
}

/* Where the change is, there is no field. */
static void test_change(void **state)
{
    uint32_t n = look(8, 0, 'x', 'c', "ac", "bc", 2);

    (void)state;
    for (uint32_t k = 0; k < n; k++)
        assert_true(places[k].set == CFZ_RECIPE_UNITS || places[k].at == 1);
    assert_writes(0, "bx", 2);
}

/* A target wrote over the recipe of a site: nothing is written, and nothing beyond the input read.
 */
static void test_overwritten(void **state)
{
    static const struct cfz_recipe wrong[] = {
        {.set = CFZ_RECIPE_UNITS, .width = 1, .at = UINT32_MAX},
        {.set = CFZ_RECIPE_COPY, .width = 4, .radix = 254},
        {.set = CFZ_RECIPE_COPY, .width = 4, .side = 2},
        {.set = 200, .width = 4},
    };

    (void)state;
    assert_true(look(16, 0, 0x4142, 0x1234, "\x34\x12_\x12\x34", "\x42\x41_\x12\x34", 5) > 0);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        cfz_image_copy(&written, &im);
        assert_false(cfz_recipe_write(&wrong[k], &compared, &written, 0));
    }
}

/* If the operand itself was changed, nothing is reckoned from it but a length, at most. */
static void test_itself(void **state)
{
    uint32_t n = look(16, 0, 0x4142, 0x1234, "\x34\x12_\x12\x34", "\x42\x41_\x12\x34", 5);

    (void)state;
    assert_true(n > 0);
    for (uint32_t k = 0; k < n; k++)
        assert_int_equal(places[k].set, CFZ_RECIPE_UNITS);
    assert_int_equal(look(8, CFZ_SITE_CONST_B, 'b', 'a', "ab", "bb", 2), 0);
    assert_true(look(8, CFZ_SITE_CONST_B, 'c', 'a', "ab", "bb", 2) > 0);
}

static void test_digits(void **state)
{
    uint32_t n = look(32, 0, 01234, 04567, "a:004567:", "b:004567:", 9);

    (void)state;
    assert_writes(first(n, CFZ_RECIPE_COPY, 6, 8), "b:001234:", 9);
    n = look(8, 0, 0xa5, 0x3b, "a*3b", "b*3b", 4);
    assert_writes(first(n, CFZ_RECIPE_COPY, 2, 16), "b*a5", 4); /* as the letters there are */
    n = look(8, 0, 0xa5, 0x3b, "a*3B", "b*3B", 4);
    assert_writes(first(n, CFZ_RECIPE_COPY, 2, 16), "b*A5", 4);
    n = look(8, 0, 17, 95, "a=95;", "b=95;", 5);
    assert_writes(first(n, CFZ_RECIPE_COPY, 2, 10), "b=17;", 5);
}

/* Two digits are not there by chance, as a byte that is the same may be. */
static void test_digits_first(void **state)
{
    uint32_t n = look(32, 0, 0x41, 0x42, "tideAAAA~41", "uideAAAA~41", 11);
    uint32_t digits = first(n, CFZ_RECIPE_COPY, 2, 16), byte = first(n, CFZ_RECIPE_COPY, 1, 0);

    (void)state;
    assert_true(digits < byte && byte < n);
    assert_writes(digits, "uideAAAA~42", 11);
    n = look(32, 0, 7, 8, "count 7 of\x07", "bount 7 of\x07", 11);
    assert_true(first(n, CFZ_RECIPE_COPY, 1, 0) < first(n, CFZ_RECIPE_COPY, 1, 16));
}

/* What a constant is compared with is a sum: what is missing is added to a field, or xored with it.
 */
static void test_sums(void **state)
{
    uint32_t n = look(16, CFZ_SITE_CONST_B, 0x0105, 0, "a\x10\x20", "b\x10\x20", 3);

    (void)state;
    assert_true(n > 0 && first(n, CFZ_RECIPE_SUM, 1, 0) == n); /* a byte has no room for it */
    assert_writes(first(n, CFZ_RECIPE_SUM, 2, 0), "b\x0b\x1f", 3);
    assert_writes(first(n, CFZ_RECIPE_XOR, 2, 0), "b\x15\x21", 3);
    n = look(8, CFZ_SITE_CONST_A, 0, 3, "a\x10", "b\x10", 2);
    assert_writes(first(n, CFZ_RECIPE_SUM, 1, 0), "b\x0d", 2);
    n = look(8, CFZ_SITE_CONST_B, 0xfe, 0, "a:0F", "b:0F", 4);
    assert_writes(first(n, CFZ_RECIPE_SUM, 2, 16), "b:11", 4);
    /* What stands there as it is was compared as it is. */
    n = look(8, CFZ_SITE_CONST_B, 'x', '=', "a_x", "b_x", 3);
    assert_true(n > 0);
    for (uint32_t k = 0; k < n; k++)
        assert_int_not_equal(places[k].at, 2);
    /* One side is a field and something added to it. */
    n = look(32, 0, 0x1005, 0x1007, "a\x10", "b\x10", 2);
    assert_writes(first(n, CFZ_RECIPE_SUM, 1, 0), "b\x12", 2);
}

/* The place of a part whose length is b, of units of that width. */
static uint32_t part(uint32_t n, uint8_t width, uint32_t at)
{
    for (uint32_t k = 0; k < n; k++)
        if (places[k].set == CFZ_RECIPE_UNITS && places[k].side == 1 && places[k].width == width &&
            places[k].at == at)
            return k;
    return n;
}

/* A part becomes as long as the field says that was changed. */
static void test_units(void **state)
{
    uint32_t n = look(32, 0, 5, 3, "3abc", "5abc", 4);

    (void)state;
    assert_writes(part(n, 1, 4), "5abc00", 6);
    assert_writes(part(n, 1, 1), "5aaabc", 6);
    assert_writes(part(n, 2, 1), "5abababc", 8);
    n = look(32, 0, 1, 3, "3abcdefgh", "1abcdefgh", 9);
    assert_writes(part(n, 1, 2), "1adefgh", 7);
    n = look(32, 0, 1000, 3, "3abc", "1abc", 4);
    assert_false(cfz_recipe_write(&places[part(n, 1, 4)], &compared, &im, 0)); /* too much */
}

static void test_memory(void **state)
{
    uint32_t n;

    (void)state;
    site = (struct cfz_site){.kind = CFZ_SITE_MEM};
    memset(&compared, 0, sizeof compared);
    compared.e = (struct cfz_event){.site = &site, .a_len = 3, .b_len = 3};
    memcpy(compared.a, "new", 3);
    memcpy(compared.b, "old", 3);
    make(&base, "a old old", 9);
    make(&im, "b old old", 9);
    n = cfz_field_candidates(&compared, &im, &base, places);
    assert_int_equal(n, 2);
    assert_int_equal(places[0].at, 2);
    assert_int_equal(places[1].at, 6);
    assert_int_equal(places[0].side, 1);
    assert_writes(0, "b new old", 9);
    make(&base, "a set old", 9);
    make(&im, "a new old", 9);
    assert_int_equal(cfz_field_candidates(&compared, &im, &base, places), 0);
}

/* Whatever is compared: not more than there is room for, and each within the input. */
static void test_bounds(void **state)
{
    static const uint8_t widths[] = {1, 8, 16, 32, 64};
    char now[200];

    (void)state;
    memset(now, '0', sizeof now);
    for (size_t i = 0; i < sizeof widths; i++)
        for (uint8_t flags = 0; flags <= CFZ_SITE_CONST_B; flags++) {
            uint32_t n = look(widths[i], flags, 0x30, 0, now, now, sizeof now);

            assert_true(n <= CFZ_FIELD_TRIES);
            for (uint32_t k = 0; k < n; k++) {
                assert_true(places[k].at + places[k].from_end == sizeof now);
                cfz_image_copy(&written, &im);
                cfz_recipe_write(&places[k], &compared, &written, 0);
            }
        }
    assert_int_equal(look(16, 0, 1, 2, "", "", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),       cmocka_unit_test(test_small),
        cmocka_unit_test(test_change),       cmocka_unit_test(test_itself),
        cmocka_unit_test(test_overwritten),  cmocka_unit_test(test_digits),
        cmocka_unit_test(test_digits_first), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_units),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_bounds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
