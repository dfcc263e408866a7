/*
 * trace_places.c - see trace_places.h.
 */
#include "coverage/trace_places.h"

enum {
    SITES = 1 << 13, /* a power of two; places beyond are not recorded */
    PROBES = 16,
};

/* Which place a site is of. */
struct place {
    uintptr_t pc; /* 0: free */
    uint32_t what;
};

uint8_t cfz_places_traced;
static struct cfz_site sites[SITES];
static struct place places[SITES];

__attribute__((constructor)) static void announce(void)
{
    cfuzz_trace_init(CFUZZ_ABI, &cfz_places_traced, sites, sites + SITES);
}

struct cfz_site *cfz_place_site(uintptr_t pc, enum cfz_site_kind kind, unsigned predicate,
                                unsigned width, bool *fresh)
{
    uint32_t what = (uint32_t)kind << 16 | predicate << 8 | width;
    uint64_t h = ((uint64_t)(pc - (uintptr_t)sites) * 8 + predicate) * 0x9e3779b97f4a7c15;

    *fresh = false;
    if (!cfz_trace_is_ours()) /* another thread's: the tables are of one */
        return NULL;
    for (uint32_t k = 0; k < PROBES; k++) {
        uint32_t i = ((uint32_t)(h >> 40) + k) & (SITES - 1);

        if (places[i].pc == pc && places[i].what == what)
            return &sites[i];
        if (places[i].pc != 0)
            continue;
        places[i] = (struct place){pc, what};
        sites[i].kind = (uint8_t)kind;
        sites[i].predicate = (uint8_t)predicate;
        sites[i].width = (uint8_t)width;
        sites[i].file = "";
        *fresh = true;
        return &sites[i];
    }
    return NULL;
}
