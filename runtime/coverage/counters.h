/*
 * counters.h - the edge counters of this process: what is there, reset, collect.
 *
 * Every module (the program, each shared library) announces one region of 8-bit
 * counters through LLVM's SanitizerCoverage and, where the cfuzz plugin compiled
 * it, one flag byte per function and where that function's counters are
 * (abi.h). A counter's index is its place in the concatenation of all regions in
 * the order in which they were announced; it is the same in all processes that
 * were forked from one origin.
 *
 * A library that has counters is never unloaded, whatever dlclose is asked to do: its
 * counters are looked at after the execution that closed it, and stay what they are when
 * the next one opens it again. Libraries that a worker loads while it runs get their places
 * in the order in which it loads them; several workers agree as long as that is the same.
 */
#ifndef CFZ_COUNTERS_H
#define CFZ_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/coverage.h"
#include "core/error.h"

/*
 * What a worker has seen. Everything is mapped once by cfz_seen_map, nothing is
 * allocated later. A bit in own or mask is no news.
 */
struct cfz_seen {
    uint8_t *own;              /* one byte per counter: bits this worker knows of */
    const uint8_t *mask;       /* the run's mask; NULL without one */
    size_t mask_len;           /* counters from here on are never news */
    struct cfz_cov_bits *bits; /* what a collect found */
    size_t nbits;
    size_t n;                  /* counters: the length of own, the room in bits */
    struct cfz_cov_bits *held; /* of cfz_seen_hold */
    size_t nheld;
    bool unstable;    /* of cfz_seen_confirm: the two collects differ */
    uint8_t *scratch; /* n bytes, zero between calls */
};

/*
 * cfz_counters_prepare sorts out what the modules announced, for the first time
 * or after further ones came (dlopen). Fails when an object was compiled for
 * another ABI or flags and records do not match. Context: ordinary.
 */
int cfz_counters_prepare(struct cfz_error *err);

/* cfz_counters_late: modules came since prepare; what they count is not collected yet. */
extern _Atomic bool cfz_counters_announced;
static inline bool cfz_counters_late(void)
{
    return atomic_load_explicit(&cfz_counters_announced, memory_order_relaxed);
}

/* Counters there are; valid after prepare. Context: any. */
size_t cfz_counters_total(void);

/* CFZ_BUILD_COUNTERS and CFZ_BUILD_FUNC_FLAGS as far as they apply; after prepare. */
unsigned cfz_counters_build(void);

/*
 * The ways to collect; all find the same. cfz_counters_prepare chooses the fastest that the
 * processor has, unless cfz_counters_use, which is false where it lacks the way, did before.
 * Context: ordinary.
 */
enum cfz_counters_way { CFZ_COUNTERS_PLAIN, CFZ_COUNTERS_AVX2, CFZ_COUNTERS_WAYS };
bool cfz_counters_use(enum cfz_counters_way way);

/* cfz_seen_map makes s for the counters there are, or as many as the mask has room for if that is
 * more (modules still to come; one for which it is too few is not looked at): nothing seen. Fails
 * with CFZ_EIO. */
int cfz_seen_map(struct cfz_seen *s, const uint8_t *mask, size_t mask_len, struct cfz_error *err);

/* cfz_counters_reset zeroes all counters and flags. Cost: all of them. Context: target. */
void cfz_counters_reset(void);

/*
 * cfz_counters_collect looks at all counters of functions that ran since the
 * last collect or reset, zeroes them, and leaves in s->bits the bits that neither
 * s->own nor s->mask has; returns their number. s->own does not learn them (see
 * cfz_seen_learn), only what mask already had.
 * cfz_counters_collect_all leaves all bits, known or not.
 *
 * Cost: the flags (8 functions a step), then the counters of functions that ran (32 a
 * step). A thread that was inside a function when the execution began has set
 * no flag: what it counts there may be missed. Context: target.
 */
size_t cfz_counters_collect(struct cfz_seen *s);
size_t cfz_counters_collect_all(struct cfz_seen *s);

/*
 * News are confirmed by a second execution: cfz_seen_hold puts aside what a
 * collect found; after another collect, cfz_seen_confirm leaves in s->bits what
 * both found and returns its number, and in s->unstable whether that was not all.
 * s->own learns all of both, so that what does not repeat is not looked at again by
 * this worker. Context: target.
 */
void cfz_seen_hold(struct cfz_seen *s);
size_t cfz_seen_confirm(struct cfz_seen *s);

/*
 * To make an input smaller its bits are put aside with cfz_seen_hold; after a
 * cfz_counters_collect_all, cfz_seen_has_held tells whether each of them was seen
 * again. cfz_seen_held_is_merged tells whether the mask has got all of them meanwhile: another
 * worker's input showed them. cfz_seen_unhold makes them s->bits again. Context: target.
 */
bool cfz_seen_has_held(struct cfz_seen *s);
bool cfz_seen_held_is_merged(const struct cfz_seen *s);
void cfz_seen_unhold(struct cfz_seen *s);

/* cfz_seen_learn adds s->bits to s->own. Context: target. */
void cfz_seen_learn(struct cfz_seen *s);

#endif
