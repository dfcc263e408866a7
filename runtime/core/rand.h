/*
 * rand.h - the generator of all random choices.
 *
 * PCG XSH-RR 64/32 (M. E. O'Neill, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation",
 * 2014), bounded draws by D. Lemire, "Fast Random Integer Generation in an
 * Interval", 2018. A test replaces the draws by a script. Context: target (no
 * function here allocates, locks or reads a clock).
 */
#ifndef CFZ_RAND_H
#define CFZ_RAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfz_rand_script; /* rand.c; scripted draws for tests */

struct cfz_rand {
    uint64_t s; /* state */
    uint64_t c; /* increment, odd */
    struct cfz_rand_script *script; /* NULL outside tests */
};

/* Seeds generator number k (1, 2, 3...) of a run: equal seed and k give equal draws. */
void cfz_rand_init(struct cfz_rand *r, uint64_t seed, uint64_t k);
uint32_t cfz_rand_u32(struct cfz_rand *r);
uint64_t cfz_rand_u64(struct cfz_rand *r); /* two draws, high half first */
uint32_t cfz_rand_below(struct cfz_rand *r, uint32_t n); /* uniform in [0, n); 0 for n = 0, one draw less */
bool cfz_rand_bool(struct cfz_rand *r); /* lowest bit of a draw is 0 */

#endif
