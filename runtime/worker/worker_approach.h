/*
 * worker_approach.h - turns in which random mutation goes on from the inputs that came nearest to a
 * goal (search/nearest.h), each execution with its comparisons recorded.
 *
 * That is value-profile-like search, paid for by a share of the work that follows what it brings; a
 * larger one where nothing else brings anything. Besides the table of the nearest inputs it has some
 * 300 KiB, of this process alone, for inputs of which parts are taken.
 */
#ifndef CFZ_WORKER_APPROACH_H
#define CFZ_WORKER_APPROACH_H

#include "worker/worker.h"

/*
 * cfz_worker_approach may take such a turn. It leaves another input in w->cur, counts what it
 * executes in shm->mutated, and ends when the command's limit is reached. Returns FAIL if the test
 * failed on what is in the slots. Context: ordinary.
 */
enum cfz_verdict cfz_worker_approach(struct cfz_worker *w);

#endif
