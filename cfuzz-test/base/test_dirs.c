/*
 * test_dirs.c - see test_dirs.h.
 */
#define _GNU_SOURCE
#include "base/test_dirs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int test_dirs_open(int dirfd, const char *relative)
{
    char *copy = strdup(relative), *rest = copy, *part;
    int fd = copy != NULL ? fcntl(dirfd, F_DUPFD_CLOEXEC, 0) : -1;

    while (fd >= 0 && (part = strsep(&rest, "/")) != NULL) {
        int next;

        if (part[0] == '\0')
            continue;
        next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(fd);
        fd = next;
    }
    free(copy);
    return fd;
}

bool test_dirs_is_one(int dirfd, const char *name)
{
    struct dirent *entry;
    bool files_only = true;
    DIR *dir;
    int fd;

    if (name[0] == '.') /* a harness may have any other name */
        return false;
    fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (files_only && (entry = readdir(dir)) != NULL)
        files_only = entry->d_type != DT_DIR || entry->d_name[0] == '.';
    closedir(dir);
    return files_only;
}
