/*
 * temp_dirs.h - where the temporary directories of a process are, so that its
 * parent can remove what a crash left of them.
 *
 * All of a process lie in one directory, $TMPDIR/cfuzz-<token>-<pid>. The token is the run's
 * (core/temp_token.h), or random where the system does not tell enough; the first process makes it,
 * and the others inherit it. So no two programs meet, and a parent knows the name without asking a
 * crashed child. Context: ordinary.
 */
#ifndef CFZ_TEMP_DIRS_H
#define CFZ_TEMP_DIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* cfz_temp_dirs_init makes the token of a run that process driver began, unless this process has
 * inherited or made one. */
void cfz_temp_dirs_init(pid_t driver);

/* cfz_temp_dirs_path writes the path of the directory of process pid, for its setup part or for its
 * test. Returns false if it does not fit. */
bool cfz_temp_dirs_path(pid_t pid, bool setup, char *path, size_t room);

/* cfz_temp_dirs_bury removes the directories that process pid left, which has ended. If there are
 * none, it takes two system calls. */
void cfz_temp_dirs_bury(pid_t pid);

#endif
