/*
 * worker_search.h - when a worker looks at comparisons (search/search.h), and what that may cost.
 *
 * The first stage has its turn when an entry arrives. The second one has turns while random
 * mutation brings nothing, and a share of the work that follows what each of the two brings.
 */
#ifndef CFZ_WORKER_SEARCH_H
#define CFZ_WORKER_SEARCH_H

#include "worker/worker.h"

/*
 * cfz_worker_search_map makes what the workers of a host share; called by the host before it forks
 * them. Without traced copies in the program there is no search. CFZ_EIO. Context: ordinary.
 */
int cfz_worker_search_map(struct cfz_error *err);

/*
 * cfz_worker_search_renew makes it anew, for workers that are forked from now on, since the target
 * wrote over it. spoiler is 1 + the entry that was mutated then, or 0. That entry has no turns of
 * the search any more: they would come to the same input again. CFZ_EIO. Context: ordinary.
 */
int cfz_worker_search_renew(uint32_t spoiler, struct cfz_error *err);

/* cfz_worker_search_arrivals returns of each entry whether it arrived at a worker of the run
 * (cfz_worker_search_arrived), with CFZ_ENTRIES_MAX places; NULL where the program has no traced
 * copies. Context: ordinary. */
const _Atomic uint8_t *cfz_worker_search_arrivals(void);

/* cfz_worker_search_begin readies w for the FUZZ command in w->cmd, or for going on with it.
 * Context: ordinary. */
void cfz_worker_search_begin(struct cfz_worker *w);

/* cfz_worker_search_reopen takes back that entries have no goal that is open: in a process that is
 * replaced, since the program did little any more, that may have been so for any. Context:
 * ordinary. */
void cfz_worker_search_reopen(const struct cfz_worker *w);

/* cfz_worker_search_cut counts what a turn of the search took in a process that was replaced;
 * before cfz_worker_search_begin in the one that goes on. Context: ordinary. */
void cfz_worker_search_cut(struct cfz_worker *w);

/*
 * cfz_worker_search_arrived is the first stage for an entry, which is w->cur. cfz_worker_search_due
 * reports whether the second stage has a turn now; cfz_worker_search_turn is that turn. The second
 * one leaves another input in w->cur. Both count what they executed in shm->mutated, and return
 * FAIL if the test failed on what is in the slots. They end when the command's limit is reached.
 * Context: ordinary.
 */
enum cfz_verdict cfz_worker_search_arrived(struct cfz_worker *w, uint64_t entry);

/* cfz_worker_search_frontier and cfz_worker_search_favoured draw an entry for a turn
 * (search/frontier.h). False if they have none. Context: ordinary. */
bool cfz_worker_search_frontier(struct cfz_worker *w, uint64_t *entry);
bool cfz_worker_search_favoured(struct cfz_worker *w, uint64_t *entry);

/* cfz_worker_search_work returns the work of an execution of an entry that arrived, at least 1.
 * Context: ordinary. */
uint64_t cfz_worker_search_work(uint64_t entry);

/* cfz_worker_search_granted reports whether the second stage has its first turns, which it does
 * whatever they bring. Only where there is a search. Context: ordinary. */
bool cfz_worker_search_granted(void);

bool cfz_worker_search_due(struct cfz_worker *w);
enum cfz_verdict cfz_worker_search_turn(struct cfz_worker *w);

/*
 * cfz_worker_search_mend may take a mended turn (solver/mend.h) with an entry, which is w->cur
 * before and after: random mutations, each behind which the checksums and lengths of the input are
 * written anew. How often follows what that brings. Returns FAIL if the test failed on what is in
 * the slots. Context: ordinary.
 */
enum cfz_verdict cfz_worker_search_mend(struct cfz_worker *w, uint64_t entry);

/*
 * For worker_approach.c and worker_sentences.c. A turn begins; nothing else changes what it cost
 * until it ends, when that is counted. cfz_worker_search_mended is for cfz_mend.
 * cfz_worker_search_takes reports whether the search may work on an entry;
 * cfz_worker_search_begin_stage readies what is made of one, which is w->cur. Context: ordinary.
 */
bool cfz_worker_search_takes(const struct cfz_worker *w, uint64_t entry);
void cfz_worker_search_begin_stage(struct cfz_worker *w, uint64_t entry,
                                   enum cfz_lineage_number stage);
void cfz_worker_search_mended(void *ctx);
void cfz_worker_search_begin_turn(struct cfz_worker_search *s, enum cfz_search_turn turn);
void cfz_worker_search_end_turn(struct cfz_worker *w);

/* cfz_worker_search_tell writes into process memory what blocks the run, if there is a search.
 * Context: ordinary. */
void cfz_worker_search_tell(struct cfz_worker *w);

/* cfz_worker_search_asked reports whether the driver asked for that since it was last written. */
static inline bool cfz_worker_search_asked(const struct cfz_worker *w)
{
    return atomic_load_explicit(&w->shm->ask, memory_order_relaxed) !=
           atomic_load_explicit(&w->shm->answered, memory_order_relaxed);
}

/* cfz_worker_search_mutated tells it that random mutation found something. */
static inline void cfz_worker_search_mutated(struct cfz_worker *w)
{
    w->search.mutation.news += 256;
    w->search.quiet_since = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
}

#endif
