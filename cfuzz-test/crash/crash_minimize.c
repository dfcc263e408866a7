/*
 * crash_minimize.c - see crash_minimize.h.
 */
#include "crash/crash_minimize.h"

#include "core/minimizer.h"

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

/* Context: called by cfz_minimize. */
static bool try_cand(void *ctx, const struct cfz_values *cand)
{
    struct minimizing *s = ctx;
    struct trial_outcome o;

    if (s->t->patience != PATIENCE_FULL || (s->deadline != 0 && uv_hrtime() >= s->deadline)) {
        *s->budget = 0;
        return false;
    }
    if (trial_run(s->t, cand, false, hang_limit(s), &o, &s->err) < 0) {
        s->failed = true;
        *s->budget = 0;
        return false;
    }
    s->m->tries++;
    if (s->t->worker != NULL && s->t->worker->orphaned && ++s->hosts == HOSTS_MAX)
        *s->budget = 0;
    learn(s, &o);
    if (!trial_failed(&o) || !crash_signature_is_kept(&s->m->shown->signature, &o.signature))
        return false;
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
    ret = cfz_minimize(vs, &budget, try_cand, &s, err);
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
