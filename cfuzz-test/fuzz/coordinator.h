/*
 * coordinator.h - fuzzing one test: corpus, coverage mask, limits, workers.
 */
#ifndef COORDINATOR_H
#define COORDINATOR_H

#include "fuzz/front.h"
#include "process/session.h"

struct fuzz_outcome {
    bool failed;      /* what failed has been printed */
    bool unfit;       /* the setup part failed, or skipped the test */
    bool interrupted; /* a signal ended it */
};

/*
 * coordinator_run fuzzes test t until a limit, a failing input or Ctrl-C. It prints progress, and
 * at the end what failed. CFZ_EIO (exit 2): the cache cannot be written, or somebody ended the run.
 * CFZ_EINTERNAL (exit 3).
 */
int coordinator_run(const struct options *opt, struct session *s, const struct origin_test *t,
                    struct fuzz_outcome *out, struct cfz_error *err);

/* coordinator_run_for does the same for another front, whose state ctx is. */
int coordinator_run_for(const struct front *front, void *ctx, const struct options *opt,
                        struct session *s, const struct origin_test *t, struct fuzz_outcome *out,
                        struct cfz_error *err);

#endif
