/*
 * lf_slow.h - inputs that take long while fuzzing, which libFuzzer calls slow units. Context:
 * ordinary.
 */
#ifndef LF_SLOW_H
#define LF_SLOW_H

#include "fuzz/coordinator_state.h"
#include "libfuzzer/lf_flags.h"

struct slow_seat {
    const struct worker *by; /* executes a slow input now; NULL: it does not */
    uint64_t execs, began;
    struct cfz_values input;
    bool have; /* it is copied: it takes -report_slow_units already */
};

struct lf_slow {
    struct slow_seat *v; /* for each seat of the run */
    unsigned n;
    uint64_t slowest_ns; /* input, of those that took a second or more */
};

/*
 * lf_slow_look sees which workers execute one input for long. It is to be called at each turn of
 * the loop. What took -report_slow_units seconds or more, and a tenth longer than any before, is
 * told when it has ended, and written to a file slow-unit-<sha1>. Times are true to a tick of the
 * loop. CFZ_ENOMEM.
 */
int lf_slow_look(struct lf_slow *s, const struct coordinator *c, const struct lf_flags *f,
                 struct cfz_error *err);
void lf_slow_release(struct lf_slow *s);

#endif
