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
    PART = 5,             /* rule 1 */
    LET_PART = 20,        /* rule 3 */
    SHOWN_PART = 5,       /* rule 4 */
    MANY = 2,             /* slow ones: more than one of so many */
    WORTH_MOST = 1 << 20,
};

void cfz_slow_init(struct cfz_slow *s, uint64_t limit)
{
    memset(s, 0, sizeof *s);
    s->limit = limit;
    s->wait = s->pace = PACE_LEAST;
    s->beginning = s->late = UINT64_MAX;
}

void cfz_slow_begin(struct cfz_slow *s, uint64_t execs, uint64_t fork)
{
    s->before += s->cpu;
    s->cpu = s->since = s->first_took = 0;
    s->execs = execs;
    s->first = execs + 1;
    s->fork = fork;
    s->begun = false;
}

/* What an execution takes that is not slow; 0: not known. */
static uint64_t quick_mean(const struct cfz_slow *s)
{
    return s->done ? s->quick / s->done : 0;
}

/* What an execution usually takes: where many are slow, they are. */
static uint64_t mean(const struct cfz_slow *s)
{
    if (s->done == 0)
        return s->before + s->cpu; /* nothing else is known */
    return s->nslow * MANY > s->done ? (s->before + s->cpu) / s->done : quick_mean(s);
}

/* Whether an execution that took so long is slow where others take that. */
static bool is_slow(const struct cfz_slow *s, uint64_t took, uint64_t others)
{
    if (took < s->limit || took < TIMES * others)
        return false;
    if (s->beginning == UINT64_MAX)
        return s->execs != s->first;
    return took >= BEGINNINGS * s->beginning || s->cpu >= LIFE * s->beginning;
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
    if (s->begun || execs < s->first)
        return;
    if (execs == s->first && runs) {
        s->first_took = cpu;
        return;
    }
    s->begun = true;
    if (s->first_took + s->fork < s->beginning)
        s->beginning = s->first_took + s->fork;
}

bool cfz_slow_look(struct cfz_slow *s, uint64_t cpu, uint64_t execs, bool runs, bool may_end)
{
    bool twice = runs && execs == s->execs;
    uint64_t step = cpu > s->cpu ? cpu - s->cpu : 0, took, all;

    pace(s, step, twice);
    learn_beginning(s, cpu, execs, runs);
    s->cpu += step;
    if (!twice) {
        if (s->late != s->execs)
            s->quick += step;
        s->done += execs - s->execs;
        s->execs = execs;
        s->since = s->cpu;
        return false;
    }
    took = s->cpu - s->since;
    if (!is_slow(s, took, quick_mean(s)))
        return false;
    s->nslow += s->late != execs;
    s->slow += s->late == execs ? step : took;
    s->late = execs;
    if (!is_slow(s, took, mean(s)))
        return false;
    if (s->allowed == execs)
        s->let += step;
    if (s->asked == execs)
        s->shown += step;
    if (s->allowed == execs || s->asked == execs || !may_end)
        return false;
    all = s->before + s->cpu;
    if (s->slow * PART < all)
        return false;
    if (s->let * LET_PART < all) {
        s->allowed = execs;
        return false;
    }
    s->asked = execs;
    return true;
}

bool cfz_slow_spares(const struct cfz_slow *s)
{
    return s->shown * SHOWN_PART < s->before + s->cpu;
}

bool cfz_slow_late(const struct cfz_slow *s)
{
    return s->late == s->execs;
}

uint64_t cfz_slow_worth(const struct cfz_slow *s)
{
    uint64_t took = s->cpu - s->since, each = mean(s);
    uint64_t worth = each ? took / each : WORTH_MOST;

    return worth < 1 ? 1 : worth < WORTH_MOST ? worth : WORTH_MOST;
}
