/*
 * children.c - fork, watch, reap.
 */
#define _GNU_SOURCE
#include "server/children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/io.h"
#include "target/crash.h"
#include "target/profile.h"
#include "target/temp_dirs.h"

enum {
    ASK_MS = 20,          /* how often children without a pidfd are asked for; guessed */
    STRAYS_MS = 200,      /* how long a stray that ended waits to be reaped; guessed */
    STRAYS_MAX = 8192,    /* that are looked at together; guessed */
    STRAYS_MS_MAX = 1500, /* how long killing strays may take in all: the driver waits meanwhile */
    STRAY_END_MS = 200,   /* how long a killed one may take to end; guessed: it is freeing memory */
    END_MS = 1000,        /* how long children may take that end by themselves; guessed */
    END_MS_PROFILE = 4000, /* ... where each adds its counts to one file; guessed */
};

/* Where cfz_move_fd begins to look for a free number: at FD_HIGH, which the usual limit allows; if
 * the limit is lower, FD_BELOW_LIMIT below it; if it is very low, at FD_LEAST. Guessed. */
enum {
    FD_HIGH = 900,
    FD_LIMIT_USUAL = 1024,
    FD_LIMIT_LOW = 64,
    FD_BELOW_LIMIT = 48,
    FD_LEAST = 16
};

enum { TELL_TRIES = 500 }; /* of a message, 10 ms apart, while there is no memory; guessed */

int cfz_tell(int sock, const struct cfz_msg *m, struct cfz_error *err)
{
    const struct timespec pause = {0, 10 * 1000 * 1000};

    for (int i = 0; i < TELL_TRIES; i++) {
        if (cfz_msg_send(sock, m, NULL, 0, err) == 0)
            return 0;
        if (err->sys != ENOMEM && err->sys != ENOBUFS && err->sys != EAGAIN)
            break;
        nanosleep(&pause, NULL);
    }
    shutdown(sock, SHUT_RDWR);
    return -1;
}

/* If m is lost, the end of sock will be noticed next. */
static void tell(int sock, const struct cfz_msg *m)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)cfz_tell(sock, m, &err);
}

/* ---- strays ------------------------------------------------------------------------ */

/* Writes the pids of our children into pids, and returns how many; 0 if the system does not say. */
static size_t list_children(pid_t *pids, size_t max)
{
    static char text[STRAYS_MAX * 8]; /* a pid has seven digits at most, and a blank behind it */
    char path[64];
    size_t n = 0, len = 0;
    ssize_t got;
    int fd;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)syscall(SYS_gettid));
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    while (len < sizeof text - 1 && (got = read(fd, text + len, sizeof text - 1 - len)) > 0)
        len += (size_t)got;
    close(fd);
    text[len] = '\0';
    for (char *at = text, *end; n < max; at = end) {
        long pid = strtol(at, &end, 10);

        if (end == at ||
            *end != ' ') /* the end of text cuts it off; it is listed again next time */
            break;
        pids[n++] = (pid_t)pid;
    }
    return n;
}

static bool is_stray(const struct cfz_children *c, pid_t pid)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->v[i].pid == pid)
            return false;
    for (size_t i = 0; i < c->nkept; i++)
        if (c->kept[i] == pid)
            return false;
    return true;
}

static pid_t strays[STRAYS_MAX]; /* static for its size */

static void reap_strays(const struct cfz_children *c)
{
    size_t n = list_children(strays, STRAYS_MAX);

    for (size_t i = 0; i < n; i++)
        if (is_stray(c, strays[i]))
            waitpid(strays[i], NULL, WNOHANG);
}

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/*
 * Kills strays and reaps them, until there are no more. Those that go on are left alone: they
 * belong to another user by now, sleep where no signal wakes them, or fork as fast as they are
 * killed.
 */
static void kill_strays(const struct cfz_children *c)
{
    const struct timespec pause = {0, 100000}; /* a tenth of a millisecond */
    int64_t began = now_ms(), progress = began, now = began;

    while (now - began < STRAYS_MS_MAX && now - progress < STRAY_END_MS) {
        size_t n = list_children(strays, STRAYS_MAX), left = 0, ended = 0;

        for (size_t i = 0; i < n; i++)
            if (is_stray(c, strays[i]))
                kill(strays[i], SIGKILL);
        for (size_t i = 0; i < n; i++) {
            if (!is_stray(c, strays[i]))
                continue;
            if (waitpid(strays[i], NULL, WNOHANG) != 0)
                ended++;
            else
                left++;
        }
        if (ended + left == 0)
            return;
        now = now_ms();
        if (ended > 0)
            progress = now;
        else
            nanosleep(&pause, NULL);
    }
}

void cfz_children_adopt(struct cfz_children *c)
{
    cfz_children_keep(c);
    c->adopting = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void cfz_children_keep(struct cfz_children *c)
{
    c->nkept = list_children(c->kept, CFZ_KEPT_MAX);
}

void cfz_children_bury(struct cfz_children *c)
{
    c->nkept = 0;
    kill_strays(c);
}

/* ---- children ----------------------------------------------------------------------- */

static void report_forked(int sock, uint64_t id, pid_t pid)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_FORKED);
    m.u.exit.id = id;
    m.u.exit.pid = pid;
    tell(sock, &m);
}

void cfz_children_refuse(int sock, uint64_t id, int why)
{
    report_forked(sock, id, -why);
}

static struct {
    bool taken;
    struct sigaction action; /* the program's */
} child_ended;               /* SIGCHLD */

void cfz_children_default(struct sigaction *theirs)
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &sa, theirs);
}

pid_t cfz_children_fork(struct cfz_children *c, int sock, uint64_t id)
{
    pid_t parent = getpid(), pid;
    struct cfz_child *k;

    if (c->n == CFZ_CHILDREN_MAX) {
        report_forked(sock, id, -EAGAIN);
        return -1;
    }
    cfz_io_flush(); /* otherwise both processes would write what is buffered */
    if (!child_ended.taken)
        cfz_children_default(&child_ended.action);
    child_ended.taken = true;
    cfz_crash_hold();
    pid = fork();
    if (pid != 0)
        cfz_crash_unhold(); /* the child does so when it is attached (crash.h) */
    if (pid < 0) {
        report_forked(sock, id, -errno);
        return -1;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(CFZ_EXIT_ORPHAN);
        setpgid(0, 0);
        sigaction(SIGCHLD, &child_ended.action, NULL);
        child_ended.taken = false;
        cfz_profile_forked();
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

/* Reaps child i if it has ended. Its group is killed before that, while its id is still taken.
 * Where a thread of the program was faster, the status is not known, and told as 0: what the child
 * marked says more. */
static bool reap(struct cfz_children *c, size_t i, int sock)
{
    struct cfz_child k = c->v[i];
    struct cfz_msg m;
    siginfo_t si;
    int status = 0, ret;

    si.si_pid = 0;
    ret = waitid(P_PID, (id_t)k.pid, &si, WEXITED | WNOHANG | WNOWAIT);
    if (ret == 0 && si.si_pid == k.pid) {
        kill(-k.pid, SIGKILL);
        ret = waitpid(k.pid, &status, 0) == k.pid ? 0 : -1;
    } else if (ret == 0) {
        return false;
    }
    if (ret < 0 && errno != ECHILD)
        return false;
    if (k.pidfd >= 0)
        close(k.pidfd);
    cfz_temp_dirs_bury(k.pid);
    c->v[i] = c->v[--c->n];
    cfz_msg_init(&m, CFZ_MSG_EXIT);
    m.u.exit.id = k.id;
    m.u.exit.pid = k.pid;
    m.u.exit.status = status;
    tell(sock, &m);
    if (c->adopting && c->n == 0) /* only now: it may take long, and is not the child's doing */
        kill_strays(c);
    return true;
}

int cfz_children_wait(struct cfz_children *c, int sock)
{
    struct pollfd fds[CFZ_CHILDREN_MAX + 1];
    int timeout_ms = c->adopting ? STRAYS_MS : -1;
    nfds_t n = 0;

    fds[n].fd = sock;
    fds[n++].events = POLLIN;
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].pidfd < 0) {
            timeout_ms = ASK_MS;
            continue;
        }
        fds[n].fd = c->v[i].pidfd;
        fds[n++].events = POLLIN;
    }
    for (nfds_t i = 0; i < n; i++)
        fds[i].revents = 0;
    for (;;) {
        bool any = false;
        int ready = poll(fds, n, timeout_ms);

        if (ready < 0 && errno != EINTR)
            return -1;
        if (ready == 0 && c->adopting)
            reap_strays(c);
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

void cfz_children_end(struct cfz_children *c)
{
    const struct timespec pause = {0, 1000000}; /* a millisecond */
    int ms = cfz_profile_on() ? END_MS_PROFILE : END_MS;

    for (int i = 0; i < ms && c->n > 0; i++) {
        for (size_t k = c->n; k-- > 0;) {
            pid_t pid = c->v[k].pid;

            if (waitpid(pid, NULL, WNOHANG) == 0)
                continue;
            kill(-pid, SIGKILL);
            cfz_temp_dirs_bury(pid);
            c->v[k] = c->v[--c->n];
        }
        if (c->n > 0)
            nanosleep(&pause, NULL);
    }
    cfz_children_kill(c);
}

void cfz_children_kill(struct cfz_children *c)
{
    for (size_t i = 0; i < c->n; i++)
        kill(-c->v[i].pid, SIGKILL);
    for (size_t i = 0; i < c->n; i++)
        if (waitpid(c->v[i].pid, NULL, 0) == c->v[i].pid)
            cfz_temp_dirs_bury(c->v[i].pid);
    c->n = 0;
    if (c->adopting)
        kill_strays(c);
}

int cfz_move_fd(int fd)
{
    struct rlimit lim;
    int from = FD_HIGH, moved;

    if (getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < FD_LIMIT_USUAL)
        from = lim.rlim_cur > FD_LIMIT_LOW ? (int)lim.rlim_cur - FD_BELOW_LIMIT : FD_LEAST;
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
