/*
 * coordinator.c - see coordinator.h.
 *
 * Before and after the loop (fuzz_loop.c):
 *
 *     setup part --> corpus --> loop --> totals --> cleanups --> result
 *          \_ failed or skipped _______________________________/
 */
#define _GNU_SOURCE
#include "fuzz/coordinator.h"

#include <stdlib.h>
#include <string.h>

#include "crash/crash_report.h"
#include "fuzz/fuzz_failures.h"
#include "fuzz/fuzz_history.h"
#include "fuzz/fuzz_loop.h"
#include "fuzz/fuzz_sharing.h"
#include "process/seeds.h"
#include "results/results.h"

/* ---- start --------------------------------------------------------------------- */

/* Shows what the setup part logged: at once with -v, otherwise below the header if it failed. */
static int show_log(struct coordinator *c, size_t from, struct cfz_error *err)
{
    struct cfz_buf lines = CFZ_BUF_INIT;
    const char *log = cfz_buf_str(&c->host->log) + from;
    size_t len = c->host->log.len - from;
    int ret;

    if (!c->opt->verbose)
        return report_indent(&c->blocks, 4, log, len, err);
    ret = report_indent(&lines, 4, log, len, err);
    report_text(&lines);
    cfz_buf_release(&lines);
    return ret;
}

/* Runs the setup part. Sets *go if there is something to fuzz. */
static int set_up(struct coordinator *c, bool *go, bool *skipped, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    *go = false;
    if (host_start(c->s->origin, c->t, 0, &c->host, err) < 0)
        return -1;
    if (show_log(c, 0, err) < 0)
        return -1;
    if (c->host->state == HOST_GONE) {
        c->failed = true;
        return crash_report_host(c->host, &c->blocks, err);
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

/* Has the front keep and tell what is new. */
static int on_found(void *ctx, struct finding *f, struct cfz_error *err)
{
    struct coordinator *c = ctx;

    return c->front->found(c, f, err);
}

static int prepare(struct coordinator *c, struct cfz_error *err)
{
    const struct options *opt = c->opt;
    bool bad = false;

    c->corpus.host = c->host;
    c->next_k = 1;
    c->nseats = opt->parallel;
    if (opt->fuzztime.kind == LIMIT_COUNT && opt->fuzztime.count < c->nseats)
        c->nseats = (unsigned)opt->fuzztime.count;
    budget_init(&c->budget, opt->fuzztime.kind == LIMIT_COUNT, opt->fuzztime.count);
    c->seats = calloc(c->nseats, sizeof *c->seats);
    if (c->seats == NULL)
        return cfz_fail_nomem(err);
    if (c->host->ncounters == 0)
        report_line("warning: the test binary was not built with coverage instrumentation, so "
                    "fuzzing will run without coverage guidance and may be inefficient");
    if (c->s->origin->nthreads > 0)
        report_line("warning: the test binary started %u thread%s before any test; its forked "
                    "processes are without",
                    c->s->origin->nthreads, c->s->origin->nthreads == 1 ? "" : "s");
    if (words_share(opt, c->s->origin->bin->pkg->dir, c->t->name,
                    origin_test_is_harness(c->t) ? opt->harness_dict : NULL, c->host->run,
                    c->host->run_fd, err) < 0 ||
        c->front->load(c, &bad, err) < 0)
        return -1;
    triage_init(&c->triage, c->host, fuzz_turn, c);
    if (sharing_open(c, c->cache_dir, err) < 0)
        return -1;
    if (c->front->found != NULL)
        c->triage.found = on_found;
    c->failed = bad;
    c->idle_after_baseline = bad && !opt->keepfuzzing;
    c->progress.total = c->corpus.n; /* also the zero values of an empty corpus */
    c->start = uv_hrtime();
    c->s->loop.now = c->start;
    c->found_at = c->start;
    if (opt->fuzztime.kind == LIMIT_TIME)
        c->deadline = c->start + (uint64_t)opt->fuzztime.ns;
    c->front->began(c);
    return 0;
}

/* ---- end --------------------------------------------------------------------- */

static void free_workers(struct coordinator *c)
{
    for (unsigned i = 0; i < c->nseats && c->seats != NULL; i++) {
        worker_free(c->seats[i].worker);
        c->seats[i].worker = NULL;
    }
}

/* Has the setup part's cleanups run. If they fail, the test fails. */
static int finish(struct coordinator *c, struct cfz_error *err)
{
    size_t logged = c->host->log.len;

    free_workers(c);
    triage_free_workers(&c->triage);
    do {
        if (c->seats != NULL && !c->killed && fuzz_check_host(c, err) < 0)
            return -1; /* it ended after the last input, but before its cleanups */
        if (c->host->state != HOST_READY || c->killed)
            return 0;
        if (host_finish(c->host, err) < 0)
            return err != NULL && err->sys == EINTR ? 0 : -1;
    } while (host_lost(c->host)); /* a signal may have been on its way */
    if (c->host->verdict == CFZ_VERDICT_FAIL && c->host->finished) {
        c->failed = true;
        if (show_log(c, logged, err) < 0)
            return -1;
    }
    if (!c->host->finished || c->host->status != 0) {
        c->failed = true;
        return crash_report_host(c->host, &c->blocks, err);
    }
    return 0;
}

/* Tells results of the test: how many crashes there are, and of one which, above its lines. */
static int tell_result(const struct coordinator *c, uint64_t started, bool skipped,
                       struct cfz_error *err)
{
    struct cfz_buf why = CFZ_BUF_INIT;
    struct result r = {.test = c->t->name,
                       .kind = c->failed ? RESULT_FAILED
                               : skipped ? RESULT_SKIPPED
                                         : RESULT_PASSED,
                       .ns = uv_hrtime() - started};
    const struct crash_buckets *b = &c->triage.buckets;
    size_t n = b->n - crash_buckets_listed(b), first = 0;
    int ret = 0;

    if (!results_wanted())
        return 0;
    while (n > 0 && b->v[first].listed)
        first++;
    if (n > 0)
        ret = cfz_buf_printf(&why, err, "%zu crash%s: %s%s\n", n, n == 1 ? "" : "es",
                             b->v[first].signature.where, n == 1 ? "" : ", ...");
    if (ret == 0)
        ret = cfz_buf_append(&why, c->blocks.data, c->blocks.len, err);
    r.text = cfz_buf_str(&why);
    if (ret == 0)
        results_end(&r);
    cfz_buf_release(&why);
    return ret;
}

static int print_result(struct coordinator *c, uint64_t started, bool skipped,
                        struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (c->front->found != NULL && c->seats != NULL)
        return 0; /* the front has told all */
    if (c->front->in_turns ? c->blocks.len > 0 : c->failed || c->opt->verbose) {
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
    if (ret < 0 || c->front->in_turns)
        return ret;
    return tell_result(c, started, skipped, err);
}

static void release(struct coordinator *c)
{
    free_workers(c);
    triage_release(&c->triage);
    free(c->seats);
    queue_release(&c->baseline.waiting);
    fuzz_corpus_release(&c->corpus);
    fuzz_drop_suspects(c);
    seeds_release(&c->seeds);
    host_free(c->host);
    words_release(&c->words);
    cfz_buf_release(&c->goals);
    sharing_close(c);
    fuzz_history_release(c);
    free(c->cache_dir);
    cfz_buf_release(&c->blocks);
}

int coordinator_run_for(const struct front *front, void *ctx, const struct options *opt,
                        struct session *s, const struct origin_test *t, struct fuzz_outcome *out,
                        struct cfz_error *err)
{
    struct coordinator c = {.opt = opt, .front = front, .front_ctx = ctx, .s = s, .t = t};
    uint64_t started = uv_hrtime();
    bool go = false, skipped = false;
    int ret = -1;

    *out = (struct fuzz_outcome){0};
    if (!front->in_turns)
        results_run(t->name);
    c.corpus = (struct fuzz_corpus)FUZZ_CORPUS_INIT;
    c.goals = (struct cfz_buf)CFZ_BUF_INIT;
    if (opt->verbose && !front->in_turns)
        report_line("=== RUN   %s", t->name);
    if (set_up(&c, &go, &skipped, err) < 0) {
        if (s->loop.interrupts > 0 && err != NULL && err->sys == EINTR)
            ret = 0;
        goto out;
    }
    if (go) {
        if (prepare(&c, err) < 0)
            goto out;
        ret = fuzz_loop(&c, err);
        if (c.front->ended(&c, ret, ret < 0 ? NULL : err) < 0)
            ret = -1;
        if (ret < 0) {
            /* An error does not hide an input that failed before it. */
            if (c.failed)
                print_result(&c, started, false, NULL);
            goto out;
        }
        ret = -1;
    }
    if (finish(&c, err) < 0) {
        if (c.failed)
            print_result(&c, started, false, NULL);
        goto out;
    }
    if (print_result(&c, started, skipped, err) < 0)
        goto out;
    ret = 0;
out:
    out->failed = c.failed;
    out->unfit = !go;
    out->interrupted = loop_ends(&s->loop);
    release(&c);
    return ret;
}

int coordinator_run(const struct options *opt, struct session *s, const struct origin_test *t,
                    struct fuzz_outcome *out, struct cfz_error *err)
{
    return coordinator_run_for(&front_own, NULL, opt, s, t, out, err);
}
