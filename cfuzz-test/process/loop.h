/*
 * loop.h - the event loop of a run: the only place where the driver waits, its clock, and the
 * signals it is sent. Context: ordinary.
 *
 *   1. There is one loop a run, and one function that waits in it (loop_pump). Callbacks record;
 *      whoever pumps decides.
 *   2. A tick every LOOP_TICK_MS looks after time limits, so that no wait is longer.
 */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <uv.h>

#include "core/error.h"

enum { LOOP_TICK_MS = 100 };

struct loop {
    uv_loop_t *uv; /* NULL before loop_open and after loop_close */
    uv_timer_t *tick;
    uv_signal_t *signals[3];

    void (*on_tick)(void *ctx, uint64_t now); /* set by the owner, or NULL */
    void *ctx;

    uint64_t now;   /* nanoseconds of uv_hrtime, of the last pump */
    int interrupts; /* SIGINTs so far */
    int terminated; /* SIGTERM or SIGHUP, or 0 */
};

/* loop_open readies l, whose address stays. On failure there is nothing to close. CFZ_EIO,
 * CFZ_ENOMEM. */
int loop_open(struct loop *l, struct cfz_error *err);

/* loop_close waits until all handles are closed. It does nothing to a loop that is not open. */
void loop_close(struct loop *l);

/* loop_ends reports whether a signal asked the run to end. */
static inline bool loop_ends(const struct loop *l)
{
    return l->interrupts > 0 || l->terminated != 0;
}

/* loop_pump waits until something happened, a tick at the longest. */
void loop_pump(struct loop *l);

#endif
