/*
 * worker_drift.h - whether the program still does what it did with the same input.
 *
 * All executions of a worker happen in one process, and an input may leave something behind that
 * ends the search without a word: a limit that is set for good, a library that was shut down. All
 * inputs after it do little, and fast. So an entry that covered much is executed again now and then.
 * If it covers less than half of what it did, the process is to be replaced. docs/decisions/123.
 */
#ifndef CFZ_WORKER_DRIFT_H
#define CFZ_WORKER_DRIFT_H

#include "worker/worker.h"

/* cfz_worker_drift_map makes what the workers of a host share; cfz_worker_drift_renew makes it anew
 * for those that are forked from now on. CFZ_EIO. Context: ordinary. */
int cfz_worker_drift_map(struct cfz_error *err);
int cfz_worker_drift_renew(struct cfz_error *err);

/*
 * cfz_worker_drift_look is called between turns. entry is the next one to be mutated; now and then
 * it becomes the one to compare with if it covers more, unless it is dear. Sets w->drift.found.
 * What is executed counts as checking; it is in cur and the slots afterwards, and the test may fail
 * on it: returns FAIL. Context: ordinary.
 */
enum cfz_verdict cfz_worker_drift_look(struct cfz_worker *w, uint64_t entry, bool dear);

#endif
