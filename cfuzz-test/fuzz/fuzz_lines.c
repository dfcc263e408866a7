/*
 * fuzz_lines.c - see fuzz_lines.h.
 */
#include "fuzz/fuzz_lines.h"

#include "cli/debug.h"
#include "fuzz/obstacle_lines.h"
#include "results/results.h"
#include "results/status_line.h"

enum {
    PROGRESS_MS = 3000,
    LIVE_MS = 200,        /* between two drawings of the status line */
    LIVE_RATE_MS = 1000,  /* it shows the rate of such a time */
    OBSTACLES_LINES = 10, /* with -v they are told after so many lines of progress */
    OBSTACLES_SHOWN = 5,  /* at the end, without -v */
    MEANWHILE_MAX = REPORT_DURATION_MAX + 32,
    MEANWHILE_NS = 1000000000, /* one input that takes less is not told of */
};

static size_t new_crashes(const struct coordinator *c)
{
    return c->triage.buckets.n - crash_buckets_listed(&c->triage.buckets);
}

uint64_t fuzz_execs(const struct coordinator *c)
{
    uint64_t n = c->budget.done;

    for (unsigned i = 0; i < c->nseats; i++) {
        const struct worker *w = c->seats[i].worker;

        if (w != NULL && w->fuzzing && !c->seats[i].counted &&
            (w->state == WORKER_BUSY || w->state == WORKER_ANSWERED ||
             (w->state == WORKER_GONE && w->was_busy)))
            n += worker_mutated(w);
    }
    return n;
}

/* The obstacles that some worker wrote, or none. Workers share what they know: one is enough. */
static void read_obstacles(const struct coordinator *c, bool answered, struct cfz_obstacles *list)
{
    list->n = 0;
    for (unsigned i = 0; i < c->nseats; i++) {
        const struct worker *w = c->seats[i].worker;

        if (w == NULL || w->shm == NULL ||
            (answered && (c->asked == 0 || atomic_load_explicit(&w->shm->answered,
                                                                memory_order_acquire) != c->asked)))
            continue;
        if (cfz_obstacles_copy(&w->shm->obstacles, list))
            return;
        list->n = 0;
    }
}

/* When the run began: a source that is edited since then is another one. */
static time_t began(const struct coordinator *c)
{
    return time(NULL) - (time_t)((uv_hrtime() - c->start) / 1000000000);
}

static void print_obstacles(const struct coordinator *c, bool answered, uint32_t most)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_obstacles list;

    read_obstacles(c, answered, &list);
    obstacle_lines(&text, &list, most, c->s->origin->bin->pkg->dir, new_crashes(c) > 0, began(c),
                   NULL);
    report_text(&text);
    cfz_buf_release(&text);
}

/* While the run goes on: asks the workers, and tells at the next line what they answered. */
static void tell_obstacles(struct coordinator *c)
{
    c->progress_lines++;
    if (c->progress_lines % OBSTACLES_LINES == 0)
        print_obstacles(c, true, CFZ_OBSTACLES_MAX);
    if (c->progress_lines % OBSTACLES_LINES != OBSTACLES_LINES - 1)
        return;
    c->asked++;
    for (unsigned i = 0; i < c->nseats; i++)
        if (c->seats[i].worker != NULL && c->seats[i].worker->shm != NULL)
            atomic_store_explicit(&c->seats[i].worker->shm->ask, c->asked, memory_order_relaxed);
}

int fuzz_obstacle_text(const struct coordinator *c, uint32_t most, struct cfz_buf *out,
                       struct cfz_error *err)
{
    struct cfz_obstacles list;

    read_obstacles(c, false, &list);
    return obstacle_lines(out, &list, most, c->s->origin->bin->pkg->dir, new_crashes(c) > 0,
                          began(c), err);
}

bool fuzz_obstacles_matter(const struct coordinator *c)
{
    return c->fuzzing && !c->killed && (new_crashes(c) == 0 || c->triage.keep);
}

void fuzz_print_obstacles(struct coordinator *c)
{
    if (!fuzz_obstacles_matter(c))
        return;
    print_obstacles(c, false, c->opt->verbose ? CFZ_OBSTACLES_MAX : OBSTACLES_SHOWN);
}

/* What the run is at, in a word. */
static const char *doing(const struct coordinator *c)
{
    if (c->triage.settling)
        return c->triage.trial.minimizing ? "minimizing" : "confirming";
    if (c->stopping)
        return "stopping";
    return c->fuzzing ? "fuzzing" : "baseline";
}

/* How long all workers that fuzz execute what they execute now, in ns: the least of them. 0: not
 * worth telling. */
static uint64_t executing_ns(const struct coordinator *c)
{
    const uint64_t now = uv_hrtime();
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < c->nseats; i++) {
        const struct worker *w = c->seats[i].worker;

        if (w != NULL && w->fuzzing && w->state == WORKER_BUSY && now > w->progress &&
            now - w->progress < least)
            least = now - w->progress;
    }
    return least < UINT64_MAX && least >= MEANWHILE_NS ? least : 0;
}

static void fill_status(const struct coordinator *c, bool last, struct fuzz_status *s)
{
    const struct progress *p = &c->progress;
    double seconds = (double)(p->elapsed_ns - p->since_ns) / 1e9;

    *s = (struct fuzz_status){
        .doing = last ? "done" : doing(c),
        .elapsed_ns = p->elapsed_ns,
        .executing_ns = last || c->triage.settling ? 0 : executing_ns(c),
        .execs = p->execs,
        .rate = seconds > 0 ? (double)(p->execs - p->since_execs) / seconds : 0,
        .interesting = p->interesting,
        .total = p->total,
        .baseline = c->baseline.counted,
        .of_baseline = c->baseline.total,
        .covered = c->host->ncounters > 0 ? c->host->run->covered : 0,
        .counters = totals_counters(c->host->run, c->host->ncounters),
        .crashes = new_crashes(c),
        .since_find_ns = c->s->loop.now > c->found_at ? c->s->loop.now - c->found_at : 0,
    };
    for (unsigned i = 0; i < c->nseats; i++)
        s->workers += c->seats[i].worker != NULL && c->seats[i].worker->state != WORKER_GONE;
}

/* For programs: the same as the line that was printed, and more. */
static void tell_progress(const struct coordinator *c, bool last)
{
    struct fuzz_status s;

    if (!results_wanted())
        return;
    fill_status(c, last, &s);
    results_fuzz_progress(c->t->name, &s);
}

/* What goes on instead of executions, where it lasts; NULL: nothing. text holds it. */
static const char *meanwhile(const struct coordinator *c, char text[MEANWHILE_MAX])
{
    char duration[REPORT_DURATION_MAX];
    uint64_t ns;

    if (c->triage.settling && c->progress.execs == c->progress.since_execs)
        snprintf(text, MEANWHILE_MAX, "%s a failing input", doing(c));
    else if ((ns = executing_ns(c)) > 0)
        snprintf(text, MEANWHILE_MAX, "executing one input for %s", report_elapsed(ns, duration));
    else
        return NULL;
    return text;
}

/* Draws the status line. */
static void show_status(struct coordinator *c)
{
    struct progress *p = &c->progress;
    struct fuzz_status s;

    fill_status(c, false, &s);
    if (c->live_rate == 0 || p->elapsed_ns - p->since_ns >= (uint64_t)LIVE_RATE_MS * 1000000) {
        c->live_rate = s.rate;
        p->since_execs = p->execs;
        p->since_ns = p->elapsed_ns;
    }
    s.rate = c->live_rate;
    status_line_show(c->t->name, &s);
    c->next_line = c->s->loop.now + (uint64_t)LIVE_MS * 1000000;
    if (c->s->loop.now < c->next_tell)
        return;
    c->next_tell = c->s->loop.now + (uint64_t)PROGRESS_MS * 1000000;
    if (c->fuzzing && c->opt->verbose && c->opt->solve)
        tell_obstacles(c);
}

void fuzz_print_progress(struct coordinator *c, bool last)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    struct progress *p = &c->progress;
    char text[MEANWHILE_MAX];

    p->elapsed_ns = c->s->loop.now > c->start ? c->s->loop.now - c->start : 0;
    p->execs = fuzz_execs(c);
    if (p->execs < p->since_execs) /* a worker's were lost: its target wrote over them */
        p->execs = p->since_execs;
    if (last) { /* the rate of the whole run; Go tells that of its last moment */
        p->since_execs = 0;
        p->since_ns = c->fuzzing_ns;
    }
    tell_progress(c, last);
    if (!last && status_line_is_open()) {
        show_status(c);
        return;
    }
    if (!last && c->triage.settling && !c->triage.keep) {
        char elapsed[REPORT_DURATION_MAX];

        cfz_buf_printf(&line, NULL, "fuzz: elapsed: %s, %s\n",
                       report_elapsed(p->elapsed_ns, elapsed),
                       c->triage.trial.minimizing ? "minimizing" : "confirming");
    } else if (!last && !c->fuzzing && c->baseline.total > 0) {
        report_baseline(&line, p->elapsed_ns, c->host->ncounters > 0, c->baseline.counted,
                        c->baseline.total, 0, NULL);
    } else {
        p->meanwhile = last ? NULL : meanwhile(c, text);
        report_progress(&line, p, NULL);
        p->meanwhile = NULL;
        p->since_execs = p->execs;
        p->since_ns = p->elapsed_ns;
    }
    report_text(&line);
    cfz_buf_release(&line);
    if (!last && c->fuzzing && c->opt->verbose && c->opt->solve)
        tell_obstacles(c);
    c->next_line = c->s->loop.now + (uint64_t)PROGRESS_MS * 1000000;
}

void fuzz_print_baseline(struct coordinator *c)
{
    struct cfz_buf line = CFZ_BUF_INIT;

    if (c->baseline.total == 0)
        return;
    report_baseline(&line, c->fuzzing_ns, c->host->ncounters > 0, c->baseline.counted,
                    c->baseline.total, c->nseats, NULL);
    report_text(&line);
    cfz_buf_release(&line);
    c->progress.since_ns = c->fuzzing_ns;
}

void fuzz_add_worker(struct coordinator *c, const struct cfz_proc_shm *shm)
{
    totals_add_worker(&c->totals, shm);
    mutation_counts_add(&c->mutations, shm);
}

void fuzz_add_totals(struct coordinator *c)
{
    struct totals *t = &c->totals;

    for (unsigned i = 0; i < c->nseats; i++) {
        if (c->seats[i].worker != NULL)
            fuzz_add_worker(c, c->seats[i].worker->shm);
    }
    for (unsigned i = 0; debug_mutations() && i < CFZ_MUTATIONS_MAX; i++) {
        char text[MUTATION_LINE];

        if (mutation_counts_text(&c->mutations, i, text))
            debug_line("%s", text);
    }
    if (debug_fuzz() && t->erratic_sites + t->erratic_inputs > 0)
        debug_line(
            "the search left alone %llu comparisons and %llu inputs: executions of one input "
            "differ there",
            (unsigned long long)t->erratic_sites, (unsigned long long)t->erratic_inputs);
    t->mutated = fuzz_execs(c);
    t->settling = c->triage.trial.execs;
    t->corpus = c->corpus.n;
    t->found = c->progress.interesting;
    triage_count(&c->triage, t->guarded);
    t->of_trace = c->triage.of_trace;
    t->crashes = crash_buckets_total(&c->triage.buckets);
    t->distinct = c->triage.buckets.n;
    t->of_seeds = c->triage.keep ? crash_buckets_known(&c->triage.buckets)
                                 : crash_buckets_listed(&c->triage.buckets);
    t->counters = c->host->ncounters > 0;
    t->ncounters = totals_counters(c->host->run, c->host->ncounters);
    t->covered = c->host->run->covered;
    if (!c->fuzzing)
        t->covered_before_fuzzing = t->covered;
}

void fuzz_print_totals(struct coordinator *c)
{
    struct cfz_buf text = CFZ_BUF_INIT;

    fuzz_add_totals(c);
    totals_report(&text, &c->totals, NULL);
    report_text(&text);
    cfz_buf_release(&text);
}
