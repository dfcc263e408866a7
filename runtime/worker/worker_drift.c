/*
 * worker_drift.c - see worker_drift.h.
 */
#include "worker/worker_drift.h"

#include "self/shared.h"
#include "target/leaks.h"
#include "worker/worker_entry.h"

/* Guessed: mutated executions from one look to the next, and looks from one entry that is
 * considered to the next. */
enum { LOOK_EXECS = 4096, CONSIDER_LOOKS = 8 };

/* How many counters an entry covers, times 2^32, and the entry. 0: there is none yet. The workers of
 * a host share it, or one whose program is broken at once would compare with that. */
static _Atomic uint64_t *known;

int cfz_worker_drift_map(struct cfz_error *err)
{
    known = cfz_shared_map(sizeof *known, "what an input covers", err);
    return known ? 0 : -1;
}

int cfz_worker_drift_renew(struct cfz_error *err)
{
    return cfz_shared_renew((void *)known, sizeof *known, err);
}

/* Executes an entry. Sets *n to how many counters it covers. */
static enum cfz_verdict execute(struct cfz_worker *w, uint64_t entry, uint64_t *n)
{
    enum cfz_verdict verdict;

    cfz_worker_take_entry(w, entry);
    for (size_t i = 0; i < w->cur.n; i++)
        cfz_worker_publish(w, i);
    cfz_worker_bump(&w->shm->checking);
    verdict = cfz_executor_run(w->x);
    *n = cfz_counters_collect_all(&w->seen);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, CFZ_LEAKS_SOON);
    return verdict;
}

/* Twice, and the smaller of both counts: what happens but once in a process does not. */
static enum cfz_verdict consider(struct cfz_worker *w, uint64_t entry)
{
    uint64_t n[2] = {0, 0};

    for (int k = 0; k < 2; k++)
        if (execute(w, entry, &n[k]) == CFZ_VERDICT_FAIL)
            return CFZ_VERDICT_FAIL;
    n[0] = n[0] < n[1] ? n[0] : n[1];
    if (n[0] > atomic_load(known) >> 32)
        atomic_store(known, n[0] << 32 | entry);
    return CFZ_VERDICT_PASS;
}

/* Twice as well, if need be. */
static enum cfz_verdict compare(struct cfz_worker *w)
{
    const uint64_t was = atomic_load(known), entry = (uint32_t)was;
    bool less = was != 0 && entry < w->schedule.n; /* the target may have written over it */

    for (int k = 0; k < 2 && less; k++) {
        uint64_t n;

        if (execute(w, entry, &n) == CFZ_VERDICT_FAIL)
            return CFZ_VERDICT_FAIL;
        less = n < (was >> 32) / 2;
    }
    if (less && w->drift.looks == 1) /* so it does in a new process: nothing is to be had of that */
        atomic_store(known, 0);
    else
        w->drift.found = less;
    return CFZ_VERDICT_PASS;
}

enum cfz_verdict cfz_worker_drift_look(struct cfz_worker *w, uint64_t entry, bool dear)
{
    enum cfz_verdict verdict = CFZ_VERDICT_PASS;
    const uint64_t mutated = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);

    /* At once in a new process: there is nothing to compare with in the first one. */
    if (w->drift.looks > 0 && mutated < w->drift.next)
        return verdict;
    w->drift.next = mutated + LOOK_EXECS;
    w->drift.looks++;
    verdict = compare(w);
    if (verdict == CFZ_VERDICT_PASS && !w->drift.found && !dear &&
        w->drift.looks % CONSIDER_LOOKS == 2)
        verdict = consider(w, entry);
    return verdict;
}
