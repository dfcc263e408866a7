/*
 * minimizer.h - makes the values of an input small and plain while a callback agrees.
 *
 * Pure: it runs nothing and reads no clock. The caller's callback knows what a try means (a failure
 * of the same kind and place, coverage that stays) and where it runs (a worker that may die of it).
 */
#ifndef CFZ_MINIMIZER_H
#define CFZ_MINIMIZER_H

#include "core/value.h"

/*
 * Reports whether cand still shows what is to be kept. cand is borrowed for the call. The callback
 * may set the budget to 0 to end the minimizing; its answer to this try still counts.
 */
typedef bool cfz_try_fn(void *ctx, const struct cfz_values *cand);

/*
 * cfz_minimize shrinks vs in place and keeps what try_cand accepts. It ends when no value can be
 * made smaller while the others stay as they are, or when the budget is used up. At every return vs
 * is the best that was accepted so far.
 *
 *   bool            false
 *   integer         the least magnitude, positive rather than negative: binary search, then
 *                   what programs compare with (digits, bits, powers: minimizer_num.c has
 *                   the order), at last all from 1 to 64 and -1 to -64. The result is the
 *                   least one if all from some value on are accepted, or if one up to 64 is
 *   float           0, else a whole number as for integers, else few digits, a small exponent
 *                   and the least such digits; a NaN of the common pattern
 *   []byte, string  short: without blocks, by halves down to single bytes, of short values
 *                   without any range; it may get empty. Then plain: blocks become '0's,
 *                   a single byte the first of "012789ABCXYZ..." that is accepted
 *
 * A step that is refused alone is tried together with others where values agree: bytes with
 * integers that are their length or one more or less, bytes with a field of 1, 2 or 4 bytes before
 * them that tells how many there are, bytes within a stored deflate stream (core/deflate/stored.h)
 * with its lengths and checksum, two []byte or strings of one length, integers that are equal or at
 * a fixed distance.
 *
 * Number of tries: for n bytes of which k matter, about 4 k log2(n/k) + 70 k, and twice that
 * together with others. If all bytes matter, it gives up early, after some thousand. For an integer
 * m about 8 log2(m) + 128; for two integers together 3, and if that helps 8 log2(m) more.
 *
 * vs        at most CFZ_VALUES_MAX; shows it already, so it is not tried as it is. Each
 *           []byte and string owns its bytes, and len of them stay writable when it gets
 *           shorter. No NUL gets into a string
 * budget    how often try_cand may be called; counted down
 * err       CFZ_ENOMEM, before the first try
 * Context: ordinary.
 */
int cfz_minimize(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                 struct cfz_error *err);

/*
 * cfz_minimize_quick is for inputs that come in masses. It leaves out what rarely helps: integers
 * together, and small numbers one by one. It allocates nothing: room has space for the longest
 * []byte or string of vs. Context: target.
 */
void cfz_minimize_quick(struct cfz_values *vs, uint64_t *budget, cfz_try_fn *try_cand, void *ctx,
                        uint8_t *room);

#endif
