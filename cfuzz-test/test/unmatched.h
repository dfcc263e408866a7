/*
 * unmatched.h - what is said of names that match nothing: patterns, and corpus directories.
 *
 * Context: ordinary.
 */
#ifndef UNMATCHED_H
#define UNMATCHED_H

#include "cli/suggest.h"
#include "test/testrun_state.h"

/* unmatched_fuzz fails if -fuzz matches no test of the package, whatever -skip says. CFZ_EUSAGE:
 * "-fuzz=FuzzPrase: no fuzz test of parse matches; did you mean FuzzParse?" */
int unmatched_fuzz(const struct options *opt, const struct origin *o, struct cfz_error *err);

/* unmatched_tests warns that -run selected no test, and names one that may have been meant. */
void unmatched_tests(const struct options *opt, const struct origin *o);

/* unmatched_seeds warns that -run selected tests but none of their seeds. meant is the name of a
 * seed that may have been meant, or NULL. */
void unmatched_seeds(const char *meant);

/* unmatched_seed offers the names of t's seeds as what -run may have meant, and returns the full
 * name of the nearest of them, or NULL. */
const char *unmatched_seed(const struct test *t);

/*
 * unmatched_corpus warns of each directory below testdata/corpus/ that belongs to no test of the
 * package: that of a test which was renamed, say. Directories of a test executable may belong to
 * another one.
 */
void unmatched_corpus(const struct origin *o);

#endif
