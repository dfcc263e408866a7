/*
 * worker_search.c - gives the two stages of the search their executions.
 *
 *     entry --arrived--> traced, copies --> mutated in turns --nothing new for a while--> solver
 *
 * Some turns of mutation are executed here, too: mended ones (solver/mend.h).
 *
 * Invariants:
 *   1. An entry arrives once in a run, at whichever worker comes first.
 *   2. All decisions are made from counts, so that a run repeats.
 *   3. Turns have the share of the work that they earn (worker_shares.h), beyond a grant at the
 *      beginning, when nothing is known of either. What the solver does at urgent goals
 *      (search/urgent.h) is counted apart.
 */
#define _GNU_SOURCE
#include "worker/worker_search.h"

#include <string.h>

#include "coverage/parser_states.h"
#include "coverage/prelude.h"
#include "self/shared.h"
#include "search/frontier.h"
#include "search/goals_keep.h"
#include "solver/follow.h"
#include "solver/mend.h"
#include "solver/sentences.h"
#include "search/nearest.h"
#include "search/obstacles.h"
#include "solver/solver.h"
#include "worker/worker_channel.h"
#include "worker/worker_entry.h"
#include "worker/worker_interesting.h"
#include "worker/worker_shares.h"
#include "worker/worker_traced.h"
#include "worker/worker_words.h"
#include "target/harness.h"
#include "target/leaks.h"

/* Guessed, all, and tried on targets that docs/performance.md names. */
enum {
    GRANT = 1 << 18,    /* work that each stage may do in any case; the solver's of all workers */
    COPIES_MOST = 2000, /* candidates of the first stage for an entry */
    COPIES_LEAST = 16,  /* with fewer it is not worth beginning */
    COPIES_SHARE = 16,  /* its part of the work of random mutation, beyond the grant */
    SOLVER_MOST =
        1 << 20,   /* work of changing each byte of an entry once, for the solver to take it */
    QUIET = 20000, /* mutated executions without anything new before its turn, after the grant */
    URGENT_GRANT = 1 << 16, /* work at urgent goals in any case */
    URGENT_SHARE = 16,      /* of 1024 of that of random mutation, beyond the grant */
    URGENT_PROBES = 4, /* work of one, for each byte of the input and the work of executing it */
    MENDED_LEAST = 48, /* of 1024, for mended turns, and while they bring nothing */
    MENDED_MOST = 512,
    MENDED_GRANT = 1 << 12, /* work of them in any case */
    MENDED_TURN =
        1 << 17,        /* work of a turn, about; an entry of which a chain costs more has none */
    MENDED_CHAINS = 20, /* of a turn, at most */
    SAMPLE = 16,        /* entries of which one is chosen */
    LONG_ROUNDS =
        8, /* turns that an entry above CFZ_IMAGE_SHORT is taken to have had: it takes long */
    SPOILERS = 4096, /* entries that are remembered */
    DEATHS = 200,    /* of workers with a guard, of inputs made of an entry: what the search was at
                      * begins again without what was deadly */
    DEATHS_LOST = 4, /* of workers that the driver had to replace: the entry is left alone then */
};

/* Why the solver leaves an entry alone. */
enum left {
    LEFT_NOT,
    LEFT_TRACED,  /* it is being traced; or that ended the process, which it does not do otherwise;
                     or it led to an input on which the target wrote over what workers share */
    LEFT_ERRATIC, /* when it is traced it does something else, always */
    LEFT_LOST,    /* workers died of inputs made of it, again and again, and had no guard or hung */
};

/* What the workers of a test share. */
struct shared {
    _Atomic uint32_t work[CFZ_ENTRIES_MAX]; /* of an execution; 0: not known */
    _Atomic uint8_t arrived[CFZ_ENTRIES_MAX];
    _Atomic uint8_t rounds[CFZ_ENTRIES_MAX]; /* turns of the solver that an entry had */
    _Atomic uint8_t left[CFZ_ENTRIES_MAX];   /* enum left */
    _Atomic uint8_t
        died[CFZ_ENTRIES_MAX]; /* workers, of inputs that the search made of an entry; */
    _Atomic uint8_t lost[CFZ_ENTRIES_MAX]; /* ... those that the driver had to replace */
    _Atomic uint8_t recalled;              /* what earlier runs knew is among the goals */
    _Atomic uint64_t solved;               /* work of the solver, until it is the grant */
};

static struct cfz_goals *goals;
static struct shared *shared;
static struct cfz_frontier frontier;
static uint32_t spoilers[SPOILERS]; /* in the host, as in cfz_worker_search_renew; the last ones */
static size_t nspoilers;
static uint64_t mark; /* of the program (goals_keep.h), with nmarked sites */
static uint32_t nmarked;

int cfz_worker_search_map(struct cfz_error *err)
{
    if (cfz_trace_sites() == 0)
        return 0;
    shared = cfz_shared_map(sizeof *shared, "the search", err);
    if (!shared)
        return -1;
    if (cfz_trace_map(err) < 0 || cfz_solver_map(err) < 0 || cfz_nearest_map(err) < 0 ||
        cfz_prelude_map(err) < 0 || (cfz_parser_states_any() && cfz_sentences_map(err) < 0))
        return -1;
    mark = cfz_goals_mark();
    nmarked = cfz_trace_sites();
    if (cfz_frontier_map(&frontier, cfz_counters_total(), err) < 0)
        return -1;
    return cfz_goals_map(&goals, err);
}

int cfz_worker_search_renew(uint32_t spoiler, struct cfz_error *err)
{
    if (!shared)
        return 0;
    if (cfz_shared_renew(shared, sizeof *shared, err) < 0 ||
        cfz_frontier_renew(&frontier, err) < 0 || cfz_goals_renew(goals, err) < 0)
        return -1;
    if (spoiler > 0 && spoiler <= CFZ_ENTRIES_MAX)
        spoilers[nspoilers++ % SPOILERS] = spoiler - 1;
    for (size_t i = 0; i < nspoilers && i < SPOILERS; i++) {
        shared->arrived[spoilers[i]] = 1;
        shared->left[spoilers[i]] = LEFT_TRACED;
    }
    return 0;
}

const _Atomic uint8_t *cfz_worker_search_arrivals(void)
{
    return shared ? shared->arrived : NULL;
}

/* ---- one execution -------------------------------------------------------------- */

static uint64_t done(const struct cfz_worker *w)
{
    return atomic_load_explicit(&w->shm->mutated, memory_order_relaxed) - w->begun;
}

/* The trace of the entry that w works on begins. */
static void entry_begins(const struct cfz_worker *w)
{
    uint8_t none = LEFT_NOT;

    if (w->search.entry != UINT64_MAX)
        atomic_compare_exchange_strong(&shared->left[w->search.entry], &none, LEFT_TRACED);
}

/* It ended, and the process lives. */
static void entry_ended(const struct cfz_worker *w)
{
    uint8_t traced = LEFT_TRACED;

    if (w->search.entry != UINT64_MAX)
        atomic_compare_exchange_strong(&shared->left[w->search.entry], &traced, LEFT_NOT);
}

static enum cfz_ran run(void *ctx, bool traced, enum cfz_ran_as as)
{
    struct cfz_worker *w = ctx;
    const uint64_t limit = w->cmd.u.cmd.limit, sync = w->cmd.u.cmd.sync;
    bool interesting;
    enum cfz_verdict verdict;

    if ((limit != 0 && done(w) >= limit) || cfz_worker_stopped(w))
        return CFZ_RAN_OVER;
    if (!w->search.mutates)
        w->shm->lineage.n = 0;
    if (as == CFZ_RAN_AS_MUTATED) {
        if (!w->search.mutates)
            cfz_lineage_add(&w->shm->lineage, w->search.stage);
        if (w->cmd.u.cmd.flags & CFZ_FUZZ_ASCII)
            cfz_worker_make_ascii(w);
    }
    for (size_t i = 0; i < w->cur.n; i++)
        cfz_worker_publish(w, i);
    cfz_worker_bump(as == CFZ_RAN_AS_ENTRY ? &w->shm->tracing : &w->shm->mutated);
    if (as == CFZ_RAN_AS_ENTRY)
        entry_begins(w);
    cfz_fpmode_restore(&w->x->fpmode); /* a turn of the solver may be long */
    verdict = traced ? cfz_worker_traced(w) : cfz_executor_run(w->x);
    if (w->search.search.tells)
        w->search.search.states = cfz_parser_states();
    if (__builtin_expect(cfz_counters_late(), 0))
        cfz_worker_prepare(w);
    interesting = cfz_counters_collect(&w->seen) != 0;
    if (as == CFZ_RAN_AS_ENTRY && verdict != CFZ_VERDICT_FAIL)
        entry_ended(w);
    if (__builtin_expect(cfz_leaks_suspect(), 0))
        cfz_leaks_look(w->x, verdict, interesting ? CFZ_LEAKS_SOON : CFZ_LEAKS_LATER);
    if (interesting && verdict != CFZ_VERDICT_FAIL) {
        if (w->search.mutates) {
            cfz_mutate_credit(&w->mutator);
            cfz_worker_words_close(w);
        }
        verdict = cfz_worker_interesting(w, sync != 0);
        if (w->search.mutates)
            cfz_worker_words_helped(w);
        w->moved = false;
        w->search.quiet_since = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    }
    if (verdict == CFZ_VERDICT_FAIL) {
        w->search.failed = true;
        return CFZ_RAN_OVER;
    }
    if (verdict == CFZ_VERDICT_SKIP && as == CFZ_RAN_AS_MUTATED)
        cfz_worker_bump(&w->shm->skipped);
    if (sync != 0 && as == CFZ_RAN_AS_MUTATED && done(w) % sync == 0 && w->records_pending) {
        cfz_worker_sync(w);
        cfz_schedule_refresh(&w->schedule);
    }
    return interesting ? CFZ_RAN_NEWS : CFZ_RAN;
}

/* Counts for the driver the comparisons that were found to be erratic. */
static void tell_erratic(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;

    atomic_fetch_add_explicit(&w->shm->erratic_sites, s->search.nerratic - s->told_erratic,
                              memory_order_relaxed);
    s->told_erratic = s->search.nerratic;
}

/* What a worker with a guard notes of what it executes; NULL for one without. */
static struct cfz_under_way *under_way(const struct cfz_worker_search *s)
{
    return s->note > 0 ? cfz_deadly_note(&goals->deadly, s->note - 1) : NULL;
}

/* A worker died in a turn of the solver on that entry, and the driver had to begin another one. */
static void entry_lost(uint32_t entry)
{
    uint8_t none = LEFT_NOT;

    if (entry < CFZ_ENTRIES_MAX &&
        atomic_fetch_add_explicit(&shared->lost[entry], 1, memory_order_relaxed) + 1 >= DEATHS_LOST)
        atomic_compare_exchange_strong(&shared->left[entry], &none, LEFT_LOST);
}

void cfz_worker_search_begin(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;

    if (s->on)
        tell_erratic(w); /* before they are forgotten */
    s->told_erratic = 0;
    s->on = goals != NULL && w->cmd.u.cmd.search != 0;
    s->mutates = false; /* a process that died may have been at it */
    s->turn = CFZ_SEARCH_NO_TURN;
    if (!s->on)
        return;
    if (w->guarded && s->note == 0)
        s->note = 1 + cfz_deadly_begin(&goals->deadly, entry_lost);
    s->search = (struct cfz_search){.goals = goals,
                                    .under_way = under_way(s),
                                    .words = w->words.table,
                                    .seen = &w->seen,
                                    .rand = &w->mutator.rand,
                                    .cur = &w->cur,
                                    .max_len = w->cmd.u.cmd.max_len,
                                    .run = run,
                                    .ctx = w,
                                    .stored = {.on = w->stored.on}};
    s->failed = false;
    if (atomic_exchange_explicit(&shared->recalled, 1, memory_order_relaxed) == 0)
        cfz_goals_recall(goals, mark, cfz_run_goals(w->run), w->run->goals_len);
}

/* Writes what is known of goals into the outbox, for the next run. Without room it is left to
 * whoever is asked next. Sites of libraries that were loaded later may have other numbers then. */
static void keep_goals(struct cfz_worker *w)
{
    const size_t size = sizeof(struct cfz_record) + CFZ_GOALS_SIZE_MAX;
    struct cfz_record *r;

    if (cfz_trace_sites() != nmarked)
        return;
    r = cfz_outbox_reserve(w->shm, size);
    if (!r)
        return;
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_GOALS;
    r->packed = cfz_goals_keep(goals, mark, (uint8_t *)(r + 1), CFZ_GOALS_SIZE_MAX);
    r->size = (sizeof *r + r->packed + 15) & ~(uint64_t)15;
    if (r->packed > 0)
        cfz_outbox_commit(w->shm, r);
}

/* ---- turns ---------------------------------------------------------------------------- */

/* Adds what a turn of the solver cost and brought. */
static void account(struct cfz_worker_search *s, uint64_t cost, uint64_t news)
{
    bool granted = cfz_worker_search_granted();

    if (granted)
        atomic_fetch_add_explicit(&shared->solved, cfz_shares_patient(s, cost),
                                  memory_order_relaxed);
    s->cost_vain = news > 0 ? 0 : s->cost_vain + cfz_shares_patient(s, cost);
    cfz_shares_spend(s, &s->solver, cost, news, granted);
}

/* The same of a mended turn. */
static void account_mended(struct cfz_worker_search *s, uint64_t cost, uint64_t news)
{
    s->mended_vain = news > 0 ? 0 : s->mended_vain + cfz_shares_patient(s, cost);
    cfz_shares_spend(s, &s->mending, cost, news, false);
}

/* The same of an approach, or of a turn of worker_sentences.c. */
static void account_turn(struct cfz_worker_search *s, uint64_t cost, uint64_t news)
{
    const bool approach = s->turn == CFZ_SEARCH_APPROACH;

    *(approach ? &s->approach_ever : &s->sentences_ever) += cost;
    cfz_shares_spend(s, approach ? &s->approach : &s->sentences, cost, news, false);
}

void cfz_worker_search_begin_turn(struct cfz_worker_search *s, enum cfz_search_turn turn)
{
    s->turn = turn;
    s->turn_cost = s->search.cost;
    s->turn_news = s->search.nnews;
}

/* Adds one to a count of an entry. Returns whether it was below most. */
static bool count_up(_Atomic uint8_t *n, uint8_t most)
{
    if (atomic_load_explicit(n, memory_order_relaxed) >= most)
        return false;
    atomic_fetch_add_explicit(n, 1, memory_order_relaxed);
    return true;
}

/* The process before this one died of an input of the search, which is not executed again: what it
 * was at begins once more, so often. Not where the execution was only cut short, for it was slow.
 */
static void begin_again(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    struct cfz_under_way *u = under_way(s);
    uint64_t entry = w->arriving ? w->arriving - 1 : s->entry;

    if (!u)
        return;
    if (w->worth > 0) {
        atomic_store_explicit(&u->input, 0, memory_order_relaxed);
        return;
    }
    if (!cfz_deadly_resume(&goals->deadly, u) || entry >= w->schedule.n)
        return;
    if (!count_up(&shared->died[entry], DEATHS))
        return;
    if (w->arriving) {
        atomic_store_explicit(&shared->arrived[entry], 0, memory_order_relaxed);
        cfz_schedule_again(&w->schedule, entry);
    } else if (s->turn == CFZ_SEARCH_SOLVER) {
        uint8_t rounds = atomic_load_explicit(&shared->rounds[entry], memory_order_relaxed);

        if (rounds > 0)
            atomic_compare_exchange_strong(&shared->rounds[entry], &rounds, (uint8_t)(rounds - 1));
    }
}

void cfz_worker_search_cut(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t work = s->search.work ? s->search.work : 1;
    uint64_t cost = s->search.cost - s->turn_cost + 1 + w->worth * work;

    if (!s->on)
        return;
    begin_again(w);
    if (s->turn == CFZ_SEARCH_SOLVER)
        account(s, cost, s->search.nnews - s->turn_news);
    else if (s->turn == CFZ_SEARCH_URGENT)
        s->cost_urgent += cost;
    else if (s->turn == CFZ_SEARCH_MENDED)
        account_mended(s, cost, 0);
    else if (s->turn == CFZ_SEARCH_APPROACH || s->turn == CFZ_SEARCH_SENTENCES)
        account_turn(s, cost, 0);
    s->turn = CFZ_SEARCH_NO_TURN;
}

void cfz_worker_search_end_turn(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;

    account_turn(s, s->search.cost - s->turn_cost + 1, s->search.nnews - s->turn_news);
    s->turn = CFZ_SEARCH_NO_TURN;
}

static enum cfz_verdict ended(const struct cfz_worker *w)
{
    return w->search.failed ? CFZ_VERDICT_FAIL : CFZ_VERDICT_PASS;
}

/* ---- the stages -------------------------------------------------------------------- */

uint64_t cfz_worker_search_work(uint64_t entry)
{
    uint32_t work = shared ? atomic_load_explicit(&shared->work[entry], memory_order_relaxed) : 1;

    return work ? work : 1;
}

/* Executes the entry in w->cur once, for what that costs and reaches. Whether it is new is not
 * asked: it may be so only when it is traced. Returns the work; 0 if the test failed. */
static uint64_t look(struct cfz_worker *w, uint64_t entry)
{
    enum cfz_verdict verdict;
    uint64_t work;

    w->shm->lineage.n = 0;
    for (size_t i = 0; i < w->cur.n; i++)
        cfz_worker_publish(w, i);
    cfz_worker_bump(&w->shm->tracing);
    entry_begins(w);
    verdict = cfz_worker_counted(w, &work);
    if (__builtin_expect(cfz_counters_late(), 0))
        cfz_worker_prepare(w);
    cfz_counters_collect_all(&w->seen);
    w->search.failed = verdict == CFZ_VERDICT_FAIL;
    if (w->search.failed)
        return 0;
    entry_ended(w);
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, CFZ_LEAKS_LATER);
    cfz_frontier_learn(&frontier, &w->seen, &w->mutator.rand, entry,
                       work * (64 + cfz_run_shm_entry(w->run, entry)->size));
    return work;
}

bool cfz_worker_search_favoured(struct cfz_worker *w, uint64_t *entry)
{
    return shared && cfz_frontier_favoured(&frontier, &w->mutator.rand, entry);
}

bool cfz_worker_search_frontier(struct cfz_worker *w, uint64_t *entry)
{
    return shared && cfz_frontier_next(&frontier, &w->seen, &w->mutator.rand, entry);
}

/* Where an entry, which is w->cur, begins to differ from the one that it was made of. */
static uint32_t first_change(const struct cfz_worker *w, uint64_t entry)
{
    uint32_t parent = cfz_run_shm_entry(w->run, entry)->parent;

    if (parent == 0)
        return 0;
    return cfz_image_same(&w->cur, (const uint8_t *)(cfz_run_shm_entry(w->run, parent - 1) + 1));
}

void cfz_worker_search_begin_stage(struct cfz_worker *w, uint64_t entry,
                                   enum cfz_lineage_number stage)
{
    struct cfz_worker_search *s = &w->search;
    const uint64_t work = cfz_worker_search_work(entry);

    s->search.work = work;
    s->search.from = first_change(w, entry);
    w->work.entry = work;
    s->stage = stage;
}

/* The first stage for an entry, which is w->cur, as far as work allows. */
static void copy(struct cfz_worker *w, uint64_t entry, uint64_t work)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t before = s->search.cost, may = GRANT + w->work.mutated / COPIES_SHARE, most;

    may = may > s->cost_copies ? may - s->cost_copies : 0;
    most = may / work < COPIES_MOST ? may / work : COPIES_MOST;
    if (most < COPIES_LEAST)
        return;
    cfz_worker_search_begin_stage(w, entry, CFZ_LINEAGE_COPY);
    cfz_copies(&s->search, most);
    s->cost_copies += s->search.cost - before;
    if (!s->search.odd && !s->search.over)
        cfz_urgent_see(&w->urgent, &s->search, entry,
                       work * cfz_run_shm_entry(w->run, entry)->size * URGENT_PROBES);
    tell_erratic(w);
    if (s->search.odd) {
        atomic_store_explicit(&shared->left[entry], LEFT_ERRATIC, memory_order_relaxed);
        cfz_worker_bump(&w->shm->erratic_inputs);
    }
}

/* What follows in an entry, where the program tells states. */
static void follow(struct cfz_worker *w, uint64_t entry, uint64_t work)
{
    struct cfz_worker_search *s = &w->search;

    if (!cfz_harness_counts() || !cfz_follow_due(&s->following, work, w->work.mutated))
        return;
    cfz_worker_take_entry(w, entry);
    cfz_worker_search_begin_stage(w, entry, CFZ_LINEAGE_FOLLOW);
    cfz_follow(&s->following, &s->search);
}

enum cfz_verdict cfz_worker_search_arrived(struct cfz_worker *w, uint64_t entry)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t work;

    if (!shared || atomic_exchange_explicit(&shared->arrived[entry], 1, memory_order_relaxed) != 0)
        return CFZ_VERDICT_PASS;
    s->failed = false;
    s->entry = entry;
    work = look(w, entry);
    if (work > 0) {
        atomic_store_explicit(&shared->work[entry], work < UINT32_MAX ? (uint32_t)work : UINT32_MAX,
                              memory_order_relaxed);
        if (s->on && !(cfz_run_shm_entry(w->run, entry)->flags & CFZ_ENTRY_COUNTS)) {
            if (cfz_parser_states_any())
                cfz_arrivals_add(&s->arrivals, entry);
            copy(w, entry, work);
            if (!s->failed && !s->search.over)
                follow(w, entry, work);
        }
    }
    if (!s->failed)
        cfz_worker_take_entry(w, entry); /* once more */
    return ended(w);
}

bool cfz_worker_search_granted(void)
{
    return atomic_load_explicit(&shared->solved, memory_order_relaxed) < GRANT;
}

/* The work that may go to urgent goals now. */
static uint64_t urgent_room(const struct cfz_worker *w)
{
    uint64_t may = URGENT_GRANT + w->work.mutated / 1024 * URGENT_SHARE;

    return may > w->search.cost_urgent ? may - w->search.cost_urgent : 0;
}

/* Whether the solver has a turn at an urgent goal. */
static bool urgent_due(const struct cfz_worker *w)
{
    return cfz_urgent_due(&w->urgent, urgent_room(w));
}

/* Whether the solver had nothing to work on lately, and no entry came since. */
static bool is_idle(const struct cfz_worker *w, uint64_t mutated)
{
    return w->search.idle_at == w->schedule.n && mutated - w->search.idle_since < QUIET &&
           !cfz_solver_side_waits();
}

/* Whether it has one at an entry. */
static bool entry_due(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t mutated = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);

    if (is_idle(w, mutated))
        return false;
    if (cfz_worker_search_granted())
        return true;
    if (mutated - s->quiet_since < QUIET && !(w->cmd.u.cmd.flags & CFZ_FUZZ_SOLVER))
        return false;
    return cfz_shares_may(s, &s->solver,
                          cfz_shares_solver(s, (w->cmd.u.cmd.flags & CFZ_FUZZ_SOLVER) != 0));
}

bool cfz_worker_search_due(struct cfz_worker *w)
{
    const struct cfz_worker_search *s = &w->search;

    return s->on && !s->search.over && w->schedule.n > 0 && w->schedule.nfresh == 0 &&
           (urgent_due(w) || entry_due(w));
}

bool cfz_worker_search_takes(const struct cfz_worker *w, uint64_t entry)
{
    const struct cfz_entry *e = cfz_run_shm_entry(w->run, entry);

    return !(e->flags & (CFZ_ENTRY_IDLE | CFZ_ENTRY_UNSTABLE)) &&
           e->size * cfz_worker_search_work(entry) <= SOLVER_MOST &&
           atomic_load_explicit(&shared->left[entry], memory_order_relaxed) == LEFT_NOT;
}

/* Chooses the entry of a turn: of a sample, the one that had the fewest turns, and of these the
 * cheapest to probe. False if none may be worked on. */
static bool choose(struct cfz_worker *w, uint64_t *entry, unsigned *round)
{
    uint64_t n = w->schedule.n, best_work = 0;
    unsigned best_rounds = UINT8_MAX;
    bool found = false;

    for (unsigned k = 0; k < SAMPLE && k < n; k++) {
        /* The newest is always among them; a small corpus is looked at as a whole. */
        uint64_t i = k == 0        ? n - 1
                     : n <= SAMPLE ? k - 1
                                   : cfz_rand_below(&w->mutator.rand, (uint32_t)n);
        const struct cfz_entry *e = cfz_run_shm_entry(w->run, i);
        unsigned rounds = atomic_load_explicit(&shared->rounds[i], memory_order_relaxed);
        uint64_t probing = e->size * cfz_worker_search_work(i);

        if (rounds == UINT8_MAX || !cfz_worker_search_takes(w, i))
            continue;
        if (e->size > CFZ_IMAGE_SHORT && rounds < UINT8_MAX - LONG_ROUNDS)
            rounds += LONG_ROUNDS;
        if (!found || rounds < best_rounds || (rounds == best_rounds && probing < best_work)) {
            found = true;
            *entry = i;
            best_rounds = rounds;
            best_work = probing;
        }
    }
    *round = best_rounds;
    return found;
}

/* A turn of the solver begins; entry: UINT64_MAX for an input of its own. */
static void begin_solving(struct cfz_worker *w, uint64_t entry, enum cfz_search_turn turn)
{
    struct cfz_worker_search *s = &w->search;

    s->search.work = entry == UINT64_MAX ? 1 : cfz_worker_search_work(entry);
    s->entry = entry;
    s->stage = CFZ_LINEAGE_SOLVE;
    w->work.entry = s->search.work;
    cfz_worker_search_begin_turn(s, turn);
}

/* Works on a goal as if it had so many attempts before, without taking one from those that it has
 * when entries have their turns. */
static void attempt(struct cfz_search *s, const struct cfz_image *im, const struct cfz_goal *g,
                    unsigned before)
{
    struct cfz_goal_note *note = cfz_goal_note(s->goals, g->key);
    struct cfz_site_note *site = cfz_site_note(s->goals, g->site);
    uint16_t tried, failed;

    if (!note || !site)
        return;
    tried = atomic_load_explicit(&note->tried, memory_order_relaxed);
    failed = atomic_load_explicit(&site->failed, memory_order_relaxed);
    atomic_store_explicit(&note->tried, (uint16_t)before, memory_order_relaxed);
    cfz_solver_goal(s, im, g);
    atomic_store_explicit(&note->tried, tried, memory_order_relaxed);
    atomic_store_explicit(&site->failed, failed, memory_order_relaxed);
}

/* A turn at an urgent goal. False if none can be worked on. */
static bool urgent_turn(struct cfz_worker *w)
{
    static struct cfz_image im;
    struct cfz_worker_search *s = &w->search;
    struct cfz_goal g;
    unsigned before; /* attempts */
    uint64_t entry;

    if (!cfz_urgent_next(&w->urgent, &s->search, urgent_room(w), &g, &entry, &before) ||
        entry >= w->schedule.n || !cfz_worker_search_takes(w, entry))
        return false;
    cfz_worker_take_entry(w, entry);
    if (!cfz_image_read(&im, &w->cur))
        return false;
    begin_solving(w, entry, CFZ_SEARCH_URGENT);
    attempt(&s->search, &im, &g, before);
    s->cost_urgent += s->search.cost - s->turn_cost + 1;
    s->turn = CFZ_SEARCH_NO_TURN;
    return true;
}

/* Notes the entry, and one more, on which the solver has a turn; or 0. */
static void note_turn(const struct cfz_worker_search *s, uint32_t entry)
{
    struct cfz_under_way *u = under_way(s);

    if (u)
        atomic_store_explicit(&u->entry, entry, memory_order_relaxed);
}

/* A turn at an entry, or at an input of the solver's own. */
static void entry_turn(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t entry = UINT64_MAX;
    unsigned round = 0, generation = 0;
    bool found = choose(w, &entry, &round), is_fresh = found && round == 0;
    bool own = !is_fresh || s->own_next, left;

    /* Entries that had no turn and the solver's own inputs that showed an outcome by turns, then
     * its other inputs, then the other entries. */
    s->own_next = !own;
    if (!own || !cfz_solver_side(&s->search, is_fresh, &generation)) {
        if (!found) {
            s->idle_at = w->schedule.n;
            s->idle_since = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
            return;
        }
        round = atomic_fetch_add_explicit(&shared->rounds[entry], 1, memory_order_relaxed);
        cfz_worker_take_entry(w, entry);
        if (w->stored.on)
            cfz_worker_decompress(w);
    } else {
        entry = UINT64_MAX;
        round = 0;
    }
    begin_solving(w, entry, CFZ_SEARCH_SOLVER);
    note_turn(s, entry == UINT64_MAX ? 0 : (uint32_t)entry + 1);
    left = cfz_solver_entry(&s->search, round, generation);
    note_turn(s, 0);
    if (entry != UINT64_MAX && s->search.is_cut) /* it goes on another time */
        atomic_store_explicit(&shared->rounds[entry], (uint8_t)round, memory_order_relaxed);
    else if (!left && !s->search.over && entry != UINT64_MAX)
        atomic_store_explicit(&shared->rounds[entry], UINT8_MAX, memory_order_relaxed);
    account(s, s->search.cost - s->turn_cost + 1, s->search.nnews - s->turn_news);
    s->turn = CFZ_SEARCH_NO_TURN;
}

void cfz_worker_search_reopen(const struct cfz_worker *w)
{
    for (uint64_t i = 0; shared && i < w->schedule.n; i++) {
        uint8_t none = UINT8_MAX;

        atomic_compare_exchange_strong(&shared->rounds[i], &none, 0);
    }
}

enum cfz_verdict cfz_worker_search_turn(struct cfz_worker *w)
{
    if (!(urgent_due(w) && urgent_turn(w)) && entry_due(w))
        entry_turn(w);
    tell_erratic(w);
    return ended(w);
}

/* ---- mended turns ------------------------------------------------------------------- */

/* Whether a mended turn is due: what earlier ones brought earns them a share of the work. */
static bool mend_due(struct cfz_worker_search *s)
{
    uint32_t fields = s->on ? atomic_load_explicit(&goals->nrecipes, memory_order_relaxed) : 0;
    uint64_t part, least;

    if (s->search.over || fields == 0)
        return false;
    if (fields != s->mended_fields) {
        s->mended_fields = fields;
        s->mended_vain = 0;
    }
    if (s->mending.cost < MENDED_GRANT)
        return true;
    part = cfz_shares_brings(&s->mending) ? cfz_shares_earned(s, &s->mending) : 0;
    least = cfz_shares_in_vain(MENDED_LEAST, s->mended_vain);
    part = part < least ? least : part > MENDED_MOST ? MENDED_MOST : part;
    return cfz_shares_may(s, &s->mending, part);
}

void cfz_worker_search_mended(void *ctx)
{
    struct cfz_worker *w = ctx;
    struct cfz_lineage *l = &w->shm->lineage;

    if (l->n == 0 || l->v[l->n - 1] != CFZ_LINEAGE_MEND)
        cfz_lineage_add(l, CFZ_LINEAGE_MEND);
    w->search.mended = true;
}

/* A chain of mutations of the entry, which is w->cur, each of which is mended. Returns whether it
 * ended with new coverage of an input that was. */
static bool mend_chain(struct cfz_worker *w)
{
    enum cfz_ran r = CFZ_RAN;

    cfz_mutate_chain(&w->mutator);
    for (int k = 0; k < CFZ_CHAIN && r == CFZ_RAN; k++) {
        w->search.mended = false;
        cfz_stored_find(&w->search.search.stored, &w->cur);
        cfz_mutate(&w->mutator, &w->cur);
        r = cfz_mend(&w->search.search, cfz_worker_search_mended);
    }
    return r == CFZ_RAN_NEWS && w->search.mended;
}

enum cfz_verdict cfz_worker_search_mend(struct cfz_worker *w, uint64_t entry)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t cost, tries = s->search.tries, news = 0;
    uint64_t work = cfz_worker_search_work(entry), chains = MENDED_TURN / CFZ_CHAIN / work;
    static struct cfz_image im;

    if (!mend_due(s) || chains == 0 ||
        atomic_load_explicit(&shared->left[entry], memory_order_relaxed))
        return CFZ_VERDICT_PASS;
    s->failed = false;
    s->entry = entry;
    s->search.work = w->work.entry = work;
    chains = chains < MENDED_CHAINS ? chains : MENDED_CHAINS;
    w->shm->lineage.n = 0;
    cfz_worker_search_begin_turn(s, CFZ_SEARCH_MENDED);
    if (cfz_image_read(&im, &w->cur) && cfz_search_trace(&s->search, &im) &&
        cfz_mend_applies(&s->search)) {
        s->mutates = true;
        for (uint64_t k = 0; k < chains && !s->search.over; k++) {
            cfz_worker_words_over(w);
            cfz_worker_take_entry(w, entry);
            news += mend_chain(w);
        }
        s->mutates = false;
    }
    s->turn = CFZ_SEARCH_NO_TURN;
    cost = s->search.cost - s->turn_cost + 1;
    tries = (s->search.tries - tries) * work; /* more, where the time tells what the entry costs */
    account_mended(s, cost > tries ? cost : tries, news);
    if (!s->failed) {
        cfz_worker_words_over(w);
        cfz_worker_take_entry(w, entry);
    }
    return ended(w);
}

/* ---- what blocks ------------------------------------------------------------------- */

void cfz_worker_search_tell(struct cfz_worker *w)
{
    const struct cfuzz_test_desc *desc = w->x->test->desc;
    uint32_t ask = atomic_load_explicit(&w->shm->ask, memory_order_relaxed);

    if (w->search.on) {
        cfz_obstacles_begin(&w->shm->obstacles);
        cfz_obstacles_rank(goals, &w->seen, desc->params, desc->nparams, &w->shm->obstacles);
        cfz_obstacles_end(&w->shm->obstacles);
        keep_goals(w);
    }
    atomic_store_explicit(&w->shm->answered, ask, memory_order_release);
}
