/*
 * tenth.c - crashes at one input of ten, decided by the bytes of the input, so
 * that a crash repeats. The seed "seed" is not one of them.
 */
#include "target.h"

void bench_target(const uint8_t *data, size_t len)
{
    uint32_t hash = (uint32_t)len + 1;

    for (size_t i = 0; i < len && i < 32; i++)
        hash = (hash ^ data[i]) * 0x9e3779b1u;
    if ((hash >> 16) % 10 == 0)
        __builtin_trap();
}
