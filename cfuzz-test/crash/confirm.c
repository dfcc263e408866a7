/*
 * confirm.c - see confirm.h.
 */
#include "crash/confirm.h"

#include <stdio.h>
#include <string.h>

bool confirm_sure(const struct confirmation *c)
{
    return c->tries == 1 && c->failed == 1;
}

const char *confirm_flaky(const struct confirmation *c, char text[CONFIRM_TEXT])
{
    text[0] = '\0';
    if (c->tries == 0 || confirm_sure(c))
        return text;
    if (c->failed == 0 && c->other > 0)
        snprintf(text, CONFIRM_TEXT, "flaky: in a fresh process it fails in another way: %s",
                 c->where);
    else if (c->failed == 0)
        snprintf(text, CONFIRM_TEXT, "flaky: it did not fail again, %u time%s in fresh processes",
                 c->tries, c->tries == 1 ? "" : "s");
    else
        snprintf(text, CONFIRM_TEXT, "flaky: it failed %u of %u times in fresh processes",
                 c->failed, c->tries);
    return text;
}

/* Whether what failed now is the crash that was found. Where a hang, or a process that had too much
 * memory, was seen is chance. */
static bool is_found(const struct crash_signature *found, const struct crash_signature *now)
{
    if (found->class == now->class && (found->class == CRASH_HUNG || found->class == CRASH_MEMORY ||
                                       found->class == CRASH_KILL || found->class == CRASH_STOPPED))
        return true;
    return crash_signature_is_kept(found, now);
}

int confirm_run(struct trial *t, const struct cfz_values *vs, const struct crash_signature *found,
                int64_t hang_ns, struct confirmation *c, struct cfz_error *err)
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
        if (!trial_failed(&o))
            continue;
        if (is_found(found, &o.signature))
            c->failed++;
        else if (c->other++ == 0)
            memcpy(c->where, o.signature.where, sizeof c->where);
    }
    return 0;
}
