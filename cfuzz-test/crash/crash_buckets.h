/*
 * crash_buckets.h - the distinct crashes of a run, and how often each was met.
 * Context: ordinary.
 */
#ifndef CRASH_BUCKETS_H
#define CRASH_BUCKETS_H

#include "core/buf.h"
#include "crash/crash_signature.h"

/* What a run keeps files of. Beyond it, identities are chance rather than bugs. Guessed. */
enum { CRASH_BUCKETS_MAX = 256 };

struct crash_bucket {
    struct crash_signature id;
    uint64_t count;
    char file[17]; /* of its input in the seed directory; "": none */
    char *known;   /* "FuzzX/seed#0": a seed that showed it before fuzzing; else NULL */
};

struct crash_buckets {
    struct crash_bucket *v; /* in the order in which they were found */
    size_t n, cap;
    uint64_t others; /* met when it was full */
};

#define CRASH_BUCKETS_INIT                                                                         \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/* crash_buckets_add counts one more of id. *index is its number, or SIZE_MAX when the set is full;
 * *first tells that it is new. CFZ_ENOMEM. */
int crash_buckets_add(struct crash_buckets *s, const struct crash_signature *id, size_t *index,
                      bool *first, struct cfz_error *err);

/* crash_buckets_add_seed counts one of id, which the seed of that name shows; *index as above.
 * CFZ_ENOMEM.
 */
int crash_buckets_add_seed(struct crash_buckets *s, const struct crash_signature *id,
                           const char *seed, size_t *index, struct cfz_error *err);

/* crash_buckets_of_seeds: how many of the set were known before. */
size_t crash_buckets_of_seeds(const struct crash_buckets *s);

/*
 * crash_buckets_summary appends a table, below "--- FAIL: FuzzX":
 *     Distinct crashes: 2 (51 failing inputs)
 *         50  testdata/corpus/FuzzX/582528ddfad69eb5  date.c:12
 *          1  testdata/corpus/FuzzX/8a3c1e02b1a9d7f0  Segmentation fault in parse
 * Those that a seed showed stand there with its name, and are counted in the first line:
 *     Distinct crashes: 3 (60 failing inputs), 1 known before
 *          9  known: FuzzX/seed#0  date.c:30
 * CFZ_ENOMEM.
 */
int crash_buckets_summary(const struct crash_buckets *s, const char *test, struct cfz_buf *out,
                          struct cfz_error *err);

void crash_buckets_release(struct crash_buckets *s); /* leaves INIT */

#endif
