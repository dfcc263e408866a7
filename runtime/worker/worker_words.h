/*
 * worker_words.h - words in mutation (search/words.h): where they come from, and which of them
 * helped.
 */
#ifndef CFZ_WORKER_WORDS_H
#define CFZ_WORKER_WORDS_H

#include "worker/worker.h"

/*
 * cfz_worker_words_map makes what the workers of a host share, with the words that CFUZZ_DICT gives
 * test; called by the host before it forks them. CFZ_EIO. Context: ordinary.
 */
int cfz_worker_words_map(const struct cfz_test *test, struct cfz_error *err);

/* cfz_worker_words_renew makes it anew, for workers that are forked from now on. CFZ_EIO. Context:
 * ordinary. */
int cfz_worker_words_renew(const struct cfz_test *test, struct cfz_error *err);

/* cfz_worker_words_begin has the words of the run's memory added, once for all workers, and strings
 * of the program unless the search is off. Context: ordinary. */
void cfz_worker_words_begin(struct cfz_worker *w);

/* cfz_worker_words_turn gives words to the mutator if there are any by now. Context: ordinary. */
static inline void cfz_worker_words_turn(struct cfz_worker *w)
{
    w->mutator.words = cfz_words_any(&w->words) ? &w->words : NULL;
}

/*
 * The last word of a chain lies in the outbox, as an open record: if the process dies of the input,
 * it is told. cfz_worker_words_close takes it away. Context: target.
 */
void cfz_worker_words_close(struct cfz_worker *w);

/* cfz_worker_words_over says that the chain is over. Context: target. */
static inline void cfz_worker_words_over(struct cfz_worker *w)
{
    cfz_words_credit(&w->words, false);
    if (__builtin_expect(w->word_open, 0))
        cfz_worker_words_close(w);
}

/* cfz_worker_words_helped says that w->cur was interesting. If it was reported, the words that went
 * into it are, too. cfz_worker_words_failed says that the test failed on it. Context: ordinary. */
void cfz_worker_words_helped(struct cfz_worker *w);
void cfz_worker_words_failed(struct cfz_worker *w);

#endif
