/*
 * mutator.c - chooses a value, then a mutation that applies to it; and learns which ones bring
 * something.
 *
 * What is learned is a bandit's problem. Each mutation has a rate: credits per use, where an
 * interesting input gives one credit, shared by the mutations of its chain. Half of the choices are
 * by rate, and half by how often a mutation applied when it was drawn, so that each is still tried,
 * and a rate that changes is noticed. Uses and credits are halved now and then. AFL++'s MOpt (Lyu
 * et al., USENIX Security 2019) has the same aim with a particle swarm.
 *
 * A mutation that declines costs an indirect call that the processor guesses wrong, and then
 * another is drawn; a fifth of the executions had such costs when all were drawn alike (decision
 * 110). One that declines nearly always keeps a single place, by which it is noticed when that
 * changes.
 */
#include "search/mutator.h"

#include <stdio.h>
#include <string.h>

#include "search/mutators.h"
#include "search/words.h"

enum {
    CREDIT = 60,         /* of an interesting input: divisible by the lengths of chains */
    RELEARN = 16,        /* interesting inputs after which the choice is computed anew */
    FORGET = 1 << 22,    /* uses of a family after which all counts are halved */
    PRIOR = 4 * CREDIT,  /* credits that each mutation is assumed to have, at the mean rate */
    LOOK_TURNS = 16,     /* turns after which it is looked who declines. Guessed, like these: */
    LOOK_USES = 1 << 12, /* uses of a family since the last look, or it waits */
    LOOK_ENOUGH = 8,     /* uses of a mutation, or it stays what it was */
    IDLE = 32,           /* a mutation is idle if less than one use of so many is not declined */
};

/* What can be done to the values of one kind. */
struct family {
    const struct cfz_mutation *mutations;
    uint32_t n;
    uint64_t limit;   /* as in cfz_mutation_fn; of []byte and string it depends on the value */
    uint32_t learned; /* its place in cfz_learning.families */
    uint32_t number;  /* of its first mutation in a lineage */
};

enum { INSERT_RANDOM = 1 }; /* in cfz_bytes_mutations */
enum { LEARN_BYTES, LEARN_BOOL, LEARN_INT, LEARN_UINT, LEARN_FLOAT };

#define LEARNED(place) place, (place)*CFZ_LEARNED_MAX
#define OF_BYTES(width) cfz_bytes_mutations, CFZ_BYTES_MUTATIONS, 0, LEARNED(LEARN_BYTES)
#define OF_STRING(width) OF_BYTES(width)
#define OF_BOOL(width) cfz_bool_mutations, CFZ_BOOL_MUTATIONS, 0, LEARNED(LEARN_BOOL)
#define OF_SIGNED(width)                                                                           \
    cfz_int_mutations, CFZ_INT_MUTATIONS, INT64_MAX >> (64 - (width)), LEARNED(LEARN_INT)
#define OF_UNSIGNED(width)                                                                         \
    cfz_uint_mutations, CFZ_UINT_MUTATIONS, UINT64_MAX >> (64 - (width)), LEARNED(LEARN_UINT)
#define OF_FLOAT(width) cfz_float_mutations, CFZ_FLOAT_MUTATIONS, 0, LEARNED(LEARN_FLOAT)

/* By kind, so that a mutation begins with one load. An integer's limit is what the C parameter
 * holds. */
#define ROW(kind, name, char_name, c_name, family, width, c_width)                                 \
    [CFZ_KIND_##kind] = {OF_##family(c_width)},
static const struct family families[CFZ_KIND_COUNT] = {CFZ_KINDS(ROW)};

/* ---- learning ---------------------------------------------------------------------- */

/* applied: how often they do, of 1, until it is known. */
static void add_table(struct cfz_learned *f, const struct cfz_mutation *table, uint32_t n,
                      float applied)
{
    for (uint32_t i = 0; i < n; i++) {
        CFZ_ASSERT(f->n < CFZ_LEARNED_MAX);
        f->applied[f->n] = applied;
        f->all[f->n++] = &table[i];
    }
}

/* Has those that fit take the place of Go's. */
static void take_fitting(struct cfz_learned *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t k = 0; k < CFZ_FITTING_MUTATIONS; k++)
            if (strcmp(f->all[i]->name, cfz_fitting_mutations[k].name) == 0)
                f->all[i] = &cfz_fitting_mutations[k];
}

/* Gives mutation i of f its part of the places, by weight. */
static void share_out(struct cfz_learned *f, const double *weight, double sum)
{
    double passed = 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < f->n; i++) {
        passed += weight[i];
        while (at < CFZ_PICKS && (double)at < passed / sum * CFZ_PICKS)
            f->pick[at++] = (uint8_t)i;
    }
    for (; at < CFZ_PICKS; at++)
        f->pick[at] = (uint8_t)(f->n - 1);
}

/* Looks who declined since the last time. */
static void look(struct cfz_learned *f)
{
    f->looked = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t asked = f->uses[i] - f->looked_uses[i], applied = asked - f->declined[i];

        if (asked >= LOOK_ENOUGH)
            f->applied[i] = (float)applied / (float)asked;
        f->looked += f->uses[i];
        f->looked_uses[i] = f->uses[i];
        f->declined[i] = 0;
    }
}

/* Whether a mutation declines nearly always. */
static bool is_idle(const struct cfz_learned *f, uint32_t i)
{
    return f->applied[i] * IDLE < 1;
}

static void relearn(struct cfz_learned *f)
{
    double weight[CFZ_LEARNED_MAX], uses = 1, credits = 1, sum = 0, applied = 0, all = 0;
    uint32_t busy = 0;

    for (uint32_t i = 0; i < f->n; i++) {
        uses += f->uses[i];
        credits += f->credits[i];
        busy += !is_idle(f, i);
    }
    for (uint32_t i = 0; busy == 0 && i < f->n; i++)
        f->applied[i] = 1;
    busy = busy ? busy : f->n;
    for (uint32_t i = 0; i < f->n; i++) {
        weight[i] = (f->credits[i] + PRIOR) / (f->uses[i] + PRIOR * uses / credits);
        sum += is_idle(f, i) ? 0 : weight[i];
        applied += is_idle(f, i) ? 0 : (double)f->applied[i];
    }
    for (uint32_t i = 0; i < f->n; i++) {
        weight[i] = is_idle(f, i) ? 0 : weight[i] / sum + (double)f->applied[i] / applied;
        all += weight[i];
    }
    for (uint32_t i = 0; i < f->n; i++)
        weight[i] += is_idle(f, i) ? all / (CFZ_PICKS - f->n) : 0;
    all += all / (CFZ_PICKS - f->n) * (f->n - busy);
    share_out(f, weight, all);
    if (uses < FORGET)
        return;
    look(f);
    for (uint32_t i = 0; i < f->n; i++) {
        f->earlier[i] += f->uses[i] - f->uses[i] / 2;
        f->uses[i] /= 2;
        f->credits[i] /= 2;
        f->looked_uses[i] /= 2;
    }
    f->looked /= 2;
}

void cfz_learning_init(struct cfz_learning *l)
{
    memset(l, 0, sizeof *l);
    l->lineage = &l->own;
    add_table(&l->families[LEARN_BYTES], cfz_bytes_mutations, CFZ_BYTES_MUTATIONS, 1);
    take_fitting(&l->families[LEARN_BYTES]);
    add_table(&l->families[LEARN_BYTES], cfz_mix_mutations, CFZ_MIX_MUTATIONS, 1);
    add_table(&l->families[LEARN_BYTES], cfz_rare_mutations, CFZ_RARE_MUTATIONS, 0);
    add_table(&l->families[LEARN_BOOL], cfz_bool_mutations, CFZ_BOOL_MUTATIONS, 1);
    add_table(&l->families[LEARN_INT], cfz_int_mutations, CFZ_INT_MUTATIONS, 1);
    add_table(&l->families[LEARN_UINT], cfz_uint_mutations, CFZ_UINT_MUTATIONS, 1);
    add_table(&l->families[LEARN_FLOAT], cfz_float_mutations, CFZ_FLOAT_MUTATIONS, 1);
    for (int i = 0; i < CFZ_LEARNED_FAMILIES; i++)
        relearn(&l->families[i]);
}

void cfz_learning_add(struct cfz_learning *l, const struct cfz_mutation *table, uint32_t n)
{
    add_table(&l->families[LEARN_BYTES], table, n, 1);
    relearn(&l->families[LEARN_BYTES]);
}

void cfz_learning_replace(struct cfz_learning *l, const struct cfz_mutation *table, uint32_t n)
{
    CFZ_ASSERT(n > INSERT_RANDOM);
    memset(&l->families[LEARN_BYTES], 0, sizeof l->families[LEARN_BYTES]);
    cfz_learning_add(l, table, n);
}

void cfz_mutate_credit(struct cfz_mutator *m)
{
    struct cfz_learning *l = m->learning;
    uint8_t learned[CFZ_LINEAGE_MAX];
    uint32_t n = 0;

    for (uint32_t i = 0; l && i < l->lineage->n && n < CFZ_LINEAGE_MAX; i++)
        if (l->lineage->v[i] < CFZ_LINEAGE_WORD)
            learned[n++] = l->lineage->v[i];
    if (n == 0 || l->uniform)
        return;
    for (uint32_t i = 0; i < n; i++)
        l->families[learned[i] / CFZ_LEARNED_MAX].credits[learned[i] % CFZ_LEARNED_MAX] +=
            CREDIT / n;
    if (++l->credited % RELEARN == 0)
        for (int i = 0; i < CFZ_LEARNED_FAMILIES; i++)
            relearn(&l->families[i]);
}

void cfz_learning_names(const struct cfz_learning *l,
                        char names[CFZ_MUTATIONS_MAX][CFZ_MUTATION_NAME_MAX])
{
    static const struct {
        uint32_t number;
        const char *name;
    } others[] = {{CFZ_LINEAGE_WORD, "word"},
                  {CFZ_LINEAGE_COPY, "copy compared"},
                  {CFZ_LINEAGE_SOLVE, "solve compared"},
                  {CFZ_LINEAGE_FOLLOW, "follow"},
                  {CFZ_LINEAGE_MEND, "mend fields"},
                  {CFZ_LINEAGE_APPROACH, "approach"},
                  {CFZ_LINEAGE_MINIMIZE, "minimize"}};

    _Static_assert(CFZ_LINEAGE_MINIMIZE < CFZ_MUTATIONS_MAX, "each number has a name");
    memset(names, 0, (size_t)CFZ_MUTATIONS_MAX * CFZ_MUTATION_NAME_MAX);
    for (uint32_t f = 0; f < CFZ_LEARNED_FAMILIES; f++)
        for (uint32_t i = 0; i < l->families[f].n; i++)
            snprintf(names[f * CFZ_LEARNED_MAX + i], CFZ_MUTATION_NAME_MAX, "%s",
                     l->families[f].all[i]->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        snprintf(names[others[i].number], CFZ_MUTATION_NAME_MAX, "%s", others[i].name);
}

void cfz_learning_uses(const struct cfz_learning *l, _Atomic uint64_t uses[CFZ_MUTATIONS_MAX])
{
    for (uint32_t f = 0; f < CFZ_LEARNED_FAMILIES; f++)
        for (uint32_t i = 0; i < l->families[f].n; i++)
            atomic_store_explicit(&uses[f * CFZ_LEARNED_MAX + i],
                                  l->families[f].earlier[i] + l->families[f].uses[i],
                                  memory_order_relaxed);
}

void cfz_mutate_turn(struct cfz_mutator *m)
{
    struct cfz_learning *l = m->learning;

    if (!l || ++l->turns % LOOK_TURNS != 0)
        return;
    for (int i = 0; i < CFZ_LEARNED_FAMILIES; i++) {
        struct cfz_learned *f = &l->families[i];
        uint32_t uses = 0;

        for (uint32_t k = 0; k < f->n; k++)
            uses += f->uses[k];
        if (uses - f->looked < LOOK_USES)
            continue;
        look(f);
        relearn(f);
    }
}

/* ---- one mutation ------------------------------------------------------------------- */

/* The mutation that stands at a place of pick, for value i. */
static inline const struct cfz_mutation *pick(struct cfz_mutator *m, const struct cfz_values *vs,
                                              size_t i, uint32_t place)
{
    const struct cfz_learned *l;
    uint32_t family;

    CFZ_ASSERT((unsigned)vs->v[i].kind < CFZ_KIND_COUNT);
    family = families[vs->v[i].kind].learned;
    l = &m->learning->families[family];
    m->next_index = l->pick[place % CFZ_PICKS];
    if (family == LEARN_BYTES && vs->v[i].len == 0)
        m->next_index = INSERT_RANDOM; /* nearly all others decline */
    return l->all[m->next_index];
}

const struct cfz_mutation *cfz_mutator_draw(const struct cfz_mutator *m, struct cfz_rand *r)
{
    const struct cfz_learned *l = &m->learning->families[LEARN_BYTES];

    return l->all[l->pick[cfz_rand_below(r, CFZ_PICKS)]];
}

/* Draws a mutation for value i. */
static inline const struct cfz_mutation *choose(struct cfz_mutator *m, const struct cfz_values *vs,
                                                size_t i)
{
    const struct family *f;

    if (m->learning)
        return pick(m, vs, i, cfz_rand_u32(&m->rand));
    CFZ_ASSERT((unsigned)vs->v[i].kind < CFZ_KIND_COUNT && families[vs->v[i].kind].n > 0);
    f = &families[vs->v[i].kind];
    return &f->mutations[cfz_rand_below(&m->rand, f->n)];
}

/* Applies the mutation that was chosen; false if it declines. */
static inline bool apply(struct cfz_mutator *m, struct cfz_values *vs, size_t i, uint64_t limit)
{
    if (__builtin_expect(m->next->among != NULL, 0))
        return m->next->min_len <= vs->v[i].len &&
               m->next->among(&(struct cfz_among){&m->rand, vs, i, limit, m->run, m->other, m});
    return cfz_mutation_apply(m->next, &m->rand, &vs->v[i], limit);
}

void cfz_mutate_choose(struct cfz_mutator *m, const struct cfz_values *vs)
{
    _Static_assert(CFZ_VALUES_MAX <= 1 << 8, "24 bits of a draw are many times the values");
    uint32_t draw;

    if (!m->learning) {
        m->next_value = cfz_rand_below(&m->rand, (uint32_t)vs->n);
        m->next = choose(m, vs, m->next_value);
        return;
    }
    draw = cfz_rand_u32(&m->rand); /* one for both */
    m->next_value = (size_t)((uint64_t)(draw / CFZ_PICKS) * vs->n >> 24);
    m->next = pick(m, vs, m->next_value, draw);
}

/* Notes that mutation index of f, which was chosen, was applied. */
static inline void note(struct cfz_learning *l, const struct family *f, uint32_t index)
{
    l->families[f->learned].uses[index]++;
    cfz_lineage_add(l->lineage, f->number + index);
}

size_t cfz_mutate(struct cfz_mutator *m, struct cfz_values *vs)
{
    const struct family *f;
    struct cfz_value *v;
    uint64_t limit;
    size_t i;

    if (!m->next)
        cfz_mutate_choose(m, vs);
    i = m->next_value;
    v = &vs->v[i];
    f = &families[v->kind];
    limit = f->limit;
    if (f->learned == LEARN_BYTES) {
        limit = m->max_len < v->cap ? m->max_len : v->cap;
        CFZ_ASSERT(v->len < UINT32_MAX && limit < UINT32_MAX);
        if (v->len == 0 && limit == 0) {
            m->next = NULL;
            return i; /* every mutation would decline, for ever */
        }
        if (m->words && cfz_words_mutate(m->words, &m->rand, v, limit)) {
            if (m->learning)
                cfz_lineage_add(m->learning->lineage, CFZ_LINEAGE_WORD);
            m->next = NULL;
            return i;
        }
    }
    while (!apply(m, vs, i, limit)) {
        if (m->learning) { /* what always declines is not worth asking */
            m->learning->families[f->learned].uses[m->next_index]++;
            m->learning->families[f->learned].declined[m->next_index]++;
        }
        m->next = choose(m, vs, i);
    }
    m->next = NULL;
    if (m->learning)
        note(m->learning, f, m->next_index);
    return i;
}
