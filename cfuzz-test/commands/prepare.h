/*
 * prepare.h - a package, built for what is to be done with it.
 */
#ifndef PREPARE_H
#define PREPARE_H

#include "build/build.h"
#include "cli/sanitizers.h"
#include "commands/invocation.h"

/* What stands behind the name of a package in the lines about it: the build of -sanitizers. */
struct build_label {
    char text[SANITIZERS_NAME_MAX + 4];
};
struct build_label build_label(const struct options *opt);

/*
 * prepare builds, and copies the binaries where -c and -o want them. *done: nothing is left to do.
 * What fails is printed, and is in *err. bins is for test_binaries_release.
 */
enum exit_status prepare(const struct options *opt, struct package *pkg, struct test_binaries *bins,
                         bool *done, struct cfz_error *err);

/* count_executables counts those of packages that are test executables. */
size_t count_executables(const struct packages *pkgs);

#endif
