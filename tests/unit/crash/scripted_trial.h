/*
 * scripted_trial.h - trial_run for tests of what asks for trials: executions are scripted. A test
 * that includes it has trial_run among its "Wraps:".
 */
#ifndef SCRIPTED_TRIAL_H
#define SCRIPTED_TRIAL_H

#include "crash/trial.h"

static const char
    *script; /* one letter each: p passes, f fails, o in another way, v void, e an error */
static unsigned runs, fresh_runs;
static bool (*judge)(const struct cfz_values *vs,
                     struct trial_outcome *out); /* when script is NULL: whether vs dies */
static int64_t last_hang_ns;

int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err);

int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err)
{
    (void)t;
    runs++;
    fresh_runs += fresh;
    last_hang_ns = hang_ns;
    *out = (struct trial_outcome){.verdict = TRIAL_PASSED};
    if (script == NULL) {
        if (judge(vs, out))
            out->verdict = TRIAL_DIED;
        return 0;
    }
    switch (*script++) {
    case 'p':
        return 0;
    case 'f':
        out->verdict = TRIAL_FAILED;
        return 0;
    case 'o':
        out->verdict = TRIAL_FAILED;
        out->signature = (struct crash_signature){
            .class = CRASH_SIGNAL, .detail = 6, .place = 7, .where = "Aborted at url.c:41"};
        return 0;
    case 'v':
        out->verdict = TRIAL_VOID;
        return 0;
    default:
        return cfz_fail(err, CFZ_EINTERNAL, "no more");
    }
}

static void start(const char *s, bool (*j)(const struct cfz_values *, struct trial_outcome *))
{
    script = s;
    judge = j;
    runs = fresh_runs = 0;
}

#endif
