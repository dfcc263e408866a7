/*
 * encoding.h - the text of corpus files: reads it into values, writes values. The format is Go's
 * "go test fuzz v1", see docs/corpus-format.md. The locale does not matter. Context: ordinary.
 */
#ifndef CFZ_ENCODING_H
#define CFZ_ENCODING_H

#include "core/buf.h"
#include "core/value.h"

#define CFZ_ENCODING_HEADER "go test fuzz v1"
#define CFZ_FILE_MAX ((size_t)512 << 20) /* longest corpus file read */

/*
 * cfz_encoding_parse decodes a whole corpus file. *out, which the caller initialised, gets its
 * values; there may be none. CFZ_EFORMAT with Go's texts: "cannot unmarshal empty string",
 * "malformed line \"int8(300)\": strconv.ParseInt: parsing \"300\": value out of range". *line gets
 * the number of the line at fault, 0 if there is none; line may be NULL.
 */
int cfz_encoding_parse(const uint8_t *text, size_t len, struct cfz_values *out, size_t *line,
                       struct cfz_error *err);

/* cfz_encoding_write appends the text of a file with these values, at least one: byte for byte what
 * Go writes. CFZ_ENOMEM; then out is as it was, here and below. */
int cfz_encoding_write(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err);

/* cfz_encoding_write_value appends one value without the end of its line: int8(-1). */
int cfz_encoding_write_value(const struct cfz_value *v, struct cfz_buf *out, struct cfz_error *err);

/*
 * cfz_encoding_file_name writes the name of a corpus file: the first 16 hex digits of the SHA-256
 * of its content, and NUL. It is in corpus_save.c, which needs libmd: the driver and the unit tests
 * have it (cfz_core), libcfuzz.a has not.
 */
void cfz_encoding_file_name(const void *content, size_t len, char name[17]);

#endif
