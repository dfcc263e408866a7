/*
 * temp_sweep.c - see temp_sweep.h.
 */
#define _GNU_SOURCE
#include "process/temp_sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/temp_token.h"

enum {
    DIGITS = 16,
    /* A process that was killed may still be at it for a moment. */
    TRIES = 50,
    TRY_MS = 10,
};

/* The token in the name of a directory; 0 if there is none. */
static uint64_t token_of(const char *name)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = name + strlen(CFZ_TEMP_PREFIX);

    if (strncmp(name, CFZ_TEMP_PREFIX, strlen(CFZ_TEMP_PREFIX)) != 0 ||
        strspn(at, digits) != DIGITS || at[DIGITS] != '-' ||
        strspn(at + DIGITS + 1, "0123456789") == 0)
        return 0;
    return strtoull(at, NULL, 16);
}

/* Removes the directories of the token own, or those of dead runs if it is 0. Returns how many are
 * left. */
static int sweep(uint64_t own)
{
    const char *tmp = getenv("TMPDIR");
    char path[4096];
    struct dirent *e;
    struct stat st;
    int left = 0;
    DIR *d;

    if (tmp == NULL || tmp[0] != '/') /* as the runtime does */
        tmp = "/tmp";
    d = opendir(tmp);
    if (d == NULL)
        return 0;
    while ((e = readdir(d)) != NULL) {
        uint64_t token = token_of(e->d_name);
        int n;

        if (token == 0)
            continue;
        n = snprintf(path, sizeof path, "%s/%s", tmp, e->d_name);
        if (n < 0 || (size_t)n >= sizeof path || lstat(path, &st) < 0 || !S_ISDIR(st.st_mode) ||
            st.st_uid != geteuid())
            continue;
        if (own != 0 ? token != own : !cfz_temp_token_is_dead(token))
            continue;
        cfz_temp_remove(path);
        left += lstat(path, &st) == 0;
    }
    closedir(d);
    return left;
}

void temp_sweep_begin(void)
{
    sweep(0);
}

void temp_sweep_end(void)
{
    const struct timespec pause = {.tv_nsec = TRY_MS * 1000000};
    uint64_t own = cfz_temp_token(getpid());

    for (int i = 0; own != 0 && i < TRIES && sweep(own) > 0; i++)
        nanosleep(&pause, NULL);
}
