/*
 * crash.h - marks in shared memory how this process comes to die.
 *
 * The mark is for the driver. The death takes its course after it, so that the sanitizer's report,
 * the core file and the wait status are right. There are two exceptions: a known crash under a
 * guard ends the process at once, and exit() in user code ends it without a leak check.
 */
#ifndef CFZ_CRASH_H
#define CFZ_CRASH_H

#include "core/shmem.h"

/*
 * cfz_crash_init readies what every process inherits that is forked later: the unwinder is loaded,
 * and sanitizers call us when they end the process. Once, in the origin. (exit() is watched from
 * before main, by a constructor.) Context: ordinary.
 */
void cfz_crash_init(void);

/*
 * cfz_crash_hold makes signals wait that another process sends. It is for the time around a fork,
 * when the child cannot tell yet that such a signal is not a crash. The parent ends it with
 * cfz_crash_unhold, the child with cfz_crash_attach or cfz_crash_forked. A fault does not wait: it
 * ends the process. Context: ordinary.
 */
void cfz_crash_hold(void);
void cfz_crash_unhold(void);

/*
 * cfz_crash_deafen makes signals without effect that a child of this process sends here, or another
 * process of its group or ours; SIGKILL and SIGSTOP cannot be. It is for a process that runs no user
 * code, after cfz_crash_attach. cfz_crash_hear ends that; a child need not call it before cfz_crash_attach or cfz_crash_forked.
 * Context: ordinary.
 */
void cfz_crash_deafen(void);
void cfz_crash_hear(void);

/*
 * cfz_crash_attach has crashes of this process marked in shm from now on. It lists the loaded
 * objects there and installs the handlers. The calling thread is the one that runs user functions. CFZ_EIO. Context: ordinary.
 */
int cfz_crash_attach(struct cfz_proc_shm *shm, struct cfz_error *err);

/*
 * cfz_crash_forked is for a worker that a guard forked after cfz_crash_attach: the marks are those
 * of this process now. If it dies of a crash in run's table of known ones, it ends with
 * CFZ_EXIT_KNOWN. cfz_crash_forget is for the guard: it removes the mark and the log of the worker
 * that it replaces. Context: ordinary.
 */
void cfz_crash_forked(const struct cfz_run_shm *run);
void cfz_crash_forget(void);

/*
 * cfz_crash_cuttable is for a guard, before its first worker: CFZ_SIGNAL_CUT, which the guard sends
 * to the thread that runs user functions, has the worker ask fn, in the context of a signal. If that
 * returns true the worker ends with the mark SLOW and CFZ_EXIT_SLOW; otherwise it goes on. False if
 * user code has a handler of its own for that signal: then none is to be sent. A system call that the
 * signal interrupts begins again, but for those that never do (signal(7)). Context: ordinary.
 */
#define CFZ_SIGNAL_CUT (SIGRTMAX - 5)
bool cfz_crash_cuttable(bool (*fn)(void));

/*
 * cfz_crash_rearm puts the alternate stack and the signal mask back, which user functions may have
 * changed, and does what cfz_crash_unmark does. Handlers stay as they are: one that the user's code
 * installed for one of our signals is part of what is tested. But ours get the flags back that
 * signal() takes away where it installs what it had returned, and take the place of SIG_DFL, which
 * a library may have set that was linked elsewhere. Context: ordinary.
 */
void cfz_crash_rearm(void);

/*
 * cfz_crash_defaulted is called when user code has set SIG_DFL for sig: if that is one of our
 * signals our handler is put in its place, unless a mark is made already: what handles a signal
 * after ours sets SIG_DFL for the process to end. cfz_crash_handles tells whether a handler is ours, which
 * user code is not to see. Context: signal.
 */
void cfz_crash_defaulted(int sig);
bool cfz_crash_handles(void (*handler)(int));

/* cfz_crash_unmark removes a mark that no death followed, and has our handlers take the place of
 * SIG_DFL as cfz_crash_rearm does. Context: ordinary. */
void cfz_crash_unmark(void);

/*
 * cfz_crash_on_leaving has fn called when user code leaves this process by exit() or pthread_exit
 * on the thread that runs user functions, after the mark and before the end. Context: ordinary.
 */
void cfz_crash_on_leaving(void (*fn)(void));

/*
 * cfz_crash_whole has fn asked, in any context, when this process fails in code of cfuzz's: whether
 * the memory that the code works on is as cfuzz left it. If not, user code wrote over it, and the
 * mark is SCRIBBLED in the place of INTERNAL. Context: ordinary.
 */
void cfz_crash_whole(bool (*fn)(void));

/*
 * cfz_crash_unable ends a process that cannot begin, err being why: with CFZ_EXIT_UNFORKED if the
 * system had no memory or no room in a table of its own, otherwise as cfz_crash_internal does. shm
 * may be NULL. Context: ordinary.
 */
void cfz_crash_unable(struct cfz_proc_shm *shm, const struct cfz_error *err)
    __attribute__((noreturn));

/*
 * cfz_crash_internal ends the process after a failure of cfuzz itself: it marks INTERNAL, writes
 * text to the log and to stderr, and exits with CFZ_EXIT_INTERNAL. cfz_crash_misuse does the same
 * where user code is to blame, and marks MISUSE; cfz_crash_mutator where a harness's mutator is, and
 * marks MUTATOR. shm may be NULL: then there is no mark.
 * cfz_crash_scribbled ends it without a text, and marks SCRIBBLED. Context: ordinary.
 */
void cfz_crash_scribbled(struct cfz_proc_shm *shm) __attribute__((noreturn));
void cfz_crash_internal(struct cfz_proc_shm *shm, const char *text) __attribute__((noreturn));
void cfz_crash_misuse(struct cfz_proc_shm *shm, const char *text) __attribute__((noreturn));
void cfz_crash_mutator(struct cfz_proc_shm *shm, const char *text) __attribute__((noreturn));

/*
 * cfz_alloc_too_large is called when an allocation of size bytes was granted, which is more than
 * one may have (alloc.h). In user code it ends the process and marks ALLOC. It is here under that
 * name so that all frames between the test and the mark are told by their names. Context: any.
 */
void cfz_alloc_too_large(size_t size);

/*
 * cfz_crash_kill is called when user code is about to send sig to a process of cfuzz's (ours.h). In
 * user code of this process it marks KILL and ends the process; otherwise, as in a child that the
 * target forked, it returns false. The frames begin with from, a return address. Context: any.
 */
bool cfz_crash_kill(enum cfz_whom whom, int sig, uintptr_t from);

/* cfz_crash_reported ends the process after LeakSanitizer has reported a leak: it marks SANITIZER
 * and aborts. Context: ordinary. */
void cfz_crash_reported(void) __attribute__((noreturn));

#endif
