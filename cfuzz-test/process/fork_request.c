/*
 * fork_request.c - see fork_request.h.
 */
#include "process/fork_request.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int fork_request_send(const struct fork_request *r, struct peer *peer, struct output *output,
                      struct cfz_proc_shm **shm, struct cfz_error *err)
{
    int fds[CFZ_MSG_FDS_MAX], shm_fd = -1, child = -1, ret = -1;
    struct cfz_error why = CFZ_ERROR_INIT;
    size_t n = 0;

    if (cfz_proc_shm_new(r->test->nslots, shm, &shm_fd, err) < 0)
        return -1;
    (*shm)->alloc_max = r->alloc_max;
    snprintf((*shm)->name, sizeof(*shm)->name, "%s", r->name);
    if (output_open(output, err) < 0 || peer_open(peer, r->loop, &child, err) < 0)
        goto out;
    /* The order is protocol.h's. */
    fds[n++] = child;
    fds[n++] = shm_fd;
    if (r->run_fd >= 0)
        fds[n++] = r->run_fd;
    fds[n++] = output->fd;
    /* Hundreds of workers are asked for faster than a host forks them. */
    ret = peer_send_patiently(r->over, &r->msg, fds, n, ORIGIN_READY_MS, &why);
    if (ret < 0 && (why.sys == EPIPE || why.sys == ECONNRESET))
        ret = 0;
    if (ret < 0 && err != NULL)
        *err = why;
out:
    if (child >= 0)
        close(child);
    close(shm_fd);
    return ret;
}
