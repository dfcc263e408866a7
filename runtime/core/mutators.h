/*
 * mutators.h - the tables of mutations, between mutator.c and the mutators.
 *
 * One function per mutation, one table per family of types. All of Go's are
 * here, in Go's order and with Go's draws. A new mutation is a function and a
 * line in its table: choosing is uniform over the table.
 */
#ifndef CFZ_MUTATORS_H
#define CFZ_MUTATORS_H

#include "rand.h"
#include "value.h"

/*
 * A mutation changes v in place and returns true, or declines: returns false,
 * the value unchanged, the draws made so far spent.
 *
 * limit  []byte, string: length that the result does not exceed, at most v->cap
 *        and UINT32_MAX; a longer value is left at its length or made shorter.
 *        Integers: the largest value of the type. Others: not used.
 *
 * A string has no NUL before and none after. Context: target.
 */
typedef bool cfz_mutation_fn(struct cfz_rand *r, struct cfz_value *v, uint64_t limit);

struct cfz_mutation {
    const char *name; /* for tests, statistics and debugging */
    size_t min_len;   /* []byte, string: a shorter value is declined, without a draw */
    cfz_mutation_fn *apply;
};

/* Applies m or declines, as cfz_mutation_fn, which alone knows nothing of min_len. */
static inline bool cfz_mutation_apply(const struct cfz_mutation *m, struct cfz_rand *r,
                                      struct cfz_value *v, uint64_t limit)
{
    /* First: most mutations decline an empty value, and each indirect call is mispredicted. */
    return v->len >= m->min_len && m->apply(r, v, limit);
}

enum {
    CFZ_BYTES_MUTATIONS = 18,
    CFZ_BOOL_MUTATIONS = 2,
    CFZ_INT_MUTATIONS = 2,
    CFZ_UINT_MUTATIONS = 2,
    CFZ_FLOAT_MUTATIONS = 4,
};

extern const struct cfz_mutation cfz_bytes_mutations[CFZ_BYTES_MUTATIONS]; /* and strings */
extern const struct cfz_mutation cfz_bool_mutations[CFZ_BOOL_MUTATIONS];
extern const struct cfz_mutation cfz_int_mutations[CFZ_INT_MUTATIONS];
extern const struct cfz_mutation cfz_uint_mutations[CFZ_UINT_MUTATIONS];
extern const struct cfz_mutation cfz_float_mutations[CFZ_FLOAT_MUTATIONS];

#endif
