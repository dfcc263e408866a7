/*
 * mutator.h - one random change of one of a test's values, in place.
 *
 * Strings are handled as bytes and cut at their first NUL afterwards. Each
 * value has its own buffer: no mutator ever touches another argument's bytes.
 */
#ifndef CFZ_MUTATOR_H
#define CFZ_MUTATOR_H

#include "core/rand.h"
#include "core/value.h"

struct cfz_mutation;

struct cfz_mutator {
    struct cfz_rand rand;
    const struct cfz_mutation *next; /* for value next_value; NULL: not chosen yet */
    size_t next_value;
    size_t max_len; /* a mutation makes no []byte or string longer than this; below UINT32_MAX */
};

/*
 * cfz_mutate applies one mutation to one of vs, at least one value, and returns
 * the index of the value. All of Go's mutations, chosen and drawn as Go does, so
 * that a test of one []byte, string or bool sees Go's sequence; numbers have more
 * of them (docs/decisions/033). A mutation may leave a value as it was.
 *
 * A []byte or string is changed within its own buffer, of which up to max_len
 * bytes of cap are used; nothing is allocated. A value already longer than that
 * is not made longer, and an empty one for which there is no room stays.
 * Context: target.
 */
size_t cfz_mutate(struct cfz_mutator *m, struct cfz_values *vs);

/*
 * cfz_mutate_choose draws which value the next cfz_mutate changes, and how. cfz_mutate does it
 * otherwise; the draws are the same. Done well before, the processor knows where the call goes
 * when it gets there. Context: target.
 */
void cfz_mutate_choose(struct cfz_mutator *m, const struct cfz_values *vs);

#endif
