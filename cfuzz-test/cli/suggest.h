/*
 * suggest.h - the word that was meant by one that is not known: "did you mean -fuzztime?"
 *
 * Pure. Context: ordinary.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

/* A search among candidates. Set word and len, the rest to zero, and offer each candidate. */
struct suggestion {
    const char *word; /* what was given: len bytes */
    size_t len;
    const char *best; /* the nearest candidate so far, or NULL where none is near */
    size_t distance;  /* edits between word and best */
};

/*
 * suggest_offer makes candidate the best one if it is nearer than all before. Near is what at most
 * a third of the word's characters away, and at least one: characters left out, added, exchanged
 * or swapped with their neighbour count one each, upper and lower case count nothing.
 */
void suggest_offer(struct suggestion *s, const char *candidate);

#endif
