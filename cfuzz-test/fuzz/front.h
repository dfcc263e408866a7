/*
 * front.h - what of a fuzzing run depends on who asked for it: where its inputs come from, where
 * they are kept, and what is printed.
 *
 * front_own is that of cfuzz-test itself: seeds, cache and seed directory, lines like Go's. The
 * other one speaks libFuzzer's (libfuzzer/front_libfuzzer.c). Searching, coverage and limits are
 * the coordinator's alone. Context: ordinary.
 */
#ifndef FRONT_H
#define FRONT_H

#include "core/value.h"

struct coordinator;
struct finding;
struct lineage;
struct worker;

struct front {
    /* Fills corpus and baseline. Sets *bad if a seed cannot be used: the test fails then. Errors
     * end the run. */
    int (*load)(struct coordinator *c, bool *bad, struct cfz_error *err);
    /* Says that the run begins. */
    void (*began)(struct coordinator *c);
    /* Keeps an interesting input, all of whose coverage repeats, on disk. name gets what it is
     * called. CFZ_EIO, which ends the run. */
    int (*keep)(struct coordinator *c, const struct cfz_values *vs, char name[17],
                struct cfz_error *err);
    /* Says that an interesting input, the next entry, is the first to get to n places of the
     * program, which are program counters of w with CFZ_PC_FUNCTION. Asked for by CFZ_FUZZ_PCS in
     * options.fuzz_flags. NULL: nothing is said. */
    void (*reached)(struct coordinator *c, const struct worker *w, const uint64_t *pcs, size_t n);
    /* Says that entry index is new, and how it was made. NULL: nothing is said. */
    void (*interesting)(struct coordinator *c, uint64_t index, const struct lineage *lineage);
    /* Says that the baseline is over. */
    void (*baseline_over)(struct coordinator *c);
    /* Says where the run is, and notes in c->next_line when to say so again. last: of the whole
     * run. */
    void (*progress)(struct coordinator *c, bool last);
    /* Is called at each turn of the loop; it may stop the run. NULL: nothing is done. */
    void (*turn)(struct coordinator *c);
    /* Keeps and tells a crash that was not met before; the process that died of it is still there.
     * CFZ_ENOMEM. NULL: it is saved in the seed directory, confirmed, minimized and told at the
     * end. */
    int (*found)(struct coordinator *c, struct finding *f, struct cfz_error *err);
    /* Reports whether it was told in a turn before that the seed of that name fails; if not, it is
     * from now on. NULL: it was not. */
    bool (*told)(struct coordinator *c, const char *name);
    /* The test takes turns with others: who gives them tells results of it, and not each turn. */
    bool in_turns;
    /* Says at the end what the run did, and what failed; failed: ret is that of the loop. */
    int (*ended)(struct coordinator *c, int ret, struct cfz_error *err);
};

extern const struct front front_own;

#endif
