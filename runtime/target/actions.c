/*
 * actions.c - see actions.h.
 */
#define _GNU_SOURCE
#include "target/actions.h"

#include <string.h>

/* NULL where the test binary was linked without --wrap. */
int __real_sigaction(int sig, const struct sigaction *sa, struct sigaction *old)
    __attribute__((weak));

int cfz_action(int sig, const struct sigaction *sa, struct sigaction *old)
{
    return __real_sigaction ? __real_sigaction(sig, sa, old) : sigaction(sig, sa, old);
}

void cfz_action_default(int sig)
{
    struct sigaction sa;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = SIG_DFL;
    cfz_action(sig, &sa, NULL);
}
