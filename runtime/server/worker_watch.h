/*
 * worker_watch.h - whether the host is about to end of a signal: then the input that was executed
 * last may have sent it.
 *
 * The driver asks for it once a host ended so (CFZ_STOP_WATCH, decision 087).
 */
#ifndef CFZ_WORKER_WATCH_H
#define CFZ_WORKER_WATCH_H

/* cfz_worker_watch_init notes the host, whose child this process is. */
void cfz_worker_watch_init(void);

/* cfz_worker_watch does not return if a SIGKILL waits for the host, or has ended it: this process
 * executes nothing more, and ends with its host. Takes some 20 us. Context: ordinary. */
void cfz_worker_watch(void);

#endif
