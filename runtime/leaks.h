/*
 * leaks.h - memory that an execution lost: found with LeakSanitizer, pinned on its input.
 *
 *   every execution   allocations less frees are counted; equal: nothing else happens
 *   more allocations  the input again: do they grow each time?
 *   they do           a forked child asks LeakSanitizer twice: as it is, and without what
 *                     these executions allocated. Lost in the first case alone: theirs
 *   theirs            LeakSanitizer reports, and the process dies as by any other report
 *
 * Executions that ended by skip, fatal or fail are not to blame for what the frames
 * they left owned; nor are setup parts and what ran before them. After a question that
 * led to nothing the next one waits, each time twice as many executions: a check takes
 * milliseconds, and caches that only grow are no leaks.
 *
 * Everywhere but in builds with AddressSanitizer or LeakSanitizer the count stays zero.
 */
#ifndef CFZ_LEAKS_H
#define CFZ_LEAKS_H

#include "executor.h"

/* Blocks allocated less blocks freed since cfz_leaks_begin. */
extern _Atomic int64_t cfz_leaks_balance;

/*
 * cfz_leaks_pause: what is allocated from now on is nobody's leak. Before the setup part;
 * cfz_leaks_init ends it and begins to count, in a worker. Context: ordinary.
 */
void cfz_leaks_pause(void);
void cfz_leaks_init(void);

/* cfz_leaks_begin starts counting anew, before a command's first execution. Context: target. */
void cfz_leaks_begin(void);

/* cfz_leaks_suspect: whether the executions since cfz_leaks_begin are to be looked at. */
static inline bool cfz_leaks_suspect(void)
{
    return atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed) != 0;
}

/*
 * cfz_leaks_look decides about the execution just done, whose verdict is given and whose
 * input is in the slots, and begins anew. repeat: executes the input again, to see whether
 * it allocates more each time, before LeakSanitizer is asked; the coverage of that is
 * dropped. Returns the verdict, or that of a repetition that failed. Does not return
 * when the input leaks. Context: ordinary.
 */
enum cfz_verdict cfz_leaks_look(struct cfz_executor *x, enum cfz_verdict verdict, bool repeat);

#endif
