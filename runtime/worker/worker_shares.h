/*
 * worker_shares.h - what each kind of turn cost and brought, and which part of the work it gets for
 * that. A share is of 1024. All of it is counted, so that a run repeats.
 */
#ifndef CFZ_WORKER_SHARES_H
#define CFZ_WORKER_SHARES_H

#include "worker/worker.h"

/* cfz_shares_spend adds what a turn cost and brought to p, which is one of s. Of a long turn a part
 * is owed, of one that was granted, beyond its share, less. Context: ordinary. */
void cfz_shares_spend(struct cfz_worker_search *s, struct cfz_worker_spent *p, uint64_t cost,
                      uint64_t news, bool granted);

/* cfz_shares_may reports whether turns of a kind have had less than their share, below 1024, of
 * their work and that of mutation. What they owe is added as far as that share goes, so that a long
 * turn is waited for as long as the same work in short ones. Context: ordinary. */
bool cfz_shares_may(const struct cfz_worker_search *s, struct cfz_worker_spent *p, uint64_t share);

/* cfz_shares_brings reports whether turns of a kind brought something lately, what is owed
 * included. Context: ordinary. */
bool cfz_shares_brings(const struct cfz_worker_spent *p);

/* cfz_shares_earned returns the share that what p brought for its cost, what is owed included, has
 * beside that of random mutation, with one that is assumed. Context: ordinary. */
uint64_t cfz_shares_earned(const struct cfz_worker_search *s, const struct cfz_worker_spent *p);

/* cfz_shares_in_vain returns what becomes of a share when so much work brought nothing: it is
 * halved up to four times. Context: ordinary. */
uint64_t cfz_shares_in_vain(uint64_t share, uint64_t vain);

/* cfz_shares_patient returns how much of a cost counts for the patience with the solver: less where
 * its executions are long, or it would be at its end after the bytes of one entry. Context:
 * ordinary. */
uint64_t cfz_shares_patient(const struct cfz_worker_search *s, uint64_t cost);

/* cfz_shares_solver returns the solver's share; seat: in a worker that has more of it
 * (CFZ_FUZZ_SOLVER). Context: ordinary. */
uint64_t cfz_shares_solver(const struct cfz_worker_search *s, bool seat);

/* cfz_shares_approach returns the share of approaches when so many executions were of mutated
 * inputs: what they earned, but more than next to nothing where no other counter is reached any
 * more, until that was in vain for long. Context: ordinary. */
uint64_t cfz_shares_approach(const struct cfz_worker_search *s, uint64_t mutated);

/* cfz_shares_sentences returns the share of continuing texts word by word, when so many executions
 * were of mutated inputs: what that earned, but a quarter at first and, if it ever brought
 * something, where nothing new is found; that is halved while it is in vain. Context: ordinary. */
uint64_t cfz_shares_sentences(const struct cfz_worker_search *s, uint64_t mutated);

#endif
