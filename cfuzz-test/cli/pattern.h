/*
 * pattern.h - the patterns of -run, -fuzz, -skip and -list.
 *
 * As in Go: split at '/' into elements and at '|' into alternatives, except
 * inside brackets; each element is an unanchored regular expression that is
 * matched against the element of the name at the same place. Context: ordinary.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdbool.h>

#include "core/error.h"

struct pattern;

/*
 * pattern_new compiles text. flag is the flag's name without '-', for the error:
 * CFZ_EFORMAT `invalid regexp for element 0 of -run ("("): missing closing parenthesis`,
 * or CFZ_ENOMEM. *out is freed by pattern_free.
 */
int pattern_new(const char *flag, const char *text, struct pattern **out, struct cfz_error *err);
void pattern_free(struct pattern *p);

/*
 * pattern_match reports whether p selects name, "FuzzX" or "FuzzX/<seed>"; a NULL
 * p selects everything. *partial (may be NULL) is set when the pattern has more
 * elements than the name: a test has then to be run for those of its seeds that match, and
 * -skip must not skip it as a whole. A name longer than the pattern matches if its
 * prefix does.
 */
bool pattern_match(const struct pattern *p, const char *name, bool *partial);

/* pattern_skips reports whether p, of -skip, leaves out name and all below it. A NULL p leaves out
 * nothing. */
bool pattern_skips(const struct pattern *p, const char *name);

/* pattern_match_top looks at the first element only, as -fuzz does. */
bool pattern_match_top(const struct pattern *p, const char *name);

#endif
