/*
 * origin.h - the fork server (or zygote) of a test binary: it is initialised once, and forks a
 * host for each fuzz test.
 *
 * It is the process that a driver starts. It runs no user function, so every host begins with
 * what main and the constructors of the program left.
 */
#ifndef CFZ_ORIGIN_H
#define CFZ_ORIGIN_H

#include <stdbool.h>

/*
 * cfz_origin_requested reports whether a driver started this program: the one argument is
 * "-cfuzz.origin=<pid>".
 */
bool cfz_origin_requested(int argc, char **argv);

/*
 * cfz_origin_run serves the driver at CFZ_CONTROL_FD until its end, and then ends the process. It
 * returns an exit status if it cannot begin: the reason is on stderr. Context: ordinary.
 */
int cfz_origin_run(void);

#endif
