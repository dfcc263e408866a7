/*
 * skip_zeros_test.c - every way to skip zeros against the definition, at all lengths, offsets and
 * places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coverage/skip_zeros.h"

enum { LEN_MAX = 700, LEN_LONG = 1600 };

static size_t by_definition(const uint8_t *p, size_t len)
{
    size_t i = 0;

    for (; len - i >= CFZ_SKIP_ZEROS_BLOCK; i += CFZ_SKIP_ZEROS_BLOCK)
        for (size_t k = 0; k < CFZ_SKIP_ZEROS_BLOCK; k++)
            if (p[i + k] != 0)
                return i;
    return i;
}

/* One byte set, or none: at each position around the limits of blocks and of vector steps. */
static void one_byte(void **state)
{
    const size_t n = 1 + (size_t)cfz_processor();

    (void)state;
    assert_in_range(n, 1, CFZ_PROCESSORS);
    for (size_t way = 0; way < n; way++)
        for (size_t len = 0; len <= LEN_MAX; len += len % 64 < 2 || len % 64 > 61 ? 1 : 15) {
            /* A block of exactly that size: a read beyond is seen by AddressSanitizer. */
            uint8_t *p = calloc(1, len + 1);

            assert_non_null(p);
            assert_int_equal(cfz_skip_zeros_ways[way](p + 1, len),
                             len / CFZ_SKIP_ZEROS_BLOCK * CFZ_SKIP_ZEROS_BLOCK);
            for (size_t at = 0; at < len; at++) {
                p[1 + at] = (uint8_t)(1 << at % 8);
                assert_int_equal(cfz_skip_zeros_ways[way](p + 1, len), by_definition(p + 1, len));
                p[1 + at] = 0;
            }
            p[0] = 1; /* before the beginning */
            assert_int_equal(cfz_skip_zeros_ways[way](p + 1, len),
                             len / CFZ_SKIP_ZEROS_BLOCK * CFZ_SKIP_ZEROS_BLOCK);
            free(p);
        }
}

/* At each place in a cache line: the byte before, each byte of the last two blocks, the one after.
 */
static void each_alignment(void **state)
{
    static const size_t lens[] = {0,   1,   63,  64,  65,   127,  128,  255,     256,
                                  257, 320, 512, 575, 1023, 1024, 1087, LEN_LONG};
    static uint8_t space[64 + LEN_LONG + 1] __attribute__((aligned(64)));
    const size_t n = 1 + (size_t)cfz_processor();

    (void)state;
    for (size_t way = 0; way < n; way++)
        for (size_t off = 1; off <= 64; off++)
            for (size_t k = 0; k < sizeof lens / sizeof lens[0]; k++) {
                uint8_t *p = space + off;
                size_t len = lens[k];

                p[-1] = p[len] = 0xff;
                assert_int_equal(cfz_skip_zeros_ways[way](p, len),
                                 len / CFZ_SKIP_ZEROS_BLOCK * CFZ_SKIP_ZEROS_BLOCK);
                for (size_t at = len > 128 ? len - 128 : 0; at < len; at++) {
                    p[at] = 0x80;
                    assert_int_equal(cfz_skip_zeros_ways[way](p, len), by_definition(p, len));
                    p[at] = 0;
                }
                p[-1] = p[len] = 0;
            }
}

static void best(void **state)
{
    static uint8_t p[256];
    const size_t n = 1 + (size_t)cfz_processor();

    (void)state;
    assert_ptr_equal(cfz_skip_zeros_best, cfz_skip_zeros_ways[0]);
    cfz_skip_zeros_init();
    assert_ptr_equal(cfz_skip_zeros_best, cfz_skip_zeros_ways[n - 1]);
    p[200] = 1;
    assert_int_equal(cfz_skip_zeros(p, sizeof p), 192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_byte),
        cmocka_unit_test(each_alignment),
        cmocka_unit_test(best),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
