/*
 * goals_keep.h - what is known of goals, as bytes that outlive the run.
 *
 * What a run has given up, the next run of the same build need not try again, and what solved a
 * site once is tried first. Goals that were met are not among it: what met them is in the corpus,
 * or has to be found again. The bytes carry a mark of the program that they are of, made of all its
 * comparisons and of where their counters lie.
 *
 *     uint64_t magic    CFZ_GOALS_MAGIC: names the version, too
 *     uint64_t check    hash of all that follows
 *     uint64_t mark     of the program
 *     uint32_t nsites   each a struct of 32 bytes: number, successes and failures, recipe
 *     uint32_t nnotes   each a struct of 16 bytes: key and attempts; what cost most comes first
 *
 * Numbers are in the byte order of the machine: the file stays in a cache. Context: ordinary.
 */
#ifndef CFZ_GOALS_KEEP_H
#define CFZ_GOALS_KEEP_H

#include "search/goal.h"

#define CFZ_GOALS_MAGIC UINT64_C(0x0a31736c616f67fc) /* 0xfc, "goals1", a newline */

enum {
    /* So that a table which comes from a file has room for as many goals again, twice. */
    CFZ_GOALS_KEPT_NOTES = CFZ_GOALS_MAX / 4,
    CFZ_GOALS_KEPT_SITES = 1 << 16,
};

/* cfz_goals_mark returns the mark of the program, of the sites that modules announced so far. */
uint64_t cfz_goals_mark(void);

/*
 * cfz_goals_keep writes what is known to to[0..room), at most CFZ_GOALS_SIZE_MAX bytes. Returns the
 * length; 0 if nothing is known, or there is no room for a site and a note. What has no room is
 * left out.
 */
size_t cfz_goals_keep(const struct cfz_goals *goals, uint64_t mark, uint8_t *to, size_t room);

/* cfz_goals_recall adds to goals what from[0..len) says. Without effect, and false, if that is of
 * another program or version, or damaged. */
bool cfz_goals_recall(struct cfz_goals *goals, uint64_t mark, const uint8_t *from, size_t len);

#endif
