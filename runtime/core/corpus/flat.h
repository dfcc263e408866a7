/*
 * flat.h - the values of a test as one string of bytes, and back: what other engines, which know
 * nothing but bytes, run, keep and exchange. docs/flat-format.md describes it for everybody.
 *
 * 1. Every string of bytes is some values: reading fails without memory only.
 * 2. All values that a test can be called with have one flat form, and reading that gives them
 * back.
 * 3. Many strings may be read as the same values. Writing those gives the flat form, which is read
 *    and written without a change from then on.
 * 4. A test of one []byte or string has the bytes themselves.
 * 5. The text of a corpus file (encoding.h) whose values fit the test is read as those values.
 *
 * Context: ordinary, unless a function says otherwise.
 */
#ifndef CFZ_FLAT_H
#define CFZ_FLAT_H

#include "core/buf.h"
#include "core/value.h"

/* The version of the form. It changes when any string is read as other values than before. */
#define CFZ_FLAT_VERSION 1

/* cfz_flat_is_text reports whether the first line is that of a corpus file, so that the rest may be
 * the text of one. Context: any. */
bool cfz_flat_is_text(const uint8_t *data, size_t len);

/*
 * cfz_flat_split reads in[0..len) as the n values of kinds, whether or not it is the text of a
 * corpus file. v[0..n) is filled; its data are borrowed from in, and strings there end without a
 * NUL. Allocates nothing. Context: any.
 */
void cfz_flat_split(const enum cfz_kind *kinds, size_t n, const uint8_t *in, size_t len,
                    struct cfz_value *v);

/* cfz_flat_read makes vs, which the caller initialised, a copy of the values that in[0..len) is.
 * CFZ_ENOMEM. */
int cfz_flat_read(struct cfz_values *vs, const enum cfz_kind *kinds, size_t n, const uint8_t *in,
                  size_t len, struct cfz_error *err);

/* cfz_flat_write appends the flat form of values. They have to be those of a test:
 * cfz_values_check. CFZ_ENOMEM; then out is as it was. */
int cfz_flat_write(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err);

#endif
