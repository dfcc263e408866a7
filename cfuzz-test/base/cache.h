/*
 * cache.h - where build products and found inputs are kept:
 * ${CFUZZCACHE:-${XDG_CACHE_HOME:-~/.cache}/cfuzz}.
 *
 *     fuzz/<package path>/<Name>/   inputs that found coverage
 *     build/<key>/                  build products
 *
 * Returned strings are the caller's, freed by free. Nothing here creates a directory.
 */
#ifndef CACHE_H
#define CACHE_H

#include "core/error.h"

/* cache_root: CFZ_EUSAGE when no variable says where ("HOME is not set") or CFUZZCACHE is relative.
 */
int cache_root(char **out, struct cfz_error *err);

/*
 * cache_fuzz_dir gives .../fuzz/<package_path>/<test>; test NULL for the
 * package's, both NULL for the directory of all packages.
 */
int cache_fuzz_dir(const char *package_path, const char *test, char **out, struct cfz_error *err);

/* cache_build_dir gives .../build/<key>; key NULL for the directory of all. */
int cache_build_dir(const char *key, char **out, struct cfz_error *err);

#endif
