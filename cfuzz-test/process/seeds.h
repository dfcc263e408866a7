/*
 * seeds.h - the seeds of a fuzz test: what its setup part added, then the files of its seed
 * directory, by name, with -cached the inputs of the cache, then those of a harness's
 * <harness>_seed_corpus.zip.
 */
#ifndef SEEDS_H
#define SEEDS_H

#include "process/host_client.h"

#define SEED_DIR "testdata/corpus" /* below it, a directory per test */

struct seed {
    char *name;             /* "seed#0", or the file's name */
    char *full_name;        /* "FuzzX/seed#0" */
    struct cfz_values vals; /* empty when bad */
    char *bad; /* why a file is not an input, with paths relative to the package; else NULL */
    bool is_file;
    char *cached; /* of a cached input, the path of its file; else NULL */
};

struct seeds {
    struct seed *v;
    size_t n;
};

#define SEEDS_INIT                                                                                 \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/*
 * seeds_collect takes the seeds out of a host that is HOST_READY, and loads the files. *out is
 * released by seeds_release. CFZ_EIO when the seed directory cannot be read: "reading seed corpus
 * from testdata/corpus/FuzzX: not a directory"; or those of seed_archive_read.
 */
int seeds_collect(struct host *h, struct seeds *out, struct cfz_error *err);
void seeds_release(struct seeds *s);

/*
 * seeds_find_equal compares the values of the n seeds at v. same[i] gets the index of the first
 * seed with the values of v[i], which is i itself when none before it has them. Bad seeds equal
 * nothing. CFZ_ENOMEM.
 */
int seeds_find_equal(const struct seed *const *v, size_t n, size_t *same, struct cfz_error *err);

/* seeds_dir gives the seed directory of a test below the package directory, or NULL without memory.
 * The caller frees it by free. */
char *seeds_dir(const char *package_dir, const char *test);

/* seeds_shorten removes "dir/" wherever a path begins with it in text: the user knows the package.
 * Within a path it stays: the cache has the package's as a part of its own. */
void seeds_shorten(char *text, const char *dir);

#endif
