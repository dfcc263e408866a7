/*
 * nearest.c - see nearest.h.
 *
 * Most sites are done with soon: both outcomes were seen, or nobody can work on them. These are
 * told by one byte each, so that a trace is looked at in a nanosecond per comparison.
 */
#define _GNU_SOURCE
#include "search/nearest.h"

#include <string.h>

#include "core/map.h"
#include "coverage/prelude.h"

enum {
    DRIFT = 32,    /* of so many inputs that are as near as one that is kept, and as long, one takes
                      its place */
    PATH_NTH = 2,  /* comparisons of a site that tell paths apart */
    VAIN_OVER = 6, /* turns in vain from which on another goal may take the place */
    MOVES = 8,     /* inputs of a goal that move what is compared, until one comes nearer */
    MOVES_VAIN = 4,     /* turns in vain from which on they are looked for */
    VAIN_FORGOTTEN = 3, /* ... if its site was here so many times less often */
};

/* What is known of a site here. */
enum { SITE_NEW, SITE_DONE, SITE_KEPT /* + the place in the table */ };

static struct cfz_nearest *table;
static uint8_t *sites;   /* by id */
static uint8_t *dropped; /* how often a goal of the site lost its place */
static uint32_t nused;

int cfz_nearest_map(struct cfz_error *err)
{
    if (table)
        return 0;
    table = cfz_map_private(CFZ_NEAREST_MAX * sizeof *table);
    sites = cfz_map_private(CFZ_SITE_NOTES_MAX);
    dropped = cfz_map_private(CFZ_SITE_NOTES_MAX);
    if (!table || !sites || !dropped)
        return cfz_fail_errno(err, "map memory for the nearest inputs");
    return 0;
}

/* ---- what a trace shows ------------------------------------------------------------------ */

/* Whether no goal of a site is for this. */
static bool is_none(struct cfz_search *s, const struct cfz_event *e)
{
    return cfz_site_is_unasked(e->site) || cfz_is_erratic(s, e);
}

static void drop(struct cfz_nearest *n, uint8_t why)
{
    uint32_t id = n->goal.site->id;

    sites[id] = why;
    n->goal.site = NULL;
    nused--;
}

/* There is nothing to do for the site of e. */
static void done(const struct cfz_event *e)
{
    uint8_t *known = &sites[e->site->id];

    if (*known >= SITE_KEPT)
        drop(&table[*known - SITE_KEPT], SITE_DONE);
    *known = SITE_DONE;
}

static bool is_open(struct cfz_search *s, const struct cfz_goal *g)
{
    return cfz_goal_open(s->goals, s->seen, g);
}

/* Of a switch one case at a time is a goal: that which is open and has most behind it. False if
 * there is none. */
static bool choose_case(struct cfz_search *s, const struct cfz_event *e, struct cfz_goal *best)
{
    const struct cfz_site *site = e->site;
    bool found = false;

    if (sites[site->id] >= SITE_KEPT) {
        *best = table[sites[site->id] - SITE_KEPT].goal;
        best->nth = e->nth;
        if (is_open(s, best))
            return true;
    }
    for (uint32_t i = 0; i < site->ncases; i++) {
        struct cfz_goal g;

        cfz_goal_of_case(e->site, i, e->nth, &g);
        if ((site->cases[i].counter != 0 || site->cases[i].behind > 0) && is_open(s, &g) &&
            (!found || cfz_goal_behind(&g) > cfz_goal_behind(best))) {
            *best = g;
            found = true;
        }
    }
    return found;
}

/* How far e is from the goal. Cases of a switch are names more often than numbers. */
static uint64_t distance_of(const struct cfz_goal *g, const struct cfz_event *e)
{
    return g->site->kind == CFZ_SITE_SWITCH ? 1 : cfz_goal_distance(g, e);
}

/* A place for a goal of a site: a free one, or that of a goal which had many turns in vain. */
static struct cfz_nearest *find_place(const struct cfz_site *site)
{
    struct cfz_nearest *worst = NULL;

    for (uint32_t i = 0; i < CFZ_NEAREST_MAX; i++) {
        struct cfz_nearest *n = &table[i];

        if (!n->goal.site)
            return n;
        if (n->vain >= VAIN_OVER && (!worst || n->vain > worst->vain))
            worst = n;
    }
    if (!worst || dropped[site->id] > dropped[worst->goal.site->id] + VAIN_FORGOTTEN)
        return NULL;
    if (dropped[worst->goal.site->id] < UINT8_MAX)
        dropped[worst->goal.site->id]++;
    drop(worst, SITE_NEW);
    return worst;
}

/* A path: which outcomes the last trace shows, but not how often. */
struct path {
    bool known;
    uint64_t hash;
    uint64_t shows[CFZ_NEAREST_SHOWN];
};

static void set_shown(uint64_t shows[CFZ_NEAREST_SHOWN], uint64_t outcome)
{
    const uint64_t h = cfz_hash_mix(outcome) % (64 * CFZ_NEAREST_SHOWN);

    shows[h / 64] |= (uint64_t)1 << h % 64;
}

/* How many outcomes an input shows that none of the ways does but w. */
static uint32_t shows_alone(const struct cfz_way *w, const uint64_t shows[CFZ_NEAREST_SHOWN])
{
    uint64_t any = 0;
    uint32_t alone = 0;

    for (uint32_t k = 0; k < CFZ_NEAREST_SHOWN; k++)
        any |= shows[k] & ~w->others[k];
    for (uint32_t k = 0; any && k < CFZ_NEAREST_SHOWN; k++)
        alone += (uint32_t)__builtin_popcountll(shows[k] & ~w->others[k]);
    return alone;
}

/* One of the ways shows something else than before. */
static void compare_ways(struct cfz_nearest *n)
{
    for (uint32_t i = 0; i < n->nways; i++) {
        struct cfz_way *w = &n->ways[i];

        memset(w->others, 0, sizeof w->others);
        for (uint32_t k = 0; k < n->nways; k++)
            for (uint32_t m = 0; k != i && m < CFZ_NEAREST_SHOWN; m++)
                w->others[m] |= n->ways[k].shows[m];
        w->alone = shows_alone(w, w->shows);
    }
}

static void follow(struct path *path)
{
    *path = (struct path){.known = true};
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (!cfz_is_early(e, PATH_NTH))
            continue;
        path->hash += cfz_hash_mix((uint64_t)e->site->id << 8 | e->nth << 1 | cfz_holds(e));
        set_shown(path->shows, (uint64_t)e->site->id << 1 | cfz_holds(e));
    }
}

/* Whether an input has a better right to a place than the one that is there. The first half of the
 * places are for small inputs, the others for those that show what no other place does: what is
 * still missing may be easier to add to either, and steps without coverage are not lost. */
static bool is_better(const struct cfz_nearest *n, const struct cfz_way *w, uint64_t distance,
                      const struct path *path, uint32_t size)
{
    if (distance != w->distance)
        return distance < w->distance;
    return w - n->ways < CFZ_NEAREST_WAYS / 2 ? size < cfz_image_size(&w->im)
                                              : shows_alone(w, path->shows) > w->alone;
}

/* The place of an input among those of a goal, or NULL. Their paths differ. */
static struct cfz_way *find_way(struct cfz_nearest *n, uint64_t distance, const struct path *path,
                                uint32_t size, bool drifts)
{
    struct cfz_way *place = NULL;

    for (uint32_t i = 0; i < n->nways; i++) {
        struct cfz_way *w = &n->ways[i];

        if (w->path == path->hash)
            return distance < w->distance ||
                           (distance == w->distance && size < cfz_image_size(&w->im) + drifts)
                       ? w
                       : NULL;
        if (is_better(n, w, distance, path, size) && (!place || w->distance > place->distance))
            place = w;
    }
    return n->nways < CFZ_NEAREST_WAYS ? &n->ways[n->nways++] : place;
}

/*
 * What e compares may be no nearer, and yet come from the input where so far it did not: a sum of
 * numbers is 0 as long as there is none. So where nothing came nearer in a while, an input that has
 * other operands is kept for the solver.
 */
static void see_moved(struct cfz_nearest *n, const struct cfz_event *e, const struct cfz_image *im)
{
    if (n->vain < MOVES_VAIN || n->is_moved || n->moves == MOVES || cfz_site_is_text(e->site) ||
        (e->a == n->a && e->b == n->b))
        return;
    n->is_moved = true;
    n->moves++;
    cfz_image_copy(&n->moved, im);
}

/* The outcome that e does not show is open. path is that of the trace, if it is known. */
static void approach(const struct cfz_goal *g, const struct cfz_event *e,
                     const struct cfz_image *im, struct path *path, bool drifts)
{
    uint8_t *known = &sites[g->site->id];
    uint64_t distance = distance_of(g, e);
    struct cfz_nearest *n;
    struct cfz_way *w;

    if (*known < SITE_KEPT) {
        n = find_place(g->site);
        if (!n)
            return;
        nused++;
        *known = (uint8_t)(SITE_KEPT + (n - table));
        n->goal.key = 0; /* none has that */
        n->nways = 0;
        n->distance = UINT64_MAX;
    }
    n = &table[*known - SITE_KEPT];
    if (n->goal.key != g->key) { /* a new place, or another case of the switch */
        n->vain = n->moves = 0;
        n->is_moved = false;
    }
    n->goal = *g;
    if (!path->known)
        follow(path);
    w = find_way(n, distance, path, cfz_image_size(im), drifts);
    if (!w) {
        see_moved(n, e, im);
        return;
    }
    if (distance < n->distance) {
        n->distance = distance;
        n->a = e->a;
        n->b = e->b;
        n->vain = n->moves = 0;
        n->is_moved = false;
    }
    w->distance = distance;
    w->path = path->hash;
    memcpy(w->shows, path->shows, sizeof w->shows);
    compare_ways(n);
    w->records.known = false;
    cfz_image_copy(&w->im, im);
}

/* All that come to a switch are as near, and looking for a case takes as long as there are cases:
 * once in a trace. */
static void see_switch(struct cfz_search *s, const struct cfz_event *e, const struct cfz_image *im,
                       struct path *path, bool drifts)
{
    struct cfz_goal g;

    if (!cfz_is_early(e, 1))
        return;
    if (!choose_case(s, e, &g))
        done(e);
    else if (((e->a ^ g.value) & cfz_site_mask(e->site)) != 0)
        approach(&g, e, im, path, drifts);
}

bool cfz_nearest_see(struct cfz_search *s, const struct cfz_image *im)
{
    bool is_long = cfz_trace.nevents > CFZ_EVENTS_LONG, is_first = false, drifts;
    struct path path = {.known = false};

    if (!table)
        return false;
    drifts = cfz_rand_below(s->rand, DRIFT) == 0;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        const struct cfz_site_note *note = cfz_site_note(s->goals, e->site);
        struct cfz_goal other, shown;

        if (!note || sites[e->site->id] == SITE_DONE)
            continue;
        if (is_none(s, e)) {
            done(e);
            continue;
        }
        if (cfz_is_beyond(e) || cfz_is_before_input(e) ||
            (is_long && !atomic_load_explicit(&note->moved, memory_order_relaxed)))
            continue;
        if (e->site->kind == CFZ_SITE_SWITCH) {
            see_switch(s, e, im, &path, drifts);
            continue;
        }
        cfz_shown(e, &shown);
        cfz_flipped(e, &other);
        if (!cfz_site_is_text(e->site) || e->outcome)
            is_first |= is_open(s, &shown);
        if ((cfz_site_is_text(e->site) && e->outcome) || !is_open(s, &other))
            done(e);
        else
            approach(&other, e, im, &path, drifts);
    }
    if (is_first)
        cfz_goals_learn(s->goals);
    return is_first;
}

/* ---- turns ------------------------------------------------------------------------------ */

/* How much a turn is worth: what is behind the goal, in steps of doubling, by turns in vain. */
static uint64_t worth(const struct cfz_nearest *n)
{
    return ((uint64_t)(2 + 32 - __builtin_clz(cfz_goal_behind(&n->goal) | 1)) << 32) /
           (1 + n->vain);
}

struct cfz_nearest *cfz_nearest_next(struct cfz_search *s)
{
    struct cfz_nearest *best = NULL;

    for (uint32_t i = 0; table && nused > 0 && i < CFZ_NEAREST_MAX; i++) {
        struct cfz_nearest *n = &table[i];

        if (n->goal.site && !is_open(s, &n->goal))
            drop(n, SITE_NEW);
        if (n->goal.site && (!best || worth(n) > worth(best)))
            best = n;
    }
    if (best)
        best->vain++;
    return best;
}

const struct cfz_image *cfz_nearest_any(struct cfz_rand *r)
{
    uint32_t at = cfz_rand_below(r, CFZ_NEAREST_MAX);

    for (uint32_t k = 0; table && nused > 0 && k < CFZ_NEAREST_MAX; k++) {
        const struct cfz_nearest *n = &table[(at + k) % CFZ_NEAREST_MAX];

        if (n->goal.site)
            return &n->ways[cfz_rand_below(r, n->nways)].im;
    }
    return NULL;
}
