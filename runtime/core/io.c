/*
 * io.c - whole files, read with a limit and written whole or not at all.
 *
 * With O_TMPFILE the content goes to a file without a name, so nothing has to be removed whatever
 * happens to us. linkat names the file when it is complete. There are file systems without
 * O_TMPFILE (NFS, overlays of old kernels), and linkat cannot replace a file. Then the content goes
 * to a file in the same directory whose name begins with CFZ_IO_TMP_PREFIX, which is linked or
 * renamed.
 */
#define _GNU_SOURCE 1
#include "core/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int cfz_io_write_all(int fd, const void *data, size_t len, struct cfz_error *err)
{
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    const uint8_t *p = data;

    while (len > 0) {
        ssize_t n = write(fd, p, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) &&
            (poll(&room, 1, -1) >= 0 || errno == EINTR))
            continue;
        if (n < 0)
            return cfz_fail_errno(err, "write");
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

/* Reads fd to its end into out; a file that grows past max while we read is refused too. */
static int read_all(int fd, const char *path, size_t max, struct cfz_buf *out,
                    struct cfz_error *err)
{
    size_t start = out->len;

    for (;;) {
        ssize_t n;

        if (cfz_buf_reserve(out, 1, err) < 0)
            return cfz_error_wrap(err, "read %s", path);
        n = read(fd, out->data + out->len, out->cap - out->len - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cfz_fail_errno(err, "read %s", path);
        if (n == 0)
            return 0;
        out->len += (size_t)n;
        out->data[out->len] = '\0';
        if (out->len - start > max)
            return cfz_fail(err, CFZ_EFORMAT, "%s: more than %zu bytes", path, max);
    }
}

int cfz_io_read_file(int dirfd, const char *path, size_t max, struct cfz_buf *out,
                     struct cfz_error *err)
{
    size_t start = out->len;
    struct stat st;
    int fd, ret = -1;

    do
        fd = openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0 && (errno == ENXIO || errno == ENODEV)) /* a socket, a device without driver */
        return cfz_fail(err, CFZ_EFORMAT, "%s: not a regular file", path);
    if (fd < 0)
        return cfz_fail_errno(err, "open %s", path);
    if (fstat(fd, &st) < 0) {
        cfz_fail_errno(err, "stat %s", path);
        goto out;
    }
    if (!S_ISREG(st.st_mode)) {
        cfz_fail(err, CFZ_EFORMAT, "%s: not a regular file", path);
        goto out;
    }
    if ((uintmax_t)st.st_size > max) {
        cfz_fail(err, CFZ_EFORMAT, "%s: %jd bytes is more than %zu", path, (intmax_t)st.st_size,
                 max);
        goto out;
    }
    if (cfz_buf_reserve(out, (size_t)st.st_size + 1, err) < 0) {
        cfz_error_wrap(err, "read %s", path);
        goto out;
    }
    ret = read_all(fd, path, max, out, err);
out:
    if (ret < 0)
        cfz_buf_truncate(out, start); /* as it was */
    close(fd);
    return ret;
}

/* ---- writing ------------------------------------------------------------- */

static int fsync_eintr(int fd)
{
    int ret;

    do
        ret = fsync(fd);
    while (ret < 0 && errno == EINTR);
    return ret;
}

/* Content and, when asked for, its way to the disk. The error text begins "write <name>". */
static int fill(int fd, const char *name, const void *data, size_t len, unsigned flags,
                struct cfz_error *err)
{
    if (cfz_io_write_all(fd, data, len, err) < 0)
        return cfz_fail_errno(err, "write %s", name); /* errno is still the reason */
    if ((flags & CFZ_IO_SYNC) && fsync_eintr(fd) < 0)
        return cfz_fail_errno(err, "sync %s", name);
    return 0;
}

static int fail_link(const char *name, struct cfz_error *err)
{
    if (errno == EEXIST)
        return cfz_fail(err, CFZ_EEXIST, "%s: already there", name);
    return cfz_fail_errno(err, "write %s", name);
}

/* Opens a new file of a name nobody else has, which the caller removes or renames. */
static int open_named(int dirfd, char *tmp, size_t size)
{
    struct timespec now;
    int fd = -1;

    for (int tries = 0; tries < 100; tries++) {
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(tmp, size, CFZ_IO_TMP_PREFIX "%ld-%lx-%x", (long)getpid(),
                 (unsigned long)now.tv_nsec ^ (unsigned long)now.tv_sec << 20, (unsigned)tries);
        fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0 || (errno != EEXIST && errno != EINTR))
            break;
    }
    return fd;
}

static int write_named(int dirfd, const char *name, const void *data, size_t len, unsigned flags,
                       struct cfz_error *err)
{
    char tmp[64];
    int fd, ret = -1;

    fd = open_named(dirfd, tmp, sizeof tmp);
    if (fd < 0)
        return cfz_fail_errno(err, "write %s", name);
    if (fill(fd, name, data, len, flags, err) < 0)
        goto out;
    if (flags & CFZ_IO_REPLACE) {
        if (renameat(dirfd, tmp, dirfd, name) < 0) {
            cfz_fail_errno(err, "write %s", name);
            goto out;
        }
        ret = 0;
        goto out_renamed;
    }
    /* Unlike a rename, a link never replaces. File systems without links (FAT) have
     * renameat2; those with neither are beyond us. */
    if (linkat(dirfd, tmp, dirfd, name, 0) < 0) {
        if (errno == EEXIST || renameat2(dirfd, tmp, dirfd, name, RENAME_NOREPLACE) < 0) {
            fail_link(name, err);
            goto out;
        }
        ret = 0;
        goto out_renamed;
    }
    ret = 0;
out:
    unlinkat(dirfd, tmp, 0);
out_renamed:
    close(fd);
    return ret;
}

/* Returns 1 if the directory's file system cannot have unnamed files. */
static int write_unnamed(int dirfd, const char *name, const void *data, size_t len, unsigned flags,
                         struct cfz_error *err)
{
    char self[40];
    int fd, ret = -1;

    do
        fd = openat(dirfd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        /* EOPNOTSUPP: the file system; EISDIR, ENOENT: a kernel that ignores the flag. */
        if (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL)
            return 1;
        return cfz_fail_errno(err, "write %s", name);
    }
    if (fill(fd, name, data, len, flags, err) < 0)
        goto out;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (linkat(AT_FDCWD, self, dirfd, name, AT_SYMLINK_FOLLOW) < 0) {
        if (errno != EEXIST) /* no /proc here, or links refused: try the other way */
            ret = 1;
        else
            fail_link(name, err);
        goto out;
    }
    ret = 0;
out:
    close(fd);
    return ret;
}

int cfz_io_write_file(int dirfd, const char *name, const void *data, size_t len, unsigned flags,
                      struct cfz_error *err)
{
    int ret = 1;

    if (!(flags & CFZ_IO_REPLACE))
        ret = write_unnamed(dirfd, name, data, len, flags, err);
    if (ret > 0)
        ret = write_named(dirfd, name, data, len, flags, err);
    /* Some file systems cannot sync a directory, and AT_FDCWD is not a descriptor; the
     * file's content is on the disk by now. */
    if (ret == 0 && (flags & CFZ_IO_SYNC) && dirfd != AT_FDCWD && fsync_eintr(dirfd) < 0 &&
        errno != EINVAL)
        return cfz_fail_errno(err, "sync the directory of %s", name);
    return ret;
}

int cfz_io_mkdirs(const char *path, struct cfz_error *err)
{
    char *copy = strdup(path);
    struct stat st;
    int ret = -1;

    if (!copy)
        return cfz_fail(err, CFZ_ENOMEM, "mkdir %s: out of memory", path);
    for (char *p = copy;; p++) {
        char c = *p;

        if ((c != '/' && c != '\0') || p == copy)
            goto next;
        *p = '\0';
        if (mkdir(copy, 0777) < 0) {
            int sys = errno;

            /* EEXIST, but also EROFS or EACCES of a parent that is there. */
            if (stat(copy, &st) < 0 || !S_ISDIR(st.st_mode)) {
                errno = sys == EEXIST ? ENOTDIR : sys;
                cfz_fail_errno(err, "mkdir %s", copy);
                goto out;
            }
        }
        *p = c;
    next:
        if (c == '\0')
            break;
    }
    ret = 0;
out:
    free(copy);
    return ret;
}

int cfz_io_sweep(int dirfd, struct cfz_error *err)
{
    static const char prefix[] = CFZ_IO_TMP_PREFIX;
    struct dirent *e;
    DIR *dir;
    int fd, ret = 0;

    fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return cfz_fail_errno(err, "open the directory to clean");
    dir = fdopendir(fd);
    if (!dir) {
        cfz_fail_errno(err, "read the directory to clean");
        close(fd);
        return -1;
    }
    while ((e = readdir(dir))) {
        char *end;
        long pid;

        if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        pid = strtol(e->d_name + sizeof prefix - 1, &end, 10);
        if (*end != '-' || pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
            continue; /* no name of ours, or its writer is at work */
        if (unlinkat(dirfd, e->d_name, 0) < 0 && errno != ENOENT)
            ret = cfz_fail_errno(err, "remove %s", e->d_name);
    }
    closedir(dir);
    return ret;
}

/* Whether this is the only thread of the process. Where /proc does not say, it is not. */
static bool is_alone(void)
{
    struct stat st;

    return stat("/proc/self/task", &st) == 0 && st.st_nlink == 3; /* itself, its "." and ".." */
}

static void flush_unless_locked(FILE *f)
{
    if (ftrylockfile(f) != 0)
        return;
    fflush(f);
    funlockfile(f);
}

void cfz_io_flush(void)
{
    if (is_alone()) {
        fflush(NULL);
        return;
    }
    flush_unless_locked(stdout);
    flush_unless_locked(stderr);
}
