/*
 * worker_custom.c - see worker_custom.h.
 *
 * While a function of the harness mutates, the target is running as far as a crash is concerned.
 * What it covers is not looked at.
 */
#include "worker/worker_custom.h"

#include <stdio.h>
#include <string.h>

#include "search/mutators.h"
#include "target/crash.h"
#include "target/harness.h"
#include "target/sanitizer.h"

enum {
    TRIES = 16, /* calls of a custom mutator that returns 0, before a mutation of ours takes its
                   place */
};

/* What serves LLVMFuzzerMutate. */
static struct cfz_mutator ours;
static struct cfz_learning learning;
static struct cfz_worker *worker; /* the one of this process that fuzzes, or NULL */
static unsigned declined;         /* calls in a row that returned 0 */

size_t LLVMFuzzerMutate(uint8_t *data, size_t len, size_t max)
{
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = data, .len = len, .cap = max};
    struct cfz_values vs = {.v = &v, .n = 1};

    if (max == 0)
        return 0;
    if (!ours.rand.c)
        cfz_rand_init(&ours.rand, 1, 1);
    ours.max_len = max < UINT32_MAX ? max : UINT32_MAX - 1;
    ours.next = NULL; /* another value than that of the last call */
    cfz_mutate(&ours, &vs);
    if (v.len == 0) {
        data[0] = (uint8_t)cfz_rand_u32(&ours.rand);
        v.len = 1;
    }
    if (__msan_unpoison)
        __msan_unpoison(data, v.len);
    return v.len;
}

static void set_state(enum cfz_proc_state state)
{
    atomic_store_explicit(&worker->shm->state, (uint32_t)state, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

static void enter(struct cfz_rand *r)
{
    ours.rand = *r; /* so that a run repeats */
    cfz_rand_next(r);
    cfz_mutate_chain(&ours);
    set_state(CFZ_STATE_TARGET);
}

/* Ends the call of name, which returned len. False if nothing came of it. */
static bool leave(const char *name, size_t len, size_t max)
{
    char text[160];

    set_state(CFZ_STATE_ENGINE);
    cfz_counters_collect(&worker->seen); /* clears them */
    if (len <= max)
        return len > 0;
    snprintf(text, sizeof text, "%s returned %zu: there was room for %zu bytes", name, len, max);
    cfz_crash_mutator(worker->shm, text);
}

static bool mutate(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    uint64_t max = v->len > a->limit ? v->len : a->limit;
    size_t len;

    if (v->len == 0) { /* libFuzzer has no empty inputs, and mutators divide by their length */
        if (max == 0)
            return false;
        v->data[0] = '\n'; /* as its first input is */
        v->len = 1;
    }
    enter(a->r);
    len = cfz_harness_mutator()(v->data, v->len, max, cfz_rand_u32(a->r));
    if (!leave("LLVMFuzzerCustomMutator", len, max)) {
        if (++declined < TRIES)
            return false;
        len = LLVMFuzzerMutate(v->data, v->len, max);
    }
    declined = 0;
    v->len = len;
    return true;
}

static bool cross_over(const struct cfz_among *a)
{
    struct cfz_value *v = &a->vs->v[a->i];
    uint64_t n = a->run ? atomic_load_explicit(&a->run->nentries, memory_order_acquire) : 0, size;
    uint8_t *out = worker->room;
    const uint8_t *p;
    size_t len;

    if (n < 2)
        return false;
    /* The packed values of an entry: the length of its []byte, then that. */
    p = (const uint8_t *)(cfz_run_shm_entry(a->run, cfz_rand_below(a->r, (uint32_t)n)) + 1);
    memcpy(&size, p, sizeof size);
    p += sizeof size;
    if (v->len == 0 || size == 0)
        return false;
    enter(a->r);
    len = cfz_harness_cross_over()(v->data, v->len, p, size, out, a->limit, cfz_rand_u32(a->r));
    if (!leave("LLVMFuzzerCustomCrossOver", len, a->limit))
        return false;
    memcpy(v->data, out, len);
    v->len = len;
    return true;
}

void cfz_worker_custom_attach(struct cfz_worker *w)
{
    if (worker)
        return;
    worker = w;
    cfz_learning_init(&learning);
    ours.learning = &learning;
    ours.run = w->run;
}

void cfz_worker_custom_begin(struct cfz_worker *w)
{
    /* Twice: an empty value gets the second mutation of a table (mutator.c). */
    static const struct cfz_mutation custom[] = {{"custom", 0, NULL, mutate},
                                                 {"custom", 0, NULL, mutate}};
    static const struct cfz_mutation crossing = {"custom cross-over", 1, NULL, cross_over};

    if (cfz_harness_mutator())
        cfz_learning_replace(&w->learning, custom, 2);
    if (cfz_harness_cross_over())
        cfz_learning_add(&w->learning, &crossing, 1);
}

void cfz_worker_custom_turn(struct cfz_worker *w)
{
    if (!cfz_harness_mutator())
        return;
    ours.words = w->mutator.words;
    w->mutator.words = NULL;
}
