/*
 * depth.h - how deep the stack was in an execution, of functions that can call themselves.
 *
 * They lower __sancov_lowest_stack (abi.h), and so does every function of objects that were built
 * with clang's -fsanitize-coverage=stack-depth. A traced execution takes more stack than a plain
 * one; what it says is forgotten.
 */
#ifndef CFZ_DEPTH_H
#define CFZ_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

extern _Thread_local uintptr_t __sancov_lowest_stack
    __attribute__((tls_model("initial-exec"))); /* UINTPTR_MAX: nobody told */

/* cfz_depth_forget begins anew. Context: target. */
static inline void cfz_depth_forget(void)
{
    __sancov_lowest_stack = UINTPTR_MAX;
}

/* Depths are told apart in steps, eight of them for a depth twice as large. */
enum { CFZ_DEPTH_LEAST = 64, CFZ_DEPTH_STEPS = 128 };

/*
 * cfz_depth_step returns the step of the deepest place that was told below frame, and forgets it:
 * below CFZ_DEPTH_STEPS, or -1 if none was, or less than CFZ_DEPTH_LEAST bytes. Context: target.
 */
int cfz_depth_step(uintptr_t frame);

#endif
