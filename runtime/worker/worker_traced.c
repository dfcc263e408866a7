/*
 * worker_traced.c - see worker_traced.h.
 */
#include "worker/worker_traced.h"

#include <time.h>

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

static uint64_t cpu_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static enum cfz_verdict counted(struct cfz_worker *w, uint64_t *work, uint64_t *us)
{
    const uint64_t begin = cpu_us();
    enum cfz_verdict verdict;

    atomic_store_explicit(&w->shm->traced, cfz_trace_sites() > 0, memory_order_relaxed);
    cfz_trace_count_begin();
    verdict = cfz_executor_run(w->x);
    *work = cfz_work(cfz_trace_count_end());
    *us = cpu_us() - begin;
    if (verdict != CFZ_VERDICT_FAIL)
        atomic_store_explicit(&w->shm->traced, 0, memory_order_relaxed);
    return verdict;
}

enum cfz_verdict cfz_worker_counted(struct cfz_worker *w, uint64_t *work)
{
    uint64_t us, again;
    enum cfz_verdict verdict = counted(w, work, &us);

    /* Once more: what is done the first time only, as after a fork, is not the input's. */
    if (verdict != CFZ_VERDICT_FAIL && cfz_work_by_time(*work, us) > *work) {
        cfz_counters_reset();
        cfz_worker_bump(&w->shm->tracing);
        verdict = counted(w, work, &again);
        us = again < us ? again : us;
    }
    *work = cfz_work_by_time(*work, us);
    return verdict;
}
