/*
 * host_client.h - the host of a fuzz test: the process, forked by the origin, that ran the test's
 * setup part once and forks its workers. Others call such a process a zygote, or a second fork
 * server. Context: ordinary.
 *
 *     host_start --SEEDS--> HOST_READY --host_finish--> HOST_FINISHING --exit--> HOST_GONE
 *          \________________ crash, exit, hang of the setup part _______________/
 *     HOST_GONE, ended by somebody --host_restart--> HOST_READY
 *
 * The driver runs no user code: what the setup part did is known from SEEDS and
 * from how the process ended.
 */
#ifndef HOST_CLIENT_H
#define HOST_CLIENT_H

#include "process/ending.h"
#include "process/origin_client.h"
#include "stack/stack.h"

enum host_state {
    HOST_STARTING,  /* HOST sent */
    HOST_READY,     /* setup part is over; verdict, log and seeds are known */
    HOST_FINISHING, /* FINISH sent */
    HOST_GONE,
};

struct host {
    struct child child;
    struct origin *origin;
    const struct origin_test *test;
    struct peer peer;
    struct cfz_proc_shm *shm;
    struct output output;
    struct cfz_run_shm *run; /* corpus arena and mask of this test; from HOST_READY on */
    int run_fd;
    pid_t pid; /* 0: not known yet */
    enum host_state state;
    int64_t deadline_ns; /* of the tests, or 0 */
    uint64_t since;      /* when HOST or FINISH was sent, or user code began to run */
    uint64_t ncounters;  /* of the binary after the setup part */

    struct cfz_values *seeds; /* of cfuzz_add, in order */
    size_t nseeds;
    enum cfz_verdict verdict; /* of the setup part, after FINISH with its cleanups */
    struct cfz_buf log;       /* what the setup part logged; host_finish appends */
    bool finished;            /* it answered FINISH */
    bool unforked;            /* the system had no room for the process; err says so */

    uint64_t ticked;       /* when the last tick was; at first when it was asked for */
    uint64_t elapsed;      /* between the last two */
    uint64_t stops;        /* how often a signal had stopped it (stopped.h) */
    uint64_t worker_stops; /* and one of its workers */
    unsigned stops_on_end; /* ticks on end at which it was, in user code */
    bool in_user_code;     /* as the last tick saw it: in the setup part or its cleanups */

    bool stopped;   /* ended by us, since signals stopped it again and again */
    bool hung;      /* ended by us for taking too long */
    bool killed;    /* ended by us */
    bool scribbled; /* user code wrote over shm */
    int status;     /* when gone */
    struct stack hung_stack;
    struct cfz_error err; /* what broke; CFZ_OK: nothing */

    unsigned restarts;      /* how often host_restart was called */
    unsigned told_restarts; /* ... and said so */
    bool quiet;             /* host_expect_end */
    bool quiet_once;        /* ... was called until now, and the last end is one of those */
    bool watched;     /* set where a guard ended: workers look after each execution who is ended */
    bool orphaned;    /* it ended since the origin did */
    unsigned orphans; /* workers that were in the middle of a command when it ended last */

    struct child *workers; /* list */
    uint64_t next_worker;
    /* What its workers share besides shm (runtime/self/shared.h). */
    uint64_t generation; /* how often it was made anew */
    bool tainted;        /* the target wrote over it: the next worker has it made anew */
    uint32_t spoiler;    /* 1 + the entry that was mutated when it did; 0: not known */
};

/*
 * host_start forks a host for test and waits until its setup part is over. How that ended is in
 * state and verdict. deadline_ns is what cfuzz_deadline says, or 0 for none. It fails where the run
 * cannot go on: CFZ_EINTERNAL, or CFZ_EIO, which has EINTR in sys on Ctrl-C and ETIMEDOUT when the
 * deadline has passed.
 */
int host_start(struct origin *o, const struct origin_test *test, int64_t deadline_ns,
               struct host **out, struct cfz_error *err);

/* host_finish has the setup part's cleanups run and waits for the end. All workers have been freed
 * before. It does nothing to a host that is gone. Errors are those of host_start; but it takes a
 * second Ctrl-C to end the wait. */
int host_finish(struct host *h, struct cfz_error *err);

/* host_describe decides what the end of a host that is HOST_GONE means; see ending.h. */
void host_describe(const struct host *h, struct ending *e);

/*
 * host_check fails when h, which was READY, has ended. It is CFZ_EIO for a crash of what the setup
 * part left running (*crashed), and for what somebody else did; else CFZ_EINTERNAL.
 */
int host_check(const struct host *h, bool *crashed, struct cfz_error *err);

/* Guessed: an input that ends the host does so some three times, until it is told of. */
enum { HOST_RESTARTS_MAX = 30 };

/* host_lost reports whether h, which was HOST_READY, is gone by no fault of its own: somebody sent
 * it a signal, or the system had no memory for it. */
bool host_lost(const struct host *h);

/* host_expect_end says that h is to end, once or more: host_restart says nothing then, and does not
 * count it; and that no more of this is to come. */
void host_expect_end(struct host *h, bool expected);

/*
 * host_restart forks the process of h anew, which is lost (host_lost), and waits until its setup
 * part is over, which runs once more: what that logs and adds is known, and dropped. If somebody
 * ends that one, too, before its setup part is over, that is a restart more. Run memory stays, and
 * whoever knows h. A first Ctrl-C does not end the wait. Workers are gone and not forked again. If
 * the origin is lost that is started anew first. It says so in a line. Errors are those of
 * host_start; CFZ_EIO if the setup part does not pass this time, and when h was started anew
 * HOST_RESTARTS_MAX times before.
 */
int host_restart(struct host *h, struct cfz_error *err);

void host_kill(struct host *h);
void host_free(struct host *h); /* kills what is left, with all workers. Accepts NULL. */

#endif
