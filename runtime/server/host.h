/*
 * host.h - the fork server of one fuzz test: it runs the setup part once, and forks the workers.
 *
 * Each worker begins with what the setup part made.
 */
#ifndef CFZ_HOST_H
#define CFZ_HOST_H

#include "core/protocol.h"
#include "target/registry.h"

/*
 * cfz_host_run is the life of a host, in a child of the origin. deadline_ns is for cfuzz_deadline
 * in the setup part, 0 for none. fds are those of HOST (protocol.h): socket, process memory,
 * output. Context: ordinary.
 */
void cfz_host_run(const struct cfz_test *test, int64_t deadline_ns, const int fds[CFZ_HOST_FDS])
    __attribute__((noreturn));

#endif
