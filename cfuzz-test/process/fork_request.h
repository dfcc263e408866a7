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
    uint64_t alloc_max; /* bytes of one allocation of user code; 0: any */
    int run_fd;         /* memory of the run, passed along; -1: none */
    struct cfz_msg msg; /* HOST or FORK */
};

/*
 * fork_request_send makes the process's memory (*shm), its output and its socket, and sends the
 * message with them. None of them was open before. On failure they hold what was made, and the
 * caller closes them as ever. If the process that is to fork has ended, that is not an error here:
 * its end is about to be known, and is that of the new process. CFZ_EIO, CFZ_ENOMEM.
 */
int fork_request_send(const struct fork_request *r, struct peer *peer, struct output *output,
                      struct cfz_proc_shm **shm, struct cfz_error *err);

#endif
