/*
 * engine_copy.h - the executables that are left for another engine, one for each test.
 */
#ifndef ENGINE_COPY_H
#define ENGINE_COPY_H

#include "build/build.h"

/* Tests of executables, in the order of their sources. */
struct engine_tests {
    struct strlist names; /* "FuzzX" */
    struct strlist
        types; /* "[]byte,int"; "" for a harness, which has its own LLVMFuzzerTestOneInput */
};

/*
 * engine_copy leaves in the directory dir, which it makes, an executable for each test of bin that
 * opt->fuzz_pattern selects (NULL: all), and adds their names and types to *tests. They are one
 * file under several names where that can be. Each appears whole or not at all. CFZ_EIO;
 * CFZ_EFORMAT if bin has no such test.
 */
int engine_copy(const struct options *opt, const struct test_binary *bin, const char *dir,
                struct engine_tests *tests, struct cfz_error *err);
/* engine_list adds the tests of bin to *tests. Errors as above. */
int engine_list(const struct test_binary *bin, struct engine_tests *tests, struct cfz_error *err);
void engine_tests_release(struct engine_tests *tests);

#endif
