/*
 * known.h - crashes of which the driver has seen enough: it only wants to know how often they
 * are met again.
 *
 * The driver tells a crash from the mark it left (struct cfz_crash): its kind and as many of the
 * innermost frames as decided which crash it is. A process that leaves the same mark
 * again need not be looked at; only a count of the table's entry goes up.
 */
#ifndef CFZ_KNOWN_H
#define CFZ_KNOWN_H

#include <stdbool.h>

#include "core/shmem.h"

/*
 * cfz_known_overflow tells whether a fault is so near to the stack pointer that the stack ran
 * out: then the frames say nothing. Context: signal.
 */
bool cfz_known_overflow(const struct cfz_crash *c);

/* cfz_known_find returns which crash of the table left the mark c, or -1. Context: signal. */
int cfz_known_find(const struct cfz_run_shm *run, const struct cfz_crash *c);

/*
 * cfz_known_add enters the crash that left c, for good: any mark of its kind that begins with
 * the same nframes frames is it; whole: and that has no more of them. Returns its place, also if it
 * is there already, or -1 when the table is full. The driver alone.
 */
int cfz_known_add(struct cfz_run_shm *run, const struct cfz_crash *c, uint32_t nframes, bool whole);

#endif
