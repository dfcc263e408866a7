/*
 * trial.h - one chosen input, executed now: does it fail, and how?
 *
 * A trial looks synchronous, so that confirming and minimizing can be written as plain algorithms.
 * While it waits it has its owner turn the loop (trial_turn_fn), so that the other workers are
 * looked after meanwhile. The owner's turn does not start a trial itself, but it may take patience
 * away. Context: ordinary.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "crash/crash_signature.h"
#include "process/worker_client.h"

/* One turn of the owner's loop: waits until something happened. Errors end the trial. */
typedef int trial_turn_fn(void *ctx, struct cfz_error *err);

/* What there still is time for. It only ever becomes less, also while a trial runs. */
enum patience {
    PATIENCE_FULL,    /* confirming and minimizing */
    PATIENCE_CONFIRM, /* -fuzztime is over: what failed is confirmed, and nothing is minimized */
    PATIENCE_NONE,    /* Ctrl-C: what failed is told as it was found */
};

/* The owner sets what it knows and leaves the rest zero. */
struct trial {
    struct host *host;
    const struct symtab *symtab; /* of the test binary, for signatures */
    struct lines *lines;
    trial_turn_fn *turn;
    void *ctx;
    enum patience patience;
    bool traced; /* the next trials go through traced copies */
    bool blames; /* the next trials run alone; if the host ends under one, its input did that */

    /* Read only: */
    struct worker *worker; /* of the last execution, NULL before the first */
    bool used;             /* worker has executed something before its last input */
    bool minimizing;       /* the trials are those of crash_minimize */
    bool running;          /* one trial at a time: see decision 040 */
    uint64_t execs;        /* so far */
};

enum trial_verdict {
    TRIAL_PASSED,
    TRIAL_FAILED, /* cfuzz_error or its like; the process lives */
    TRIAL_DIED,   /* of the input */
    TRIAL_VOID,   /* not executed to its end, for a reason outside of it: nothing is known */
};

struct trial_outcome {
    enum trial_verdict verdict;
    struct crash_signature signature; /* FAILED, DIED */
    struct ending ending;             /* DIED, VOID */
    uint64_t ns; /* how long it took; DIED: as seen from here. 0: VOID, or it hung */
};

/*
 * trial_run executes vs. With fresh it does so in a new process, in which nothing else has
 * happened. An execution hangs after hang_ns. Afterwards log and output are in t->worker until the
 * next run. CFZ_EIO, CFZ_EINTERNAL: no more can be run.
 */
int trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
              struct trial_outcome *out, struct cfz_error *err);

/*
 * trial_run_several executes the n inputs in inputs[0..len), the text of a TRIES message
 * (core/protocol.h), one after the other in one process, until one does not pass. *passed is how
 * many did, from the first on, and *out the outcome of the next one. That is TRIAL_VOID if nothing
 * is known of it: it was not executed, or trial_run would execute it again. out->ns of TRIAL_VOID
 * is the longest time of those that passed, or 0. For the rest see trial_run.
 */
int trial_run_several(struct trial *t, const void *inputs, size_t len, size_t n, int64_t hang_ns,
                      size_t *passed, struct trial_outcome *out, struct cfz_error *err);

/* trial_failed: the input did something wrong. */
static inline bool trial_failed(const struct trial_outcome *o)
{
    return o->verdict == TRIAL_FAILED || o->verdict == TRIAL_DIED;
}

/* trial_identify makes the signature of what w shows, which answered FAIL (e NULL) or died as e
 * says. */
void trial_identify(const struct trial *t, const struct worker *w, const struct ending *e,
                    struct crash_signature *sig);

void trial_release(struct trial *t); /* sends the worker away */

#endif
