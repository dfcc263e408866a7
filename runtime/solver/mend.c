/*
 * mend.c - see mend.h.
 */
#include "solver/mend.h"

#include "solver/solving.h"

enum { FIELDS = 6 }; /* that are mended in one input */

/* Whether the site of an event has a field that depends on the rest of the input. */
static bool has_field(const struct cfz_search *s, const struct cfz_event *e)
{
    const struct cfz_recipe *r = cfz_site_recipe(s->goals, e->site);

    return r && r->set && r->reckoned && !cfz_is_erratic(s, e);
}

bool cfz_mend_applies(const struct cfz_search *s)
{
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (has_field(s, &cfz_trace.events[i]))
            return true;
    return false;
}

/* The first comparison of the last trace that says a field is wrong, or NULL. */
static const struct cfz_event *wrong_field(const struct cfz_search *s)
{
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (has_field(s, e) && !cfz_is_equal(e))
            return e;
    }
    return NULL;
}

enum cfz_ran cfz_mend(struct cfz_search *s, void (*on_mended)(void *ctx))
{
    static struct cfz_image im, mended;
    static struct cfz_compared wrong; /* in im itself, whichever way was tried since */
    enum cfz_ran r = CFZ_RAN;

    if (!cfz_image_read(&im, s->cur))
        return r;
    r = cfz_search_try(s, &im, true);
    for (int k = 0; k < FIELDS && r == CFZ_RAN; k++) {
        const struct cfz_event *e = wrong_field(s);
        bool is_wrong = true;

        if (!e)
            break;
        cfz_compared_take(&wrong, e);
        for (int way = 0; way < 2 && is_wrong && r == CFZ_RAN; way++) {
            cfz_image_copy(&mended, &im);
            if (!cfz_recipe_apply(s, &wrong, &mended, way))
                continue;
            on_mended(s->ctx);
            r = cfz_search_try(s, &mended, true);
            is_wrong = cfz_is_same(&wrong.e, wrong_field(s));
        }
        if (is_wrong)
            break;
        cfz_image_copy(&im, &mended);
    }
    return r;
}
