/*
 * result_file.c - see result_file.h.
 */
#define _GNU_SOURCE
#include "results/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io.h"

/* Opens the directory of path. *name is the rest, borrowed. */
static int open_dir(const char *path, const char **name, struct cfz_error *err)
{
    const char *slash = strrchr(path, '/');
    char *dir;
    int fd;

    *name = slash != NULL ? slash + 1 : path;
    dir = slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (dir == NULL)
        return cfz_fail_nomem(err);
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        cfz_fail_errno(err, "write %s", path);
    free(dir);
    return fd;
}

/* Whether there is something at path that a file must not take the place of: a device, a pipe, a
 * link to what is open already. */
static bool is_special(const char *path)
{
    struct stat st;

    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* The file itself, where path is a link to one: the link stays. The caller frees it. */
static char *behind_links(const char *path)
{
    struct stat st;
    char *real = lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;

    return real != NULL ? real : strdup(path);
}

/* Sees whether the file can be written, and removes what is there unless it stays. */
static int check(const char *path, bool stays, struct cfz_error *err)
{
    const char *name;
    struct stat st;
    int fd = open_dir(path, &name, err), ret = 0;

    if (fd < 0)
        return -1;
    if (name[0] == '\0' || (fstatat(fd, name, &st, 0) == 0 && S_ISDIR(st.st_mode))) {
        errno = EISDIR;
        ret = cfz_fail_errno(err, "write %s", path);
    } else if (faccessat(fd, ".", W_OK | X_OK, 0) < 0 ||
               (!stays && unlinkat(fd, name, 0) < 0 && errno != ENOENT)) {
        ret = cfz_fail_errno(err, "write %s", path);
    }
    close(fd);
    return ret;
}

/* What lies behind a link is not removed: the link would lead nowhere. */
static int check_path(const char *path, bool stays, struct cfz_error *err)
{
    char *real;
    int ret;

    if (is_special(path))
        return access(path, W_OK) == 0 ? 0 : cfz_fail_errno(err, "write %s", path);
    real = behind_links(path);
    ret = real != NULL ? check(real, stays || strcmp(real, path) != 0, err) : cfz_fail_nomem(err);
    free(real);
    return ret;
}

int result_file_check(const char *path, struct cfz_error *err)
{
    return check_path(path, false, err);
}

int result_file_may(const char *path, struct cfz_error *err)
{
    return check_path(path, true, err);
}

static int write_text(const char *path, const struct cfz_buf *text, unsigned flags,
                      struct cfz_error *err)
{
    char *real = behind_links(path);
    const char *name;
    struct cfz_error why = CFZ_ERROR_INIT;
    int fd, ret = -1;

    if (real == NULL)
        return cfz_fail_nomem(err);
    if (is_special(path)) {
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        if (fd >= 0 && cfz_io_write_all(fd, text->data, text->len, &why) == 0)
            ret = 0;
        else if (fd < 0)
            cfz_fail_errno(&why, "open");
    } else {
        fd = open_dir(real, &name, &why);
        if (fd >= 0)
            ret = cfz_io_write_file(fd, name, text->data, text->len, flags, &why);
    }
    if (ret < 0) {
        errno = why.sys;
        cfz_fail_errno(err, "write %s", path);
    }
    if (fd >= 0)
        close(fd);
    free(real);
    return ret;
}

int result_file_write(const char *path, const struct cfz_buf *text, struct cfz_error *err)
{
    return write_text(path, text, CFZ_IO_REPLACE, err);
}

int result_file_sync(const char *path, const struct cfz_buf *text, struct cfz_error *err)
{
    return write_text(path, text, CFZ_IO_REPLACE | CFZ_IO_SYNC, err);
}
