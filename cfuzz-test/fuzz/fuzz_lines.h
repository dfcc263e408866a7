/*
 * fuzz_lines.h - the lines that tell how a fuzzing run goes, and the totals at its end.
 */
#ifndef FUZZ_LINES_H
#define FUZZ_LINES_H

#include "fuzz/coordinator_state.h"

/* fuzz_execs returns how many mutated inputs were executed so far. */
uint64_t fuzz_execs(const struct coordinator *c);

/* fuzz_print_progress prints where the run is, and notes when the next such line is due. last: it
 * is the line of the whole run. */
void fuzz_print_progress(struct coordinator *c, bool last);

/* fuzz_print_baseline prints that the baseline is over, unless there was none. */
void fuzz_print_baseline(struct coordinator *c);

/* fuzz_print_obstacles prints at the end which comparisons block most. Nothing if the run ended
 * with a crash. With -v fuzz_print_progress does so now and then. */
void fuzz_print_obstacles(struct coordinator *c);

/* fuzz_obstacles_matter reports whether there is anything to print: the run came to fuzzing, and
 * did not end with a crash. */
bool fuzz_obstacles_matter(const struct coordinator *c);

/* fuzz_obstacle_text appends the same lines, of up to most of them, to out. CFZ_ENOMEM. */
int fuzz_obstacle_text(const struct coordinator *c, uint32_t most, struct cfz_buf *out,
                       struct cfz_error *err);

/* fuzz_add_worker adds what shm, of a worker that ends, counted. shm may be NULL. */
void fuzz_add_worker(struct coordinator *c, const struct cfz_proc_shm *shm);

/* fuzz_add_totals counts what the run did, at its end, when all workers wait or are gone. */
void fuzz_add_totals(struct coordinator *c);

/* fuzz_print_totals does, and prints the lines that say so. */
void fuzz_print_totals(struct coordinator *c);

#endif
