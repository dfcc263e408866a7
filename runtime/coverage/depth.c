/*
 * depth.c - see depth.h.
 */
#include "coverage/depth.h"

/* Written by code that was compiled elsewhere. */
_Thread_local uintptr_t __sancov_lowest_stack = UINTPTR_MAX;

int cfz_depth_step(uintptr_t frame)
{
    enum { LEAST_LOG = 6, PART_BITS = 3 }; /* of CFZ_DEPTH_LEAST; steps of a doubling */
    uintptr_t lowest = __sancov_lowest_stack, depth;
    unsigned log, step;

    cfz_depth_forget();
    if (lowest >= frame || frame - lowest < CFZ_DEPTH_LEAST)
        return -1;
    depth = frame - lowest;
    log = 8 * sizeof depth - 1 - (unsigned)__builtin_clzl(depth);
    step = (log - LEAST_LOG) << PART_BITS |
           (unsigned)(depth >> (log - PART_BITS) & ((1U << PART_BITS) - 1));
    return step < CFZ_DEPTH_STEPS ? (int)step : CFZ_DEPTH_STEPS - 1;
}
