/*
 * encoding_line.h - reads one value line of a corpus file, for encoding.c. Context: ordinary.
 */
#ifndef CFZ_ENCODING_LINE_H
#define CFZ_ENCODING_LINE_H

#include "core/value.h"

/*
 * cfz_encoding_parse_line decodes a line such as int8(-1), without white space at its ends, and
 * appends its value to out. CFZ_EFORMAT with Go's text, or "(test):1:COLUMN: why" if the line is
 * not an expression; CFZ_ENOMEM.
 */
int cfz_encoding_parse_line(const uint8_t *line, size_t len, struct cfz_values *out,
                            struct cfz_error *err);

#endif
