/*
 * coordinator.c - see coordinator.h.
 *
 *     load --> baseline: each entry once --> fuzzing --> stopping --> end
 *                 |  a seed failed: after the baseline ----^  ^
 *                 |  a cached entry failed -------------------|
 *                                  a limit, a crash, Ctrl-C --+
 *
 *   1. One loop: wait (session_pump), then a step for each worker (step_worker). Only steps
 *      decide.
 *   2. The mask and the arena are written here alone. A worker's news are taken before what
 *      it did is acted upon, also when it died.
 *   3. Stopping begins once; workers are then asked to end, and killed if they do not. What
 *      they still find is kept.
 *   4. budget.done + budget.out + budget.left is the limit of -fuzztime=Nx at any time.
 */
#define _GNU_SOURCE
#include "coordinator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "core/corpus.h"
#include "core/io.h"
#include "crasher.h"
#include "crashes.h"
#include "debug.h"
#include "fuzz_load.h"
#include "report.h"
#include "seeds.h"
#include "totals.h"
#include "worker_client.h"

enum {
    /* With one worker it waits for our answer to news every so many executions: at some 10^6 a
     * second that is 4 ms, and only where there was news. Guessed. */
    SYNC_EXECS = 4096,
    PROGRESS_MS = 3000,
    /* Executions that making one find smaller may take. Guessed: enough to cut some hundred bytes
     * of which few matter. */
    FIND_MINIMIZE = 512,
    /* Workers may be killed from outside (out of memory, an operator) and are replaced, but not
     * for ever. Guessed. */
    RESTARTS_MAX = 100,
    RESTARTS_WINDOW_MS = 60000,
};

struct slot {
    struct worker *worker; /* NULL: to be forked */
    bool seeded;           /* its generator was given its seed */
};

struct coordinator {
    struct session *s;
    const struct origin_test *t;
    struct host *host;
    struct seeds seeds;
    struct fuzz_corpus corpus;
    char *cache_dir;

    struct baseline baseline;

    struct budget budget;
    struct slot *slots;
    unsigned nslots;
    uint64_t next_k; /* number of the next generator */

    uint64_t start, deadline; /* nanoseconds; deadline 0: none */
    struct progress progress;
    uint64_t fuzzing_ns; /* elapsed when the baseline was over */
    uint64_t next_line;  /* when the next line of progress is due */
    bool fuzzing;       /* the baseline is over */

    bool stopping, idle_after_baseline;
    bool again;  /* a step made work for a worker that was passed over: no waiting now */
    bool killed; /* the second Ctrl-C */
    unsigned restarts;
    uint64_t restarts_since;

    struct crashes crashes;
    struct totals totals;
    bool failed; /* below "--- FAIL: FuzzX" stands what blocks holds */
    struct cfz_buf blocks;
};

/* ---- lines of progress ------------------------------------------------------ */

static uint64_t execs(const struct coordinator *c)
{
    uint64_t n = c->budget.done;

    for (unsigned i = 0; i < c->nslots; i++) {
        const struct worker *w = c->slots[i].worker;

        if (w != NULL && w->fuzzing && (w->state == WORKER_BUSY || w->state == WORKER_ANSWERED))
            n += worker_mutated(w);
    }
    return n;
}

static void print_progress(struct coordinator *c, bool last)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    struct progress *p = &c->progress;

    p->elapsed_ns = c->s->now > c->start ? c->s->now - c->start : 0;
    if (!last && c->crashes.settling && !c->crashes.keep) {
        char elapsed[REPORT_DURATION_MAX];

        cfz_buf_printf(&line, NULL, "fuzz: elapsed: %s, minimizing\n",
                       report_elapsed(p->elapsed_ns, elapsed));
    } else if (!last && !c->fuzzing && c->baseline.total > 0) {
        report_baseline(&line, p->elapsed_ns, c->host->ncounters > 0, c->baseline.counted,
                        c->baseline.total, 0, NULL);
    } else {
        p->execs = execs(c);
        if (last) { /* the rate of the whole run, where Go tells that of its last moment (L43) */
            p->since_execs = 0;
            p->since_ns = c->fuzzing_ns;
        }
        report_progress(&line, p, NULL);
        p->since_execs = p->execs;
        p->since_ns = p->elapsed_ns;
    }
    report_text(&line);
    cfz_buf_release(&line);
    c->next_line = c->s->now + (uint64_t)PROGRESS_MS * 1000000;
}

/* The lines at the end of the run, when all workers wait or are gone. */
static void print_totals(struct coordinator *c)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct totals *t = &c->totals;

    for (unsigned i = 0; i < c->nslots; i++) {
        if (c->slots[i].worker != NULL)
            totals_add_worker(t, c->slots[i].worker->shm);
    }
    t->mutated = execs(c);
    t->settling = c->crashes.trial.execs;
    t->corpus = c->corpus.n;
    t->found = c->progress.interesting;
    t->crashes = c->crashes.set.others;
    for (size_t i = 0; i < c->crashes.set.n; i++)
        t->crashes += c->crashes.set.v[i].count;
    t->distinct = c->crashes.set.n;
    t->counters = c->host->ncounters > 0;
    t->ncounters = c->host->ncounters;
    t->covered = totals_covered(c->host->run);
    if (!c->fuzzing)
        t->covered_before_fuzzing = t->covered;
    totals_report(&text, t, NULL);
    report_text(&text);
    cfz_buf_release(&text);
}

static void begin_fuzzing(struct coordinator *c)
{
    struct cfz_buf line = CFZ_BUF_INIT;

    c->fuzzing = true;
    c->fuzzing_ns = c->s->now - c->start;
    c->again = true;
    c->totals.covered_before_fuzzing = totals_covered(c->host->run);
    if (debug_fuzz())
        debug_line("finished processing input corpus, entries: %zu, initial counters: %llu",
                   c->corpus.n, (unsigned long long)c->totals.covered_before_fuzzing);
    if (c->baseline.total == 0)
        return;
    report_baseline(&line, c->s->now - c->start, c->host->ncounters > 0, c->baseline.counted,
                    c->baseline.total, c->nslots, NULL);
    report_text(&line);
    cfz_buf_release(&line);
    c->progress.since_ns = c->fuzzing_ns;
}

/* ---- stopping ---------------------------------------------------------------- */

static void stop(struct coordinator *c)
{
    if (debug_fuzz() && !c->stopping)
        debug_line("stop called");
    c->stopping = true;
    for (unsigned i = 0; i < c->nslots; i++) {
        if (c->slots[i].worker != NULL)
            worker_stop(c->slots[i].worker);
    }
}

static void fail(struct coordinator *c)
{
    c->failed = true;
    stop(c);
}

/* ---- failing inputs ----------------------------------------------------------- */

/* Entry i of the baseline, a seed, failed; the block that tells of it is at the end of blocks. The
 * user has it already, so the run only ends after the others. */
static void seed_failed(struct coordinator *c, uint64_t i)
{
    c->failed = true;
    report_line("failure while testing seed corpus entry: %s/%s", c->t->name,
                c->corpus.entries[i].name);
    c->idle_after_baseline = true;
}

/* The name that heads the block of an input that failed: seeds have one. */
static const char *block_name(const struct coordinator *c, const struct worker *w)
{
    return w->fuzzing ? c->t->name : w->shm->name;
}

/* The input of w, which failed or died; *have is false, with the reason in why, if it was
 * destroyed. */
static int input_of(struct coordinator *c, const struct worker *w, struct cfz_values *input,
                    bool *have, struct cfz_error *why, struct cfz_error *err)
{
    *have = true;
    if (!w->fuzzing)
        return fuzz_corpus_values(&c->corpus, w->entry, input, err);
    *have = cfz_proc_input(w->shm, c->t->kinds, c->t->nvalues, input, why) == 0;
    return 0;
}

/* A worker answered that its input failed (e NULL), or died of it; *taken: w is no longer ours. */
static int input_failed(struct coordinator *c, struct worker *w, const struct ending *e,
                        bool *taken, struct cfz_error *err)
{
    bool have, seed = !w->fuzzing && c->corpus.entries[w->entry].from == FROM_SEED;
    struct cfz_values input = CFZ_VALUES_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret = -1;

    *taken = false;
    if (input_of(c, w, &input, &have, &why, err) < 0)
        goto out;
    if (!seed) {
        c->failed = true;
        ret = crashes_add(&c->crashes, w, e, block_name(c, w), have ? &input : NULL, why.text,
                          taken, err);
        if (!c->crashes.keep)
            stop(c);
        goto out;
    }
    if (e == NULL) {
        if (crasher_failed(w, w->shm->name, w->result.ns, NULL, &c->blocks, err) < 0)
            goto out;
    } else if (report_result(&c->blocks, 1, "FAIL", w->shm->name, 0, err) < 0 ||
               crasher_died(w, e, 2, &input, &c->blocks, err) < 0) {
        goto out;
    }
    seed_failed(c, w->entry);
    ret = 0;
out:
    cfz_values_release(&input);
    return ret;
}

/* ---- news ------------------------------------------------------------------- */

/* What entry i is called in debug lines. */
static const char *entry_id(const struct coordinator *c, uint64_t i)
{
    const char *name = i < c->corpus.n ? c->corpus.entries[i].name : NULL;

    return name != NULL ? name : "-";
}

static int take_find(struct coordinator *c, const struct cfz_record *r, struct cfz_error *err)
{
    struct cfz_run_shm *run = c->host->run;
    const struct cfz_cov_bits *bits = cfz_record_bits(r);
    bool added, unstable = (r->flags & CFZ_RECORD_UNSTABLE) != 0;
    uint64_t index, fresh;
    struct cfz_values vals = CFZ_VALUES_INIT;
    char name[17] = "-";
    int ret = -1;

    fresh = cfz_cov_count_new(cfz_run_mask(run), run->mask_len, bits, r->nbits);
    if (fresh == 0) {
        if (debug_fuzz())
            debug_line("worker reported interesting input that doesn't expand coverage, parent: %s",
                       entry_id(c, r->entry));
        return 0; /* another worker was first */
    }
    if (cfz_values_unpack(&vals, c->t->kinds, c->t->nvalues, cfz_record_packed(r), r->packed, err) <
        0)
        goto out;
    /* First to disk, so that the entry has its name. */
    if (!unstable && !fuzz_corpus_has(&c->corpus, &vals) &&
        cfz_corpus_save(c->cache_dir, &vals, 0, name, err) < 0)
        goto out;
    if (fuzz_corpus_add(&c->corpus, &vals, unstable ? FROM_RUN_UNSTABLE : FROM_RUN, name, &added,
                        &index, err) < 0)
        goto out;
    /* Also for values that are there: their coverage varies, and need not be reported again. */
    cfz_cov_merge(cfz_run_mask(run), run->mask_len, bits, r->nbits);
    if (added) {
        uint32_t generation =
            r->entry < c->corpus.n ? c->corpus.entries[r->entry].generation + 1 : 1;

        c->corpus.entries[index].generation = generation;
        c->progress.interesting++;
        c->progress.total++;
        c->totals.unstable += unstable;
        if (debug_fuzz())
            debug_line("new interesting input, id: %s, parent: %s, gen: %u, new bits: %llu, total "
                       "counters: %llu, size: %llu%s",
                       name, entry_id(c, r->entry), generation, (unsigned long long)fresh,
                       (unsigned long long)totals_covered(run), (unsigned long long)r->packed,
                       unstable ? ", unstable" : "");
    } else if (debug_fuzz()) {
        debug_line("ignoring duplicate input which increased coverage, id: %s", entry_id(c, index));
    }
    ret = 0;
out:
    cfz_values_release(&vals);
    return ret;
}

static int take_news(struct coordinator *c, struct worker *w, struct cfz_error *err)
{
    struct cfz_run_shm *run = c->host->run;
    const struct cfz_record *r;

    for (;;) {
        if (cfz_outbox_peek(w->shm, &r, err) < 0) {
            /* A target that scribbled on our memory and died of it is told as its crash. */
            if (w->state != WORKER_GONE)
                return -1;
            break;
        }
        if (r == NULL)
            break;
        if (r->type == CFZ_RECORD_BASE)
            cfz_cov_merge(cfz_run_mask(run), run->mask_len, cfz_record_bits(r), r->nbits);
        else if (r->type == CFZ_RECORD_NEWS && take_find(c, r, err) < 0)
            return -1;
        cfz_outbox_consume(w->shm, r);
    }
    return worker_news_seen(w, err);
}

/* ---- workers ------------------------------------------------------------------ */

/* The baseline entry that w ran is answered. */
static void baseline_answered(struct coordinator *c, const struct worker *w)
{
    c->baseline.left--;
    c->totals.baseline++;
    if (debug_fuzz())
        debug_line("processed an initial input, id: %s, exec time: %lluns", entry_id(c, w->entry),
                   (unsigned long long)w->result.ns);
    if (c->corpus.entries[w->entry].from != FROM_ZERO)
        c->baseline.counted++;
}

/* The tested code keeps memory from input to input: a new process goes on. */
static void replace_bloated(struct coordinator *c, struct slot *s)
{
    if (c->totals.bloated++ == 0)
        report_line(
            "fuzz: a fuzzing process held more than %llu MiB (-rss) between inputs, and was "
            "replaced: the tested code may leak memory",
            (unsigned long long)c->s->opt->rss_mib);
    totals_add_worker(&c->totals, s->worker->shm);
    worker_free(s->worker);
    s->worker = NULL;
    s->seeded = false;
    c->again = true;
}

static int step_answered(struct coordinator *c, struct slot *s, struct cfz_error *err)
{
    struct worker *w = s->worker;
    bool failed = w->result.verdict == CFZ_VERDICT_FAIL, taken;

    if (w->fuzzing) {
        budget_return(&c->budget, w->limit, w->result.mutated);
        c->again = c->again || w->result.mutated < w->limit;
        if (!failed && w->result.mutated == 0 && !c->stopping && !w->bloated)
            return cfz_fail(err, CFZ_EINTERNAL, "fuzzing process executed nothing");
    } else {
        baseline_answered(c, w);
    }
    if (failed && input_failed(c, w, NULL, &taken, err) < 0)
        return -1;
    worker_take(w);
    if (w->bloated && w->state == WORKER_IDLE)
        replace_bloated(c, s);
    return 0;
}

/* Counts restarts of workers that somebody else ended; false when there are too many. */
static bool may_restart(struct coordinator *c)
{
    if (c->restarts == 0 ||
        c->s->now - c->restarts_since > (uint64_t)RESTARTS_WINDOW_MS * 1000000) {
        c->restarts = 0;
        c->restarts_since = c->s->now;
    }
    return ++c->restarts <= RESTARTS_MAX;
}

/* Somebody else ended w, which ran an entry of the baseline: once more, then it is given up. */
static int baseline_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                         struct cfz_error *err)
{
    bool again = c->baseline.lost_entry != w->entry + 1;

    c->baseline.lost_entry = w->entry + 1;
    if (again)
        return queue_push_front(&c->baseline.waiting, w->entry, err);
    baseline_answered(c, w);
    if (c->corpus.entries[w->entry].from != FROM_SEED)
        return 0;
    if (report_result(&c->blocks, 1, "FAIL", w->shm->name, 0, err) < 0 ||
        crasher_died(w, e, 2, NULL, &c->blocks, err) < 0)
        return -1;
    seed_failed(c, w->entry);
    return 0;
}

/* A worker ended that was not running an input which did it. */
static int worker_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                       struct cfz_error *err)
{
    if (e->kind == ENDING_INTERNAL && !c->killed)
        return cfz_fail(err, CFZ_EINTERNAL, "%s", e->text);
    if (c->stopping)
        return 0;
    if (e->kind == ENDING_STOPPED) {
        stop(c);
        return 0;
    }
    if (e->kind == ENDING_CRASH || !may_restart(c)) {
        /* Between inputs: a thread of the target. Nothing to save. */
        fail(c);
        return crasher_died(w, e, 1, NULL, &c->blocks, err);
    }
    report_line("fuzz: %s", e->text);
    return w->was_busy && !w->fuzzing ? baseline_lost(c, w, e, err) : 0;
}

static int step_gone(struct coordinator *c, struct slot *s, struct cfz_error *err)
{
    struct worker *w = s->worker;
    struct ending e;
    bool taken = false;
    int ret;

    worker_describe(w, &e);
    totals_add_worker(&c->totals, w->shm);
    if (w->was_busy && w->fuzzing)
        budget_return(&c->budget, w->limit, worker_mutated(w));
    if (e.kind == ENDING_CRASH && w->was_busy) {
        if (!w->fuzzing)
            baseline_answered(c, w);
        ret = input_failed(c, w, &e, &taken, err);
    } else {
        ret = worker_lost(c, w, &e, err);
    }
    if (!taken)
        worker_free(w);
    s->worker = NULL;
    s->seeded = false;
    c->again = true;
    return ret;
}

static int start_run(struct coordinator *c, struct worker *w, uint64_t entry, struct cfz_error *err)
{
    const struct fuzz_entry *e = &c->corpus.entries[entry];

    if (e->from == FROM_SEED)
        snprintf(w->shm->name, sizeof w->shm->name, "%s/%s", c->t->name, e->name);
    else
        snprintf(w->shm->name, sizeof w->shm->name, "%s", c->t->name);
    return worker_run(w, entry, false, err);
}

/* What -fuzzminimizetime means for inputs that bring coverage: its count, but never much. */
static uint64_t minimize_limit(const struct options *opt)
{
    const struct fuzz_limit *limit = &opt->fuzzminimizetime;

    if (limit->kind == LIMIT_NONE)
        return 0;
    return limit->kind == LIMIT_COUNT && limit->count < FIND_MINIMIZE ? limit->count
                                                                      : FIND_MINIMIZE;
}

static int step_idle(struct coordinator *c, struct slot *s, struct cfz_error *err)
{
    const struct options *opt = c->s->opt;
    struct fuzz_command cmd = {0};
    uint64_t entry;

    if (queue_pop(&c->baseline.waiting, &entry))
        return start_run(c, s->worker, entry, err);
    if (c->baseline.left > 0 || c->idle_after_baseline)
        return 0;
    if (!budget_take(&c->budget, c->nslots, &cmd.limit))
        return 0;
    cmd.seed = s->seeded ? ~UINT64_C(0) : opt->seed;
    cmd.k = s->seeded ? 0 : c->next_k++;
    s->seeded = true;
    cmd.max_len = opt->fuzzmaxlen;
    cmd.sync = opt->parallel == 1 ? SYNC_EXECS : 0;
    cmd.minimize = minimize_limit(opt);
    snprintf(s->worker->shm->name, sizeof s->worker->shm->name, "%s", c->t->name);
    return worker_fuzz(s->worker, &cmd, err);
}

static int step_worker(struct coordinator *c, struct slot *s, struct cfz_error *err)
{
    if (s->worker == NULL) {
        if (c->stopping)
            return 0;
        return worker_new(c->host, c->t->name, 0, &s->worker, err);
    }
    if (s->worker->news && take_news(c, s->worker, err) < 0)
        return -1;
    if (s->worker->state == WORKER_ANSWERED && step_answered(c, s, err) < 0)
        return -1;
    if (s->worker == NULL)
        return 0;
    if (s->worker->state == WORKER_GONE)
        return step_gone(c, s, err);
    if (s->worker->state == WORKER_IDLE && !c->stopping)
        return step_idle(c, s, err);
    return 0;
}

/* A worker still does something that has to be waited for. */
static bool any_busy(const struct coordinator *c)
{
    for (unsigned i = 0; i < c->nslots; i++) {
        const struct worker *w = c->slots[i].worker;

        /* What one that is gone left has not been looked at yet. */
        if (w != NULL && (w->state == WORKER_BUSY || w->state == WORKER_ANSWERED ||
                          w->state == WORKER_GONE))
            return true;
    }
    return false;
}

static int turn(void *ctx, struct cfz_error *err);

/* ---- start --------------------------------------------------------------------- */

static int prepare(struct coordinator *c, struct cfz_error *err)
{
    const struct options *opt = c->s->opt;
    bool bad;

    c->corpus.host = c->host;
    c->next_k = 1;
    c->nslots = opt->parallel;
    if (opt->fuzztime.kind == LIMIT_COUNT && opt->fuzztime.count < c->nslots)
        c->nslots = (unsigned)opt->fuzztime.count;
    budget_init(&c->budget, opt->fuzztime.kind == LIMIT_COUNT, opt->fuzztime.count);
    c->slots = calloc(c->nslots, sizeof *c->slots);
    if (c->slots == NULL)
        return cfz_fail(err, CFZ_ENOMEM, "out of memory");
    if (c->host->ncounters == 0)
        report_line("warning: the test binary was not built with coverage instrumentation, so "
                    "fuzzing will run without coverage guidance and may be inefficient");
    if (c->s->origin->nthreads > 0)
        report_line("warning: the test binary started %u thread%s before any test; its forked "
                    "processes are without",
                    c->s->origin->nthreads, c->s->origin->nthreads == 1 ? "" : "s");
    if (cache_fuzz_dir(c->s->bin->pkg->path, c->t->name, &c->cache_dir, err) < 0 ||
        fuzz_load(&c->corpus, &c->seeds, c->cache_dir, &c->baseline, &c->blocks, &bad, err) < 0)
        return -1;
    crashes_init(&c->crashes, c->s, c->host, c->cache_dir, turn, c);
    c->failed = bad;
    c->idle_after_baseline = bad;
    c->progress.total = c->baseline.total;
    if (opt->parallel == 1)
        report_line("fuzz: seed %llu; -seed=%llu -parallel=1 repeats this run",
                    (unsigned long long)opt->seed, (unsigned long long)opt->seed);
    c->start = uv_hrtime();
    c->s->now = c->start;
    if (opt->fuzztime.kind == LIMIT_TIME)
        c->deadline = c->start + (uint64_t)opt->fuzztime.ns;
    return 0;
}

/* ---- the loop -------------------------------------------------------------------- */

/* Ends the baseline, and notices limits and signals. */
static void check_limits(struct coordinator *c)
{
    if (!c->fuzzing && !c->stopping && c->baseline.left == 0) {
        if (c->idle_after_baseline)
            stop(c);
        else
            begin_fuzzing(c);
    }
    if (c->s->interrupts > 0)
        crashes_end(&c->crashes);
    if (c->s->interrupts > 1 && !c->killed) {
        c->killed = true;
        if (c->crashes.trial.worker != NULL)
            worker_kill(c->crashes.trial.worker);
        for (unsigned i = 0; i < c->nslots; i++) {
            if (c->slots[i].worker != NULL)
                worker_kill(c->slots[i].worker);
        }
    }
    if (!c->stopping && (c->s->interrupts > 0 || budget_spent(&c->budget) ||
                         (c->deadline != 0 && c->s->now >= c->deadline)))
        stop(c);
}

/* One turn of the loop; also while a failing input is confirmed and minimised (trial.h). */
static int turn(void *ctx, struct cfz_error *err)
{
    struct coordinator *c = ctx;

    if (session_check(c->s, err) < 0)
        return -1;
    for (unsigned i = 0; i < c->nslots; i++) {
        if (step_worker(c, &c->slots[i], err) < 0)
            return -1;
    }
    check_limits(c);
    if (c->s->now >= c->next_line)
        print_progress(c, false);
    if (!c->again && (c->crashes.settling || !c->stopping || any_busy(c)))
        session_pump(c->s);
    c->again = false;
    return 0;
}

/* With -keepfuzzing a crash is settled while the others go on, else when they have stopped. */
static int loop(struct coordinator *c, struct cfz_error *err)
{
    bool stopped = false;

    print_progress(c, false);
    while (!stopped || c->crashes.waiting != NULL) {
        if (c->crashes.waiting != NULL && (c->crashes.keep || stopped)) {
            if (crashes_settle(&c->crashes, &c->blocks, err) < 0)
                return -1;
        } else if (turn(c, err) < 0) {
            return -1;
        }
        stopped = c->stopping && !any_busy(c);
    }
    return 0;
}

/* ---- before and after -------------------------------------------------------------- */

static void free_workers(struct coordinator *c)
{
    for (unsigned i = 0; i < c->nslots && c->slots != NULL; i++) {
        worker_free(c->slots[i].worker);
        c->slots[i].worker = NULL;
    }
}

/* Shows what the setup part logged: at once with -v, else below the header if it failed. */
static int show_log(struct coordinator *c, size_t from, struct cfz_error *err)
{
    struct cfz_buf lines = CFZ_BUF_INIT;
    const char *log = cfz_buf_str(&c->host->log) + from;
    size_t len = c->host->log.len - from;
    int ret;

    if (!c->s->opt->verbose)
        return report_indent(&c->blocks, 4, log, len, err);
    ret = report_indent(&lines, 4, log, len, err);
    report_text(&lines);
    cfz_buf_release(&lines);
    return ret;
}

/* Runs the setup part; *go tells whether there is something to fuzz. */
static int set_up(struct coordinator *c, bool *go, bool *skipped, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    *go = false;
    if (host_start(c->s, c->t, 0, &c->host, err) < 0)
        return -1;
    if (show_log(c, 0, err) < 0)
        return -1;
    if (c->host->state == HOST_GONE) {
        c->failed = true;
        return crasher_host_died(c->host, &c->blocks, err);
    }
    if (c->host->verdict == CFZ_VERDICT_FAIL) {
        c->failed = true;
    } else if (c->host->verdict == CFZ_VERDICT_SKIP) {
        *skipped = true;
    } else if (seeds_collect(c->host, &c->seeds, &why) < 0) {
        c->failed = true;
        return report_indent(&c->blocks, 4, why.text, strlen(why.text), err);
    } else {
        cfz_buf_release(&c->blocks); /* a log without failure is not shown */
        *go = true;
    }
    return 0;
}

/* Has the setup part's cleanups run; their failure is the test's. */
static int finish(struct coordinator *c, struct cfz_error *err)
{
    size_t logged = c->host->log.len;

    free_workers(c);
    crashes_free_worker(&c->crashes);
    if (c->host->state != HOST_READY || c->killed)
        return 0;
    if (host_finish(c->s, c->host, err) < 0)
        return err != NULL && err->sys == EINTR ? 0 : -1;
    if (c->host->verdict == CFZ_VERDICT_FAIL && c->host->finished) {
        c->failed = true;
        if (show_log(c, logged, err) < 0)
            return -1;
    }
    if (!c->host->finished || c->host->status != 0) {
        c->failed = true;
        return crasher_host_died(c->host, &c->blocks, err);
    }
    return 0;
}

static int print_result(struct coordinator *c, uint64_t started, bool skipped,
                        struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (c->failed || c->s->opt->verbose) {
        ret = report_result(&text, 0,
                            c->failed ? "FAIL"
                            : skipped ? "SKIP"
                                      : "PASS",
                            c->t->name, uv_hrtime() - started, err);
        if (ret == 0 && c->failed)
            ret = cfz_buf_append(&text, c->blocks.data, c->blocks.len, err);
        report_text(&text);
    }
    cfz_buf_release(&text);
    return ret;
}

static void release(struct coordinator *c)
{
    free_workers(c);
    crashes_release(&c->crashes);
    free(c->slots);
    queue_release(&c->baseline.waiting);
    fuzz_corpus_release(&c->corpus);
    seeds_release(&c->seeds);
    host_free(c->host);
    free(c->cache_dir);
    cfz_buf_release(&c->blocks);
}

int coordinator_run(struct session *s, const struct origin_test *t, struct fuzz_outcome *out,
                    struct cfz_error *err)
{
    struct coordinator c = {.s = s, .t = t};
    uint64_t started = uv_hrtime();
    bool go, skipped = false;
    int ret = -1;

    *out = (struct fuzz_outcome){0};
    c.corpus = (struct fuzz_corpus)FUZZ_CORPUS_INIT;
    if (s->opt->verbose)
        report_line("=== RUN   %s", t->name);
    if (set_up(&c, &go, &skipped, err) < 0) {
        if (s->interrupts > 0 && err != NULL && err->sys == EINTR)
            ret = 0;
        goto out;
    }
    if (go) {
        if (prepare(&c, err) < 0)
            goto out;
        ret = loop(&c, err);
        print_progress(&c, true); /* also before an error */
        print_totals(&c);
        if (crashes_tell(&c.crashes, &c.blocks, ret < 0 ? NULL : err) < 0)
            ret = -1;
        if (ret < 0) {
            /* Nothing found is lost: an input that failed is told even so. */
            if (c.failed)
                print_result(&c, started, false, NULL);
            goto out;
        }
        ret = -1;
    }
    if (finish(&c, err) < 0 || print_result(&c, started, skipped, err) < 0)
        goto out;
    ret = 0;
out:
    out->failed = c.failed;
    out->interrupted = s->interrupts > 0;
    release(&c);
    return ret;
}
