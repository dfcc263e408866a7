/*
 * obstacles.c - what is noted of comparisons that block, and their order.
 *
 * A site of which inputs showed one outcome has a goal of level 0, the other one. The plugin says
 * how many counters lie behind it (abi.h); while it is open, none of them is covered. So the order
 * needs no look at the rest of the program.
 */
#define _GNU_SOURCE
#include "search/obstacles.h"

#include <stdio.h>
#include <string.h>

#include "search/search.h"

enum {
    /* With fewer counters behind them, comparisons of numbers are told only if they look for a
     * value that is far: others are bounds, ends of loops, and failures that never happen. Guessed.
     * Where nothing else is to be told, so many are of those that are left. */
    BEHIND_FEW = 3,
    LEFT_TOLD = 3,
    NEAR = 8,
    UNTIED_ATTEMPTS = 2, /* of the solver, from which on an outcome without counters is told */
    /* Inputs of so many bytes, of which three quarters matter, look like a checksum. Guessed. */
    MOST_OF_NUMBER = 6,
    MOST_OF_TEXT = 12,
};

static struct cfz_site_sight *sight_of(struct cfz_goals *goals, const struct cfz_site *site)
{
    return site->id < CFZ_SITE_NOTES_MAX ? &goals->sights[site->id] : NULL;
}

static bool take(struct cfz_site_sight *sight)
{
    return atomic_exchange_explicit(&sight->busy, 1, memory_order_acquire) == 0;
}

static void release(struct cfz_site_sight *sight)
{
    atomic_store_explicit(&sight->busy, 0, memory_order_release);
}

/* ---- notes ------------------------------------------------------------------ */

static uint8_t keep_text(uint8_t to[CFZ_OBSTACLE_TEXT], uint32_t at, uint32_t len)
{
    uint32_t n = len < CFZ_OBSTACLE_TEXT ? len : CFZ_OBSTACLE_TEXT;

    memcpy(to, cfz_trace.text + at, n);
    return (uint8_t)n;
}

static void keep_operands(struct cfz_site_sight *sight, const struct cfz_event *e)
{
    if (cfz_site_is_text(e->site)) {
        sight->len_a = keep_text(sight->text_a, e->a_at, e->a_len);
        sight->len_b = keep_text(sight->text_b, e->b_at, e->b_len);
    } else {
        sight->a = e->a;
        sight->b = e->b;
    }
}

void cfz_obstacles_nearer(struct cfz_goals *goals, const struct cfz_goal *g,
                          const struct cfz_event *e)
{
    struct cfz_site_sight *sight = sight_of(goals, e->site);
    bool wants_true = cfz_site_is_text(e->site) || (g->want & e->site->predicate) != 0;
    uint64_t distance;

    if (!sight || e->site->kind == CFZ_SITE_SWITCH)
        return;
    distance = cfz_goal_distance(g, e);
    if (sight->seen && sight->wants_true == wants_true && sight->distance <= distance)
        return;
    if (distance == 0 || !take(sight))
        return;
    sight->wants_true = wants_true;
    sight->distance = distance;
    keep_operands(sight, e);
    sight->seen = 1;
    release(sight);
}

/* One comparison of an input. Of a switch the last value is kept. */
static void saw(struct cfz_goals *goals, const struct cfz_seen *seen, const struct cfz_event *e)
{
    struct cfz_site_sight *sight = sight_of(goals, e->site);
    struct cfz_goal g;

    if (!sight || cfz_is_beyond(e) || cfz_site_is_unasked(e->site) ||
        (e->site->flags & CFZ_SITE_EXAMPLE) || (cfz_site_is_text(e->site) && e->outcome))
        return;
    if (e->site->kind == CFZ_SITE_SWITCH) {
        if (take(sight)) {
            keep_operands(sight, e);
            sight->seen = 1;
            release(sight);
        }
    } else {
        cfz_flipped(e, &g);
        if (!cfz_goal_open(goals, seen, &g))
            return;
        cfz_obstacles_nearer(goals, &g, e);
    }
    if (e->nth != 0)
        return;
    atomic_fetch_add_explicit(&sight->reached, 1, memory_order_relaxed);
    atomic_fetch_or_explicit(&goals->sighted[e->site->id / 64], (uint64_t)1 << e->site->id % 64,
                             memory_order_relaxed);
}

/* Whether a site has a sight. Memory of those that have none is not touched. */
static bool is_sighted(struct cfz_goals *goals, uint32_t id)
{
    return atomic_load_explicit(&goals->sighted[id / 64], memory_order_relaxed) >> id % 64 & 1;
}

void cfz_obstacles_saw(struct cfz_goals *goals, const struct cfz_seen *seen)
{
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        saw(goals, seen, &cfz_trace.events[i]);
}

/* Whether so much of the input matters as does for a checksum, and more than the operand has. A
 * number is one thing, however many bytes it has. */
static bool is_most(const struct cfz_site *site, const struct cfz_influences *in)
{
    uint32_t least = cfz_site_is_text(site) ? MOST_OF_TEXT : MOST_OF_NUMBER;

    return in->of_growing >= least && in->ngrowing > site->width / 8U &&
           in->ngrowing >= in->of_growing / 4 * 3;
}

bool cfz_obstacles_asks_again(struct cfz_goals *goals, const struct cfz_site *site,
                              const struct cfz_influences *in)
{
    struct cfz_site_sight *sight = sight_of(goals, site);

    return sight && in->nbytes > 0 && in->nbytes >= in->of - in->of / 4 &&
           !atomic_exchange_explicit(&sight->repeated, 1, memory_order_relaxed);
}

void cfz_obstacles_probed(struct cfz_goals *goals, const struct cfz_site *site,
                          const struct cfz_influences *in)
{
    struct cfz_site_sight *sight = sight_of(goals, site);

    if (!sight || in->nbytes < sight->nbytes || !take(sight))
        return; /* another input said more */
    sight->nbytes = (uint16_t)(in->nbytes < UINT16_MAX ? in->nbytes : UINT16_MAX);
    sight->nranges =
        (uint8_t)(in->nranges < CFZ_OBSTACLE_RANGES ? in->nranges : CFZ_OBSTACLE_RANGES);
    for (uint32_t i = 0; i < sight->nranges; i++)
        sight->ranges[i] = in->ranges[i];
    if (in->drifts)
        sight->influence = CFZ_INFLUENCE_DRIFTS;
    else if (in->nbytes == 0)
        sight->influence = in->more   ? CFZ_INFLUENCE_MORE
                           : in->lost ? CFZ_INFLUENCE_HIDDEN
                                      : CFZ_INFLUENCE_NONE;
    else if (is_most(site, in))
        sight->influence = CFZ_INFLUENCE_MOST;
    else
        sight->influence = in->more || in->nranges > CFZ_OBSTACLE_RANGES ? CFZ_INFLUENCE_MORE
                                                                         : CFZ_INFLUENCE_RANGES;
    release(sight);
}

/* ---- order ------------------------------------------------------------------- */

static uint32_t attempts_of(struct cfz_goals *goals, uint64_t key)
{
    const struct cfz_goal_note *note = cfz_goal_known(goals, key);

    return note ? atomic_load_explicit(&note->tried, memory_order_relaxed) : 0;
}

static bool case_open(struct cfz_goals *goals, const struct cfz_seen *seen, struct cfz_site *site,
                      uint32_t i, struct cfz_goal *g)
{
    cfz_goal_of_case(site, i, 0, g);
    return cfz_goal_open(goals, seen, g);
}

/* How many counters are uncovered behind an open case. What it shares with others is covered if one
 * of them was met. *shared: it was counted with a case before. */
static uint32_t behind_case(struct cfz_goals *goals, const struct cfz_seen *seen,
                            struct cfz_site *site, uint32_t i, bool *shared)
{
    enum { LOOKED_AT = 64 }; /* cases */
    const struct cfz_case *c = &site->cases[i];
    struct cfz_goal g;

    *shared = false;
    if (c->body >= site->ncases)
        return c->behind ? 1 : 0;
    for (uint32_t j = c->body; j < site->ncases && j < c->body + LOOKED_AT; j++) {
        if (j == i || site->cases[j].body != c->body)
            continue;
        if (!case_open(goals, seen, site, j, &g))
            return 1;
        *shared |= j < i;
    }
    return c->behind;
}

static void add_case(struct cfz_obstacle *o, uint32_t behind[CFZ_OBSTACLE_CASES], uint64_t value,
                     uint32_t n)
{
    unsigned at = o->nvalues;

    while (at > 0 && behind[at - 1] < n)
        at--;
    if (at == CFZ_OBSTACLE_CASES)
        return;
    if (o->nvalues < CFZ_OBSTACLE_CASES)
        o->nvalues++;
    for (unsigned k = o->nvalues - 1U; k > at; k--) {
        o->values[k] = o->values[k - 1];
        behind[k] = behind[k - 1];
    }
    o->values[at] = value;
    behind[at] = n;
}

static bool switch_obstacle(struct cfz_goals *goals, const struct cfz_seen *seen,
                            struct cfz_site *site, struct cfz_obstacle *o)
{
    uint32_t behind[CFZ_OBSTACLE_CASES] = {0};

    o->ncases = site->ncases;
    o->want = CFZ_REL_EQUAL;
    for (uint32_t i = 0; i < site->ncases; i++) {
        struct cfz_goal g;
        bool shared;
        uint32_t n, attempts;

        if (!case_open(goals, seen, site, i, &g))
            continue;
        n = behind_case(goals, seen, site, i, &shared);
        o->nopen++;
        o->behind += shared ? 1 : n;
        attempts = attempts_of(goals, g.key);
        o->attempts = attempts > o->attempts ? attempts : o->attempts;
        add_case(o, behind, site->cases[i].value, n);
    }
    return o->nopen > 0;
}

/* Whether a comparison of numbers looks for one value, and no input came near it. */
static bool is_search(const struct cfz_site *site, const struct cfz_site_sight *sight, uint8_t want)
{
    bool zero = ((site->flags & CFZ_SITE_CONST_A) && sight->a == 0) ||
                ((site->flags & CFZ_SITE_CONST_B) && sight->b == 0);

    return want == CFZ_REL_EQUAL && !zero && sight->distance > NEAR;
}

static bool pair_obstacle(struct cfz_goals *goals, const struct cfz_seen *seen,
                          struct cfz_site *site, const struct cfz_site_sight *sight, uint32_t few,
                          struct cfz_obstacle *o)
{
    bool holds = sight->wants_true != 0, is_text = cfz_site_is_text(site);
    struct cfz_goal g = {.site = site,
                         .want = is_text
                                     ? CFZ_REL_EQUAL
                                     : (uint8_t)(holds ? site->predicate : ~site->predicate & 15),
                         .key = cfz_goal_key0(site, holds)};
    bool tied = cfz_site_counter(site, holds) != NULL;

    if (!sight->seen || !cfz_goal_open(goals, seen, &g))
        return false;
    o->want = g.want;
    o->behind = cfz_goal_behind(&g);
    o->attempts = attempts_of(goals, g.key);
    o->nearest = 1;
    if (o->behind == 0)
        return !tied && o->attempts >= UNTIED_ATTEMPTS &&
               (is_text || is_search(site, sight, g.want));
    return is_text || o->behind >= few || is_search(site, sight, g.want);
}

static void copy_file(char to[CFZ_OBSTACLE_FILE], const char *file)
{
    size_t len = strlen(file);

    if (len >= CFZ_OBSTACLE_FILE)
        file += len - (CFZ_OBSTACLE_FILE - 1);
    snprintf(to, CFZ_OBSTACLE_FILE, "%s", file);
}

static void copy_ranges(struct cfz_obstacle *o, const struct cfz_site_sight *sight,
                        const struct cfz_param_desc *params, uint32_t nparams)
{
    o->influence = sight->influence;
    o->nranges = sight->nranges < CFZ_OBSTACLE_RANGES ? sight->nranges : CFZ_OBSTACLE_RANGES;
    for (unsigned i = 0; i < o->nranges; i++) {
        const struct cfz_range *r = &sight->ranges[i];
        const char *name = params && r->value < nparams ? params[r->value].name : "";

        if (name[0] != 0)
            snprintf(o->ranges[i].name, CFZ_OBSTACLE_NAME, "%s", name);
        else
            snprintf(o->ranges[i].name, CFZ_OBSTACLE_NAME, "argument %u", r->value + 1);
        o->ranges[i].from = r->from;
        o->ranges[i].to = r->to;
    }
}

static bool is_fixed(const struct cfz_obstacle *o)
{
    return o->influence == CFZ_INFLUENCE_NONE || o->influence == CFZ_INFLUENCE_DRIFTS;
}

/* Whether x comes before y. What no input changes comes last: a program's configuration has many
 * such comparisons, with much behind them. */
static bool blocks_more(const struct cfz_obstacle *x, const struct cfz_obstacle *y)
{
    bool x_is_fixed = is_fixed(x), y_is_fixed = is_fixed(y);

    if (x_is_fixed != y_is_fixed)
        return y_is_fixed;
    return x->behind != y->behind ? x->behind > y->behind : x->reached > y->reached;
}

/* Whether two comparisons of a line look for the same: else they are two calls, inlined. */
static bool wants_same(const struct cfz_obstacle *x, const struct cfz_obstacle *y)
{
    const unsigned constants = CFZ_SITE_CONST_A | CFZ_SITE_CONST_B;
    const bool a = (x->flags & CFZ_SITE_CONST_A) != 0, b = (x->flags & CFZ_SITE_CONST_B) != 0;

    if (x->kind != y->kind || (x->flags & constants) != (y->flags & constants))
        return false;
    if (x->kind < CFZ_SITE_MEM)
        return (!a || x->a == y->a) && (!b || x->b == y->b);
    return (!a || (x->len_a == y->len_a && memcmp(x->text_a, y->text_a, x->len_a) == 0)) &&
           (!b || (x->len_b == y->len_b && memcmp(x->text_b, y->text_b, x->len_b) == 0));
}

static void add(struct cfz_obstacles *list, const struct cfz_obstacle *o)
{
    uint32_t at;

    for (uint32_t i = 0; i < list->n; i++) { /* a line that was compiled twice is one */
        struct cfz_obstacle *same = &list->at[i];

        if (same->line != o->line || same->column != o->column || o->line == 0 ||
            strcmp(same->file, o->file) != 0 || !wants_same(o, same))
            continue;
        if (!blocks_more(o, same))
            return;
        memmove(same, same + 1, (list->n - i - 1) * sizeof *same);
        list->n--;
        break;
    }
    for (at = list->n; at > 0 && blocks_more(o, &list->at[at - 1]); at--)
        ;
    if (at == CFZ_OBSTACLES_MAX)
        return;
    if (list->n < CFZ_OBSTACLES_MAX)
        list->n++;
    memmove(&list->at[at + 1], &list->at[at], (list->n - at - 1) * sizeof *o);
    list->at[at] = *o;
}

/* few: counters behind a comparison of numbers with which it is told in any case. */
static void rank(struct cfz_goals *goals, const struct cfz_seen *seen,
                 const struct cfz_param_desc *params, uint32_t nparams, uint32_t few,
                 struct cfz_obstacles *list)
{
    uint32_t n = cfz_trace_sites() < CFZ_SITE_NOTES_MAX ? cfz_trace_sites() : CFZ_SITE_NOTES_MAX;

    list->n = 0;
    for (uint32_t id = 0; id < n; id++) {
        const struct cfz_site_sight *sight = &goals->sights[id];
        struct cfz_site *site;
        struct cfz_obstacle o;

        if (!is_sighted(goals, id))
            continue;
        site = cfz_trace_site(id);
        if (!site)
            continue;
        memset(&o, 0, sizeof o);
        if (site->kind == CFZ_SITE_SWITCH ? !switch_obstacle(goals, seen, site, &o)
                                          : !pair_obstacle(goals, seen, site, sight, few, &o))
            continue;
        if (sight->influence == CFZ_INFLUENCE_UNKNOWN && o.attempts == 0)
            continue; /* nobody tried yet */
        copy_file(o.file, site->file);
        o.line = site->line;
        o.column = site->column;
        o.kind = site->kind;
        o.width = site->width;
        o.flags = site->flags;
        o.reached = atomic_load_explicit(&sight->reached, memory_order_relaxed);
        o.a = sight->a;
        o.b = sight->b;
        o.len_a = sight->len_a;
        o.len_b = sight->len_b;
        memcpy(o.text_a, sight->text_a, sizeof o.text_a);
        memcpy(o.text_b, sight->text_b, sizeof o.text_b);
        copy_ranges(&o, sight, params, nparams);
        /* One of its comparisons was probed, and others are what bytes change. */
        if (o.influence == CFZ_INFLUENCE_NONE &&
            atomic_load_explicit(&goals->sites[id].moved, memory_order_relaxed))
            o.influence = CFZ_INFLUENCE_HIDDEN;
        add(list, &o);
    }
}

void cfz_obstacles_rank(struct cfz_goals *goals, const struct cfz_seen *seen,
                        const struct cfz_param_desc *params, uint32_t nparams,
                        struct cfz_obstacles *list)
{
    rank(goals, seen, params, nparams, BEHIND_FEW, list);
    list->little = list->n == 0;
    if (!list->little)
        return;
    rank(goals, seen, params, nparams, 1, list);
    if (list->n > LEFT_TOLD)
        list->n = LEFT_TOLD;
}
