/*
 * minimizer.h - makes the values of an input small and plain while a callback agrees.
 *
 * Pure: it runs nothing and reads no clock. What a try means (a failure of the
 * same kind and place, coverage that stays) and where it runs (a worker that may
 * die of it) is the caller's.
 */
#ifndef CFZ_MINIMIZER_H
#define CFZ_MINIMIZER_H

#include "core/value.h"

/*
 * Reports whether cand still shows what is to be kept. cand is borrowed for the
 * call. It may set the budget to 0, which ends the minimizing: its answer counts.
 */
typedef bool cfz_try_fn(void *ctx, const struct cfz_values *cand);

/*
 * cfz_minimize shrinks vs in place, keeping what try_cand accepts, until nothing
 * more is accepted for any value with the others as they are, or the budget ends.
 * At every return vs is the best that was accepted so far.
 *
 *   bool            false
 *   integer         the least magnitude, positive rather than negative: binary search, then
 *                   what programs compare with (digits, bits, powers: minimizer_num.c has
 *                   the order); at last all from 1 to 64 and -1 to -64. So the result is the
 *                   least where all from some value on fail, and where one up to 64 does
 *   float           0, else a whole number as for integers, else few digits, a small exponent
 *                   and the least such digits; NaN of the common pattern
 *   []byte, string  short: blocks by halves down to single bytes, of short values
 *                   every range; empty is allowed. Then plain: blocks become
 *                   '0's, single bytes the first that goes of "012789ABCXYZ..."
 *
 * What is refused alone is tried together where values agree: bytes with integers that are
 * their length or one more or less, bytes with a field of 1, 2 or 4 bytes before them that
 * tells how many there are, two []byte or strings of one length, integers that are equal or at a
 * fixed distance.
 *
 * Tries: an n-byte value of which k bytes matter takes about 4 k log2(n/k) + 70 k, twice
 * that in company; one whose bytes all matter is given up early, after some thousand. An
 * integer m takes about 8 log2(m) + 128, two more 3 and if that helps 8 log2(m).
 *
 * vs        at most CFZ_VALUES_MAX; shows it already, so it is not tried as it is. Each
 *           []byte and string owns its bytes, and len of them stay writable when it gets
 *           shorter. No NUL gets into a string
 * budget    calls of try_cand at the most; counted down
 * err       CFZ_ENOMEM, before the first try
 * Context: ordinary.
 */
int cfz_minimize(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                 struct cfz_error *err);

/*
 * cfz_minimize_quick does it with room for the bytes of vs's longest []byte or string
 * from its caller, and allocates nothing. For inputs that come in masses: it leaves out
 * what rarely gives, integers together and small numbers one by one. Context: target.
 */
void cfz_minimize_quick(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                        uint8_t *room);

#endif
