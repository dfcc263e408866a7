/*
 * fuzz_sharing.h - a fuzzing run takes what others find, and leaves what it has: drivers on the
 * same cache, and the fuzzers of the directories of -sync (sharing/shared_dir.h).
 *
 *   1. Each second directories are looked at, inputs of others are executed for a quarter of a
 * second by one worker, and some of the corpus is left for others.
 *   2. An input of others is executed once, whatever directories it lies in, and not at all if the
 *      corpus has it. With new coverage it is an entry of the corpus, and is kept like one's own.
 *   3. A directory that is gone does not end the run. That is said once.
 *
 * Context: ordinary.
 */
#ifndef FUZZ_SHARING_H
#define FUZZ_SHARING_H

#include "fuzz/coordinator_state.h"

/* sharing_check opens and closes the directories of -sync, so that mistakes are found before
 * anything is built. CFZ_EUSAGE. */
int sharing_check(const struct options *opt, struct cfz_error *err);

/* sharing_open readies c->sharing when the corpus is loaded. cache is the directory of interesting
 * inputs, or NULL: none is shared. CFZ_EUSAGE, CFZ_ENOMEM. */
int sharing_open(struct coordinator *c, const char *cache, struct cfz_error *err);
void sharing_close(struct coordinator *c);

/* sharing_turn looks at the directories when it is time, and asks a worker to end its command if
 * there is something to execute. At each turn of the loop while it fuzzes. CFZ_ENOMEM. */
int sharing_turn(struct coordinator *c, struct cfz_error *err);

/* sharing_step gives w, which is idle, an input of others. *got tells whether there was one.
 * CFZ_EIO, CFZ_ENOMEM. */
int sharing_step(struct coordinator *c, struct worker *w, bool *got, struct cfz_error *err);

/* sharing_base is told of coverage that w was the first to show, while it executes an input of
 * others; sharing_answered that it has been executed and passed. CFZ_EIO, CFZ_ENOMEM. */
void sharing_base(struct coordinator *c, const struct worker *w, uint64_t fresh);
int sharing_answered(struct coordinator *c, const struct worker *w, struct cfz_error *err);

/* sharing_gone is told that w has ended, or failed. */
void sharing_gone(struct coordinator *c, const struct worker *w);

/* sharing_kept is told the name of a file that this run wrote into the cache. CFZ_ENOMEM. */
int sharing_kept(struct coordinator *c, const char *name, struct cfz_error *err);

/* sharing_end leaves the rest of the corpus for others, and says how much was shared, if -sync was
 * given or others found something. */
void sharing_end(struct coordinator *c);

#endif
