/*
 * encoding.h - corpus file text <-> values: docs/corpus-format.md, which is Go's
 * "go test fuzz v1". Locale does not matter. Context: ordinary.
 */
#ifndef CFZ_ENCODING_H
#define CFZ_ENCODING_H

#include "core/buf.h"
#include "core/value.h"

#define CFZ_ENCODING_HEADER "go test fuzz v1"
#define CFZ_FILE_MAX ((size_t)512 << 20) /* longest corpus file read */

/*
 * cfz_encoding_parse decodes a whole corpus file. *out (initialised) gets its
 * values; none are possible. CFZ_EFORMAT with Go's texts: "cannot unmarshal empty
 * string", "malformed line \"int8(300)\": strconv.ParseInt: parsing \"300\": value
 * out of range". *line (may be NULL) gets the number of the line at fault, 0 if none.
 */
int cfz_encoding_parse(const uint8_t *text, size_t len, struct cfz_values *out, size_t *line,
                       struct cfz_error *err);

/* cfz_encoding_write appends the text of at least one value: byte for byte what Go writes. */
int cfz_encoding_write(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err);

/* cfz_encoding_write_value appends one value without a line end: int8(-1). */
int cfz_encoding_write_value(const struct cfz_value *v, struct cfz_buf *out, struct cfz_error *err);

/*
 * cfz_encoding_file_name writes the name of a corpus file: the first 16 hex digits of the
 * SHA-256 of its content, and NUL. In corpus_save.c, which needs libmd: for the driver and
 * the unit tests (cfz_core), not in libcfuzz.a.
 */
void cfz_encoding_file_name(const void *content, size_t len, char name[17]);

#endif
