/*
 * worker_sentences.c - see worker_sentences.h.
 *
 * What waits belongs to the process, so that one that goes on after another has nothing: when
 * nothing waits, the entries have their turns again, in no order. Workers come to other ones so.
 */
#include "worker/worker_sentences.h"

#include "coverage/parser_states.h"
#include "solver/sentences.h"
#include "worker/worker_entry.h"
#include "worker/worker_search.h"
#include "worker/worker_shares.h"

enum { GRANT = 1 << 18 }; /* work in any case; guessed */

static bool is_due(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t mutated = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);

    if (!s->on || s->search.over || !cfz_parser_states_any() || w->schedule.n == 0 ||
        !cfz_words_any(&w->words))
        return false;
    return s->sentences_ever < GRANT ||
           cfz_shares_may(s, &s->sentences, cfz_shares_sentences(s, mutated));
}

/* The entry whose prefixes are taken: the last that arrived, or any. */
static uint64_t draw(struct cfz_worker *w)
{
    uint64_t entry;

    return cfz_arrivals_take(&w->search.arrivals, &entry)
               ? entry
               : cfz_rand_below(&w->mutator.rand, (uint32_t)w->schedule.n);
}

enum cfz_verdict cfz_worker_sentences(struct cfz_worker *w)
{
    struct cfz_worker_search *s = &w->search;
    uint64_t work, entry, cost;

    if (!is_due(w))
        return CFZ_VERDICT_PASS;
    s->failed = false;
    s->entry = UINT64_MAX;
    s->stage = CFZ_LINEAGE_FOLLOW;
    s->search.tells = true;
    cfz_worker_search_begin_turn(s, CFZ_SEARCH_SENTENCES);
    work = s->arrivals.n > 0 ? 0 : cfz_sentences_waiting();
    if (work > 0) {
        w->work.entry = work;
        cfz_sentences_continue(&s->search);
    } else {
        entry = draw(w);
        if (cfz_worker_search_takes(w, entry)) {
            cfz_worker_take_entry(w, entry);
            cfz_worker_search_begin_stage(w, entry, CFZ_LINEAGE_FOLLOW);
            cfz_sentences_entry(&s->search);
        }
    }
    s->search.tells = false;
    cost = s->search.cost - s->turn_cost;
    s->sentences_news += s->search.nnews - s->turn_news;
    s->sentences_vain = s->search.nnews > s->turn_news ? 0 : s->sentences_vain + cost;
    cfz_worker_search_end_turn(w);
    return s->failed ? CFZ_VERDICT_FAIL : CFZ_VERDICT_PASS;
}
