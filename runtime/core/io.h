/*
 * io.h - whole files, and calls that survive EINTR. Context: ordinary.
 */
#ifndef CFZ_IO_H
#define CFZ_IO_H

#include <sys/types.h>

#include "core/buf.h"

/*
 * cfz_io_read_file appends the regular file at path to out. Opened without
 * blocking, so a FIFO is refused and never waited for. dirfd as for openat.
 * Errors, CFZ_EIO: "open <path>: <why>", "read <path>: <why>"; CFZ_EFORMAT:
 * "<path>: not a regular file", "<path>: <size> bytes is more than <max>".
 */
int cfz_io_read_file(int dirfd, const char *path, size_t max, struct cfz_buf *out,
                     struct cfz_error *err);

/* What the names of files being written begin with, followed by "<pid>-": readers ignore them. */
#define CFZ_IO_TMP_PREFIX ".cfuzz-tmp-"

enum cfz_io_write_flags {
    CFZ_IO_SYNC = 1,    /* fsync file and directory before it is visible: crashers */
    CFZ_IO_REPLACE = 2, /* replace what is there; otherwise that is CFZ_EEXIST */
};

/*
 * cfz_io_write_file makes the file name appear in the directory dirfd whole or
 * not at all: an unnamed file (O_TMPFILE) that is linked when complete; where
 * the file system has none, a name ".cfuzz-tmp-..." that is renamed. Nothing is
 * left on failure, nor after a kill but such a name, see cfz_io_sweep. dirfd may be
 * AT_FDCWD. CFZ_EIO, CFZ_EEXIST.
 */
int cfz_io_write_file(int dirfd, const char *name, const void *data, size_t len, unsigned flags,
                      struct cfz_error *err);

/*
 * cfz_io_sweep removes what writers that were killed left in the directory dirfd:
 * names with CFZ_IO_TMP_PREFIX whose process is gone. CFZ_EIO; the rest is removed.
 */
int cfz_io_sweep(int dirfd, struct cfz_error *err);

/* cfz_io_mkdirs makes path and its parents (0777 less umask); there already is success. */
int cfz_io_mkdirs(const char *path, struct cfz_error *err);

/* cfz_io_write_all writes all of data to fd. */
int cfz_io_write_all(int fd, const void *data, size_t len, struct cfz_error *err);

#endif
