/*
 * take_known.h - clears counters that say nothing new. It uses vector registers if the processor
 * has them.
 */
#ifndef CFZ_TAKE_KNOWN_H
#define CFZ_TAKE_KNOWN_H

#include <stddef.h>
#include <stdint.h>

#include "coverage/processor.h"

enum { CFZ_TAKE_KNOWN_BLOCK = 64 }; /* bytes looked at together; a cache line */

/* A way to do it. All ways do the same. */
typedef size_t cfz_take_known_fn(uint8_t *p, const uint8_t *own, size_t len);

/* The ways by what they need of the processor; cfz_processor() tells the last one that it has. */
extern cfz_take_known_fn *const cfz_take_known_ways[CFZ_PROCESSORS];

/* The fastest way; before cfz_take_known_init the portable one. */
extern cfz_take_known_fn *cfz_take_known_best;

/* cfz_take_known_init chooses it. Context: any. */
void cfz_take_known_init(void);

/*
 * cfz_take_known clears the blocks at the beginning of p[0..len) whose counters have no bucket
 * (cfz_cov_bucket) that own[0..len) lacks, and returns their length. At the result r either a
 * counter of p[r..r + CFZ_TAKE_KNOWN_BLOCK) has one, and that block is as it was, or less than a
 * block is left. It reads and writes nothing beyond len. Context: target.
 */
static inline size_t cfz_take_known(uint8_t *p, const uint8_t *own, size_t len)
{
    return cfz_take_known_best(p, own, len);
}

#endif
