/*
 * debugger.h - -debug: one input of a test under gdb or lldb, in one process, stopped where it
 * fails.
 */
#ifndef DEBUGGER_H
#define DEBUGGER_H

#include "build/build.h"
#include "cli/options.h"

/*
 * debugger_package runs the debugger on opt->debug, "FuzzX/1f0c" or "FuzzX", and waits for its end.
 * It reads a file of commands first: breakpoints where a test says that it failed, one at the test,
 * which is disabled, and the start of the program. Sanitizers end a process by abort() there, so
 * that the debugger sees it. CFZ_EUSAGE: there is no such test or seed, or no debugger. CFZ_EIO.
 * Context: ordinary.
 */
int debugger_package(const struct options *opt, const struct test_binary *bin,
                     struct cfz_error *err);

#endif
