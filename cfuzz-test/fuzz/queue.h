/*
 * queue.h - work that waits for a worker: entries of the corpus to run once, and
 * the executions that -fuzztime=Nx still allows.
 *
 * Context: ordinary.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

/* First in, first out; numbers of entries. */
struct queue {
    uint64_t *v; /* ring of cap places, cap a power of two */
    size_t cap, head, n;
};

#define QUEUE_INIT                                                                                 \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

void queue_release(struct queue *q); /* leaves INIT */
/* queue_push appends, queue_push_front puts back what was popped last. CFZ_ENOMEM. */
int queue_push(struct queue *q, uint64_t entry, struct cfz_error *err);
int queue_push_front(struct queue *q, uint64_t entry, struct cfz_error *err);
/* queue_pop takes the oldest; false when there is none. */
bool queue_pop(struct queue *q, uint64_t *entry);

/*
 * How many executions may still be handed out. done + out + left is the total at any time: a worker
 * that ends early returns what it did not use.
 */
struct budget {
    bool limited;
    uint64_t left; /* not handed out */
    uint64_t out;  /* handed out, not answered */
    uint64_t done;
};

void budget_init(struct budget *b, bool limited, uint64_t total);

/*
 * budget_take sets *slice to what one of nworkers may do next; 0 is "no limit". It is false when
 * nothing is left to hand out. With several workers a slice is a part of what is left, so that all
 * of them end at about the same time.
 */
bool budget_take(struct budget *b, unsigned nworkers, uint64_t *slice);

/* budget_return answers a slice, of which done executions happened. */
void budget_return(struct budget *b, uint64_t slice, uint64_t done);

/* budget_spent: limited, all handed out and all answered. */
bool budget_spent(const struct budget *b);

#endif
