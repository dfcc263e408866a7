/*
 * ours.c - see ours.h.
 */
#define _GNU_SOURCE
#include "target/ours.h"

#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "target/crash.h"

enum { OURS_MAX = 4 }; /* driver, origin, host, guard */

static pid_t ours[OURS_MAX];
static int nours;

void cfz_ours_add(pid_t pid)
{
    if (nours < OURS_MAX)
        ours[nours++] = pid;
}

/* Whom of ours kill(to, ...) reaches. Our own group has no other of ours but the guard, which is
 * not hurt by that (cfz_crash_deafen). */
static enum cfz_whom whom(pid_t to)
{
    pid_t self = getpid();

    if (nours == 0 || to == 0 || to == self || -to == getpgrp())
        return CFZ_WHOM_NONE;
    if (to == -1)
        return CFZ_WHOM_ALL;
    for (int i = 0; i < nours; i++) {
        if (ours[i] == self || (to != ours[i] && (to > 0 || getpgid(ours[i]) != -to)))
            continue;
        return ours[i] == getppid() ? CFZ_WHOM_PARENT : CFZ_WHOM_OURS;
    }
    return CFZ_WHOM_NONE;
}

/* Whether sig does nothing by default. */
static bool is_ignored(int sig)
{
    return sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH;
}

bool cfz_ours_signal(pid_t to, int sig)
{
    enum cfz_whom reached;

    if (sig <= 0 || sig > SIGRTMAX)
        return false;
    reached = whom(to);
    if (reached == CFZ_WHOM_NONE || (reached != CFZ_WHOM_ALL && is_ignored(sig)))
        return false;
    /* From the function that was called in the place of kill: kill may have been the last call of
     * the function that called it, which is not on the stack then. */
    (void)cfz_crash_kill(reached, sig, (uintptr_t)__builtin_return_address(0));
    return true;
}
