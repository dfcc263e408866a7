/*
 * roomy_stack.c - see roomy_stack.h.
 */
#define _GNU_SOURCE
#include "base/roomy_stack.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

enum {
    /* What the driver needs. The deepest calls hold some ten errors of 4 KiB and a buffer of 64
     * KiB. Guessed, with room for the sanitizers' larger frames. */
    STACK_NEED = 1 << 20,
    STACK_SIZE = 8 << 20,  /* what it gets if it has less: as much as most systems give */
    GUARD_SIZE = 64 << 10, /* a page on every system */
};

static struct {
    int (*fn)(int argc, char **argv);
    int argc, result;
    char **argv;
    ucontext_t own, back;
} call;

static void run(void)
{
    call.result = call.fn(call.argc, call.argv);
}

int roomy_stack_call(int (*fn)(int argc, char **argv), int argc, char **argv)
{
    struct rlimit limit;
    char *stack;

    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= STACK_NEED)
        return fn(argc, argv);
    stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return fn(argc, argv); /* the stack that there is may well be enough */
    if (mprotect(stack, GUARD_SIZE, PROT_NONE) < 0 || getcontext(&call.own) < 0) {
        munmap(stack, STACK_SIZE);
        return fn(argc, argv);
    }
    call.fn = fn;
    call.argc = argc;
    call.argv = argv;
    call.own.uc_stack.ss_sp = stack;
    call.own.uc_stack.ss_size = STACK_SIZE;
    call.own.uc_link = &call.back;
    makecontext(&call.own, run, 0);
    if (swapcontext(&call.back, &call.own) < 0) {
        munmap(stack, STACK_SIZE);
        return fn(argc, argv);
    }
    munmap(stack, STACK_SIZE);
    return call.result;
}
