/*
 * stack.h - the stack of a process, as addresses.
 */
#ifndef STACK_H
#define STACK_H

#include "core/shmem.h"

enum {
    STACK_LOOKS = 16,   /* how often a process is looked at that does not end; guessed */
    STACK_SAMPLES = 24, /* with those where a function returned */
};

/* Return addresses, innermost first; the first is the pc itself. */
struct stack {
    uint32_t n;
    uint64_t pc[CFZ_FRAMES_MAX];
    /* Of a deep stack frames in the middle are skipped, behind the first inner ones. */
    uint32_t inner;
    uint64_t skipped; /* how many; 0: the stack is whole, or cut at its outer end */
    uint32_t steady;  /* of a process that was looked at several times: the outermost ones that were
                       * the same each time */
    uint32_t nloop;   /* of such a process: how often it was looked at, */
    uint64_t
        loop[STACK_SAMPLES]; /* and where it was, each time, in the frame inside the steady ones */
};

#endif
