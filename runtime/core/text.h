/*
 * text.h - UTF-8, and which characters are blank or printable. Pure; does not depend on the locale.
 * Context: any.
 */
#ifndef CFZ_TEXT_H
#define CFZ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CFZ_RUNE_BAD UINT32_MAX /* decoded from bytes that are not UTF-8 */

/*
 * cfz_utf8_decode reads the code point at p[0..len), len > 0, and returns how many bytes it has.
 * What is not UTF-8 (stray, overlong, cut off, a surrogate, over 10FFFF) is read as one byte, and
 * *rune is CFZ_RUNE_BAD.
 */
size_t cfz_utf8_decode(const uint8_t *p, size_t len, uint32_t *rune);

/* cfz_utf8_encode writes 1 to 4 bytes of a valid rune and returns how many. */
size_t cfz_utf8_encode(uint32_t rune, uint8_t out[4]);

/* Valid: a code point that is not a surrogate. */
bool cfz_rune_is_valid(uint32_t rune);

/* Printable: letters, marks, numbers, punctuation, symbols of Unicode 13, and the blank. */
bool cfz_rune_is_printable(uint32_t rune);

/* cfz_is_ascii_text reports whether isprint or isspace holds for a byte in C's own locale. */
static inline bool cfz_is_ascii_text(uint8_t c)
{
    return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
}

/* cfz_text_trim moves *text and *len past white space (of Unicode) at both ends. */
void cfz_text_trim(const uint8_t **text, size_t *len);

/* The table behind cfz_rune_is_printable (printable.c): ascending, inclusive ranges. */
struct cfz_rune_range {
    uint32_t first, last;
};
extern const struct cfz_rune_range cfz_printable[];
extern const size_t cfz_nprintable;

#endif
