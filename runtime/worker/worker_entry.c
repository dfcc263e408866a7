/*
 * worker_entry.c - copies an entry out of the memory of the run; makes an input text.
 */
#include "worker/worker_entry.h"

#include <string.h>

#include "core/text.h"
#include "search/mutators.h"

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

void cfz_worker_decompress(struct cfz_worker *w)
{
    for (size_t i = 0; i < w->cur.n; i++) {
        struct cfz_value *v = &w->cur_v[i];

        if (v->kind != CFZ_KIND_BYTES || v->len == 0 ||
            !cfz_bytes_decompress(&w->mutator.rand, v, w->cmd.u.cmd.max_len))
            continue;
        memcpy(w->unpacked, v->data, v->len);
        w->base[i] = w->unpacked;
        w->base_bits[i] = v->len;
        return;
    }
}

bool cfz_worker_is_ascii(const struct cfz_worker *w)
{
    for (size_t i = 0; i < w->cur.n; i++)
        for (size_t k = 0; w->x->slots.view[i] && k < w->cur_v[i].len; k++)
            if (!cfz_is_ascii_text(w->cur_v[i].data[k]))
                return false;
    return true;
}

void cfz_worker_make_ascii(struct cfz_worker *w)
{
    for (size_t i = 0; i < w->cur.n; i++) {
        struct cfz_value *v = &w->cur_v[i];

        for (size_t k = 0; w->x->slots.view[i] && k < v->len; k++) {
            v->data[k] &= 0x7f;
            if (!cfz_is_ascii_text(v->data[k]))
                v->data[k] = ' ';
        }
    }
}
