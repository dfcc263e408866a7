/*
 * mutator.h - one random change of one of a test's values, in place.
 *
 * A string is mutated as bytes, and then cut at its first NUL. Each value has its own buffer: no
 * mutator touches the bytes of another argument.
 */
#ifndef CFZ_MUTATOR_H
#define CFZ_MUTATOR_H

#include "core/rand.h"
#include "core/shmem.h"
#include "core/value.h"
#include "search/image.h"

struct cfz_mutation;

enum {
    CFZ_PICKS = 256,
    CFZ_LEARNED_MAX = 40, /* mutations of a family */
    CFZ_LEARNED_FAMILIES = 5,
};

/* Numbers in a lineage: mutation i of family f is f * CFZ_LEARNED_MAX + i; others are these. */
enum cfz_lineage_number {
    CFZ_LINEAGE_WORD = CFZ_LEARNED_MAX * CFZ_LEARNED_FAMILIES,
    CFZ_LINEAGE_COPY,     /* what a comparison wanted was written where its operand stands */
    CFZ_LINEAGE_SOLVE,    /* ... was computed */
    CFZ_LINEAGE_FOLLOW,   /* a byte or word was put behind what was new (follow.h, sentences.h) */
    CFZ_LINEAGE_MEND,     /* checksums and lengths were written anew (mend.h) */
    CFZ_LINEAGE_APPROACH, /* it goes on from what came nearest to a goal (nearest.h) */
    CFZ_LINEAGE_MINIMIZE, /* it was made smaller */
};

/* What was learned of the mutations of one family of types. */
struct cfz_learned {
    const struct cfz_mutation *all[CFZ_LEARNED_MAX]; /* n of them */
    uint32_t n;
    uint8_t pick[CFZ_PICKS];        /* a choice is uniform in this: indices of all */
    uint32_t uses[CFZ_LEARNED_MAX]; /* asked for, also where it declined */
    uint32_t credits[CFZ_LEARNED_MAX];
    uint64_t earlier[CFZ_LEARNED_MAX]; /* uses that were forgotten */
    /* Since the choice was last computed: uses of all then, and of each; and who declined. */
    uint32_t looked, looked_uses[CFZ_LEARNED_MAX], declined[CFZ_LEARNED_MAX];
    float applied[CFZ_LEARNED_MAX]; /* of 1: how often each did not decline */
};

struct cfz_learning {
    struct cfz_learned families[CFZ_LEARNED_FAMILIES];
    struct cfz_lineage *lineage; /* mutations since the chain began: those that get credit */
    struct cfz_lineage own;      /* ... where nobody else wants to know */
    bool uniform;                /* what brings something gets no credit */
    uint32_t credited;           /* interesting inputs */
    uint32_t turns;              /* calls of cfz_mutate_turn */
};
struct cfz_words;

struct cfz_mutator {
    struct cfz_rand rand;
    const struct cfz_mutation
        *next; /* what cfz_mutate does next, to next_value; NULL: not chosen */
    size_t next_value;
    uint32_t next_index;           /* of next, in what was learned */
    size_t max_len;                /* no []byte or string gets longer than this; below UINT32_MAX */
    struct cfz_learning *learning; /* NULL: Go's mutations with Go's chances, and ours of numbers */
    const struct cfz_run_shm *run; /* whose entries give pieces; NULL: there are none */
    cfz_other_fn *other; /* what gives pieces as often as they do; NULL: nothing else does */
    struct cfz_words *words; /* that mutations of []byte and string use (words.h); NULL: none */
};

/* cfz_learning_init makes l know nothing: each mutation is equally likely. The lineage is l's own.
 * Context: any. */
void cfz_learning_init(struct cfz_learning *l);

/*
 * cfz_learning_replace has table[0..n) take the place of all mutations of []byte and string; an
 * empty value gets the second of them, which is to apply to it. cfz_learning_add puts table[0..n)
 * beside what is there; there is room for 6. The tables are borrowed. Context: ordinary.
 */
void cfz_learning_replace(struct cfz_learning *l, const struct cfz_mutation *table, uint32_t n);
void cfz_learning_add(struct cfz_learning *l, const struct cfz_mutation *table, uint32_t n);

/* cfz_learning_names writes what each number of a lineage is called, "" for those that are none.
 * Context: ordinary. */
void cfz_learning_names(const struct cfz_learning *l,
                        char names[CFZ_MUTATIONS_MAX][CFZ_MUTATION_NAME_MAX]);

/* cfz_learning_uses writes how often each number of a lineage was asked for; 0 where nobody counts.
 * Context: target. */
void cfz_learning_uses(const struct cfz_learning *l, _Atomic uint64_t uses[CFZ_MUTATIONS_MAX]);

/* cfz_lineage_add adds a number to a lineage, whatever the target made of that. Context: target. */
static inline void cfz_lineage_add(struct cfz_lineage *l, uint32_t number)
{
    l->v[l->n++] = (uint8_t)number;
}

/* cfz_mutate_chain tells that a chain of mutations begins with an entry; cfz_mutate_credit that
 * what the chain made so far is interesting. Context: target. */
static inline void cfz_mutate_chain(struct cfz_mutator *m)
{
    if (m->learning)
        m->learning->lineage->n = 0;
}
void cfz_mutate_credit(struct cfz_mutator *m);

/* cfz_mutator_draw draws one of the mutations of []byte, as m, which learns, would now. Context:
 * target. */
const struct cfz_mutation *cfz_mutator_draw(const struct cfz_mutator *m, struct cfz_rand *r);

/* cfz_mutate_turn is called now and then, every some hundred mutations. It looks for mutations that
 * cannot be applied here, such as those that take from other entries where there are none: they are
 * hardly asked for until they can. Context: target. */
void cfz_mutate_turn(struct cfz_mutator *m);

/*
 * cfz_mutate applies one mutation to one of vs, which has at least one value, and returns the index
 * of that value. Without learning and words it chooses and draws as Go does: a test of one []byte,
 * string or bool sees Go's sequence, and only numbers have mutations that Go has not
 * (docs/decisions/033). With learning there are ours for []byte and string, too, and the choice
 * follows what each brought (docs/decisions/058). A mutation may leave a value as it was.
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
