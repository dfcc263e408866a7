/*
 * fuzz_corpus.h - the corpus of a fuzzing run: what lies in the arena of run
 * memory, where it came from, and that no value is in it twice.
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "process/host_client.h"
#include "results/result.h"

enum entry_from {
    FROM_SEED,         /* cfuzz_add, or a file in testdata */
    FROM_CACHE,        /* found by an earlier run */
    FROM_ZERO,         /* the zero values an empty corpus starts with */
    FROM_RUN,          /* found by this run */
    FROM_RUN_COUNTS,   /* ... and it has no new edge, only other counts of edges */
    FROM_OTHERS,       /* found by somebody else meanwhile, see fuzz_sharing.h */
    FROM_RUN_UNSTABLE, /* ... and not all of its coverage repeats: not in the cache */
};

struct fuzz_entry {
    enum entry_from from;
    char *name; /* "seed#0" or the file's name; NULL for FROM_ZERO and for FROM_RUN without one */
    uint32_t generation; /* 0 for what the run began with */
    bool failed;         /* in the baseline */
    uint64_t ns;         /* how long an execution took; 0: it is not known */
};

struct fuzz_corpus {
    struct host *host;
    struct fuzz_entry *entries; /* entry i of the arena */
    size_t n, cap;
    uint64_t *table;  /* open addressing: entry + 1, or 0 */
    size_t table_cap; /* a power of two */
};

#define FUZZ_CORPUS_INIT                                                                           \
    {                                                                                              \
        NULL, NULL, 0, 0, NULL, 0                                                                  \
    }

/*
 * fuzz_corpus_add appends values to the arena unless they are there, as *added tells. parent is the
 * entry that they were made of, or CFZ_NO_ENTRY. *index is the number of the entry that has them.
 * CFZ_ENOMEM; CFZ_EIO when the arena is full.
 */
int fuzz_corpus_add(struct fuzz_corpus *c, const struct cfz_values *vs, enum entry_from from,
                    uint64_t parent, const char *name, bool *added, uint64_t *index,
                    struct cfz_error *err);

/* fuzz_corpus_has tells whether an entry has these values, fuzz_corpus_keeps whether one has that is
 * there in the next run, too: not one whose coverage did not repeat. Both are also false without
 * memory. */
bool fuzz_corpus_has(const struct fuzz_corpus *c, const struct cfz_values *vs);
bool fuzz_corpus_keeps(const struct fuzz_corpus *c, const struct cfz_values *vs);

/* fuzz_corpus_id is what entry i is called in debug lines: its name, or "-". Borrowed, until the
 * corpus is changed. */
const char *fuzz_corpus_id(const struct fuzz_corpus *c, uint64_t i);

/* fuzz_corpus_values copies the values of entry i. */
int fuzz_corpus_values(const struct fuzz_corpus *c, uint64_t i, struct cfz_values *vs,
                       struct cfz_error *err);

/*
 * fuzz_corpus_describe says what entry i of a test is, for those who list inputs: name gets what it
 * is called, "FuzzX/seed#0" or "FuzzX/cache/<file>", and values the text that in->values is.
 * CFZ_ENOMEM.
 */
int fuzz_corpus_describe(const struct fuzz_corpus *c, uint64_t i, struct cfz_buf *name,
                         struct result_input *in, struct cfz_buf *values, struct cfz_error *err);

/* fuzz_corpus_rest_failed keeps entries that failed from being mutated, unless there are no others:
 * most of what comes of them fails too, and costs a process. */
void fuzz_corpus_rest_failed(struct fuzz_corpus *c);

/* fuzz_corpus_failed tells that an input fails. An entry that has these values rests from then on:
 * between SIGKILL to another process and the end of its own a worker may have found the input
 * interesting, and each worker that executed the entry would end likewise. Workers may fuzz. */
void fuzz_corpus_failed(struct fuzz_corpus *c, const struct cfz_values *vs);

void fuzz_corpus_release(struct fuzz_corpus *c);

#endif
