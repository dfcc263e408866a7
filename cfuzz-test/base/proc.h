/*
 * proc.h - processes of which we are not the parent: their state, and their end with all below
 * them, by what /proc says. Context: ordinary.
 */
#ifndef PROC_H
#define PROC_H

#include <sys/types.h>

/* proc_state returns the letter of proc(5) for the state of process pid, of its first thread: 'T'
 * is stopped by a signal, 'Z' has ended and waits for its parent to hear of it. 0 if there is none.
 */
char proc_state(pid_t pid);

/* proc_threads returns how many threads process pid has; 0 if /proc does not tell. */
int proc_threads(pid_t pid);

/*
 * proc_end_tree ends the process pid and all that it and its children forked, and waits until none
 * of them executes anything more; those that do not end for some seconds are left alone. Nothing
 * happens to a process that is not of that session: then the number is another one's by now.
 *
 * It is stopped first, so that it says nothing of its children's ends, and stays the parent of what
 * these leave behind. That the driver were that parent would be no help: tested code that ends what
 * it finds above its host would find the driver next.
 */
void proc_end_tree(pid_t pid, pid_t session);

#endif
