/*
 * confirm.h - a failing input again, in a fresh process, before it is reported.
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

/* Confirmed: it failed at once. Anything else is flaky, or not known where nothing could run. */
bool confirm_sure(const struct confirmation *c);

/*
 * confirm_flaky writes what is said of an input that is not sure: "flaky: it failed 1 of 4 times
 * in fresh processes"; "" when there is nothing to say.
 */
const char *confirm_flaky(const struct confirmation *c, char text[128]);

/*
 * confirm_run executes vs: once if it fails, else CONFIRM_TRIES times, each in a fresh
 * process; gives up without a word when *ended becomes true. Errors as trial_run.
 */
int confirm_run(struct trial *t, const struct cfz_values *vs, int64_t hang_ns, const bool *ended,
                struct confirmation *c, struct cfz_error *err);

#endif
