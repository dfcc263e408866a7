/*
 * known.c - see known.h.
 *
 * An entry holds a hash of the mark: FNV-1a over words, with the upper half of each product folded
 * in. It has 64 bits, so that two marks of a run do not meet by chance.
 */
#include "core/known.h"

#include <signal.h>

enum { STACK_NEAR = 64 << 10 }; /* bytes; guessed: a frame that large is rare */

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

bool cfz_known_overflow(const struct cfz_crash *c)
{
    uint64_t distance = c->addr > c->sp ? c->addr - c->sp : c->sp - c->addr;

    return c->signo == SIGSEGV && c->code > 0 && c->sp != 0 && distance < STACK_NEAR;
}

/* The hash of a mark without its frames. */
static uint64_t begin(const struct cfz_crash *c)
{
    uint32_t kind = atomic_load_explicit(&c->kind, memory_order_relaxed);
    uint64_t h = mix(UINT64_C(0xcbf29ce484222325), kind);

    if (kind == CFZ_CRASH_SIGNAL)
        h = mix(h, (uint64_t)c->signo << 1 | (cfz_known_overflow(c) ? 1 : 0));
    else if (kind == CFZ_CRASH_EXIT)
        h = mix(h, (uint32_t)c->code);
    else if (kind == CFZ_CRASH_KILL)
        h = mix(h, (uint64_t)c->signo << 8 | (uint8_t)c->code);
    return mix(mix(h, c->report), c->foreign_thread);
}

/* The number of frames, checked: the target may have written over it. */
static uint32_t count_frames(const struct cfz_crash *c)
{
    return c->nframes < CFZ_FRAMES_MAX ? c->nframes : CFZ_FRAMES_MAX;
}

int cfz_known_find(const struct cfz_run_shm *run, const struct cfz_crash *c)
{
    uint32_t n = atomic_load_explicit(&run->nknown, memory_order_acquire), have = count_frames(c);
    uint64_t h[CFZ_FRAMES_MAX + 1];

    h[0] = begin(c);
    for (uint32_t i = 0; i < have; i++)
        h[i + 1] = mix(h[i], c->frames[i]);
    for (uint32_t i = 0; i < n; i++) {
        const struct cfz_known *k = &run->known[i];

        if (k->nframes <= have && (k->whole == 0 || k->nframes == have) && k->hash == h[k->nframes])
            return (int)i;
    }
    return -1;
}

int cfz_known_add(struct cfz_run_shm *run, const struct cfz_crash *c, uint32_t nframes, bool whole)
{
    uint32_t n = atomic_load_explicit(&run->nknown, memory_order_relaxed);
    int at = cfz_known_find(run, c);
    uint64_t h;

    if (at >= 0)
        return at;
    if (n == CFZ_KNOWN_MAX || nframes > count_frames(c))
        return -1;
    h = begin(c);
    for (uint32_t i = 0; i < nframes; i++)
        h = mix(h, c->frames[i]);
    run->known[n].hash = h;
    run->known[n].nframes = nframes;
    run->known[n].whole = whole;
    cfz_known_recur(run, (int)n, UINT64_MAX);
    atomic_store_explicit(&run->nknown, n + 1, memory_order_release);
    return (int)n;
}

void cfz_known_recur(struct cfz_run_shm *run, int at, uint64_t hits)
{
    atomic_store_explicit(&run->known[at].patience, hits, memory_order_relaxed);
}

bool cfz_known_recurs(const struct cfz_run_shm *run, int at, uint64_t hits)
{
    return hits >= atomic_load_explicit(&run->known[at].patience, memory_order_relaxed);
}
