/*
 * fuzz_load.h - what a fuzzing run starts with: seeds, the cache of earlier runs, or
 * the zero values.
 */
#ifndef FUZZ_LOAD_H
#define FUZZ_LOAD_H

#include "fuzz/fuzz_corpus.h"
#include "fuzz/queue.h"
#include "process/seeds.h"

/* The entries that are run once, unmutated, before fuzzing. */
struct baseline {
    struct queue waiting; /* no worker has run them yet */
    uint64_t left;        /* not answered, waiting ones included */
    uint64_t due;         /* of those left, seeds and zero values: run also when the time is up */
    uint64_t total;       /* without the zero values */
    uint64_t counted;     /* answered, of the total */
    uint64_t lost_entry;  /* + 1: the last one whose worker was ended from outside */
    uint64_t lost_host;   /* + 1: the last one that ran when the host was */
};

/*
 * fuzz_load fills c and b with the good seeds, then the cached inputs in cache_dir; without any,
 * with the zero values. Values that are there already are dropped. Bad seeds are named at once, and
 * a block for each is appended to blocks; *bad tells that there were some. Cached files that cannot
 * be used stay where they are: a warning names the first few, and another one those whose types are
 * not the test's. What is longer than an explicit -fuzzmaxlen is cut. CFZ_EIO.
 */
int fuzz_load(struct fuzz_corpus *c, struct seeds *seeds, const char *cache_dir, struct baseline *b,
              struct cfz_buf *blocks, bool *bad, struct cfz_error *err);

/* fuzz_load_entry appends one input to c, and to what b waits for, unless the corpus has it.
 * CFZ_ENOMEM; CFZ_EIO when the arena is full. */
int fuzz_load_entry(struct fuzz_corpus *c, struct baseline *b, const struct cfz_values *vs,
                    enum entry_from from, const char *name, struct cfz_error *err);

#endif
