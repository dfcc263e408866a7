/*
 * stopped.c - see stopped.h.
 */
#define _GNU_SOURCE
#include "process/stopped.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/report.h"

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
