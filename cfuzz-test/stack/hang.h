/*
 * hang.h - the stack of a process that does not end, read from outside.
 *
 * A worker that spins with every signal blocked cannot be asked for it. Linux on x86-64
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
 * hang_stack_steady does so STACK_LOOKS times, with pauses, and then waits, up to 0.2 s, whether
 * the function inside the frames that were there each time returns, and if so the next one further
 * out. *st is the first of the stacks, and st->steady says which of its frames were always there:
 * what runs inside a loop that does not end is chance, what called the loop is not. The frame
 * inside those is the loop's; st->loop has where it was. That a function returns a debug register
 * tells; in virtual machines where these never stop a process, a breakpoint in its code does, if it
 * has one thread. On aarch64 nothing is waited for: what is called in a loop and takes nearly all
 * of its time may be taken for the loop there. Errors are those of the first time.
 */
int hang_stack_steady(pid_t pid, struct stack *st, struct cfz_error *err);

/*
 * hang_release lets a process that was killed go, if hang_stack has left it traced: one in an
 * uninterruptible sleep did not stop and could not be detached. Its parent does not see its end
 * before we have. Call it again and again until the process is gone. Does nothing to others.
 */
void hang_release(pid_t pid);

#endif
