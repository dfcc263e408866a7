/*
 * buckets.h - the buckets of many counters at once.
 */
#ifndef CFZ_BUCKETS_H
#define CFZ_BUCKETS_H

/*
 * CFZ_BUCKETS makes each byte of w, a word of 64 bits or a vector of such, its highest set bit, as
 * cfz_cov_bucket does: all bits below the highest are set; then all but the highest cancel out. It
 * is no function, since how one gets and returns a vector depends on the registers that it is
 * compiled for.
 */
#define CFZ_BUCKETS(w)                                                                             \
    do {                                                                                           \
        (w) |= (w) >> 1 & 0x7f7f7f7f7f7f7f7fU;                                                     \
        (w) |= (w) >> 2 & 0x3f3f3f3f3f3f3f3fU;                                                     \
        (w) |= (w) >> 4 & 0x0f0f0f0f0f0f0f0fU;                                                     \
        (w) ^= (w) >> 1 & 0x7f7f7f7f7f7f7f7fU;                                                     \
    } while (0)

#endif
