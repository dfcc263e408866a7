/*
 * mutator.h - one random change of one of a test's values, in place.
 *
 * Strings are handled as bytes and cut at their first NUL afterwards. Each
 * value has its own buffer: no mutator ever touches another argument's bytes.
 */
#ifndef CFZ_MUTATOR_H
#define CFZ_MUTATOR_H

#include "rand.h"
#include "value.h"

struct cfz_mutator {
    struct cfz_rand rand;
    size_t max_len; /* a mutation makes no []byte or string longer than this */
};

/*
 * cfz_mutate applies one mutation to one of vs and returns the index of the value.
 * A []byte or string must own cap >= max_len bytes beforehand; nothing is
 * allocated. A value already longer than max_len is not made longer.
 * Context: target.
 */
size_t cfz_mutate(struct cfz_mutator *m, struct cfz_values *vs);

#endif
