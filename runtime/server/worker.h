/*
 * worker.h - what a worker is made of; shared by worker_server.c, worker_fuzz.c and
 * worker_interesting.c.
 */
#ifndef CFZ_WORKER_H
#define CFZ_WORKER_H

#include "search/mutator.h"
#include "core/protocol.h"
#include "coverage/counters.h"
#include "target/executor.h"
#include "search/schedule.h"

/* One per process, in memory that a guard and its workers share (guard.h). */
struct cfz_worker {
    int sock; /* non-blocking */
    uint64_t sock_ino; /* what sock is; 0: not known */
    struct cfz_executor *x;
    struct cfz_proc_shm *shm;
    const struct cfz_run_shm *run;
    struct cfz_seen seen;

    /* The rest belongs to worker_fuzz.c and worker_interesting.c. */
    struct cfz_schedule schedule;
    struct cfz_mutator mutator;
    bool fuzzing;          /* a FUZZ command runs */
    bool resumed;          /* its process died of a known crash; this one goes on */
    struct cfz_msg cmd;    /* the FUZZ command */
    uint64_t begun;        /* shm->mutated when it began */
    bool seeded;           /* mutator.rand has been */
    size_t grown_at;       /* mutated executions since the length limit last grew */
    struct cfz_values cur; /* what is mutated; buffers of a slot's size */
    struct cfz_value cur_v[CFZ_VALUES_MAX];
    uint64_t base_bits[CFZ_VALUES_MAX];  /* the entry: bits or length */
    const uint8_t *base[CFZ_VALUES_MAX]; /* and data, in the arena */
    uint64_t turn_left;                  /* executions */
    bool news_pending;                   /* written since the last sync */
    uint64_t minimize;                   /* executions that making one find smaller may take */
    uint8_t *room;                       /* a slot's size, for what a candidate replaces */
    bool moved; /* cur is no longer what the chain made: a find was made smaller */
};

/* cfz_worker_send sends m, waiting while the socket is full; ends the process when the driver is
 * gone. cfz_worker_recv likewise waits for a message. Context: ordinary. */
void cfz_worker_send(struct cfz_worker *w, const struct cfz_msg *m);
void cfz_worker_recv(struct cfz_worker *w, struct cfz_msg *m);

/* cfz_worker_check_socket ends the process if the input just executed took the socket away: asked
 * where that has a chance to be noticed in time, one system call. Context: ordinary. */
void cfz_worker_check_socket(const struct cfz_worker *w);

/* cfz_worker_prepare has what modules announced during the execution just done collected with it;
 * ends the process when they are not of this runtime's kind. Context: ordinary. */
void cfz_worker_prepare(struct cfz_worker *w);

/* cfz_fuzz_map maps what the loop needs, so that it never allocates. CFZ_EIO. Context: ordinary. */
int cfz_fuzz_map(struct cfz_worker *w, struct cfz_error *err);

/*
 * cfz_news takes the execution just done, which showed bits that nobody had: the
 * same input again, and what both showed is reported to the driver, after the input was
 * made smaller as far as all of that stays. Returns the verdict of the last input that was
 * executed, which is in the slots if it is FAIL. cfz_news_sync has the driver take all
 * reports; its answers are in the corpus afterwards. Context: ordinary.
 */
enum cfz_verdict cfz_news(struct cfz_worker *w, bool sync);
void cfz_news_sync(struct cfz_worker *w);

static inline void cfz_publish(struct cfz_worker *w, size_t i)
{
    const struct cfz_value *v = &w->cur_v[i];

    if (w->x->slots.view[i])
        cfz_slots_bytes(&w->x->slots, i, v->data, v->len);
    else
        cfz_slots_scalar(&w->x->slots, i, v->bits);
}

static inline void cfz_bump(_Atomic uint64_t *counter)
{
    /* The only writer: a load and a store, no locked instruction. */
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* cfz_fuzz executes mutated inputs until limit, stop or a failing one, as w->cmd says;
 * w->resumed: goes on with it. */
enum cfz_verdict cfz_fuzz(struct cfz_worker *w, uint64_t *mutated);

#endif
