/*
 * peer.c - see peer.h.
 */
#define _GNU_SOURCE
#include "process/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAIT_MS = 10 };

static void end(struct peer *p, const struct cfz_error *err)
{
    if (p->ended)
        return;
    p->ended = true;
    if (p->poll != NULL)
        uv_poll_stop(p->poll);
    p->on_end(p, err);
}

void peer_drain(struct peer *p)
{
    while (p->sock >= 0 && !p->ended) {
        struct cfz_msg m;
        struct cfz_error err = CFZ_ERROR_INIT;
        int got = cfz_msg_recv(p->sock, &m, NULL, NULL, &err);

        if (got > 0) {
            p->on_message(p, &m);
        } else if (got == 0) {
            end(p, NULL);
        } else if (err.code == CFZ_EIO && (err.sys == EAGAIN || err.sys == EWOULDBLOCK)) {
            return;
        } else if (err.code == CFZ_EIO && err.sys == ECONNRESET) {
            end(p, NULL); /* it died with a message of ours unread */
        } else {
            end(p, &err);
        }
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    (void)status; /* an error shows in recv, with its reason */
    (void)events;
    if (poll->data != NULL)
        peer_drain(poll->data);
}

static void on_closed(uv_handle_t *h)
{
    free(h);
}

int peer_open(struct peer *p, uv_loop_t *loop, int *other, struct cfz_error *err)
{
    int sv[2], r;
    uv_poll_t *poll = malloc(sizeof *poll);

    if (poll == NULL)
        return cfz_fail_nomem(err);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv) < 0) {
        cfz_fail_errno(err, "make a socket for a fuzzing process");
        free(poll);
        return -1;
    }
    fcntl(sv[0], F_SETFL, O_NONBLOCK);
    r = uv_poll_init(loop, poll, sv[0]);
    if (r < 0) {
        cfz_fail(err, CFZ_EIO, "watch the socket of a fuzzing process: %s", uv_strerror(r));
        free(poll);
        close(sv[0]);
        close(sv[1]);
        return -1;
    }
    p->sock = sv[0];
    p->poll = poll;
    p->ended = false;
    poll->data = p;
    uv_poll_start(poll, UV_READABLE | UV_DISCONNECT, on_poll);
    *other = sv[1];
    return 0;
}

int peer_send(struct peer *p, const struct cfz_msg *m, const int *fds, size_t nfds,
              struct cfz_error *err)
{
    if (p->sock < 0)
        return cfz_fail(err, CFZ_EIO, "communicating with fuzzing process: it is gone");
    if (cfz_msg_send(p->sock, m, fds, nfds, err) < 0)
        return cfz_error_wrap(err, "communicating with fuzzing process");
    return 0;
}

int peer_command(struct peer *p, const struct cfz_msg *m, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    if (peer_send(p, m, NULL, 0, &why) == 0 || why.sys == EPIPE || why.sys == ECONNRESET)
        return 0;
    if (err != NULL)
        *err = why;
    return -1;
}

int peer_send_patiently(struct peer *p, const struct cfz_msg *m, const int *fds, size_t nfds,
                        int timeout_ms, struct cfz_error *err)
{
    uint64_t until = uv_hrtime() + (uint64_t)timeout_ms * 1000000;
    struct cfz_error why;

    for (;;) {
        struct pollfd pfd = {.fd = p->sock, .events = POLLOUT};

        why = (struct cfz_error)CFZ_ERROR_INIT;
        if (peer_send(p, m, fds, nfds, &why) == 0)
            return 0;
        /* ETOOMANYREFS: too many descriptors are on their way */
        if ((why.sys != EAGAIN && why.sys != EWOULDBLOCK && why.sys != ETOOMANYREFS) ||
            uv_hrtime() >= until)
            break;
        poll(&pfd, why.sys != ETOOMANYREFS, WAIT_MS);
        peer_drain(p); /* it may itself wait for us to read */
    }
    if (err != NULL)
        *err = why;
    return -1;
}

void peer_close(struct peer *p)
{
    if (p->poll != NULL) {
        p->poll->data = NULL;
        uv_poll_stop(p->poll);
        uv_close((uv_handle_t *)p->poll, on_closed);
        p->poll = NULL;
    }
    if (p->sock >= 0)
        close(p->sock);
    p->sock = -1;
    p->ended = true;
}
