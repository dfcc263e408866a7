/*
 * coordinator_state.h - what the parts of the coordinator share while one test is fuzzed.
 *
 *     coordinator.c       before and after: setup part, corpus, result
 *     front_own.c         where inputs come from and go to, unless somebody else asked (front.h)
 *     fuzz_loop.c         the loop: limits, and a step for each worker
 *     fuzz_failures.c     inputs that fail, workers that end
 *     fuzz_interesting.c  what workers report: coverage, and interesting inputs
 *     fuzz_sharing.c      inputs of others, and for them
 *     fuzz_lines.c        lines of progress, totals
 *
 * One thread. Only these files, and other fronts, look into the struct, and each calls only those
 * below it.
 */
#ifndef COORDINATOR_STATE_H
#define COORDINATOR_STATE_H

#include "cli/report.h"
#include "crash/triage.h"
#include "process/lineage.h"
#include "process/session.h"
#include "fuzz/front.h"
#include "fuzz/fuzz_load.h"
#include "fuzz/sharing_state.h"
#include "fuzz/totals.h"
#include "fuzz/fuzz_words.h"

/* The place of a worker among the -parallel ones. */
struct seat {
    struct worker *worker; /* NULL: to be forked */
    bool seeded;           /* its generator was given its seed */
    bool counted;          /* what the worker's last command executed is in the budget already */
    uint64_t not_before;   /* when a worker may be forked again, after that had failed; 0: now */
    unsigned starved; /* workers on end that ended for want of memory and had answered nothing */
};

/* Inputs that were executed when somebody ended the host, or a guard. One of them may have done it.
 */
struct suspects {
    struct cfz_values *v;
    size_t n, cap;
    bool of_guard; /* it was a guard */
};

struct coordinator {
    const struct options *opt;
    const struct front *front;
    void *front_ctx;
    struct session *s;
    const struct origin_test *t;
    struct host *host;
    struct seeds seeds;
    struct fuzz_corpus corpus;
    char *cache_dir;

    struct baseline baseline;

    struct budget budget;
    struct seat *seats;
    unsigned nseats;
    uint64_t next_k; /* number of the next generator */

    uint64_t start, deadline; /* nanoseconds; deadline 0: none */
    struct progress progress;
    uint64_t fuzzing_ns;     /* elapsed when the baseline was over */
    uint64_t next_line;      /* when the next line of progress is due */
    uint64_t next_tell;      /* with a status line: when obstacles are to be told of next */
    double live_rate;        /* ... and the rate that it shows */
    uint64_t found_at;       /* when the last interesting input came, or when the run began */
    bool fuzzing;            /* the baseline is over */
    unsigned progress_lines; /* printed while it fuzzes with -v */
    uint32_t asked;          /* how often workers were asked for obstacles */

    bool stopping, idle_after_baseline;
    bool patient; /* stopping: executions that go on may turn out to be hangs */
    bool again;             /* a step made work for a worker that was passed over: no waiting now */
    bool killed;            /* the second Ctrl-C */
    bool slow;              /* workers cut slow executions short: one had many */
    bool told_no_fork;      /* that a worker could not be forked was said */
    uint64_t no_fork_since; /* when none was left and none could be forked first, or 0 */
    unsigned restarts;
    uint64_t restarts_since;
    unsigned guards; /* that somebody ended */

    struct suspects suspects;

    struct triage triage;
    struct totals totals;
    struct mutation_counts mutations;
    struct words words;           /* that helped */
    struct cfz_buf goals;         /* what workers know of goals, to be kept; empty: nothing new */
    uint64_t goals_kept;          /* when that was last done */
    struct fuzz_history *history; /* fuzz_history.h, or NULL */
    struct sharing sharing;
    bool failed; /* the result is FAIL, and blocks holds what stands below it */
    struct cfz_buf blocks;
};

/* coordinator_stop asks all workers to end. What they still report is taken. coordinator_end does,
 * too, for a run that has reached its limit: an execution that goes on then may be a hang, and is
 * waited for until it is one. */
void coordinator_stop(struct coordinator *c);
void coordinator_end(struct coordinator *c);

#endif
