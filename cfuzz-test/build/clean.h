/*
 * clean.h - cfuzz-test clean: what the cache holds, removed.
 */
#ifndef CLEAN_H
#define CLEAN_H

#include "core/error.h"
#include "build/package.h"
#include "cli/pattern.h"

struct clean_options {
    bool fuzzcache; /* interesting inputs */
    bool cache;     /* build products */
    bool print;     /* -x, -n: "rm -rf <directory>" on stdout */
    bool dry_run;   /* -n */
    const struct pattern
        *run; /* -run: inputs of these tests only, and packages are given; or NULL */
};

/*
 * clean_run removes what opt names: the inputs of pkgs, or of all packages if pkgs is empty, and
 * build products. It is not an error if they are not there. Symbolic links are removed,
 * never followed. CFZ_EIO; CFZ_EUSAGE as cache_root.
 */
int clean_run(const struct clean_options *opt, const struct packages *pkgs, struct cfz_error *err);

/*
 * clean_tree removes the directory name of dirfd with all below it. path is for
 * errors only. It is a success if the directory is not there.
 */
int clean_tree(int dirfd, const char *name, const char *path, struct cfz_error *err);

#endif
