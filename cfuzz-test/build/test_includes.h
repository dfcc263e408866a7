/*
 * test_includes.h - fuzz tests that a source has through a header which lies elsewhere. Context:
 * ordinary.
 */
#ifndef TEST_INCLUDES_H
#define TEST_INCLUDES_H

#include "base/strlist.h"

/*
 * test_includes_find reports whether the source at the absolute path, whose text is given, includes
 * a header that spells FUZZ_TEST, or uses a macro that such a header defines with it:
 *
 *     #define FUZZ_BYTES(name) FUZZ_TEST(name, []byte)(cfuzz_t *t, const uint8_t *p, size_t n)
 *
 * Headers are looked for as the preprocessor would, without its conditions: beside the file that
 * includes them, in the -I directories of flags, which are relative to dir, and where projects have
 * theirs, in the directories above up to the project's root. cfuzz.h itself does not count, nor
 * what cannot be read, nor is found in this way. Without memory it says no.
 */
bool test_includes_find(const char *path, const char *text, size_t len, const char *dir,
                        const struct strlist *flags);

#endif
