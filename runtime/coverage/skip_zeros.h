/*
 * skip_zeros.h - how far an array of bytes is zero. It uses vector registers if the processor has
 * them.
 */
#ifndef CFZ_SKIP_ZEROS_H
#define CFZ_SKIP_ZEROS_H

#include <stddef.h>
#include <stdint.h>

#include "coverage/processor.h"

enum { CFZ_SKIP_ZEROS_BLOCK = 64 }; /* bytes looked at together; a cache line */

/* A way to do it. All ways give the same answers. */
typedef size_t cfz_skip_zeros_fn(const uint8_t *p, size_t len);

/* The ways by what they need of the processor; cfz_processor() tells the last one that it has. */
extern cfz_skip_zeros_fn *const cfz_skip_zeros_ways[CFZ_PROCESSORS];

/* The fastest way; before cfz_skip_zeros_init the portable one. */
extern cfz_skip_zeros_fn *cfz_skip_zeros_best;

/* cfz_skip_zeros_init chooses it. Context: any. */
void cfz_skip_zeros_init(void);

/*
 * cfz_skip_zeros returns the length of the blocks at the beginning of p[0..len) that are all zero.
 * At the result r either p[r..r + CFZ_SKIP_ZEROS_BLOCK) has something, or less than a block is
 * left. It reads nothing beyond len. Context: target.
 */
static inline size_t cfz_skip_zeros(const uint8_t *p, size_t len)
{
    return cfz_skip_zeros_best(p, len);
}

#endif
