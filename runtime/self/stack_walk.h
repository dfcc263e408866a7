/*
 * stack_walk.h - the frames of the calling thread's stack, which may be broken.
 *
 * All write the return addresses into a mark in shared memory, the innermost first: what was found
 * before a fault is there after it.
 */
#ifndef CFZ_STACK_WALK_H
#define CFZ_STACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/shmem.h"

#define CFZ_STACK_ALL UINT64_MAX /* no pc: that is 0 after a call by a pointer that is NULL */

/* cfz_stack_ready has the unwinder load and allocate what it needs. Context: ordinary. */
void cfz_stack_ready(void);

/*
 * cfz_stack_walk asks the unwinder for the frames, beginning with the one whose pc is from, or with
 * this call for CFZ_STACK_ALL. Returns how many there are, at most CFZ_FRAMES_MAX. *in_handler tells
 * whether one but the first was called by a signal; it may be NULL. One thread at a time. A fault of
 * the unwinder ends it with the frames so far, if the handler of that signal calls cfz_stack_faulted.
 * Context: signal.
 */
uint32_t cfz_stack_walk(struct cfz_crash *c, uint64_t from, bool *in_handler);

/*
 * cfz_stack_follow follows frame pointers, for a pc that the unwinder does not get beyond. After a
 * call through a bad pointer, the return address is still at the top of the stack. Returns how many
 * frames there are, at least 1. Context: signal.
 */
uint32_t cfz_stack_follow(struct cfz_crash *c, uint64_t pc, uint64_t sp, uint64_t fp);

/*
 * cfz_stack_outermost replaces the frames behind CFZ_FRAMES_INNER, of CFZ_FRAMES_MAX, by the outermost
 * ones, since those that began a recursion matter most, and notes how many are left out. There may
 * be a hundred thousand frames, so they are read directly, by frame pointers. If that faults, nothing
 * is replaced. Context: signal.
 */
void cfz_stack_outermost(struct cfz_crash *c, uint64_t fp);

/* cfz_stack_faulted is called first by a handler of a fault: if the fault is one of cfz_stack_walk or
 * _outermost in this thread it does not return. Context: signal. */
void cfz_stack_faulted(void);

#endif
