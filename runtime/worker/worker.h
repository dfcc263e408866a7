/*
 * worker.h - the state of a worker.
 *
 * The files of a worker, each using those below it only:
 *     worker_server       a worker from its first message to its last command
 *     guard               the parent that replaces a worker
 *     worker_fuzz         the loop: mutate, execute, look at coverage
 *     worker_search       the search for what comparisons want: when, and how much
 *     worker_approach     random mutation from the inputs that came nearest to a goal
 *     worker_sentences    texts for a parser whose moves are in tables, word by word
 *     worker_custom       inputs that the harness mutates in its own way
 *     worker_shares       what each kind of turn cost and brought, and its share of the work
 *     worker_words        words in mutation: where they come from, and which of them helped
 *     worker_interesting  an input with new coverage: confirm, minimize, report
 *     worker_drift        whether the program still does what it did with the same input
 *     arrivals            the entries that arrived last
 *     worker_traced       an execution whose comparisons are recorded or counted
 *     worker_channel      messages to and from the driver
 *     worker_whole        whether all this is as cfuzz left it
 *     worker_watch        whether the host is about to end
 */
#ifndef CFZ_WORKER_H
#define CFZ_WORKER_H

#include "search/mutator.h"
#include "core/protocol.h"
#include "coverage/counters.h"
#include "target/executor.h"
#include "search/schedule.h"
#include "search/urgent.h"
#include "search/search.h"
#include "search/words.h"
#include "solver/follow.h"
#include "worker/arrivals.h"
#include "worker/worker_watch.h"

enum {
    CFZ_CHAIN = 5, /* mutations on top of each other at most; then the entry is restored */
};

/* Which turn of the search runs. */
enum cfz_search_turn {
    CFZ_SEARCH_NO_TURN,
    CFZ_SEARCH_SOLVER,
    CFZ_SEARCH_URGENT, /* the solver, at an urgent goal */
    CFZ_SEARCH_MENDED,
    CFZ_SEARCH_APPROACH,
    CFZ_SEARCH_SENTENCES,
};

/* What turns of one kind cost (work, search/search.h) and what they brought, times 256, each
 * counting less with time. Of long ones a part is owed: it is added bit by bit, as mutation goes
 * on. */
struct cfz_worker_spent {
    uint64_t cost, news;
    uint64_t cost_owed, news_owed;
};

/* What a worker knows of the search for what comparisons want (worker_search.h). */
struct cfz_worker_search {
    bool on;
    bool failed; /* the test failed on what is in the slots */
    enum cfz_lineage_number stage; /* what makes inputs */
    struct cfz_search search;
    uint32_t note; /* 1 + the number of its cfz_under_way, where it may be replaced; or 0 */
    uint64_t entry; /* that it works on; UINT64_MAX: an input of the solver's own */
    bool own_next;  /* one of these has the next turn, and not an entry that had none */
    uint64_t idle_at, idle_since; /* entries, and shm->mutated, when it had nothing to work on */
    struct cfz_worker_spent solver, mutation, mending, approach, sentences; /* mutation owes none */
    enum cfz_search_turn turn;
    uint64_t turn_cost, turn_news; /* search.cost and search.nnews when it began */
    bool mutates; /* what is executed was made by random mutation */
    bool mended;  /* ... and the last one was mended (solver/mend.h) */
    uint64_t cost_copies;              /* ever */
    struct cfz_following following;
    uint64_t told_erratic;             /* of search.nerratic: how many the driver can read of */
    uint64_t cost_vain;                /* of the solver, since it brought something */
    uint64_t mended_vain;   /* the same of mended turns, and since a field became known */
    uint32_t mended_fields; /* that were known then */
    uint64_t approach_vain;            /* of approaches, since something came nearer */
    uint64_t approach_ever;            /* of approaches, ever */
    uint64_t parts_ever;               /* of these, for finding parts of inputs */
    uint64_t sentences_vain;           /* of sentences, since they brought something */
    uint64_t sentences_ever;           /* of sentences, ever, */
    uint64_t sentences_news;           /* and what they brought */
    struct cfz_arrivals arrivals;      /* entries for worker_sentences */
    uint64_t quiet_since;              /* shm->mutated when anything new was last found, */
    uint64_t counter_since;            /* ... and a counter that none had reached */
    uint64_t cost_urgent; /* of the solver at these, ever */
};

/* What executions cost, counted as work. Without traced copies in the program each costs 1. */
struct cfz_worker_work {
    uint64_t entry;     /* of the entry that has its turn */
    uint64_t inverse;   /* 2^24 through a moving harmonic mean over turns; 0 before the first */
    uint64_t mutated;   /* of random mutation, ever */
    uint64_t minimized; /* of minimizing interesting inputs, ever */
    uint64_t turn_at;   /* shm->mutated when the turn began */
    bool turning;       /* there is one */
};

/* Of worker_drift.h. */
struct cfz_worker_drift {
    uint64_t next, looks; /* next: shm->mutated when the next look is due */
    bool found;           /* the program does less than it did with the same input */
};

/* One per process. It lies in memory that a guard and its workers share (guard.h). */
struct cfz_worker {
    int sock;          /* non-blocking */
    uint64_t sock_ino; /* the inode of sock; 0: fstat did not tell */
    struct cfz_executor *x;
    struct cfz_proc_shm *shm;
    const struct cfz_run_shm *run;
    struct cfz_seen seen;

    /* The rest belongs to worker_fuzz.c and worker_interesting.c. */
    struct cfz_schedule schedule;
    struct cfz_mutator mutator;
    struct cfz_learning learning;
    struct cfz_words words;
    bool word_open; /* the open record of the outbox is one of a word */
    bool fuzzing;          /* a FUZZ command runs */
    bool guarded;          /* this process has a guard */
    bool resumed;          /* this process goes on after one that was replaced (guard.h) */
    _Atomic bool hurry;    /* the guard wants the turn to end (cfz_slow_late) */
    _Atomic uint64_t asked; /* the execution that the guard asks about (slow.h) */
    _Atomic bool spared;    /* ... goes on if it has shown something */
    _Atomic bool allowed;   /* ... goes on in any case, and only notes what it has shown */
    uint64_t worth; /* of a process that was replaced: how many executions took as long as its last
                       one; 0: it crashed */
    struct cfz_msg cmd;    /* the FUZZ command */
    uint64_t begun;        /* shm->mutated when it began */
    bool seeded;           /* mutator.rand has been */
    size_t grown_at;       /* mutated executions since the length limit last grew */
    struct cfz_values cur; /* the input that is mutated; its buffers have a slot's size */
    struct cfz_value cur_v[CFZ_VALUES_MAX];
    uint64_t base_bits[CFZ_VALUES_MAX];  /* of each value of the entry, its bits or length */
    const uint8_t *base[CFZ_VALUES_MAX]; /* and its data, in the arena */
    uint64_t turn_left;                  /* executions */
    uint64_t arriving; /* 1 + the entry whose turn begins when the search has looked at it; or 0 */
    struct cfz_stored stored; /* streams of what is mutated next, which stay right */
    struct cfz_worker_work work;
    bool records_pending;                /* records were written since the last sync */
    uint64_t minimize; /* executions that minimizing one interesting input may take */
    uint8_t *room;     /* a slot's size, for what a candidate replaces */
    uint8_t *unpacked; /* the same, for a value of the entry that was decompressed */
    struct cfz_worker_search search;
    struct cfz_worker_drift drift;
    bool moved;        /* cur was minimized: it is not what the chain made */
    bool reported;     /* the last interesting input was */
    struct cfz_urgent urgent; /* of worker_search.c; behind what each execution needs */
};

/* cfz_worker_stopped reports whether the driver wants FUZZ to end. Where the driver wants the host
 * watched, it is, and this does not return if that is about to end. Context: ordinary. */
static inline bool cfz_worker_stopped(const struct cfz_worker *w)
{
    uint32_t stop = atomic_load_explicit(&w->shm->stop, memory_order_relaxed);

    if (__builtin_expect(stop == CFZ_STOP_NOT, 1))
        return false;
    if (stop == CFZ_STOP_WATCH)
        cfz_worker_watch();
    return stop != CFZ_STOP_WATCH;
}

/* cfz_worker_publish puts value i of cur into its slot. Context: ordinary. */
static inline void cfz_worker_publish(struct cfz_worker *w, size_t i)
{
    const struct cfz_value *v = &w->cur_v[i];

    if (w->x->slots.view[i])
        cfz_slots_bytes(&w->x->slots, i, v->data, v->len);
    else
        cfz_slots_scalar(&w->x->slots, i, v->bits);
}

/* cfz_worker_bump adds one to a counter of shm that nobody else writes. Context: ordinary. */
static inline void cfz_worker_bump(_Atomic uint64_t *counter)
{
    /* A load and a store are enough, without a locked instruction. */
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

#endif
