/*
 * worker_watch.c - see worker_watch.h.
 *
 * Between a signal and the end of the process that it ends some 0.1 ms pass, in which a worker
 * executes a hundred inputs. From the moment of the call on the signal is listed as pending for the
 * process (proc(5): ShdPnd), also while that ends.
 */
#define _GNU_SOURCE
#include "worker/worker_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ABOVE_MAX = 3 }; /* origin, host, guard */

static pid_t above[ABOVE_MAX];
static unsigned nabove;

void cfz_worker_watch_add(pid_t pid)
{
    if (nabove < ABOVE_MAX)
        above[nabove++] = pid;
}

/* Whether there is no such process. One of another user, whom tested code has become, is there. */
static bool is_gone(pid_t pid)
{
    return kill(pid, 0) < 0 && errno == ESRCH;
}

/* Whether SIGKILL is pending for a process, or the process is gone. */
static bool is_doomed(pid_t pid)
{
    static const char mark[] = "\nShdPnd:";
    char path[64], text[4096];
    const char *at;
    size_t len = 0;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return is_gone(pid);
    while (len < sizeof text - 1 && (n = read(fd, text + len, sizeof text - 1 - len)) > 0)
        len += (size_t)n;
    close(fd);
    text[len] = '\0';
    at = strstr(text, mark);
    if (at && (strtoull(at + sizeof mark - 1, NULL, 16) & (UINT64_C(1) << (SIGKILL - 1))) != 0)
        return true;
    return is_gone(pid); /* it ended, and was waited for, while we read */
}

void cfz_worker_watch(void)
{
    for (unsigned i = 0; i < nabove; i++)
        while (is_doomed(above[i]))
            pause(); /* the kernel ends us with it (children.c), or the driver does */
}
