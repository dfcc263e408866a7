/*
 * digits.h - digits of whole numbers in text, of a radix up to 16.
 */
#ifndef CFZ_DIGITS_H
#define CFZ_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* cfz_digit returns the value of a digit of a radix up to 16, and 16 of what is none. */
static inline unsigned cfz_digit(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10U
           : c >= 'A' && c <= 'F' ? c - 'A' + 10U
                                  : 16;
}

/* cfz_digits_count returns how many digits v has; cfz_digits_put writes its last n digits to p,
 * with zeros before them. Context: any. */
static inline uint32_t cfz_digits_count(uint64_t v, unsigned radix)
{
    uint32_t n = 1;

    while ((v /= radix) != 0)
        n++;
    return n;
}

static inline void cfz_digits_put(uint8_t *p, uint32_t n, unsigned radix, bool lower, uint64_t v)
{
    for (; n-- > 0; v /= radix)
        p[n] = (uint8_t)(lower ? "0123456789abcdef" : "0123456789ABCDEF")[v % radix];
}

#endif
