/*
 * prelude.c - see prelude.h.
 *
 * Of each site that has many comparisons, hashes of those of one trace are kept, of which the first
 * agreed with all traces since. A longer trace continues them where all of them agreed.
 */
#define _GNU_SOURCE
#include "coverage/prelude.h"

#include <string.h>

#include "core/hash.h"
#include "core/map.h"

enum {
    LEADS = 2048,         /* sites */
    ROOM = 1 << 17,       /* hashes of all of them */
    ROOM_LEAST = 32,      /* of one; doubled when it is too small */
    NO_LEAD = UINT16_MAX, /* of a site whose first comparison differs from input to input */
};

static struct lead {
    uint32_t at, room; /* its hashes */
    uint32_t n;        /* that it has */
    uint32_t same;     /* the first of them, which agreed with all traces */
    uint32_t agreed;   /* executions with a comparison behind these */
} leads[LEADS];

uint32_t cfz_preludes;
static uint32_t used;
static uint16_t *of_site; /* 1 + index of a lead, 0, or NO_LEAD */
static uint32_t *hashes;

int cfz_prelude_map(struct cfz_error *err)
{
    if (of_site)
        return 0;
    hashes = cfz_map_private(ROOM * sizeof *hashes);
    of_site = cfz_map_private(CFZ_SITE_NOTES_MAX * sizeof *of_site);
    if (!hashes || !of_site)
        return cfz_fail_errno(err, "map memory for what is compared before the input");
    return 0;
}

uint32_t cfz_event_hash(const struct cfz_event *e)
{
    uint64_t h = cfz_site_is_text(e->site)
                     ? cfz_text_hash(cfz_trace.text + e->a_at, e->a_len) +
                           cfz_hash_mix(cfz_text_hash(cfz_trace.text + e->b_at, e->b_len))
                     : cfz_hash_mix(e->a) + e->b * 3;

    return (uint32_t)(h >> 32 ^ h) | 1;
}

static struct lead *lead_of(const struct cfz_site *site)
{
    uint16_t at = of_site && site->id < CFZ_SITE_NOTES_MAX ? of_site[site->id] : 0;

    return at != 0 && at != NO_LEAD ? &leads[at - 1] : NULL;
}

/* Makes room for one more hash. False if there is none. */
static bool grow(struct lead *l)
{
    uint32_t room = l->room ? 2 * l->room : ROOM_LEAST;

    if (l->n < l->room)
        return true;
    if (room > ROOM - used)
        return false;
    memcpy(hashes + used, hashes + l->at, l->n * sizeof *hashes);
    l->at = used;
    l->room = room;
    used += room;
    return true;
}

/* The lead of a site of which the trace has many comparisons, a new one perhaps; or NULL. */
static struct lead *lead_for(const struct cfz_site *site)
{
    if (site->id >= CFZ_SITE_NOTES_MAX)
        return NULL;
    if (of_site[site->id] == 0 && site->hits > CFZ_PRELUDE_MANY && cfz_preludes < LEADS)
        of_site[site->id] = (uint16_t)++cfz_preludes;
    return lead_of(site);
}

void cfz_prelude_compare(const struct cfz_event *e, uint32_t hash)
{
    struct lead *l = lead_of(e->site);

    if (!l || e->nth > l->same)
        return;
    if (e->nth == l->same) {
        l->agreed += l->same < l->n;
        return;
    }
    if (hashes[l->at + e->nth] == hash)
        return;
    l->same = e->nth;
    if (l->same == 0)
        of_site[e->site->id] = NO_LEAD;
}

void cfz_prelude_see(void)
{
    if (!of_site)
        return;
    for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
        const struct cfz_event *e = &cfz_trace.events[i];
        struct lead *l = lead_for(e->site);
        uint32_t hash;

        if (!l || e->nth > l->same)
            continue;
        hash = cfz_event_hash(e);
        if (e->nth < l->same || l->same < l->n) {
            cfz_prelude_compare(e, hash);
        } else if (grow(l)) {
            hashes[l->at + l->n++] = hash;
            l->same++;
            l->agreed = 0;
        }
    }
}

uint32_t cfz_prelude(const struct cfz_site *site)
{
    const struct lead *l = lead_of(site);

    return l && l->agreed >= CFZ_PRELUDE_AGREED ? l->same : 0;
}
