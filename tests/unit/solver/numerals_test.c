/*
 * numerals_test.c - numbers in text and arguments that together make up what is compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static const enum cfz_kind texts[] = {CFZ_KIND_STRING},
                           pairs[] = {CFZ_KIND_STRING, CFZ_KIND_STRING},
                           ints[] = {CFZ_KIND_UINT8, CFZ_KIND_UINT8, CFZ_KIND_UINT8};

static void begin(struct program *p, const enum cfz_kind *kinds, size_t n,
                  void (*body)(struct program *, const struct cfz_values *))
{
    for (int i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                        .predicate = CFZ_REL_EQUAL,
                                        .width = 32,
                                        .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(p, kinds, n, body), 0);
    p->limit = 20000;
}

static void begin_text(struct program *p, void (*body)(struct program *, const struct cfz_values *),
                       const char *text)
{
    begin(p, texts, 1, body);
    p->v[0].len = strlen(text);
    memcpy(p->v[0].data, text, p->v[0].len);
}

/* Works on the last comparison of the input, which takes so many executions. */
static void assert_solved(struct program *p, uint64_t runs)
{
    static struct cfz_image im;
    struct cfz_goal g;

    assert_true(program_last_goal(p, &im, &g));
    cfz_solver_goal(&p->search, &im, &g);
    assert_true(p->solved);
    assert_string_equal(cfz_solver_step_name(), "numerals");
    assert_int_equal(p->runs, runs);
}

/* ... and the input is text then. */
static void assert_text(struct program *p, const char *text, uint64_t runs)
{
    assert_solved(p, runs);
    assert_int_equal(p->v[0].len, strlen(text));
    assert_memory_equal(p->v[0].data, text, strlen(text));
}

/* Reads numbers as format says; false if there are not so many, or something follows. */
static bool read_text(const struct cfz_value *v, const char *format, int n, unsigned x[4])
{
    char text[32], end;

    if (v->len >= sizeof text)
        return false;
    memcpy(text, v->data, v->len);
    text[v->len] = '\0';
    return sscanf(text, format, &x[0], &x[1], &x[2], &x[3], &end) == n;
}

/* What a 32-bit operand is recorded as where it is taken for a signed one. */
static uint64_t with_sign(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

static void address(struct program *p, const struct cfz_values *vs)
{
    unsigned x[4];

    p->solved = read_text(&vs->v[0], "%3u.%3u.%3u.%3u%c", 4, x) &&
                program_equal(p, 0, with_sign(x[0] << 24 | x[1] << 16 | x[2] << 8 | x[3]),
                              with_sign(0xc0a8004d));
}

static void test_address(void **state)
{
    static struct program p;

    (void)state;
    begin_text(&p, address, "10.1.2.3");
    assert_text(&p, "192.168.0.77", 56);
}

static void first_number(struct program *p, const struct cfz_values *vs)
{
    unsigned x[4];

    p->solved = read_text(&vs->v[0], "%3u.%3u.%3u.%3u%c", 4, x) &&
                program_equal(p, 0, with_sign(x[0] << 24), with_sign(172U << 24));
}

/* One number is a part of what is compared, with no sign though it is recorded with one. */
static void test_one_number(void **state)
{
    static struct program p;

    (void)state;
    begin_text(&p, first_number, "10.1.2.3");
    assert_text(&p, "172.1.2.3", 124);
}

static void time_of_day(struct program *p, const struct cfz_values *vs)
{
    unsigned x[4];

    p->solved = vs->v[0].len == 8 && read_text(&vs->v[0], "%2u:%2u:%2u%c", 3, x) && x[0] < 24 &&
                x[1] < 60 && x[2] < 60 &&
                program_equal(p, 0, x[0] * 3600 + x[1] * 60 + x[2], 5 * 3600 + 7 * 60 + 1);
}

/* Numbers with zeros before them stay as long as they are: nothing else is read. */
static void test_zeros(void **state)
{
    static struct program p;

    (void)state;
    begin_text(&p, time_of_day, "03:09:08");
    assert_text(&p, "05:07:01", 56);
}

/* Days of the Gregorian calendar, from March of year 0 on. */
static uint32_t days(unsigned y, unsigned m, unsigned d)
{
    y -= m <= 2;
    m = m > 2 ? m - 3 : m + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + d;
}

static void date(struct program *p, const struct cfz_values *vs)
{
    unsigned x[4];

    p->solved = read_text(&vs->v[0], "%4u-%2u-%2u%c", 3, x) && x[0] > 0 && x[1] > 0 && x[1] < 13 &&
                x[2] > 0 && x[2] < 32 &&
                program_equal(p, 0, days(x[0], x[1], x[2]), days(1991, 11, 23));
}

/* A year that gets longer moves the month and the day, which are still to be made right. */
static void test_longer(void **state)
{
    static struct program p;

    (void)state;
    begin_text(&p, date, "1-1-1");
    assert_text(&p, "1991-11-23", 45);
}

static void price(struct program *p, const struct cfz_values *vs)
{
    const uint64_t a = vs->v[0].bits & 0xffff, b = vs->v[1].bits & 0xffff;

    p->solved = program_equal(p, 0, 31 * a + 1009 * b, 31 * 777 + 1009 * 65535);
}

/* What has no sign is no negative number where it is large. */
static void test_without_sign(void **state)
{
    static const enum cfz_kind words[] = {CFZ_KIND_UINT16, CFZ_KIND_UINT16};
    static struct program p;

    (void)state;
    begin(&p, words, 2, price);
    p.sites[0].width = 64;
    p.v[0].bits = p.v[1].bits = 40000;
    assert_solved(&p, 55);
    assert_int_equal(p.v[0].bits & 0xffff, 777);
    assert_int_equal(p.v[1].bits & 0xffff, 65535);
}

static void network(struct program *p, const struct cfz_values *vs)
{
    unsigned x[4], y[4];

    p->solved = read_text(&vs->v[0], "%3u.%3u%c", 2, x) &&
                read_text(&vs->v[1], "%3u.%3u%c", 2, y) &&
                program_equal(p, 0, (x[0] << 8 | x[1]) & 0x7fff, 0) &&
                program_equal(p, 1, (y[0] << 8 | y[1]) & 0x8000, x[0] << 8 | x[1]) &&
                program_equal(p, 2, y[0] << 8 & 0xff00, 172 << 8);
}

/* What is wanted leaves the path at another comparison, of whose numbers no digit may change: all
 * but one of their bits have to be 0. */
static void test_repaired(void **state)
{
    static struct program p;
    static struct cfz_image im;
    struct cfz_goal g;

    (void)state;
    begin(&p, pairs, 2, network);
    p.sites[1].flags = 0;
    memcpy(p.v[0].data, "0.0", p.v[0].len = 3);
    memcpy(p.v[1].data, "10.1", p.v[1].len = 4);
    assert_true(program_last_goal(&p, &im, &g));
    cfz_solver_goal(&p.search, &im, &g);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "repair");
    assert_int_equal(p.v[0].len, 5);
    assert_memory_equal(p.v[0].data, "128.0", 5);
    assert_int_equal(p.v[1].len, 5);
    assert_memory_equal(p.v[1].data, "172.1", 5);
    assert_int_equal(p.runs, 1691);
}

static void duration(struct program *p, const struct cfz_values *vs)
{
    const uint32_t h = (uint8_t)vs->v[0].bits, m = (uint8_t)vs->v[1].bits,
                   s = (uint8_t)vs->v[2].bits;

    p->solved =
        m < 60 && s < 60 && program_equal(p, 0, 3600 * h + 60 * m + s, 3600 * 200 + 60 * 7 + 51);
}

static void test_arguments(void **state)
{
    static struct program p;

    (void)state;
    begin(&p, ints, 3, duration);
    assert_solved(&p, 43);
    assert_int_equal((uint8_t)p.v[0].bits, 200);
    assert_int_equal((uint8_t)p.v[1].bits, 7);
    assert_int_equal((uint8_t)p.v[2].bits, 51);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_address),      cmocka_unit_test(test_one_number),
        cmocka_unit_test(test_zeros),        cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_arguments),    cmocka_unit_test(test_longer),
        cmocka_unit_test(test_without_sign),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
