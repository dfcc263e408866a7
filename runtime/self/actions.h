/*
 * actions.h - sigaction for ourselves, where actions_wrap.c takes the place of the C library's.
 */
#ifndef CFZ_ACTIONS_H
#define CFZ_ACTIONS_H

#include <signal.h>
#include <string.h>

/* NULL where the test binary was linked without --wrap. */
int __real_sigaction(int sig, const struct sigaction *sa, struct sigaction *old)
    __attribute__((weak));

/* cfz_action is sigaction, the C library's or a sanitizer's. Context: signal. */
static inline int cfz_action(int sig, const struct sigaction *sa, struct sigaction *old)
{
    return __real_sigaction ? __real_sigaction(sig, sa, old) : sigaction(sig, sa, old);
}

/* cfz_action_default has sig do what it does by default. Context: signal. */
static inline void cfz_action_default(int sig)
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = SIG_DFL;
    cfz_action(sig, &sa, NULL);
}

#endif
