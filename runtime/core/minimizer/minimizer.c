/*
 * minimizer.c - the order of the work: each value by itself, round and round, then what is worth
 * its tries only when nothing else helps.
 *
 *     each value:  bytes short and plain, numbers near 0      until none changes
 *     together:    integers that agree, then pairs of them
 *     one by one:  small numbers
 *
 * When one of the last two helps, it begins at the top again.
 *
 * Invariants are in minimizing.h.
 */
#include <stdlib.h>

#include "core/minimizer/minimizer.h"
#include "core/minimizer/minimizing.h"

/* Guessed. With it, values of up to some 380 bytes are searched down to single bytes whatever
 * happens, and longer ones as long as tries are accepted. */
static const struct cfz_patience patience_of_value = {
    .removing = 768,
    .filling = 768,
    .printing = 4096, /* 128 bytes that none of 32 characters can replace */
    .lowering = 4096, /* a 64-bit number that never gives costs some 600 */
};

/* Round and round, until a whole round changed nothing. */
static void minimize_each(struct cfz_minimizer *m)
{
    size_t quiet = 0, n = m->vs->n;

    for (size_t i = 0; quiet < n && !cfz_out_of_budget(m); i = (i + 1) % n) {
        uint64_t before = m->accepted;

        if (cfz_kind_is_slot(m->vs->v[i].kind)) {
            cfz_minimize_bytes(m, i);
        } else if (m->lowered[i] != m->accepted + 1) {
            cfz_minimize_number(
                m, i); /* until nothing helps; then only the change of another value can help */
            m->lowered[i] = m->accepted + 1;
        }
        quiet = m->accepted == before ? quiet + 1 : 0;
    }
}

/* The integers from value i on that are as far from 0 as value i, as bits; none if value i is not
 * an integer. */
static uint64_t equals_of(const struct cfz_minimizer *m, size_t i)
{
    const struct cfz_value *v = m->vs->v;
    uint64_t members = 0;

    for (size_t j = i; j < m->vs->n && cfz_is_integer(&v[i]); j++) {
        if (cfz_is_integer(&v[j]) && cfz_magnitude(&v[j]) == cfz_magnitude(&v[i]))
            members |= (uint64_t)1 << j;
    }
    return members;
}

/* Lowers integers that only go together: equal ones, then any two. */
static void minimize_together(struct cfz_minimizer *m)
{
    uint64_t done = 0;

    for (size_t i = 0; i < m->vs->n; i++) {
        uint64_t members = equals_of(m, i);

        if ((done & members) == 0)
            cfz_lower_together(m, members);
        done |= members;
    }
    for (size_t i = 0; i < m->vs->n; i++) {
        for (size_t j = i + 1; j < m->vs->n; j++) {
            const struct cfz_value *a = &m->vs->v[i], *b = &m->vs->v[j];

            if (cfz_is_integer(a) && cfz_is_integer(b) && cfz_magnitude(a) != cfz_magnitude(b))
                cfz_lower_together(m, (uint64_t)1 << i | (uint64_t)1 << j);
        }
    }
}

static void walk_each(struct cfz_minimizer *m)
{
    for (size_t i = 0; i < m->vs->n && !cfz_out_of_budget(m); i++) {
        if (cfz_kind_is_slot(m->vs->v[i].kind) || m->walked[i] == m->accepted + 1)
            continue;
        cfz_walk_number(m, i);
        m->walked[i] = m->accepted + 1;
    }
}

static struct cfz_minimizer begin(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand,
                                  void *ctx, uint8_t *room)
{
    struct cfz_minimizer m = {
        .vs = vs, .budget = budget, .try_cand = try_cand, .ctx = ctx, .room = room};

    CFZ_ASSERT(vs->n <= CFZ_VALUES_MAX);
    for (size_t i = 0; i < vs->n; i++)
        m.patience[i] = patience_of_value;
    return m;
}

void cfz_minimize_quick(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                        uint8_t *room)
{
    struct cfz_minimizer m = begin(vs, budget, try_cand, ctx, room);

    minimize_each(&m);
}

int cfz_minimize(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                 struct cfz_error *err)
{
    struct cfz_minimizer m;
    size_t longest = 0;
    uint64_t before;
    uint8_t *room = NULL;

    for (size_t i = 0; i < vs->n; i++) {
        if (cfz_kind_is_slot(vs->v[i].kind) && vs->v[i].len > longest)
            longest = vs->v[i].len;
    }
    if (longest > 0) {
        room = malloc(longest);
        if (room == NULL)
            return cfz_fail(err, CFZ_ENOMEM, "minimizing: no memory for %zu bytes", longest);
    }
    m = begin(vs, budget, try_cand, ctx, room);
    do {
        minimize_each(&m);
        before = m.accepted;
        minimize_together(&m);
        if (m.accepted == before)
            walk_each(&m);
    } while (m.accepted != before && !cfz_out_of_budget(&m));
    free(room);
    return 0;
}
