/*
 * totals.h - what a fuzzing run did in all, and the lines at its end that say so.
 *
 * Workers count in their own memory; a worker's counts are added when it ends, dead or
 * alive. Context: ordinary.
 */
#ifndef TOTALS_H
#define TOTALS_H

#include "core/buf.h"
#include "core/coverage.h"
#include "core/shmem.h"

struct totals {
    uint64_t mutated;    /* executions of mutated inputs: what -fuzztime=Nx counts */
    uint64_t baseline;   /* of entries as they are */
    uint64_t confirming; /* of interesting inputs once more */
    uint64_t tracing;    /* of inputs of the corpus, to see what they compare */
    uint64_t checking;   /* of inputs of the corpus, to see whether state stays */
    uint64_t minimizing; /* of candidates while interesting inputs are made smaller */
    uint64_t settling;   /* of failing inputs, to confirm them and make them smaller */
    uint64_t cut;        /* of mutated ones mostly: cut short (runtime/target/slow.h) */
    uint64_t skipped;    /* of mutated and baseline: ended in cfuzz_skip */

    uint64_t corpus, found;          /* inputs: all at the end, and of these found by this run */
    uint64_t unstable;               /* of these, those of which a part of the coverage repeated */
    uint64_t forgotten;              /* inputs of whose new coverage nothing repeated */
    uint64_t bloated;                /* processes replaced for the memory they held */
    uint64_t drifted;                /* ... and for doing less than before with the same input */
    uint64_t of_trace;               /* inputs that failed only while they were traced */
    uint64_t erratic_sites;          /* comparisons that differ from one execution to the next */
    uint64_t erratic_inputs;         /* inputs of which tracing shows other coverage */
    uint64_t crashes, distinct;      /* failing inputs met, and kinds of failure among them */
    uint64_t of_seeds;               /* of these kinds, those that a seed showed before */
    uint64_t guarded[CFZ_KNOWN_MAX]; /* of all failing inputs, those of each crash of the guards'
                                      * table (core/known.h) */

    bool counters;                   /* the build has coverage counters */
    uint64_t covered, ncounters;     /* counters that some input reached, of all */
    uint64_t covered_before_fuzzing; /* ... after the baseline */
};

/* totals_add_worker adds what shm, of a worker that ends or waits, counted. shm is NULL for a
 * worker that never came to be. Counts that the target wrote over are left out. */
void totals_add_worker(struct totals *t, const struct cfz_proc_shm *shm);

/*
 * totals_merge adds bits to the mask of run, as cfz_cov_merge does, and counts what is set in it:
 * most of a mask is never touched, and looking through it for each line would take longer than a
 * short run.
 */
void totals_merge(struct cfz_run_shm *run, const struct cfz_cov_bits *bits, size_t n);

/* totals_counters tells how many counters there are. at_start were there when the run began. Of
 * libraries that the test loaded since, counters are known as far as the last one that was reached.
 */
uint64_t totals_counters(const struct cfz_run_shm *run, uint64_t at_start);

/*
 * totals_report appends the summary, of these lines. What was not done has no line:
 *
 *     fuzz: executions: 1000 mutated, 3 baseline, 12 to confirm ..., 240 to minimize them
 *     fuzz: cut short: 12 slow executions, as these took much of the time; -slow=0 ...
 *     fuzz: skipped by the test: 120 of 1003 (12%)
 *     warning: the test skipped 99% of its inputs, ...
 *     fuzz: coverage: 31 of 118 counters (26%), 12 more than the baseline
 *     fuzz: corpus: 12 inputs, 9 new; 1 with unstable coverage, ...; forgot 2 whose ...
 *     fuzz: search: left alone 3 comparisons that differ from one execution of an input to the next
 *     fuzz: search: 2 inputs failed only when traced, which takes more stack and time: not saved
 *     warning: no input reached more than 1 counter: ...
 *     fuzz: failing inputs: 9, of 3 kinds, 1 known before
 *
 * The word "execs:" is not in it: only the progress line has it. CFZ_ENOMEM.
 */
int totals_report(struct cfz_buf *out, const struct totals *t, struct cfz_error *err);

#endif
