/*
 * corpus.h - corpus directories: what is in them, and adding to them.
 *
 * They are the seed directories (testdata/corpus/<Name>), and the cache. Context: ordinary.
 */
#ifndef CFZ_CORPUS_H
#define CFZ_CORPUS_H

#include "core/corpus/encoding.h"

/* One file of a corpus directory, good or bad. */
struct cfz_corpus_file {
    char *name;             /* its name in the directory */
    struct cfz_values vals; /* empty when bad */
    bool bad;
    bool other_types;       /* of a bad one: it is well-formed, but has values for another test */
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
 * names that begin with "." or "README" or end in "~" or ".md", and the dictionary of
 * a test, <Name>.dict in a directory <Name>. Every other entry is a file of the result. It is bad if it is malformed, has other types, cannot be
 * read, is a dangling link or not a regular file; why says so, with path and line:
 *     testdata/corpus/FuzzX/1f0c: line 3: malformed line "int8(300)": ...
 * CFZ_ENOMEM; CFZ_EIO if path is not a directory or cannot be listed:
 *     reading seed corpus from <path>: <why>
 */
int cfz_corpus_load(const char *path, const enum cfz_kind *kinds, size_t n,
                    struct cfz_corpus_dir *out, struct cfz_error *err);
void cfz_corpus_dir_release(struct cfz_corpus_dir *d);

/*
 * cfz_corpus_save writes values into a file in the directory at path, which it makes if
 * it is missing. The name of the file is the hash of its content; name gets it. A file of
 * that name stays as it is: a success if it is the same, else CFZ_EEXIST. flags is 0,
 * CFZ_IO_SYNC for crashers, or CFZ_IO_REPLACE, with which such a file is replaced: it is
 * damaged, as its name says what its content should be. Errors name path and file.
 *
 * It is in corpus_save.c, which needs libmd (SHA-256): the driver and the unit tests have
 * it (cfz_core), libcfuzz.a, which only loads, has not.
 */
int cfz_corpus_save(const char *path, const struct cfz_values *vs, unsigned flags, char name[17],
                    struct cfz_error *err);

#endif
