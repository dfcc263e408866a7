/*
 * testrun.c - see testrun.h.
 *
 *   1. Up to -parallel seeds run at once, each in a worker of its own. testrun_report.c prints them
 *      in their order.
 *   2. A crash, exit or hang fails that seed alone, or that test's setup part. So does what keeps a
 *      seed from being run, a broken process say: it is told in place of the seed's result, and
 *      the exit status differs.
 *   3. Of seeds with equal values the first is run.
 */
#define _GNU_SOURCE
#include "test/testrun.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/report.h"
#include "core/escape.h"
#include "crash/crash_baseline.h"
#include "crash/crash_report.h"
#include "results/results.h"
#include "test/testrun_report.h"
#include "test/unmatched.h"

/* Processes for one seed, where each ends since another's target wrote over what they share. */
enum { STALE_MAX = 3 };

static enum exit_status worse(enum exit_status a, enum exit_status b)
{
    return a > b ? a : b;
}

/* Raises the exit status for a seed or test that could not be run. */
static void note_error(struct testrun *r, const struct cfz_error *why)
{
    r->status = worse(r->status, why->code == CFZ_EINTERNAL ? EXIT_INTERNAL : EXIT_USAGE);
}

static bool expired(const struct test *t)
{
    return t->deadline_ns != 0 && (int64_t)uv_hrtime() >= t->deadline_ns;
}

static bool selected(const struct options *opt, const char *name)
{
    return pattern_match(opt->run_pattern, name, NULL) && !pattern_skips(opt->skip_pattern, name);
}

/* ---- seeds ------------------------------------------------------------------ */

/* Tells who watches that the execution of j begins, or that it is over. */
static int tell_watch(const struct test *t, const struct job *j, bool over, struct cfz_error *err)
{
    const struct input_watch *w = t->opt->watch;

    return w == NULL
               ? 0
               : (over ? w->after : w->before)(w->ctx, t->s->origin->bin, j->seed->full_name, err);
}

static void finish_job(struct test *t, struct job *j, enum outcome outcome)
{
    j->outcome = outcome;
    j->state = DONE;
    if (j->worker == NULL)
        return;
    worker_free(j->worker);
    j->worker = NULL;
    t->running--;
}

/* Looks j's crash up in the crash baseline, and says so above its other lines if it is there. */
static int note_known(struct test *t, struct job *j, struct cfz_error *err)
{
    struct crash_baseline *b = t->opt->crash_baseline;
    const char *dir = t->s->origin->bin->pkg->dir;
    char identity[CRASH_IDENTITY_MAX];
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    if (b == NULL)
        return 0;
    if (crash_baseline_knows(b, dir, t->t->name, crash_identity(j->signature, dir, identity),
                             j->signature->where, &j->known, err) < 0)
        return -1;
    if (!j->known)
        return 0;
    if (cfz_buf_printf(&text, err, "known crash (%s): %s\n", crash_baseline_path(b),
                       j->signature->where) < 0 ||
        cfz_buf_append(&text, j->text.data, j->text.len, err) < 0)
        ret = -1;
    cfz_buf_release(&j->text);
    j->text = text;
    return ret;
}

/* Finds out which crash it is that the worker of j shows, e as for trial_identify, where somebody
 * wants to know. */
static int identify(struct test *t, struct job *j, const struct ending *e, struct cfz_error *err)
{
    struct testrun *r = t->r;
    const struct test_binary *bin = t->s->origin->bin;

    if (!results_wanted() && t->opt->crash_baseline == NULL)
        return 0;
    if (!r->identifies) {
        symtab_load(&r->symtab, bin->path);
        r->lines =
            (struct lines){.symbolizer = bin->symbolizer, .path = bin->path, .dir = bin->pkg->dir};
        r->trial = (struct trial){.symtab = &r->symtab, .lines = &r->lines};
        r->identifies = true;
    }
    j->signature = calloc(1, sizeof *j->signature);
    if (j->signature == NULL)
        return cfz_fail_nomem(err);
    trial_identify(&r->trial, j->worker, e, j->signature);
    return note_known(t, j, err);
}

/* Fails a seed that cannot be run. The others go on. */
static int fail_job(struct test *t, struct job *j, const struct cfz_error *why,
                    struct cfz_error *err)
{
    note_error(t->r, why);
    finish_job(t, j, FAILED);
    return cfz_buf_printf(&j->text, err, "%s\n", why->text);
}

static int start_job(struct test *t, struct job *j, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    uint64_t entry;

    j->state = STARTED;
    j->started = uv_hrtime();
    if (j->seed->bad != NULL) {
        finish_job(t, j, FAILED);
        return cfz_buf_printf(&j->text, err, "%s\n", j->seed->bad);
    }
    if (j->same != NULL) {
        finish_job(t, j, SKIPPED);
        if (cfz_buf_puts(&j->text, "same values as ", err) < 0 ||
            cfz_buf_escape(&j->text, j->same->full_name, strlen(j->same->full_name),
                           CFZ_ESCAPE_LINE, err) < 0)
            return -1;
        return cfz_buf_puts(&j->text, "\n", err);
    }
    if (t->host->state == HOST_GONE) { /* ended by a thread that the setup part left behind, say */
        finish_job(t, j, FAILED);
        return cfz_buf_puts(&j->text, "not run: the process of the setup part ended\n", err);
    }
    if (cfz_run_shm_append(t->host->run, t->host->run_fd, &j->seed->vals, CFZ_ENTRY_SEED,
                           CFZ_NO_ENTRY, &entry, &why) < 0 ||
        worker_new(t->host, j->seed->full_name, t->deadline_ns, false, &j->worker, &why) < 0)
        return fail_job(t, j, &why, err);
    j->worker->entry = entry;
    t->running++;
    return 0;
}

/* The worker of j answered. */
static int take_answer(struct test *t, struct job *j, struct cfz_error *err)
{
    struct worker *w = j->worker;

    if (tell_watch(t, j, true, err) < 0 || testrun_report_log(j, err) < 0)
        return -1;
    j->ns = w->result.ns;
    if (w->result.verdict == CFZ_VERDICT_FAIL &&
        (testrun_report_values(j, err) < 0 || identify(t, j, NULL, err) < 0))
        return -1;
    finish_job(t, j,
               w->result.verdict == CFZ_VERDICT_PASS               ? PASSED
               : w->result.verdict == CFZ_VERDICT_SKIP || j->known ? SKIPPED
                                                                   : FAILED);
    return 0;
}

/* The worker of j ended. */
static int take_ending(struct test *t, struct job *j, struct cfz_error *err)
{
    struct worker *w = j->worker;
    struct ending e;

    if (w->orphaned && host_lost(t->host)) {
        if (!j->orphaned || !worker_alone(w)) {
            j->orphaned = true;
            j->state = WAITING;
            worker_free(w);
            j->worker = NULL;
            t->running--;
            return 0;
        }
        worker_blame(w); /* the host ended under it the time before, too */
    }
    worker_describe(w, &e);
    if (e.stale && ++j->stale < STALE_MAX) {
        worker_free(w);
        j->worker = NULL;
        t->running--;
        return start_job(t, j, err);
    }
    if (tell_watch(t, j, true, err) < 0)
        return -1;
    /* A worker ends with its host; how the host ended is told with the test's result. */
    if (e.kind == ENDING_INTERNAL && t->host->state != HOST_GONE)
        t->r->status = worse(t->r->status, w->err.code == CFZ_EIO ? EXIT_USAGE : EXIT_INTERNAL);
    j->ns = t->s->loop.now - j->started;
    if (e.kind == ENDING_CRASH) {
        if (crash_report_died(w, &e, 0, &j->seed->vals, &j->text, err) < 0 ||
            identify(t, j, &e, err) < 0)
            return -1;
    } else if (cfz_buf_printf(&j->text, err, "%s\n", e.text) < 0 ||
               testrun_report_log(j, err) < 0) {
        return -1;
    }
    finish_job(t, j, j->known ? SKIPPED : FAILED);
    return 0;
}

static int step_job(struct test *t, struct job *j, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    switch (j->worker->state) {
    case WORKER_IDLE:
        if (tell_watch(t, j, false, err) < 0)
            return -1;
        if (worker_run(j->worker, j->worker->entry, false, &why) < 0)
            return fail_job(t, j, &why, err);
        return 0;
    case WORKER_ANSWERED:
        return take_answer(t, j, err);
    case WORKER_GONE:
        return take_ending(t, j, err);
    default:
        return 0;
    }
}

/* Draws which of the elements 0 to i a shuffle, which goes from the end, moves to place i. */
static size_t draw(struct testrun *r, size_t i)
{
    return cfz_rand_below(&r->order, (uint32_t)i + 1);
}

/* Remembers whether -run selected a seed of this test, where it asks for seeds. */
static void note_seeds(struct test *t, bool matched)
{
    bool asks_for_seeds = false;
    const char *meant;

    if (!matched)
        pattern_match(t->opt->run_pattern, t->t->name, &asks_for_seeds);
    t->missed = asks_for_seeds;
    if (!t->missed || t->r->meant != NULL)
        return;
    meant = unmatched_seed(t);
    t->r->meant = meant != NULL ? strdup(meant) : NULL;
}

static int select_jobs(struct test *t, struct cfz_error *err)
{
    const struct seed **v = calloc(t->seeds.n + 1, sizeof *v);
    size_t *same = calloc(t->seeds.n + 1, sizeof *same), n = 0;
    bool matched = false;
    int ret = -1;

    t->jobs = calloc(t->seeds.n + 1, sizeof *t->jobs);
    if (v == NULL || same == NULL || t->jobs == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    for (size_t i = 0; i < t->seeds.n; i++) {
        const char *name = t->seeds.v[i].full_name;

        matched |= pattern_match(t->opt->run_pattern, name, NULL);
        if (selected(t->opt, name))
            v[n++] = &t->seeds.v[i];
    }
    note_seeds(t, matched);
    for (size_t i = n; t->opt->shuffle.on && i-- > 1;) {
        size_t k = draw(t->r, i);
        const struct seed *other = v[k];

        v[k] = v[i];
        v[i] = other;
    }
    if (seeds_find_equal(v, n, same, err) < 0)
        goto out;
    for (size_t i = 0; i < n; i++) {
        t->jobs[i].seed = v[i];
        t->jobs[i].same = same[i] != i ? v[same[i]] : NULL;
    }
    t->njobs = n;
    ret = 0;
out:
    free(v);
    free(same);
    return ret;
}

static void release_jobs(struct test *t)
{
    for (size_t i = 0; i < t->njobs; i++) {
        worker_free(t->jobs[i].worker);
        cfz_buf_release(&t->jobs[i].text);
        cfz_buf_release(&t->jobs[i].said);
        cfz_buf_release(&t->jobs[i].shown);
        cfz_buf_release(&t->jobs[i].block);
        free(t->jobs[i].signature);
    }
    free(t->jobs);
    t->jobs = NULL;
    t->njobs = 0;
}

/* Says that the time is up, and fails the test. */
static void time_out(struct test *t)
{
    t->failed = true;
    t->stop = true;
    t->timed_out = true;
    testrun_report_timeout(t);
}

/* How many seeds run at once: one, once a seed may have ended the host. */
static unsigned side_by_side(const struct test *t)
{
    return t->host->restarts > 0 ? 1 : t->opt->parallel;
}

/* Starts as many seeds as may run, those first that ran when the host ended. */
static int start_jobs(struct test *t, struct cfz_error *err)
{
    if (host_lost(t->host))
        return 0; /* when none runs, it is started anew */
    for (size_t i = t->reported; i < t->next && t->running < side_by_side(t); i++) {
        if (t->jobs[i].state == WAITING && start_job(t, &t->jobs[i], err) < 0)
            return -1;
    }
    while (t->next < t->njobs && t->running < side_by_side(t)) {
        if (start_job(t, &t->jobs[t->next], err) < 0)
            return -1;
        t->next++;
    }
    return 0;
}

static int run_seeds(struct test *t, struct cfz_error *err)
{
    while (t->reported < t->njobs && !t->stop) {
        if (!host_lost(t->host) && origin_check(t->s->origin, err) < 0)
            return -1; /* one that is lost is started anew with the host */
        if (t->s->loop.interrupts > 0) {
            t->r->interrupted = true;
            t->failed = true;
            return cfz_buf_puts(&t->tree, "    interrupted\n", err);
        }
        if (expired(t)) {
            time_out(t);
            return 0;
        }
        if (t->running == 0 && host_lost(t->host) && host_restart(t->host, err) < 0)
            return -1;
        if (start_jobs(t, err) < 0)
            return -1;
        for (size_t i = t->reported; i < t->next; i++) {
            if (t->jobs[i].worker != NULL && step_job(t, &t->jobs[i], err) < 0)
                return -1;
        }
        if (testrun_report_seeds(t, err) < 0)
            return -1;
        if (t->reported < t->njobs && !t->stop &&
            (t->running == side_by_side(t) || t->next == t->njobs) && t->running > 0)
            loop_pump(&t->s->loop);
    }
    return 0;
}

/* ---- tests ------------------------------------------------------------------ */

/* Has the setup part's cleanups run. If they fail, the test fails. */
static int finish_host(struct test *t, struct cfz_error *err)
{
    size_t logged = t->host->log.len;

    for (size_t i = 0; i < t->njobs; i++) { /* after -failfast some are still running */
        worker_free(t->jobs[i].worker);
        t->jobs[i].worker = NULL;
    }
    if (!t->timed_out && expired(t))
        time_out(t);
    if (t->r->interrupted || t->timed_out)
        return 0;
    do {
        if (host_lost(t->host) && host_restart(t->host, err) < 0)
            return -1;
        if (host_finish(t->host, err) < 0)
            return -1;
    } while (host_lost(t->host)); /* a signal may have been on its way */
    if (testrun_report_setup(t, cfz_buf_str(&t->host->log) + logged, t->host->log.len - logged,
                             err) < 0)
        return -1;
    if (!t->host->finished || t->host->status != 0)
        return testrun_report_host(t, err);
    if (t->host->verdict == CFZ_VERDICT_FAIL)
        t->failed = true;
    return 0;
}

/* Runs the setup part, the seeds and the cleanups. */
static int run_host(struct test *t, bool *skipped, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;

    if (host_start(t->s->origin, t->t, t->deadline_ns, &t->host, err) < 0)
        return -1;
    if (testrun_report_setup(t, cfz_buf_str(&t->host->log), t->host->log.len, err) < 0)
        return -1;
    if (t->host->state == HOST_GONE)
        return testrun_report_host(t, err);
    if (t->host->verdict == CFZ_VERDICT_FAIL) {
        t->failed = true;
    } else if (t->host->verdict == CFZ_VERDICT_SKIP) {
        *skipped = true;
    } else if (seeds_collect(t->host, &t->seeds, &why) < 0) {
        t->failed = true;
        if (testrun_report_setup(t, why.text, strlen(why.text), err) < 0)
            return -1;
    } else if (select_jobs(t, err) < 0 || run_seeds(t, err) < 0) {
        return -1;
    } else if (t->opt->crash_baseline != NULL && t->reported == t->seeds.n) {
        crash_baseline_ran(t->opt->crash_baseline, t->s->origin->bin->pkg->dir, t->t->name);
    }
    return finish_host(t, err);
}

/* Deals with a failure of run_host. Returns true if it is told as this test's failure, and the
 * other tests run; false if nothing can run any more. */
static bool contain(struct test *t, struct cfz_error *err)
{
    struct cfz_error cause = CFZ_ERROR_INIT, ignored = CFZ_ERROR_INIT;

    if (err->code == CFZ_ENOMEM)
        return false;
    if (origin_check(t->s->origin, &cause) < 0) {
        *err = cause; /* all else follows from it */
        return false;
    }
    if (t->s->loop.interrupts > 0 && err->sys == EINTR) {
        t->r->interrupted = true;
        return true;
    }
    if (expired(t)) {
        time_out(t);
        return true;
    }
    t->failed = true;
    note_error(t->r, err);
    return testrun_report_setup(t, err->text, strlen(err->text), &ignored) == 0;
}

static int run_test(struct testrun *r, const struct options *opt, struct session *s,
                    const struct origin_test *ot, int64_t deadline_ns, bool *stop,
                    struct cfz_error *err)
{
    struct test t = {.r = r, .opt = opt, .s = s, .t = ot, .deadline_ns = deadline_ns};
    struct cfz_error why = CFZ_ERROR_INIT;
    uint64_t start = uv_hrtime();
    bool skipped = false, over = false;
    int ret = -1;

    t.seeds = (struct seeds)SEEDS_INIT;
    testrun_report_start(&t);
    if (expired(&t)) { /* the test before may have passed, and used up all the time */
        time_out(&t);
    } else if (run_host(&t, &skipped, &why) < 0) {
        over = !contain(&t, &why);
        if (over)
            *err = why;
        if (r->interrupted) {
            ret = over ? -1 : 0;
            goto out;
        }
    }
    if (over) /* the result of this test is told all the same */
        err = NULL;
    if (t.failed || !over) {
        enum outcome o = t.failed ? FAILED : skipped ? SKIPPED : PASSED;

        if (testrun_report_result(&t, o, uv_hrtime() - start, err) < 0)
            goto out;
    }
    r->matched |= !t.missed;
    if (t.failed) {
        r->failed = true;
        r->status = worse(r->status, EXIT_FAILED);
    }
    if (t.timed_out || (t.failed && opt->failfast))
        *stop = true;
    ret = over ? -1 : 0;
out:
    release_jobs(&t);
    seeds_release(&t.seeds);
    host_free(t.host);
    cfz_buf_release(&t.tree);
    cfz_buf_release(&t.lines);
    return ret;
}

/* Runs each of the tests once, in the order of the indices. */
static int run_tests(const struct options *opt, struct session *s, const size_t *order,
                     bool but_fuzzed, int64_t deadline_ns, struct testrun *r, bool *stop,
                     struct cfz_error *err)
{
    for (size_t i = 0; i < s->origin->ntests && !*stop && !r->interrupted; i++) {
        const struct origin_test *t = &s->origin->tests[order[i]];

        if (!selected(opt, t->name))
            continue;
        if (but_fuzzed && pattern_match_top(opt->fuzz_pattern, t->name))
            continue;
        r->ran = true;
        if (run_test(r, opt, s, t, deadline_ns, stop, err) < 0)
            return -1;
    }
    return 0;
}

/* The crash baseline may list tests that are gone. Those of other binaries of the package are
 * harnesses. */
static int check_baseline(const struct options *opt, const struct session *s, struct cfz_error *err)
{
    const struct package *pkg = s->origin->bin->pkg;
    size_t n = s->origin->ntests;
    const char **names;
    int ret;

    if (opt->crash_baseline == NULL || (s->origin->bin->several && !s->origin->bin->first))
        return 0;
    names = calloc(n + pkg->nsources + 1, sizeof *names);
    if (names == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        names[i] = s->origin->tests[i].name;
    for (size_t i = 0; i < pkg->nsources; i++)
        if (pkg->sources[i].harness != NULL)
            names[n++] = pkg->sources[i].harness;
    ret = crash_baseline_check(opt->crash_baseline, s->origin->bin->pkg->dir, names, n, err);
    free(names);
    return ret;
}

int testrun_tests(const struct options *opt, struct session *s, bool but_fuzzed, struct testrun *r,
                  struct cfz_error *err)
{
    size_t n = s->origin->ntests, *order = calloc(n + 1, sizeof *order);
    int64_t deadline_ns = 0;
    bool stop = false;
    int ret = 0;

    *r = (struct testrun){.status = EXIT_PASSED};
    if (order == NULL)
        return cfz_fail_nomem(err);
    if (check_baseline(opt, s, err) < 0) {
        free(order);
        return -1;
    }
    unmatched_corpus(s->origin);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    if (opt->timeout_ns > 0) {
        int64_t now = (int64_t)uv_hrtime();

        deadline_ns = opt->timeout_ns < INT64_MAX - now ? now + opt->timeout_ns : INT64_MAX;
    }
    if (opt->shuffle.on) {
        report_line("-shuffle %llu", (unsigned long long)opt->shuffle.seed);
        cfz_rand_init(&r->order, opt->shuffle.seed, 1);
    }
    for (uint32_t i = 0; i < opt->count && ret == 0 && !stop && !r->interrupted; i++) {
        for (size_t k = n; opt->shuffle.on && k-- > 1;) {
            size_t other = draw(r, k), index = order[other];

            order[other] = order[k];
            order[k] = index;
        }
        ret = run_tests(opt, s, order, but_fuzzed, deadline_ns, r, &stop, err);
    }
    free(order);
    symtab_release(&r->symtab);
    lines_release(&r->lines);
    return ret;
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
        ret = testrun_tests(opt, &s, false, &r, err);
        if (ret == 0 && !r.ran && !r.interrupted) {
            if (!bin->several)
                unmatched_tests(opt, s.origin);
            res->no_tests_to_run = true;
        } else if (ret == 0 && !r.matched && !r.interrupted) {
            unmatched_seeds(r.meant);
            res->no_seeds_to_run = true;
        }
        res->status = r.interrupted ? worse(r.status, EXIT_FAILED) : r.status;
        res->interrupted = r.interrupted || loop_ends(&s.loop);
    }
    free(r.meant);
    session_close(&s);
    return ret;
}
