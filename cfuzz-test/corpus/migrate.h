/*
 * migrate.h - values of a corpus file for a test whose parameters were other ones once. Pure but
 * for memory. Context: ordinary.
 */
#ifndef MIGRATE_H
#define MIGRATE_H

#include "core/value.h"

enum { MIGRATE_NEW = -1 }; /* the parameter was added: its value is zero */

/*
 * migrate_plan says for each of the n parameters in kinds which of the values it gets, from[i], or
 * MIGRATE_NEW. Most is kept in its order first, then what was moved, then what another type can
 * hold: wider integers and floats, bool as an integer, string as []byte and back. Returns how many
 * of the values find a place; 0: nothing of them is left.
 */
size_t migrate_plan(const struct cfz_values *old, const enum cfz_kind *kinds, size_t n, int *from);

/* migrate_values makes *out the values that the plan says. CFZ_ETYPE for one that the parameter
 * cannot hold ("value 2: int64 5000000000 out of range of a 32-bit int"); CFZ_ENOMEM. */
int migrate_values(const struct cfz_values *old, const enum cfz_kind *kinds, size_t n,
                   const int *from, struct cfz_values *out, struct cfz_error *err);

#endif
