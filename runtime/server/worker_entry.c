/*
 * worker_entry.c - copies an entry out of the memory of the run.
 */
#include "server/worker_entry.h"

void cfz_worker_take_entry(struct cfz_worker *w, uint64_t entry)
{
    /* The driver wrote the entry, so its values are those of this test. */
    const uint8_t *p = (const uint8_t *)(cfz_run_shm_entry(w->run, entry) + 1);

    w->shm->parent = w->x->parent = entry;
    for (size_t i = 0; i < w->cur.n; i++) {
        __builtin_memcpy(&w->base_bits[i], p, 8);
        p += 8;
        w->base[i] = p;
        if (w->x->slots.view[i])
            p += (w->base_bits[i] + 7) & ~(uint64_t)7;
        cfz_worker_restore(w, i);
    }
}
