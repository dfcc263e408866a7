/*
 * several.h - a package with several test binaries, one for each harness (build/build_plan.h): what
 * is done with which, and the one result. Context: ordinary.
 */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "core/buf.h"
#include "test/run.h"

/*
 * The binaries of a package are treated as if they were one: several_run runs the seeds of those
 * that -run selects from, several_list lists the tests of all, several_fuzz runs the seeds of all
 * and then fuzzes the one test that -fuzz selects. Each is that of run.h or test/list.h where there
 * is one binary. Results and errors are those of testrun_package, list_package and fuzz_package.
 */
int several_run(const struct options *opt, const struct test_binaries *bins, struct run_result *res,
                struct cfz_error *err);
int several_list(const struct options *opt, const struct test_binaries *bins,
                 struct run_result *res, struct cfz_error *err);
int several_fuzz(const struct options *opt, const struct test_binaries *bins,
                 struct run_result *res, struct cfz_error *err);

/* several_find stores which binary has the test that input names, "FuzzX" or "FuzzX/1f0c"; the
 * first if none has, which then says so. Errors are those of session_open. */
int several_find(const struct options *opt, const struct test_binaries *bins, const char *input,
                 size_t *index, struct cfz_error *err);

/* several_debug and several_show take the binary that has the test of the input: see
 * debugger_package and reproducer_package. */
int several_debug(const struct options *opt, const struct test_binaries *bins,
                  struct cfz_error *err);
int several_show(const struct options *opt, const struct test_binaries *bins, const char *input,
                 const char *file, struct cfz_buf *out, struct cfz_error *err);

#endif
