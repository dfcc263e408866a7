/*
 * deadly.c - see deadly.h. The set is a table with a few places for each hash.
 */
#include "search/deadly.h"

#include <string.h>

#include "core/hash.h"

enum { PLACES = 8 }; /* of a hash; guessed */

uint64_t cfz_deadly_hash(const struct cfz_image *im)
{
    const uint32_t size = cfz_image_size(im);
    uint64_t h = size, word;
    uint32_t i;

    for (i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, im->bytes + i, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15;
        h ^= h >> 29;
    }
    word = 0;
    memcpy(&word, im->bytes + i, size - i);
    h = (h ^ word) * 0x9e3779b97f4a7c15;
    for (i = 1; i < im->n; i++) /* where values end */
        h = (h ^ im->at[i]) * 0x9e3779b97f4a7c15;
    return cfz_hash_mix(h);
}

void cfz_deadly_add(struct cfz_deadly *d, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> 32) & (CFZ_DEADLY_INPUTS - 1);

    for (uint32_t i = 0; i < PLACES; i++) {
        _Atomic uint64_t *place = &d->inputs[(at + i) & (CFZ_DEADLY_INPUTS - 1)];
        uint64_t there = atomic_load_explicit(place, memory_order_relaxed);

        if (there == hash)
            return;
        if (there == 0) {
            at += i;
            break;
        }
    }
    atomic_store_explicit(&d->inputs[at & (CFZ_DEADLY_INPUTS - 1)], hash, memory_order_relaxed);
}

bool cfz_deadly_has(const struct cfz_deadly *d, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> 32) & (CFZ_DEADLY_INPUTS - 1);

    for (uint32_t i = 0; i < PLACES; i++) {
        uint64_t there = atomic_load_explicit(&d->inputs[(at + i) & (CFZ_DEADLY_INPUTS - 1)],
                                              memory_order_relaxed);

        if (there == hash || there == 0)
            return there == hash;
    }
    return false;
}

bool cfz_deadly_resume(struct cfz_deadly *d, struct cfz_under_way *u)
{
    uint64_t hash = atomic_exchange_explicit(&u->input, 0, memory_order_relaxed);

    if (hash != 0)
        cfz_deadly_add(d, hash);
    return hash != 0;
}

uint32_t cfz_deadly_begin(struct cfz_deadly *d, void (*lost)(uint32_t entry))
{
    uint32_t mine;

    for (uint32_t i = 0; i < CFZ_DEADLY_WORKERS; i++) {
        struct cfz_under_way *u = &d->workers[i];
        uint32_t entry;

        if (!cfz_deadly_resume(d, u))
            continue;
        entry = atomic_exchange_explicit(&u->entry, 0, memory_order_relaxed);
        if (entry != 0)
            lost(entry - 1);
    }
    mine = atomic_fetch_add_explicit(&d->nworkers, 1, memory_order_relaxed) % CFZ_DEADLY_WORKERS;
    atomic_store_explicit(&d->workers[mine].entry, 0, memory_order_relaxed);
    return mine;
}
