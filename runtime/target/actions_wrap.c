/*
 * actions_wrap.c - signal and sigaction as the objects of a test binary call them, where it was
 * linked with --wrap for these (ld's manual): they go on to the real ones.
 *
 * Code that sets a handler for SIGSEGV, say, for a while sets SIG_DFL afterwards, or what it was
 * told had been there. SIG_DFL is what is told of our handler, and where SIG_DFL is set ours takes
 * its place: the process ends as it would have, and its crash is marked. Decision 161.
 *
 * The real ones are weak, so that all of the archive links without --wrap, too.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "self/actions.h"
#include "target/crash.h"
#include "target/executor.h"

typedef void handler(int);

static void note(handler *h)
{
    cfz_executor.has_handlers |= h != SIG_DFL && h != SIG_IGN;
}

handler *__real_signal(int sig, handler *h) __attribute__((weak));
handler *__real___sysv_signal(int sig, handler *h) __attribute__((weak));

handler *__wrap_signal(int sig, handler *h);
handler *__wrap___sysv_signal(int sig, handler *h);
int __wrap_sigaction(int sig, const struct sigaction *sa, struct sigaction *old);

/* signal, by one of the real ones. */
static handler *set(int sig, handler *h, handler *(*real)(int, handler *))
{
    struct sigaction now;
    /* MemorySanitizer's signal would return what it has put round ours. */
    bool ours = cfz_action(sig, NULL, &now) == 0 && cfz_crash_handles(now.sa_handler);
    handler *old = real(sig, h);

    if (old == SIG_ERR)
        return old;
    if (h == SIG_DFL)
        cfz_crash_defaulted(sig);
    note(h);
    return ours || cfz_crash_handles(old) ? SIG_DFL : old;
}

handler *__wrap_signal(int sig, handler *h)
{
    return set(sig, h, __real_signal);
}

/* What signal is with _XOPEN_SOURCE and no more. */
handler *__wrap___sysv_signal(int sig, handler *h)
{
    return set(sig, h, __real___sysv_signal);
}

int __wrap_sigaction(int sig, const struct sigaction *sa, struct sigaction *old)
{
    bool defaults = sa && sa->sa_handler == SIG_DFL; /* old may be the same */
    handler *changes = sa ? sa->sa_handler : NULL;
    int ret = __real_sigaction(sig, sa, old);

    if (ret < 0)
        return ret;
    if (defaults)
        cfz_crash_defaulted(sig);
    if (changes)
        note(changes);
    if (old && cfz_crash_handles(old->sa_handler)) {
        old->sa_handler = SIG_DFL;
        old->sa_flags = 0;
    }
    return ret;
}
