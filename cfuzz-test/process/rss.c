/*
 * rss.c - see rss.h.
 */
#define _GNU_SOURCE
#include "process/rss.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t rss_bytes(pid_t pid)
{
    char path[64], text[128];
    uint64_t size, resident;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64, &size, &resident) != 2)
        return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
