/*
 * slow.c - see slow.h.
 */
#include "target/slow.h"

#include <string.h>

enum {
    MS = 1000 * 1000,
    PACE_LEAST = 5 * MS,  /* between two looks, while executions are seen twice */
    PACE_MOST = 40 * MS,  /* while none is */
    WAIT_MOST = 500 * MS, /* of wall time */
    QUIET = 32,           /* looks that see nothing, before the time between them doubles */
    TIMES = 20,           /* of what others take, is slow */
    BEGINNINGS = 5,       /* ... of what a process takes to begin, or */
    LIFE = 20,            /* this one took already */
    PART = 10,            /* rule 1 */
    LET_PART = 20,        /* rule 3 */
    SHOWN_PART = 10,      /* rule 4 */
    MANY = 2,             /* slow ones: more than one of so many */
    WORTH_MOST = 1 << 20,
};

static uint64_t get(const _Atomic uint64_t *sum)
{
    return atomic_load_explicit(sum, memory_order_relaxed);
}

static void add(_Atomic uint64_t *sum, uint64_t more)
{
    if (more > 0)
        atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

void cfz_slow_init(struct cfz_slow *s, uint64_t limit, struct cfz_slow_sums *sums)
{
    memset(s, 0, sizeof *s);
    s->sums = sums;
    s->limit = limit;
    s->wait = s->pace = PACE_LEAST;
    s->late = UINT64_MAX;
}

void cfz_slow_begin(struct cfz_slow *s, uint64_t execs, uint64_t fork)
{
    s->cpu = s->since = s->first_took = 0;
    s->execs = execs;
    s->first = execs + 1;
    s->fork = fork;
    s->begun = false;
}

/* What an execution takes that is not slow; 0: not known. */
static uint64_t quick_mean(const struct cfz_slow_sums *sums)
{
    uint64_t done = get(&sums->done);

    return done ? get(&sums->quick) / done : 0;
}

/* What an execution usually takes: where many are slow, they are. */
static uint64_t mean(const struct cfz_slow_sums *sums)
{
    uint64_t done = get(&sums->done), nslow = get(&sums->nslow);

    if (done == 0)
        return get(&sums->spent); /* nothing else is known */
    return nslow > done / MANY ? get(&sums->spent) / done : quick_mean(sums);
}

/* Whether an execution that took so long is slow where others take that. */
static bool is_slow(const struct cfz_slow *s, uint64_t took, uint64_t others)
{
    const uint64_t beginning = get(&s->sums->beginning);

    if (took < s->limit || took / TIMES < others)
        return false;
    if (beginning == 0)
        return s->execs != s->first;
    return took / BEGINNINGS >= beginning || s->cpu / LIFE >= beginning;
}

/* Sets when to look again: after s->pace of CPU time, if the process gets as much as it did. */
static void pace(struct cfz_slow *s, uint64_t step, bool twice)
{
    if (twice) {
        s->pace = PACE_LEAST;
        s->quiet = 0;
    } else if (++s->quiet == QUIET) {
        s->quiet = 0;
        s->pace = 2 * s->pace < PACE_MOST ? 2 * s->pace : PACE_MOST;
    }
    if (step < s->pace * s->wait / WAIT_MOST)
        s->wait = WAIT_MOST;
    else
        s->wait = step < s->wait ? s->pace * s->wait / step : s->pace;
}

/* Learns what the first execution of this process took. Of all processes the least counts: one may
 * begin with an input that is slow. */
static void learn_beginning(struct cfz_slow *s, uint64_t cpu, uint64_t execs, bool runs)
{
    const uint64_t known = get(&s->sums->beginning);
    uint64_t beginning;

    if (s->begun || execs < s->first)
        return;
    if (execs == s->first && runs) {
        s->first_took = cpu;
        return;
    }
    s->begun = true;
    beginning = s->first_took + s->fork;
    if (known == 0 || beginning < known)
        atomic_store_explicit(&s->sums->beginning, beginning > 0 ? beginning : 1,
                              memory_order_relaxed);
}

/* Another execution was seen than at the last look, or none. */
static void pass(struct cfz_slow *s, uint64_t step, uint64_t execs)
{
    if (s->late != s->execs)
        add(&s->sums->quick, step);
    add(&s->sums->done, execs - s->execs);
    s->execs = execs;
    s->since = s->cpu;
}

enum cfz_slow_fate cfz_slow_look(struct cfz_slow *s, uint64_t cpu, uint64_t execs, bool runs,
                                 bool may_end)
{
    struct cfz_slow_sums *sums = s->sums;
    bool twice = runs && execs == s->execs;
    uint64_t step = cpu > s->cpu ? cpu - s->cpu : 0, took, all;

    pace(s, step, twice);
    learn_beginning(s, cpu, execs, runs);
    s->cpu += step;
    add(&sums->spent, step);
    if (!twice) {
        pass(s, step, execs);
        return CFZ_SLOW_GOES_ON;
    }
    took = s->cpu - s->since;
    if (!is_slow(s, took, quick_mean(sums)))
        return CFZ_SLOW_GOES_ON;
    add(&sums->nslow, s->late != execs);
    add(&sums->slow, s->late == execs ? step : took);
    s->late = execs;
    if (!is_slow(s, took, mean(sums)))
        return CFZ_SLOW_GOES_ON;
    if (s->allowed == execs)
        add(&sums->let, step);
    if (s->asked == execs)
        add(&sums->shown, step);
    if (s->allowed == execs || s->asked == execs || !may_end)
        return CFZ_SLOW_GOES_ON;
    all = get(&sums->spent);
    if (get(&sums->slow) < all / PART)
        return CFZ_SLOW_GOES_ON;
    if (get(&sums->let) < all / LET_PART) {
        s->allowed = execs;
        return CFZ_SLOW_ALLOWED;
    }
    s->asked = execs;
    return CFZ_SLOW_ASKED;
}

bool cfz_slow_spares(const struct cfz_slow *s)
{
    return get(&s->sums->shown) < get(&s->sums->spent) / SHOWN_PART;
}

bool cfz_slow_late(const struct cfz_slow *s)
{
    return s->late == s->execs;
}

uint64_t cfz_slow_worth(const struct cfz_slow *s)
{
    uint64_t took = s->cpu - s->since, each = mean(s->sums);
    uint64_t worth = each ? took / each : WORTH_MOST;

    return worth < 1 ? 1 : worth < WORTH_MOST ? worth : WORTH_MOST;
}
