/*
 * interrupt.h - Ctrl-C, SIGTERM and SIGHUP where no event loop waits (process/loop.h), as while a
 * package is built: they are noted, what waits for a helper program ends, and the driver still
 * writes its results. The second one ends the driver, as it would without this.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/* interrupt_catch has the signals noted from now on. One that was ignored when the driver started,
 * as under nohup, stays ignored. Where no pipe can be made it does nothing. Context: ordinary. */
void interrupt_catch(void);

/* interrupt_catch_again is called after somebody else had the signals and gave them up. It does
 * nothing before interrupt_catch. Context: ordinary. */
void interrupt_catch_again(void);

/* interrupt_caught returns the last signal that was noted, or 0. interrupt_take does, too, and
 * forgets it: whoever calls that sees to the rest. Context: ordinary. */
int interrupt_caught(void);
int interrupt_take(void);

/* interrupt_fd returns a descriptor that can be read once a signal was noted, and is for poll
 * alone; or -1. Context: ordinary. */
int interrupt_fd(void);

#endif
