/*
 * crash_set.h - the distinct crashes of a run, and how often each was met.
 * Context: ordinary.
 */
#ifndef CRASH_SET_H
#define CRASH_SET_H

#include "core/buf.h"
#include "crash/crash_id.h"

/* What a run keeps files of. Beyond it, identities are chance rather than bugs. Guessed. */
enum { CRASH_SET_MAX = 256 };

struct crash_kept {
    struct crash_id id;
    uint64_t count;
    char file[17]; /* of its input in the seed directory; "": none */
    char *known;   /* "FuzzX/seed#0": a seed that showed it before fuzzing; else NULL */
};

struct crash_set {
    struct crash_kept *v; /* in the order in which they were found */
    size_t n, cap;
    uint64_t others; /* met when it was full */
};

#define CRASH_SET_INIT                                                                             \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/* crash_set_add counts one more of id. *index is its number, or SIZE_MAX when the set is full;
 * *first tells that it is new. CFZ_ENOMEM. */
int crash_set_add(struct crash_set *s, const struct crash_id *id, size_t *index, bool *first,
                  struct cfz_error *err);

/* crash_set_know counts one of id, which the seed of that name shows; *index as above. CFZ_ENOMEM.
 */
int crash_set_know(struct crash_set *s, const struct crash_id *id, const char *seed, size_t *index,
                   struct cfz_error *err);

/* crash_set_known: how many of the set were known before. */
size_t crash_set_known(const struct crash_set *s);

/*
 * crash_set_summary appends a table, below "--- FAIL: FuzzX":
 *     Distinct crashes: 2 (51 failing inputs)
 *         50  testdata/corpus/FuzzX/582528ddfad69eb5  date.c:12
 *          1  testdata/corpus/FuzzX/8a3c1e02b1a9d7f0  Segmentation fault in parse
 * Those that a seed showed stand there with its name, and are counted in the first line:
 *     Distinct crashes: 3 (60 failing inputs), 1 known before
 *          9  known: FuzzX/seed#0  date.c:30
 * CFZ_ENOMEM.
 */
int crash_set_summary(const struct crash_set *s, const char *test, struct cfz_buf *out,
                      struct cfz_error *err);

void crash_set_release(struct crash_set *s); /* leaves INIT */

#endif
