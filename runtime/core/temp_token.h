/*
 * temp_token.h - by which token the temporary directories of one run are known.
 *
 * They are $TMPDIR/cfuzz-<token>-<pid>, of the processes that a run has. The token is made of the
 * process that began the run, the driver: its pid, when it started, and where pids mean the same
 * (one boot, one pid namespace). So driver and runtime know it without telling each other, no two
 * runs have the same, and a later run can tell which of them nobody uses any more. Context:
 * ordinary.
 */
#ifndef CFZ_TEMP_TOKEN_H
#define CFZ_TEMP_TOKEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CFZ_TEMP_PREFIX "cfuzz-" /* then the token as 16 hexadecimal digits, then "-" */

/* cfz_temp_token returns the token of a run that process driver began; 0 if there is no such
 * process, or the system does not tell. */
uint64_t cfz_temp_token(pid_t driver);

/* cfz_temp_token_is_dead reports whether the run of a token is surely over: it began where pids
 * mean what they mean here, and its driver is gone. */
bool cfz_temp_token_is_dead(uint64_t token);

/* cfz_temp_remove removes the directory path with all in it, as far as that is possible: not what
 * links in it point to, and not what is mounted in it. */
void cfz_temp_remove(const char *path);

#endif
