/*
 * foresight.h - which candidates the minimizer will ask for next if none is accepted.
 *
 * The minimizer (core/minimizer/minimizer.h) asks for one candidate at a time, and most are
 * refused. It is pure: with the same answers it asks for the same candidates. So it is asked again
 * from the start, on a copy: it gets the answers that are known, then "no" as often as is looked
 * ahead. Candidates that are known before are executed many at a time. Context: ordinary.
 */
#ifndef FORESIGHT_H
#define FORESIGHT_H

#include "core/buf.h"
#include "core/value.h"

struct foresight {
    struct cfz_values start; /* what is minimized */
    struct cfz_buf answers;  /* to all tries so far, a byte each: 1 accepted, 0 refused */
    size_t refused;          /* tries on end, the last ones */

    /* Read only: what was foreseen, as the text of a TRIES message (core/protocol.h). */
    struct cfz_buf inputs;
    size_t n; /* of them */
};

/* foresight_begin begins with values that are about to be minimized. foresight_end frees all, also
 * of a zeroed struct. CFZ_ENOMEM. */
int foresight_begin(struct foresight *f, const struct cfz_values *vs, struct cfz_error *err);
void foresight_end(struct foresight *f);

/* foresight_answer notes what the minimizer was answered. CFZ_ENOMEM. */
int foresight_answer(struct foresight *f, bool accepted, struct cfz_error *err);

/*
 * foresight_look stores the next candidates, at most max of them: the one that the minimizer asks
 * for now, and those that follow while all are refused. More when many were refused on end. None
 * (n = 0) if that does not pay: long inputs do not fit a message, and after very many tries the way
 * from the start is long. CFZ_ENOMEM.
 */
int foresight_look(struct foresight *f, uint64_t max, struct cfz_error *err);

#endif
