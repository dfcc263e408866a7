/*
 * proc.c - see proc.h.
 */
#define _GNU_SOURCE
#include "base/proc.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/io.h"

enum {
    LIST_MAX = 1 << 20, /* bytes of pids that are read */
    ROUND_MS = 1,
    ROUNDS_MAX = 3000, /* guessed: a process may be freeing much memory */
};

enum { STAT_MAX = 512 };

/* Reads what /proc/pid/stat has from the state on; NULL: it does not tell. */
static const char *read_stat(pid_t pid, char text[STAT_MAX])
{
    char path[64];
    const char *name_end;
    ssize_t n;
    int fd;

    if (pid <= 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    n = read(fd, text, STAT_MAX - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    name_end = strrchr(text, ')'); /* the name may hold anything */
    return name_end != NULL && name_end[1] == ' ' ? name_end + 2 : NULL;
}

char proc_state(pid_t pid)
{
    char text[STAT_MAX];
    const char *stat = read_stat(pid, text);

    return stat ? stat[0] : 0;
}

int proc_threads(pid_t pid)
{
    enum { BEFORE = 17 }; /* fields from the state to the number of threads */
    char text[STAT_MAX];
    const char *stat = read_stat(pid, text);

    for (int i = 0; stat && i < BEFORE; i++) {
        stat = strchr(stat, ' ');
        stat = stat ? stat + 1 : NULL;
    }
    return stat ? atoi(stat) : 0;
}

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) < 0 || proc_state(pid) == 'Z';
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

void proc_end_tree(pid_t pid, pid_t session)
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
