/*
 * rand.h - the generator of all random choices.
 *
 * PCG XSH-RR 64/32 (M. E. O'Neill, "PCG: A Family of Simple Fast
 * Space-Efficient Statistically Good Algorithms for Random Number Generation",
 * 2014), bounded draws by D. Lemire, "Fast Random Integer Generation in an
 * Interval", 2018. A test may replace the draws by a script. No function here allocates, locks or
 * reads a clock. Context: target.
 *
 * The draws are inline, since a mutation is little more than three to six of them.
 */
#ifndef CFZ_RAND_H
#define CFZ_RAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Draws that a test wrote down. Draw number i is draws[i mod n], reduced modulo the bound that is
 * asked for. Booleans are counted apart: they alternate, false first.
 */
struct cfz_rand_script {
    const uint32_t *draws; /* borrowed */
    size_t n;              /* at least 1 */
    size_t used;           /* draws made so far, booleans not counted */
    size_t bools;          /* booleans drawn so far */
};

struct cfz_rand {
    uint64_t s;                     /* state */
    uint64_t c;                     /* increment, odd */
    struct cfz_rand_script *script; /* NULL outside tests */
};

/* cfz_rand_init seeds generator number k (1, 2, 3...) of a run. Equal seed and k give equal
 * draws. */
void cfz_rand_init(struct cfz_rand *r, uint64_t seed, uint64_t k);

/* Parts of the draws below that are rarely needed. Only these call them. */
uint32_t cfz_rand_script_u32(struct cfz_rand_script *script);
bool cfz_rand_script_bool(struct cfz_rand_script *script);
uint32_t cfz_rand_script_below(struct cfz_rand_script *script, uint32_t n);
uint32_t cfz_rand_below_slow(struct cfz_rand *r, uint32_t n, uint64_t product);

/* cfz_rand_next steps the generator itself, script or not. */
static inline uint32_t cfz_rand_next(struct cfz_rand *r)
{
    uint64_t x = r->s;
    uint32_t v = (uint32_t)(((x >> 18) ^ x) >> 27);
    unsigned turn = (unsigned)(x >> 59);

    r->s = x * 6364136223846793005u + r->c;
    return v >> turn | v << (-turn & 31);
}

static inline uint32_t cfz_rand_u32(struct cfz_rand *r)
{
    if (__builtin_expect(r->script != NULL, 0))
        return cfz_rand_script_u32(r->script);
    return cfz_rand_next(r);
}

/* Two draws, high half first. */
static inline uint64_t cfz_rand_u64(struct cfz_rand *r)
{
    uint64_t high = cfz_rand_u32(r);

    return high << 32 | cfz_rand_u32(r);
}

/* Uniform in [0, n). For n = 0 the result is 0, but that is a draw, too. */
static inline uint32_t cfz_rand_below(struct cfz_rand *r, uint32_t n)
{
    uint64_t product;

    if (__builtin_expect(r->script != NULL, 0))
        return cfz_rand_script_below(r->script, n);
    product = (uint64_t)cfz_rand_next(r) * n;
    if (__builtin_expect((uint32_t)product < n, 0))
        return cfz_rand_below_slow(r, n, product); /* the only one with a division */
    return (uint32_t)(product >> 32);
}

/* True if the lowest bit of a draw is 0. */
static inline bool cfz_rand_bool(struct cfz_rand *r)
{
    if (__builtin_expect(r->script != NULL, 0))
        return cfz_rand_script_bool(r->script);
    return (cfz_rand_next(r) & 1) == 0;
}

#endif
