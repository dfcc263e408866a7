/*
 * decimal.h - floats and their decimal text, exactly: integers only, no libc
 * conversion, no floating-point arithmetic, so that neither locale nor rounding
 * mode matters. Floats are passed as IEEE 754 bit patterns. Allocates nothing.
 * Context: ordinary (some KiB of stack).
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
 * cfz_float_parse reads [-]digits: decimal ("1.5", "1e-7", "017" is 17) or
 * hexadecimal with its binary exponent ("0x1p-2"), '_' as Go's lexer allows. The
 * value is rounded once, to nearest, ties to even; what is too small is a zero of
 * its sign; what is too large is CFZ_NUMBER_RANGE. *bits is set only on OK.
 */
enum cfz_number_status cfz_float_parse(const char *text, size_t len, enum cfz_float_format format,
                                       uint64_t *bits);

enum { CFZ_FLOAT_TEXT_MAX = 32 };

/*
 * cfz_float_format writes the shortest digits that read back as the same float,
 * the closest of these: plain ("0.0001", "999999") when the first digit's exponent
 * is in [-4, 6), otherwise "1e+06", "1.5e-07"; "+Inf", "-Inf", "NaN". NUL-terminated;
 * returns the length.
 */
size_t cfz_float_format(uint64_t bits, enum cfz_float_format format, char out[CFZ_FLOAT_TEXT_MAX]);

/*
 * cfz_uint_parse reads decimal, 0x, 0o, 0b or, after another 0, octal digits with
 * '_' into width bits. CFZ_NUMBER_SYNTAX and _RANGE as the first of the two that
 * occurs from left to right.
 */
enum cfz_number_status cfz_uint_parse(const char *text, size_t len, unsigned width, uint64_t *v);

/* cfz_int_parse is cfz_uint_parse with an optional '-' and the range of width signed bits. */
enum cfz_number_status cfz_int_parse(const char *text, size_t len, unsigned width, int64_t *v);

#endif
