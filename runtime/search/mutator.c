/*
 * mutator.c - chooses a value, then a mutation that applies to it.
 */
#include "search/mutator.h"
#include "search/mutators.h"
#include "search/words.h"

/* What can be done to the values of one kind. */
struct family {
    const struct cfz_mutation *mutations;
    uint32_t n;
    uint64_t limit; /* as in cfz_mutation_fn; of []byte and string it depends on the value */
};

#define OF_BYTES(width) cfz_bytes_mutations, CFZ_BYTES_MUTATIONS, 0
#define OF_STRING(width) OF_BYTES(width)
#define OF_BOOL(width) cfz_bool_mutations, CFZ_BOOL_MUTATIONS, 0
#define OF_SIGNED(width) cfz_int_mutations, CFZ_INT_MUTATIONS, INT64_MAX >> (64 - (width))
#define OF_UNSIGNED(width) cfz_uint_mutations, CFZ_UINT_MUTATIONS, UINT64_MAX >> (64 - (width))
#define OF_FLOAT(width) cfz_float_mutations, CFZ_FLOAT_MUTATIONS, 0

/* By kind, so that a mutation begins with one load. An integer's limit is what the C parameter
 * holds. */
#define ROW(kind, name, char_name, c_name, family, width, c_width)                                 \
    [CFZ_KIND_##kind] = {OF_##family(c_width)},
static const struct family families[CFZ_KIND_COUNT] = {CFZ_KINDS(ROW)};

/* Draws a mutation for value i. */
static inline const struct cfz_mutation *choose(struct cfz_mutator *m, const struct cfz_values *vs,
                                                size_t i)
{
    const struct family *f;

    CFZ_ASSERT((unsigned)vs->v[i].kind < CFZ_KIND_COUNT && families[vs->v[i].kind].n > 0);
    f = &families[vs->v[i].kind];
    return &f->mutations[cfz_rand_below(&m->rand, f->n)];
}

/* Applies the mutation that was chosen; false if it declines. */
static inline bool apply(struct cfz_mutator *m, struct cfz_values *vs, size_t i, uint64_t limit)
{
    if (__builtin_expect(m->next->among != NULL, 0))
        return m->next->among(&m->rand, vs, i, limit);
    return cfz_mutation_apply(m->next, &m->rand, &vs->v[i], limit);
}

void cfz_mutate_choose(struct cfz_mutator *m, const struct cfz_values *vs)
{
    m->next_value = cfz_rand_below(&m->rand, (uint32_t)vs->n);
    m->next = choose(m, vs, m->next_value);
}

size_t cfz_mutate(struct cfz_mutator *m, struct cfz_values *vs)
{
    struct cfz_value *v;
    uint64_t limit;
    size_t i;

    if (!m->next)
        cfz_mutate_choose(m, vs);
    i = m->next_value;
    v = &vs->v[i];
    limit = families[v->kind].limit;
    if (families[v->kind].mutations == cfz_bytes_mutations) {
        limit = m->max_len < v->cap ? m->max_len : v->cap;
        CFZ_ASSERT(v->len < UINT32_MAX && limit < UINT32_MAX);
        if (v->len == 0 && limit == 0) {
            m->next = NULL;
            return i; /* every mutation would decline, for ever */
        }
        if (m->words && cfz_words_mutate(m->words, &m->rand, v, limit)) {
            m->next = NULL;
            return i;
        }
    }
    while (!apply(m, vs, i, limit))
        m->next = choose(m, vs, i);
    m->next = NULL;
    return i;
}
