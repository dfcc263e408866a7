/*
 * coverage.h - coverage as bits: buckets and masks.
 *
 * A counter (8 bits, one per edge) is reduced to one bit by the power of two it
 * reaches: 0, 1, 2-3, 4-7, ... 128-255 give 0x00, 0x01, 0x02, 0x04, ... 0x80. A
 * mask has one byte per counter, the OR of all bits seen. No function here
 * allocates. Context: target.
 */
#ifndef CFZ_COVERAGE_H
#define CFZ_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

/* Bits of one counter, as records carry them. */
struct cfz_cov_bits {
    uint32_t index;
    uint32_t bits; /* one or more of the 8 bucket bits */
};

extern const uint8_t cfz_cov_bucket[256];

/* cfz_cov_merge ORs n bits into mask[0..len) and ignores indices beyond. Returns how many of the
 * bits were not there before. */
size_t cfz_cov_merge(uint8_t *mask, size_t len, const struct cfz_cov_bits *bits, size_t n);

/* cfz_cov_count_new returns how many of the bits the mask lacks. It changes nothing. */
size_t cfz_cov_count_new(const uint8_t *mask, size_t len, const struct cfz_cov_bits *bits,
                         size_t n);

#endif
