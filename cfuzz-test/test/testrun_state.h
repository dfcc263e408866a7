/*
 * testrun_state.h - what running and reporting share while tests are run.
 *
 *     testrun.c         runs: the setup part, seeds in workers, cleanups
 *     testrun_report.c  prints: seeds in their order, the tree of results
 */
#ifndef TESTRUN_STATE_H
#define TESTRUN_STATE_H

#include "core/rand.h"
#include "crash/crash_result.h"
#include "crash/trial.h"
#include "process/seeds.h"
#include "process/session.h"
#include "process/worker_client.h"
#include "test/run.h"

/* A run of tests, and what came of it. */
struct testrun {
    bool ran;     /* -run selected something */
    bool matched; /* ... of which it is not known that it has no such seed */
    char *meant;  /* the seed that -run may have meant where nothing matched, or NULL */
    bool failed;
    bool interrupted; /* Ctrl-C: the rest was not run */
    /* EXIT_FAILED when failed; EXIT_USAGE or EXIT_INTERNAL when some seed or test could not be run
     * for a reason that lies outside of it. What it was has been printed. */
    enum exit_status status;
    struct cfz_rand order; /* of -shuffle */

    /* For which crash it is, where somebody wants to know (results_wanted). */
    bool identifies; /* these are ready: */
    struct symtab symtab;
    struct lines lines;
    struct trial trial;
};

enum outcome { PASSED, SKIPPED, FAILED };

/* A seed that was selected, on its way. */
struct job {
    const struct seed *seed;
    const struct seed *same; /* one before it with equal values, or NULL */
    enum { WAITING, STARTED, DONE } state;
    enum outcome outcome;
    uint64_t started, ns;
    unsigned stale; /* processes that another's doing ended (worker_stale) */
    bool orphaned;  /* its host ended while it ran */
    bool announced;
    struct cfz_buf text;               /* the lines below its header */
    struct cfz_buf said;               /* what the target printed */
    struct cfz_buf shown;              /* the values, where they are shown behind that */
    struct crash_signature *signature; /* of one that failed, or NULL */
    bool known;                        /* ... which the crash baseline lists */
    struct cfz_buf block;              /* all that is to be said of it, for results */
    size_t tree_end; /* where its lines end in the tree of its test, once it is reported */
    struct worker *worker;
};

/* The test that is running. */
struct test {
    struct testrun *r;
    const struct options *opt;
    struct session *s;
    const struct origin_test *t;
    struct host *host;
    struct seeds seeds;
    struct job *jobs;
    size_t njobs, next, reported, running;
    bool failed, stop;
    bool missed;          /* -run asks for seeds that this test does not have */
    bool timed_out;       /* has been reported; the tests behind this one are not run */
    int64_t deadline_ns;  /* 0: none */
    struct cfz_buf lines; /* what stands below the header of the test */
    struct cfz_buf tree;  /* ... and behind it, the results of seeds */
};

#endif
