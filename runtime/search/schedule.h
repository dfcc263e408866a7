/*
 * schedule.h - which entry of the corpus is mutated next.
 *
 * An entry gets a turn of about CFZ_TURN executions. Entries with a new edge that had no turn yet
 * come first, the newest of them before the others; after them all entries come round and round.
 * Those that only show other counts of known edges wait for the round: there are so many of them
 * that the others would wait. Turns are counted in executions, so that a run repeats. What choosing
 * costs does not depend on the number of entries. Context: target.
 */
#ifndef CFZ_SCHEDULE_H
#define CFZ_SCHEDULE_H

#include "core/shmem.h"

enum { CFZ_TURN = 500 }; /* guessed: 100 chains; a quarter of a millisecond for a small target */

struct cfz_schedule {
    const struct cfz_run_shm *run;
    uint64_t n;       /* entries that the last refresh saw */
    uint64_t next;    /* the next entry of the round */
    uint64_t longest; /* packed size of the largest of these */
    uint64_t nfresh;  /* entries with a new edge, without a turn so far */
    uint32_t *fresh;  /* these, as a stack with the newest at the top; shared by forked processes */
    const _Atomic uint8_t *arrived; /* of each entry, whether a worker of the run had it; or NULL */
};

/* cfz_schedule_map makes s for a run; it has no entry before the first refresh. arrived, with
 * CFZ_ENTRIES_MAX places, may be NULL, and is borrowed. CFZ_EIO. Context: ordinary. */
int cfz_schedule_map(struct cfz_schedule *s, const struct cfz_run_shm *run,
                     const _Atomic uint8_t *arrived, struct cfz_error *err);

/* cfz_schedule_refresh takes in the entries that the driver added since the last time. The first
 * time, those that arrived at another worker have no turn before the others: this worker may have
 * taken the place of one that died. */
void cfz_schedule_refresh(struct cfz_schedule *s);

/* cfz_schedule_again has an entry that cfz_schedule_next gave come once more, as if it had had no
 * turn: behind those that are taken in after this. */
void cfz_schedule_again(struct cfz_schedule *s, uint64_t entry);

/* cfz_schedule_next sets *entry to the one whose turn it is. Returns false if no entry may be
 * mutated. */
bool cfz_schedule_next(struct cfz_schedule *s, uint64_t *entry);

/* cfz_schedule_may reports whether entry i may be mutated; false for a number that no entry has. */
bool cfz_schedule_may(const struct cfz_schedule *s, uint64_t i);

#endif
