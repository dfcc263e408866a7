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
 * A library that has counters stays loaded, also when the program calls dlclose: its counters are
 * looked at after the execution that closed it, and keep their places when the next execution
 * opens it again. Libraries that a worker loads while it runs get their places in the order of
 * loading, so workers agree on them as long as they load in the same order.
 */
#ifndef CFZ_COUNTERS_H
#define CFZ_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/coverage.h"
#include "core/error.h"

/*
 * What a worker has seen. cfz_seen_map maps all of it; nothing is allocated later. A bit is new
 * if neither own nor mask has it.
 */
struct cfz_seen {
    uint8_t *own;        /* one byte per counter: bits that this worker saw or took from mask */
    const uint8_t *mask; /* the run's mask; NULL without one */
    size_t mask_len;     /* bits of counters from here on are never new */
    struct cfz_cov_bits *bits; /* what the last collect left */
    size_t nbits;
    size_t n;                  /* counters that there is room for in all of these */
    struct cfz_cov_bits *held; /* what cfz_seen_hold put aside */
    size_t nheld;
    bool unstable;          /* set by cfz_seen_confirm: the two collects differ */
    uint8_t *scratch;       /* n bytes, zero between calls */
    const uintptr_t *frame; /* where the stack of the last execution began; NULL: its depth is not
                               looked at */
};

/*
 * cfz_counters_prepare sorts out what the modules announced. It is called once at start, and
 * again after further modules came (dlopen). Fails if an object was compiled for another ABI, or
 * if its flags and records do not match. Context: ordinary.
 */
int cfz_counters_prepare(struct cfz_error *err);

/* cfz_counters_late reports whether modules came since prepare: what they count is not collected
 * yet. */
extern _Atomic bool cfz_counters_announced;
static inline bool cfz_counters_late(void)
{
    return atomic_load_explicit(&cfz_counters_announced, memory_order_relaxed);
}

/* cfz_counters_total returns the number of counters. Call it after prepare. Context: any. */
size_t cfz_counters_total(void);

/* cfz_counters_build returns CFZ_BUILD_COUNTERS and CFZ_BUILD_FUNC_FLAGS as far as they apply. Call
 * it after prepare. */
unsigned cfz_counters_build(void);

/*
 * The ways to collect. All give the same result. cfz_counters_prepare chooses the fastest that
 * the processor has, unless cfz_counters_use chose one before; that returns false for a way that
 * the processor does not have. Context: ordinary.
 */
enum cfz_counters_way { CFZ_COUNTERS_PLAIN, CFZ_COUNTERS_AVX2, CFZ_COUNTERS_WAYS };
bool cfz_counters_use(enum cfz_counters_way way);

/*
 * cfz_seen_map makes s, in which nothing is seen yet. It has room for all counters there are, and
 * for as many as the mask has if that is more: modules may still come. A later module for which
 * there is no room is not looked at. Fails with CFZ_EIO.
 */
int cfz_seen_map(struct cfz_seen *s, const uint8_t *mask, size_t mask_len, struct cfz_error *err);

/*
 * cfz_counters_beyond adds what counted so far in this execution to known, which has a byte for
 * each of the first n counters: not 0 if it was there before. Returns whether something was not. It
 * clears nothing. Context: signal.
 */
bool cfz_counters_beyond(uint8_t *known, size_t n);

/* cfz_counters_reset zeroes all counters and flags, one by one. Context: target. */
void cfz_counters_reset(void);

/*
 * cfz_counters_collect looks at all counters of functions that ran since the last collect or
 * reset, and zeroes them. It leaves the new bits in s->bits and returns the number of counters that
 * have some. s->own learns bits that mask has, but not the new ones: that is cfz_seen_learn.
 * cfz_counters_collect_all leaves all bits, new or not.
 *
 * Cost: the flags (8 functions a step), then the counters of functions that ran (32 a step, 256
 * where there are many on end); all counters of a module that has few, or of which many functions
 * run. A thread that was inside a function when the execution began did not set the flag, so what
 * it counts there may be missed. Context: target.
 *
 * How deep the stack of functions was that can call themselves is told by bits of counters of their
 * own, of which nothing is a count (depth.h).
 */
size_t cfz_counters_collect(struct cfz_seen *s);
size_t cfz_counters_collect_all(struct cfz_seen *s);

/*
 * New bits are confirmed by a second execution of the input. cfz_seen_hold puts aside what the
 * first collect left. After the second collect cfz_seen_confirm leaves in s->bits what both have,
 * and returns its number as collect does; s->unstable says whether the two differ. s->own learns
 * all bits of both, so this worker does not look again at what does not repeat. Context: target.
 */
void cfz_seen_hold(struct cfz_seen *s);
size_t cfz_seen_confirm(struct cfz_seen *s);

/*
 * While an input is minimized, cfz_seen_hold keeps its bits aside. After cfz_counters_collect_all
 * of a candidate, cfz_seen_has_held reports whether it showed each of them.
 * cfz_seen_held_is_merged reports whether the mask has all of them by now: another worker's input
 * showed them. cfz_seen_unhold makes them s->bits again. Context: target.
 */
bool cfz_seen_has_held(struct cfz_seen *s);
bool cfz_seen_held_is_merged(const struct cfz_seen *s);
void cfz_seen_unhold(struct cfz_seen *s);

/* cfz_seen_has_counter reports whether mask or own has any bit of a counter; false if it is not
 * one. Context: target. */
bool cfz_seen_has_counter(const struct cfz_seen *s, const uint8_t *counter);

/* cfz_counters_index returns the index of a counter, SIZE_MAX if it is not one. Context: target. */
size_t cfz_counters_index(const uint8_t *counter);

/* cfz_counters_pc returns where a counter counts, with CFZ_PC_FUNCTION (core/shmem.h) where a
 * function begins; 0 if the compiler did not tell. Context: target. */
uint64_t cfz_counters_pc(size_t index);

/* cfz_seen_has_first reports whether one of s->bits, before they are learned, is of a counter that
 * no input had reached, of other workers neither. Context: target. */
bool cfz_seen_has_first(const struct cfz_seen *s);

/* cfz_seen_learn adds s->bits to s->own. Context: target. */
void cfz_seen_learn(struct cfz_seen *s);

#endif
