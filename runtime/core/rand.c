/*
 * rand.c - seeding the generator, and the draws that are not worth inlining.
 */
#include "core/rand.h"

void cfz_rand_init(struct cfz_rand *r, uint64_t seed, uint64_t k)
{
    r->script = NULL;
    r->c = 2 * k + 1; /* each odd increment is a sequence of its own */
    r->s = seed;
    (void)cfz_rand_next(r);
    r->s += seed;
    (void)cfz_rand_next(r);
}

/*
 * By the low half of product, this draw may be one of those that make some results likelier than
 * others. Of the 2^32 draws, 2^32 mod n are such, and are drawn again.
 */
uint32_t cfz_rand_below_slow(struct cfz_rand *r, uint32_t n, uint64_t product)
{
    uint32_t surplus = -n % n;

    while ((uint32_t)product < surplus)
        product = (uint64_t)cfz_rand_next(r) * n;
    return (uint32_t)(product >> 32);
}

uint32_t cfz_rand_script_u32(struct cfz_rand_script *script)
{
    return script->draws[script->used++ % script->n];
}

uint32_t cfz_rand_script_below(struct cfz_rand_script *script, uint32_t n)
{
    uint32_t v = cfz_rand_script_u32(script);

    return n == 0 ? 0 : v % n;
}

bool cfz_rand_script_bool(struct cfz_rand_script *script)
{
    return script->bools++ % 2 != 0;
}
