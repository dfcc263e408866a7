/*
 * worker_entry.h - the entry of the corpus that a worker works on.
 */
#ifndef CFZ_WORKER_ENTRY_H
#define CFZ_WORKER_ENTRY_H

#include "server/worker.h"

/* cfz_worker_take_entry makes cur a copy of an entry. Context: ordinary. */
void cfz_worker_take_entry(struct cfz_worker *w, uint64_t entry);

/* cfz_worker_restore sets value i of cur to that of the entry. Context: ordinary. */
static inline void cfz_worker_restore(struct cfz_worker *w, size_t i)
{
    struct cfz_value *v = &w->cur_v[i];

    if (w->x->slots.view[i]) {
        v->len = w->base_bits[i];
        cfz_copy(v->data, w->base[i], v->len);
    } else {
        v->bits = w->base_bits[i];
    }
}

#endif
