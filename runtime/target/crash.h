/*
 * crash.h - marks in shared memory how this process comes to die.
 *
 * The marks are for the driver; the death itself is left as it is, so that the
 * sanitizer's report, the core file and the wait status are right.
 */
#ifndef CFZ_CRASH_H
#define CFZ_CRASH_H

#include "core/shmem.h"

/*
 * cfz_crash_init readies what every process forked later inherits: the unwinder is
 * loaded, exit() is watched. Once, in the origin. Context: ordinary.
 */
void cfz_crash_init(void);

/*
 * cfz_crash_hold makes signals that somebody sends wait, before a fork: the child could not tell
 * yet that they are no crash. In the parent cfz_crash_unhold ends it, in the child cfz_crash_attach
 * or cfz_crash_forked. A fault does not wait: it ends the process. Context: ordinary.
 */
void cfz_crash_hold(void);
void cfz_crash_unhold(void);

/*
 * cfz_crash_attach has crashes of this process marked in shm from now on, lists
 * the loaded objects there, and installs the handlers; the calling thread is
 * the one that runs user functions. CFZ_EIO. Context: ordinary.
 */
int cfz_crash_attach(struct cfz_proc_shm *shm, struct cfz_error *err);

/*
 * cfz_crash_forked makes the marks those of this process, which was forked from one that is
 * attached. One that dies of a crash that run knows ends with CFZ_EXIT_KNOWN at once, without a
 * sanitizer's report. cfz_crash_forget removes the mark and the log that a process left which
 * is to be replaced. Context: ordinary.
 */
void cfz_crash_forked(const struct cfz_run_shm *run);
void cfz_crash_forget(void);

/*
 * cfz_crash_rearm puts the handlers, the alternate stack and the signal mask back
 * where user functions changed them. A handler that the user's code installed for
 * one of our signals stays: it is what is being tested. Context: ordinary.
 */
void cfz_crash_rearm(void);

/*
 * cfz_crash_internal marks a failure of cfuzz itself with its text in the log and
 * ends the process with CFZ_EXIT_INTERNAL. shm may be NULL. Context: ordinary.
 */
void cfz_crash_internal(struct cfz_proc_shm *shm, const char *text) __attribute__((noreturn));

/* cfz_crash_reported ends the process as a sanitizer does that has reported a leak. */
void cfz_crash_reported(void) __attribute__((noreturn));

/* cfz_crash_misuse does the same where user code is to blame. */
void cfz_crash_misuse(struct cfz_proc_shm *shm, const char *text) __attribute__((noreturn));

#endif
