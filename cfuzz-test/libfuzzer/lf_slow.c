/*
 * lf_slow.c - see lf_slow.h.
 */
#include "libfuzzer/lf_slow.h"

#include <stdlib.h>

#include "core/corpus/flat.h"
#include "libfuzzer/lf_artifact.h"
#include "libfuzzer/lf_report.h"

enum { LONG_NS = 1000000000 }; /* shorter ones are not looked at */

/* Whether w executes what it did when execs was read. */
static bool goes_on(const struct worker *w, uint64_t execs)
{
    return w != NULL && w->state == WORKER_BUSY && !w->killed &&
           atomic_load_explicit(&w->shm->state, memory_order_relaxed) == CFZ_STATE_TARGET &&
           atomic_load_explicit(&w->shm->execs, memory_order_relaxed) == execs;
}

/* Tells of an input, and writes it to a file. */
static int tell(const struct cfz_values *vs, uint64_t ns, const struct lf_flags *f,
                struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, bytes = CFZ_BUF_INIT;
    int ret = cfz_flat_write(vs, &bytes, err);

    if (ret == 0)
        ret = cfz_buf_printf(&text, err, "Slowest unit: %llu s:\n",
                             (unsigned long long)(ns / LONG_NS));
    if (ret == 0)
        ret = lf_artifact_write(f, LF_SLOW_UNIT, &bytes, &bytes, &text, err);
    if (ret == 0)
        lf_print(&text);
    cfz_buf_release(&text);
    cfz_buf_release(&bytes);
    return ret;
}

/* The input of seat s ended. */
static int end(struct lf_slow *all, struct slow_seat *s, uint64_t ns, const struct lf_flags *f,
               struct cfz_error *err)
{
    bool slowest = ns / 11 > all->slowest_ns / 10;
    int ret = 0;

    if (s->have && slowest)
        ret = tell(&s->input, ns, f, err);
    if (ns > all->slowest_ns)
        all->slowest_ns = ns;
    s->by = NULL;
    s->have = false;
    return ret;
}

int lf_slow_look(struct lf_slow *all, const struct coordinator *c, const struct lf_flags *f,
                 struct cfz_error *err)
{
    uint64_t now = c->s->loop.now, least = (uint64_t)f->report_slow_units * LONG_NS;

    if (all->v == NULL) {
        all->v = calloc(c->nseats, sizeof *all->v);
        if (all->v == NULL)
            return cfz_fail_nomem(err);
        all->n = c->nseats;
    }
    for (unsigned i = 0; i < all->n; i++) {
        struct slow_seat *s = &all->v[i];
        const struct worker *w = c->seats[i].worker;
        uint64_t execs;

        if (s->by != NULL && (s->by != w || !goes_on(w, s->execs))) {
            if (end(all, s, now - s->began, f, err) < 0)
                return -1;
        }
        if (w == NULL || w->shm == NULL || w->state != WORKER_BUSY || now < w->progress)
            continue;
        execs = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
        if (s->by == NULL && now - w->progress >= LONG_NS && goes_on(w, execs)) {
            s->by = w;
            s->execs = execs;
            s->began = w->progress;
        }
        /* While it executes nobody writes the input; it was read whole if it still does then. */
        if (s->by != NULL && !s->have && f->report_slow_units > 0 && now - s->began >= least) {
            cfz_values_release(&s->input);
            s->have = cfz_proc_input(w->shm, c->t->kinds, c->t->nvalues, &s->input, NULL) == 0 &&
                      goes_on(w, s->execs);
        }
    }
    return 0;
}

void lf_slow_release(struct lf_slow *all)
{
    for (unsigned i = 0; i < all->n; i++)
        cfz_values_release(&all->v[i].input);
    free(all->v);
    *all = (struct lf_slow){0};
}
