/*
 * guard.h - the parent of a worker that goes on after crashes that are known already.
 *
 *     host --fork--> guard --fork--> worker: commands, executions
 *                      ^                |  dies of a known crash (core/known.h): counted,
 *                      +----------------+  and the next one goes on where it was
 *
 * To the driver the two are one process, the guard: it is the one whose pid it knows. Of
 * anything but a known crash the guard dies the same death as its worker did, leaving mark,
 * input and output as they are. What a worker needs to go on lies in memory that the two share.
 */
#ifndef CFZ_GUARD_H
#define CFZ_GUARD_H

#include "server/worker.h"

/*
 * cfz_guard makes this process the guard of w, which is ready but for its first message, and
 * returns in each worker it forks: w->resumed tells that this is not the first. Where
 * nothing can be forked it returns in this process. Context: ordinary.
 */
void cfz_guard(struct cfz_worker *w);

#endif
