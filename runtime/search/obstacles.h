/*
 * obstacles.h - comparisons that inputs reach and none gets past: what is noted of them while the
 * search works, and which of them block most.
 *
 * Notes are taken where an input is traced anyway, never in the loop of mutated executions. They
 * lie in the memory that the workers of a test share (goal.h). Context: target.
 */
#ifndef CFZ_OBSTACLES_H
#define CFZ_OBSTACLES_H

#include "search/goal.h"

/* cfz_obstacles_saw notes the operands of all comparisons of the last trace, of an input that was
 * kept, whose other outcome is open. */
void cfz_obstacles_saw(struct cfz_goals *goals, const struct cfz_seen *seen);

/* cfz_obstacles_nearer notes the operands of e, if they are closer to the goal, of level 0, than
 * any before. */
void cfz_obstacles_nearer(struct cfz_goals *goals, const struct cfz_goal *g,
                          const struct cfz_event *e);

/* What probing each byte of an input said of a comparison. */
struct cfz_influences {
    const struct cfz_range *ranges; /* in order, and apart */
    uint32_t nranges;
    uint32_t nbytes, of; /* bytes that change an operand, of so many that were tried */
    uint32_t ngrowing, of_growing; /* the same of []byte and strings alone */
    bool more;           /* there are more ranges, or a length counts alone */
    bool lost;           /* some changed inputs did not get there */
    bool drifts;         /* no change is needed for another operand */
};
void cfz_obstacles_probed(struct cfz_goals *goals, const struct cfz_site *site,
                          const struct cfz_influences *in);

/* cfz_obstacles_asks_again reports whether it is to be looked if the input that was probed shows
 * the same operands once more: once for a site, where nearly all bytes seem to change them. */
bool cfz_obstacles_asks_again(struct cfz_goals *goals, const struct cfz_site *site,
                              const struct cfz_influences *in);

/* cfz_obstacles_rank writes the obstacles that are worth telling, or where there are none the first of
 * those that little lies behind (list->little): those that some byte of an input
 * changes before the others, then by what lies behind them, then by how many inputs reach them.
 * params has the test's nparams values, or is NULL. */
void cfz_obstacles_rank(struct cfz_goals *goals, const struct cfz_seen *seen,
                        const struct cfz_param_desc *params, uint32_t nparams,
                        struct cfz_obstacles *list);

#endif
