/*
 * corpus.h - corpus directories: what is in them, and adding to them.
 *
 * Used for seed directories (testdata/corpus/<Name>) and for the cache. Context:
 * ordinary.
 */
#ifndef CFZ_CORPUS_H
#define CFZ_CORPUS_H

#include "core/corpus/encoding.h"

/* One file of a corpus directory, good or bad. */
struct cfz_corpus_file {
    char *name;             /* its name in the directory */
    struct cfz_values vals; /* empty when bad */
    bool bad;
    bool other_types;       /* of a bad one: well-formed, but not the number or types of values */
    char *why;              /* of a bad one: the error text, path included; else NULL */
};

struct cfz_corpus_dir {
    struct cfz_corpus_file *files; /* sorted bytewise by name */
    size_t n;
};

#define CFZ_CORPUS_DIR_INIT {NULL, 0}

/*
 * cfz_corpus_load reads the corpus directory at path for a test with these kinds.
 * A missing directory is an empty one. Sub-directories are ignored, and so are
 * names that begin with "." or "README" or end in "~" or ".md". Every other entry
 * is a file of the result; one that is malformed, of other types, unreadable,
 * dangling or no regular file is bad and says why, with path and line:
 *     testdata/corpus/FuzzX/1f0c: line 3: malformed line "int8(300)": ...
 * Fails with CFZ_EIO when path is no directory or cannot be listed:
 *     reading seed corpus from <path>: <why>
 */
int cfz_corpus_load(const char *path, const enum cfz_kind *kinds, size_t n,
                    struct cfz_corpus_dir *out, struct cfz_error *err);
void cfz_corpus_dir_release(struct cfz_corpus_dir *d);

/*
 * cfz_corpus_save writes values into the directory at path, which it makes when
 * missing, under the name of their content's hash; name gets it. What is there
 * already under that name is kept: success if it is the same, else CFZ_EEXIST.
 * flags: CFZ_IO_SYNC for crashers. Errors name path and file.
 *
 * In corpus_save.c, which needs libmd (SHA-256): part of cfz_core, which the driver
 * and the unit tests link, and not of libcfuzz.a, which only loads.
 */
int cfz_corpus_save(const char *path, const struct cfz_values *vs, unsigned flags, char name[17],
                    struct cfz_error *err);

#endif
