/*
 * finding.h - one failing input, from the moment a worker failed on it to the file and
 * the lines that tell of it.
 *
 *     finding_new: taken from the worker, saved as it was found
 *     finding_settle: confirm --> minimize --> save --> report
 *     finding_tell: report as it was found, where there is no time for more
 *
 * It is on disk before anything else is tried with it: whatever ends the driver, nothing found is
 * lost. When it was made smaller the smaller file takes its place; where there is no time or no
 * process to see that it fails by itself, both stay.
 */
#ifndef FINDING_H
#define FINDING_H

#include "crash/confirm.h"

struct finding {
    struct finding *next;
    struct cfz_values input;
    bool have;   /* false: the target wrote over it */
    char *name;  /* heads its block: "FuzzX", or the name of the entry */
    uint64_t ns; /* duration of the execution, where the process lived on */
    struct crash_signature id;
    size_t kept; /* its number in the buckets */

    struct cfz_buf lines; /* what the failing process left, where it lived on */
    struct worker *dead;  /* the process that died of it, or NULL */
    struct ending ending; /* ... and how */

    char file[17];       /* it lies in, in the seed directory; "": it could not be written */
    char smaller[17];    /* one that was not confirmed, when minimizing was cut short; or "" */
    bool made;           /* by us; not there before */
    struct cfz_error io; /* why not */
};

/* Where and how findings are dealt with; of the coordinator. */
struct finding_place {
    struct session *session;
    const char *test;
    struct trial *trial;
    const bool *ended;       /* becomes true when no more time is to be spent */
    const bool *late;        /* ... with ended or before: none on minimizing; confirming goes on */
    bool *minimizing;        /* is true while it goes on */
    struct fuzz_limit *left; /* what minimizing may take; what it took is taken off */
};

/*
 * finding_new takes over what w, which answered a failure (e NULL) or died of its input, left,
 * and moves input into it, which is NULL if it was destroyed, for the reason lost. A dead
 * worker belongs to the finding from then on (f->dead). Saves the input. CFZ_ENOMEM.
 */
int finding_new(const struct finding_place *p, struct worker *w, const struct ending *e,
                const char *name, struct cfz_values *input, const char *lost,
                const struct crash_signature *id, struct finding **out, struct cfz_error *err);

/*
 * finding_settle confirms and minimizes f, saves the result and appends its block to blocks. On
 * failure, which is that of the run, what was known is appended nevertheless. Errors as
 * trial_run.
 */
int finding_settle(const struct finding_place *p, struct finding *f, struct cfz_buf *blocks,
                   struct cfz_error *err);

/* finding_tell appends the block of f as it was found. CFZ_ENOMEM. */
int finding_tell(const struct finding_place *p, struct finding *f, const char *remark,
                 struct cfz_buf *blocks, struct cfz_error *err);

void finding_free(struct finding *f); /* accepts NULL */

#endif
