/*
 * worker_interesting.c - an execution brought new coverage: confirm it, minimize the
 * input, report it to the driver.
 *
 *     cfz_worker_interesting --again--> nothing repeats: counted, forgotten
 *                                  \--> a part repeats: reported, marked unstable
 *                                   \-> all repeats: --shrink--> reported
 *                                                           \--> merged: another worker's
 *                                                                input has it all: forgotten
 *
 *   1. What is reported was seen twice, and by the very input that is reported: a
 *      minimized input is executed again before it replaces the first one.
 *   2. Limits are counts of executions, so that a run repeats.
 *   3. A candidate lies in the slots before it is executed, like any input: when it
 *      fails or kills the process, the driver can take it from there.
 *   4. The record of the first input is in the outbox before a candidate is executed: when a
 *      candidate kills the process, the record is not lost with it (cfz_outbox_salvage).
 *   5. Nothing is allocated.
 */
#define _GNU_SOURCE
#include "worker/worker_interesting.h"

#include <string.h>
#include <time.h>

#include "core/minimizer/minimizer.h"
#include "target/leaks.h"
#include "worker/worker_channel.h"
#include "worker/worker_entry.h"
#include "worker/worker_traced.h"

enum {
    /*
     * Minimizing takes at most this share of a worker's work, and a fixed amount more for
     * the beginning, when interesting inputs come in masses. Guessed: small beside what shorter
     * entries save later.
     */
    SHRINK_SHARE = 8,
    SHRINK_START = 1 << 12,
    SHRINK_LEAST = 8, /* with fewer executions left it is not worth beginning */
};

/* ---- records ------------------------------------------------------------------- */

/* Forgets the bits, so that another input that shows them is interesting again. */
static void unlearn(struct cfz_seen *s)
{
    for (size_t i = 0; i < s->nbits; i++)
        s->own[s->bits[i].index] &= (uint8_t)~s->bits[i].bits;
}

/* Writes a record of w->cur, which took ns, and w->seen.bits; the caller commits it. NULL if there
 * is no room. */
static struct cfz_record *write_record(struct cfz_worker *w, unsigned flags, uint64_t ns)
{
    size_t packed = cfz_values_packed_size(&w->cur), bits = w->seen.nbits * sizeof *w->seen.bits;
    size_t pcs = w->cmd.u.cmd.flags & CFZ_FUZZ_PCS ? w->seen.nbits * sizeof(uint64_t) : 0;
    size_t size =
        (sizeof(struct cfz_record) + bits + ((packed + 7) & ~(size_t)7) + pcs + 15) & ~(size_t)15;
    struct cfz_record *r = cfz_outbox_reserve(w->shm, size);

    if (!r)
        return NULL;
    flags |= pcs ? CFZ_RECORD_PCS : 0;
    r->type = CFZ_RECORD_INTERESTING;
    r->flags = (uint16_t)flags;
    r->nbits = (uint32_t)w->seen.nbits;
    r->size = size;
    r->packed = packed;
    r->entry = w->shm->parent;
    r->exec = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    r->ns = ns;
    r->lineage.n = w->shm->lineage.n < CFZ_LINEAGE_MAX ? w->shm->lineage.n : CFZ_LINEAGE_MAX;
    memcpy(r->lineage.v, w->shm->lineage.v, sizeof r->lineage.v);
    memcpy(r + 1, w->seen.bits, bits);
    cfz_values_pack(&w->cur, (uint8_t *)(r + 1) + bits);
    for (size_t i = 0; pcs && i < w->seen.nbits; i++) {
        uint64_t pc = cfz_counters_pc(w->seen.bits[i].index);

        memcpy((uint64_t *)cfz_record_pcs(r) + i, &pc, sizeof pc);
    }
    return r;
}

/* Executes w->cur. *ns is how long it took. */
static enum cfz_verdict timed_run(struct cfz_worker *w, uint64_t *ns)
{
    struct timespec from, to;
    enum cfz_verdict verdict;

    clock_gettime(CLOCK_MONOTONIC, &from);
    verdict = cfz_executor_run(w->x);
    clock_gettime(CLOCK_MONOTONIC, &to);
    *ns = (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000 + (uint64_t)to.tv_nsec -
          (uint64_t)from.tv_nsec;
    return verdict;
}

/* ---- minimizing ------------------------------------------------------------------- */

struct shrink {
    struct cfz_worker *w; /* seen.held: the bits to keep */
    uint64_t *budget;
    bool accepted; /* some candidate was */
    bool last;     /* the next one is what has been accepted, once more */
    bool merged;   /* the mask has all bits to keep: another worker's input showed them */
    enum cfz_verdict verdict;
    uint64_t ns; /* what the last one took, once more */
};

/* Executes a candidate, which is w->cur. Returns whether it shows all bits to keep. */
static bool try_candidate(void *ctx, const struct cfz_values *cand)
{
    struct shrink *s = ctx;
    struct cfz_worker *w = s->w;

    /* A number of bytes may have become another one. */
    if ((w->cmd.u.cmd.flags & CFZ_FUZZ_ASCII) && !cfz_worker_is_ascii(w))
        return false;
    for (size_t i = 0; i < cand->n; i++)
        cfz_worker_publish(w, i);
    cfz_worker_bump(&w->shm->minimizing);
    s->verdict = s->last ? timed_run(w, &s->ns) : cfz_executor_run(w->x);
    cfz_counters_collect_all(&w->seen);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, s->verdict, s->last ? CFZ_LEAKS_SOON : CFZ_LEAKS_LATER);
    s->merged = cfz_seen_held_is_merged(&w->seen);
    if (s->verdict == CFZ_VERDICT_FAIL || s->merged || cfz_worker_stopped(w)) {
        *s->budget = 0;
        return false;
    }
    if (!cfz_seen_has_held(&w->seen) || cfz_executor_rejected(w->x))
        return false;
    s->accepted = true;
    return true;
}

/* What an execution of w->cur costs at least: what one of its parent does, times as much as it is
 * longer. */
static uint64_t work_of(const struct cfz_worker *w)
{
    uint64_t parent = w->run && w->shm->parent < w->schedule.n
                          ? cfz_run_shm_entry(w->run, w->shm->parent)->size
                          : 0;
    uint64_t work = w->work.entry ? w->work.entry : 1;

    return parent ? work * (1 + cfz_values_packed_size(&w->cur) / parent) : work;
}

/* How many executions w may spend on minimizing one input now, if each is so much work. */
static uint64_t allowance(const struct cfz_worker *w, uint64_t work)
{
    uint64_t earned = w->work.mutated / SHRINK_SHARE + SHRINK_START;
    uint64_t left = earned > w->work.minimized ? (earned - w->work.minimized) / work : 0;

    if (left < SHRINK_LEAST)
        return 0;
    return left < w->minimize ? left : w->minimize;
}

/* Sets *work to what an execution of w->cur, which is in the slots, costs. It may be a million
 * times what its parent's does, as where a comparison of objects doubles with each level, so it is
 * executed once to be counted: minimizing it takes hundreds. */
static enum cfz_verdict weigh(struct cfz_worker *w, uint64_t *work)
{
    enum cfz_verdict verdict;
    uint64_t counted;

    if (cfz_trace_sites() == 0)
        return CFZ_VERDICT_PASS;
    cfz_worker_bump(&w->shm->tracing);
    verdict = cfz_worker_counted(w, &counted);
    cfz_counters_reset(); /* what it covers is known */
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, CFZ_LEAKS_SOON);
    if (counted > *work)
        *work = counted;
    return verdict;
}

/* What shrink did. */
struct shrunk {
    bool smaller; /* w->cur is smaller, and showed the bits twice */
    uint64_t ns;  /* ... and took so long */
    bool merged;  /* another worker's input has the bits: there is nothing to report */
};

/* Minimizes w->cur as far as it keeps w->seen.bits. If it returns FAIL, a candidate failed, and is
 * in the slots. */
static enum cfz_verdict shrink(struct cfz_worker *w, struct shrunk *done)
{
    uint64_t work = work_of(w), budget = 0, one = 1;
    uint64_t begun = atomic_load_explicit(&w->shm->minimizing, memory_order_relaxed);
    struct shrink s = {.w = w, .budget = &budget};

    if (allowance(w, work) > 0 && weigh(w, &work) == CFZ_VERDICT_FAIL)
        return CFZ_VERDICT_FAIL;
    budget = allowance(w, work);
    if (budget == 0)
        return CFZ_VERDICT_PASS;
    w->moved = true;
    cfz_lineage_add(&w->shm->lineage, CFZ_LINEAGE_MINIMIZE);
    cfz_seen_hold(&w->seen);
    cfz_minimize_quick(&w->cur, &budget, try_candidate, &s, w->room);
    if (s.verdict != CFZ_VERDICT_FAIL && s.accepted && !s.merged) {
        s.budget = &one;
        s.last = true;
        done->smaller = try_candidate(&s, &w->cur);
        done->ns = s.ns;
    }
    done->merged = s.merged;
    w->work.minimized +=
        (atomic_load_explicit(&w->shm->minimizing, memory_order_relaxed) - begun) * work;
    cfz_seen_unhold(&w->seen);
    return s.verdict;
}

/* ---- the story ------------------------------------------------------------------- */

enum cfz_verdict cfz_worker_interesting(struct cfz_worker *w, bool sync)
{
    enum cfz_verdict verdict, tried;
    struct cfz_record *r, *better;
    struct shrunk done = {false, 0, false};
    bool merged; /* another worker's input has the bits since */
    uint64_t ns;

    w->reported = false;
    if (cfz_executor_rejected(w->x))
        return CFZ_VERDICT_SKIP; /* its bits stay new for another input */
    cfz_worker_check_socket(w);  /* an input that closes it most often has new coverage */
    cfz_seen_hold(&w->seen);
    cfz_worker_bump(&w->shm->confirming);
    verdict = timed_run(w, &ns);
    cfz_counters_collect(&w->seen);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, CFZ_LEAKS_SOON);
    merged = cfz_seen_held_is_merged(&w->seen);
    if (cfz_seen_confirm(&w->seen) == 0 || verdict == CFZ_VERDICT_FAIL) {
        if (verdict != CFZ_VERDICT_FAIL && !merged)
            cfz_worker_bump(&w->shm->unstable);
        return verdict;
    }
    if (cfz_seen_has_first(&w->seen))
        w->search.counter_since = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    r = write_record(w, w->seen.unstable ? CFZ_RECORD_UNSTABLE : 0, ns);
    if (!r && sync) {
        cfz_worker_sync(w);
        r = write_record(w, w->seen.unstable ? CFZ_RECORD_UNSTABLE : 0, ns);
    }
    if (!r) {
        cfz_worker_hint(w);
        unlearn(&w->seen);
        return verdict;
    }
    cfz_outbox_leave_open(w->shm, r);
    tried = w->seen.unstable ? CFZ_VERDICT_PASS : shrink(w, &done);
    cfz_outbox_leave_open(w->shm, NULL);
    if (done.merged) /* without a commit r counts as not written */
        return tried == CFZ_VERDICT_FAIL ? tried : verdict;
    if (done.smaller) {
        better = write_record(w, 0, done.ns); /* over r: it is smaller, so there is room */
        r = better ? better : r;
    }
    cfz_outbox_commit(w->shm, r);
    w->reported = true;
    w->records_pending = true;
    w->grown_at = 0;
    if (!sync)
        cfz_worker_hint(w);
    return tried == CFZ_VERDICT_FAIL ? tried : verdict;
}
