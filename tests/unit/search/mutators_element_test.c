/*
 * mutators_element_test.c - elements of ASN.1 change with all lengths around them; scripted draws,
 * exact results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/mutators.h"

enum { DRAWS = 6, ROOM = 320 };
enum { TAKE_OUT, REPLACE, PUT_BEFORE, RESIZE };

/* Run memory of two entries of a []byte, which are one. */
static struct {
    struct cfz_run_shm run;
    uint64_t index[2];
    struct {
        struct cfz_entry head;
        uint64_t size;
        char text[16];
    } entry;
} corpus;

static void set_entry(const char *text, size_t n)
{
    corpus.run.index_off = (size_t)((char *)corpus.index - (char *)&corpus);
    corpus.run.nentries = 2;
    corpus.index[0] = corpus.index[1] = (size_t)((char *)&corpus.entry - (char *)&corpus);
    corpus.entry.size = n;
    memcpy(corpus.entry.text, text, n);
}

/* Changes a copy of [in, in + n), in a block of exactly the limit. Returns the new length; 0 if it
 * declines. */
static size_t change(uint8_t to[ROOM], const void *in, size_t n, size_t limit,
                     const uint32_t draws[DRAWS], unsigned bools, size_t used)
{
    struct cfz_rand_script script = {.draws = draws, .n = DRAWS, .bools = bools};
    uint8_t *block = malloc(limit);
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = block, .len = n, .cap = limit};
    struct cfz_values vs = {&v, 1, 1};
    struct cfz_rand r;
    bool applied;

    assert_non_null(block);
    memcpy(block, in, n);
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    applied = cfz_bytes_element(&(struct cfz_among){&r, &vs, 0, limit, &corpus.run, NULL, NULL});
    assert_int_equal(script.used, used);
    if (!applied) {
        assert_int_equal(v.len, n);
        assert_memory_equal(block, in, n);
    }
    memcpy(to, block, v.len);
    free(block);
    return applied ? v.len : 0;
}

/* 30 { 02 5, a0 { 02 7 }, 04 "xy" }: elements 0 to 4, in this order. */
#define WHOLE "\x30\x0c\x02\x01\x05\xa0\x03\x02\x01\x07\x04\x02xy"

static void test_ways(void **state)
{
    static const struct {
        uint32_t draws[DRAWS]; /* element, way, ... */
        unsigned bools;        /* 0: the first boolean is false */
        size_t used;
        const char *want;
        size_t n, limit;
    } all[] = {
        {{4, TAKE_OUT}, 0, 2, "\x30\x08\x02\x01\x05\xa0\x03\x02\x01\x07", 10, 20},
        {{3, TAKE_OUT}, 0, 2, "\x30\x09\x02\x01\x05\xa0\x00\x04\x02xy", 11, 20},
        {{0, TAKE_OUT}, 0, 2, NULL, 0, 20},
        {{1, REPLACE, 2},
         0,
         3,
         "\x30\x0e\xa0\x03\x02\x01\x07\xa0\x03\x02\x01\x07\x04\x02xy",
         16,
         20},
        {{3, PUT_BEFORE, 1},
         0,
         3,
         "\x30\x0f\x02\x01\x05\xa0\x06\x02\x01\x05\x02\x01\x07\x04\x02xy",
         17,
         20},
        {{3, PUT_BEFORE, 1}, 0, 3, NULL, 0, 16},
        /* the top is within nothing */
        {{0, REPLACE, 3}, 0, 3, "\x02\x01\x07", 3, 20},
        /* from another input: entry 0, its element 1 */
        {{4, REPLACE, 0, 1}, 1, 4, "\x30\x0b\x02\x01\x05\xa0\x03\x02\x01\x07\x05\x01!", 13, 20},
        /* the content: shorter, not by more than it is; longer, with bytes of the draws */
        {{4, RESIZE, 0}, 0, 3, "\x30\x0b\x02\x01\x05\xa0\x03\x02\x01\x07\x04\x01x", 13, 20},
        {{4, RESIZE, 2}, 0, 3, NULL, 0, 20},
        {{3, RESIZE, 1, 0, 0x2b2a},
         1,
         5,
         "\x30\x0e\x02\x01\x05\xa0\x05\x02\x03\x07\x2a\x2b\x04\x02xy",
         16,
         20},
    };

    (void)state;
    set_entry("\x30\x06\x05\x01!\x05\x01?", 8);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        uint8_t got[ROOM];

        assert_int_equal(change(got, WHOLE, sizeof WHOLE - 1, all[i].limit, all[i].draws,
                                all[i].bools, all[i].used),
                         all[i].n);
        if (all[i].want)
            assert_memory_equal(got, all[i].want, all[i].n);
    }
}

/* Lengths of one and two bytes behind 0x81 and 0x82; one that would need another byte declines. */
static void test_lengths(void **state)
{
    const uint32_t longer[DRAWS] = {1, RESIZE, 0};
    uint8_t in[ROOM] = {0x30, 0x82, 1, 4, 4, 0x81, 0xfe}, got[ROOM];
    const size_t n = 4 + 3 + 0xfe + 3;

    (void)state;
    memcpy(in + n - 3, "\x05\x01z", 3);
    assert_int_equal(change(got, in, n, n + 8, longer, 1, 5), n + 1);
    assert_memory_equal(got, "\x30\x82\x01\x05\x04\x81\xff", 7);
    in[3] = 5;
    in[6] = 0xff;
    memmove(in + n - 2, in + n - 3, 3);
    in[n - 3] = 0;
    assert_int_equal(change(got, in, n + 1, n + 8, longer, 1, 5), 0);
    /* The outer one gets a second byte that is not 0. */
    memset(in, 0, sizeof in);
    memcpy(in, "\x30\x82\x00\xff\x05\x81\xfc", 7);
    assert_int_equal(change(got, in, 4 + 0xff, ROOM, (const uint32_t[DRAWS]){1, RESIZE, 2}, 1, 5),
                     4 + 0xff + 3);
    assert_memory_equal(got, "\x30\x82\x01\x02\x05\x81\xff", 7);
}

/* Strings of bits and bytes may have elements within, or not. */
static void test_wrapped(void **state)
{
    const uint32_t third[DRAWS] = {2, TAKE_OUT};
    uint8_t got[ROOM];

    (void)state;
    assert_int_equal(change(got, "\x30\x08\x04\x06\x02\x01\x01\x02\x01\x02", 10, 16, third, 0, 2),
                     7);
    assert_memory_equal(got, "\x30\x05\x04\x03\x02\x01\x02", 7);
    assert_int_equal(
        change(got, "\x30\x09\x03\x07\x00\x02\x01\x01\x02\x01\x02", 11, 16, third, 0, 2), 8);
    assert_memory_equal(got, "\x30\x06\x03\x04\x00\x02\x01\x02", 8);
    /* Of two elements, number 2 is number 0, which is all. */
    assert_int_equal(change(got, "\x30\x08\x04\x06words!", 10, 16, third, 0, 2), 0);
    /* Behind the first one may be anything. */
    assert_int_equal(change(got, "\x30\x05\x05\x00\x05\x01z\xff", 8, 16, third, 0, 2), 5);
    assert_memory_equal(got, "\x30\x02\x05\x00\xff", 5);
}

static void test_declines(void **state)
{
    static const struct {
        const char *in;
        size_t n;
    } none[] = {
        {"abcdefgh", 8},                 /* no others within the first */
        {"\x30\x04\x05\x00", 4},         /* longer than there is */
        {"\x30\x03\x05\x00z", 5},        /* what is within does not fill it */
        {"\x30\x80\x05\x00\x00\x00", 6}, /* a length that the end tells */
        {"\x30\x83\x00\x00\x02\x05\x00", 7},
        {"\x3f\x02\x05\x00", 4}, /* a tag of several bytes */
        {"\x30\x02\x00\x00", 4},
    };
    uint8_t got[ROOM];

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(change(got, none[i].in, none[i].n, 16, (const uint32_t[DRAWS]){0}, 0, 0),
                         0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_declines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
