/*
 * testrun.c - see testrun.h.
 *
 *   1. Up to -parallel seeds run at once, each in a worker of its own; results are
 *      printed in the order of the seeds, and nothing of seed i+1 before all of i.
 *   2. Without -v only what failed is printed, as a tree, when its test is over.
 *      With -v a line as each seed starts and what it logged; then the tree of results.
 *   3. A crash, exit or hang is the failure of that seed, or of that test's setup
 *      part, alone.
 */
#define _GNU_SOURCE
#include "testrun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crash_report.h"
#include "crasher.h"
#include "report.h"
#include "seeds.h"
#include "worker_client.h"

enum { OUTPUT_SHOWN = 8 << 10 };

enum outcome { PASSED, SKIPPED, FAILED };
static const char *const words[] = {"PASS", "SKIP", "FAIL"};

/* A seed that was selected, on its way. */
struct job {
    const struct seed *seed;
    enum { WAITING, STARTED, DONE } state;
    enum outcome outcome;
    uint64_t started, ns;
    bool announced;
    struct cfz_buf text; /* the lines below its header */
    struct cfz_buf said; /* what the target printed */
    struct worker *worker;
};

/* The test that is running. */
struct test {
    struct testrun *r;
    struct session *s;
    const struct origin_test *t;
    struct host *host;
    struct seeds seeds;
    struct job *jobs;
    size_t njobs, next, reported, running;
    bool failed, stop;
    int64_t deadline_ns; /* 0: none */
    struct cfz_buf tree; /* results of seeds, below the header of the test */
};

static bool expired(const struct test *t)
{
    return t->deadline_ns != 0 && (int64_t)t->s->now >= t->deadline_ns;
}

static bool selected(const struct options *opt, const char *name)
{
    bool partial = false;

    if (opt->run_pattern != NULL && !pattern_match(opt->run_pattern, name, NULL))
        return false;
    return opt->skip_pattern == NULL || !pattern_match(opt->skip_pattern, name, &partial) ||
           partial;
}

/* ---- seeds ------------------------------------------------------------------ */

static int start_job(struct test *t, struct job *j, struct cfz_error *err)
{
    uint64_t entry;

    j->state = STARTED;
    j->started = uv_hrtime();
    if (j->seed->bad != NULL) {
        j->state = DONE;
        j->outcome = FAILED;
        return cfz_buf_printf(&j->text, err, "%s\n", j->seed->bad);
    }
    if (cfz_run_shm_append(t->host->run, t->host->run_fd, &j->seed->vals, CFZ_ENTRY_SEED, &entry,
                           err) < 0)
        return -1;
    if (worker_new(t->host, j->seed->full_name, t->deadline_ns, &j->worker, err) < 0)
        return -1;
    j->worker->entry = entry;
    t->running++;
    return 0;
}

static void finish_job(struct test *t, struct job *j, enum outcome outcome)
{
    j->outcome = outcome;
    j->state = DONE;
    worker_free(j->worker);
    j->worker = NULL;
    t->running--;
}

/* The worker of j answered. */
static int take_answer(struct test *t, struct job *j, struct cfz_error *err)
{
    struct worker *w = j->worker;
    uint32_t len = atomic_load_explicit(&w->shm->log_len, memory_order_acquire);

    if (report_indent(&j->text, 0, w->shm->log, len < CFZ_LOG_MAX ? len : CFZ_LOG_MAX, err) < 0)
        return -1;
    output_tail(&w->output, OUTPUT_SHOWN, &j->said, NULL);
    j->ns = w->result.ns;
    finish_job(t, j,
               w->result.verdict == CFZ_VERDICT_PASS   ? PASSED
               : w->result.verdict == CFZ_VERDICT_SKIP ? SKIPPED
                                                       : FAILED);
    return 0;
}

/* The worker of j ended. */
static int take_ending(struct test *t, struct job *j, struct cfz_error *err)
{
    struct worker *w = j->worker;
    struct crash_view v = {.shm = w->shm,
                           .output = &w->output,
                           .hung_stack = &w->hung_stack,
                           .kinds = t->t->kinds,
                           .nvalues = t->t->nvalues,
                           .test = t->t->name,
                           .input = &j->seed->vals,
                           .symbolizer = t->s->bin->symbolizer,
                           .dir = t->s->bin->pkg->dir};
    struct ending e;

    worker_describe(w, &e);
    if (e.kind == ENDING_INTERNAL)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: %s", j->seed->full_name, e.text);
    j->ns = t->s->now - j->started;
    if (e.kind == ENDING_CRASH) {
        if (crash_report(&v, &e, &j->text, err) < 0)
            return -1;
    } else if (cfz_buf_printf(&j->text, err, "%s\n", e.text) < 0) {
        return -1;
    }
    finish_job(t, j, FAILED);
    return 0;
}

static int step_job(struct test *t, struct job *j, struct cfz_error *err)
{
    switch (j->worker->state) {
    case WORKER_IDLE:
        return worker_run(j->worker, j->worker->entry, false, err);
    case WORKER_ANSWERED:
        return take_answer(t, j, err);
    case WORKER_GONE:
        return take_ending(t, j, err);
    default:
        return 0;
    }
}

static void announce(struct job *j)
{
    if (!j->announced)
        report_line("=== RUN   %s", j->seed->full_name);
    j->announced = true;
}

/* Prints, or keeps for the tree, what is next in order. */
static int report_jobs(struct test *t, struct cfz_error *err)
{
    bool verbose = t->s->opt->verbose;

    for (; t->reported < t->njobs && !t->stop; t->reported++) {
        struct job *j = &t->jobs[t->reported];

        if (verbose && j->state != WAITING)
            announce(j);
        if (j->state != DONE)
            break;
        if (j->outcome == FAILED)
            t->failed = true;
        if (verbose) {
            struct cfz_buf lines = CFZ_BUF_INIT;
            int ret = report_indent(&lines, 4, cfz_buf_str(&j->text), j->text.len, err);

            report_text(&j->said);
            if (j->said.len > 0 && j->said.data[j->said.len - 1] != '\n')
                report_line("%s", "");
            report_text(&lines);
            cfz_buf_release(&lines);
            if (ret < 0)
                return -1;
        }
        if ((verbose || j->outcome == FAILED) &&
            report_result(&t->tree, 1, words[j->outcome], j->seed->full_name, j->ns, err) < 0)
            return -1;
        if (!verbose && j->outcome == FAILED &&
            (report_indent(&t->tree, 8, cfz_buf_str(&j->text), j->text.len, err) < 0 ||
             (j->said.len > 0 &&
              (cfz_buf_puts(&t->tree, "        output of the target:\n", err) < 0 ||
               report_indent(&t->tree, 12, cfz_buf_str(&j->said), j->said.len, err) < 0))))
            return -1;
        cfz_buf_release(&j->text);
        cfz_buf_release(&j->said);
        if (j->outcome == FAILED && t->s->opt->failfast)
            t->stop = true;
    }
    return 0;
}

static int select_jobs(struct test *t, struct cfz_error *err)
{
    t->jobs = calloc(t->seeds.n + 1, sizeof *t->jobs);
    if (t->jobs == NULL)
        return cfz_fail(err, CFZ_ENOMEM, "out of memory");
    for (size_t i = 0; i < t->seeds.n; i++) {
        if (selected(t->s->opt, t->seeds.v[i].full_name))
            t->jobs[t->njobs++].seed = &t->seeds.v[i];
    }
    return 0;
}

static void release_jobs(struct test *t)
{
    for (size_t i = 0; i < t->njobs; i++) {
        worker_free(t->jobs[i].worker);
        cfz_buf_release(&t->jobs[i].text);
        cfz_buf_release(&t->jobs[i].said);
    }
    free(t->jobs);
    t->jobs = NULL;
    t->njobs = 0;
}

/* What ran when the time was up. */
static void report_timeout(struct test *t)
{
    char text[REPORT_DURATION_MAX];

    report_line("panic: test timed out after %s", report_duration(t->s->opt->timeout_ns, text));
    report_line("running tests:");
    if (t->running == 0)
        report_line("\t%s", t->t->name);
    for (size_t i = t->reported; i < t->next; i++) {
        if (t->jobs[i].state == STARTED)
            report_line("\t%s (%s)", t->jobs[i].seed->full_name,
                        report_elapsed(t->s->now - t->jobs[i].started, text));
    }
}

static int run_seeds(struct test *t, struct cfz_error *err)
{
    while (t->reported < t->njobs && !t->stop) {
        if (session_check(t->s, err) < 0)
            return -1;
        if (t->s->interrupts > 0) {
            t->r->interrupted = true;
            t->failed = true;
            return cfz_buf_puts(&t->tree, "    interrupted\n", err);
        }
        if (expired(t)) {
            report_timeout(t);
            t->failed = true;
            t->stop = true;
            return 0;
        }
        while (t->next < t->njobs && t->running < t->s->opt->parallel) {
            if (start_job(t, &t->jobs[t->next], err) < 0)
                return -1;
            t->next++;
        }
        for (size_t i = t->reported; i < t->next; i++) {
            if (t->jobs[i].worker != NULL && step_job(t, &t->jobs[i], err) < 0)
                return -1;
        }
        if (report_jobs(t, err) < 0)
            return -1;
        if (t->reported < t->njobs && !t->stop &&
            (t->running == t->s->opt->parallel || t->next == t->njobs) && t->running > 0)
            session_pump(t->s);
    }
    return 0;
}

/* ---- tests ------------------------------------------------------------------ */

/* Keeps lines for below the header, or prints them at once with -v. */
static int add_lines(struct test *t, struct cfz_buf *lines, const char *text, size_t len,
                     struct cfz_error *err)
{
    struct cfz_buf now = CFZ_BUF_INIT;
    int ret;

    if (!t->s->opt->verbose)
        return report_indent(lines, 4, text, len, err);
    ret = report_indent(&now, 4, text, len, err);
    report_text(&now);
    cfz_buf_release(&now);
    return ret;
}

/* The host ended where it should not have. */
static int add_host_ending(struct test *t, struct cfz_buf *lines, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = crasher_host_died(t->host, &text, err);

    t->failed = true;
    if (ret == 0 && t->s->opt->verbose)
        report_text(&text);
    else if (ret == 0)
        ret = cfz_buf_append(lines, text.data, text.len, err);
    cfz_buf_release(&text);
    return ret;
}

/* Has the setup part's cleanups run; their failure is the test's. */
static int finish_host(struct test *t, struct cfz_buf *lines, struct cfz_error *err)
{
    size_t logged = t->host->log.len;

    for (size_t i = 0; i < t->njobs; i++) { /* after -failfast some are under way */
        worker_free(t->jobs[i].worker);
        t->jobs[i].worker = NULL;
    }
    if (t->r->interrupted || expired(t))
        return 0;
    if (host_finish(t->s, t->host, err) < 0)
        return -1;
    if (add_lines(t, lines, cfz_buf_str(&t->host->log) + logged, t->host->log.len - logged, err) <
        0)
        return -1;
    if (!t->host->finished || t->host->status != 0)
        return add_host_ending(t, lines, err);
    if (t->host->verdict == CFZ_VERDICT_FAIL)
        t->failed = true;
    return 0;
}

/* Runs the setup part, the seeds and the cleanups; lines: what stands below the header. */
static int run_host(struct test *t, struct cfz_buf *lines, bool *skipped, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    if (host_start(t->s, t->t, t->deadline_ns, &t->host, err) < 0)
        return -1;
    if (add_lines(t, lines, cfz_buf_str(&t->host->log), t->host->log.len, err) < 0)
        return -1;
    if (t->host->state == HOST_GONE)
        return add_host_ending(t, lines, err);
    if (t->host->verdict == CFZ_VERDICT_FAIL) {
        t->failed = true;
    } else if (t->host->verdict == CFZ_VERDICT_SKIP) {
        *skipped = true;
    } else if (seeds_collect(t->host, &t->seeds, &why) < 0) {
        t->failed = true;
        if (add_lines(t, lines, why.text, strlen(why.text), err) < 0)
            return -1;
    } else if (select_jobs(t, err) < 0 || run_seeds(t, err) < 0) {
        return -1;
    }
    return finish_host(t, lines, err);
}

static int run_test(struct testrun *r, struct session *s, const struct origin_test *ot,
                    int64_t deadline_ns, bool *stop, struct cfz_error *err)
{
    struct test t = {.r = r, .s = s, .t = ot, .deadline_ns = deadline_ns};
    struct cfz_buf lines = CFZ_BUF_INIT, head = CFZ_BUF_INIT;
    uint64_t start = uv_hrtime();
    bool skipped = false;
    int ret = -1;

    t.seeds = (struct seeds)SEEDS_INIT;
    if (s->opt->verbose)
        report_line("=== RUN   %s", ot->name);
    if (run_host(&t, &lines, &skipped, err) < 0) {
        if (s->interrupts > 0 && err != NULL && err->sys == EINTR) {
            r->interrupted = true;
            ret = 0;
        }
        goto out;
    }
    if (t.failed || s->opt->verbose) {
        enum outcome o = t.failed ? FAILED : skipped ? SKIPPED : PASSED;

        if (report_result(&head, 0, words[o], ot->name, uv_hrtime() - start, err) < 0 ||
            cfz_buf_append(&head, lines.data, lines.len, err) < 0 ||
            cfz_buf_append(&head, t.tree.data, t.tree.len, err) < 0)
            goto out;
        report_text(&head);
    }
    if (t.failed)
        r->failed = true;
    if (expired(&t) || (t.failed && s->opt->failfast))
        *stop = true;
    ret = 0;
out:
    release_jobs(&t);
    seeds_release(&t.seeds);
    host_free(t.host);
    cfz_buf_release(&t.tree);
    cfz_buf_release(&lines);
    cfz_buf_release(&head);
    return ret;
}

int testrun_tests(struct session *s, bool but_fuzzed, struct testrun *r, struct cfz_error *err)
{
    const struct options *opt = s->opt;
    int64_t deadline_ns = 0;
    bool stop = false;

    *r = (struct testrun){0};
    if (opt->timeout_ns > 0)
        deadline_ns = (int64_t)uv_hrtime() + opt->timeout_ns;
    for (size_t i = 0; i < s->origin->ntests && !stop && !r->interrupted; i++) {
        const struct origin_test *t = &s->origin->tests[i];

        if (!selected(opt, t->name))
            continue;
        if (but_fuzzed && pattern_match_top(opt->fuzz_pattern, t->name))
            continue;
        r->ran = true;
        if (run_test(r, s, t, deadline_ns, &stop, err) < 0)
            return -1;
    }
    return 0;
}

int testrun_package(const struct options *opt, const struct test_binary *bin,
                    struct run_result *res, struct cfz_error *err)
{
    struct session s;
    struct testrun r = {0};
    int ret = 0;

    *res = (struct run_result){.status = EXIT_PASSED};
    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    if (s.origin->ntests == 0) {
        res->no_fuzz_tests = true;
    } else {
        ret = testrun_tests(&s, false, &r, err);
        if (ret == 0 && !r.ran && !r.interrupted) {
            report_line("testing: warning: no tests to run");
            res->no_tests_to_run = true;
        }
        if (r.failed || r.interrupted)
            res->status = EXIT_FAILED;
        res->interrupted = r.interrupted || s.interrupts > 0;
    }
    session_close(&s);
    return ret;
}
