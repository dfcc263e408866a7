/*
 * program.h - a small program for tests of the search: comparisons that call the hooks, as a traced
 * copy would, and a run callback around it.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <string.h>

#include "search/search.h"

enum { PROGRAM_SITES = 8, PROGRAM_ROOM = 4096 };

struct program {
    struct cfz_site sites[PROGRAM_SITES];
    uint8_t tracing;
    uint64_t limit; /* executions, then the search is over */
    uint64_t runs, traced, entries;
    bool solved;
    void (*body)(struct program *p, const struct cfz_values *vs);
    bool is_news; /* the body says so: it has new coverage, once */
    struct cfz_value v[4];
    struct cfz_values vs;
    uint8_t data[4][PROGRAM_ROOM];
    struct cfz_rand rand;
    struct cfz_seen seen;
    struct cfz_search search;
};

/* Whether a == b; the site records it. */
static inline bool program_equal(struct program *p, unsigned site, uint64_t a, uint64_t b)
{
    if (p->tracing)
        cfuzz_trace_number(&p->sites[site], a, b);
    return a == b;
}

/* Whether index leaves an array of size; nothing but the site, of a bound, asks. */
static inline bool program_leaves(struct program *p, unsigned site, uint64_t index, uint64_t size)
{
    if (p->tracing)
        cfuzz_trace_number(&p->sites[site], index, size);
    return index >= size;
}

/* Whether n bytes of memory are the same. */
static inline bool program_memory(struct program *p, unsigned site, const void *a, const void *b,
                                  size_t n)
{
    if (p->tracing)
        cfuzz_trace_text(&p->sites[site], a, n, b, n);
    return memcmp(a, b, n) == 0;
}

static inline bool program_text(struct program *p, unsigned site, const char *a, const char *b)
{
    if (p->tracing)
        cfuzz_trace_text(&p->sites[site], a, 0, b, 0);
    return strcmp(a, b) == 0;
}

static enum cfz_ran program_run(void *ctx, bool traced, enum cfz_ran_as as)
{
    struct program *p = ctx;
    bool had;

    if (p->runs >= p->limit || p->solved)
        return CFZ_RAN_OVER;
    p->runs++;
    p->traced += traced;
    p->entries += as == CFZ_RAN_AS_ENTRY;
    if (traced)
        cfz_trace_begin();
    had = p->is_news;
    p->body(p, &p->vs);
    if (traced)
        cfz_trace_end();
    if (p->is_news && !had)
        return CFZ_RAN_NEWS;
    return p->solved ? CFZ_RAN_OVER : CFZ_RAN;
}

/* Readies p for a test of kinds; sites are set before. Returns 0. */
static inline int program_begin(struct program *p, const enum cfz_kind *kinds, size_t n,
                                void (*body)(struct program *, const struct cfz_values *))
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goals *goals;

    for (size_t i = 0; i < n; i++)
        p->v[i] = (struct cfz_value){.kind = kinds[i], .data = p->data[i], .cap = PROGRAM_ROOM};
    p->vs = (struct cfz_values){p->v, n, 0};
    p->body = body;
    p->limit = 1000000;
    cfz_rand_init(&p->rand, 1, 1);
    if (cfz_trace_map(&err) < 0 || cfz_goals_map(&goals, &err) < 0)
        return -1;
    cfuzz_trace_init(CFUZZ_ABI, &p->tracing, p->sites, p->sites + PROGRAM_SITES);
    p->search = (struct cfz_search){.goals = goals,
                                    .seen = &p->seen,
                                    .rand = &p->rand,
                                    .cur = &p->vs,
                                    .max_len = PROGRAM_ROOM - 1,
                                    .run = program_run,
                                    .ctx = p};
    return 0;
}

/* Traces the values, makes im their image, and g the other outcome of the last comparison. False if
 * there is none. */
static inline bool program_last_goal(struct program *p, struct cfz_image *im, struct cfz_goal *g)
{
    if (!cfz_image_read(im, &p->vs) || !cfz_search_trace(&p->search, im) || cfz_trace.nevents == 0)
        return false;
    cfz_flipped(&cfz_trace.events[cfz_trace.nevents - 1], g);
    return true;
}

/* Makes data the first value, and im the image of all. False if it has none. */
static inline bool program_read(struct program *p, const char *data, struct cfz_image *im)
{
    p->v[0].len = strlen(data);
    memcpy(p->data[0], data, p->v[0].len);
    return cfz_image_read(im, &p->vs);
}

#endif
