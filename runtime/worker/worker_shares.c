/*
 * worker_shares.c - see worker_shares.h.
 */
#include "worker/worker_shares.h"

/* Guessed, all, and tried on targets that docs/performance.md names. */
enum {
    SOLVER_LEAST = 32,   /* the solver's share */
    SOLVER_SETTLED = 96, /* while it brings nothing */
    SOLVER_MOST = 614,
    SEAT_TIMES = 4,      /* as much for a worker with CFZ_FUZZ_SOLVER */
    VAIN = 1 << 19,      /* work in vain after which a share is halved, */
    VAIN_MOST = 4,       /* so often */
    LONG = 64,           /* work of a try of the solver's that is long; patience lasts the longer */
    LONG_MOST = 16,      /* the longer it is, up to so many times */
    APPROACH_LEAST = 16, /* the share of approaches, at least, */
    APPROACH_COUNTS = 96, /* where no input reached another counter in STUCK mutated executions, */
    APPROACH_STUCK = 256, /* where there was nothing new at all, */
    APPROACH_MOST = 512,  /* and at most */
    STUCK = 1 << 18,
    APPROACH_VAIN = 1 << 20, /* work that came no nearer, after which these two are halved, */
    APPROACH_VAIN_MOST = 5,  /* so often, */
    APPROACH_SETTLED = 8,    /* and may be less than the least then */
    SENTENCES_STUCK = 256,   /* the share of sentences: where there was nothing new, and at first, */
    SENTENCES_LEAST = 64,    /* at least, where they ever brought something, */
    SENTENCES_MOST = 512,    /* and at most */
    DECAY = 1 << 20,         /* work after which what was earned counts half */
    SPEND_MOST = DECAY / 64, /* of a turn, at once, */
    GIVEN_MOST = DECAY / 4,  /* and of one that was granted */
};

/* What was earned counts half after a while. */
static void decay(struct cfz_worker_search *s)
{
    struct cfz_worker_spent *all[] = {&s->solver, &s->mutation, &s->mending, &s->approach,
                                      &s->sentences};
    uint64_t cost = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        cost += all[i]->cost;
    if (cost <= DECAY)
        return;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        all[i]->cost /= 2;
        all[i]->news /= 2;
    }
}

/* Of a long turn more than SPEND_MOST would be halved away by decay() before mutation has done its
 * part. What was granted is not to be waited for, so that much of it may be. */
void cfz_shares_spend(struct cfz_worker_search *s, struct cfz_worker_spent *p, uint64_t cost,
                      uint64_t news, bool granted)
{
    uint64_t most = granted ? GIVEN_MOST : SPEND_MOST, now = cost < most ? cost : most;
    uint64_t news_now = cost == now ? news * 256 : news * 256 * now / cost;

    p->cost += now;
    p->news += news_now;
    p->cost_owed += cost - now;
    p->news_owed += news * 256 - news_now;
    decay(s);
}

bool cfz_shares_may(const struct cfz_worker_search *s, struct cfz_worker_spent *p, uint64_t share)
{
    uint64_t due = s->mutation.cost * share / (1024 - share) + 1, cost, news;

    if (p->cost_owed > 0 && p->cost < due) {
        cost = due - p->cost < p->cost_owed ? due - p->cost : p->cost_owed;
        news = p->news_owed * cost / p->cost_owed;
        p->cost += cost;
        p->news += news;
        p->cost_owed -= cost;
        p->news_owed -= news;
    }
    return p->cost * 1024 < share * (p->cost + s->mutation.cost);
}

bool cfz_shares_brings(const struct cfz_worker_spent *p)
{
    return p->news + p->news_owed >= 256;
}

uint64_t cfz_shares_earned(const struct cfz_worker_search *s, const struct cfz_worker_spent *p)
{
    double one =
        ((double)(p->news + p->news_owed) + 64) / ((double)(p->cost + p->cost_owed) + 1024);
    double mutation = ((double)s->mutation.news + 64) / ((double)s->mutation.cost + 1024);

    return (uint64_t)(1024 * one / (one + mutation));
}

uint64_t cfz_shares_in_vain(uint64_t share, uint64_t vain)
{
    return share >> (vain / VAIN < VAIN_MOST ? vain / VAIN : VAIN_MOST);
}

uint64_t cfz_shares_patient(const struct cfz_worker_search *s, uint64_t cost)
{
    uint64_t times = s->search.cost / (s->search.tries * LONG + 1);

    return cost / (times < 1 ? 1 : times < LONG_MOST ? times : LONG_MOST);
}

uint64_t cfz_shares_solver(const struct cfz_worker_search *s, bool seat)
{
    uint64_t share = cfz_shares_earned(s, &s->solver);

    if (!cfz_shares_brings(&s->solver))
        share = cfz_shares_in_vain(SOLVER_SETTLED, s->cost_vain);
    else
        share = share < SOLVER_LEAST ? SOLVER_LEAST : share > SOLVER_MOST ? SOLVER_MOST : share;
    if (!seat)
        return share;
    return share * SEAT_TIMES < SOLVER_MOST ? share * SEAT_TIMES : SOLVER_MOST;
}

uint64_t cfz_shares_approach(const struct cfz_worker_search *s, uint64_t mutated)
{
    uint64_t part = cfz_shares_brings(&s->approach) ? cfz_shares_earned(s, &s->approach) : 0;
    uint64_t vain = s->approach_vain / APPROACH_VAIN, least = APPROACH_LEAST, stuck;

    if (mutated - s->counter_since >= STUCK) {
        stuck = mutated - s->quiet_since < STUCK ? APPROACH_COUNTS : APPROACH_STUCK;
        stuck >>= vain < APPROACH_VAIN_MOST ? vain : APPROACH_VAIN_MOST;
        least = vain < APPROACH_VAIN_MOST ? APPROACH_LEAST : APPROACH_SETTLED;
        least = stuck < least ? least : stuck;
    }
    return part < least ? least : part > APPROACH_MOST ? APPROACH_MOST : part;
}

uint64_t cfz_shares_sentences(const struct cfz_worker_search *s, uint64_t mutated)
{
    uint64_t part = cfz_shares_brings(&s->sentences) ? cfz_shares_earned(s, &s->sentences) : 0;
    uint64_t least = cfz_shares_in_vain(SENTENCES_STUCK, s->sentences_vain);

    if (s->sentences_news > 0 && mutated - s->quiet_since >= STUCK)
        least = SENTENCES_STUCK;
    else if (s->sentences_news > 0 && least < SENTENCES_LEAST)
        least = SENTENCES_LEAST;
    return part < least ? least : part > SENTENCES_MOST ? SENTENCES_MOST : part;
}
