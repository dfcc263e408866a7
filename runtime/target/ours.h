/*
 * ours.h - signals that user code sends to processes of cfuzz's, which are its failure.
 *
 * Code that signals its parent, or all processes, by a pid that it read or that is -1 after a
 * failed fork, would end the processes above it, and the run with them. So where it calls kill,
 * killpg, sigqueue or tgkill the receiver is compared, by functions that the linker puts in their
 * place (ours_wrap.c). Decision 072.
 */
#ifndef CFZ_OURS_H
#define CFZ_OURS_H

#include <stdbool.h>
#include <sys/types.h>

/* cfz_ours_add says that pid, this process or one above, is cfuzz's. Those that are forked later
 * know it. Context: ordinary. */
void cfz_ours_add(pid_t pid);

/*
 * cfz_ours_signal is called when user code is about to send sig to `to`, as kill takes it. If that
 * would be sent to a process of cfuzz's, it does not return, or returns true in a process that the
 * target forked. 0 may be sent, and to a single process or group
 * what is ignored by default. Context: any.
 */
bool cfz_ours_signal(pid_t to, int sig);

#endif
