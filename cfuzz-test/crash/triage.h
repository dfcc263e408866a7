/*
 * triage.h - the failing inputs of a fuzzing run: which crashes are new, which of them wait to be
 * settled, and the table at the end.
 *
 *     triage_add --new--> waiting --triage_settle--> its block of lines
 *          \--met before--> counted, no more
 *           \--met in a traced execution--> waiting as a suspect --triage_check--> new, met before,
 *                                                                  or of the trace: forgotten
 *
 * A distinct crash is saved when it is met first. Without -keepfuzzing the first one ends the run.
 * What other workers hit until they stopped is settled after it, one after the other, in what
 * -fuzzminimizetime leaves: the run takes no longer for it than for one crash, but for a few
 * executions to confirm each.
 *
 * With -keepfuzzing a crash whose input turns out not to fail each time is unsure. Further inputs of
 * it are tried, ever fewer of them, until one does, which takes the place of the first. Context:
 * ordinary.
 */
#ifndef TRIAGE_H
#define TRIAGE_H

#include "crash/crash_buckets.h"
#include "crash/finding.h"

struct triage {
    const char *test;
    struct symtab symtab;
    struct lines lines;
    struct trial trial;
    struct crash_buckets buckets;
    struct finding *waiting; /* to be settled, in the order in which they were found */
    struct finding *last;    /* what triage_add took last, until it is settled; NULL: met before */
    struct finding *unsure;  /* settled, in that order, but no input is known yet that fails each time:
                              * they are told last. Their lines are their blocks */
    size_t guarded[CFZ_KNOWN_MAX]; /* the bucket of each crash of the guards' table */
    bool keep;                     /* -keepfuzzing */
    bool settling;                 /* triage_check or triage_settle is running */
    bool listed;       /* what triage_add, _add_seed or _check took last is in the crash baseline */
    uint64_t of_trace; /* suspects that were not crashes of the target */
    unsigned said;     /* crashes that were said to be new */
    unsigned told;     /* blocks of findings that were begun */
    struct fuzz_limit left; /* of -fuzzminimizetime: with keep for one crash, else for all */
    uint64_t began;         /* when the run did, by uv_hrtime */
    uint64_t settled;       /* ns that triage_check and triage_settle took so far */

    /* Set by an owner that keeps and tells crashes itself: it is called once for each that is new,
     * with the ctx of the trial. Nothing is saved, settled or told then. CFZ_ENOMEM. */
    int (*found)(void *ctx, struct finding *f, struct cfz_error *err);
};

/* triage_init readies t, whose address stays, for the test of h. turn with ctx turns the owner's
 * loop. */
void triage_init(struct triage *t, struct host *h, trial_turn_fn *turn, void *ctx);

/*
 * triage_add takes a failing input. If its crash is new it becomes a finding: then *taken tells
 * whether the worker, which died, belongs to the finding now, and f->input is empty. A crash that
 * is new and was met in a traced execution is a suspect (t->last->suspect) first. A crash that the
 * crash baseline lists is only counted (t->listed). CFZ_ENOMEM.
 */
int triage_add(struct triage *t, const struct failure *f, bool *taken, struct cfz_error *err);

/* triage_add_seed registers the crash of a failing seed, so that inputs that fail in the same way
 * are counted and not saved. CFZ_ENOMEM. */
int triage_add_seed(struct triage *t, const struct failure *f, struct cfz_error *err);

/* triage_count adds how often workers met the crashes of the guards' table and went on: n[i] of
 * crash i. */
void triage_count(struct triage *t, const uint64_t n[CFZ_KNOWN_MAX]);

/* triage_lose_patience: no more than patience allows is tried from now on. What is being tried
 * comes to its end soon, with the best so far. */
void triage_lose_patience(struct triage *t, enum patience patience);

/* What became of a suspect. */
enum suspicion {
    SUSPECT_OF_TRACE, /* it fails only when it is traced: counted, nothing else */
    SUSPECT_KNOWN,    /* a crash that was met before */
    SUSPECT_NEW,      /* a new crash, which waits to be settled */
};

/* triage_check decides about the finding that triage_next chose, a suspect: see finding_check.
 * A crash that the crash baseline lists is told as known (t->listed). Errors are those of
 * trial_run. */
int triage_check(struct triage *t, enum suspicion *s, struct cfz_error *err);

/*
 * triage_due reports whether a finding is to be checked or settled now. Findings wait their turn.
 * may_wait: a hang lets all others pass, and waits until what it takes to execute it twice, and
 * what was settled before, is a fifth of the run at most. Context: ordinary.
 */
bool triage_due(const struct triage *t, bool may_wait);

/* triage_next does, and chooses the first finding that is due for triage_check or triage_settle.
 * Where it was not called they take the one that waits longest. */
bool triage_next(struct triage *t, bool may_wait);

/* triage_settle settles the finding that triage_next chose: see finding_settle. */
int triage_settle(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err);

/* triage_tell appends the blocks of all that still wait, as they were found, then the table of the
 * distinct crashes. CFZ_ENOMEM. */
int triage_tell(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err);

/* triage_free_workers sends all workers away, before their host finishes. */
void triage_free_workers(struct triage *t);

void triage_release(struct triage *t); /* does nothing to one that is all zero */

#endif
