/*
 * prelude.h - what a program compares before it comes to its input.
 *
 * An interpreter that reads its own text first, a database that parses the schema of its own table:
 * they compare hundreds of times at the sites that the input will come to, and whoever looks at the
 * first comparisons of a site, or the nearest one, never sees one of the input. The prelude of a
 * site is how many of its first comparisons had the same operands in all traces so far. It is known
 * of sites with many comparisons in a trace. A prelude only becomes shorter, but for that the
 * inputs first may not have come to its end. Memory: about 1 MiB at most, of this process alone.
 */
#ifndef CFZ_PRELUDE_H
#define CFZ_PRELUDE_H

#include "coverage/trace.h"

enum {
    CFZ_PRELUDE_MANY = 16,  /* a site has many comparisons if it has more */
    CFZ_PRELUDE_AGREED = 8, /* executions that went beyond it, before it is believed */
};

/* cfz_prelude_map makes the memory; without it all preludes are 0. CFZ_EIO. Context: ordinary. */
int cfz_prelude_map(struct cfz_error *err);

/* cfz_prelude_see looks at the last trace, of an input that a stage works on. cfz_prelude_compare
 * looks at one comparison of any execution, with cfz_event_hash of it: it never makes a prelude
 * longer. Context: target. */
void cfz_prelude_see(void);
void cfz_prelude_compare(const struct cfz_event *e, uint32_t hash);

/* cfz_prelude returns how many comparisons of a site are its prelude; 0: none are known to be.
 * Context: target. */
uint32_t cfz_prelude(const struct cfz_site *site);

extern uint32_t cfz_preludes; /* sites that may have one */

/* cfz_is_early reports whether a comparison is among the first n behind the prelude of its site.
 */
static inline bool cfz_is_early(const struct cfz_event *e, uint32_t n)
{
    const uint32_t prelude = cfz_preludes > 0 ? cfz_prelude(e->site) : 0;

    return e->nth - prelude < n; /* a large number within the prelude */
}

/* cfz_is_before_input reports whether a comparison is one of the prelude of its site. */
static inline bool cfz_is_before_input(const struct cfz_event *e)
{
    return cfz_preludes > 0 && e->nth < cfz_prelude(e->site);
}

/* cfz_event_hash returns a hash of the operands of a comparison in the last trace, never 0.
 * Context: target. */
uint32_t cfz_event_hash(const struct cfz_event *e);

#endif
