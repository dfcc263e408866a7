/*
 * encoding_line.h - one value line of a corpus file. Part of the encoding module.
 */
#ifndef CFZ_ENCODING_LINE_H
#define CFZ_ENCODING_LINE_H

#include "core/value.h"

/*
 * cfz_encoding_parse_line decodes a line without white space at its ends, such as
 * int8(-1), and appends its value to out. Fails with CFZ_EFORMAT: Go's text, or
 * "(test):1:COLUMN: why" for what is no expression; or with CFZ_ENOMEM.
 */
int cfz_encoding_parse_line(const uint8_t *line, size_t len, struct cfz_values *out,
                            struct cfz_error *err);

#endif
