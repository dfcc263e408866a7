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

/*
 * covered_by_begin takes "<file>:<line>" of opt->covered_by, the file relative to the current
 * directory or else to that of pkg. *watch is for options.watch. CFZ_EUSAGE "-covered-by=parse.c:
 * not a file and a line: ...", "-covered-by: x.c: No such file or directory", "-covered-by: x.c:
 * not a file of the package"; CFZ_ENOMEM. *out is released by covered_by_free, also after failure.
 */
int covered_by_begin(const struct options *opt, const struct package *pkg, struct covered_by **out,
                     struct input_watch *watch, struct cfz_error *err);

/*
 * covered_by_end adds the full names of the inputs that reach the line to names, in the order in
 * which they ran. all is the coverage of all inputs. CFZ_EUSAGE "-covered-by: x.c:3: no
 * code on this line; the next one with code is 5"; errors of llvm_merge and llvm_export.
 */
int covered_by_end(struct covered_by *q, const struct lcov *all, struct strlist *names,
                   struct cfz_error *err);
void covered_by_free(struct covered_by *q);

#endif
