/*
 * worker_traced.c - see worker_traced.h.
 */
#include "server/worker_traced.h"

enum cfz_verdict cfz_worker_traced(struct cfz_worker *w)
{
    enum cfz_verdict verdict;

    if (!cfz_trace.events)
        return cfz_executor_run(w->x);
    atomic_store_explicit(&w->shm->traced, 1, memory_order_relaxed);
    cfz_trace_begin();
    verdict = cfz_executor_run(w->x);
    cfz_trace_end();
    if (verdict != CFZ_VERDICT_FAIL)
        atomic_store_explicit(&w->shm->traced, 0, memory_order_relaxed);
    return verdict;
}

enum cfz_verdict cfz_worker_counted(struct cfz_worker *w, uint64_t *work)
{
    enum cfz_verdict verdict;

    atomic_store_explicit(&w->shm->traced, cfz_trace_sites() > 0, memory_order_relaxed);
    cfz_trace_count_begin();
    verdict = cfz_executor_run(w->x);
    *work = cfz_work(cfz_trace_count_end());
    if (verdict != CFZ_VERDICT_FAIL)
        atomic_store_explicit(&w->shm->traced, 0, memory_order_relaxed);
    return verdict;
}
