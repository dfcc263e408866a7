/*
 * stopped.h - processes of the test binary that a signal stopped: they are told to go on, and the
 * user is told of it.
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

#endif
