/*
 * unwinder.h - the callers of a stopped process, read from outside: with the tables that compilers
 * write for exceptions (.eh_frame), and by frame pointers where there are no tables.
 *
 * The C library is built without frame pointers, so only the tables lead from a call that waits in
 * it to the code that called it. All is read from the memory of the process, which is not trusted.
 * Context: ordinary.
 */
#ifndef UNWINDER_H
#define UNWINDER_H

#include <sys/types.h>

#include "stack/stack.h"

/* DWARF's numbers. x86-64: 6 rbp, 7 rsp, 16 the return address. aarch64: 29 fp, 30 lr, 31 sp. */
enum {
    UNWIND_REGS = 33,
#if defined(__aarch64__)
    UNWIND_FP = 29,
    UNWIND_SP = 31,
#else
    UNWIND_FP = 6,
    UNWIND_SP = 7,
#endif
};

/* unwind_stack fills *st from pid's registers: the pc, then return addresses up to the outermost
 * one, or to the first whose caller cannot be told. */
void unwind_stack(pid_t pid, uint64_t pc, const uint64_t regs[UNWIND_REGS], struct stack *st);

#endif
