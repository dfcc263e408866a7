/*
 * clean.h - cfuzz-test clean: what the cache holds, removed.
 */
#ifndef CLEAN_H
#define CLEAN_H

#include "core/error.h"
#include "build/package.h"
#include "cli/pattern.h"

struct clean_options {
    bool fuzzcache;            /* inputs that found coverage */
    bool cache;                /* build products */
    bool print;                /* -x, -n: "rm -rf <directory>" on stdout */
    bool dry_run;              /* -n */
    const struct pattern *run; /* -run: of these tests only; NULL: all. Needs packages. */
};

/*
 * clean_run removes the inputs of pkgs, or of all packages when there are none, and
 * build products. What is not there is no error. Symbolic links are removed,
 * never followed. CFZ_EIO; CFZ_EUSAGE as cache_root.
 */
int clean_run(const struct clean_options *opt, const struct packages *pkgs, struct cfz_error *err);

/*
 * clean_tree removes the directory name of dirfd with all below it. path is for
 * errors only. Not being there is success.
 */
int clean_tree(int dirfd, const char *name, const char *path, struct cfz_error *err);

#endif
