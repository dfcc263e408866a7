/*
 * worker_entry.h - the entry of the corpus that a worker works on.
 */
#ifndef CFZ_WORKER_ENTRY_H
#define CFZ_WORKER_ENTRY_H

#include "worker/worker.h"

/* cfz_worker_take_entry makes cur a copy of an entry. Context: ordinary. */
void cfz_worker_take_entry(struct cfz_worker *w, uint64_t entry);

/* cfz_worker_decompress has the first value of the entry that has a compressed stream be one with
 * the stream decompressed (cfz_bytes_decompress), in cur and for the rest of the turn. Context:
 * ordinary. */
void cfz_worker_decompress(struct cfz_worker *w);

/* cfz_worker_make_ascii clears the highest bit of each byte of []byte and string values of cur, and
 * makes a blank of what is neither printable nor white space then. cfz_worker_is_ascii reports
 * whether there is nothing to do. Context: ordinary. */
void cfz_worker_make_ascii(struct cfz_worker *w);
bool cfz_worker_is_ascii(const struct cfz_worker *w);

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
