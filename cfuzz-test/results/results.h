/*
 * results.h - what becomes of tests and seeds, told as it happens, for the forms that programs
 * read.
 *
 *     results_open
 *         results_package_begin
 *             results_run     a test, or a seed of it, begins
 *             results_at      whose lines are printed from here on
 *             results_fuzz_*  how fuzzing it goes
 *             results_end     it is over
 *         results_package_end
 *     results_close
 *
 * One run of the driver has one set of results, as it has one stdout (report.h). Where no form was
 * asked for, every function returns at once. What cannot be done, for want of memory say, is noted,
 * and results_close fails with the first of it. Texts are borrowed for the call, and escaped
 * (core/escape.h). Context: ordinary.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "cli/options.h"
#include "core/buf.h"
#include "results/result.h"
#include "results/result_list.h"
#include "results/sanitizer_table.h"

/*
 * results_open readies the forms that opt asks for; opt stays with the caller until results_close.
 * With -json and -tap lines go from stdout into them (report_divert). CFZ_EIO "write r.xml: ...":
 * a file cannot be written, which is found out before anything runs.
 */
int results_open(const struct options *opt, struct cfz_error *err);

/* results_wanted reports whether there is anybody to whom details of a failure matter. */
bool results_wanted(void);

/*
 * results_build begins one of the builds of -sanitizers, which packages belong to from here on:
 * "asan+ubsan". They are called "pkg [asan+ubsan]" then. left_out says why it is not run, or is
 * NULL.
 */
void results_build(const char *name, const char *left_out);
/* results_table prints what the builds made of each input, if there were any. */
void results_table(void);

/* name is the package's on the command line, dir its directory. */
void results_package_begin(const char *name, const char *dir);
/* results_package_again goes back to one that was begun before, and is not over. */
void results_package_again(const char *name, const char *dir);
void results_run(const char *test);
void results_at(const char *test); /* NULL: the package's */
void results_end(const struct result *r);
/* results_failure tells of a failing input that fuzzing found, before the end of its test. r->test
 * is "FuzzX/<file>". */
void results_failure(const struct result *r);
/* why is said of a package that failed for another reason than its tests, or NULL. A test that is
 * not over by now counts as failed. */
void results_package_end(enum result_kind kind, double seconds, const char *why);

/* ---- fuzzing --------------------------------------------------------------------------- */

void results_fuzz_progress(const char *test, const struct fuzz_status *s);

/* An interesting input: its file in the cache ("-": none), its size in bytes and the bits of
 * coverage that it has and no input before had. */
void results_fuzz_find(const char *test, const char *file, uint64_t size, uint64_t bits,
                       uint64_t total);

/* A crash. settled: its input was confirmed and made smaller, as far as there was time. */
void results_fuzz_crash(const char *test, const struct result_crash *crash, bool settled);

/* results_builds gives what the builds of -sanitizers made of each input, or NULL if there were
 * none. Borrowed as results_list. */
const struct sanitizer_table *results_builds(void);

/* ---- the end ----------------------------------------------------------------------------- */

/* results_list gives what was told so far, if opt->keep_results asks for it to be kept. Borrowed
 * until results_close, and until more is told. */
const struct result_list *results_list(void);

/* results_close writes what the files hold, and releases everything. status is that of the run.
 * CFZ_EIO, CFZ_ENOMEM. */
int results_close(enum exit_status status, struct cfz_error *err);

#endif
