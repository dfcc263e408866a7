/*
 * nearest.h - the inputs that came nearest to outcomes which no input has shown, and which of them
 * random mutation goes on from.
 *
 * An input that comes nearer to such an outcome, or for the first time to a comparison at all, may
 * have no new coverage; then no entry has what it has, and steps that need several such inputs are
 * never taken. So the nearest one of each open goal of level 0 (goal.h) is kept, in a table of
 * bounded size. Of a switch one case at a time is a goal, and all inputs that get there are as
 * near: an interpreter's next command is a name, no number. It is libFuzzer's value profile and the
 * waypoints of FuzzFactory (Padhye et al., OOPSLA 2019) without what they cost: distances are told
 * by traces, and only turns that are for this are traced (worker/worker_approach.h).
 *
 * The table is of one process. All decisions are made from counts and the generator's draws, so
 * that a run repeats. Context: target, unless it says otherwise.
 */
#ifndef CFZ_NEAREST_H
#define CFZ_NEAREST_H

#include "search/records.h"

enum {
    CFZ_NEAREST_MAX = 64,  /* goals; guessed */
    CFZ_NEAREST_SHOWN = 8, /* words of 64 bits */
    CFZ_NEAREST_WAYS = 4,  /* inputs of each, which came there on different paths; guessed */
};

struct cfz_nearest {
    struct cfz_goal goal; /* the site is NULL where there is none */
    uint64_t distance;    /* of the nearest one (cfz_goal_distance; a switch: 1); never 0 */
    uint32_t vain;        /* turns since one came nearer */
    uint64_t a, b;        /* operands of the nearest one, if they are numbers */
    uint32_t nways;       /* at least 1 */
    struct cfz_way {
        uint64_t distance, path;
        uint64_t shows[CFZ_NEAREST_SHOWN];  /* outcomes, by a hash */
        uint64_t others[CFZ_NEAREST_SHOWN]; /* that the other ways show */
        uint32_t alone;                     /* how many it shows that these do not */
        struct cfz_image im;
        struct cfz_records records; /* of im; not known at first */
    } ways[CFZ_NEAREST_WAYS];
    /* One that is farther away, but has other operands: in a goal that had turns in vain. */
    bool is_moved;
    uint8_t moves; /* how often there was one */
    struct cfz_image moved;
};

/* cfz_nearest_map makes the memory, of this process alone, about 3 MiB. CFZ_EIO. Context:
 * ordinary.
 */
int cfz_nearest_map(struct cfz_error *err);

/*
 * cfz_nearest_see looks at the last trace, which is of im: keeps im where it came nearer to a goal,
 * or as near on another path, and forgets goals that are met. Of one path an input that is as near
 * as the one that is kept takes its place if it is shorter, and now and then if it is as long.
 * Returns whether im shows an outcome that has no counter, for the first time: coverage does not
 * tell of that.
 */
bool cfz_nearest_see(struct cfz_search *s, const struct cfz_image *im);

/*
 * cfz_nearest_next chooses the goal whose turn it is, and counts the turn as in vain, until it
 * comes nearer: what came nearer lately, and has much behind it, has more turns. NULL if there is
 * none.
 */
struct cfz_nearest *cfz_nearest_next(struct cfz_search *s);

/* cfz_nearest_any draws one of the inputs, borrowed until the next trace is seen; NULL if there is
 * none.
 */
const struct cfz_image *cfz_nearest_any(struct cfz_rand *r);

#endif
