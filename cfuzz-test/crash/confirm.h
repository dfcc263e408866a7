/*
 * confirm.h - a failing input again, in a fresh process, before it is reported. Context: ordinary.
 */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "crash/trial.h"

enum {
    CONFIRM_TRIES = 4, /* of an input that did not fail at the first. Guessed. */
    CONFIRM_TEXT = 192
};

struct confirmation {
    unsigned tries, failed, other; /* other: it failed, but in another way */
    struct trial_outcome outcome;  /* of the first try; the trial's worker is still that one if
                                    * confirmed */
    char where[CRASH_WHERE_MAX];   /* of the first that failed in another way */
};

/* confirm_sure: the input failed at the first try. Otherwise it is flaky; or nothing could run, and
 * it is not known. */
bool confirm_sure(const struct confirmation *c);

/*
 * confirm_flaky writes what is said of an input that is not sure: "flaky: it failed 1 of 4 times
 * in fresh processes", or "flaky: in a fresh process it fails in another way: Aborted at url.c:41";
 * "" when there is nothing to say.
 */
const char *confirm_flaky(const struct confirmation *c, char text[CONFIRM_TEXT]);

/*
 * confirm_run executes vs once if it fails as it did before, with signature found, else
 * CONFIRM_TRIES times, each time in a fresh process. What fails in another way is another crash: to
 * make it smaller would lose this one. It gives up without a word when there is no patience left.
 * Errors are those of trial_run.
 */
int confirm_run(struct trial *t, const struct cfz_values *vs, const struct crash_signature *found,
                int64_t hang_ns, struct confirmation *c, struct cfz_error *err);

#endif
