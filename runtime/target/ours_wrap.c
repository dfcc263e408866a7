/*
 * ours_wrap.c - kill, killpg, sigqueue and tgkill as the objects of a test binary call them, where
 * it was linked with --wrap for these (ld's manual): they ask cfz_ours_signal and go on to the real
 * ones.
 *
 * The real ones are weak, so that all of the archive links without --wrap, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>

#include "target/ours.h"

int __real_kill(pid_t to, int sig) __attribute__((weak));
int __real_killpg(pid_t group, int sig) __attribute__((weak));
int __real_sigqueue(pid_t to, int sig, const union sigval value) __attribute__((weak));
int __real_tgkill(pid_t to, pid_t thread, int sig) __attribute__((weak));

int __wrap_kill(pid_t to, int sig);
int __wrap_killpg(pid_t group, int sig);
int __wrap_sigqueue(pid_t to, int sig, const union sigval value);
int __wrap_tgkill(pid_t to, pid_t thread, int sig);

static int refuse(void)
{
    errno = EPERM;
    return -1;
}

int __wrap_kill(pid_t to, int sig)
{
    if (cfz_ours_signal(to, sig))
        return refuse();
    return __real_kill(to, sig);
}

int __wrap_killpg(pid_t group, int sig)
{
    /* Of group 1 the C library makes kill(-1), which is everybody. */
    if (group > 0 && cfz_ours_signal(-group, sig))
        return refuse();
    return __real_killpg(group, sig);
}

int __wrap_sigqueue(pid_t to, int sig, const union sigval value)
{
    if (to > 0 && cfz_ours_signal(to, sig))
        return refuse();
    return __real_sigqueue(to, sig, value);
}

int __wrap_tgkill(pid_t to, pid_t thread, int sig)
{
    if (to > 0 && cfz_ours_signal(to, sig))
        return refuse();
    return __real_tgkill(to, thread, sig);
}
