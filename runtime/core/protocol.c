/*
 * protocol.c - one struct cfz_msg a packet, descriptors beside it.
 */
#define _GNU_SOURCE
#include "core/protocol.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD_LEN offsetof(struct cfz_msg, text)

void cfz_msg_init(struct cfz_msg *m, enum cfz_msg_type type)
{
    memset(m, 0, HEAD_LEN);
    m->type = type;
}

int cfz_msg_send(int sock, const struct cfz_msg *m, const int *fds, size_t nfds,
                 struct cfz_error *err)
{
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(CFZ_MSG_FDS_MAX * sizeof(int))];
    } control;
    struct iovec iov;
    struct msghdr mh;
    ssize_t n;

    CFZ_ASSERT(m->text_len <= CFZ_MSG_TEXT_MAX && nfds <= CFZ_MSG_FDS_MAX);
    iov.iov_base = (void *)(uintptr_t)m;
    iov.iov_len = HEAD_LEN + m->text_len;
    memset(&mh, 0, sizeof mh);
    mh.msg_iov = &iov;
    mh.msg_iovlen = 1;
    if (nfds > 0) {
        struct cmsghdr *c;

        memset(&control, 0, sizeof control);
        mh.msg_control = control.space;
        mh.msg_controllen = CMSG_SPACE(nfds * sizeof(int));
        c = CMSG_FIRSTHDR(&mh);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(nfds * sizeof(int));
        memcpy(CMSG_DATA(c), fds, nfds * sizeof(int));
    }
    do
        n = sendmsg(sock, &mh, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return cfz_fail_errno(err, "send message %u", (unsigned)m->type);
    return 0; /* a packet goes whole or not at all */
}

/* Takes the descriptors out of a received packet; those beyond the array are closed. */
static size_t take_fds(struct msghdr *mh, int fds[CFZ_MSG_FDS_MAX])
{
    size_t n = 0;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(mh); c; c = CMSG_NXTHDR(mh, c)) {
        size_t count;

        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;

            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (n < CFZ_MSG_FDS_MAX)
                fds[n++] = fd;
            else
                close(fd);
        }
    }
    return n;
}

enum { RECV_TRIES = 100, RECV_PAUSE_MS = 10 }; /* while there is no memory; guessed */

static bool is_shortage(int sys)
{
    return sys == ENOMEM || sys == ENOBUFS;
}

int cfz_msg_recv(int sock, struct cfz_msg *m, int *fds, size_t *nfds, struct cfz_error *err)
{
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(CFZ_MSG_FDS_MAX * sizeof(int))];
    } control;
    int got[CFZ_MSG_FDS_MAX] = {-1, -1, -1, -1};
    const char *why = NULL;
    struct iovec iov = {m, sizeof *m};
    struct msghdr mh;
    size_t ngot;
    ssize_t n;

    memset(&mh, 0, sizeof mh);
    mh.msg_iov = &iov;
    mh.msg_iovlen = 1;
    mh.msg_control = control.space;
    mh.msg_controllen = sizeof control.space;
    for (int tries = 0;;) {
        n = recvmsg(sock, &mh, MSG_CMSG_CLOEXEC);
        if (n >= 0 || (errno != EINTR && (!is_shortage(errno) || ++tries == RECV_TRIES)))
            break;
        if (errno != EINTR)
            poll(NULL, 0, RECV_PAUSE_MS);
    }
    if (n < 0) {
        if (errno == ECONNRESET) /* the other end died with our packets unread: it is gone */
            return 0;
        return cfz_fail_errno(err, "communicating with fuzzing process");
    }
    ngot = take_fds(&mh, got);
    if (n == 0 && ngot == 0)
        return 0;

    if (mh.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        why = "packet too long";
    else if ((size_t)n < HEAD_LEN)
        why = "packet too short";
    else if (m->text_len > CFZ_MSG_TEXT_MAX || (size_t)n != HEAD_LEN + m->text_len)
        why = "wrong text length";
    else if (m->type < CFZ_MSG_HELLO || m->type > CFZ_MSG_LAST)
        why = "unknown message";
    if (why || !fds || !nfds) {
        for (size_t i = 0; i < ngot; i++)
            close(got[i]);
        ngot = 0;
    }
    if (why)
        return cfz_fail(err, CFZ_EINTERNAL, "communicating with fuzzing process: %s", why);
    if (fds && nfds) {
        memcpy(fds, got, sizeof got);
        *nfds = ngot;
    }
    return 1;
}

/* Finds the NUL-terminated string at *at within text[0..len); advances past it. NULL if none. */
static const char *next_string(const char *text, size_t len, size_t *at)
{
    const char *s = text + *at;
    const char *end = memchr(s, 0, len - *at);

    if (!end)
        return NULL;
    *at += (size_t)(end - s) + 1;
    return s;
}

int cfz_msg_test_parts(const struct cfz_msg *m, const char **name, const char **types,
                       const char **file, enum cfz_kind kinds[CFZ_VALUES_MAX],
                       struct cfz_error *err)
{
    size_t at = 0, len = m->text_len, n = m->u.test.nvalues;
    const char *parts[3];

    if (m->type != CFZ_MSG_TEST || len > CFZ_MSG_TEXT_MAX)
        goto bad;
    for (int i = 0; i < 3; i++) {
        parts[i] = next_string(m->text, len, &at);
        if (!parts[i])
            goto bad;
    }
    if (n < 1 || n > CFZ_VALUES_MAX || len - at != n)
        goto bad;
    for (size_t i = 0; i < n; i++) {
        unsigned char k = (unsigned char)m->text[at + i];

        if (k <= CFZ_KIND_NONE || k >= CFZ_KIND_COUNT)
            goto bad;
    }
    for (size_t i = 0; i < n; i++)
        kinds[i] = (enum cfz_kind)m->text[at + i];
    *name = parts[0];
    *types = parts[1];
    *file = parts[2];
    return 0;
bad:
    return cfz_fail(err, CFZ_EINTERNAL,
                    "communicating with fuzzing process: malformed description of a test");
}
