/*
 * corpus_source.h - the inputs that a file, a directory or an archive holds, as other engines leave
 * them. Context: ordinary.
 */
#ifndef CORPUS_SOURCE_H
#define CORPUS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Takes one input, borrowed; or, where why is not NULL, what cannot be read, whose text that is.
 * label is its path, of one in an archive "seeds.zip: a/b". Returns -1 to end it all. */
typedef int corpus_source_fn(void *ctx, const char *label, const uint8_t *data, size_t len,
                             const char *why, struct cfz_error *err);

/*
 * corpus_source_each calls fn for each input at path, in the order of names:
 *
 *   a file       is one input
 *   an archive   .zip, .tar, .tgz, .tar.gz, .tar.bz2, .tar.xz: its regular files
 *   a directory  its files and those below it, but .*, README*, *~, *.md, *.dict and the reports of
 *                honggfuzz; symbolic links to directories are passed over
 *   a directory of AFL++ (it has fuzzer_stats): id:* of queue, crashes and hangs
 *
 * CFZ_EIO if path is not there; CFZ_EFORMAT for an archive that is corrupt, or that has a name
 * which leads out of it: then no input of it is handed out. Else -1 comes from fn.
 */
int corpus_source_each(const char *path, corpus_source_fn *fn, void *ctx, struct cfz_error *err);

#endif
