/*
 * finding.h - one failing input whose crash is new, from the moment a worker failed on it to the
 * file and the lines that tell of it.
 *
 *     finding_new     takes it from the worker
 *     finding_save    saves it as it was found
 *     finding_check   of a suspect: whether it is a crash of the target
 *     finding_settle  confirms it, minimizes it, saves the result, and tells of it
 *     finding_tell    tells of it as it was found, where there is no time for more
 *
 * The input is on disk before anything else is tried with it, but for a suspect, and for a sample,
 * of whose crash another input is: whatever ends the driver, nothing found is lost. If the input was
 * made smaller, the smaller file takes its place. If the smaller input could not be confirmed in a
 * fresh process, both files stay. Context: ordinary.
 */
#ifndef FINDING_H
#define FINDING_H

#include "crash/confirm.h"
#include "crash/failure.h"
#include "process/lineage.h"

struct finding {
    struct finding *next;
    struct cfz_values input;
    bool have;   /* false: the target wrote over the input */
    char *name;  /* heads its block: "FuzzX", or the name of the entry */
    uint64_t ns; /* duration of the execution, where the process lived on */
    struct crash_signature signature;
    size_t bucket;          /* its number in the crash_buckets; the owner's */
    struct lineage lineage; /* how the input was made; of a seed: not at all */
    bool suspect;           /* met in a traced execution: it may be the trace's. Not saved yet */
    bool sample;            /* of a crash that was met before, with inputs that do not fail each time:
                             * it matters only if this one does. Not saved before that is known */
    bool unsure;            /* since finding_settle: it did not fail at once in a fresh process */

    struct cfz_buf lines; /* what the failing process left, where it lived on */
    struct worker *dead;  /* the process that died of it, or NULL */
    struct ending ending; /* ... and how */

    char file[17];       /* its name in the seed directory; "": it could not be written */
    char smaller[17];    /* a file that was not confirmed, as minimizing was cut short; or "" */
    bool made;           /* file was not there before */
    struct cfz_error io; /* why it could not be written */
};

/*
 * finding_new turns a failure with signature sig into a finding. The input is
 * moved into the finding. A worker that died belongs to the finding ((*out)->dead); one that lives
 * stays the caller's. CFZ_ENOMEM.
 */
int finding_new(const struct failure *from, const struct crash_signature *sig, struct finding **out,
                struct cfz_error *err);

/*
 * finding_check runs a suspect without tracing. *of_trace: it passes then, and fails again only
 * when it is traced, so it is not a crash of the target. Otherwise, also where there is no patience
 * to know, it is a suspect no longer; a hang has the signature of the execution without tracing then.
 * Errors are those of trial_run.
 */
int finding_check(struct finding *f, struct trial *t, bool *of_trace, struct cfz_error *err);

/* finding_save saves the input, if it can be. What else could not be done is noted. CFZ_ENOMEM. */
int finding_save(struct finding *f, const struct origin *o, const char *test,
                 struct cfz_error *err);

/*
 * finding_settle confirms and minimizes f by trials of t, saves the result and appends its block to
 * blocks. *left is what minimizing may take, and what it took is taken off. On failure, which is
 * that of the run, what was known is appended nevertheless. A sample that is unsure says nothing,
 * and has no file. Errors are those of trial_run.
 */
int finding_settle(struct finding *f, struct trial *t, struct fuzz_limit *left,
                   struct cfz_buf *blocks, struct cfz_error *err);

/* finding_tell appends the block of f, of that test, as it was found. remark, which may be "", is
 * shown where the input is not sure to fail again. A file that was removed meanwhile is saved
 * again. CFZ_ENOMEM. */
int finding_tell(struct finding *f, const struct origin *o, const char *test, const char *remark,
                 struct cfz_buf *blocks, struct cfz_error *err);

void finding_free(struct finding *f); /* accepts NULL */

#endif
