/*
 * triage.h - the failing inputs of a fuzzing run: which are new, what waits to be
 * settled, and the table at the end.
 *
 * Each distinct crash is saved when it is met; those met before are only counted. Without
 * -keepfuzzing the first ends the run, and what other workers hit until they stopped is
 * settled after it, one after the other, in what time -fuzzminimizetime leaves: a run takes no
 * longer for it than for one crash, but for a few executions to confirm each.
 */
#ifndef TRIAGE_H
#define TRIAGE_H

#include "crash/crash_buckets.h"
#include "crash/finding.h"

struct triage {
    struct finding_place place;
    struct symtab symtab;
    struct lines lines;
    struct trial trial;
    struct crash_buckets set;
    struct finding *waiting; /* to be settled, in the order in which they were found */
    struct finding *last;    /* what triage_add took last, until it is settled; NULL: met before */
    size_t guarded[CFZ_KNOWN_MAX]; /* which of set each crash is that guards count */
    bool keep;                     /* -keepfuzzing */
    bool ended;                    /* no more time for confirming and minimizing */
    bool late;                     /* no more time for minimizing */
    bool minimizing;               /* ... which goes on */
    unsigned told;                 /* blocks of findings that were begun */
    struct fuzz_limit left;        /* of -fuzzminimizetime: with keep for one crash, else for all */
    bool settling;                 /* triage_settle is running */
};

/* triage_init readies c, whose address stays. turn with ctx turns the owner's loop. */
void triage_init(struct triage *c, struct session *s, struct host *h, trial_turn_fn *turn,
                 void *ctx);

/*
 * triage_add takes an input that w failed on (e NULL) or died of. name heads its block; input
 * is emptied, or NULL with the reason in lost. *taken: w belongs to c now. CFZ_ENOMEM.
 */
int triage_add(struct triage *c, struct worker *w, const struct ending *e, const char *name,
               struct cfz_values *input, const char *lost, bool *taken, struct cfz_error *err);

/* triage_add_seed counts the crash that w shows as known: its input is a seed, and what fails like
 * it is not saved again. CFZ_ENOMEM. */
int triage_add_seed(struct triage *c, const struct worker *w, const struct ending *e,
                    struct cfz_error *err);

/* triage_count adds how often workers met known crashes and went on: n[i] of crash i. */
void triage_count(struct triage *c, const uint64_t n[CFZ_KNOWN_MAX]);

/* triage_end has what is being settled come to its end soon, with the best so far. */
void triage_end(struct triage *c);

/* triage_late has what is being minimized come to its end, with the best so far, and nothing more
 * be minimized: -fuzztime is over. What failed is still confirmed. */
void triage_late(struct triage *c);

/* triage_settle settles the one that waits longest: see finding_settle. */
int triage_settle(struct triage *c, struct cfz_buf *blocks, struct cfz_error *err);

/* triage_tell appends the blocks of all that still wait, as they were found, then what else is to
 * be said of all. CFZ_ENOMEM. */
int triage_tell(struct triage *c, struct cfz_buf *blocks, struct cfz_error *err);

/* triage_free_worker sends the worker of the trials away, before its host finishes. */
void triage_free_worker(struct triage *c);

void triage_release(struct triage *c); /* does nothing to one that is all zero */

#endif
