/*
 * known.h - crashes that were reported already. Workers count further hits instead of reporting
 * them.
 *
 * The table lies in run memory. The driver recognises a crash by its mark (struct cfz_crash): its
 * kind and as many of the innermost frames as were needed to tell it from others. When a worker
 * dies with the mark of a known crash, its guard (server/guard.h) adds one to the count of the
 * table's entry, and the driver need not look. Where the driver has no input yet that fails of the
 * crash each time, it asks for another one (cfz_known_recur).
 */
#ifndef CFZ_KNOWN_H
#define CFZ_KNOWN_H

#include <stdbool.h>

#include "core/shmem.h"

/*
 * cfz_known_overflow reports whether a fault is so near to the stack pointer that the stack
 * must have run out. Where that happened says nothing about the crash. Context: signal.
 */
bool cfz_known_overflow(const struct cfz_crash *c);

/* cfz_known_find returns the place in the table of the crash that left the mark c, or -1. Context:
 * signal. */
int cfz_known_find(const struct cfz_run_shm *run, const struct cfz_crash *c);

/*
 * cfz_known_add enters the crash that left the mark c, for the rest of the run. Every mark of the
 * same kind with the same innermost nframes frames is this crash from now on; if whole is set, only
 * a mark with no further frames is. Returns the place of the crash in the table, also if it was
 * there already. Returns -1 if the table is full or c has fewer frames. For the driver, which
 * alone can write there.
 */
int cfz_known_add(struct cfz_run_shm *run, const struct cfz_crash *c, uint32_t nframes, bool whole);

/*
 * cfz_known_recur has workers report crash at, of the table, once more: each when it has died of it
 * hits times since it began. UINT64_MAX is never, as cfz_known_add has it. For the driver.
 */
void cfz_known_recur(struct cfz_run_shm *run, int at, uint64_t hits);

/* cfz_known_recurs reports whether a worker that has died of crash at so often before is to report
 * it now. Context: signal. */
bool cfz_known_recurs(const struct cfz_run_shm *run, int at, uint64_t hits);

#endif
