/*
 * corpus_zip.h - a zip file of inputs in flat form, which other engines take as a seed corpus.
 * Context: ordinary.
 */
#ifndef CORPUS_ZIP_H
#define CORPUS_ZIP_H

#include "base/strlist.h"
#include "core/value.h"

struct archive;

/* One that is being written. */
struct corpus_zip {
    struct archive *a;
    char *path, *temporary; /* it appears at path when it is complete */
    struct strlist names;
};

/* corpus_zip_open begins a file. CFZ_EIO. On success one of the two below ends it. */
int corpus_zip_open(struct corpus_zip *z, const char *path, struct cfz_error *err);

/* corpus_zip_add adds an input, named by its bytes; equal ones once, which *added says. CFZ_EIO. */
int corpus_zip_add(struct corpus_zip *z, const void *data, size_t len, bool *added,
                   struct cfz_error *err);

/* corpus_zip_finish completes the file; it replaces one that is there. With nothing in it none is
 * made. CFZ_EIO. corpus_zip_drop gives up, and does nothing after the other. */
int corpus_zip_finish(struct corpus_zip *z, struct cfz_error *err);
void corpus_zip_drop(struct corpus_zip *z);

#endif
