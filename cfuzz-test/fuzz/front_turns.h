/*
 * front_turns.h - cfuzz-test's own front (front.h) for a test that takes turns with others: it says
 * less of each turn, and adds up what they did. Context: ordinary.
 */
#ifndef FRONT_TURNS_H
#define FRONT_TURNS_H

#include "base/strlist.h"
#include "fuzz/front.h"
#include "fuzz/fuzz_words.h"

/* What the turns of a test did so far. */
struct turn_summary {
    uint64_t execs, found;             /* added up */
    uint64_t total, covered, counters; /* of the last turn */
    bool over;                         /* the last turn got past its baseline ... */
    uint64_t baseline_ns;              /* ... which took so long */
    struct words words;                /* that helped, in any turn */
    struct cfz_buf blocked; /* lines of what blocked the last turn; nothing if it failed */
    struct strlist told;    /* "FuzzX/<seed>": failing inputs that turns told of */
};
void turn_summary_release(struct turn_summary *sum);

/* Its ctx is a struct turn_summary. */
extern const struct front front_turns;

#endif
