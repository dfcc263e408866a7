/*
 * origin_client.h - the origin, which others call a fork server: the test binary, started once,
 * that runs no test and forks a host for each fuzz test on request. Context: ordinary.
 *
 *     origin_start --HELLO, TEST...--> ready --EOF or exit--> gone --origin_stop
 */
#ifndef ORIGIN_CLIENT_H
#define ORIGIN_CLIENT_H

#include "process/output.h"
#include "process/peer.h"
#include "process/session.h"

struct host;

/* A fuzz test, as the test binary describes it. */
struct origin_test {
    char *name, *types, *file;
    uint32_t index, line;
    bool has_setup;
    size_t nvalues;
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    unsigned nslots; /* how many of kinds lie in slots */
};

struct origin {
    struct session *session;
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

    struct host *hosts; /* list */
    uint64_t ticked;    /* when origin_tick last ran; at first when the origin was ready */
};

/*
 * origin_start starts s->bin in its package's directory and waits for HELLO and all TESTs. *out is
 * ended and freed by origin_stop. Errors are those of session_open.
 */
int origin_start(struct session *s, struct origin **out, struct cfz_error *err);

/* origin_stop ends the process and all it forked, and frees o with its hosts. Accepts NULL. */
void origin_stop(struct origin *o);

/* origin_check fails when the origin is gone or broke the protocol. It is CFZ_EIO for a signal that
 * somebody sent, as no program brings it on itself; else CFZ_EINTERNAL. */
int origin_check(const struct origin *o, struct cfz_error *err);

/* origin_tick looks after the time limits of all processes. now is in nanoseconds of uv_hrtime. */
void origin_tick(struct origin *o, uint64_t now);

#endif
