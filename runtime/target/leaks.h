/*
 * leaks.h - memory that executions lost: found with LeakSanitizer, pinned on the input.
 *
 *   every execution   allocations less frees are counted; no more of the first: nothing else
 *   more allocations  a suspect: its input goes into a log, its blocks are known by its number
 *   now and then      LeakSanitizer looks whether suspects' blocks are lost. Which suspect's
 *                     they are is found by bisection: it looks again with the blocks of some of
 *                     them taken as in use. No input is executed again for that, but under a
 *                     guard those whose process died of something else before it could look
 *   one is found      its input goes into the slots, LeakSanitizer reports its blocks, and
 *                     the process dies as by any other report
 *
 * So an execution is also found that loses memory only once, the first of its path; and
 * one whose blocks the next execution frees is no suspect any more when they are looked for.
 *
 * A look takes milliseconds, and caches that only grow are no leaks. So after one that
 * found nothing the next waits, each time twice as many executions; inputs that go into the
 * corpus are looked at sooner, and those that are tried because they may fail at once. What there
 * is no room for while it waits is forgotten: memory that is lost all the time is found later.
 *
 * Executions that ended by skip, fatal or fail are not to blame for what the frames
 * they left owned; nor are setup parts and what ran before them.
 *
 * Everywhere but in builds with AddressSanitizer or LeakSanitizer the count stays zero.
 */
#ifndef CFZ_LEAKS_H
#define CFZ_LEAKS_H

#include "target/executor.h"

/* Blocks allocated less blocks freed since cfz_leaks_begin or cfz_leaks_look. */
extern _Atomic int64_t cfz_leaks_balance;

/* When suspects are looked at. */
enum cfz_leaks_when {
    CFZ_LEAKS_LATER, /* when the wait after the last look in vain is over */
    CFZ_LEAKS_SOON,  /* at once, as long as not too many such looks were in vain */
    CFZ_LEAKS_NOW,
};

/*
 * cfz_leaks_pause: what this thread allocates from now on is nobody's leak; may be called
 * again. Before constructors of the program and before the setup part; cfz_leaks_init ends it
 * and begins to count, in a worker. CFZ_EIO. Context: ordinary.
 */
void cfz_leaks_pause(void);
int cfz_leaks_init(struct cfz_executor *x, struct cfz_error *err);

/* cfz_leaks_begin forgets suspects, before a command's first execution; cfz_leaks_resume takes over
 * those of the process that died in the middle of one. Context: ordinary. */
void cfz_leaks_begin(void);
void cfz_leaks_resume(void);

/* cfz_leaks_suspect: whether the execution just done is to be given to cfz_leaks_look. */
static inline bool cfz_leaks_suspect(void)
{
    return atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed) != 0;
}

/*
 * cfz_leaks_look takes the execution just done, whose verdict is given and whose input is in
 * the slots; cfz_leaks_settle only asks about suspects that wait. Neither returns when one of
 * them is found to leak: its input is in the slots then. Context: ordinary.
 */
void cfz_leaks_look(struct cfz_executor *x, enum cfz_verdict verdict, enum cfz_leaks_when when);
void cfz_leaks_settle(struct cfz_executor *x, enum cfz_leaks_when when);

/*
 * Suspects that were taken over have to be executed again before anything is asked about any:
 * when cfz_leaks_due, as long as cfz_leaks_next, which has put one into the slots. cfz_leaks_again
 * takes the verdict; it is a suspect of this process then, or none. Context: ordinary.
 */
bool cfz_leaks_due(enum cfz_leaks_when when);
bool cfz_leaks_next(struct cfz_executor *x);
void cfz_leaks_again(enum cfz_verdict verdict);

#endif
