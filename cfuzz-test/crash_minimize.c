/*
 * crash_minimize.c - see crash_minimize.h.
 */
#include "crash_minimize.h"

#include "core/minimizer.h"

enum {
    /* A try that hangs costs this much: with -hangtimeout's 10 s a minute would allow six tries.
     * An execution of milliseconds on a busy machine stays well below. Guessed. */
    HANG_TRY_MS = 400,
    HANG_TIMES = 20, /* the longest that ended, so often */
};

struct minimizing {
    struct trial *t;
    struct crash_minimizing *m;
    uint64_t deadline; /* uv_hrtime, or 0 */
    uint64_t longest;  /* ns of an execution that ended by itself */
    uint64_t *budget;
    struct cfz_error err;
    bool failed; /* err holds why */
};

static int64_t hang_limit(const struct minimizing *s)
{
    uint64_t limit = (uint64_t)HANG_TRY_MS * 1000000;

    if (limit < HANG_TIMES * s->longest)
        limit = HANG_TIMES * s->longest;
    return limit < (uint64_t)s->m->hang_ns ? (int64_t)limit : s->m->hang_ns;
}

/* Context: called by cfz_minimize. */
static bool try_cand(void *ctx, const struct cfz_values *cand)
{
    struct minimizing *s = ctx;
    struct trial_outcome o;

    if (*s->m->ended || (s->deadline != 0 && uv_hrtime() >= s->deadline)) {
        *s->budget = 0;
        return false;
    }
    if (trial_run(s->t, cand, false, hang_limit(s), &o, &s->err) < 0) {
        s->failed = true;
        *s->budget = 0;
        return false;
    }
    s->m->tries++;
    if (o.ns > s->longest && (o.verdict == TRIAL_PASSED || o.verdict == TRIAL_FAILED))
        s->longest = o.ns;
    if (!trial_failed(&o) || !crash_id_same_place(&o.id, s->m->id))
        return false;
    s->m->accepted++;
    return true;
}

int crash_minimize(struct trial *t, struct crash_minimizing *m, struct cfz_values *vs,
                   struct cfz_error *err)
{
    uint64_t budget = m->limit.kind == LIMIT_COUNT ? m->limit.count : UINT64_MAX;
    struct minimizing s = {.t = t, .m = m, .budget = &budget};

    if (m->limit.kind == LIMIT_NONE || *m->ended)
        return 0;
    if (m->limit.kind == LIMIT_TIME)
        s.deadline = uv_hrtime() + (uint64_t)m->limit.ns;
    if (cfz_minimize(vs, &budget, try_cand, &s, err) < 0)
        return -1;
    if (s.failed) {
        if (err != NULL)
            *err = s.err;
        return -1;
    }
    return 0;
}
