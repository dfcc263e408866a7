/*
 * urgent.h - goals that cannot wait: outcomes with much of the program behind them, of comparisons
 * that hardly an input has reached.
 *
 * The solver takes entries in the order in which they wait, and in a big corpus most wait long. The
 * first that come to a comparison behind which many counters lie need not: the solver works on that
 * goal alone. After a few attempts it is as any other. Decision 126. Context: target.
 */
#ifndef CFZ_URGENT_H
#define CFZ_URGENT_H

#include "search/search.h"

enum {
    CFZ_URGENT_GOALS = 32,   /* at a time */
    CFZ_URGENT_ATTEMPTS = 3, /* at a goal, from one entry */
    CFZ_URGENT_BEHIND = 6,   /* counters, at least */
    CFZ_URGENT_REACHED = 2,  /* inputs that came to the comparison, at most */
};

struct cfz_urgent_goal {
    uint64_t entry; /* that came to the comparison */
    uint64_t cost;  /* of working on it, about */
    uint64_t key;   /* of the goal, of level 0 */
    uint32_t site, nth, behind;
    uint8_t want, attempts;
};

/* Of one worker. All zero: none. The target can write over it: what is read here is checked. */
struct cfz_urgent {
    uint32_t n;
    struct cfz_urgent_goal goals[CFZ_URGENT_GOALS];
};

/* cfz_urgent_see takes in the urgent goals of the last trace, which was that of an entry and is in
 * the notes of obstacles.h. cost: of working on one of them, about. Where there are too many, those
 * with the most counters behind them stay. Cases of a switch are none, and neither is what is more
 * or less. */
void cfz_urgent_see(struct cfz_urgent *u, const struct cfz_search *s, uint64_t entry,
                    uint64_t cost);

/* cfz_urgent_due reports whether there may be a goal whose cost is at most so much. cfz_urgent_next
 * gives the one of these that had the fewest attempts, and among equals has the most behind it, and
 * counts an attempt; *before gets how many there were. False if there is none. */
bool cfz_urgent_due(const struct cfz_urgent *u, uint64_t most);
bool cfz_urgent_next(struct cfz_urgent *u, const struct cfz_search *s, uint64_t most,
                     struct cfz_goal *g, uint64_t *entry, unsigned *before);

#endif
