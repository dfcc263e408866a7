/*
 * fuzz_loop.c - see fuzz_loop.h.
 *
 *     baseline: each entry once --> fuzzing --> stopping --> end
 *        |  a seed failed: after the baseline ----^  ^
 *        |  a cached entry failed -------------------|
 *                         a limit, a crash, Ctrl-C --+
 *
 *   1. One loop: wait (loop_pump), then a step for each worker (step_worker). Only steps
 *      decide.
 *   2. Only the driver writes the mask and the arena (fuzz_interesting.c). A step takes a worker's
 *      records before it looks at the answer, or at how the worker died.
 *   3. Stopping begins once; workers are then asked to end, and killed if they do not. What
 *      they still report is kept.
 *   4. When the time is up, the run ends, but not before all seeds have been run; cached inputs are
 *      left out. Inputs that failed by then are confirmed, and not minimized any further.
 *   5. budget.done + budget.out + budget.left is the limit of -fuzztime=Nx at any time.
 */
#include "fuzz/fuzz_loop.h"

#include <stdio.h>

#include "cli/debug.h"
#include "fuzz/fuzz_failures.h"
#include "fuzz/fuzz_interesting.h"
#include "fuzz/fuzz_lines.h"
#include "fuzz/fuzz_sharing.h"

enum {
    /* A single worker waits for our answer to its records every so many executions: at some 10^6 a
     * second that is 4 ms, and only where it had records. Guessed. */
    SYNC_EXECS = 4096,
    /* Executions that making one interesting input smaller may take. Guessed: enough to cut some
     * hundred bytes of which few matter. */
    INTERESTING_MINIMIZE = 512,
    FORK_AGAIN_MS = 1000, /* until a worker that could not be forked is tried again; guessed */
    STARVED_MAX = 3,      /* of workers on end, where no other goes on; guessed */
    NO_FORK_S = 5,        /* how long none may have been forked, where no other goes on; guessed */
};

/* ---- workers ------------------------------------------------------------------ */

/* Has the idle process of a seat end; another takes its place. */
static void replace(struct coordinator *c, struct seat *s)
{
    fuzz_add_worker(c, s->worker->shm);
    worker_free(s->worker);
    s->worker = NULL;
    s->seeded = s->counted = false;
    c->again = true;
}

/* Replaces the process of a worker whose tested code keeps memory from input to input. */
static void replace_bloated(struct coordinator *c, struct seat *s)
{
    if (c->totals.bloated++ == 0)
        report_line(
            "fuzz: a fuzzing process held more than %llu MiB (-rss) between inputs, and was "
            "replaced: the tested code may leak memory",
            (unsigned long long)c->opt->rss_mib);
    replace(c, s);
}

/* Replaces the process of a worker in which some input changed the tested code for good. */
static void replace_drifted(struct coordinator *c, struct seat *s)
{
    if (c->totals.drifted++ == 0)
        report_line("fuzz: an input covered less than half of what it had covered before in a "
                    "fuzzing process, which was replaced: the tested code keeps state from input "
                    "to input");
    replace(c, s);
}

/* Replaces the process of a worker by one that cuts slow executions short. */
static void replace_slow(struct coordinator *c, struct seat *s)
{
    c->slow = true;
    replace(c, s);
}

static int step_answered(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    struct worker *w = s->worker;
    bool failed = w->result.verdict == CFZ_VERDICT_FAIL, taken;

    s->starved = 0;
    if (!cfz_proc_shm_sane(w->shm, true)) {
        worker_scribbled(w);
        return 0;
    }
    if (w->fuzzing) {
        budget_return(&c->budget, w->limit, w->result.mutated);
        s->counted = true;
        c->again = c->again || w->result.mutated < w->limit;
        if (!failed && w->result.mutated == 0 && !c->stopping && !w->bloated && !w->yielding &&
            !w->slow && !w->result.drifted && !worker_stale(w))
            return cfz_fail(err, CFZ_EINTERNAL, "fuzzing process executed nothing");
    } else if (w->running) {
        c->corpus.entries[w->entry].ns = w->result.ns;
        fuzz_baseline_answered(c, w);
    } else if (failed) {
        sharing_gone(c, w);
    } else if (sharing_answered(c, w, err) < 0) {
        return -1;
    }
    if (failed && fuzz_input_failed(c, w, NULL, &taken, err) < 0)
        return -1;
    worker_take(w);
    s->counted = false;
    if (w->state != WORKER_IDLE)
        return 0;
    if (w->bloated)
        replace_bloated(c, s);
    else if (w->slow)
        replace_slow(c, s);
    else if (w->fuzzing && w->result.drifted)
        replace_drifted(c, s);
    else if (worker_stale(w))
        replace(c, s);
    return 0;
}

/* Another worker than that of s is there or on its way. */
static bool others_go_on(const struct coordinator *c, const struct seat *s)
{
    for (unsigned i = 0; i < c->nseats; i++) {
        const struct worker *w = c->seats[i].worker;

        if (&c->seats[i] != s && w != NULL && w->state != WORKER_GONE && !w->killed)
            return true;
    }
    return false;
}

/* The system had no room for the worker of s. It is tried again a second later. Where no other goes
 * on meanwhile, that is done for some seconds, or for some workers that got to their commands, and
 * then the run ends. */
static int try_later(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    const struct worker *w = s->worker;
    bool others = others_go_on(c, s);

    if (!others && !w->was_busy && c->no_fork_since == 0)
        c->no_fork_since = c->s->loop.now;
    if (!others && w->was_busy && ++s->starved == STARVED_MAX) {
        *err = w->err;
        return -1;
    }
    if (!others && !w->was_busy &&
        c->s->loop.now - c->no_fork_since >= (uint64_t)NO_FORK_S * 1000000000) {
        *err = w->err;
        return cfz_error_wrap(err, "no fuzzing process could be started for %d seconds", NO_FORK_S);
    }
    s->not_before = c->s->loop.now + (uint64_t)FORK_AGAIN_MS * 1000000;
    if (!c->told_no_fork)
        report_line("fuzz: %s; %sit is tried again", w->err.text,
                    others ? "the others go on, and " : "");
    c->told_no_fork = true;
    return w->was_busy && w->running ? queue_push_front(&c->baseline.waiting, w->entry, err) : 0;
}

static int start_worker(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    if (c->s->loop.now < s->not_before)
        return 0;
    return worker_new(c->host, c->t->name, 0,
                      c->triage.keep || c->opt->crash_baseline != NULL || c->slow, &s->worker, err);
}

static int step_gone(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    struct worker *w = s->worker;
    struct ending e;
    bool taken = false;
    int ret;

    if (fuzz_ended_host(c, w))
        worker_blame(w);
    worker_describe(w, &e);
    fuzz_add_worker(c, w->shm);
    sharing_gone(c, w);
    if (w->was_busy && w->fuzzing)
        budget_return(&c->budget, w->limit, worker_mutated(w));
    s->counted = true;
    if (e.kind == ENDING_CRASH && w->was_busy && !e.of_mutator) {
        if (w->running)
            fuzz_baseline_answered(c, w);
        ret = fuzz_input_failed(c, w, &e, &taken, err);
    } else if (w->unforked && !c->stopping) {
        ret = try_later(c, s, err);
    } else {
        ret = fuzz_worker_lost(c, w, &e, err);
    }
    if (!taken)
        worker_free(w);
    s->worker = NULL;
    s->seeded = s->counted = false;
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

/* How many executions making an interesting input smaller may take: the count of
 * -fuzzminimizetime, if it is a count, but INTERESTING_MINIMIZE at most. */
static uint64_t minimize_limit(const struct options *opt)
{
    const struct fuzz_limit *limit = &opt->fuzzminimizetime;

    if (limit->kind == LIMIT_NONE)
        return 0;
    return limit->kind == LIMIT_COUNT && limit->count < INTERESTING_MINIMIZE ? limit->count
                                                                             : INTERESTING_MINIMIZE;
}

static bool time_is_up(const struct coordinator *c)
{
    return c->deadline != 0 && c->s->loop.now >= c->deadline;
}

/* Takes the next entry of the baseline. When the time is up, cached ones are left out. False if
 * there is none. */
static bool next_entry(struct coordinator *c, uint64_t *entry)
{
    while (queue_pop(&c->baseline.waiting, entry))
        if (!time_is_up(c) || c->corpus.entries[*entry].from != FROM_CACHE)
            return true;
    return false;
}

/*
 * In what the workers of a run differ from a run with one: the first does not, and after the last
 * of these it begins anew. What one way of working does not find another may, and what one finds
 * all have. It goes by seat, so that a worker works as the one did whose place it takes.
 */
static const struct {
    unsigned flags; /* of enum cfz_fuzz_flags */
    const char *what;
} seat_settings[] = {{0, "as with one worker"},
                     {CFZ_FUZZ_FAVOURED, "favoured inputs"},
                     {CFZ_FUZZ_SOLVER, "more of the solver"},
                     {CFZ_FUZZ_UNIFORM, "mutations not learned"},
                     {CFZ_FUZZ_LONG, "long values"}};

static unsigned seat_flags(const struct coordinator *c, const struct seat *s)
{
    const size_t seat = (size_t)(s - c->seats), n = sizeof seat_settings / sizeof *seat_settings;

    if (!s->seeded && debug_fuzz())
        debug_line("worker seat %zu: %s", seat + 1, seat_settings[seat % n].what);
    return seat_settings[seat % n].flags;
}

static int step_idle(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    const struct options *opt = c->opt;
    struct fuzz_command cmd = {0};
    uint64_t entry;
    bool got;

    c->no_fork_since = 0;

    if (next_entry(c, &entry))
        return start_run(c, s->worker, entry, err);
    if (c->baseline.left > 0 || c->idle_after_baseline || !c->fuzzing)
        return 0;
    if (sharing_step(c, s->worker, &got, err) < 0 || got)
        return got ? 0 : -1;
    if (!budget_take(&c->budget, c->nseats, &cmd.limit))
        return 0;
    cmd.flags = opt->fuzz_flags | seat_flags(c, s);
    cmd.seed = s->seeded ? ~UINT64_C(0) : opt->seed;
    cmd.k = s->seeded ? 0 : c->next_k++;
    s->seeded = true;
    cmd.max_len = opt->fuzzmaxlen;
    cmd.sync = opt->parallel == 1 ? SYNC_EXECS : 0;
    cmd.minimize = minimize_limit(opt);
    cmd.search = opt->solve;
    snprintf(s->worker->shm->name, sizeof s->worker->shm->name, "%s", c->t->name);
    return worker_fuzz(s->worker, &cmd, err);
}

/* Whether a hang may wait to be settled: with one worker nothing is fuzzed meanwhile. Not where the
 * run can be repeated. */
static bool hang_may_wait(const struct coordinator *c)
{
    return c->opt->parallel == 1 && !c->stopping && c->opt->fuzztime.kind != LIMIT_COUNT;
}

/* Whether workers get no new command: the run is stopping, an input is to be executed alone since
 * it may have ended the host, or the run can be repeated and a crash is to be settled. What workers
 * did meanwhile would depend on time, and so would the order of the lines. */
static bool holds(const struct coordinator *c)
{
    return c->stopping || c->suspects.n > 0 || c->triage.trial.blames ||
           (c->opt->parallel == 1 &&
            (c->triage.settling || triage_due(&c->triage, hang_may_wait(c))));
}

/* What workers found cannot be kept, and the run ends with that. Workers that an input has ended
 * are looked at all the same: it may be in no file yet. */
static void take_endings(struct coordinator *c)
{
    for (unsigned i = 0; i < c->nseats; i++) {
        struct seat *s = &c->seats[i];

        if (s->worker != NULL && s->worker->state == WORKER_ANSWERED)
            (void)step_answered(c, s, NULL);
        if (s->worker != NULL && s->worker->state == WORKER_GONE)
            (void)step_gone(c, s, NULL);
    }
}

static int step_worker(struct coordinator *c, struct seat *s, struct cfz_error *err)
{
    if (s->worker == NULL) {
        if (holds(c) || c->host->state != HOST_READY)
            return 0;
        /* An entry of the baseline may have ended the host: they are run one after the other. */
        if (c->host->restarts > 0 && !c->fuzzing && others_go_on(c, s))
            return 0;
        return start_worker(c, s, err);
    }
    if (s->worker->records && fuzz_take_records(c, s->worker, err) < 0) {
        take_endings(c);
        return -1;
    }
    if (s->worker->state == WORKER_ANSWERED && step_answered(c, s, err) < 0)
        return -1;
    if (s->worker == NULL)
        return 0;
    if (s->worker->state == WORKER_GONE)
        return step_gone(c, s, err);
    if (s->worker->state != WORKER_IDLE || holds(c))
        return 0;
    if (!worker_stale(s->worker))
        return step_idle(c, s, err);
    replace(c, s);
    return 0;
}

/* Whether some worker does something that has to be waited for. */
static bool any_busy(const struct coordinator *c)
{
    for (unsigned i = 0; i < c->nseats; i++) {
        const struct worker *w = c->seats[i].worker;

        /* One that is gone has left records that were not taken yet. */
        if (w != NULL &&
            (w->state == WORKER_BUSY || w->state == WORKER_ANSWERED || w->state == WORKER_GONE))
            return true;
    }
    return false;
}

/* ---- the loop -------------------------------------------------------------------- */

static void begin_fuzzing(struct coordinator *c)
{
    c->fuzzing = true;
    fuzz_corpus_rest_failed(&c->corpus);
    c->fuzzing_ns = c->s->loop.now - c->start;
    c->again = true;
    c->totals.covered_before_fuzzing = c->host->run->covered;
    if (debug_fuzz())
        debug_line("finished processing input corpus, entries: %zu, initial counters: %llu",
                   c->corpus.n, (unsigned long long)c->totals.covered_before_fuzzing);
    c->front->baseline_over(c);
}

/* Ends the baseline, and notices limits and signals. */
static void check_limits(struct coordinator *c)
{
    if (!c->fuzzing && !c->stopping && c->baseline.left == 0) {
        if (c->idle_after_baseline)
            coordinator_stop(c);
        else
            begin_fuzzing(c);
    }
    if (c->s->loop.interrupts > 0) {
        triage_lose_patience(&c->triage, PATIENCE_NONE);
        if (!c->stopping || c->patient)
            coordinator_stop(c);
    }
    if (time_is_up(c) && c->baseline.due == 0)
        triage_lose_patience(&c->triage, PATIENCE_CONFIRM);
    if (c->s->loop.interrupts > 1 && !c->killed) {
        c->killed = true;
        if (c->triage.trial.worker != NULL)
            worker_kill(c->triage.trial.worker);
        for (unsigned i = 0; i < c->nseats; i++) {
            if (c->seats[i].worker != NULL)
                worker_kill(c->seats[i].worker);
        }
    }
    if (!c->stopping && (budget_spent(&c->budget) || (time_is_up(c) && c->baseline.due == 0)))
        coordinator_end(c);
}

/* One turn of the loop; also while a failing input is confirmed and minimized (trial.h). */
int fuzz_turn(void *ctx, struct cfz_error *err)
{
    struct coordinator *c = ctx;

    for (unsigned i = 0; i < c->nseats; i++) {
        if (step_worker(c, &c->seats[i], err) < 0)
            return -1;
    }
    /* After the steps: a crash that came together with the end is reported as a crash. */
    if (fuzz_check_host(c, err) < 0)
        return -1;
    check_limits(c);
    if (sharing_turn(c, err) < 0)
        return -1;
    if (c->front->turn != NULL)
        c->front->turn(c);
    if (c->s->loop.now >= c->next_line)
        c->front->progress(c, false);
    if (!c->again && (c->triage.settling || !c->stopping || any_busy(c)))
        loop_pump(&c->s->loop);
    c->again = false;
    return 0;
}

/* With -keepfuzzing a crash is settled while workers go on, otherwise when they have stopped. */
int fuzz_loop(struct coordinator *c, struct cfz_error *err)
{
    bool stopped = false, due;

    c->front->progress(c, false);
    while (!stopped || c->triage.waiting != NULL || c->suspects.n > 0) {
        due = triage_next(&c->triage, hang_may_wait(c));
        if (c->suspects.n > 0 && c->host->state == HOST_READY) {
            if (c->triage.trial.patience == PATIENCE_NONE)
                fuzz_drop_suspects(c);
            else if (fuzz_try_suspect(c, err) < 0)
                return -1;
        } else if (due && c->triage.waiting->suspect) {
            if (fuzz_check_suspect(c, err) < 0)
                return -1;
        } else if (due && (c->triage.keep || stopped)) {
            if (triage_settle(&c->triage, &c->blocks, err) < 0)
                return -1;
        } else if (fuzz_turn(c, err) < 0) {
            return -1;
        }
        stopped = c->stopping && !any_busy(c);
    }
    if (c->baseline.left > 0 && time_is_up(c))
        report_line("fuzz: the time was up before %llu cached input%s had been run",
                    (unsigned long long)c->baseline.left, c->baseline.left == 1 ? "" : "s");
    return 0;
}
