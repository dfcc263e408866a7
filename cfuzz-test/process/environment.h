/*
 * environment.h - the environment of a test binary: ours, with the sanitizers'
 * options that a fuzzing process needs.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/strlist.h"

/* What a test binary is started for, besides running tests. */
struct environment_use {
    bool reports_abort; /* the user's handle_abort counts: behind libFuzzer's command line */
    bool fuzzes;        /* AddressSanitizer keeps freed memory apart for 10 MiB, not 256 */
};

/*
 * environment_for_target lists NAME=VALUE for execve. Options of the user come after our defaults,
 * and so win over them. The few that crash detection depends on come last. symbolizer is an
 * absolute path, or NULL. With one, reports have bare addresses, which symbolize_report looks up;
 * but if the user gave suppressions, which sanitizers compare with names, reports have names.
 * settings, which may be NULL, has variables as a harness has them ("ASAN_OPTIONS=a=1:b=2"); they
 * come between our defaults and the user's. CFZ_ENOMEM.
 */
int environment_for_target(const char *symbolizer, const struct strlist *settings,
                           struct environment_use use, struct strlist *out, struct cfz_error *err);

/*
 * environment_profile has the test binary of that inode, if it was built with -cover, count in the
 * file dir/<inode>-<pid>.profraw, whatever the user's LLVM_PROFILE_FILE says. CFZ_ENOMEM.
 */
int environment_profile(const char *dir, ino_t binary, struct strlist *env, struct cfz_error *err);

/*
 * environment_options appends NAME="<defaults>:<user's>:<forced>" to out, without what is NULL or
 * empty. Exposed for tests. CFZ_ENOMEM.
 */
int environment_options(const char *name, const char *defaults, const char *user,
                        const char *forced, struct strlist *out, struct cfz_error *err);

#endif
