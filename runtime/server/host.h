/*
 * host.h - the process of one fuzz test: runs its setup part once, forks workers.
 */
#ifndef CFZ_HOST_H
#define CFZ_HOST_H

#include "target/registry.h"

enum { CFZ_HOST_FDS = 3, CFZ_WORKER_FDS = 4 }; /* descriptors that come with HOST and FORK */

/*
 * cfz_host_run is the life of a host, in the child of the origin. fds: socket,
 * process memory, output; as protocol.h says.
 */
void cfz_host_run(const struct cfz_test *test, int64_t deadline_ns, const int fds[CFZ_HOST_FDS])
    __attribute__((noreturn));

#endif
