/*
 * trial.h - one chosen input, executed now: does it fail, and how?
 *
 * Looks synchronous, so that what asks (confirming, minimizing) can be written as a
 * plain algorithm. While it waits it has its owner turn the loop (trial_turn_fn), so that
 * the other workers are looked after meanwhile. The owner's turn starts no trial itself.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "crash/crash_signature.h"
#include "process/worker_client.h"

/* One turn of the owner's loop: waits until something happened. Errors end the trial. */
typedef int trial_turn_fn(void *ctx, struct cfz_error *err);

struct trial {
    struct host *host;
    const struct symtab *symtab;
    struct lines *lines;
    trial_turn_fn *turn;
    void *ctx;
    struct worker *worker; /* of the last execution, NULL before the first; read only */
    bool used;             /* worker has executed something before its last input */
    uint64_t execs;        /* so far */
};

enum trial_verdict {
    TRIAL_PASSED,
    TRIAL_FAILED, /* cfuzz_error or its like; the process lives */
    TRIAL_DIED,   /* of the input */
    TRIAL_VOID,   /* not executed to its end, for a reason outside: nothing is known */
};

struct trial_outcome {
    enum trial_verdict verdict;
    struct crash_signature id; /* FAILED, DIED */
    struct ending ending;      /* DIED, VOID */
    uint64_t ns;               /* how long it took; DIED: as seen from here. 0: VOID, or it hung */
};

/*
 * trial_run executes vs; fresh: in a new process, so that nothing else has happened in it. An
 * execution hangs after hang_ns. After it log and output are in t->worker until the next
 * run. CFZ_EIO, CFZ_EINTERNAL: no more can be run.
 */
int trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
              struct trial_outcome *out, struct cfz_error *err);

/* trial_failed: the input did something wrong. */
static inline bool trial_failed(const struct trial_outcome *o)
{
    return o->verdict == TRIAL_FAILED || o->verdict == TRIAL_DIED;
}

/* trial_identify tells which crash w, which answered a failure (e NULL) or died, shows. */
void trial_identify(const struct trial *t, const struct worker *w, const struct ending *e,
                    struct crash_signature *id);

void trial_release(struct trial *t); /* sends the worker away */

#endif
