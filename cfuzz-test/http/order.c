/*
 * order.c - see order.h.
 *
 * What it prints, and what it makes, goes into files without a name: nothing is left behind
 * however this process ends.
 */
#define _GNU_SOURCE
#include "http/order.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd_limit.h"

enum {
    CHILD_FAILED = 127,
    /* Of a CPU that others use too it has a tenth. There is no setsid for it: to a group of processes
     * with a terminal session of its own Linux gives as much as to all others of ours (sched(7),
     * autogroup). */
    NICE = 10,
    TEXT_SHOWN = 4096, /* bytes of what it printed */
    END_MS = 3000,     /* so long it may take to end when it is asked to */
    TRY_MS = 10,
    RESULT_MAX = 256 << 20,
};

struct order {
    pid_t pid; /* 0: it has ended */
    int text;  /* what it prints */
};

struct order_result {
    int fd;
    char path[64];
};

/* Context: a child between fork and exec, of a process with threads. */
static void exec_child(const struct order *o, char *const *argv, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL); /* the driver ignores both, and children inherit that */
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(o->text, STDOUT_FILENO) < 0 || dup2(o->text, STDERR_FILENO) < 0)
        _exit(CHILD_FAILED);
    setpriority(PRIO_PROCESS, 0, NICE);
    execv("/proc/self/exe", argv);
    _exit(CHILD_FAILED);
}

int order_start(const struct strlist *args, struct order **out, struct cfz_error *err)
{
    struct order *o = calloc(1, sizeof *o);
    char **argv = calloc(args->n + 2, sizeof *argv);
    static char name[] = "cfuzz-test";
    pid_t parent = getpid();
    int ret = -1;

    *out = NULL;
    if (o == NULL || argv == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    argv[0] = name;
    for (size_t i = 0; i < args->n; i++)
        argv[i + 1] = args->v[i];
    o->text = memfd_create("cfuzz-order", MFD_CLOEXEC);
    if (o->text < 0) {
        cfz_fail_errno(err, "memfd_create");
        goto out;
    }
    o->pid = fork();
    if (o->pid == 0) {
        fd_limit_restore();
        exec_child(o, argv, parent);
    }
    if (o->pid < 0) {
        cfz_fail_errno(err, "fork");
        close(o->text);
        goto out;
    }
    setpgid(o->pid, o->pid); /* whoever is first */
    *out = o;
    o = NULL;
    ret = 0;
out:
    free(o);
    free(argv);
    return ret;
}

bool order_over(struct order *o, int *status, struct cfz_buf *text)
{
    char part[TEXT_SHOWN];
    off_t len;
    ssize_t n;

    if (o->pid == 0 || waitpid(o->pid, status, WNOHANG) != o->pid)
        return false;
    o->pid = 0;
    len = lseek(o->text, 0, SEEK_END);
    n = pread(o->text, part, sizeof part, len > TEXT_SHOWN ? len - TEXT_SHOWN : 0);
    if (n > 0)
        cfz_buf_append(text, part, (size_t)n, NULL);
    return true;
}

void order_free(struct order *o)
{
    const struct timespec gap = {0, TRY_MS * 1000000};
    int status;

    if (o == NULL)
        return;
    if (o->pid > 0)
        kill(o->pid, SIGTERM); /* it ends its own processes */
    for (int waited = 0; o->pid > 0 && waitpid(o->pid, &status, WNOHANG) == 0; waited += TRY_MS) {
        if (waited >= END_MS) {
            kill(-o->pid, SIGKILL);
            waitpid(o->pid, &status, 0);
            break;
        }
        nanosleep(&gap, NULL);
    }
    close(o->text);
    free(o);
}

int order_result_new(struct order_result **out, struct cfz_error *err)
{
    struct order_result *r = calloc(1, sizeof *r);

    *out = NULL;
    if (r == NULL)
        return cfz_fail_nomem(err);
    r->fd = memfd_create("cfuzz-result", MFD_CLOEXEC);
    if (r->fd < 0) {
        free(r);
        return cfz_fail_errno(err, "memfd_create");
    }
    snprintf(r->path, sizeof r->path, "/proc/%ld/fd/%d", (long)getpid(), r->fd);
    *out = r;
    return 0;
}

const char *order_result_path(const struct order_result *r)
{
    return r->path;
}

int order_result_read(const struct order_result *r, struct cfz_buf *out, struct cfz_error *err)
{
    off_t len = lseek(r->fd, 0, SEEK_END);

    if (len < 0 || len > RESULT_MAX)
        return cfz_fail(err, CFZ_EIO, "%s: it is too large", r->path);
    for (off_t at = 0; at < len;) {
        ssize_t n;

        if (cfz_buf_reserve(out, (size_t)(len - at), err) < 0)
            return -1;
        n = pread(r->fd, out->data + out->len, (size_t)(len - at), at);
        if (n <= 0)
            return cfz_fail_errno(err, "%s", r->path);
        out->len += (size_t)n;
        out->data[out->len] = '\0';
        at += n;
    }
    return 0;
}

void order_result_free(struct order_result *r)
{
    if (r == NULL)
        return;
    close(r->fd);
    free(r);
}
