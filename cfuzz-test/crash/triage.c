/*
 * triage.c - see triage.h.
 */
#include "crash/triage.h"

#include <string.h>

#include "core/known.h"
#include "cli/report.h"

void triage_init(struct triage *c, struct session *s, struct host *h, trial_turn_fn *turn,
                 void *ctx)
{
    *c = (struct triage){.keep = s->opt->keepfuzzing, .left = s->opt->fuzzminimizetime};
    symtab_load(&c->symtab, s->bin->path);
    c->lines = (struct lines){
        .symbolizer = s->bin->symbolizer, .path = s->bin->path, .dir = s->bin->pkg->dir};
    c->trial = (struct trial){
        .host = h, .symtab = &c->symtab, .lines = &c->lines, .turn = turn, .ctx = ctx};
    c->place = (struct finding_place){.session = s,
                                      .test = h->test->name,
                                      .trial = &c->trial,
                                      .ended = &c->ended,
                                      .late = &c->late,
                                      .minimizing = &c->minimizing,
                                      .left = &c->left};
}

/* Workers need not come back with this crash, number index of the set, which w died of. */
static void have_guarded(struct triage *c, const struct worker *w, const struct crash_signature *id,
                         size_t index)
{
    int at;

    if (!id->marked || w->shm->crash.foreign_thread != 0)
        return;
    at = cfz_known_add(w->host->run, &w->shm->crash, id->frames, id->whole);
    if (at >= 0)
        c->guarded[at] = index;
}

int triage_add(struct triage *c, struct worker *w, const struct ending *e, const char *name,
               struct cfz_values *input, const char *lost, bool *taken, struct cfz_error *err)
{
    struct finding *f, **at;
    struct crash_signature id;
    size_t index;
    bool first;

    *taken = false;
    c->last = NULL;
    trial_identify(&c->trial, w, e, &id);
    if (crash_buckets_add(&c->set, &id, &index, &first, err) < 0)
        return -1;
    if (c->keep && e != NULL)
        have_guarded(c, w, &id, index);
    if (!first)
        return 0;
    if (finding_new(&c->place, w, e, name, input, lost, &id, &f, err) < 0)
        return -1;
    f->kept = index;
    c->last = f;
    *taken = f->dead != NULL;
    memcpy(c->set.v[index].file, f->file, sizeof f->file);
    for (at = &c->waiting; *at != NULL; at = &(*at)->next) {
    }
    *at = f;
    /* Without the file: minimizing may put another in its place. */
    report_line("fuzz: %s: %s",
                c->keep           ? "new crash"
                : c->waiting != f ? "another crash"
                                  : "found a failing input",
                id.where);
    return 0;
}

int triage_add_seed(struct triage *c, const struct worker *w, const struct ending *e,
                    struct cfz_error *err)
{
    struct crash_signature id;
    size_t index;

    trial_identify(&c->trial, w, e, &id);
    if (crash_buckets_add_seed(&c->set, &id, w->shm->name, &index, err) < 0)
        return -1;
    if (c->keep && e != NULL)
        have_guarded(c, w, &id, index);
    return 0;
}

void triage_count(struct triage *c, const uint64_t n[CFZ_KNOWN_MAX])
{
    for (size_t i = 0; i < CFZ_KNOWN_MAX; i++) {
        if (n[i] == 0)
            continue;
        if (c->guarded[i] < c->set.n)
            c->set.v[c->guarded[i]].count += n[i];
        else
            c->set.others += n[i];
    }
}

void triage_end(struct triage *c)
{
    if (c->ended)
        return;
    c->ended = c->late = true;
    if (c->trial.worker != NULL)
        worker_stop(c->trial.worker); /* it may be in an execution that hangs */
}

void triage_late(struct triage *c)
{
    if (c->late)
        return;
    c->late = true;
    if (c->minimizing && c->trial.worker != NULL)
        worker_stop(c->trial.worker); /* as above */
}

/* What heads the block of f, where there may be several: a blank line and its number. */
static int head(struct triage *c, const struct finding *f, struct cfz_buf *blocks,
                struct cfz_error *err)
{
    c->told++;
    if (!c->keep && c->told == 1)
        return 0;
    return cfz_buf_printf(blocks, err, "%s    crash %u: %s\n", blocks->len > 0 ? "\n" : "", c->told,
                          f->id.where);
}

int triage_settle(struct triage *c, struct cfz_buf *blocks, struct cfz_error *err)
{
    struct finding *f = c->waiting;
    int ret;

    c->waiting = f->next;
    c->settling = true;
    if (c->keep)
        c->left = c->place.session->opt->fuzzminimizetime;
    ret = head(c, f, blocks, err);
    if (ret == 0)
        ret = finding_settle(&c->place, f, blocks, err);
    c->settling = false;
    memcpy(c->set.v[f->kept].file, f->file, sizeof f->file);
    if (c->last == f)
        c->last = NULL;
    finding_free(f);
    return ret;
}

int triage_tell(struct triage *c, struct cfz_buf *blocks, struct cfz_error *err)
{
    while (c->waiting != NULL) {
        struct finding *f = c->waiting;
        int ret = head(c, f, blocks, err);

        if (ret == 0)
            ret = finding_tell(&c->place, f, "", blocks, err);
        c->waiting = f->next;
        finding_free(f);
        if (ret < 0)
            return -1;
    }
    if (c->keep && c->set.n > 0)
        return cfz_buf_puts(blocks, "\n", err) < 0
                   ? -1
                   : crash_buckets_summary(&c->set, c->place.test, blocks, err);
    return 0;
}

void triage_free_worker(struct triage *c)
{
    trial_release(&c->trial);
    for (struct finding *f = c->waiting; f != NULL; f = f->next) {
        worker_free(f->dead);
        f->dead = NULL;
    }
}

void triage_release(struct triage *c)
{
    while (c->waiting != NULL) {
        struct finding *f = c->waiting;

        c->waiting = f->next;
        finding_free(f);
    }
    trial_release(&c->trial);
    crash_buckets_release(&c->set);
    symtab_release(&c->symtab);
    lines_release(&c->lines);
}
