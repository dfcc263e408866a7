/*
 * worker.h - what a worker is made of; shared by worker_server.c and fuzz_loop.c.
 */
#ifndef CFZ_WORKER_H
#define CFZ_WORKER_H

#include "core/mutator.h"
#include "core/protocol.h"
#include "counters.h"
#include "executor.h"
#include "schedule.h"

/* Static, one per process. */
struct cfz_worker {
    int sock; /* non-blocking */
    struct cfz_executor *x;
    struct cfz_proc_shm *shm;
    const struct cfz_run_shm *run;
    struct cfz_seen seen;

    /* The rest belongs to fuzz_loop.c. */
    struct cfz_schedule schedule;
    struct cfz_mutator mutator;
    bool seeded;           /* mutator.rand has been */
    size_t grown_at;       /* mutated executions since the length limit last grew */
    struct cfz_values cur; /* what is mutated; buffers of a slot's size */
    struct cfz_value cur_v[CFZ_VALUES_MAX];
    uint64_t base_bits[CFZ_VALUES_MAX];  /* the entry: bits or length */
    const uint8_t *base[CFZ_VALUES_MAX]; /* and data, in the arena */
    uint64_t turn_left;                  /* executions */
    bool news_pending;                   /* written since the last sync */
};

/* cfz_worker_send sends m, waiting while the socket is full; ends the process when the driver is
 * gone. cfz_worker_recv likewise waits for a message. Context: ordinary. */
void cfz_worker_send(struct cfz_worker *w, const struct cfz_msg *m);
void cfz_worker_recv(struct cfz_worker *w, struct cfz_msg *m);

/* cfz_fuzz_map maps what the loop needs, so that it never allocates. CFZ_EIO. Context: ordinary. */
int cfz_fuzz_map(struct cfz_worker *w, struct cfz_error *err);

/* cfz_fuzz executes mutated inputs until limit, stop or a failing one. */
enum cfz_verdict cfz_fuzz(struct cfz_worker *w, const struct cfz_msg *cmd, uint64_t *mutated);

#endif
