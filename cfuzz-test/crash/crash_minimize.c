/*
 * crash_minimize.c - see crash_minimize.h.
 */
#include "crash/crash_minimize.h"

#include <string.h>

#include "core/minimizer/minimizer.h"
#include "crash/foresight.h"

enum {
    /* How long a try may run, at least, before it is taken for a hang. With -hangtimeout's 10 s a
     * minute would allow six tries that hang. An execution of milliseconds stays well below, even
     * on a busy machine. Guessed. */
    HANG_TRY_MS = 400,
    /* ... and HANG_TIMES as long as the longest execution that ended, if that is more. Guessed. */
    HANG_TIMES = 20,
    /* The same for executions that died. Their time is measured by the driver, and includes the end
     * of the process and the sanitizer's report. Guessed. */
    DEATH_TIMES = 4,
    /* Tries that may end the host, or the origin: each costs a setup part, or the start of the
     * program. Guessed. */
    HOSTS_MAX = 64,
};

struct minimizing {
    struct trial *t;
    struct crash_minimizing *m;
    uint64_t deadline; /* uv_hrtime, or 0 */
    uint64_t enough;   /* ns: no try is taken for a hang before; grows with what tries took */
    uint64_t *budget;
    unsigned hosts; /* that tries ended */

    /* What is known of candidates before the minimizer asks for them. */
    struct foresight f;
    size_t at, next; /* in f.inputs: bytes of those that were asked for, and how many they are */
    size_t passed;   /* of those that come next: they were executed */
    bool have;       /* outcome is that of the one behind them */
    struct trial_outcome outcome;

    struct cfz_error err;
    bool failed; /* err holds why */
};

static int64_t hang_limit(const struct minimizing *s)
{
    uint64_t limit = (uint64_t)HANG_TRY_MS * 1000000;

    if (limit < s->enough)
        limit = s->enough;
    return limit < (uint64_t)s->m->hang_ns ? (int64_t)limit : s->m->hang_ns;
}

/* Learns from an execution how long executions may take. */
static void learn(struct minimizing *s, const struct trial_outcome *o)
{
    uint64_t enough = o->ns * (o->verdict == TRIAL_DIED ? DEATH_TIMES : HANG_TIMES);

    if (s->enough < enough)
        s->enough = enough;
}

/* Forgets the candidates that were foreseen: the answer to the one before them was another. */
static void forget(struct minimizing *s)
{
    s->at = s->next = s->passed = s->f.n = 0;
    s->have = false;
}

/* The length of the next candidate among those that were foreseen, with its head. */
static size_t next_size(const struct minimizing *s)
{
    uint64_t size;

    memcpy(&size, s->f.inputs.data + s->at, sizeof size);
    return sizeof size + size;
}

/* Executes candidates that are foreseen, the one that is asked for first. If that is not worth its
 * while, or told nothing of the first, that is executed alone. */
static int execute(struct minimizing *s, const struct cfz_values *cand)
{
    if (s->next == s->f.n) {
        forget(s);
        if (foresight_look(&s->f, *s->budget < UINT64_MAX ? *s->budget + 1 : UINT64_MAX, &s->err) <
            0)
            return -1;
    }
    if (s->f.n - s->next > 1) {
        if (trial_run_several(s->t, s->f.inputs.data + s->at, s->f.inputs.len - s->at,
                              s->f.n - s->next, hang_limit(s), &s->passed, &s->outcome,
                              &s->err) < 0)
            return -1;
        learn(s, &s->outcome);
        s->have = s->outcome.verdict != TRIAL_VOID;
        if (s->have || s->passed > 0)
            return 0;
    }
    s->have = true;
    return trial_run(s->t, cand, false, hang_limit(s), &s->outcome, &s->err);
}

/* Stores the outcome of cand, and executes what is not known. */
static int outcome_of(struct minimizing *s, const struct cfz_values *cand,
                      struct trial_outcome *out)
{
    if (s->passed == 0 && !s->have && execute(s, cand) < 0)
        return -1;
    if (s->next < s->f.n) {
        CFZ_ASSERT(next_size(s) == sizeof(uint64_t) + cfz_values_packed_size(cand));
        s->at += next_size(s);
        s->next++;
    }
    if (s->passed > 0) {
        s->passed--;
        *out = (struct trial_outcome){.verdict = TRIAL_PASSED};
        return 0;
    }
    s->have = false;
    *out = s->outcome;
    return 0;
}

/* Whether nothing more is to be executed. */
static bool is_over(const struct minimizing *s)
{
    return s->t->patience != PATIENCE_FULL || (s->deadline != 0 && uv_hrtime() >= s->deadline);
}

static bool give_up(struct minimizing *s)
{
    *s->budget = 0;
    return false;
}

/* Context: called by cfz_minimize. */
static bool try_cand(void *ctx, const struct cfz_values *cand)
{
    struct minimizing *s = ctx;
    struct trial_outcome o;
    bool accepted;

    if (s->passed == 0 && !s->have && is_over(s))
        return give_up(s);
    if (outcome_of(s, cand, &o) < 0) {
        s->failed = true;
        return give_up(s);
    }
    s->m->tries++;
    if (o.verdict != TRIAL_PASSED && s->t->worker != NULL && s->t->worker->orphaned &&
        ++s->hosts == HOSTS_MAX)
        *s->budget = 0;
    learn(s, &o);
    accepted = trial_failed(&o) && crash_signature_is_kept(&s->m->shown->signature, &o.signature);
    if (foresight_answer(&s->f, accepted, &s->err) < 0) {
        s->failed = true;
        return give_up(s);
    }
    if (!accepted)
        return false;
    forget(s);
    s->m->accepted++;
    return true;
}

int crash_minimize(struct trial *t, struct crash_minimizing *m, struct cfz_values *vs,
                   struct cfz_error *err)
{
    uint64_t budget = m->limit.kind == LIMIT_COUNT ? m->limit.count : UINT64_MAX;
    struct minimizing s = {.t = t, .m = m, .budget = &budget};
    int ret;

    if (m->limit.kind == LIMIT_NONE || t->patience != PATIENCE_FULL)
        return 0;
    if (m->limit.kind == LIMIT_TIME)
        s.deadline = uv_hrtime() + (uint64_t)m->limit.ns;
    learn(&s, m->shown);
    t->minimizing = true;
    ret = foresight_begin(&s.f, vs, err);
    if (ret == 0)
        ret = cfz_minimize(vs, &budget, try_cand, &s, err);
    foresight_end(&s.f);
    t->minimizing = false;
    if (ret < 0)
        return -1;
    if (s.failed) {
        if (err != NULL)
            *err = s.err;
        return -1;
    }
    return 0;
}

struct fuzz_limit crash_minimize_limit(const struct options *opt, uint64_t ns, uint64_t settled)
{
    enum { LEAST_S = 5, HURRIED_S = 1, SHARE = 10, CRASHES = 5 };
    struct fuzz_limit limit = opt->fuzzminimizetime;
    bool hurried = settled > ns / CRASHES;
    int64_t share = (int64_t)(hurried ? 0 : ns / SHARE);
    int64_t least = (hurried ? HURRIED_S : LEAST_S) * INT64_C(1000000000);

    if (opt->minimize_given || limit.kind != LIMIT_TIME)
        return limit;
    share = share > least ? share : least;
    limit.ns = share < limit.ns ? share : limit.ns;
    return limit;
}
