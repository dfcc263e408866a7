/*
 * actions.h - sigaction for ourselves, where actions_wrap.c takes the place of the C library's.
 */
#ifndef CFZ_ACTIONS_H
#define CFZ_ACTIONS_H

#include <signal.h>

/* cfz_action is sigaction, the C library's or a sanitizer's. Context: signal. */
int cfz_action(int sig, const struct sigaction *sa, struct sigaction *old);

/* cfz_action_default has sig do what it does by default. Context: signal. */
void cfz_action_default(int sig);

#endif
