/*
 * io.h - whole files, and calls that survive EINTR. Context: ordinary.
 */
#ifndef CFZ_IO_H
#define CFZ_IO_H

#include <sys/types.h>

#include "core/buf.h"

/*
 * cfz_io_read_file appends the regular file at path to out. It opens without blocking: a FIFO is
 * refused, and nobody waits for it. dirfd is as for openat. CFZ_EIO: "open <path>: <why>", "read
 * <path>: <why>". CFZ_EFORMAT: "<path>: not a regular file", "<path>: <size> bytes is more than
 * <max>".
 */
int cfz_io_read_file(int dirfd, const char *path, size_t max, struct cfz_buf *out,
                     struct cfz_error *err);

/* Names of files that are being written begin with this and "<pid>-". Readers ignore them. */
#define CFZ_IO_TMP_PREFIX ".cfuzz-tmp-"

enum cfz_io_write_flags {
    CFZ_IO_SYNC = 1,    /* fsync file and directory: for crashers */
    CFZ_IO_REPLACE = 2, /* replace a file that is there; without it that is CFZ_EEXIST */
};

/*
 * cfz_io_write_file makes the file name appear in the directory dirfd, whole or not at all. It
 * writes an unnamed file (O_TMPFILE) and links it when it is complete. Where the file system has
 * none, and for CFZ_IO_REPLACE, it writes a file ".cfuzz-tmp-..." and renames it. A failure leaves
 * nothing behind; a kill may leave such a file, see cfz_io_sweep. dirfd may be AT_FDCWD. CFZ_EIO,
 * CFZ_EEXIST.
 */
int cfz_io_write_file(int dirfd, const char *name, const void *data, size_t len, unsigned flags,
                      struct cfz_error *err);

/*
 * cfz_io_sweep removes what killed writers left in the directory dirfd: files with
 * CFZ_IO_TMP_PREFIX whose process is gone. CFZ_EIO; what can be removed is removed all the same.
 */
int cfz_io_sweep(int dirfd, struct cfz_error *err);

/* cfz_io_mkdirs makes path and its parents (0777 less umask). It is a success if path is there. */
int cfz_io_mkdirs(const char *path, struct cfz_error *err);

/* cfz_io_write_all writes all of data to fd. Where that does not wait for its reader, which is of the
 * open file and may be another program's doing, it is waited for. */
int cfz_io_write_all(int fd, const void *data, size_t len, struct cfz_error *err);

/*
 * cfz_io_flush flushes all streams of the process, as fflush(NULL) does, if it has one thread. Beside
 * others, one of which may wait for input with its stream locked for good, it flushes stdout and
 * stderr, unless they are locked. A stream of user code may be broken, or a pipe that is full: where
 * it matters whose failure that is, the state is CFZ_STATE_TARGET. Context: ordinary, or a process
 * that ends.
 */
void cfz_io_flush(void);

#endif
