/*
 * session.h - one run of one test binary: the event loop, the origin process and
 * the signals the driver is sent.
 *
 *   1. There is one loop a run, and one function that waits in it (session_pump).
 *      Callbacks record; whoever pumps decides.
 *   2. A tick every SESSION_TICK_MS looks after time limits, so that no wait is
 *      longer.
 *   3. session_close leaves no process behind.
 */
#ifndef SESSION_H
#define SESSION_H

#include <uv.h>

#include "build/build.h"
#include "cli/options.h"

enum {
    SESSION_TICK_MS = 100,
    SESSION_READY_MS = 10000, /* a host or worker that was forked must answer within */
    SESSION_START_MS = 60000, /* an origin: its constructors may read whole databases */
    SESSION_FORK_TRIES = 3,   /* a lock held by another thread at fork can hang a child */
    SESSION_STOP_MS = 2000,   /* after stop and QUIT, before SIGKILL */
};

struct origin;

struct session {
    const struct options *opt;
    const struct test_binary *bin;
    uv_loop_t *loop;
    uv_timer_t *tick;
    uv_signal_t *signals[3];
    struct origin *origin;

    uint64_t now;   /* nanoseconds, of the last pump */
    int interrupts; /* SIGINTs so far */
    int terminated; /* SIGTERM or SIGHUP, or 0 */
};

/*
 * session_open starts the test binary as origin and waits until it has listed its tests. Errors are
 * those of testrun_package in run.h. On failure nothing is left running.
 */
int session_open(struct session *s, const struct options *opt, const struct test_binary *bin,
                 struct cfz_error *err);

/* session_close ends the origin and all below it, and the loop. */
void session_close(struct session *s);

/* session_pump waits until something happened, a tick at the longest. */
void session_pump(struct session *s);

/*
 * session_check fails when no more work makes sense. It is CFZ_EIO for SIGTERM and SIGHUP ("ended
 * by signal: terminated") and for a stdout that is gone (its errno in sys), else what origin_check
 * says. Ctrl-C is not a failure: see interrupts.
 */
int session_check(const struct session *s, struct cfz_error *err);

#endif
