/*
 * field.h - a number in the bytes of an input, in either order.
 */
#ifndef CFZ_FIELD_H
#define CFZ_FIELD_H

#include <stdbool.h>
#include <stdint.h>

/* cfz_field_get reads the number in p[0..width), width up to 8; cfz_field_put writes its lowest
 * bytes there. Context: any. */
static inline uint64_t cfz_field_get(const uint8_t *p, uint32_t width, bool big)
{
    uint64_t x = 0;

    for (uint32_t i = 0; i < width; i++)
        x = x << 8 | p[big ? i : width - 1 - i];
    return x;
}

static inline void cfz_field_put(uint8_t *p, uint32_t width, bool big, uint64_t x)
{
    for (uint32_t i = 0; i < width; i++, x >>= 8)
        p[big ? width - 1 - i : i] = (uint8_t)x;
}

#endif
