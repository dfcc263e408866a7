/*
 * temp_dirs.c - see temp_dirs.h.
 */
#define _GNU_SOURCE
#include "target/temp_dirs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/temp_token.h"

static uint64_t token; /* 0: none yet */

void cfz_temp_dirs_init(pid_t driver)
{
    struct timespec now;

    if (token != 0)
        return;
    token = cfz_temp_token(driver);
    if (token != 0)
        return;
    if (getrandom(&token, sizeof token, GRND_NONBLOCK) != (ssize_t)sizeof token) {
        clock_gettime(CLOCK_REALTIME, &now);
        token = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    }
    token |= 1;
}

bool cfz_temp_dirs_path(pid_t pid, bool setup, char *path, size_t room)
{
    const char *tmp = getenv("TMPDIR");
    int n;

    if (!tmp || tmp[0] != '/')
        tmp = "/tmp";
    n = snprintf(path, room, "%s/" CFZ_TEMP_PREFIX "%016llx-%ld%s", tmp, (unsigned long long)token, (long)pid,
                 setup ? "-setup" : "");
    return n > 0 && (size_t)n < room;
}

void cfz_temp_dirs_bury(pid_t pid)
{
    char path[512];
    struct stat st;

    for (int setup = 0; setup <= 1; setup++)
        if (cfz_temp_dirs_path(pid, setup, path, sizeof path) && lstat(path, &st) == 0 &&
            S_ISDIR(st.st_mode) && st.st_uid == geteuid())
            cfz_temp_remove(path);
}
