/*
 * worker_fuzz.c - mutate, publish, execute, look at coverage: some million times a second.
 *
 * Invariants, for each execution:
 *   1. There is no system call, allocation, lock, clock or format conversion.
 *   2. The input lies in the slots before the target sees it, and stays there until the next one.
 *      Whatever happens, the driver can take it from there.
 *   3. The slots hold what w->cur has, except for values that are about to be published.
 *
 * A chain is one to CFZ_CHAIN executions. The first runs the entry with one mutation, and each
 * further one adds another mutation on top. Then the entry is restored. Only values that changed
 * are copied. A turn is some hundred executions of one entry, in chains: as many as take the time
 * of CFZ_TURN average ones. An entry so dear that a single chain takes much longer has fewer turns
 * instead.
 */
#define _GNU_SOURCE
#include "worker/worker_fuzz.h"

#include <string.h>
#include <sys/mman.h>

#include "search/mutators.h"
#include "core/deflate/stored.h"
#include "target/decompress.h"
#include "target/harness.h"
#include "target/leaks.h"
#include "worker/worker_approach.h"
#include "worker/worker_channel.h"
#include "worker/worker_custom.h"
#include "worker/worker_drift.h"
#include "worker/worker_entry.h"
#include "worker/worker_interesting.h"
#include "worker/worker_search.h"
#include "worker/worker_sentences.h"
#include "worker/worker_words.h"

enum {
    CFZ_TURN_LEAST = 25, /* executions of a turn, of slow entries; and of fast ones */
    CFZ_TURN_MOST = CFZ_TURN + CFZ_TURN / 2,
    CFZ_TURN_SOLVER = CFZ_TURN / 5, /* between two turns of the solver */
    CFZ_DEAR = 160,      /* times the average: the turn of an entry is one chain, if it has one */
    CFZ_DRIFT_DEAR = 16, /* times the average: what is executed between turns costs no more */
    CFZ_DEAR_MOST = 16,  /* dear entries that are passed over on end */
    CFZ_TURNS_TOLD = 64, /* after which the driver is told how often each mutation was used */
    CFZ_FRONTIER = 50,   /* of 100 turns, when no entry is without one. Tried: decision 058 */
    /* The length limit at first. It doubles after CFZ_LEN_GROW executions without an interesting
     * input. Guessed, both. */
    CFZ_LEN_START = 64,
    CFZ_LEN_GROW = 1 << 16,
    WRONG_STREAMS =
        16, /* once in so many mutations streams (core/deflate/stored.h) are left wrong */
};

static const uint64_t INVERSE = 1 << 24; /* of struct cfz_worker_work */

int cfz_worker_fuzz_map(struct cfz_worker *w, struct cfz_error *err)
{
    const struct cfz_test *t = w->x->test;

    w->cur.n = t->n;
    w->cur.cap = 0; /* not the heap's */
    for (size_t i = 0; i < t->n; i++) {
        struct cfz_value *v = &w->cur_v[i];

        v->kind = t->kinds[i];
        if (!cfz_kind_is_slot(v->kind))
            continue;
        v->data = mmap(NULL, CFZ_SLOT_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (v->data == MAP_FAILED)
            return cfz_fail_errno(err, "map a buffer for value %zu", i + 1);
        v->cap = cfz_slot_max(v->kind);
    }
    w->room = mmap(NULL, CFZ_SLOT_SIZE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (w->room == MAP_FAILED)
        return cfz_fail_errno(err, "map a buffer for candidates");
    /* Of what is in there the turn goes on, in the process that goes on after this one. */
    w->unpacked = mmap(NULL, CFZ_SLOT_SIZE, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (w->unpacked == MAP_FAILED)
        return cfz_fail_errno(err, "map a buffer for decompressed values");
    return cfz_schedule_map(&w->schedule, w->run, cfz_worker_search_arrivals(), err);
}

/*
 * The length limit starts small, since short inputs run fast and say most. It grows with
 * the corpus, and after a while without an interesting input.
 */
static void fit_length(struct cfz_worker *w, uint64_t max_len)
{
    uint64_t want = w->cmd.u.cmd.flags & CFZ_FUZZ_LONG ? max_len : w->mutator.max_len;

    if (want < CFZ_LEN_START)
        want = CFZ_LEN_START;
    if (want < 2 * w->schedule.longest)
        want = 2 * w->schedule.longest;
    if (w->grown_at >= CFZ_LEN_GROW) {
        w->grown_at = 0;
        want *= 2;
    }
    w->mutator.max_len = want < max_len ? want : max_len;
}

/* ---- the loop ----------------------------------------------------------------------- */

/* Counts the work of the turn that ends. What the search executes between turns counts itself. */
static void end_turn(struct cfz_worker *w)
{
    uint64_t mutated = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    uint64_t work = w->work.turning ? (mutated - w->work.turn_at) * w->work.entry : 0;

    w->work.mutated += work;
    w->search.mutation.cost += work;
    w->work.turning = false;
}

/* How many times the average an execution of the entry costs, at least 1. */
static uint64_t dearness(const struct cfz_worker *w, uint64_t entry)
{
    uint64_t times = cfz_worker_search_work(entry) * w->work.inverse / INVERSE;

    return times ? times : 1;
}

/* Begins the turn of an entry: as many executions as take the time of CFZ_TURN average ones; fewer
 * while the solver waits for its next turn. The mean is the harmonic one: however many slow entries
 * there are, the others set what is average. */
static void begin_turn(struct cfz_worker *w, uint64_t entry)
{
    struct cfz_worker_work *k = &w->work;
    bool first = k->inverse == 0; /* what is average is not known */
    uint64_t n;

    k->entry = cfz_worker_search_work(entry);
    k->inverse =
        k->inverse ? k->inverse - k->inverse / 16 + INVERSE / 16 / k->entry : INVERSE / k->entry;
    n = (cfz_worker_search_due(w) ? CFZ_TURN_SOLVER : CFZ_TURN) * INVERSE / k->entry;
    n /= k->inverse ? k->inverse : 1;
    n = n < CFZ_TURN_LEAST ? CFZ_TURN_LEAST : n > CFZ_TURN_MOST ? CFZ_TURN_MOST : n;
    if (first)
        n = CFZ_TURN_LEAST;
    if (dearness(w, entry) > CFZ_DEAR)
        n = CFZ_CHAIN;
    w->turn_left = n;
    k->turn_at = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    k->turning = true;
}

/* Draws how long the next chain is: half of them are a single mutation, a quarter two, and so on
 * (docs/decisions/124). */
static uint64_t draw_chain(struct cfz_worker *w)
{
    const uint32_t deepest = 1u << (CFZ_CHAIN - 1);
    const uint64_t n = 1 + (uint64_t)__builtin_ctz(cfz_rand_u32(&w->mutator.rand) | deepest);

    return n < w->turn_left ? n : w->turn_left;
}

/* Value i was mutated: most often its streams are written anew. The next mutation may have made
 * others. */
static void keep_streams(struct cfz_worker *w, size_t i)
{
    if (cfz_rand_below(&w->mutator.rand, WRONG_STREAMS) > 0)
        cfz_stored_keep_in(&w->stored, (uint32_t)i, w->cur.v[i].data, w->cur.v[i].len);
    cfz_stored_find(&w->stored, &w->cur);
}

/* One without a turn so far, one at the frontier, or the next of all, or of the favoured ones where
 * the driver wants that. False if none may be mutated. */
static bool propose(struct cfz_worker *w, uint64_t *entry)
{
    if (w->schedule.nfresh == 0 && cfz_rand_below(&w->mutator.rand, 100) < CFZ_FRONTIER &&
        cfz_worker_search_frontier(w, entry) && cfz_schedule_may(&w->schedule, *entry))
        return true;
    if (w->schedule.nfresh == 0 && w->cmd.u.cmd.flags & CFZ_FUZZ_FAVOURED &&
        cfz_worker_search_favoured(w, entry) && cfz_schedule_may(&w->schedule, *entry))
        return true;
    return cfz_schedule_next(&w->schedule, entry);
}

/* Chooses the entry of the next turn. A dear one has its turn the more seldom the dearer it is, so
 * that in the long run it takes no more time than two others: where an execution takes a second,
 * turns of some executions each would be all that happens. False if none may be mutated. */
static bool choose(struct cfz_worker *w, uint64_t *entry)
{
    for (unsigned i = 0; propose(w, entry); i++) {
        uint64_t times = dearness(w, *entry);

        times = times < UINT32_MAX ? times : UINT32_MAX;
        if (times <= CFZ_DEAR || i == CFZ_DEAR_MOST ||
            cfz_rand_below(&w->mutator.rand, (uint32_t)times) < CFZ_DEAR)
            return true;
    }
    return false;
}

/*
 * Takes the entry of the next turn, and has the first stage for it if it had none. An entry for
 * which that found something waits until what was found had its first stage, too: of comparisons
 * that wait behind each other each is passed a few executions after the one before. False if no
 * entry may be mutated.
 */
static bool take(struct cfz_worker *w, uint64_t *entry, enum cfz_verdict *verdict)
{
    uint64_t news;

    do {
        cfz_worker_take_entry(w, *entry);
        w->arriving = *entry + 1;
        news = w->search.search.nnews;
        *verdict = cfz_worker_search_arrived(w, *entry);
        if (*verdict == CFZ_VERDICT_FAIL || w->search.search.nnews == news)
            return true;
        cfz_schedule_again(&w->schedule, *entry);
        if (w->records_pending)
            cfz_worker_sync(w);
        cfz_schedule_refresh(&w->schedule);
    } while (choose(w, entry));
    return false;
}

/* Takes the entry of the next turn. Before that the search may have turns of its own: *verdict is
 * FAIL if the test failed in one. Returns false if no entry may be mutated, or the program is not
 * what it was any more. */
static bool next_turn(struct cfz_worker *w, const struct cfz_msg *cmd, bool refresh,
                      enum cfz_verdict *verdict)
{
    uint64_t entry;

    end_turn(w);
    atomic_store_explicit(&w->hurry, false, memory_order_relaxed);
    cfz_fpmode_restore(&w->x->fpmode);
    cfz_leaks_settle(w->x, CFZ_LEAKS_LATER);
    if (refresh)
        cfz_schedule_refresh(&w->schedule);
    if (__builtin_expect(cfz_worker_search_asked(w), 0))
        cfz_worker_search_tell(w);
    *verdict = CFZ_VERDICT_PASS;
    if (cfz_worker_search_due(w)) {
        *verdict = cfz_worker_search_turn(w);
        if (*verdict == CFZ_VERDICT_FAIL)
            return true;
        /* What it found is an entry before the next turn: the solver goes on from there. */
        if (w->records_pending)
            cfz_worker_sync(w);
        cfz_schedule_refresh(&w->schedule);
    }
    if (!choose(w, &entry))
        return false;
    *verdict = cfz_worker_drift_look(w, entry, dearness(w, entry) > CFZ_DRIFT_DEAR);
    if (*verdict == CFZ_VERDICT_FAIL)
        return true;
    if (w->drift.found) {
        cfz_worker_search_reopen(w);
        return false;
    }
    fit_length(w, cmd->u.cmd.max_len);
    cfz_mutate_turn(&w->mutator);
    if (w->learning.turns % CFZ_TURNS_TOLD == 0)
        cfz_learning_uses(&w->learning, w->shm->mutation_uses);
    cfz_worker_words_turn(w);
    cfz_worker_custom_turn(w);
    *verdict = cfz_worker_approach(w);
    if (*verdict == CFZ_VERDICT_FAIL)
        return true;
    *verdict = cfz_worker_sentences(w);
    if (*verdict == CFZ_VERDICT_FAIL)
        return true;
    if (!take(w, &entry, verdict))
        return false;
    if (*verdict != CFZ_VERDICT_FAIL)
        *verdict = cfz_worker_search_mend(w, entry);
    w->arriving = 0;
    begin_turn(w, entry);
    if (w->stored.on && cfz_rand_bool(&w->mutator.rand))
        cfz_worker_decompress(w);
    return true;
}

/* Begins w->cmd. */
static void begin(struct cfz_worker *w)
{
    const struct cfz_msg *cmd = &w->cmd;

    if (cmd->u.cmd.seed != UINT64_MAX || !w->seeded) {
        cfz_rand_init(&w->mutator.rand, cmd->u.cmd.seed, cmd->u.cmd.k);
        w->mutator.next = NULL;
        w->seeded = true;
    }
    w->minimize = cmd->u.cmd.minimize;
    if (!w->mutator.learning) {
        cfz_learning_init(&w->learning);
        w->learning.lineage = &w->shm->lineage;
        w->mutator.learning = &w->learning;
        w->mutator.run = w->run;
        cfz_worker_custom_begin(w);
        w->stored.on = !cfz_harness_mutator() && cfz_decompresses(w->shm);
        if (w->stored.on)
            cfz_learning_add(&w->learning, cfz_stored_mutations, CFZ_STORED_MUTATIONS);
        cfz_learning_names(&w->learning, w->shm->mutations);
    }
    w->learning.uniform = cmd->u.cmd.flags & CFZ_FUZZ_UNIFORM;
    w->begun = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    cfz_worker_words_begin(w);
    cfz_worker_search_begin(w);
    cfz_counters_reset();
}

/* Goes on after a crash, or after an execution that was cut short: it ended the chain, or the
 * minimizing, that it broke into. A turn is as long as others in time, so it loses what was cut. */
static void resume(struct cfz_worker *w)
{
    cfz_worker_words_over(w); /* a known crash says nothing new of a word */
    if (cfz_outbox_salvage(w->shm)) {
        w->records_pending = true;
        if (w->cmd.u.cmd.sync == 0)
            cfz_worker_hint(w);
    }
    w->mutator.other = NULL; /* of the other process */
    cfz_worker_search_cut(w);
    w->turn_left -= w->worth < w->turn_left ? w->worth : w->turn_left;
    if (w->arriving) { /* it broke into what comes before the turn of that entry */
        cfz_worker_take_entry(w, w->arriving - 1);
        begin_turn(w, w->arriving - 1);
        w->arriving = 0;
    }
    w->moved = false;
    w->seen.nheld = 0;
    cfz_worker_search_begin(w);
}

/* Executes again the suspects (target/leaks.h) of a process that died, and asks whether they leak.
 * Stops at an input that fails, which is in the slots then. */
static enum cfz_verdict ask_again(struct cfz_worker *w)
{
    enum cfz_verdict verdict = CFZ_VERDICT_PASS;

    cfz_mutate_chain(&w->mutator); /* how they were made is forgotten */
    while (verdict != CFZ_VERDICT_FAIL && cfz_leaks_next(w->x)) {
        cfz_worker_bump(&w->shm->confirming);
        verdict = cfz_executor_run(w->x);
        cfz_leaks_again(verdict);
    }
    cfz_counters_reset(); /* what they covered has been looked at */
    if (verdict != CFZ_VERDICT_FAIL)
        cfz_leaks_settle(w->x, CFZ_LEAKS_NOW);
    return verdict;
}

enum cfz_verdict cfz_worker_fuzz(struct cfz_worker *w, uint64_t *mutated)
{
    const struct cfz_msg *cmd = &w->cmd;
    const uint64_t limit = cmd->u.cmd.limit ? cmd->u.cmd.limit : UINT64_MAX;
    const uint64_t sync = cmd->u.cmd.sync;
    const bool ascii = cmd->u.cmd.flags & CFZ_FUZZ_ASCII;
    uint64_t all = w->cur.n == 64 ? UINT64_MAX : ((uint64_t)1 << w->cur.n) - 1;
    uint64_t changed = 0, stale = all; /* bit i: value i differs from the entry, or from its slot */
    uint64_t next_sync = UINT64_MAX, chain = 0, done = 0;
    enum cfz_verdict verdict = CFZ_VERDICT_PASS;

    cfz_worker_custom_attach(w);
    if (w->resumed) {
        cfz_leaks_resume();
        resume(w);
        done = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed) - w->begun;
        changed = all;
    } else {
        cfz_leaks_begin();
        begin(w);
        if (!next_turn(w, cmd, true, &verdict))
            goto out;
        done = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed) - w->begun;
        if (verdict == CFZ_VERDICT_FAIL)
            goto out;
    }
    if (sync != 0)
        next_sync = (done / sync + 1) * sync;

    while (done < limit && !cfz_worker_stopped(w)) {
        size_t i;
        bool interesting;

        if (chain == 0) {
            cfz_worker_words_over(w);
            for (; changed; changed &= changed - 1) {
                i = (size_t)__builtin_ctzll(changed);
                cfz_worker_restore(w, i);
                stale |= (uint64_t)1 << i;
            }
            if (__builtin_expect(w->turn_left == 0 ||
                                     atomic_load_explicit(&w->hurry, memory_order_relaxed),
                                 0)) {
                if (cfz_leaks_due(CFZ_LEAKS_LATER)) {
                    verdict = ask_again(w);
                    if (verdict == CFZ_VERDICT_FAIL)
                        goto out;
                }
                /* With sync the corpus changes at sync points only. */
                if (!next_turn(w, cmd, sync == 0, &verdict))
                    goto out;
                done = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed) - w->begun;
                if (verdict == CFZ_VERDICT_FAIL)
                    goto out;
                if (sync != 0)
                    next_sync = (done / sync + 1) * sync;
                stale = all;
                if (done >= limit)
                    break;
            }
            chain = draw_chain(w);
            cfz_mutate_chain(&w->mutator);
            if (__builtin_expect(w->stored.on, 0))
                cfz_stored_find(&w->stored, &w->cur);
        }
        i = cfz_mutate(&w->mutator, &w->cur);
        changed |= (uint64_t)1 << i;
        stale |= (uint64_t)1 << i;
        if (__builtin_expect(w->stored.on, 0))
            keep_streams(w, i);
        if (__builtin_expect(ascii, 0)) {
            cfz_worker_make_ascii(w);
            changed = stale = all;
        }
        for (; stale; stale &= stale - 1)
            cfz_worker_publish(w, (size_t)__builtin_ctzll(stale));

        cfz_mutate_choose(&w->mutator, &w->cur); /* well before cfz_mutate, see there */

        chain--;
        done++;
        w->turn_left--;
        w->grown_at++;
        cfz_worker_bump(&w->shm->mutated);
        verdict = cfz_executor_run(w->x);
        if (__builtin_expect(cfz_counters_late(), 0))
            cfz_worker_prepare(w);
        interesting = cfz_counters_collect(&w->seen) != 0;
        /* Before the input is reported, so that no input that leaks gets into the corpus. */
        if (__builtin_expect(cfz_leaks_suspect(), 0))
            cfz_leaks_look(w->x, verdict, interesting ? CFZ_LEAKS_SOON : CFZ_LEAKS_LATER);
        if (__builtin_expect(interesting, 0) && verdict != CFZ_VERDICT_FAIL) {
            cfz_worker_search_mutated(w);
            cfz_mutate_credit(&w->mutator);
            cfz_worker_words_close(w);
            verdict = cfz_worker_interesting(w, sync != 0);
            cfz_worker_words_helped(w);
            if (w->moved) { /* the chain is over */
                w->moved = false;
                chain = 0;
                changed = all;
            }
        }
        if (__builtin_expect(verdict != CFZ_VERDICT_PASS, 0)) {
            if (verdict == CFZ_VERDICT_FAIL)
                goto out;
            cfz_worker_bump(&w->shm->skipped);
        }
        if (__builtin_expect(done == next_sync, 0)) {
            next_sync += sync;
            if (w->records_pending) {
                cfz_worker_sync(w);
                cfz_schedule_refresh(&w->schedule);
            }
        }
    }
    verdict = CFZ_VERDICT_PASS;
    cfz_worker_words_over(w);
    if (cfz_leaks_due(CFZ_LEAKS_SOON) && !cfz_worker_stopped(w))
        verdict = ask_again(w);
out:
    if (verdict != CFZ_VERDICT_FAIL)
        cfz_leaks_settle(w->x, CFZ_LEAKS_SOON);
    else
        cfz_worker_words_failed(w);
    cfz_worker_words_over(w);
    cfz_learning_uses(&w->learning, w->shm->mutation_uses);
    cfz_worker_search_tell(w);
    w->records_pending = false; /* the driver empties the outbox before it looks at RESULT */
    *mutated = done;
    return verdict == CFZ_VERDICT_FAIL ? verdict : CFZ_VERDICT_PASS;
}
