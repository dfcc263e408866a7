/*
 * trace_places.h - sites of objects that the plugin did not compile. A place is a call of a
 * function of ours, known by its return address. A site is made when a place first compares
 * something while tracing is on.
 *
 * This is linked only where an object calls such a function. Then it announces its sites, as a
 * module of its own.
 *
 * A place has the same sites in all processes of a test, unless two places want the same slot: then
 * the order in which they came decides.
 */
#ifndef CFZ_TRACE_PLACES_H
#define CFZ_TRACE_PLACES_H

#include "coverage/trace.h"

/* Whether tracing is on: of a comparison while it is off, one load and one branch are the cost. */
extern uint8_t cfz_places_traced __attribute__((visibility("hidden")));

/*
 * cfz_place_site returns the site of a place for a kind, a predicate and a width. *fresh: it was
 * made now, with these three and nothing else. NULL: there is no room, or what this thread compares
 * is not traced. Context: target, while cfz_places_traced, any thread.
 */
struct cfz_site *cfz_place_site(uintptr_t pc, enum cfz_site_kind kind, unsigned predicate,
                                unsigned width, bool *fresh);

#endif
