/*
 * temp_token.c - see temp_token.h.
 *
 *     63        40 39        16 15          0
 *     | driver    | place      | its start  |    place: hash of the boot and the pid namespace
 */
#define _GNU_SOURCE
#include "core/temp_token.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACE_AT = 16, DRIVER_AT = 40, PLACE_MASK = 0xffffff, START_MASK = 0xffff };

static bool read_text(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The hash of the boot and the pid namespace; 0 if the system does not tell them. */
static uint64_t place(void)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    char text[128];
    struct stat st;
    size_t len;

    if (!read_text("/proc/sys/kernel/random/boot_id", text, 64) ||
        stat("/proc/self/ns/pid", &st) < 0)
        return 0;
    len = strlen(text);
    snprintf(text + len, sizeof text - len, "%llu", (unsigned long long)st.st_ino);
    for (const char *p = text; *p != '\0'; p++)
        h = (h ^ (uint8_t)*p) * UINT64_C(0x100000001b3);
    h = (h ^ h >> 32) & PLACE_MASK;
    return h != 0 ? h : 1;
}

uint64_t cfz_temp_token(pid_t driver)
{
    enum { START_FIELD = 22 }; /* of /proc/<pid>/stat, counted from 1; see proc(5) */
    char path[64], text[1024], *at;
    uint64_t here = place();

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)driver);
    if (here == 0 || driver <= 0 || driver >= 1 << 24 || !read_text(path, text, sizeof text))
        return 0;
    at = strrchr(text, ')'); /* the name, field 2, may have anything in it */
    for (int field = 2; at != NULL && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    if (at == NULL)
        return 0;
    return (uint64_t)driver << DRIVER_AT | here << PLACE_AT | (strtoull(at, NULL, 10) & START_MASK);
}

bool cfz_temp_token_is_dead(uint64_t token)
{
    uint64_t here = place();

    return here != 0 && (token >> PLACE_AT & PLACE_MASK) == here &&
           cfz_temp_token((pid_t)(token >> DRIVER_AT)) != token;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    remove(path);
    return 0; /* go on: remove what can be removed */
}

void cfz_temp_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
