/*
 * arrivals.h - the entries that arrived last, of which each is taken once: the last one first.
 */
#ifndef CFZ_ARRIVALS_H
#define CFZ_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

enum { CFZ_ARRIVALS = 64 };

/* All zero: none. */
struct cfz_arrivals {
    uint64_t of[CFZ_ARRIVALS];
    uint32_t end, n; /* the last one is of[(end - 1) % CFZ_ARRIVALS]; there are n */
};

/* cfz_arrivals_add adds an entry, in place of the oldest one if there is no room. Context: any. */
static inline void cfz_arrivals_add(struct cfz_arrivals *a, uint64_t entry)
{
    a->of[a->end++ % CFZ_ARRIVALS] = entry;
    a->n += a->n < CFZ_ARRIVALS;
}

/* cfz_arrivals_take takes the last one away. False if there is none. Context: any. */
static inline bool cfz_arrivals_take(struct cfz_arrivals *a, uint64_t *entry)
{
    if (a->n == 0)
        return false;
    a->n--;
    *entry = a->of[--a->end % CFZ_ARRIVALS];
    return true;
}

#endif
