/*
 * stopped.h - processes of the test binary that a signal stopped: they are told to go on, and the
 * user is told of it. And one whose parent a signal ended: it is stopped, and ended with all below.
 *
 * SIGSTOP, SIGTSTP, SIGTTIN and SIGTTOU may come from anybody, the tested code included, and nobody
 * can say from whom. So the driver looks at every tick at processes that do not get on, and what a
 * stopped process had waited for does not count against any limit. Context: ordinary.
 */
#ifndef STOPPED_H
#define STOPPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that is found stopped at so many ticks on end, in one execution or one setup part, gets
 * no further, and is given up. Guessed: a second. */
enum { STOPPED_MAX = 10 };

/* stopped_go_on tells pid to go on if a signal stopped it, and returns whether that was so. What a
 * debugger stopped is left alone. */
bool stopped_go_on(pid_t pid);

/*
 * stopped_tell counts one more stop in *n and prints "<who>: <what> had been stopped by a signal,
 * and was told to go on". Of further ones it prints only how many they are by now, when there were
 * 2, 4, 8 and so on: code that stops itself does so in each execution.
 */
void stopped_tell(uint64_t *n, const char *who, const char *what);

/* stopped_is_zombie returns whether pid has ended, and waits for its parent to hear of it. */
bool stopped_is_zombie(pid_t pid);

/*
 * stopped_end ends the process pid and all that it and its children forked, and waits until none of
 * them executes anything more; those that do not end for a while are left alone. Nothing happens
 * to a process that is not of that session: then the number is another one's by now.
 *
 * The host is stopped first, so that it says nothing of its children's ends, and stays the parent
 * of what the tested code left behind. That the driver were that parent would be no help: a target
 * that ends what it finds above the host would find the driver next.
 */
void stopped_end(pid_t pid, pid_t session);

#endif
