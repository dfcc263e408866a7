/*
 * seed.h - makes values of a test from the tagged arguments of cfuzz_add. Pure.
 */
#ifndef CFZ_SEED_H
#define CFZ_SEED_H

#include "core/value.h"

/*
 * cfz_seed_bind converts args to values of the given kinds in *vs (initialised).
 * Fails with CFZ_ETYPE, texts as in Go, types in Go's names:
 *   wrong number of values in corpus entry: 1, want 2
 *   mismatched types in corpus entry: [string int], want [[]uint8 int8]
 *   value 2: 300 out of range of int8
 * or with CFZ_ENOMEM. Context: ordinary.
 */
int cfz_seed_bind(const struct cfuzz_arg *args, size_t nargs, const enum cfz_kind *kinds, size_t n,
                  struct cfz_values *vs, struct cfz_error *err);

#endif
