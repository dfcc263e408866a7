/*
 * profiles.h - coverage of source text: where the profiles of a run go, and what they say of a
 * package.
 *
 *     cover_open                 before any test binary starts
 *         cover_package          for each package, when its tests are over
 *     cover_close
 *
 * Processes of a test binary that clang built for it (-fprofile-instr-generate, with counters that
 * can be elsewhere than the program has them) count in a file that all of them map, from the first
 * instruction of the origin on: what a process counted stays, whatever it dies of. The runtime of
 * clang does that ("continuous mode"), when LLVM_PROFILE_FILE asks for it. Decision 080.
 * Context: ordinary.
 */
#ifndef PROFILES_H
#define PROFILES_H

#include "build/build.h"
#include "cover/lcov.h"

/*
 * cover_open makes a directory for profiles, which opt->profile_dir names from then on; cover_close
 * removes it with all that is in it, and does nothing where there is none. CFZ_EIO.
 */
int cover_open(struct options *opt, struct cfz_error *err);
void cover_close(struct options *opt);

/*
 * cover_package adds to out what the inputs of pkg reached that ran since cover_open, or since this
 * function was called last, and removes the profiles. Only files of the package count: its sources,
 * those that //cfuzz:sources names too, and all below its directory. Their paths are real and
 * absolute.
 *
 * CFZ_EUSAGE "x.test: no profile: ..." where a test executable has no such counters; CFZ_EFORMAT
 * "x.test: the profile is of another build", or what a tool said; CFZ_EIO.
 */
int cover_package(const struct options *opt, const struct package *pkg,
                  const struct test_binaries *bins, struct lcov *out, struct cfz_error *err);

/* cover_raw adds to out the paths of the raw profiles of bin that there are, in no order. CFZ_EIO.
 */
int cover_raw(const struct options *opt, const struct test_binary *bin, struct strlist *out,
              struct cfz_error *err);

/* cover_counts reports whether the file at path, which is real and absolute, is one of the
 * package's. */
bool cover_counts(const struct package *pkg, const char *path);

#endif
