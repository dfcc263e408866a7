/*
 * fuzz_history.c - see fuzz_history.h.
 */
#define _GNU_SOURCE
#include "fuzz/fuzz_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/sanitizers.h"
#include "fuzz/fuzz_failures.h"
#include "fuzz/fuzz_lines.h"
#include "history/history.h"

enum {
    GAP_MS = 250,    /* between two points, at first */
    SAVE_MS = 60000, /* the file is written so often, for a driver that is killed */
    WATCH_MS = 1000, /* between two points, at most, where somebody watches */
    BLOCKED_SHOWN = 20,
};

/* Of the run of one coordinator. */
struct fuzz_history {
    char *path;
    struct history all;
    struct history_run *run;    /* of all */
    struct history_point first; /* where turns before this one had come to ... */
    char *said;                 /* ... and what they said of failures, or NULL */
    uint64_t next_ms, next_save_ms;
};

/* What tells this run of the driver from others. */
static const char *run_id(void)
{
    static char id[64];

    if (id[0] == '\0')
        snprintf(id, sizeof id, "%lld-%ld", (long long)time(NULL), (long)getpid());
    return id;
}

static void set(char **text, const char *with)
{
    history_set(text, with, strlen(with), NULL);
}

/* The name of the file in the seed directory that shows a crash, or "". */
static const char *file_of(const struct coordinator *c, const struct crash_bucket *b)
{
    const char *name = b->seed != NULL ? strchr(b->seed, '/') : NULL;

    return b->file[0] == '\0' && name != NULL && fuzz_is_seed_file(c, name + 1) ? name + 1
                                                                                : b->file;
}

/* Notes what blocks the run, and what it found so far. */
static void add_findings(const struct coordinator *c, struct history_run *r)
{
    struct cfz_buf blocked = CFZ_BUF_INIT, said = CFZ_BUF_INIT;
    const struct crash_buckets *b = &c->triage.buckets;

    if (c->fuzzing && fuzz_obstacle_text(c, BLOCKED_SHOWN, &blocked, NULL) == 0 && blocked.len > 0)
        set(&r->blocked, cfz_buf_str(&blocked));
    cfz_buf_release(&blocked);
    if (c->blocks.len > 0 &&
        cfz_buf_printf(&said, NULL, "%s%s", c->history->said != NULL ? c->history->said : "",
                       cfz_buf_str(&c->blocks)) == 0)
        set(&r->said, cfz_buf_str(&said));
    cfz_buf_release(&said);
    for (size_t i = 0; i < b->n; i++)
        history_add_crash(r, b->v[i].signature.where, file_of(c, &b->v[i]), b->v[i].count, NULL);
}

/* Tells who watches where the run is. */
static void tell_watch(const struct coordinator *c, enum fuzz_stage stage)
{
    const struct fuzz_watch *w = c->opt->fuzz_watch;
    struct history copy = HISTORY_INIT;

    if (w == NULL || history_copy(&copy, &c->history->all, NULL) < 0)
        return;
    if (stage != FUZZ_ENDS)
        add_findings(c, &copy.runs[copy.n - 1]);
    w->sample(w->ctx, c->s->origin->bin->pkg, c->t->name, &copy, &c->corpus, stage);
    history_release(&copy);
}

void fuzz_history_begin(struct coordinator *c)
{
    struct cfz_buf words = CFZ_BUF_INIT;
    struct fuzz_history *h = calloc(1, sizeof *h);

    c->history = h;
    if (h == NULL)
        return;
    h->path = history_file(c->s->origin->bin->pkg->path, c->t->name);
    if (h->path == NULL || history_load(h->path, &h->all, NULL) < 0 ||
        (h->run = history_run(&h->all, run_id())) == NULL)
        return;
    h->said = strdup(h->run->said);
    if (h->run->npoints > 0)
        h->first = h->run->points[h->run->npoints - 1];
    if (h->run->began == 0)
        h->run->began = (int64_t)time(NULL);
    h->run->workers = c->nseats;
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((c->s->origin->bin->sanitizers & sanitizers_all[i].bit) != 0)
            cfz_buf_printf(&words, NULL, "%s%s", words.len > 0 ? " " : "", sanitizers_all[i].flag);
    set(&h->run->sanitizers, cfz_buf_str(&words));
    words.len = 0;
    cfz_buf_printf(&words, NULL, "%" PRIu64, c->opt->seed);
    set(&h->run->seed, cfz_buf_str(&words));
    set(&h->run->end, "running");
    cfz_buf_release(&words);
    tell_watch(c, FUZZ_BEGINS);
}

static void add_point(struct coordinator *c)
{
    struct fuzz_history *h = c->history;
    uint64_t elapsed = c->s->loop.now > c->start ? (c->s->loop.now - c->start) / 1000000 : 0;
    bool counters = c->host->ncounters > 0;

    h->run->counters = totals_counters(c->host->run, c->host->ncounters);
    history_add_point(h->run,
                      &(struct history_point){
                          .ms = h->first.ms + elapsed,
                          .execs = h->first.execs + fuzz_execs(c),
                          .corpus = c->progress.total,
                          .covered = counters ? c->host->run->covered : 0,
                          .crashes = c->triage.buckets.n - crash_buckets_listed(&c->triage.buckets),
                      });
    /* The longer it takes the rarer points are: about half of those that there is room for. */
    h->next_ms = elapsed + (elapsed / 120 > GAP_MS ? elapsed / 120 : GAP_MS);
    if (c->opt->fuzz_watch != NULL && h->next_ms > elapsed + WATCH_MS)
        h->next_ms = elapsed + WATCH_MS;
    if (elapsed < h->next_save_ms)
        return;
    if (h->next_save_ms > 0)
        history_save(h->path, h->run, NULL);
    h->next_save_ms = elapsed + SAVE_MS;
}

void fuzz_history_sample(struct coordinator *c)
{
    struct fuzz_history *h = c->history;

    if (h == NULL || h->run == NULL || !c->fuzzing ||
        (c->s->loop.now - c->start) / 1000000 < h->next_ms)
        return;
    add_point(c);
    tell_watch(c, FUZZ_GOES_ON);
}

void fuzz_history_end(struct coordinator *c)
{
    struct fuzz_history *h = c->history;

    if (h == NULL || h->run == NULL)
        return;
    add_point(c);
    set(&h->run->end, c->failed ? "failed" : c->s->loop.interrupts > 0 ? "interrupted" : "done");
    add_findings(c, h->run);
    history_save(h->path, h->run, NULL);
    tell_watch(c, FUZZ_ENDS);
}

void fuzz_history_release(struct coordinator *c)
{
    struct fuzz_history *h = c->history;

    if (h == NULL)
        return;
    history_release(&h->all);
    free(h->path);
    free(h->said);
    free(h);
    c->history = NULL;
}
