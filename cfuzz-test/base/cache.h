/*
 * cache.h - where build products and interesting inputs are kept:
 * ${CFUZZCACHE:-${XDG_CACHE_HOME:-~/.cache}/cfuzz}.
 *
 *     fuzz/<package path>/<Name>/   interesting inputs
 *     build/<key>/                  build products
 *
 * Returned strings are the caller's, freed by free. Nothing here creates a directory.
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

/* cache_build_dir gives .../build/<key>, with key NULL the directory of all builds. */
int cache_build_dir(const char *key, char **out, struct cfz_error *err);

#endif
