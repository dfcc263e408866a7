/*
 * frontier.h - which entries reach a comparison of which an outcome is missing.
 *
 * Behind an edge that is covered there is most to find where a branch was taken one way only: at
 * the frontier. For each counter a few entries are known that reach it, the cheapest first. A turn
 * of the frontier draws an outcome that no input has shown, and one of the entries that reach its
 * comparison. Outcomes that had many turns without being shown come less often. The memory is made
 * by the host and shared by its workers. Context: target, unless it says otherwise.
 */
#ifndef CFZ_FRONTIER_H
#define CFZ_FRONTIER_H

#include "core/rand.h"
#include "coverage/counters.h"

enum { CFZ_REACHING = 4 }; /* entries that are known for a counter */

/* What is known of a counter. */
struct cfz_reached {
    _Atomic uint32_t
        entries[CFZ_REACHING]; /* 1 + entry; the cheapest first, then a random sample */
    _Atomic uint32_t cheapest; /* what an execution of that one costs, times its size */
    _Atomic uint32_t n;        /* entries that reached it so far */
};

struct cfz_frontier {
    size_t ncounters;
    struct cfz_reached *reached; /* by counter; shared */
    _Atomic uint32_t *turns;     /* by site; shared */
    struct cfz_active *active;   /* sites of which a counter was reached; shared */
    /* Which sites have a counter: site[first[c]] to site[first[c + 1] - 1] have counter c, of those
     * that were there when f was made. */
    uint32_t *first, *site, nsites;
    /* Of this process: outcomes that are missing, computed anew after so many turns. */
    struct cfz_missing *missing;
    uint32_t nmissing, turns_left;
};

/* cfz_frontier_map makes f for so many counters, in a process that forks all workers of a test.
 * Without sites there is no frontier. CFZ_EIO. Context: ordinary. */
int cfz_frontier_map(struct cfz_frontier *f, size_t ncounters, struct cfz_error *err);

/* cfz_frontier_renew has f know nothing again, for processes that are forked from now on; others
 * keep theirs. In the process that made it. CFZ_EIO. Context: ordinary. */
int cfz_frontier_renew(struct cfz_frontier *f, struct cfz_error *err);

/* cfz_frontier_learn takes in what an entry reaches: seen->bits, as cfz_counters_collect_all left
 * them. cost: of executing and mutating it. */
void cfz_frontier_learn(struct cfz_frontier *f, const struct cfz_seen *seen, struct cfz_rand *rand,
                        uint64_t entry, uint64_t cost);

/* cfz_frontier_next draws an entry for a turn. False if nothing is missing that an entry reaches.
 * Where the target wrote over the memory, there may be no entry of that number. */
bool cfz_frontier_next(struct cfz_frontier *f, const struct cfz_seen *seen, struct cfz_rand *rand,
                       uint64_t *entry);

/* cfz_frontier_favoured draws a favoured entry for a turn: an outcome that inputs showed is drawn,
 * and the entry is the cheapest that reaches it. So these are a cover of the outcomes, and the more
 * of them an entry is the cheapest for, the more turns it has. False if no outcome was found;
 * otherwise as cfz_frontier_next. */
bool cfz_frontier_favoured(struct cfz_frontier *f, struct cfz_rand *rand, uint64_t *entry);

#endif
