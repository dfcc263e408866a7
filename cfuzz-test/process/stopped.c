/*
 * stopped.c - see stopped.h.
 */
#define _GNU_SOURCE
#include "process/stopped.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/report.h"
#include "core/buf.h"
#include "core/io.h"

/* The letter of proc(5) for the state of process pid, of its first thread; 0 if there is none. */
static char state_of(pid_t pid)
{
    char path[64], text[512];
    const char *name_end;
    ssize_t n;
    int fd;

    if (pid <= 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    name_end = strrchr(text, ')'); /* the name may hold anything */
    return name_end != NULL && name_end[1] == ' ' ? name_end[2] : 0;
}

bool stopped_go_on(pid_t pid)
{
    if (state_of(pid) != 'T') /* 't' is a debugger's doing */
        return false;
    kill(pid, SIGCONT);
    return true;
}

bool stopped_is_zombie(pid_t pid)
{
    return state_of(pid) == 'Z';
}

void stopped_tell(uint64_t *n, const char *who, const char *what)
{
    if (++*n == 1)
        report_line("%s: %s had been stopped by a signal, and was told to go on", who, what);
    else if ((*n & (*n - 1)) == 0)
        report_line("%s: %s had been stopped by a signal, %llu times by now, and was told to go on",
                    who, what, (unsigned long long)*n);
}

/* ---- without a parent -------------------------------------------------------- */

enum {
    LIST_MAX = 1 << 20, /* bytes of pids that are read */
    ROUND_MS = 1,
    ROUNDS_MAX = 3000, /* guessed: a process may be freeing much memory */
};

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) < 0 || stopped_is_zombie(pid);
}

/* Kills the children of pid. Returns whether one of them is not gone. */
static bool kill_children(pid_t pid, struct cfz_buf *list)
{
    bool left = false;
    char path[64], *end;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    cfz_buf_truncate(list, 0);
    if (cfz_io_read_file(AT_FDCWD, path, LIST_MAX, list, NULL) < 0)
        return false;
    for (const char *at = cfz_buf_str(list);; at = end) {
        pid_t child = (pid_t)strtol(at, &end, 10);

        if (end == at || child <= 0)
            return left;
        if (is_gone(child))
            continue;
        kill(child, SIGKILL);
        left = true;
    }
}

void stopped_end(pid_t pid, pid_t session)
{
    const struct timespec pause = {.tv_nsec = ROUND_MS * 1000000};
    struct cfz_buf list = CFZ_BUF_INIT;

    if (pid <= 0 || getsid(pid) != session)
        return;
    kill(pid, SIGSTOP);
    for (int i = 0; i < ROUNDS_MAX && kill_children(pid, &list); i++)
        nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    for (int i = 0; i < ROUNDS_MAX && !is_gone(pid); i++)
        nanosleep(&pause, NULL);
    cfz_buf_release(&list);
}
