/*
 * origin.h - the process that a driver starts: initialised once, runs no test,
 * forks hosts.
 */
#ifndef CFZ_ORIGIN_H
#define CFZ_ORIGIN_H

#include <stdbool.h>

/*
 * cfz_origin_requested reports whether the arguments are those of a driver:
 * "-cfuzz.origin=<pid>" and nothing else.
 */
bool cfz_origin_requested(int argc, char **argv);

/* cfz_origin_run serves the driver at CFZ_CONTROL_FD and returns an exit status. */
int cfz_origin_run(void);

#endif
