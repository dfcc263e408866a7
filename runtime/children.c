/*
 * children.c - fork, watch, reap.
 */
#define _GNU_SOURCE
#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temp_dirs.h"

static void send_or_die(int sock, const struct cfz_msg *m)
{
    if (cfz_msg_send(sock, m, NULL, 0, NULL) < 0)
        _exit(CFZ_EXIT_ORPHAN); /* nobody to work for; PDEATHSIG takes the children */
}

static void report_forked(int sock, uint64_t id, pid_t pid)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_FORKED);
    m.u.exit.id = id;
    m.u.exit.pid = pid;
    send_or_die(sock, &m);
}

pid_t cfz_children_fork(struct cfz_children *c, int sock, uint64_t id)
{
    pid_t parent = getpid(), pid;
    struct cfz_child *k;

    if (c->n == CFZ_CHILDREN_MAX) {
        report_forked(sock, id, -EAGAIN);
        return -1;
    }
    fflush(NULL); /* or both would write what is buffered */
    pid = fork();
    if (pid < 0) {
        report_forked(sock, id, -errno);
        return -1;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(CFZ_EXIT_ORPHAN);
        setpgid(0, 0);
        for (size_t i = 0; i < c->n; i++)
            if (c->v[i].pidfd >= 0)
                close(c->v[i].pidfd);
        c->n = 0;
        return 0;
    }
    setpgid(pid, pid); /* in both, so that neither has to wait for the other */
    k = &c->v[c->n++];
    k->id = id;
    k->pid = pid;
    k->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (k->pidfd >= 0)
        k->pidfd = cfz_move_fd(k->pidfd);
    report_forked(sock, id, pid);
    return pid;
}

/* Reaps child i if it has ended; what it left in its group dies before the id is free again. */
static bool reap(struct cfz_children *c, size_t i, int sock)
{
    struct cfz_child k = c->v[i];
    struct cfz_msg m;
    siginfo_t si;
    int status = 0;

    si.si_pid = 0;
    if (waitid(P_PID, (id_t)k.pid, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || si.si_pid != k.pid)
        return false;
    kill(-k.pid, SIGKILL);
    if (waitpid(k.pid, &status, 0) != k.pid)
        return false;
    if (k.pidfd >= 0)
        close(k.pidfd);
    cfz_temp_dirs_bury(k.pid);
    c->v[i] = c->v[--c->n];
    cfz_msg_init(&m, CFZ_MSG_EXIT);
    m.u.exit.id = k.id;
    m.u.exit.pid = k.pid;
    m.u.exit.status = status;
    send_or_die(sock, &m);
    return true;
}

int cfz_children_wait(struct cfz_children *c, int sock)
{
    struct pollfd fds[CFZ_CHILDREN_MAX + 1];
    int timeout_ms = -1;
    nfds_t n = 0;

    fds[n].fd = sock;
    fds[n++].events = POLLIN;
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].pidfd < 0) {
            timeout_ms = 20;
            continue;
        }
        fds[n].fd = c->v[i].pidfd;
        fds[n++].events = POLLIN;
    }
    for (nfds_t i = 0; i < n; i++)
        fds[i].revents = 0;
    for (;;) {
        bool any = false;

        if (poll(fds, n, timeout_ms) < 0 && errno != EINTR)
            return -1;
        for (size_t i = c->n; i-- > 0;)
            any |= reap(c, i, sock);
        if (any)
            return 0;
        if (fds[0].revents & POLLNVAL)
            return -1;
        if (fds[0].revents)
            return 1;
    }
}

void cfz_children_kill(struct cfz_children *c)
{
    for (size_t i = 0; i < c->n; i++)
        kill(-c->v[i].pid, SIGKILL);
    for (size_t i = 0; i < c->n; i++)
        if (waitpid(c->v[i].pid, NULL, 0) == c->v[i].pid)
            cfz_temp_dirs_bury(c->v[i].pid);
    c->n = 0;
}

int cfz_move_fd(int fd)
{
    struct rlimit lim;
    int from = 900, moved;

    if (getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < 1024)
        from = lim.rlim_cur > 64 ? (int)lim.rlim_cur - 48 : 16;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, from);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

void cfz_set_output(int fd)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        if (null != STDIN_FILENO)
            close(null);
    }
    if (fd < 0)
        return;
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}
