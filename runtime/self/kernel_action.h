/*
 * kernel_action.h - what a process does at a signal, asked of the kernel itself.
 */
#ifndef CFZ_KERNEL_ACTION_H
#define CFZ_KERNEL_ACTION_H

#include <signal.h>

/*
 * cfz_kernel_action does what sigaction does, past whatever took its place in this process, such as
 * ThreadSanitizer's. Returns -1 with errno. Context: signal.
 */
int cfz_kernel_action(int sig, const struct sigaction *sa, struct sigaction *old);

#endif
