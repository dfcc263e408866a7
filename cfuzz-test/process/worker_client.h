/*
 * worker_client.h - one worker: fork it, have it run inputs or fuzz, stop it. Context: ordinary.
 *
 *     worker_new --READY--> WORKER_IDLE --worker_run, worker_fuzz--> WORKER_BUSY
 *                               ^                                        |
 *                               +--worker_take-- WORKER_ANSWERED <--RESULT
 *     any state --EXIT--> WORKER_GONE --worker_free
 *
 * A worker that is not ready in time is killed and forked again, since a lock that
 * another thread of the origin held at fork may never be opened in the child.
 * Fields are to be read only, by whoever pumps the loop.
 */
#ifndef WORKER_CLIENT_H
#define WORKER_CLIENT_H

#include "process/host_client.h"

enum worker_state {
    WORKER_STARTING,
    WORKER_IDLE,
    WORKER_BUSY,
    WORKER_ANSWERED, /* result holds the answer */
    WORKER_GONE,
};

struct worker {
    struct child child;
    struct host *host;
    char *name; /* for cfuzz_name */
    int64_t deadline_ns;
    int64_t hang_ns; /* an execution that takes longer hangs; -hangtimeout at first */
    struct peer peer;
    struct cfz_proc_shm *shm;
    struct output output;
    pid_t pid; /* 0: not known yet */
    enum worker_state state;
    uint64_t since;    /* when it was forked or given its command */
    int tries;         /* how often it was forked */
    bool guarded;      /* it goes on after known crashes (core/known.h) */
    uint64_t replaced; /* shm->replaced when output was last looked at */

    bool fuzzing;        /* the command is FUZZ */
    bool running;        /* the command is RUN */
    bool yielding;       /* FUZZ: worker_yield was called */
    bool records;        /* RECORDS came since worker_records_taken */
    bool ack;            /* ... and waits for an ACK */
    uint64_t entry;      /* RUN: what it runs */
    uint64_t limit;      /* FUZZ: what it was given */
    uint64_t base;       /* shm->mutated when the command was given */
    uint64_t mutated;    /* of the command, when shm was last seen to be sane */
    uint64_t stop_since; /* when worker_stop was called, or 0 */
    bool patient;        /* ... as it was told */
    struct {
        enum cfz_verdict verdict;
        uint64_t mutated, ns;
        bool drifted; /* of FUZZ: the tested code does less than it did with the same input */
    } result;

    uint64_t execs, progress; /* hang watch: the count, and when it last changed */
    /* Memory at the ticks, in bytes: the most, the first and the last seen; the last of an
     * execution before this one, which is number rss_execs. 0: none yet. */
    uint64_t rss, rss_first, rss_last, rss_before, rss_execs;
    /* Of a FUZZ command: ticks; those at which it had executed one input since the tick before; the
     * CPU time of the process at the first and the last one. */
    uint64_t ticks, slow_ticks, cpu_first, cpu;
    bool slow; /* slow executions take much of its time: to be replaced by a guarded one */
    bool bloated;        /* it holds too much between inputs: to be replaced */
    bool memory;         /* killed for what an input took */
    uint64_t lost_since; /* when its socket ended, or 0 */
    bool hung, killed, lost;
    bool scribbled;      /* the target wrote over shm: no number there can be trusted */
    uint64_t generation; /* host->generation when it was forked */
    bool renews;         /* its FORK asked for the next generation */
    bool stuck;          /* killed, since it was in our code for too long, and stale */
    bool orphaned;       /* its host ended, and it with it */
    bool unforked;       /* the system had no room for the process; err says so */
    unsigned stops;      /* ticks on end at which a signal had stopped it, in one execution */
    bool stopped;        /* killed, since there were too many */
    struct stack hung_stack;
    bool exited;          /* gone, or about to be once the answer is taken */
    bool was_busy;        /* when gone: in the middle of a command */
    int status;           /* when gone; its host's if orphaned */
    struct cfz_error err; /* what broke; CFZ_OK: nothing */
};

/* worker_new has h fork a worker. name is what cfuzz_name returns. A guarded worker goes on after
 * crashes of the guards' table (core/known.h) while it fuzzes, and counts them. CFZ_EIO,
 * CFZ_ENOMEM. */
int worker_new(struct host *h, const char *name, int64_t deadline_ns, bool guarded,
               struct worker **out, struct cfz_error *err);

/* Commands, for a worker that is WORKER_IDLE. worker_run executes an entry of the corpus,
 * unmutated. all_bits: all coverage of the input is sent, not only what the mask lacks. CFZ_EIO. */
int worker_run(struct worker *w, uint64_t entry, bool all_bits, struct cfz_error *err);

/* worker_try executes the values, which are the test's; if traced, as the search does when it looks
 * at comparisons. CFZ_EIO. */
int worker_try(struct worker *w, const struct cfz_values *vs, bool traced, struct cfz_error *err);

/* worker_try_several executes inputs one after the other until one fails. inputs[0..len) is the
 * text of a TRIES message (core/protocol.h); shm->execs tells how many it executed. CFZ_EIO. */
int worker_try_several(struct worker *w, const void *inputs, size_t len, struct cfz_error *err);

/* worker_traced reports whether the input that w failed on, or died of, was traced then. */
bool worker_traced(const struct worker *w);

struct fuzz_command {
    uint64_t limit;   /* mutated executions, 0 for none */
    uint64_t seed, k; /* of the generator; a seed of ~0 goes on */
    uint64_t max_len;
    uint64_t sync; /* see protocol.h */
    uint64_t minimize;
    bool search;    /* look at comparisons */
    unsigned flags; /* of enum cfz_fuzz_flags */
};
int worker_fuzz(struct worker *w, const struct fuzz_command *c, struct cfz_error *err);

/* worker_take makes a worker that answered idle again, or gone if it ended since. */
void worker_take(struct worker *w);

/* worker_records_taken answers RECORDS once all records were consumed and acted upon. CFZ_EIO. */
int worker_records_taken(struct worker *w, struct cfz_error *err);

/* worker_yield asks a worker that fuzzes to end its command, which may take as long as an execution
 * does. It may have executed nothing then. */
void worker_yield(struct worker *w);

/* worker_stop asks a busy worker to come to an end soon. If it does not, the tick kills it; but where
 * patient is set, an execution that goes on has the time after which it is a hang. */
void worker_stop(struct worker *w, bool patient);
void worker_kill(struct worker *w);

/* worker_alone reports whether w, whose host ended, was the only one that executed anything then.
 */
bool worker_alone(const struct worker *w);

/* worker_guard_ended reports whether w is gone since its guard was, by SIGKILL: who sent it is not
 * known, and w did not die before it. */
bool worker_guard_ended(const struct worker *w);

/* worker_blame marks w, whose host or guard a signal ended, so that it is described as having sent
 * that. For a caller who knows, see decision 087. */
void worker_blame(struct worker *w);

/* worker_scribbled tells of a worker whose memory says what it cannot, while it lives or after: it
 * is killed, and what it executes is taken for the cause. An answer it gave does not count. One that
 * fuzzes has a second before, to notice it by itself: then its input is known. */
void worker_scribbled(struct worker *w);

/*
 * worker_stale reports whether the target of some worker wrote over what this one shares with
 * others (runtime/self/shared.h). What it does is not wrong, but it may do anything in code of
 * ours. It ends its FUZZ command soon, and is to be replaced then.
 */
bool worker_stale(const struct worker *w);

/* Mutated executions of the running command so far. */
uint64_t worker_mutated(const struct worker *w);

/* worker_mixed: the running, or last, command executed more than one input. What was printed may be
 * of any of them. */
bool worker_mixed(const struct worker *w);

/* worker_describe decides what the end of a worker that is WORKER_GONE means. */
void worker_describe(const struct worker *w, struct ending *e);

/* worker_broke fails with what broke of a worker that ended as ENDING_INTERNAL. It is CFZ_EIO where
 * the system had no process or memory left; else CFZ_EINTERNAL. */
int worker_broke(const struct worker *w, const struct ending *e, struct cfz_error *err);

void worker_free(struct worker *w); /* sends an idle worker away, kills a busy one; accepts NULL */

#endif
