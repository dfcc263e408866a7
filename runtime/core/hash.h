/*
 * hash.h - numbers and text as 64 bits that look random. Context: target.
 */
#ifndef CFZ_HASH_H
#define CFZ_HASH_H

#include <stdint.h>

/* The finalizer of MurmurHash3 (A. Appleby), with other constants by D. Stafford ("mix13"). */
static inline uint64_t cfz_hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    x ^= x >> 31;
    return x | 1;
}

static inline uint64_t cfz_text_hash(const uint8_t *p, uint32_t n)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

    for (uint32_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3;
    return cfz_hash_mix(h ^ n);
}

#endif
