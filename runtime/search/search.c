/*
 * search.c - one execution for a stage of the search, and what both stages need.
 */
#include "search/search.h"

#include <stdio.h>
#include <string.h>

static enum cfz_ran run(struct cfz_search *s, bool traced, enum cfz_ran_as as)
{
    enum cfz_ran r;

    if (s->over)
        return CFZ_RAN_OVER;
    r = s->run(s->ctx, traced, as);
    s->tries++;
    s->cost += traced ? 2 * cfz_work(cfz_trace.passed) : s->work;
    s->nnews += r == CFZ_RAN_NEWS;
    s->over = r == CFZ_RAN_OVER;
    return r;
}

enum cfz_ran cfz_search_try(struct cfz_search *s, const struct cfz_image *im, bool traced)
{
    if (s->over)
        return CFZ_RAN_OVER;
    for (uint32_t i = 0; i < im->n; i++)
        if (cfz_image_grows(im, i) && im->at[i + 1] - im->at[i] > s->max_len)
            return CFZ_RAN;
    cfz_image_write(im, s->cur);
    return run(s, traced, CFZ_RAN_AS_MUTATED);
}

bool cfz_search_trace(struct cfz_search *s, const struct cfz_image *entry)
{
    if (s->over)
        return false;
    cfz_image_write(entry, s->cur);
    return run(s, true, CFZ_RAN_AS_ENTRY) != CFZ_RAN_OVER;
}

double cfz_number_float(const struct cfz_site *site, uint64_t v)
{
    const struct cfz_value x = {.kind = site->width == 32 ? CFZ_KIND_FLOAT32 : CFZ_KIND_FLOAT64,
                                .bits = v};

    return cfz_value_float(&x);
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

void cfz_flipped(const struct cfz_event *e, struct cfz_goal *g)
{
    const struct cfz_site *s = e->site;
    bool outcome = cfz_holds(e);

    memset(g, 0, sizeof *g);
    g->site = e->site;
    g->nth = e->nth;
    if (cfz_site_is_text(s))
        g->want = CFZ_REL_EQUAL;
    else
        g->want = outcome ? (uint8_t)(~s->predicate & 15) : s->predicate;
    g->key = cfz_goal_key0(s, !outcome);
}

bool cfz_is_pointer_like(const struct cfz_event *e)
{
    enum { LOWEST_ADDRESS = 0x400000 };

    return e->site->kind == CFZ_SITE_INT && e->site->width == 64 &&
           ((e->b == 0 && e->a > LOWEST_ADDRESS && e->a >> 47 == 0 && e->a >> 32 != 0) ||
            (e->a == 0 && e->b > LOWEST_ADDRESS && e->b >> 47 == 0 && e->b >> 32 != 0));
}
