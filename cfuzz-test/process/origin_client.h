/*
 * origin_client.h - the origin, which others call a fork server: the test binary, started once,
 * that runs no test and forks a host for each fuzz test on request. Context: ordinary.
 *
 *     origin_start --HELLO, TEST...--> ready --EOF or exit--> gone --origin_stop
 *     gone, ended by somebody --origin_restart--> ready
 */
#ifndef ORIGIN_CLIENT_H
#define ORIGIN_CLIENT_H

#include "process/output.h"
#include "process/peer.h"
#include "build/build.h"
#include "cli/options.h"
#include "process/child.h"
#include "process/loop.h"

/* A fuzz test, as the test binary describes it. */
struct origin_test {
    char *name, *types, *file;
    uint32_t index, line;
    bool has_setup;
    size_t nvalues;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    unsigned nslots; /* how many of kinds lie in slots */
};

/* origin_test_is_harness reports whether a test was written for libFuzzer: it has no line. */
static inline bool origin_test_is_harness(const struct origin_test *t)
{
    return t->line == 0;
}

enum {
    ORIGIN_START_MS = 60000, /* an origin must answer within: its constructors may read databases */
    ORIGIN_READY_MS = 10000, /* a host or worker that was forked must answer within */
    ORIGIN_FORK_TRIES = 3,   /* a lock held by another thread at fork can hang a child */
    ORIGIN_STOP_MS = 2000,   /* a worker that is to stop, before SIGKILL */
    ORIGIN_END_MS = 5000,    /* after QUIT, before SIGKILL: it may have strays to end */
};

struct origin {
    const struct options *opt;
    const struct test_binary *bin;
    struct loop *loop;
    struct peer peer;
    struct output output;
    uv_process_t *proc; /* NULL before the start and after the end */
    int pid;
    bool started; /* it was spawned */
    bool said_hello;
    bool exited;
    int status;           /* as from waitpid, when exited */
    bool lost;            /* the socket ended or was broken */
    struct cfz_error err; /* the first thing that went wrong; code CFZ_OK: nothing */

    uint32_t build; /* enum cfz_build_flags */
    uint32_t nthreads;
    uint64_t ncounters;
    struct origin_test *tests; /* in the order of the sources */
    size_t ntests, want_tests;

    unsigned restarts; /* how often origin_restart was called */

    struct child *hosts; /* list */
    uint64_t ticked;     /* when the last tick was; at first when it was started */
    uint64_t stops;      /* how often a signal had stopped it (stopped.h) */
};

/*
 * origin_start starts bin in its package's directory and waits for HELLO and all TESTs. The origin
 * uses l from then on, ticks included. *out is ended and freed by origin_stop. Errors are those of
 * session_open.
 */
int origin_start(const struct options *opt, const struct test_binary *bin, struct loop *l,
                 struct origin **out, struct cfz_error *err);

/* Guessed, as for hosts. */
enum { ORIGIN_RESTARTS_MAX = 30 };

/* origin_lost reports whether the process is gone by no fault of its own: somebody sent it a signal
 * that no program brings on itself, or the system had no memory for its messages. Then all that it
 * forked is gone as well. */
bool origin_lost(const struct origin *o);

/*
 * origin_restart starts the test binary anew, whose process is lost (origin_lost). Tests and hosts
 * stay; whoever has a host forks its process again. It says so in a line, unless quiet. patience is
 * how many Ctrl-C end the wait. CFZ_EIO if that was done ORIGIN_RESTARTS_MAX times before, which
 * quiet ones do not count for; CFZ_EUSAGE if the executable does not start any more, or is another
 * by now.
 */
int origin_restart(struct origin *o, bool quiet, int patience, struct cfz_error *err);

/* origin_stop ends the process and all it forked, and frees o with its hosts. Accepts NULL. */
void origin_stop(struct origin *o);

/*
 * origin_check fails when no more work makes sense. It is CFZ_EIO when the driver was sent SIGTERM
 * or SIGHUP ("ended by signal: terminated"), when stdout is gone (its errno in sys), and when
 * somebody sent the origin a signal that no program brings on itself. It is CFZ_EINTERNAL when the
 * origin is gone for another reason, or broke the protocol. Ctrl-C is not a failure: see
 * loop.interrupts.
 */
int origin_check(const struct origin *o, struct cfz_error *err);

#endif
