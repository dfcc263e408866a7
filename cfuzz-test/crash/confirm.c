/*
 * confirm.c - see confirm.h.
 */
#include "crash/confirm.h"

#include <stdio.h>

bool confirm_sure(const struct confirmation *c)
{
    return c->tries == 1 && c->failed == 1;
}

const char *confirm_flaky(const struct confirmation *c, char text[128])
{
    text[0] = '\0';
    if (c->tries == 0 || confirm_sure(c))
        return text;
    if (c->failed == 0)
        snprintf(text, 128, "flaky: it did not fail again, %u time%s in fresh processes", c->tries,
                 c->tries == 1 ? "" : "s");
    else
        snprintf(text, 128, "flaky: it failed %u of %u times in fresh processes", c->failed,
                 c->tries);
    return text;
}

int confirm_run(struct trial *t, const struct cfz_values *vs, int64_t hang_ns,
                struct confirmation *c, struct cfz_error *err)
{
    struct trial_outcome o;

    *c = (struct confirmation){.outcome = {.verdict = TRIAL_VOID}};
    while (c->tries < CONFIRM_TRIES && !confirm_sure(c) && t->patience != PATIENCE_NONE) {
        if (trial_run(t, vs, true, hang_ns, &o, err) < 0)
            return -1;
        if (o.verdict == TRIAL_VOID)
            break;
        if (c->tries == 0)
            c->outcome = o;
        c->tries++;
        c->failed += trial_failed(&o);
    }
    return 0;
}
