/*
 * fork_request.h - asking the origin for a host, or a host for a worker: what the new process
 * shares with the driver, and the message.
 */
#ifndef FORK_REQUEST_H
#define FORK_REQUEST_H

#include "core/shmem.h"
#include "process/origin_client.h"
#include "process/output.h"

struct fork_request {
    struct peer *over; /* the process that is to fork */
    const struct origin_test *test;
    const char *name; /* of the test, for cfuzz_name */
    uv_loop_t *loop;
    int run_fd;         /* memory of the run, passed along; -1: none */
    struct cfz_msg msg; /* HOST or FORK */
};

/*
 * fork_request_send makes the process's memory (*shm), its output and its socket, all not open
 * before, and sends the message with them. On failure they hold what was made, for the caller to
 * close as ever. CFZ_EIO, CFZ_ENOMEM. That the process which is to fork has ended is no error
 * here: its end, which is about to be known, is that of the new one.
 */
int fork_request_send(const struct fork_request *r, struct peer *peer, struct output *output,
                      struct cfz_proc_shm **shm, struct cfz_error *err);

#endif
