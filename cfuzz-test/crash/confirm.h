/*
 * confirm.h - a failing input again, in a fresh process, before it is reported. Context: ordinary.
 */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "crash/trial.h"

enum { CONFIRM_TRIES = 4 }; /* of an input that did not fail at the first. Guessed. */

struct confirmation {
    unsigned tries, failed;
    struct trial_outcome outcome; /* of the first try; the trial's worker is still that one if
                                   * confirmed */
};

/* confirm_sure: the input failed at the first try. Otherwise it is flaky; or nothing could run, and
 * it is not known. */
bool confirm_sure(const struct confirmation *c);

/*
 * confirm_flaky writes what is said of an input that is not sure: "flaky: it failed 1 of 4 times
 * in fresh processes"; "" when there is nothing to say.
 */
const char *confirm_flaky(const struct confirmation *c, char text[128]);

/*
 * confirm_run executes vs once if it fails, else CONFIRM_TRIES times, each time in a fresh process.
 * It gives up without a word when there is no patience left. Errors are those of trial_run.
 */
int confirm_run(struct trial *t, const struct cfz_values *vs, int64_t hang_ns,
                struct confirmation *c, struct cfz_error *err);

#endif
