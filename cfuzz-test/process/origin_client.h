/*
 * origin_client.h - the origin: the test binary, started once, that forks a host
 * for each fuzz test on request.
 *
 *     origin_start --HELLO, TEST...--> ready --EOF or exit--> gone --origin_stop
 */
#ifndef ORIGIN_CLIENT_H
#define ORIGIN_CLIENT_H

#include "process/output.h"
#include "process/peer.h"
#include "process/session.h"

struct host;

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
    uint64_t ticked;    /* when, last; at first when it was ready */
};

/*
 * origin_start starts s->bin in its package's directory and waits for HELLO and
 * all TESTs. Errors as session_open; *out is ended by origin_stop.
 */
int origin_start(struct session *s, struct origin **out, struct cfz_error *err);

/* origin_stop ends the process and all it forked, and frees o with its hosts. Accepts NULL. */
void origin_stop(struct origin *o);

/* origin_check fails when the origin is gone or broke the protocol: CFZ_EIO for a signal that no
 * program brings on itself, which somebody sent, else CFZ_EINTERNAL. */
int origin_check(const struct origin *o, struct cfz_error *err);

/* origin_tick looks after the time limits of all processes. now in nanoseconds of uv_hrtime. */
void origin_tick(struct origin *o, uint64_t now);

#endif
