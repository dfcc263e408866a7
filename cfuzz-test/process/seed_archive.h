/*
 * seed_archive.h - seeds in a zip archive, one a file of it. Context: ordinary.
 */
#ifndef SEED_ARCHIVE_H
#define SEED_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Takes one file: its name, in which '_' stands for '/', and its content, both borrowed. */
typedef int seed_archive_fn(void *ctx, const char *name, const uint8_t *data, size_t len,
                            struct cfz_error *err);

/*
 * seed_archive_read calls fn for each file in the archive at path, in its order, until fn fails.
 * Nothing is written to disk. CFZ_EFORMAT, before fn is called for the file concerned: "<path>: not
 * a zip archive", "<path>: <name>: <why>" for one that is damaged or encrypted, larger than an
 * argument may be (64 MiB), or whose name has ".." in it or begins with '/'; "<path>: more than
 * 1024 MiB". CFZ_EIO if the file cannot be read.
 */
int seed_archive_read(const char *path, seed_archive_fn *fn, void *ctx, struct cfz_error *err);

#endif
