/*
 * engine_copy.h - the executables that are left for another engine, one for each test.
 */
#ifndef ENGINE_COPY_H
#define ENGINE_COPY_H

#include "build/build.h"

/*
 * engine_copy leaves in the directory dir, which it makes, an executable for each test of bin that
 * opt->fuzz_pattern selects (NULL: all), and prints their paths. They are one file under several
 * names where that can be. Each appears whole or not at all. CFZ_EIO; CFZ_EFORMAT if bin has no
 * such test.
 */
int engine_copy(const struct options *opt, const struct test_binary *bin, const char *dir,
                struct cfz_error *err);

#endif
