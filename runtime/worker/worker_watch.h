/*
 * worker_watch.h - whether a process above this one is about to end of a signal: then the input
 * that was executed last may have sent it.
 *
 * The driver asks for it once such a process ended so (CFZ_STOP_WATCH, decisions 087 and 091).
 */
#ifndef CFZ_WORKER_WATCH_H
#define CFZ_WORKER_WATCH_H

#include <sys/types.h>

/* cfz_worker_watch_add notes an origin, host or guard, above processes that are forked later. */
void cfz_worker_watch_add(pid_t pid);

/* cfz_worker_watch does not return if a SIGKILL waits for one of them, or has ended it: this
 * process executes nothing more, and ends with it. Takes some 20 us for each. Context: ordinary. */
void cfz_worker_watch(void);

#endif
