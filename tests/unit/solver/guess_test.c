/*
 * guess_test.c - where operands are looked for that no probe moved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/solving.h"

static uint8_t data[4096];
static struct cfz_value values[4];
static struct cfz_values vs;
static struct cfz_image im;
static struct cfz_site site;
static struct cfz_task task;

/* A goal of a comparison with a constant; nothing that moves it is known, and it was lost. */
static void begin(uint8_t kind, uint16_t width, uint64_t a, uint64_t b)
{
    memset(&task, 0, sizeof task);
    site = (struct cfz_site){
        .kind = kind, .predicate = CFZ_REL_EQUAL, .width = width, .flags = CFZ_SITE_CONST_B};
    task.g.site = &site;
    task.lost = true;
    task.a = a;
    task.b = b;
}

/* The input is n bytes of []byte; then arguments, if there are any. */
static void input(const void *bytes, size_t n, size_t nvalues)
{
    memcpy(data, bytes, n);
    values[0] =
        (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = data, .len = n, .cap = sizeof data};
    vs = (struct cfz_values){values, nvalues, 0};
    assert_true(cfz_image_read(&im, &vs));
}

static void argument(size_t i, enum cfz_kind kind, uint64_t bits)
{
    values[i] = (struct cfz_value){.kind = kind, .bits = bits};
}

static void assert_places(unsigned n, const uint32_t *at, uint8_t sides)
{
    assert_int_equal(task.nat, n);
    for (unsigned k = 0; k < n; k++)
        assert_int_equal(task.at[k].p, at[k]);
    assert_int_equal(task.sides, sides);
}

#define ASSERT_PLACES(sides, ...)                                                                  \
    assert_places(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__}, \
                  sides)
#define ASSERT_NO_PLACES() assert_places(0, NULL, 0)

/* The last three places, and lowest byte first before highest byte first. */
static void test_number(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 16, 0x0102, 0x7777);
    input("\2\1..\2\1..\2\1..\2\1..\1\2..", 20, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 12, 8, 4, 16);
    assert_int_equal(task.nlengths, 0);
}

/* Both operands, unless one is a constant of the program. */
static void test_both(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 16, 0x0102, 0x0304);
    input("\2\1..\4\3", 6, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(3, 0, 4); /* the program's own may stand in the input, too */
    assert_int_equal(task.at[0].sides, 1);
    assert_int_equal(task.at[1].sides, 2);
}

/* A number that fits a byte may be at too many places; the program's is not looked for. */
static void test_small(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 16, 0x00ff, 0x0077);
    input("\xff\0.\x77", 4, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 0);

    begin(CFZ_SITE_INT, 16, 0x00ff, 0x7777);
    input("\xff\0\0\xff.\xff\0\0\xff", 9, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 5, 0, 7, 2);

    begin(CFZ_SITE_INT, 16, 0x00ff, 0x7777);
    input("\xff\0\xff\0\xff\0\xff\0", 8, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 5, 3, 1); /* with the low byte first there are four */

    begin(CFZ_SITE_INT, 8, 0x4a, 0x7777);
    input("..\x4a.", 4, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 2);
}

/* What a probe has shown is not looked for, nor what came to the comparison again. */
static void test_known(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 16, 0x0102, 0x7777);
    task.nat = 1;
    task.at[0] = (struct cfz_influence){3, 1, -1, -1};
    input("\2\1..", 4, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(0, 3);

    begin(CFZ_SITE_INT, 16, 0x0102, 0x7777);
    task.lost = false;
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();

    /* But a byte is, beside what mended the change of another one. */
    begin(CFZ_SITE_INT, 8, 0x4a, 0x77);
    task.nat = 1;
    task.at[0] = (struct cfz_influence){3, 1, -1, -1};
    input("\x4a..\x4a", 4, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 3, 0);
}

static void test_argument(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 32, 77, 0x7777);
    argument(1, CFZ_KIND_INT32, 78);
    argument(2, CFZ_KIND_UINT16, 77);
    input("..", 2, 3);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 6);

    /* A flag is one where no other argument has its value. */
    begin(CFZ_SITE_INT, 32, 1, 0x7777);
    argument(1, CFZ_KIND_INT32, 1);
    argument(2, CFZ_KIND_UINT16, 0);
    input("..", 2, 3);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 2);

    begin(CFZ_SITE_INT, 32, 1, 0x7777);
    argument(2, CFZ_KIND_UINT16, 1);
    input("..", 2, 3);
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();
}

/* Digits amid text, the last three numbers; a sign may belong to them. */
static void test_numeral(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 32, 12, 0x7777);
    input("12 a=12;12, 012 112 ", 20, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 12, 8, 5);

    begin(CFZ_SITE_INT, 32, (uint64_t)-12, 0x7777);
    input("x -12 12", 8, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 3);

    begin(CFZ_SITE_INT, 32, 12, 0x7777);
    input("\1"
          "12\2",
          4, 1);
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();
}

/* A value that is as long as the operand: less of it, or more. */
static void test_length(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 32, 5, 0x7777);
    input("abcde", 5, 1);
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();
    assert_int_equal(task.nlengths, 2);
    assert_int_equal(task.lengths[0].way, CFZ_TRUNCATE);
    assert_int_equal(task.lengths[0].effect, -1);
    assert_int_equal(task.lengths[1].way, CFZ_APPEND);
    assert_int_equal(task.lengths[1].effect, 1);
    assert_int_equal(task.lengths[1].p, 5);
    assert_true(task.lengths[0].is_guess && task.lengths[1].is_guess);

    /* A probe that found what lengths do knows better. */
    begin(CFZ_SITE_INT, 32, 5, 0x7777);
    task.nlengths = 1;
    cfz_guess(&task, &im);
    assert_int_equal(task.nlengths, 1);
}

static void test_text(void **state)
{
    (void)state;
    begin(CFZ_SITE_STRING, 0, 0, 0);
    memcpy(task.text_a, "key", task.len_a = 3);
    memcpy(task.text_b, "k", task.len_b = 1); /* one byte is at too many places */
    input("key=keykey.", 11, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 7, 4, 0);
    assert_int_equal(task.at[0].a_at, 0);
    assert_int_equal(task.at[0].b_at, -1);
}

/* Only the operand of a switch stands in an input, and of floats nothing is looked for. */
static void test_kinds(void **state)
{
    (void)state;
    begin(CFZ_SITE_SWITCH, 16, 0x0102, 0x0304);
    input("\2\1..\4\3", 6, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 0);

    begin(CFZ_SITE_FLOAT, 64, 0x3ff8000000000000, 0);
    input("\0\0\0\0\0\0\xf8\x3f", 8, 1);
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();
}

/* What was changed, and the comparison was the same, is no operand. */
static void test_refuted(void **state)
{
    (void)state;
    begin(CFZ_SITE_INT, 16, 0x0102, 0x7777);
    task.unmoved[0] = 1 << 5; /* the high byte of the second one */
    input("\2\1..\2\1..\2\1..", 12, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 8, 0);

    begin(CFZ_SITE_INT, 32, 77, 0x7777);
    argument(1, CFZ_KIND_INT32, 77);
    input("77", 2, 2);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 0, 2); /* in text, and as an argument */
    begin(CFZ_SITE_INT, 32, 77, 0x7777);
    task.unmoved[0] = 1 << 1 | 1 << 2;
    cfz_guess(&task, &im);
    ASSERT_NO_PLACES();

    begin(CFZ_SITE_MEM, 0, 0, 0);
    memcpy(task.text_a, "abc", 3);
    task.len_a = 3;
    task.unmoved[0] = 1 << 0;
    input("abc.abc", 7, 1);
    cfz_guess(&task, &im);
    ASSERT_PLACES(1, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number),   cmocka_unit_test(test_both),
        cmocka_unit_test(test_small),    cmocka_unit_test(test_known),
        cmocka_unit_test(test_argument), cmocka_unit_test(test_numeral),
        cmocka_unit_test(test_length),   cmocka_unit_test(test_text),
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_refuted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
