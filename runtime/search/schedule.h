/*
 * schedule.h - which entry of the corpus is mutated next.
 *
 * An entry has a turn of CFZ_TURN executions. Entries that had none yet come
 * first, the newest before the others; then all in turn. Counted in executions, so
 * that a run repeats. What a turn costs does not depend on how many entries there
 * are. Context: target.
 */
#ifndef CFZ_SCHEDULE_H
#define CFZ_SCHEDULE_H

#include "core/shmem.h"

enum { CFZ_TURN = 500 }; /* guessed: 100 chains; a quarter of a millisecond for a small target */

struct cfz_schedule {
    const struct cfz_run_shm *run;
    uint64_t n;       /* entries known of */
    uint64_t next;    /* of the round */
    uint64_t longest; /* packed size of the largest entry known of */
    uint64_t nfresh;  /* entries without a turn so far */
    uint32_t *fresh;  /* these, as a stack: the newest is at the top; shared by forked processes */
};

/* cfz_schedule_map makes s for a run; knows of no entry yet. CFZ_EIO. Context: ordinary. */
int cfz_schedule_map(struct cfz_schedule *s, const struct cfz_run_shm *run, struct cfz_error *err);

/* cfz_schedule_refresh takes notice of the entries that there are now. */
void cfz_schedule_refresh(struct cfz_schedule *s);

/* cfz_schedule_next gives an entry its turn; false if none may be mutated. */
bool cfz_schedule_next(struct cfz_schedule *s, uint64_t *entry);

#endif
