/*
 * worker_server.h - answers RUN, TRY and FUZZ until its socket closes.
 */
#ifndef CFZ_WORKER_SERVER_H
#define CFZ_WORKER_SERVER_H

#include "server/host.h"

/*
 * cfz_worker_run is the life of a worker, in the child of the host, whose
 * cfz_executor it inherits. fds: socket, process memory, run memory, output; as
 * protocol.h says. guarded: goes on after known crashes (guard.h).
 */
void cfz_worker_run(const int fds[CFZ_WORKER_FDS], bool guarded) __attribute__((noreturn));

#endif
