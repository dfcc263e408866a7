/*
 * worker_server.h - the life of a worker: it answers RUN, TRY and FUZZ until its socket closes.
 */
#ifndef CFZ_WORKER_SERVER_H
#define CFZ_WORKER_SERVER_H

#include "core/protocol.h"

/*
 * cfz_worker_run is the life of a worker, in a child of the host, whose cfz_executor it inherits.
 * fds are those of FORK (protocol.h): socket, process memory, run memory, output. guarded: it has a
 * guard, and goes on after known crashes (guard.h). Context: ordinary.
 */
void cfz_worker_run(const int fds[CFZ_WORKER_FDS], bool guarded, uint64_t slow_ns)
    __attribute__((noreturn));

#endif
