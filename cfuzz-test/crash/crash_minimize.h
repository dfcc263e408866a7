/*
 * crash_minimize.h - a failing input made small while it shows the same crash.
 *
 * The algorithm is core/minimizer/minimizer.c's. Here is what a try is: an execution in a worker,
 * which may die of it and is then forked anew. A candidate is accepted if it fails with the same
 * kind and place. Context: ordinary.
 */
#ifndef CRASH_MINIMIZE_H
#define CRASH_MINIMIZE_H

#include "cli/options.h"
#include "crash/trial.h"

struct crash_minimizing {
    const struct trial_outcome *shown; /* of the input as it is: the crash to keep, its time */
    struct fuzz_limit limit;           /* LIMIT_NONE: nothing is tried */
    int64_t hang_ns;                   /* -hangtimeout */
    uint64_t tries, accepted;          /* counts */
};

/*
 * crash_minimize shrinks vs in place. At the end of the limit, without patience and after an error
 * vs is the best so far. A try that does not end within 0.4 s, or several times what the input
 * itself or another try needed, is taken for a hang: the caller confirms the result with the full
 * limit. Errors are those of trial_run.
 */
int crash_minimize(struct trial *t, struct crash_minimizing *m, struct cfz_values *vs,
                   struct cfz_error *err);

/*
 * crash_minimize_limit returns what one crash may take of a run that goes on and has taken ns so
 * far, of which crashes took settled: -fuzzminimizetime, or unless it is given a tenth of that
 * time, at least 5 s: a hang would take most of a short run else. Where crashes took more than a
 * fifth of the time it is 1 s: a program with a dozen would be made smaller all the time, and not
 * fuzzed. Context: any.
 */
struct fuzz_limit crash_minimize_limit(const struct options *opt, uint64_t ns, uint64_t settled);

#endif
