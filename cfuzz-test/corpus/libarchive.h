/*
 * libarchive.h - the functions of libarchive that are used here, in a library that is loaded when
 * an archive is met.
 */
#ifndef LIBARCHIVE_H
#define LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#include "base/library.h"

#define LIBARCHIVE_FUNCTIONS(X)                                                                    \
    X(archive_entry_filetype)                                                                      \
    X(archive_entry_free)                                                                          \
    X(archive_entry_new)                                                                           \
    X(archive_entry_pathname)                                                                      \
    X(archive_entry_set_filetype)                                                                  \
    X(archive_entry_set_pathname)                                                                  \
    X(archive_entry_set_perm)                                                                      \
    X(archive_entry_set_size)                                                                      \
    X(archive_error_string)                                                                        \
    X(archive_read_data)                                                                           \
    X(archive_read_free)                                                                           \
    X(archive_read_new)                                                                            \
    X(archive_read_next_header)                                                                    \
    X(archive_read_open_filename)                                                                  \
    X(archive_read_support_filter_all)                                                             \
    X(archive_read_support_format_tar)                                                             \
    X(archive_read_support_format_zip)                                                             \
    X(archive_write_close)                                                                         \
    X(archive_write_data)                                                                          \
    X(archive_write_free)                                                                          \
    X(archive_write_header)                                                                        \
    X(archive_write_new)                                                                           \
    X(archive_write_open_filename)                                                                 \
    X(archive_write_set_format_zip)

struct libarchive {
    LIBARCHIVE_FUNCTIONS(LIBRARY_MEMBER)
};

/* libarchive_load gives them. NULL with CFZ_EIO if the library cannot be loaded. */
const struct libarchive *libarchive_load(struct cfz_error *err);

#endif
