/*
 * schedule.c - whose turn it is: a stack of entries with new edges, then a round over all.
 */
#define _GNU_SOURCE
#include "search/schedule.h"

#include <string.h>
#include <sys/mman.h>

int cfz_schedule_map(struct cfz_schedule *s, const struct cfz_run_shm *run,
                     const _Atomic uint8_t *arrived, struct cfz_error *err)
{
    void *fresh = mmap(NULL, CFZ_ENTRIES_MAX * sizeof *s->fresh, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    _Static_assert(CFZ_ENTRIES_MAX <= UINT32_MAX, "entries are kept as 32 bits");
    if (fresh == MAP_FAILED)
        return cfz_fail_errno(err, "map memory for the schedule");
    memset(s, 0, sizeof *s);
    s->run = run;
    s->fresh = fresh;
    s->arrived = arrived;
    return 0;
}

void cfz_schedule_refresh(struct cfz_schedule *s)
{
    uint64_t n = atomic_load_explicit(&s->run->nentries, memory_order_acquire);
    const bool first = s->n == 0 && s->arrived;

    for (; s->n < n; s->n++) {
        const struct cfz_entry *e = cfz_run_shm_entry(s->run, s->n);

        if (e->size > s->longest)
            s->longest = e->size;
        if (!(e->flags & CFZ_ENTRY_COUNTS) &&
            !(first && atomic_load_explicit(&s->arrived[s->n], memory_order_relaxed)))
            s->fresh[s->nfresh++] = (uint32_t)s->n;
    }
}

void cfz_schedule_again(struct cfz_schedule *s, uint64_t entry)
{
    if (s->nfresh < CFZ_ENTRIES_MAX)
        s->fresh[s->nfresh++] = (uint32_t)entry;
}

bool cfz_schedule_may(const struct cfz_schedule *s, uint64_t i)
{
    return i < s->n && !(cfz_run_shm_entry(s->run, i)->flags & CFZ_ENTRY_IDLE);
}

bool cfz_schedule_next(struct cfz_schedule *s, uint64_t *entry)
{
    while (s->nfresh > 0) {
        uint64_t i = s->fresh[--s->nfresh];

        if (cfz_schedule_may(s, i)) {
            *entry = i;
            return true;
        }
    }
    for (uint64_t tries = 0; tries < s->n; tries++) {
        uint64_t i = s->next < s->n ? s->next : 0;

        s->next = i + 1;
        if (cfz_schedule_may(s, i)) {
            *entry = i;
            return true;
        }
    }
    return false;
}
