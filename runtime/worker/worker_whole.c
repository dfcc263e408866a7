/*
 * worker_whole.c - see worker_whole.h.
 */
#include "worker/worker_whole.h"

static struct {
    const struct cfz_worker *w; /* NULL: not made yet */
    int sock;
    struct cfz_executor *x;
    struct cfz_proc_shm *shm;
    const struct cfz_run_shm *run;
    struct cfz_seen seen;
    struct cfz_schedule schedule;
    size_t nvalues;
    uint8_t *buffers[CFZ_VALUES_MAX];
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t caps[CFZ_VALUES_MAX];
    uint8_t *room, *unpacked;
} made;

void cfz_worker_made(const struct cfz_worker *w)
{
    made.sock = w->sock;
    made.x = w->x;
    made.shm = w->shm;
    made.run = w->run;
    made.seen = w->seen;
    made.schedule = w->schedule;
    made.nvalues = w->cur.n;
    for (size_t i = 0; i < w->cur.n; i++) {
        made.buffers[i] = w->cur_v[i].data;
        made.kinds[i] = w->cur_v[i].kind;
        made.caps[i] = w->cur_v[i].cap;
    }
    made.room = w->room;
    made.unpacked = w->unpacked;
    made.w = w;
}

/* bits and held change places (cfz_seen_hold). */
static bool same_seen(const struct cfz_seen *a, const struct cfz_seen *b)
{
    return a->own == b->own && a->scratch == b->scratch &&
           ((a->bits == b->bits && a->held == b->held) ||
            (a->bits == b->held && a->held == b->bits)) &&
           a->mask == b->mask && a->mask_len == b->mask_len && a->n == b->n;
}

static bool same_values(const struct cfz_worker *w)
{
    if (w->cur.v != w->cur_v || w->cur.n != made.nvalues)
        return false;
    for (size_t i = 0; i < made.nvalues; i++) {
        const struct cfz_value *v = &w->cur_v[i];

        if (v->data != made.buffers[i] || v->kind != made.kinds[i] || v->cap != made.caps[i] ||
            (v->data && v->len > v->cap))
            return false;
    }
    return true;
}

/* These are set when the first FUZZ command begins. */
static bool same_mutator(const struct cfz_mutator *m)
{
    return (!m->learning ||
            (m->learning == &made.w->learning && m->learning->lineage == &made.shm->lineage)) &&
           (!m->run || m->run == made.run) && (!m->words || m->words == &made.w->words);
}

bool cfz_worker_whole(void)
{
    const struct cfz_worker *w = made.w;
    const struct cfz_schedule *s;

    if (!w)
        return true;
    s = &w->schedule;
    return w->sock == made.sock && w->x == made.x && w->shm == made.shm && w->run == made.run &&
           w->room == made.room && w->unpacked == made.unpacked &&
           same_seen(&w->seen, &made.seen) && same_values(w) && s->run == made.schedule.run &&
           s->fresh == made.schedule.fresh && s->arrived == made.schedule.arrived &&
           s->nfresh <= s->n && s->n <= CFZ_ENTRIES_MAX && w->words.nused <= CFZ_WORDS_CHAIN &&
           same_mutator(&w->mutator) && w->seen.nheld <= w->seen.n && w->seen.nbits <= w->seen.n;
}

struct cfz_proc_shm *cfz_worker_shm(void)
{
    return made.shm;
}

uint8_t *const *cfz_worker_buffers(void)
{
    return made.buffers;
}
