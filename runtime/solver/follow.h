/*
 * follow.h - what follows what was new: each byte behind the place where an entry got further.
 *
 * A scanner made by flex, or another automaton whose moves are in a table, compares nothing on its
 * way to the end of a keyword; the program tells the states that it came to instead
 * (plugin/TableStates.cpp). An entry that came to a new one came there by its last byte, most
 * often, and one of 256 leads on. Random mutation finds that byte in a million executions; here it
 * takes 512 at most. docs/decisions/168.
 *
 * All decisions are made from counts, so that a run repeats.
 */
#ifndef CFZ_FOLLOW_H
#define CFZ_FOLLOW_H

#include "search/search.h"

/* What one worker knows of it. All zero is nothing. */
struct cfz_following {
    uint64_t cost;    /* work that was done for it */
    uint32_t vain;    /* entries in a row that nothing followed */
    uint32_t skipped; /* entries that were not followed, since one was */
};

/*
 * cfz_follow_due reports whether the next entry, whose executions are so much work each, is to be
 * followed, when mutation has done so much: that takes a part of it at most, no entry much of that
 * part, and the less often, the longer nothing came of it. Context: any.
 */
bool cfz_follow_due(struct cfz_following *f, uint64_t work, uint64_t mutated);

/*
 * cfz_follow tries each byte behind where an entry, which is s->cur, began to differ from the one
 * it was made of (s->from), and behind the end of that value. Where nothing is new, the name that
 * stands at s->from is taken for a word. Nothing happens where s->from is in a number. Context:
 * target.
 */
void cfz_follow(struct cfz_following *f, struct cfz_search *s);

#endif
