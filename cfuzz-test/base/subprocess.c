/*
 * subprocess.c - run a helper program to its end; words for wait statuses.
 *
 * fork and exec rather than posix_spawn or libuv, because the child has to ask
 * for its parent-death signal between the two.
 */
#define _GNU_SOURCE
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd_limit.h"
#include "base/interrupt.h"

enum {
    CHILD_FAILED = 127,
    READ_SIZE = 16384, /* bytes asked of a pipe at once */
};

/* What the child inherits. Descriptors are -1 where ours is inherited. */
struct wiring {
    int out, err;
    int failure; /* write end of the pipe that tells errno when exec failed */
};

/* Context: a child between fork and exec. */
static void exec_child(const struct subprocess *p, const struct wiring *w, pid_t parent)
{
    sigset_t none;
    int why;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL); /* the driver ignores both, and children inherit that */
    signal(SIGXFSZ, SIG_DFL);
    /* The parent may have died before this call; then no signal comes. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(CHILD_FAILED);
    if ((w->out >= 0 && dup2(w->out, STDOUT_FILENO) < 0) ||
        (p->out == NULL && p->out_to_err && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) ||
        (w->err >= 0 && dup2(w->err, STDERR_FILENO) < 0) || (p->dir != NULL && chdir(p->dir) < 0))
        goto failed;
    execvp(p->argv[0], (char *const *)p->argv);
failed:
    why = errno;
    if (write(w->failure, &why, sizeof(why)) < 0)
        _exit(CHILD_FAILED);
    _exit(CHILD_FAILED);
}

/* Appends what can be read now; *fd becomes -1 at the end of file. */
static int drain(int *fd, struct cfz_buf *to, struct cfz_error *err)
{
    ssize_t n;

    if (cfz_buf_reserve(to, READ_SIZE, err) < 0)
        return -1;
    n = read(*fd, to->data + to->len, READ_SIZE);
    if (n < 0)
        return errno == EINTR ? 0 : cfz_fail_errno(err, "read from child");
    if (n == 0) {
        close(*fd);
        *fd = -1;
        return 0;
    }
    to->len += (size_t)n;
    to->data[to->len] = '\0';
    return 0;
}

/* Reads both pipes until the child and all that inherited them closed them. When a signal is caught
 * the child is told to end, and what it says from then on is not passed on. */
static int collect(const struct subprocess *p, pid_t pid, int *out, int *err_fd,
                   struct cfz_error *err)
{
    bool told = false;

    while (*out >= 0 || *err_fd >= 0) {
        struct pollfd fds[3] = {
            {*out, POLLIN, 0}, {*err_fd, POLLIN, 0}, {told ? -1 : interrupt_fd(), POLLIN, 0}};

        if (poll(fds, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            return cfz_fail_errno(err, "poll");
        }
        if (fds[0].revents != 0) {
            if (drain(out, p->out, err) < 0)
                return -1;
            if (p->on_output != NULL && !told)
                p->on_output(p->ctx, p->out);
        }
        if (fds[1].revents != 0 && drain(err_fd, p->err, err) < 0)
            return -1;
        if (fds[2].revents != 0) {
            kill(pid, SIGTERM);
            told = true;
        }
    }
    return 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

int subprocess_run(const struct subprocess *p, int *status, struct cfz_error *err)
{
    int out[2] = {-1, -1}, err_fds[2] = {-1, -1}, failure[2] = {-1, -1};
    bool merged = p->err != NULL && p->err == p->out;
    struct wiring w;
    pid_t pid = -1, parent = getpid();
    int why, wstatus = 0, ret = -1;

    if (interrupt_caught() != 0)
        return cfz_fail(err, CFZ_EIO, "interrupted before %s ran", p->argv[0]);
    if (pipe2(failure, O_CLOEXEC) < 0 || (p->out != NULL && pipe2(out, O_CLOEXEC) < 0) ||
        (p->err != NULL && !merged && pipe2(err_fds, O_CLOEXEC) < 0)) {
        cfz_fail_errno(err, "pipe");
        goto out;
    }
    w = (struct wiring){out[1], merged ? out[1] : err_fds[1], failure[1]};
    fflush(NULL); /* so that its output follows ours */
    pid = fork();
    if (pid < 0) {
        cfz_fail_errno(err, "fork");
        goto out;
    }
    if (pid == 0) {
        fd_limit_restore();
        exec_child(p, &w, parent);
    }
    close_fd(&out[1]);
    close_fd(&err_fds[1]);
    close_fd(&failure[1]);
    ret = collect(p, pid, &out[0], &err_fds[0], err);
    if (ret < 0)
        kill(pid, SIGTERM);
    while (waitpid(pid, &wstatus, 0) < 0 && errno == EINTR)
        if (interrupt_caught() != 0)
            kill(pid, SIGTERM);
    if (ret == 0 && read(failure[0], &why, sizeof(why)) == (ssize_t)sizeof(why)) {
        errno = why;
        ret = cfz_fail_errno(err, "%s", p->argv[0]);
    }
    if (ret == 0 && interrupt_caught() != 0)
        ret = cfz_fail(err, CFZ_EIO, "interrupted while %s ran", p->argv[0]);
    if (ret == 0)
        *status = wstatus;
out:
    close_fd(&out[0]);
    close_fd(&out[1]);
    close_fd(&err_fds[0]);
    close_fd(&err_fds[1]);
    close_fd(&failure[0]);
    close_fd(&failure[1]);
    return ret;
}

static const struct {
    int sig;
    const char *name;
    bool crash;
} signals[] = {
    {SIGHUP, "hangup", false},
    {SIGINT, "interrupt", false},
    {SIGQUIT, "quit", false},
    {SIGILL, "illegal instruction", true},
    {SIGTRAP, "trace/breakpoint trap", true},
    {SIGABRT, "aborted", true},
    {SIGBUS, "bus error", true},
    {SIGFPE, "floating point exception", true},
    {SIGKILL, "killed", false},
    {SIGUSR1, "user defined signal 1", false},
    {SIGSEGV, "segmentation fault", true},
    {SIGUSR2, "user defined signal 2", false},
    {SIGPIPE, "broken pipe", true},
    {SIGALRM, "alarm clock", false},
    {SIGTERM, "terminated", false},
    {SIGSTKFLT, "stack fault", false},
    {SIGSTOP, "stopped", false},
    {SIGXCPU, "CPU time limit exceeded", false},
    {SIGXFSZ, "file size limit exceeded", false},
    {SIGVTALRM, "virtual timer expired", false},
    {SIGPROF, "profiling timer expired", false},
    {SIGIO, "I/O possible", false},
    {SIGPWR, "power failure", false},
    {SIGSYS, "bad system call", false},
};

const char *subprocess_signal_name(int sig, char text[SUBPROCESS_STATUS_MAX])
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].sig == sig)
            return signals[i].name;
    snprintf(text, SUBPROCESS_STATUS_MAX, "signal %d", sig);
    return text;
}

bool subprocess_is_crash_signal(int sig)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (signals[i].sig == sig)
            return signals[i].crash;
    return false;
}

const char *subprocess_status_text(int status, char text[SUBPROCESS_STATUS_MAX])
{
    if (WIFSIGNALED(status)) {
        char name[SUBPROCESS_STATUS_MAX];

        snprintf(text, SUBPROCESS_STATUS_MAX, "signal: %.30s%s",
                 subprocess_signal_name(WTERMSIG(status), name),
                 WCOREDUMP(status) ? " (core dumped)" : "");
    } else {
        snprintf(text, SUBPROCESS_STATUS_MAX, "exit status %d", WEXITSTATUS(status));
    }
    return text;
}
