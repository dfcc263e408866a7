/*
 * cached.h - where the interesting inputs of a test are kept that fuzzing found: the directory of
 * -corpus, or the package's in the cache. Context: ordinary.
 */
#ifndef CACHED_H
#define CACHED_H

#include "build/package.h"
#include "cli/options.h"

/*
 * cached_dir gives the directory, which need not be there, and the caller frees. If the package was
 * moved, its inputs in the cache are brought to it first, which is printed. CFZ_EUSAGE as
 * cache_check.
 */
int cached_dir(const struct options *opt, const struct package *pkg, const char *test, char **out,
               struct cfz_error *err);

#endif
