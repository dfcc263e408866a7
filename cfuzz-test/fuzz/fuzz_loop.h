/*
 * fuzz_loop.h - the coordinator's loop: baseline, then fuzzing, until a limit, a failing
 * input or Ctrl-C.
 */
#ifndef FUZZ_LOOP_H
#define FUZZ_LOOP_H

#include "fuzz/coordinator_state.h"

/* fuzz_loop runs all of it and returns when every worker waits or is gone. Errors are those of
 * coordinator_run. */
int fuzz_loop(struct coordinator *c, struct cfz_error *err);

/* fuzz_turn is one turn of the loop of ctx, a struct coordinator. It is a trial_turn_fn: it also
 * runs while a failing input is confirmed and minimized. */
int fuzz_turn(void *ctx, struct cfz_error *err);

#endif
