/*
 * kernel_action.c - see kernel_action.h.
 */
#define _GNU_SOURCE
#include "self/kernel_action.h"

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
/* Returns from a handler: signal(7), sigreturn(2). Unwinders know it by these very instructions. */
void cfz_kernel_return(void) __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".hidden cfz_kernel_return\n"
        ".globl cfz_kernel_return\n"
        ".type cfz_kernel_return, @function\n"
        "nop\n" /* an unwinder looks for what lies before the return address */
        "cfz_kernel_return:\n"
        "mov $15, %rax\n"
        "syscall\n"
        ".size cfz_kernel_return, . - cfz_kernel_return\n");
enum { KERNEL_SA_RESTORER = 0x04000000 };
#endif

/* What the kernel calls struct sigaction (<asm/signal.h>), with a mask of 64 signals. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

int cfz_kernel_action(int sig, const struct sigaction *sa, struct sigaction *old)
{
    struct kernel_action to, from;

    if (sa) {
        to.handler = sa->sa_sigaction;
        to.flags = (unsigned)sa->sa_flags;
        to.restorer = NULL;
#if defined(__x86_64__)
        to.flags |= KERNEL_SA_RESTORER;
        to.restorer = cfz_kernel_return;
#endif
        memcpy(&to.mask, &sa->sa_mask, sizeof to.mask);
    }
    if (syscall(SYS_rt_sigaction, sig, sa ? &to : NULL, &from, sizeof to.mask) < 0)
        return -1;
    if (old) {
        memset(old, 0, sizeof *old);
        old->sa_sigaction = from.handler;
        old->sa_flags = (int)from.flags;
        memcpy(&old->sa_mask, &from.mask, sizeof from.mask);
    }
    return 0;
}
