/*
 * leaks.h - memory that executions lost: LeakSanitizer finds it, we find the input that lost it.
 *
 *   every execution   Allocations and frees are counted. If there are not more allocations, that
 *                     is all.
 *   more allocations  The execution is a suspect: its input goes into a log, and its blocks carry
 *                     its number.
 *   now and then      LeakSanitizer looks whether blocks of suspects are lost. Bisection tells to
 *                     which suspect they belong: it looks again while the blocks of some
 *                     suspects are taken as in use. No input is executed again for that, unless
 *                     a process died before it could look: under a guard, the next worker
 *                     executes its suspects.
 *   one is found      Its input goes into the slots, LeakSanitizer reports its blocks, and the
 *                     process dies as by any other report.
 *
 * So an execution that loses memory only the first time is found, too. An execution whose blocks
 * the next one frees has nothing left that could be lost when LeakSanitizer looks.
 *
 * A look takes milliseconds, and caches that only grow are not leaks. So after a look in vain the
 * next one waits, each time for twice as many executions. Inputs that go into the corpus are looked
 * at sooner, and inputs that are tried because they may fail at once. If there is no room for
 * suspects that wait, they are forgotten: memory that is lost all the time is found later.
 *
 * Executions that ended by skip, fatal or fail are not to blame for what the frames that they left
 * owned. Nor are setup parts, and what ran before them.
 *
 * In builds without AddressSanitizer and LeakSanitizer the count stays zero.
 */
#ifndef CFZ_LEAKS_H
#define CFZ_LEAKS_H

#include "target/executor.h"

/* Blocks allocated less blocks freed since it was last set to 0, by cfz_leaks_begin, _resume, _look
 * or _again. */
extern _Atomic int64_t cfz_leaks_balance;

/* When suspects are looked at. */
enum cfz_leaks_when {
    CFZ_LEAKS_LATER, /* when the wait after the last look in vain is over */
    CFZ_LEAKS_SOON,  /* at once, unless too many such looks were in vain */
    CFZ_LEAKS_NOW,   /* at once */
};

/*
 * cfz_leaks_pause makes LeakSanitizer take what this thread allocates from now on as in use. It is
 * called before constructors of the program and before the setup part. In a worker, cfz_leaks_init
 * ends that and begins to count. CFZ_EIO. Context: ordinary.
 */
void cfz_leaks_pause(void);
int cfz_leaks_init(struct cfz_executor *x, struct cfz_error *err);

/* Before the first execution of a command: cfz_leaks_begin forgets all suspects. If another
 * process died in the middle of the command, cfz_leaks_resume takes over its suspects. Context:
 * ordinary. */
void cfz_leaks_begin(void);
void cfz_leaks_resume(void);

/* cfz_leaks_suspect reports whether cfz_leaks_look is to be called after the execution just
 * done. */
static inline bool cfz_leaks_suspect(void)
{
    return atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed) != 0;
}

/*
 * cfz_leaks_look takes the execution just done, with its verdict; the input is in the slots. If it
 * is a suspect, it waits or is asked about, as when says. cfz_leaks_settle asks about suspects that
 * wait. Neither returns if a suspect leaks: its input is in the slots then. Context: ordinary.
 */
void cfz_leaks_look(struct cfz_executor *x, enum cfz_verdict verdict, enum cfz_leaks_when when);
void cfz_leaks_settle(struct cfz_executor *x, enum cfz_leaks_when when);

/*
 * Suspects that were taken over have to be executed again before LeakSanitizer is asked.
 * cfz_leaks_due reports whether it is time for that. cfz_leaks_next puts the next one into the
 * slots; false if there are no more. cfz_leaks_again takes the verdict of its execution: if it
 * passed and allocated more than it freed, it is a suspect of this process now. Context: ordinary.
 */
bool cfz_leaks_due(enum cfz_leaks_when when);
bool cfz_leaks_next(struct cfz_executor *x);
void cfz_leaks_again(enum cfz_verdict verdict);

#endif
