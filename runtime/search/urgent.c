/*
 * urgent.c - see urgent.h.
 */
#define _GNU_SOURCE
#include "search/urgent.h"

#include "coverage/prelude.h"

/* Makes g the goal of an event. False if that is not urgent. */
static bool urgent_goal(const struct cfz_search *s, const struct cfz_event *e, struct cfz_goal *g)
{
    const struct cfz_site *site = e->site;

    if (!cfz_is_early(e, 1) || site->id >= CFZ_SITE_NOTES_MAX || site->kind == CFZ_SITE_SWITCH ||
        cfz_site_is_unasked(site) || (cfz_site_is_text(site) && e->outcome) ||
        cfz_is_pointer_like(e) || cfz_is_erratic(s, e) ||
        atomic_load_explicit(&s->goals->sights[site->id].reached, memory_order_relaxed) >
            CFZ_URGENT_REACHED)
        return false;
    cfz_flipped(e, g);
    if (!cfz_goal_is_equality(g))
        return false; /* a bound, most often: long inputs would get past it before short ones do */
    return cfz_goal_behind(g) >= CFZ_URGENT_BEHIND && cfz_goal_open(s->goals, s->seen, g);
}

static void add(struct cfz_urgent *u, const struct cfz_urgent_goal *g)
{
    struct cfz_urgent_goal *least = &u->goals[0];

    for (uint32_t i = 0; i < u->n; i++) {
        if (u->goals[i].key == g->key)
            return;
        if (u->goals[i].behind < least->behind)
            least = &u->goals[i];
    }
    if (u->n < CFZ_URGENT_GOALS)
        u->goals[u->n++] = *g;
    else if (least->behind < g->behind)
        *least = *g;
}

void cfz_urgent_see(struct cfz_urgent *u, const struct cfz_search *s, uint64_t entry, uint64_t cost)
{
    if (u->n > CFZ_URGENT_GOALS)
        u->n = 0;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        struct cfz_goal g;

        if (urgent_goal(s, e, &g))
            add(u, &(struct cfz_urgent_goal){.entry = entry,
                                             .cost = cost,
                                             .key = g.key,
                                             .site = e->site->id,
                                             .nth = e->nth,
                                             .behind = cfz_goal_behind(&g),
                                             .want = g.want});
    }
}

/* The goal that is the next one, of those that cost at most so much; NULL if there is none. */
static struct cfz_urgent_goal *choose(struct cfz_urgent *u, uint64_t most)
{
    struct cfz_urgent_goal *next = NULL;

    for (uint32_t i = 0; i < u->n && i < CFZ_URGENT_GOALS; i++) {
        struct cfz_urgent_goal *g = &u->goals[i];

        if (g->cost <= most && (!next || g->attempts < next->attempts ||
                                (g->attempts == next->attempts && g->behind > next->behind)))
            next = g;
    }
    return next;
}

bool cfz_urgent_due(const struct cfz_urgent *u, uint64_t most)
{
    for (uint32_t i = 0; i < u->n && i < CFZ_URGENT_GOALS; i++)
        if (u->goals[i].cost <= most)
            return true;
    return false;
}

bool cfz_urgent_next(struct cfz_urgent *u, const struct cfz_search *s, uint64_t most,
                     struct cfz_goal *g, uint64_t *entry, unsigned *before)
{
    struct cfz_urgent_goal *next;

    while (u->n <= CFZ_URGENT_GOALS && (next = choose(u, most)) != NULL) {
        struct cfz_site *site = cfz_trace_site(next->site);

        *g =
            (struct cfz_goal){.site = site, .nth = next->nth, .want = next->want, .key = next->key};
        if (site && next->attempts < CFZ_URGENT_ATTEMPTS && cfz_goal_open(s->goals, s->seen, g)) {
            *entry = next->entry;
            *before = next->attempts++;
            return true;
        }
        *next = u->goals[--u->n];
    }
    return false;
}
