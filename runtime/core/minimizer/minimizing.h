/*
 * minimizing.h - what minimizer.c, minimizer_bytes.c and minimizer_num.c share. Nobody else
 * includes it.
 *
 * Invariants
 * 1. Between tries the values are the best accepted so far. A step changes them in place, tries,
 *    and puts back what was there if the try is refused.
 * 2. What is accepted is shorter or plainer than before, by an order without endless descents. So
 *    the rounds over the values end.
 * 3. The patience of a value bounds its refused tries, however long or large it is. So input that
 *    cannot be shrunk does not cost as many tries as it has bytes.
 */
#ifndef CFZ_MINIMIZING_H
#define CFZ_MINIMIZING_H

#include "core/value.h"

/* How many more tries may be refused, for each part of the work on one value. */
struct cfz_patience {
    int64_t removing, filling, printing; /* bytes */
    int64_t lowering;                    /* numbers */
};

struct cfz_minimizer {
    struct cfz_values *vs;
    uint64_t *budget;
    bool (*try_cand)(void *ctx, const struct cfz_values *cand); /* see minimizer.h */
    void *ctx;
    uint64_t accepted; /* tries, ever */
    uint8_t *room;     /* space for the longest value: bytes that a try replaces */
    struct cfz_patience patience[CFZ_VALUES_MAX];
    uint8_t company[CFZ_VALUES_MAX];  /* enum cfz_company of a value's last accepted step */
    uint64_t lowered[CFZ_VALUES_MAX]; /* 1 + accepted when a number was last done with, or 0 */
    uint64_t walked[CFZ_VALUES_MAX];  /* likewise, of trying small numbers one by one */
};

/* What is changed together with the bytes of a value. Bits. */
enum cfz_company {
    CFZ_ALONE = 0,
    CFZ_WITH_NUMBERS = 1, /* integers that tell its length */
    CFZ_WITH_TWINS = 2,   /* values of its length */
    CFZ_WITH_FIELD = 4,   /* a number among its bytes that tells how many follow */
    CFZ_WITH_STREAM = 8,  /* lengths and checksum of the stored stream that they are in */
    CFZ_COMPANIES = 16,
};

static inline bool cfz_out_of_budget(const struct cfz_minimizer *m)
{
    return *m->budget == 0;
}

/* Tries the values as they are now, and counts the try. */
static inline bool cfz_accept(struct cfz_minimizer *m)
{
    if (cfz_out_of_budget(m))
        return false;
    --*m->budget;
    if (!m->try_cand(m->ctx, m->vs))
        return false;
    m->accepted++;
    return true;
}

static inline bool cfz_is_integer(const struct cfz_value *v)
{
    return cfz_kind_is_signed(v->kind) || cfz_kind_is_unsigned(v->kind);
}

/* An integer's distance from 0. */
static inline bool cfz_is_negative(const struct cfz_value *v)
{
    return cfz_kind_is_signed(v->kind) && cfz_value_int(v) < 0;
}
static inline uint64_t cfz_magnitude(const struct cfz_value *v)
{
    return cfz_is_negative(v) ? -v->bits : v->bits;
}

/* cfz_minimize_bytes makes value i, a []byte or string, short and then plain. */
void cfz_minimize_bytes(struct cfz_minimizer *m, size_t i);

/* cfz_minimize_number brings value i, of any other kind, near 0. */
void cfz_minimize_number(struct cfz_minimizer *m, size_t i);

/* cfz_walk_number tries the numbers next to 0 one by one, when cfz_minimize_number is done with
 * value i. */
void cfz_walk_number(struct cfz_minimizer *m, size_t i);

/* cfz_lower_together brings the integers in members (bit i: value i), if they are two or more,
 * nearer to 0, all by the same amount. */
void cfz_lower_together(struct cfz_minimizer *m, uint64_t members);

#endif
