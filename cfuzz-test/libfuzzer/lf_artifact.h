/*
 * lf_artifact.h - files of failing inputs, which libFuzzer calls artifacts. Context: ordinary.
 */
#ifndef LF_ARTIFACT_H
#define LF_ARTIFACT_H

#include "core/buf.h"
#include "libfuzzer/lf_flags.h"

/*
 * lf_artifact_write writes bytes to -exact_artifact_path, or to <artifact_prefix><kind>-<sha1>, the
 * SHA-1 being that of original, which may be bytes itself, and
 * appends the lines that libFuzzer prints then:
 *     artifact_prefix='./'; Test unit written to ./crash-aea2e3923af219a8956f626558ef32f30a914ebc
 *     Base64: RlVaWg==
 * An input of up to 256 bytes is shown before them in hex and as text. Where the file cannot be
 * written, a line says why, and Base64 is printed whatever the length is. CFZ_ENOMEM.
 */
int lf_artifact_write(const struct lf_flags *f, const char *kind, const struct cfz_buf *original,
                      const struct cfz_buf *bytes, struct cfz_buf *out, struct cfz_error *err);

#define LF_SLOW_UNIT "slow-unit" /* a kind, of which no bytes are shown */

/* lf_base64 appends bytes in Base64. Exposed for tests. CFZ_ENOMEM. */
int lf_base64(const uint8_t *bytes, size_t len, struct cfz_buf *out, struct cfz_error *err);

#endif
