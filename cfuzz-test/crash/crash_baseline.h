/*
 * crash_baseline.h - the crash baseline (-baseline): a file in the repository that lists crashes
 * which are known, so that a run fails only on others.
 *
 *     cfuzz baseline v1
 *     # A comment. Fields are separated by tabs.
 *     src/url	FuzzURL	-	8f14e45fceea167a	Segmentation fault at url.c:41
 *     src/url	FuzzURL	asan,ubsan	4a79e6dc3b1f0815	AddressSanitizer:
 * heap-buffer-overflow at url.c:7
 *
 * The fields: the package's directory, relative to that of the file; the test; the sanitizers of
 * the build that showed it; the identity of the crash (crash_identity.h); and, for people, what and
 * where it was. -writebaseline writes it: what fails in the tests that run takes the place of what
 * was listed of them with the same sanitizers. Context: ordinary.
 */
#ifndef CRASH_BASELINE_H
#define CRASH_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

struct crash_baseline;

/*
 * crash_baseline_read reads the file at path, which stays with the caller. writing: it is to be
 * written, and need not be there. sanitizers are those of the run, as in options.h. *out is freed
 * by crash_baseline_free. CFZ_EIO "open known.txt: ..."; CFZ_EFORMAT "known.txt: line 3: ...", also
 * of a package whose directory is gone.
 */
int crash_baseline_read(const char *path, bool writing, unsigned sanitizers,
                        struct crash_baseline **out, struct cfz_error *err);
void crash_baseline_free(struct crash_baseline *b); /* accepts NULL */

/* crash_baseline_path is the file, as it was given. */
const char *crash_baseline_path(const struct crash_baseline *b);

/* crash_baseline_check fails with CFZ_EUSAGE where a crash of a test is listed that the package in
 * dir, which has these n tests, does not have. While writing it is forgotten instead. */
int crash_baseline_check(struct crash_baseline *b, const char *dir, const char *const *tests,
                         size_t n, struct cfz_error *err);

/* crash_baseline_ran notes that all inputs of a test run. */
void crash_baseline_ran(struct crash_baseline *b, const char *dir, const char *test);

/*
 * crash_baseline_knows tells whether a crash is listed; while writing it is listed from here on.
 * where is for people. *known is set unless it fails. CFZ_ENOMEM; CFZ_EUSAGE where a package cannot
 * be named.
 */
int crash_baseline_knows(struct crash_baseline *b, const char *dir, const char *test,
                         const char *identity, const char *where, bool *known,
                         struct cfz_error *err);

/* What became of it. */
struct crash_baseline_counts {
    size_t listed; /* crashes in the file; while writing, as it is written */
    size_t met;    /* of them, by this run */
    size_t added;  /* only while writing: that were not there before ... */
    size_t gone; /* ... and that were, and are not any more. Otherwise: of tests that ran all their
                  * inputs, those that were not met */
};

/* crash_baseline_end writes the file, if that is to be done, and counts. CFZ_EIO. */
int crash_baseline_end(struct crash_baseline *b, struct crash_baseline_counts *counts,
                       struct cfz_error *err);

#endif
