/*
 * fuzz_interesting.h - what workers report: coverage of the baseline, and interesting inputs, which
 * go into the cache, the corpus and the mask.
 */
#ifndef FUZZ_INTERESTING_H
#define FUZZ_INTERESTING_H

#include "fuzz/coordinator_state.h"

/* fuzz_take_records takes all that w has written, also when it is dead. CFZ_EIO when the cache
 * cannot be written, CFZ_EINTERNAL. */
int fuzz_take_records(struct coordinator *c, struct worker *w, struct cfz_error *err);

#endif
