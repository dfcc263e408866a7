/*
 * cache.h - where build products and interesting inputs are kept:
 * ${CFUZZCACHE:-${XDG_CACHE_HOME:-~/.cache}/cfuzz}.
 *
 *     fuzz/<package path>/<Name>/   interesting inputs
 *     history/<package path>/       how fuzzing went (history/history.h), and what each sanitizer
 *                                   said (results/kept_builds.h)
 *     build/<key>/                  build products
 *     places/                       where packages were when they were fuzzed (places.h)
 *
 * Returned strings are the caller's, freed by free.
 *
 * What lies in the cache is run and believed, so its directories must be the user's or root's, and
 * nobody else may be able to write them (docs/decisions/049-cache-trust.md).
 */
#ifndef CACHE_H
#define CACHE_H

#include "core/error.h"

/* cache_root: CFZ_EUSAGE if none of the three variables says where, or CFUZZCACHE is relative. */
int cache_root(char **out, struct cfz_error *err);

/*
 * cache_fuzz_dir gives .../fuzz/<package_path>/<test>. With test NULL it gives the package's
 * directory, with both NULL that of all packages.
 */
int cache_fuzz_dir(const char *package_path, const char *test, char **out, struct cfz_error *err);

/* cache_history_dir gives .../history/<package_path>, with NULL that of all packages. */
int cache_history_dir(const char *package_path, char **out, struct cfz_error *err);

/* cache_build_dir gives .../build/<key>, with key NULL the directory of all builds. */
int cache_build_dir(const char *key, char **out, struct cfz_error *err);

/*
 * cache_check looks at the directories from the root of the cache to path, one of the above, as far
 * as they exist. CFZ_EUSAGE, naming the directory and the reason, where one is not to be used: it
 * belongs to another user, others may write it, or it is a symbolic link (the root itself may be
 * one).
 */
int cache_check(const char *path, struct cfz_error *err);

/* Beside the inputs of a test: what is known of goals (process/kept_goals.h). It is no input. */
#define CACHE_GOALS ".goals"

/* cache_make_dir makes path and what is missing above it, which group and others cannot write
 * whatever the umask is, and then is cache_check. CFZ_EIO, CFZ_EUSAGE. */
int cache_make_dir(const char *path, struct cfz_error *err);

#endif
