/*
 * fuzz_history.h - what is noted of a fuzzing run while it goes on, for the report
 * (history/history.h).
 *
 * It is an advantage and no condition: where there is no cache, or no room in it, nothing is kept
 * and nothing is said. Context: ordinary.
 */
#ifndef FUZZ_HISTORY_H
#define FUZZ_HISTORY_H

#include "fuzz/coordinator_state.h"
#include "history/history.h"

enum fuzz_stage { FUZZ_BEGINS, FUZZ_GOES_ON, FUZZ_ENDS };

/*
 * Who is told how fuzzing goes (options.fuzz_watch): when a test, or its turn, begins, once a
 * second and when it ends. h is a copy with what the run found so far, which may be taken over:
 * HISTORY_INIT is left then. corpus is borrowed for the call; entries only come to it from when the
 * test begins to when it ends.
 */
struct fuzz_watch {
    void (*sample)(void *ctx, const struct package *pkg, const char *test, struct history *h,
                   const struct fuzz_corpus *corpus, enum fuzz_stage stage);
    void *ctx;
};

/* fuzz_history_begin adds this run to the test's, or goes on with it where the test takes turns. */
void fuzz_history_begin(struct coordinator *c);

/* fuzz_history_sample notes where the run is if it is time to. It is called at each turn of the
 * coordinator's loop. */
void fuzz_history_sample(struct coordinator *c);

/* fuzz_history_end notes how the run ended and what it found, and keeps it. */
void fuzz_history_end(struct coordinator *c);

void fuzz_history_release(struct coordinator *c);

#endif
