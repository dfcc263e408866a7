/*
 * decimal.h - numbers and their text, exactly. It computes with integers only, without libc
 * conversions or floating-point arithmetic, so neither locale nor rounding mode matters. Floats are
 * passed as IEEE 754 bit patterns. Allocates nothing, but needs some KiB of stack. Context:
 * ordinary.
 */
#ifndef CFZ_DECIMAL_H
#define CFZ_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cfz_float_format { CFZ_FLOAT32 = 32, CFZ_FLOAT64 = 64 };

enum cfz_number_status {
    CFZ_NUMBER_OK,
    CFZ_NUMBER_SYNTAX, /* not a number of this kind */
    CFZ_NUMBER_RANGE,  /* too large */
};

/*
 * cfz_float_parse reads a number with an optional '-': decimal ("1.5", "1e-7", "017" is 17) or
 * hexadecimal with its binary exponent ("0x1p-2"). It skips '_', whose places the lexer checks. The
 * value is rounded once, to nearest, ties to even. What is too small is a zero of its sign; what is
 * too large is CFZ_NUMBER_RANGE. *bits is set only on OK.
 */
enum cfz_number_status cfz_float_parse(const char *text, size_t len, enum cfz_float_format format,
                                       uint64_t *bits);

enum { CFZ_FLOAT_TEXT_MAX = 32 }; /* the longest text, NUL included, is shorter */

/*
 * cfz_float_format writes the shortest digits that read back as the same float, and of several the
 * closest to it. They are plain ("0.0001", "999999") if the exponent of the first digit is in
 * [-4, 6), otherwise with an exponent ("1e+06", "1.5e-07"). The rest is "+Inf", "-Inf", "NaN". The
 * text ends with NUL; returns its length.
 */
size_t cfz_float_format(uint64_t bits, enum cfz_float_format format, char out[CFZ_FLOAT_TEXT_MAX]);

/*
 * cfz_uint_parse reads a number of width bits: decimal, after 0x, 0o or 0b in that base, after
 * another 0 octal. It skips '_'. If there is both a digit that the base does not have and a value
 * that is too large, the one further to the left decides on the status.
 */
enum cfz_number_status cfz_uint_parse(const char *text, size_t len, unsigned width, uint64_t *v);

/* cfz_int_parse is cfz_uint_parse with an optional '-' and the range of width signed bits. */
enum cfz_number_status cfz_int_parse(const char *text, size_t len, unsigned width, int64_t *v);

#endif
