/*
 * interrupt.c - see interrupt.h.
 */
#define _GNU_SOURCE
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int wake[2] = {-1, -1}; /* a pipe; it has a byte for each signal */

/* Context: signal. */
static void on_signal(int sig)
{
    int saved = errno;

    caught = sig;
    if (write(wake[1], "", 1) < 0) {
        /* it is full, so that what waits wakes up all the same */
    }
    errno = saved;
}

void interrupt_catch_again(void)
{
    static const int signums[] = {SIGINT, SIGTERM, SIGHUP};
    /* A wait that a signal ends is looked at, so SA_RESTART is not wanted. */
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, old;

    if (wake[1] < 0)
        return;
    for (size_t i = 0; i < sizeof signums / sizeof signums[0]; i++)
        if (sigaction(signums[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signums[i], &sa, NULL);
}

void interrupt_catch(void)
{
    if (wake[1] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0)
        wake[0] = wake[1] = -1;
    interrupt_catch_again();
}

int interrupt_caught(void)
{
    return caught;
}

int interrupt_take(void)
{
    char drop[16];
    int sig = caught;

    caught = 0;
    while (wake[0] >= 0 && read(wake[0], drop, sizeof drop) > 0) {
    }
    if (sig != 0)
        interrupt_catch_again();
    return sig;
}

int interrupt_fd(void)
{
    return wake[0];
}
