/*
 * solver.h - the second stage of the search: goals that copies did not reach are solved.
 *
 * Executions are cheap, so what AFL++, REDQUEEN and Angora infer or taint is found by trying: each
 * byte of an entry is changed and the comparisons are traced. What influences an operand is then
 * written, counted, bisected or climbed until the goal is met. Origin of the steps:
 * docs/decisions/051.
 */
#ifndef CFZ_SOLVER_H
#define CFZ_SOLVER_H

#include "search/search.h"

/*
 * cfz_solver_map makes the solver's memory, of this process alone, and bounded: about 4 MiB, up
 * to 5 MiB more in a program of many sites whose traces are long, and up to 10 where inputs are of
 * 8 to 32 KiB; with
 * CFZ_SIDE_MAX inputs that show progress without new coverage, and CFZ_SIDE_OUTCOMES that show an
 * outcome of a comparison, which no input had shown. CFZ_EIO. Context: ordinary.
 */
enum { CFZ_SIDE_MAX = 256, CFZ_SIDE_OUTCOMES = 64 };
int cfz_solver_map(struct cfz_error *err);

/*
 * cfz_solver_entry works on the goals of one input, which is s->cur. round counts how often the
 * input was worked on before: each time it gets more. generation is 0 for an entry of the corpus,
 * and for an input of the solver's own what cfz_solver_side says. Returns false if it has no goal
 * that is open, so that working on it again is of no use. Context: target.
 */
bool cfz_solver_entry(struct cfz_search *s, unsigned round, unsigned generation);

/*
 * cfz_solver_side takes the next input that showed a goal without new coverage, and makes it
 * s->cur; those that showed an outcome come first, and with outcomes no other does. False if there
 * is none. Such inputs are not in the corpus: the solver goes on from them,
 * so that it can take several steps to one edge. *generation gets one more than how often
 * inputs got longer on the way to it from an entry. cfz_solver_side_waits reports whether there is
 * one. Context: target.
 */
bool cfz_solver_side_waits(void);
bool cfz_solver_side(struct cfz_search *s, bool outcomes, unsigned *generation);

/* cfz_solver_goal works on one goal of level 0, from an input that reaches its comparison: up to
 * the cost of the attempt that is its turn, and that of probing the input; where nothing moves its
 * operands, by the outcomes of comparisons before. True if it was met. Context: target. */
bool cfz_solver_goal(struct cfz_search *s, const struct cfz_image *im, const struct cfz_goal *g);

/* cfz_solver_add gives the solver such an input; outcome: it showed one. cfz_solver_any draws one
 * of those that showed an outcome, whether or not it had its turn; NULL if there is none. Context:
 * target. */
void cfz_solver_add(const struct cfz_image *im, bool outcome);
const struct cfz_image *cfz_solver_any(struct cfz_rand *r);

/* cfz_solver_step_name names the step that met the last goal, for CFUZZDEBUG and tests. */
const char *cfz_solver_step_name(void);

#endif
