/*
 * queue.c - see queue.h.
 */
#include "fuzz/queue.h"

#include <stdlib.h>

void queue_release(struct queue *q)
{
    free(q->v);
    *q = (struct queue)QUEUE_INIT;
}

/* Makes room for one more entry and keeps the order. */
static int queue_grow(struct queue *q, struct cfz_error *err)
{
    size_t cap = q->cap == 0 ? 64 : 2 * q->cap;
    uint64_t *v;

    if (q->n < q->cap)
        return 0;
    v = malloc(cap * sizeof *v);
    if (v == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < q->n; i++)
        v[i] = q->v[(q->head + i) & (q->cap - 1)];
    free(q->v);
    q->v = v;
    q->cap = cap;
    q->head = 0;
    return 0;
}

int queue_push(struct queue *q, uint64_t entry, struct cfz_error *err)
{
    if (queue_grow(q, err) < 0)
        return -1;
    q->v[(q->head + q->n) & (q->cap - 1)] = entry;
    q->n++;
    return 0;
}

int queue_push_front(struct queue *q, uint64_t entry, struct cfz_error *err)
{
    if (queue_grow(q, err) < 0)
        return -1;
    q->head = (q->head - 1) & (q->cap - 1);
    q->v[q->head] = entry;
    q->n++;
    return 0;
}

bool queue_pop(struct queue *q, uint64_t *entry)
{
    if (q->n == 0)
        return false;
    *entry = q->v[q->head];
    q->head = (q->head + 1) & (q->cap - 1);
    q->n--;
    return true;
}

void budget_init(struct budget *b, bool limited, uint64_t total)
{
    b->limited = limited;
    b->left = limited ? total : 0;
    b->out = 0;
    b->done = 0;
}

bool budget_take(struct budget *b, unsigned nworkers, uint64_t *slice)
{
    uint64_t n;

    if (!b->limited) {
        *slice = 0;
        return true;
    }
    if (b->left == 0)
        return false;
    /* One worker takes all at once: fewest interruptions. Several take a share of
     * half of what is left each, so slices shrink towards the end and all stop together. */
    n = nworkers <= 1 ? b->left : (b->left + 2 * (uint64_t)nworkers - 1) / (2 * (uint64_t)nworkers);
    b->left -= n;
    b->out += n;
    *slice = n;
    return true;
}

void budget_return(struct budget *b, uint64_t slice, uint64_t done)
{
    b->done += done;
    if (!b->limited)
        return;
    CFZ_ASSERT(slice <= b->out);
    b->out -= slice;
    if (done < slice)
        b->left += slice - done;
}

bool budget_spent(const struct budget *b)
{
    return b->limited && b->left == 0 && b->out == 0;
}
