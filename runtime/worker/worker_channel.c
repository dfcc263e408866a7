/*
 * worker_channel.c - see worker_channel.h.
 */
#define _GNU_SOURCE
#include "worker/worker_channel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/crash.h"
#include "target/profile.h"

/* ---- ends of the process ---------------------------------------------------------- */

/* The driver is gone. */
static void __attribute__((noreturn)) gone(void)
{
    kill(0, SIGKILL); /* our group: what the target forked, and a guard, as well */
    _exit(CFZ_EXIT_ORPHAN);
}

/* The descriptor of our socket is closed, or is another file's. Among many executions that shows
 * late: the text says so. */
static void __attribute__((noreturn)) socket_taken(const struct cfz_worker *w)
{
    char text[128];

    snprintf(text, sizeof text, "the test closed descriptor %d, which is cfuzz's%s", w->sock,
             w->cmd.type == CFZ_MSG_FUZZ ? ", in this execution or in one before it" : "");
    cfz_crash_misuse(w->shm, text);
}

void cfz_worker_check_socket(const struct cfz_worker *w)
{
    struct stat st;

    if (w->sock_ino == 0)
        return;
    if (fstat(w->sock, &st) < 0 || st.st_ino != w->sock_ino || !S_ISSOCK(st.st_mode))
        socket_taken(w);
}

/* ---- messages --------------------------------------------------------------------- */

/* Each takes 4 KiB, which is much of a small stack (the tested code's; the loop of FUZZ needs it,
 * too). One worker per process. */
static struct cfz_msg news;
static struct cfz_error failure;

/* Waits until the socket is ready for events. */
static void await(struct cfz_worker *w, short events)
{
    struct pollfd p;

    p.fd = w->sock;
    p.events = events;
    p.revents = 0;
    while (poll(&p, 1, -1) < 0 && errno == EINTR) {
    }
    if (p.revents & POLLNVAL)
        socket_taken(w);
}

void cfz_worker_send(struct cfz_worker *w, const struct cfz_msg *m)
{
    while (cfz_msg_send(w->sock, m, NULL, 0, &failure) < 0) {
        if (failure.sys == EAGAIN || failure.sys == ENOBUFS || failure.sys == ENOMEM)
            await(w, POLLOUT);
        else if (failure.sys == EBADF || failure.sys == ENOTSOCK)
            socket_taken(w);
        else
            gone();
    }
}

void cfz_worker_recv(struct cfz_worker *w, struct cfz_msg *m)
{
    for (;;) {
        int got = cfz_msg_recv(w->sock, m, NULL, NULL, &failure);

        if (got == 0)
            gone();
        if (got > 0 && m->type == CFZ_MSG_QUIT) {
            cfz_profile_save();
            _exit(0);
        }
        if (got > 0)
            return;
        if (failure.sys == EAGAIN)
            await(w, POLLIN);
        else
            cfz_crash_unable(w->shm, &failure);
    }
}

void cfz_worker_hint(struct cfz_worker *w)
{
    cfz_msg_init(&news, CFZ_MSG_RECORDS);
    /* If the socket is full of such hints, one more would say nothing new. */
    (void)cfz_msg_send(w->sock, &news, NULL, 0, NULL);
}

void cfz_worker_sync(struct cfz_worker *w)
{
    cfz_msg_init(&news, CFZ_MSG_RECORDS);
    news.u.records.waits = 1;
    cfz_worker_send(w, &news);
    do
        cfz_worker_recv(w, &news);
    while (news.type != CFZ_MSG_ACK);
    w->records_pending = false;
}

/* ---- modules ---------------------------------------------------------------------- */

void cfz_worker_prepare(struct cfz_worker *w)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_counters_prepare(&err) < 0)
        cfz_crash_misuse(w->shm, err.text);
}
