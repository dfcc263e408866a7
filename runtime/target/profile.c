/*
 * profile.c - see profile.h. The functions of LLVM's runtime are those of its header
 * profile/InstrProfiling.h, which are the same from LLVM 14 to 22.
 */
#define _GNU_SOURCE
#include "target/profile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
int __llvm_profile_write_file(void) WEAK;
void __llvm_profile_reset_counters(void) WEAK;
const char *__llvm_profile_get_filename(void) WEAK; /* malloc'ed where it holds patterns */

enum {
    KEEP_NS = 50 * 1000 * 1000, /* between two writes of a process that goes on; guessed */
    KEEP_SHARE = 20,            /* ... and at least so many times what one takes */
    CRASHED_S = 5,              /* that a process may take for it when it crashed; guessed */
};

static int on = -1; /* not known yet */
static bool pool;
static uint64_t kept, took;

/* Whether LLVM adds counts to those in a file that is there: its name has %m, or %4m. Else it
 * appends to the file, which is read as the sum of its parts. */
static bool is_pool(const char *name)
{
    for (const char *at = strchr(name, '%'); at; at = strchr(at + 1, '%')) {
        at += 1 + strspn(at + 1, "0123456789");
        if (*at == 'm')
            return true;
        if (*at == '\0')
            return false;
    }
    return false;
}

bool cfz_profile_on(void)
{
    const char *name = getenv("LLVM_PROFILE_FILE");

    if (on < 0) {
        /* With %c processes count in the file itself (cfuzz-test -cover). */
        on = __llvm_profile_write_file && __llvm_profile_reset_counters && name != NULL &&
             strstr(name, "%c") == NULL;
        pool = on && is_pool(name);
    }
    return on > 0;
}

/* Waits until no other process of ours appends to the file. Returns it, or -1. */
static int lock(void)
{
    const char *name = __llvm_profile_get_filename ? __llvm_profile_get_filename() : NULL;
    int fd = name ? open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;

    if (fd >= 0)
        flock(fd, LOCK_EX);
    return fd;
}

void cfz_profile_forked(void)
{
    if (cfz_profile_on())
        __llvm_profile_reset_counters();
}

void cfz_profile_save(void)
{
    int fd;

    if (!cfz_profile_on())
        return;
    fd = pool ? -1 : lock();
    (void)__llvm_profile_write_file();
    if (fd >= 0)
        close(fd);
    __llvm_profile_reset_counters();
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

void cfz_profile_keep(void)
{
    uint64_t now;

    if (!cfz_profile_on() || !pool) /* the file would grow without end */
        return;
    now = now_ns();
    if (now - kept < KEEP_NS || now - kept < took * KEEP_SHARE)
        return;
    cfz_profile_save();
    kept = now_ns();
    took = kept - now;
}

void cfz_profile_crashed(void)
{
    long pid;

    if (!cfz_profile_on())
        return;
    /* Not fork(), which takes locks that the target may hold. There is no signal at its end. */
    pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (pid == 0) {
        sigset_t all;

        for (int i = 1; i < NSIG; i++)
            signal(i, SIG_DFL);
        sigfillset(&all);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        alarm(CRASHED_S);
        cfz_profile_save();
        _exit(0);
    }
    if (pid > 0)
        (void)waitpid((pid_t)pid, NULL, __WALL);
}
