/*
 * numbers_test.c - the numbers of an input that are varied together.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/numbers.h"

enum { ROOM = CFZ_IMAGE_MAX };

static uint8_t data[ROOM];
static struct cfz_value values[5];
static struct cfz_values vs;

/* The numbers of a string, of -3 as an int16, of 1.5 as a float64, of 7 as an int64 and of 40000 as
 * a uint16. */
static void begin(struct cfz_numbers *ns, const char *text)
{
    memset(ns, 0, sizeof *ns);
    values[0] = (struct cfz_value){
        .kind = CFZ_KIND_STRING, .data = data, .len = strlen(text), .cap = sizeof data};
    memcpy(data, text, values[0].len);
    values[1] = (struct cfz_value){.kind = CFZ_KIND_INT16, .bits = (uint64_t)-3};
    values[2] = (struct cfz_value){.kind = CFZ_KIND_FLOAT64};
    cfz_value_set_float(&values[2], 1.5);
    values[3] = (struct cfz_value){.kind = CFZ_KIND_INT64, .bits = 7};
    values[4] = (struct cfz_value){.kind = CFZ_KIND_UINT16, .bits = 40000};
    vs = (struct cfz_values){values, 5, 0};
    assert_true(cfz_image_read(&ns->from, &vs));
}

static void assert_number(const struct cfz_numbers *ns, uint32_t k, uint32_t value, uint32_t at,
                          uint32_t len, int64_t x)
{
    assert_in_range(k, 0, ns->n - 1);
    assert_int_equal(ns->of[k].value, value);
    assert_int_equal(ns->of[k].at, at);
    assert_int_equal(ns->of[k].len, len);
    assert_int_equal(ns->of[k].x, x);
}

static void test_rounded(void **state)
{
    (void)state;
    assert_true(cfz_rounded(2.4) == 2);
    assert_true(cfz_rounded(2.5) == 3);
    assert_true(cfz_rounded(-2.4) == -2);
    assert_true(cfz_rounded(-2.5) == -3);
    assert_true(cfz_rounded(1e300) == 1e300);
    assert_true(isinf(cfz_rounded(-INFINITY)));
    assert_true(isnan(cfz_rounded(NAN)));
}

/* Any of its digits tells of a number in text, and any of its bytes of an argument; once. */
static void test_add(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "a12b0345");
    for (uint32_t p = 0; p < cfz_image_size(&ns.from); p++)
        cfz_numbers_add(&ns, p, false);
    assert_int_equal(ns.n, 5);
    assert_number(&ns, 0, 0, 1, 2, 12);
    assert_number(&ns, 1, 0, 4, 4, 345);
    assert_number(&ns, 2, 1, 8, 2, -3);
    assert_number(&ns, 3, 3, 18, 8, 7);
    assert_number(&ns, 4, 4, 26, 2, 40000); /* it has no sign */
}

/* Neither arguments, nor digits between other bytes, nor what lies behind the end. */
static void test_add_in_text(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "12 \x01"
               "3\x02 4");
    for (uint32_t p = 0; p < cfz_image_size(&ns.from) + 2; p++)
        cfz_numbers_add_in_text(&ns, p);
    assert_int_equal(ns.n, 2);
    assert_number(&ns, 0, 0, 0, 2, 12);
    assert_number(&ns, 1, 0, 7, 1, 4);
}

static void test_add_float(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "");
    cfz_numbers_add(&ns, 4, true);
    cfz_numbers_add(&ns, 9, true);
    assert_int_equal(ns.n, 1);
    assert_number(&ns, 0, 2, 2, 8, 0x3ff8000000000000);
}

/* The digits of a value end with it, and more than fit are no number. */
static void test_add_limits(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "123456789 1234567890");
    cfz_numbers_add(&ns, 12, false);
    assert_int_equal(ns.n, 0);
    cfz_numbers_add(&ns, 3, false);
    assert_int_equal(ns.n, 1);
    assert_number(&ns, 0, 0, 0, 9, 123456789);

    begin(&ns, "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6");
    for (uint32_t p = 0; p < values[0].len; p++)
        cfz_numbers_add(&ns, p, false);
    assert_int_equal(ns.n, CFZ_NUMBERS);
    assert_number(&ns, CFZ_NUMBERS - 1, 0, 30, 1, 5);
}

static void test_clamp(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "5");
    cfz_numbers_add(&ns, 0, false);
    cfz_numbers_add(&ns, 1, false);
    cfz_numbers_add(&ns, 11, false);
    assert_int_equal(ns.n, 3);
    assert_int_equal(cfz_numbers_clamp(&ns, 0, -1), 0);
    assert_int_equal(cfz_numbers_clamp(&ns, 0, 77), 77); /* it may get longer */
    assert_int_equal(cfz_numbers_clamp(&ns, 0, INT64_MAX), 999999999);
    assert_int_equal(cfz_numbers_clamp(&ns, 1, 0x10000), 0xffff); /* with a sign or without */
    assert_int_equal(cfz_numbers_clamp(&ns, 1, -0x10000), -0xffff);
    assert_int_equal(cfz_numbers_clamp(&ns, 1, -4), -4);
    assert_int_equal(cfz_numbers_clamp(&ns, 2, INT64_MAX), INT64_MAX);
    assert_int_equal(cfz_numbers_clamp(&ns, 2, INT64_MIN), -INT64_MAX);
}

static void assert_rendered(const struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS],
                            const char *text, uint64_t bits16)
{
    static struct cfz_image im;
    const uint32_t len = (uint32_t)strlen(text);

    assert_true(cfz_numbers_render(ns, x, &im));
    assert_int_equal(im.at[1], len);
    assert_memory_equal(im.bytes, text, len);
    assert_int_equal(cfz_image_get(&im, im.at[1], 2, false), bits16);
    assert_int_equal(cfz_image_get(&im, im.at[3], 8, false), 7);
}

/* In whatever order they were found, and though those behind one move with its length. */
static void test_render(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "a12b0345c");
    cfz_numbers_add(&ns, 4, false);
    cfz_numbers_add(&ns, 1, false);
    cfz_numbers_add(&ns, 9, false);
    assert_int_equal(ns.n, 3);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){345, 12, -3}, "a12b0345c", 0xfffd);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){7, 12, 9}, "a12b0007c", 9);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){10000, 0, -1}, "a0b10000c", 0xffff);
    ns.pads = true;
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){7, 1000, -3}, "a1000b0007c", 0xfffd);
}

/* What was written lies from the first number that is another one to the last, where they are then.
 */
static void test_written(void **state)
{
    static struct cfz_numbers ns;
    uint32_t from = 0, end = 0;

    (void)state;
    begin(&ns, "a12b345c6");
    cfz_numbers_add(&ns, 4, false);
    cfz_numbers_add(&ns, 1, false);
    cfz_numbers_add(&ns, 8, false);
    cfz_numbers_add(&ns, 9, false);
    assert_int_equal(ns.n, 4);
    assert_false(
        cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){345, 12, 6, -3}, &from, &end));
    assert_false(cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){7, 12, 6, -4}, &from, &end));
    assert_true(cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){7, 12, 6, -3}, &from, &end));
    assert_int_equal(from, 4);
    assert_int_equal(end, 5);
    assert_true(
        cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){345, 12, 66, -3}, &from, &end));
    assert_int_equal(from, 8);
    assert_int_equal(end, 10);
    assert_true(
        cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){1000, 1, 66, -3}, &from, &end));
    assert_int_equal(from, 1); /* a1b1000c66 */
    assert_int_equal(end, 10);
    assert_true(cfz_numbers_written(&ns, (const int64_t[CFZ_NUMBERS]){345, 12, 6, 9}, &from, &end));
    assert_int_equal(from, 9);
    assert_int_equal(end, 11);
}

/* Places move with what is before them, and a second change is made to the first one's result. */
static void test_become(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "a12b0345c");
    cfz_numbers_add(&ns, 4, false);
    cfz_numbers_add(&ns, 1, false);
    cfz_numbers_add(&ns, 9, false);
    assert_true(cfz_numbers_become(&ns, (const int64_t[CFZ_NUMBERS]){7, 1000, 9}));
    assert_number(&ns, 0, 0, 6, 4, 7);
    assert_number(&ns, 1, 0, 1, 4, 1000);
    assert_number(&ns, 2, 1, 11, 2, 9);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){7, 1000, 9}, "a1000b0007c", 9);
    assert_true(cfz_numbers_become(&ns, (const int64_t[CFZ_NUMBERS]){12345, 5, -1}));
    assert_number(&ns, 0, 0, 3, 5, 12345);
    assert_number(&ns, 1, 0, 1, 1, 5);
    assert_number(&ns, 2, 1, 9, 2, -1);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){12345, 5, -1}, "a5b12345c", 0xffff);
    ns.pads = true;
    assert_true(cfz_numbers_become(&ns, (const int64_t[CFZ_NUMBERS]){6, 5, -1}));
    assert_number(&ns, 0, 0, 3, 5, 6);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){6, 5, -1}, "a5b00006c", 0xffff);
}

/* Whether a number has zeros is seen where it was, however the ones before it moved it. */
static void test_become_moved(void **state)
{
    static struct cfz_numbers ns;

    (void)state;
    begin(&ns, "9 105;7");
    for (uint32_t p = 0; p < values[0].len; p++)
        cfz_numbers_add_in_text(&ns, p);
    assert_int_equal(ns.n, 3);
    assert_true(cfz_numbers_become(&ns, (const int64_t[CFZ_NUMBERS]){19, 95, 7}));
    assert_number(&ns, 0, 0, 0, 2, 19);
    assert_number(&ns, 1, 0, 3, 2, 95);
    assert_number(&ns, 2, 0, 6, 1, 7);
    assert_rendered(&ns, (const int64_t[CFZ_NUMBERS]){19, 94, 8}, "19 94;8", 0xfffd);
}

static void test_render_without_room(void **state)
{
    static struct cfz_numbers ns;
    static struct cfz_image im;
    static char text[ROOM];

    (void)state;
    memset(text, 'a', ROOM - 2 - 8 - 8 - 2 - 1); /* with the arguments it is an image, and full */
    text[0] = '9';
    begin(&ns, text);
    cfz_image_splice(&ns.from, 0, 1, 0, (const uint8_t *)"b", 1);
    assert_int_equal(cfz_image_size(&ns.from), CFZ_IMAGE_MAX);
    cfz_numbers_add(&ns, 0, false);
    assert_true(cfz_numbers_render(&ns, (const int64_t[CFZ_NUMBERS]){8}, &im));
    assert_false(cfz_numbers_render(&ns, (const int64_t[CFZ_NUMBERS]){10}, &im));
    assert_false(cfz_numbers_become(&ns, (const int64_t[CFZ_NUMBERS]){10}));
    assert_number(&ns, 0, 0, 0, 1, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_add_in_text),
        cmocka_unit_test(test_add_float),
        cmocka_unit_test(test_add_limits),
        cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_render),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_become),
        cmocka_unit_test(test_become_moved),
        cmocka_unit_test(test_render_without_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
