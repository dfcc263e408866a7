/*
 * worker_interesting.c - an execution brought new coverage: confirm it, make the input
 * smaller, tell the driver.
 *
 *     cfz_news --again--> nothing repeats: counted, forgotten
 *                    \--> a part repeats: reported, marked unstable
 *                     \-> all repeats: --shrink--> reported
 *                                             \--> the driver has it from another
 *                                                  worker by now: forgotten
 *
 *   1. What is reported was seen twice, and by the very input that is reported: a
 *      smaller one is executed again before it takes the place of the first.
 *   2. Limits are counts of executions, so that a run repeats.
 *   3. A candidate lies in the slots before it is executed, as any input: when it
 *      fails or kills the process, the driver finds it there.
 *   4. What was seen twice is in the outbox before a candidate is executed: when a candidate
 *      kills the process, the find is not lost with it (cfz_outbox_salvage).
 *   5. Nothing is allocated.
 */
#define _GNU_SOURCE
#include <string.h>

#include "core/minimizer.h"
#include "target/leaks.h"
#include "server/worker.h"

enum {
    /*
     * Making finds smaller takes at most this share of a worker's executions, and a fixed
     * number to begin with, when finds come in masses. Guessed: small beside what shorter
     * entries save later.
     */
    SHRINK_SHARE = 8,
    SHRINK_START = 1024,
    SHRINK_LEAST = 8, /* with fewer executions left it is not worth beginning */
};

/* ---- telling ------------------------------------------------------------------- */

/* A hint that records wait. The socket may be full of such hints: then one more says nothing. */
static void hint(struct cfz_worker *w)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_RECORDS);
    (void)cfz_msg_send(w->sock, &m, NULL, 0, NULL);
}

void cfz_news_sync(struct cfz_worker *w)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_RECORDS);
    cfz_worker_send(w, &m);
    do
        cfz_worker_recv(w, &m);
    while (m.type != CFZ_MSG_ACK);
    w->news_pending = false;
}

/* Forgets bits again, so that they can be found another time. */
static void unlearn(struct cfz_seen *s)
{
    for (size_t i = 0; i < s->nbits; i++)
        s->own[s->bits[i].index] &= (uint8_t)~s->bits[i].bits;
}

/* Writes a record of w->cur and w->seen.bits, to be committed later; NULL without room. */
static struct cfz_record *write_record(struct cfz_worker *w, unsigned flags)
{
    size_t packed = cfz_values_packed_size(&w->cur), bits = w->seen.nbits * sizeof *w->seen.bits;
    size_t size = (sizeof(struct cfz_record) + bits + packed + 15) & ~(size_t)15;
    struct cfz_record *r = cfz_outbox_reserve(w->shm, size);

    if (!r)
        return NULL;
    r->type = CFZ_RECORD_INTERESTING;
    r->flags = (uint16_t)flags;
    r->nbits = (uint32_t)w->seen.nbits;
    r->size = size;
    r->packed = packed;
    r->entry = w->shm->parent;
    r->exec = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    r->ns = 0;
    memcpy(r + 1, w->seen.bits, bits);
    cfz_values_pack(&w->cur, (uint8_t *)(r + 1) + bits);
    return r;
}

/* ---- making it smaller ------------------------------------------------------------ */

struct shrink {
    struct cfz_worker *w; /* seen.held: the bits to keep */
    uint64_t *budget;
    bool accepted; /* some candidate was */
    bool last;     /* the next one is what has been accepted, once more */
    bool known;    /* the mask has all bits to keep: another worker found them too */
    enum cfz_verdict verdict;
};

/* Executes a candidate, which is w->cur; whether it has all bits to keep. */
static bool try_candidate(void *ctx, const struct cfz_values *cand)
{
    struct shrink *s = ctx;
    struct cfz_worker *w = s->w;

    for (size_t i = 0; i < cand->n; i++)
        cfz_publish(w, i);
    cfz_bump(&w->shm->minimizing);
    s->verdict = cfz_executor_run(w->x);
    cfz_counters_collect_all(&w->seen);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, s->verdict, s->last ? CFZ_LEAKS_SOON : CFZ_LEAKS_LATER);
    s->known = cfz_seen_held_is_known(&w->seen);
    if (s->verdict == CFZ_VERDICT_FAIL || s->known ||
        atomic_load_explicit(&w->shm->stop, memory_order_relaxed)) {
        *s->budget = 0;
        return false;
    }
    if (!cfz_seen_has_held(&w->seen))
        return false;
    s->accepted = true;
    return true;
}

/* How many executions w may spend on one find now. */
static uint64_t allowance(const struct cfz_worker *w)
{
    uint64_t earned =
        atomic_load_explicit(&w->shm->mutated, memory_order_relaxed) / SHRINK_SHARE + SHRINK_START;
    uint64_t spent = atomic_load_explicit(&w->shm->minimizing, memory_order_relaxed);
    uint64_t left = earned > spent ? earned - spent : 0;

    if (left < SHRINK_LEAST)
        return 0;
    return left < w->minimize ? left : w->minimize;
}

/* What shrink did. */
struct shrunk {
    bool smaller; /* w->cur, and it showed the bits twice */
    bool known;   /* the bits are no news any more */
};

/* Makes w->cur smaller while it keeps w->seen.bits. FAIL: a candidate failed, and is in the slots.
 */
static enum cfz_verdict shrink(struct cfz_worker *w, struct shrunk *done)
{
    uint64_t budget = allowance(w), one = 1;
    struct shrink s = {.w = w, .budget = &budget};

    if (budget == 0)
        return CFZ_VERDICT_PASS;
    w->moved = true;
    cfz_seen_hold(&w->seen);
    cfz_minimize_quick(&w->cur, &budget, try_candidate, &s, w->room);
    if (s.verdict != CFZ_VERDICT_FAIL && s.accepted && !s.known) {
        s.budget = &one;
        s.last = true;
        done->smaller = try_candidate(&s, &w->cur);
    }
    done->known = s.known;
    cfz_seen_unhold(&w->seen);
    return s.verdict;
}

/* ---- news ------------------------------------------------------------------------ */

enum cfz_verdict cfz_news(struct cfz_worker *w, bool sync)
{
    enum cfz_verdict verdict, tried;
    struct cfz_record *r, *better;
    struct shrunk done = {false, false};

    cfz_worker_check_socket(w); /* what closes it has most often done nothing like it before */
    cfz_seen_hold(&w->seen);
    cfz_bump(&w->shm->confirming);
    verdict = cfz_executor_run(w->x);
    cfz_counters_collect(&w->seen);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, CFZ_LEAKS_SOON);
    if (cfz_seen_confirm(&w->seen) == 0 || verdict == CFZ_VERDICT_FAIL) {
        if (verdict != CFZ_VERDICT_FAIL)
            cfz_bump(&w->shm->unstable);
        return verdict;
    }
    r = write_record(w, w->seen.unstable ? CFZ_RECORD_UNSTABLE : 0);
    if (!r && sync) {
        cfz_news_sync(w);
        r = write_record(w, w->seen.unstable ? CFZ_RECORD_UNSTABLE : 0);
    }
    if (!r) {
        hint(w);
        unlearn(&w->seen);
        return verdict;
    }
    cfz_outbox_leave_open(w->shm, r);
    tried = w->seen.unstable ? CFZ_VERDICT_PASS : shrink(w, &done);
    cfz_outbox_leave_open(w->shm, NULL);
    if (done.known) /* r is not committed: as if it had not been written */
        return tried == CFZ_VERDICT_FAIL ? tried : verdict;
    if (done.smaller) {
        better = write_record(w, 0); /* in the place of r: smaller, so there is room */
        r = better ? better : r;
    }
    cfz_outbox_commit(w->shm, r);
    w->news_pending = true;
    w->grown_at = 0;
    if (!sync)
        hint(w);
    return tried == CFZ_VERDICT_FAIL ? tried : verdict;
}
