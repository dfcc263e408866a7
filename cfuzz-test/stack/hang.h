/*
 * hang.h - the stack of a process that does not end, read from outside.
 *
 * A worker that spins with every signal blocked cannot be asked. Linux on x86-64
 * and aarch64; elsewhere the stack is empty. Context: ordinary.
 */
#ifndef HANG_H
#define HANG_H

#include <sys/types.h>

#include "stack/stack.h"

/*
 * hang_stack stops the main thread of process pid, looks for its callers (unwinder.h) and lets it
 * go on. Fails with CFZ_EIO where the system does not permit it (st->n is 0 then).
 */
int hang_stack(pid_t pid, struct stack *st, struct cfz_error *err);

/*
 * hang_release sees to a process that was killed, again and again until it is gone: one that
 * did not stop for hang_stack, in an uninterruptible sleep say, is still traced, and its end is
 * kept from its parent until we have seen it. Does nothing to others.
 */
void hang_release(pid_t pid);

/* hang_is_stopped tells whether pid was stopped by a signal, as SIGSTOP does. A process that a
 * debugger stopped is not. */
bool hang_is_stopped(pid_t pid);

#endif
