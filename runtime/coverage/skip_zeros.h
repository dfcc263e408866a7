/*
 * skip_zeros.h - how far an array of bytes is zero; in vector registers where the processor has
 * them.
 */
#ifndef CFZ_SKIP_ZEROS_H
#define CFZ_SKIP_ZEROS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CFZ_SKIP_ZEROS_BLOCK = 64 }; /* bytes looked at together; a cache line */

/* A way to do it; all give the same answers. */
typedef size_t cfz_skip_zeros_fn(const uint8_t *p, size_t len);

/* The ways that this processor has, *n of them: the portable one first, the fastest last. */
enum { CFZ_SKIP_ZEROS_WAYS = 3 };
struct cfz_skip_zeros_way {
    const char *name;
    cfz_skip_zeros_fn *fn;
};
const struct cfz_skip_zeros_way *cfz_skip_zeros_ways(size_t *n);

#if defined(__x86_64__)
/* Whether the processor has 256-bit integer instructions and the kernel keeps their registers. */
bool cfz_skip_zeros_has_avx2(void);
#endif

/* The fastest one; the portable one before cfz_skip_zeros_init. */
extern cfz_skip_zeros_fn *cfz_skip_zeros_best;

/* cfz_skip_zeros_init chooses it. Context: any. */
void cfz_skip_zeros_init(void);

/*
 * cfz_skip_zeros returns how many blocks at the beginning of p[0..len) are all zero, times
 * CFZ_SKIP_ZEROS_BLOCK: a result r says that p[r..r + CFZ_SKIP_ZEROS_BLOCK) has something, or that
 * less than a block follows. Reads nothing beyond len. Context: target.
 */
static inline size_t cfz_skip_zeros(const uint8_t *p, size_t len)
{
    return cfz_skip_zeros_best(p, len);
}

#endif
