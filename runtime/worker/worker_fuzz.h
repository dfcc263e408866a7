/*
 * worker_fuzz.h - the FUZZ command.
 */
#ifndef CFZ_WORKER_FUZZ_H
#define CFZ_WORKER_FUZZ_H

#include "worker/worker.h"

/* cfz_worker_fuzz_map maps what the loop needs, so that the loop never allocates; w->cur has its
 * values then, and w->room is not NULL any more. CFZ_EIO. Context: ordinary. */
int cfz_worker_fuzz_map(struct cfz_worker *w, struct cfz_error *err);

/*
 * cfz_worker_fuzz executes mutated inputs, as w->cmd says, until the limit, until the driver
 * stops it, or until an input fails: FAIL, and the input is in the slots. If w->resumed is set, it
 * goes on with a command that another process began. *mutated gets the number of mutated
 * inputs of the whole command. Context: ordinary.
 */
enum cfz_verdict cfz_worker_fuzz(struct cfz_worker *w, uint64_t *mutated);

#endif
