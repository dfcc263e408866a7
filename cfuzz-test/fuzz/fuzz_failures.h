/*
 * fuzz_failures.h - what the coordinator does about inputs that fail and workers that end.
 */
#ifndef FUZZ_FAILURES_H
#define FUZZ_FAILURES_H

#include "fuzz/coordinator_state.h"

/* fuzz_baseline_answered counts the entry of the baseline that w ran as done. */
void fuzz_baseline_answered(struct coordinator *c, const struct worker *w);

/* fuzz_input_failed takes the input on which w answered FAIL (e NULL), or of which w died as e
 * says. *taken: w is no longer the caller's. Errors are those of coordinator_run. */
int fuzz_input_failed(struct coordinator *c, struct worker *w, const struct ending *e, bool *taken,
                      struct cfz_error *err);

/* fuzz_is_seed_file reports whether the seed of that name, without the test's, is a file. */
bool fuzz_is_seed_file(const struct coordinator *c, const char *name);

/* fuzz_check_suspect decides about the failing input that waits longest, which is a suspect
 * (triage_check). Errors are those of coordinator_run. */
int fuzz_check_suspect(struct coordinator *c, struct cfz_error *err);

/* fuzz_worker_lost sees to w, which ended as e says, and not of an input. Errors are those of
 * coordinator_run. */
int fuzz_worker_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                     struct cfz_error *err);

/*
 * fuzz_check_host fails when the host has ended. One that somebody ended is started anew, some
 * times in a run; workers have been seen to before. Errors are those of host_check and
 * host_restart.
 */
int fuzz_check_host(struct coordinator *c, struct cfz_error *err);

/* fuzz_ended_host reports whether the entry of the baseline that w ran ended the host: it ran
 * alone, and the host ended under it the time before. */
bool fuzz_ended_host(const struct coordinator *c, const struct worker *w);

/* fuzz_try_suspect executes one of c->suspects alone, which are not empty. If the host ends twice
 * more, it is a failing input. Errors are those of coordinator_run. */
int fuzz_try_suspect(struct coordinator *c, struct cfz_error *err);
void fuzz_drop_suspects(struct coordinator *c);

#endif
