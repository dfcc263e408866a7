/*
 * covered_by.h - -covered-by: which inputs reach a line.
 *
 *     covered_by_begin     before the tests run
 *         (options.watch)  what each input adds to the profile is noted
 *     covered_by_end       the profiles before and after inputs are compared
 *
 * Counters only grow. So it is asked how often the line had run at the beginning and at the end of
 * a row of inputs, and where that differs, of each half. Context: ordinary.
 */
#ifndef COVERED_BY_H
#define COVERED_BY_H

#include "build/build.h"
#include "cover/lcov.h"
#include "test/run.h"

struct covered_by;

/* covered_by_check refuses what is not "<file>:<line>". CFZ_EUSAGE "-covered-by=parse.c: not a file
 * and a line: ...". */
int covered_by_check(const char *what, struct cfz_error *err);

/* covered_by_concerns reports whether the file of opt->covered_by, which has been checked, is one
 * of pkg, whose sources are known. */
bool covered_by_concerns(const struct options *opt, const struct package *pkg);

/*
 * covered_by_begin takes opt->covered_by, which has been checked, the file relative to the current
 * directory or else to that of pkg. *watch is for options.watch. CFZ_EUSAGE "-covered-by: x.c: No
 * such file or directory", "-covered-by: x.c: not a file of the package"; CFZ_ENOMEM. *out is
 * released by covered_by_free, also after failure.
 */
int covered_by_begin(const struct options *opt, const struct package *pkg, struct covered_by **out,
                     struct input_watch *watch, struct cfz_error *err);

/*
 * covered_by_end adds the full names of the inputs that reach the line to names, in the order in
 * which they ran. all is the coverage of all inputs. CFZ_EUSAGE "-covered-by: x.c:3: no
 * code on this line; the next one with code is 5", and *no_code is true then; errors of llvm_merge
 * and llvm_export.
 */
int covered_by_end(struct covered_by *q, const struct lcov *all, struct strlist *names,
                   bool *no_code, struct cfz_error *err);
void covered_by_free(struct covered_by *q);

#endif
