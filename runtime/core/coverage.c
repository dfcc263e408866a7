/*
 * coverage.c - masks of bucket bits: merge, compare, count.
 */
#include "core/coverage.h"

size_t cfz_cov_merge(uint8_t *mask, size_t len, const struct cfz_cov_bits *bits, size_t n)
{
    size_t fresh = 0;

    for (size_t i = 0; i < n; i++) {
        uint8_t add;

        if (bits[i].index >= len)
            continue;
        add = (uint8_t)(bits[i].bits & ~mask[bits[i].index]);
        fresh += (size_t)__builtin_popcount(add);
        /* Workers read the mask while we write: a plain byte store cannot tear. */
        __atomic_store_n(&mask[bits[i].index], (uint8_t)(mask[bits[i].index] | add),
                         __ATOMIC_RELAXED);
    }
    return fresh;
}

size_t cfz_cov_count_new(const uint8_t *mask, size_t len, const struct cfz_cov_bits *bits, size_t n)
{
    size_t fresh = 0;

    for (size_t i = 0; i < n; i++)
        if (bits[i].index < len)
            fresh += (size_t)__builtin_popcount((uint8_t)(bits[i].bits & ~mask[bits[i].index]));
    return fresh;
}

/* Bucket of a count: its highest set bit. Eight rows of 32. */
#define ROW4(v) v, v, v, v
#define ROW16(v) ROW4(v), ROW4(v), ROW4(v), ROW4(v)
const uint8_t cfz_cov_bucket[256] = {
    0,          1,          2,          2,          ROW4(4),    ROW4(8),    ROW4(8),    ROW16(16),
    ROW16(32),  ROW16(32),  ROW16(64),  ROW16(64),  ROW16(64),  ROW16(64),  ROW16(128), ROW16(128),
    ROW16(128), ROW16(128), ROW16(128), ROW16(128), ROW16(128), ROW16(128),
};
