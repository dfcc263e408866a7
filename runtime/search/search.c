/*
 * search.c - one execution for a stage of the search, and what both stages need.
 */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

#include "core/extended.h"
#include "core/field.h"
#include "core/text.h"

uint64_t cfz_search_cost(const struct cfz_search *s, uint64_t work)
{
    const uint64_t cost = s->unit > 1 ? work / s->unit : work;

    return cost > 0 ? cost : 1;
}

uint64_t cfz_search_spent(const struct cfz_search *s)
{
    return s->unit > 1 ? s->unit_from + (s->cost - s->unit_from) * s->unit : s->cost;
}

void cfz_search_unit(struct cfz_search *s, uint64_t work)
{
    cfz_search_settle(s);
    s->unit = work;
    s->unit_from = s->cost;
}

void cfz_search_settle(struct cfz_search *s)
{
    s->cost = cfz_search_spent(s);
    s->unit = 0;
}

static enum cfz_ran run(struct cfz_search *s, bool traced, enum cfz_ran_as as)
{
    enum cfz_ran r;

    if (s->over)
        return CFZ_RAN_OVER;
    r = s->run(s->ctx, traced, as);
    s->tries++;
    s->cost += cfz_search_cost(s, traced ? 2 * cfz_work(cfz_trace.passed) : s->work);
    s->nnews += r == CFZ_RAN_NEWS;
    s->over = r == CFZ_RAN_OVER;
    return r;
}

/* Whether no value of im is longer than FUZZ may make one. */
static bool may_be_executed(const struct cfz_search *s, const struct cfz_image *im)
{
    for (uint32_t i = 0; i < im->n; i++)
        if (cfz_image_grows(im, i) && im->at[i + 1] - im->at[i] > s->max_len)
            return false;
    return true;
}

enum cfz_ran cfz_search_try(struct cfz_search *s, const struct cfz_image *im, bool traced)
{
    uint64_t hash = 0; /* 0: not asked for */
    enum cfz_ran r;

    if (s->over)
        return CFZ_RAN_OVER;
    if (s->under_way)
        hash = cfz_deadly_hash(im);
    if (!may_be_executed(s, im) || (hash != 0 && cfz_deadly_has(&s->goals->deadly, hash))) {
        s->cost++;
        s->states = 0;
        cfz_trace_begin(); /* not even the last one's */
        cfz_trace_end();
        return CFZ_RAN;
    }
    cfz_image_write(im, s->cur);
    cfz_stored_keep(&s->stored, s->cur);
    if (s->under_way)
        atomic_store_explicit(&s->under_way->input, hash, memory_order_relaxed);
    r = run(s, traced, CFZ_RAN_AS_MUTATED);
    if (s->under_way)
        atomic_store_explicit(&s->under_way->input, 0, memory_order_relaxed);
    return r;
}

bool cfz_search_trace(struct cfz_search *s, const struct cfz_image *entry)
{
    if (s->over)
        return false;
    cfz_image_write(entry, s->cur);
    cfz_image_find_streams(entry, &s->stored);
    return run(s, true, CFZ_RAN_AS_ENTRY) != CFZ_RAN_OVER;
}

bool cfz_is_left_alone(const struct cfz_search *s, const struct cfz_site *site)
{
    const struct cfz_site_note *n = cfz_site_note(s->goals, site);

    return n && atomic_load_explicit(&n->erratic, memory_order_relaxed);
}

bool cfz_is_erratic(const struct cfz_search *s, const struct cfz_event *e)
{
    return cfz_is_left_alone(s, e->site);
}

/* What became of each site: the sum over its events in one trace, less that in another. Zero
 * between calls. */
static uint32_t sums[CFZ_SITE_NOTES_MAX];
static uint32_t reached[CFZ_EVENTS_MAX], nreached; /* sites with an event in the first of the two */

static uint32_t event_hash(const struct cfz_event *e)
{
    uint64_t shown =
        e->site->kind == CFZ_SITE_SWITCH ? (uint64_t)(cfz_case(e->site, e->a) + 1) : cfz_holds(e);

    return (uint32_t)(((uint64_t)e->nth << 20 ^ (shown + 1)) * 0x9e3779b97f4a7c15 >> 32) | 1;
}

static void add_trace(void)
{
    nreached = 0;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];

        if (e->site->id >= CFZ_SITE_NOTES_MAX)
            continue;
        sums[e->site->id] += event_hash(e);
        if (e->nth == 0)
            reached[nreached++] = e->site->id;
    }
}

static void leave_alone(struct cfz_search *s, uint32_t id)
{
    if (!atomic_exchange_explicit(&s->goals->sites[id].erratic, 1, memory_order_relaxed))
        s->nerratic++;
}

void cfz_leave_alone(struct cfz_search *s, const struct cfz_site *site)
{
    if (site->id < CFZ_SITE_NOTES_MAX)
        leave_alone(s, site->id);
}

/* Whether the site of that number differs in the two traces; with mark it is noted. */
static bool differs(struct cfz_search *s, uint32_t id, bool mark)
{
    bool d = sums[id] != 0;

    sums[id] = 0;
    if (d && mark)
        leave_alone(s, id);
    return d;
}

/* Compares the last trace with the one that was added. Returns whether they differ. */
static bool compare_trace(struct cfz_search *s, bool mark)
{
    bool d = false;

    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (cfz_trace.events[i].site->id < CFZ_SITE_NOTES_MAX)
            sums[cfz_trace.events[i].site->id] -= event_hash(&cfz_trace.events[i]);
    for (uint32_t i = 0; i < nreached; i++)
        d |= differs(s, reached[i], mark);
    for (uint32_t i = 0; i < cfz_trace.nevents; i++)
        if (cfz_trace.events[i].site->id < CFZ_SITE_NOTES_MAX)
            d |= differs(s, cfz_trace.events[i].site->id, mark);
    return d;
}

bool cfz_search_trace_again(struct cfz_search *s, const struct cfz_image *entry)
{
    uint64_t news;
    bool d = false;

    s->odd = false;
    cfz_image_write(entry, s->cur);
    if (run(s, false, CFZ_RAN_AS_ENTRY) == CFZ_RAN_OVER)
        return false;
    news = s->nnews;
    for (int i = 0; cfz_search_trace(s, entry); i++) {
        if (i > 0)
            d = compare_trace(s, i == 2);
        /* Of a trace that is cut short, what is missing depends on all that came before. */
        if (i == 2 || (i == 1 && !d && s->nnews == news) || cfz_trace.nevents == CFZ_EVENTS_MAX) {
            s->odd = s->nnews != news && !d;
            return true;
        }
        add_trace();
    }
    while (nreached > 0)
        sums[reached[--nreached]] = 0;
    return false;
}

double cfz_number_float(const struct cfz_site *site, uint64_t v)
{
    return cfz_float_operand(site->width, v);
}

uint32_t cfz_number_text(const struct cfz_site *site, uint64_t v, char text[CFZ_NUMBER_TEXT])
{
    uint64_t mask = cfz_site_mask(site);
    int n;

    v &= mask;
    if (site->kind == CFZ_SITE_FLOAT) {
        n = snprintf(text, CFZ_NUMBER_TEXT, "%.17g", cfz_number_float(site, v));
    } else if ((site->flags & CFZ_SITE_SIGNED) && v > mask >> 1) {
        n = snprintf(text, CFZ_NUMBER_TEXT, "-%llu", (unsigned long long)((0 - v) & mask));
    } else {
        n = snprintf(text, CFZ_NUMBER_TEXT, "%llu", (unsigned long long)v);
    }
    return n < 0 ? 0 : n < CFZ_NUMBER_TEXT ? (uint32_t)n : CFZ_NUMBER_TEXT - 1;
}

uint32_t cfz_number_head(const struct cfz_site *site, uint64_t v, uint8_t text[8])
{
    const uint32_t size = site->width / 8;

    cfz_field_put(text, 8, false, v & cfz_site_mask(site));
    return (uint32_t)strnlen((const char *)text, size < 8 ? size : 8);
}

uint32_t cfz_number_word(const struct cfz_site *site, uint64_t v, uint8_t text[8])
{
    const uint32_t n = cfz_number_head(site, v, text);

    if (site->kind != CFZ_SITE_INT || n < 2 || n >= site->width / 8U ||
        (v & cfz_site_mask(site)) >> 8 * n != 0)
        return 0;
    for (uint32_t k = 0; k < n; k++)
        if (!cfz_is_ascii_text(text[k]))
            return 0;
    return n;
}

void cfz_recipe_place(struct cfz_recipe *r, const struct cfz_image *im, uint32_t p)
{
    uint32_t i = cfz_image_value(im, p);

    r->value = (uint8_t)i;
    r->at = p - im->at[i];
    r->from_end = im->at[i + 1] - p;
}

static void goal_of(const struct cfz_event *e, bool outcome, struct cfz_goal *g)
{
    const struct cfz_site *s = e->site;

    memset(g, 0, sizeof *g);
    g->site = e->site;
    g->nth = e->nth;
    if (cfz_site_is_text(s))
        g->want = CFZ_REL_EQUAL;
    else
        g->want = outcome ? s->predicate : (uint8_t)(~s->predicate & 15);
    g->key = cfz_goal_key0(s, outcome);
}

void cfz_flipped(const struct cfz_event *e, struct cfz_goal *g)
{
    goal_of(e, !cfz_holds(e), g);
}

void cfz_shown(const struct cfz_event *e, struct cfz_goal *g)
{
    goal_of(e, cfz_holds(e), g);
}

/* Whether an operand may be an address: a constant of the program is none. */
static bool may_be_address(const struct cfz_event *e, uint64_t operand, unsigned constant)
{
    return (e->site->flags & constant) == 0 && operand >> 47 == 0 && operand >> 32 != 0;
}

bool cfz_is_pointer_like(const struct cfz_event *e)
{
    return cfz_site_is_pointer(e->site) ||
           (e->site->kind == CFZ_SITE_INT && e->site->width == 64 &&
            ((e->b == 0 && may_be_address(e, e->a, CFZ_SITE_CONST_A)) ||
             (e->a == 0 && may_be_address(e, e->b, CFZ_SITE_CONST_B))));
}
