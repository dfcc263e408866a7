/*
 * profile.h - coverage that clang counts for llvm-cov (-fprofile-instr-generate), in processes that
 * end by other ways than exit().
 *
 * Where the program is built so and LLVM_PROFILE_FILE is set, the file gets what origin, host and
 * every worker executed, a worker that dies of its input included. An input that hangs takes along
 * what its process executed before it: in the last twentieth of a second where the name of the file
 * has %m, else all. Elsewhere nothing happens. All references to LLVM's runtime are weak.
 */
#ifndef CFZ_PROFILE_H
#define CFZ_PROFILE_H

#include <stdbool.h>

/* cfz_profile_on reports whether there is anything to write. Context: ordinary. */
bool cfz_profile_on(void);

/* cfz_profile_forked forgets what the parent executed, which writes that itself. For a process that
 * was just forked. Context: ordinary. */
void cfz_profile_forked(void);

/* cfz_profile_save adds to the file what was executed since the last time. For a process that is
 * about to end. Context: ordinary. */
void cfz_profile_save(void);

/* cfz_profile_keep does so now and then, to be called after an execution. Context: ordinary. */
void cfz_profile_keep(void);

/* cfz_profile_crashed does so in a process that dies of its input. A child does the work, so that
 * nothing the target left locked or broken holds up the end for long. Context: signal. */
void cfz_profile_crashed(void);

#endif
