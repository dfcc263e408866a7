/*
 * guard.h - the fork server of one worker: it replaces the worker when that dies of a known crash,
 * or executes an input for long.
 *
 *     host --fork--> guard --fork--> worker: commands, executions
 *                      ^                |
 *                      +--- count it ---+  dies of a known crash (core/known.h), or in a slow
 *                                          execution (slow.h): the next worker goes on in the
 *                                          middle of the command
 *
 * To the driver the two are one process: it knows the pid of the guard. If the worker dies of
 * anything else, the guard dies the same death, and leaves mark, input and output as they are. What
 * the next worker needs to go on lies in memory that the two share.
 */
#ifndef CFZ_GUARD_H
#define CFZ_GUARD_H

#include "worker/worker.h"

/*
 * cfz_guard_map makes what the guards of a host's workers know of slow executions; called by the
 * host before it forks any. cfz_guard_renew makes it anew (cfz_shared_renew). On failure CFZ_EIO.
 * Context: ordinary.
 */
int cfz_guard_map(struct cfz_error *err);
int cfz_guard_renew(struct cfz_error *err);

/*
 * cfz_guard makes this process the guard of w, and returns in each worker that it forks. w is
 * ready for its first message. w->resumed says that the worker replaces another. slow_ns is -slow,
 * and 0 if no execution is cut short. If the first fork fails, cfz_guard returns in this process,
 * which is a worker without guard then. Context: ordinary.
 */
void cfz_guard(struct cfz_worker *w, uint64_t slow_ns);

#endif
