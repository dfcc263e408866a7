/*
 * result_file.h - a file for programs: it appears whole, at the end of a run. Context: ordinary.
 */
#ifndef RESULT_FILE_H
#define RESULT_FILE_H

#include "core/buf.h"

/*
 * result_file_check sees whether a file can be written at path, as far as that can be known before,
 * and removes one that an earlier run left: a run that is killed leaves none, rather than results
 * that are not its own. What is no regular file, a pipe or /dev/stdout say, is written to as it is.
 * CFZ_EIO "write out/r.xml: No such file or directory".
 */
int result_file_check(const char *path, struct cfz_error *err);

/* result_file_may is result_file_check, which leaves an earlier file where it is. */
int result_file_may(const char *path, struct cfz_error *err);

/* result_file_write writes text there. CFZ_EIO, CFZ_ENOMEM. */
int result_file_write(const char *path, const struct cfz_buf *text, struct cfz_error *err);
/* result_file_sync is result_file_write, which returns when the file is safely on disk. */
int result_file_sync(const char *path, const struct cfz_buf *text, struct cfz_error *err);

#endif
