/*
 * take_known_test.c - every way to clear what is known against the definition, at all lengths,
 * offsets and places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/coverage.h"
#include "core/rand.h"
#include "coverage/take_known.h"

enum { LEN_MAX = 700, BLOCK = CFZ_TAKE_KNOWN_BLOCK };

static size_t by_definition(uint8_t *p, const uint8_t *own, size_t len)
{
    size_t i = 0;

    for (; len - i >= BLOCK; i += BLOCK) {
        for (size_t k = i; k < i + BLOCK; k++)
            if (cfz_cov_bucket[p[k]] & ~own[k])
                return i;
        memset(p + i, 0, BLOCK);
    }
    return i;
}

/* Blocks of exactly that size: what lies beyond is seen by AddressSanitizer. */
struct arrays {
    size_t len;
    uint8_t *p, *own, *wanted;
};

static void make(struct arrays *a, size_t len)
{
    a->len = len;
    a->p = calloc(1, len + 1);
    a->own = calloc(1, len + 1);
    a->wanted = calloc(1, len + 1);
    assert_non_null(a->p);
    assert_non_null(a->own);
    assert_non_null(a->wanted);
}

static void drop(struct arrays *a)
{
    free(a->p);
    free(a->own);
    free(a->wanted);
}

/* Tries one way, and leaves what it made. Odd addresses, all but the first byte. */
static void try(cfz_take_known_fn *way, struct arrays *a)
{
    size_t r;

    memcpy(a->wanted, a->p, a->len + 1);
    r = by_definition(a->wanted + 1, a->own + 1, a->len);
    assert_int_equal(way(a->p + 1, a->own + 1, a->len), r);
    assert_memory_equal(a->p, a->wanted, a->len + 1);
}

/* One counter that says something new, or none: at each place; and what stands before stays. */
static void one_counter(void **state)
{
    const size_t n = 1 + (size_t)cfz_processor();

    (void)state;
    assert_in_range(n, 1, CFZ_PROCESSORS);
    for (size_t way = 0; way < n; way++)
        for (size_t len = 0; len <= LEN_MAX; len += len % 64 < 2 || len % 64 > 61 ? 1 : 15) {
            struct arrays a;

            make(&a, len);
            a.p[0] = 1;
            for (size_t at = 0; at < len; at++) {
                uint8_t count = (uint8_t)(at * 37 + 1);

                a.p[1 + at] = count ? count : 1;
                try(cfz_take_known_ways[way], &a); /* new */
                a.own[1 + at] = cfz_cov_bucket[a.p[1 + at]];
                try(cfz_take_known_ways[way], &a); /* known */
                a.own[1 + at] = 0;
                a.p[1 + at] = 0;
            }
            assert_int_equal(a.p[0], 1);
            drop(&a);
        }
}

/* Every count beside every set of known buckets. */
static void each_count(void **state)
{
    const size_t n = 1 + (size_t)cfz_processor();
    struct arrays a;

    (void)state;
    make(&a, BLOCK);
    for (size_t way = 0; way < n; way++)
        for (int own = 0; own < 256; own++)
            for (int count = 0; count < 256; count++) {
                size_t at = 1 + (size_t)(own * 7 + count) % BLOCK;

                a.p[at] = (uint8_t)count;
                a.own[at] = (uint8_t)own;
                assert_int_equal(cfz_take_known_ways[way](a.p + 1, a.own + 1, BLOCK),
                                 cfz_cov_bucket[count] & ~own ? 0 : BLOCK);
                assert_int_equal(a.p[at], cfz_cov_bucket[count] & ~own ? count : 0);
                a.p[at] = a.own[at] = 0;
            }
    drop(&a);
}

/* Many counters at once, most of them known. */
static void many_counters(void **state)
{
    const size_t n = 1 + (size_t)cfz_processor();
    struct cfz_rand r = {0};

    (void)state;
    cfz_rand_init(&r, 7, 1);
    for (size_t way = 0; way < n; way++)
        for (int round = 0; round < 300; round++) {
            struct arrays a;

            make(&a, cfz_rand_below(&r, LEN_MAX));
            for (size_t i = 1; i <= a.len; i++) {
                a.p[i] = cfz_rand_below(&r, 3) ? 0 : (uint8_t)cfz_rand_below(&r, 256);
                a.own[i] = cfz_cov_bucket[a.p[i]] | (uint8_t)cfz_rand_below(&r, 256);
            }
            for (uint32_t k = cfz_rand_below(&r, 3); k > 0 && a.len > 0; k--)
                a.own[1 + cfz_rand_below(&r, (uint32_t)a.len)] = 0;
            try(cfz_take_known_ways[way], &a);
            drop(&a);
        }
}

static void best_is_the_last(void **state)
{
    const size_t n = 1 + (size_t)cfz_processor();

    (void)state;
    assert_ptr_equal(cfz_take_known_best, cfz_take_known_ways[0]);
    cfz_take_known_init();
    assert_ptr_equal(cfz_take_known_best, cfz_take_known_ways[n - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_counter),
        cmocka_unit_test(each_count),
        cmocka_unit_test(many_counters),
        cmocka_unit_test(best_is_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
