/*
 * crash_buckets.h - the distinct crashes of a run, and how often each was met. A bucket counts the
 * failing inputs of one crash. Context: ordinary.
 */
#ifndef CRASH_BUCKETS_H
#define CRASH_BUCKETS_H

#include "core/buf.h"
#include "crash/crash_signature.h"

/* A run keeps files of so many crashes. Beyond it, signatures are chance rather than bugs.
 * Guessed. */
enum { CRASH_BUCKETS_MAX = 256 };

struct crash_bucket {
    struct crash_signature signature;
    uint64_t traced; /* the place that it has in traced executions, if that is another one; or 0 */
    uint64_t count;
    char file[17]; /* of its input in the seed directory; "": none */
    char *seed;    /* "FuzzX/seed#0", where a seed showed it before fuzzing; else NULL */
    bool listed;   /* in the crash baseline: it is known, and no failure */
    bool unsure;   /* no input of it is known that fails each time */
    bool sampled;  /* another input of it waits to be tried; only where it is unsure */
    unsigned samples; /* inputs of it that were found not to fail each time */
};

struct crash_buckets {
    struct crash_bucket *v; /* in the order in which they were found */
    size_t n, cap;
    uint64_t others; /* failing inputs of further crashes, met when all buckets were taken */
};

#define CRASH_BUCKETS_INIT                                                                         \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/* crash_buckets_add counts one more input with signature sig. *index is the number of its bucket,
 * or SIZE_MAX when all were taken. *first tells that the bucket is new. CFZ_ENOMEM. */
int crash_buckets_add(struct crash_buckets *b, const struct crash_signature *sig, size_t *index,
                      bool *first, struct cfz_error *err);

/* crash_buckets_find returns the number of the bucket that an input with signature sig belongs to, or
 * SIZE_MAX. */
size_t crash_buckets_find(const struct crash_buckets *b, const struct crash_signature *sig);

/* crash_buckets_traced has inputs that show the crash of bucket index at another place, since they
 * were traced, belong to it from now on. index may be SIZE_MAX. */
void crash_buckets_traced(struct crash_buckets *b, size_t index, uint64_t place);

/* crash_buckets_add_seed does so for the seed of that name. CFZ_ENOMEM. */
int crash_buckets_add_seed(struct crash_buckets *b, const struct crash_signature *sig,
                           const char *seed, size_t *index, struct cfz_error *err);

/* crash_buckets_count adds n inputs to bucket index, which may be SIZE_MAX. */
void crash_buckets_count(struct crash_buckets *b, size_t index, uint64_t n);

/* crash_buckets_total counts the inputs of all. */
uint64_t crash_buckets_total(const struct crash_buckets *b);

/* crash_buckets_listed counts the buckets whose crash the crash baseline lists. */
size_t crash_buckets_listed(const struct crash_buckets *b);

/* crash_buckets_known counts those, and the buckets of which a seed had shown the crash before fuzzing. */
size_t crash_buckets_known(const struct crash_buckets *b);

/*
 * crash_buckets_summary appends a table, below "--- FAIL: FuzzX":
 *     Distinct crashes: 2 (51 failing inputs)
 *         50  testdata/corpus/FuzzX/582528ddfad69eb5  date.c:12
 *          1  testdata/corpus/FuzzX/8a3c1e02b1a9d7f0  Segmentation fault in parse
 * Where a seed showed the crash its name stands in place of the file, and the first line counts it:
 *     Distinct crashes: 3 (60 failing inputs), 1 known before
 *          9  known: FuzzX/seed#0  date.c:30
 * CFZ_ENOMEM.
 */
int crash_buckets_summary(const struct crash_buckets *b, const char *test, struct cfz_buf *out,
                          struct cfz_error *err);

void crash_buckets_release(struct crash_buckets *b); /* leaves INIT */

#endif
