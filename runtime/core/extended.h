/*
 * extended.h - long doubles of x87 by their first 64 bits: a sign, 15 bits of exponent, and 48 of
 * the fraction with its leading 1, which other formats do not write. The 16 bits behind these are
 * left out. (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 4.2.2.)
 *
 * Context: any.
 */
#ifndef CFZ_EXTENDED_H
#define CFZ_EXTENDED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/value.h"

enum {
    CFZ_EXTENDED = 80, /* the width of such a number, in bits */
    CFZ_EXTENDED_FRACTION = 47,
    CFZ_EXTENDED_EXPONENT = 0x7fff,
    CFZ_EXTENDED_BIAS = 16383,
};

static const uint64_t cfz_extended_one = (uint64_t)1 << CFZ_EXTENDED_FRACTION;

static inline unsigned cfz_extended_exponent(uint64_t v)
{
    return v >> (CFZ_EXTENDED_FRACTION + 1) & CFZ_EXTENDED_EXPONENT;
}

/* cfz_extended_is_nan reports whether v compares with nothing: it is no number, or one without its
 * leading 1, which the processor takes for none. */
static inline bool cfz_extended_is_nan(uint64_t v)
{
    unsigned exponent = cfz_extended_exponent(v);

    if (exponent != 0 && !(v & cfz_extended_one))
        return true;
    return exponent == CFZ_EXTENDED_EXPONENT && (v & (cfz_extended_one - 1)) != 0;
}

/* cfz_extended_pack leaves the leading 1 out: the numbers of either sign are then in the order of
 * their bits, without gaps. cfz_extended_unpack puts it back. */
static inline uint64_t cfz_extended_pack(uint64_t v)
{
    uint64_t sign = v & (uint64_t)1 << 63, exponent = cfz_extended_exponent(v);

    return sign | exponent << CFZ_EXTENDED_FRACTION | (v & (cfz_extended_one - 1));
}

static inline uint64_t cfz_extended_unpack(uint64_t packed)
{
    uint64_t sign = packed & (uint64_t)1 << 63;
    uint64_t exponent = packed >> CFZ_EXTENDED_FRACTION & CFZ_EXTENDED_EXPONENT;

    return sign | exponent << (CFZ_EXTENDED_FRACTION + 1) | (exponent ? cfz_extended_one : 0) |
           (packed & (cfz_extended_one - 1));
}

/* cfz_extended_double returns the double that is nearest; one that is too large is infinite. */
static inline double cfz_extended_double(uint64_t v)
{
    int exponent = (int)cfz_extended_exponent(v);
    double fraction = (double)(v & (2 * cfz_extended_one - 1)), x;

    if (cfz_extended_is_nan(v))
        return (double)NAN;
    if (exponent == CFZ_EXTENDED_EXPONENT)
        x = (double)INFINITY;
    else
        x = ldexp(fraction, (exponent ? exponent : 1) - CFZ_EXTENDED_BIAS - CFZ_EXTENDED_FRACTION);
    return v >> 63 ? -x : x;
}

/* cfz_float_operand returns the number that an operand of a comparison of floats is, by its width:
 * 32, 64 or CFZ_EXTENDED. */
static inline double cfz_float_operand(unsigned width, uint64_t bits)
{
    const struct cfz_value x = {.kind = width == 32 ? CFZ_KIND_FLOAT32 : CFZ_KIND_FLOAT64,
                                .bits = bits};

    return width == CFZ_EXTENDED ? cfz_extended_double(bits) : cfz_value_float(&x);
}

#endif
