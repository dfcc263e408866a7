/*
 * stack_walk.c - see stack_walk.h.
 */
#define _GNU_SOURCE
#include "self/stack_walk.h"

#include <setjmp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <unwind.h>

#include "core/peek.h"

/* While frames are collected: where a fault goes. */
static volatile pid_t walking; /* the thread that collects, or 0 */
static sigjmp_buf fault;

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

void cfz_stack_faulted(void)
{
    if (walking && walking == this_thread())
        siglongjmp(fault, 1);
}

static _Unwind_Reason_Code no_frame(struct _Unwind_Context *uc, void *arg)
{
    (void)uc;
    (void)arg;
    return _URC_END_OF_STACK;
}

void cfz_stack_ready(void)
{
    _Unwind_Backtrace(no_frame, NULL);
}

struct walk {
    struct cfz_crash *mark;
    uint64_t from; /* the pc at which to begin; or CFZ_STACK_ALL */
    bool begun;
    bool in_handler; /* a function of the stack was called by a signal, which came amid another */
    uint32_t n;
};

static struct walk walk; /* static: it survives the jump */

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *uc, void *arg)
{
    struct walk *w = arg;
    int before = 0;
    uint64_t ip = _Unwind_GetIPInfo(uc, &before);

    if (ip == 0)
        return _URC_END_OF_STACK;
    if (ip == w->from)
        w->begun = true;
    if (!w->begun)
        return _URC_NO_REASON;
    if (w->n == CFZ_FRAMES_MAX)
        return _URC_END_OF_STACK;
    w->in_handler |= before && w->n > 0; /* the first was itself interrupted by this signal */
    w->mark->frames[w->n++] = ip;
    return _URC_NO_REASON;
}

uint32_t cfz_stack_walk(struct cfz_crash *c, uint64_t from, bool *in_handler)
{
    walk = (struct walk){.mark = c, .from = from, .begun = from == CFZ_STACK_ALL};
    walking = this_thread();
    if (sigsetjmp(fault, 0) == 0)
        _Unwind_Backtrace(on_frame, &walk);
    walking = 0;
    if (in_handler != NULL)
        *in_handler = walk.in_handler;
    return walk.n;
}

uint32_t cfz_stack_follow(struct cfz_crash *c, uint64_t pc, uint64_t sp, uint64_t fp)
{
    uint64_t word, next;
    uint32_t n = 0;

    c->frames[n++] = pc;
    if (!cfz_peek(pc, &word) && cfz_peek(sp, &word))
        c->frames[n++] = word;
    while (n < CFZ_FRAMES_MAX && fp % sizeof word == 0 && cfz_peek(fp, &next) &&
           cfz_peek(fp + sizeof word, &word) && word != 0) {
        c->frames[n++] = word;
        if (next <= fp) /* the stack grows down: callers are above */
            break;
        fp = next;
    }
    return n;
}

void cfz_stack_outermost(struct cfz_crash *c, uint64_t fp)
{
    enum { OUTER = CFZ_FRAMES_MAX - CFZ_FRAMES_INNER };
    static uint64_t last[OUTER]; /* a ring */
    static volatile uint64_t n;  /* static: survives the jump */
    static volatile bool whole;

    n = 0;
    whole = false;
    walking = this_thread();
    if (sigsetjmp(fault, 0) == 0) {
        while (fp != 0 && fp % sizeof fp == 0) {
            const uint64_t *frame = (const uint64_t *)(uintptr_t)fp;

            if (frame[1] == 0)
                break;
            last[n % OUTER] = frame[1];
            n++;
            if (frame[0] <= fp)
                break;
            fp = frame[0];
        }
        whole = true;
    }
    walking = 0;
    if (!whole || n + 1 <= CFZ_FRAMES_MAX)
        return;
    for (uint64_t i = 0; i < OUTER; i++)
        c->frames[CFZ_FRAMES_INNER + i] = last[(n + i) % OUTER];
    c->skipped = n + 1 - CFZ_FRAMES_MAX;
}
