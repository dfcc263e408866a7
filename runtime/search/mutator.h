/*
 * mutator.h - one random change of one of a test's values, in place.
 *
 * A string is mutated as bytes, and then cut at its first NUL. Each value has its own buffer: no
 * mutator touches the bytes of another argument.
 */
#ifndef CFZ_MUTATOR_H
#define CFZ_MUTATOR_H

#include "core/rand.h"
#include "core/value.h"

struct cfz_mutation;
struct cfz_words;

struct cfz_mutator {
    struct cfz_rand rand;
    const struct cfz_mutation
        *next; /* what cfz_mutate does next, to next_value; NULL: not chosen */
    size_t next_value;
    size_t max_len; /* no []byte or string gets longer than this; below UINT32_MAX */
    struct cfz_words *words; /* that mutations of []byte and string use (words.h); NULL: none */
};

/*
 * cfz_mutate applies one mutation to one of vs, which has at least one value, and returns the index
 * of that value. It has all of Go's mutations, chosen and drawn as Go does: a test of one []byte,
 * string or bool sees Go's sequence. Numbers have more mutations than in Go (docs/decisions/033). A
 * mutation may leave a value as it was.
 *
 * A []byte or string is changed within its own buffer, of which it uses up to max_len bytes;
 * nothing is allocated. A value that is longer already does not grow. An empty one for which there
 * is no room stays empty. Context: target.
 */
size_t cfz_mutate(struct cfz_mutator *m, struct cfz_values *vs);

/*
 * cfz_mutate_choose draws which value the next cfz_mutate changes, and how. Without it cfz_mutate
 * does so; the draws are the same. If it is called well before, the processor knows where the call
 * of the mutation goes when it gets there. Context: target.
 */
void cfz_mutate_choose(struct cfz_mutator *m, const struct cfz_values *vs);

#endif
