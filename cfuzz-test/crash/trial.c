/*
 * trial.c - see trial.h.
 */
#include "crash/trial.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "cli/debug.h"
#include "cli/report.h"
#include "stack/sanitizer_report.h"

enum {
    OUTSIDE_TRIES = 3, /* executions of an input whose worker somebody else kills */
    /* Of forking a worker for which the system has no room, and the time between. Guessed: other
     * workers go on meanwhile, and what takes all the room may be theirs. */
    FORK_TRIES = 10,
    FORK_AGAIN_MS = 300,
};

static void debug(const struct crash_signature *sig)
{
    char id[CRASH_ID_MAX];

    if (debug_signature())
        debug_line("signature %s%s: %s", crash_signature_id(sig, id),
                   sig->marked ? "" : " (guards cannot tell it)", sig->where);
}

void trial_identify(const struct trial *t, const struct worker *w, const struct ending *e,
                    struct crash_signature *sig)
{
    struct cfz_buf output = CFZ_BUF_INIT;
    struct crash_marks m = {.code = {.shm = w->shm, .symtab = t->symtab, .lines = t->lines},
                            .ending = e};

    if (e == NULL) {
        crash_signature_failed(&m, sig);
        debug(sig);
        return;
    }
    m.status = w->status;
    m.hung = w->hung;
    m.stopped = w->stopped;
    m.memory = w->memory;
    m.stack = &w->hung_stack;
    if (atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed) == CFZ_CRASH_SANITIZER)
        output_tail(&w->output, SANITIZER_REPORT_READ, &output,
                    NULL); /* without it the frames decide */
    m.output = cfz_buf_str(&output) + output_report_at(&output);
    crash_signature_died(&m, sig);
    cfz_buf_release(&output);
    debug(sig);
}

/* Empties the outbox, so that it does not fill up. Trials do not ask for coverage. */
static void discard_records(struct worker *w)
{
    const struct cfz_record *r;

    int ret;

    while ((ret = cfz_outbox_peek(w->shm, &r, NULL)) == 0 && r != NULL)
        cfz_outbox_consume(w->shm, r);
    w->records = false;
    if (w->state == WORKER_ANSWERED && (ret < 0 || !cfz_proc_shm_sane(w->shm, true)))
        worker_scribbled(w);
}

/* Turns the loop while the worker is in the given state. */
static int wait_while(struct trial *t, enum worker_state state, struct cfz_error *err)
{
    while (t->worker->state == state) {
        if (t->turn(t->ctx, err) < 0)
            return -1;
    }
    return 0;
}

/* Turns the loop for some time, or until nobody has patience any more. */
static int pause_for(struct trial *t, int ms, struct cfz_error *err)
{
    uint64_t until = uv_hrtime() + (uint64_t)ms * 1000000;

    while (uv_hrtime() < until && t->patience != PATIENCE_NONE) {
        if (t->turn(t->ctx, err) < 0)
            return -1;
    }
    return 0;
}

static void renew(struct trial *t)
{
    worker_free(t->worker);
    t->worker = NULL;
    t->used = false;
}

/* Whether the worker ended for lack of memory that earlier inputs, and not this one, may hold. */
static bool memory_of_others(const struct trial *t)
{
    const struct worker *w = t->worker;

    return t->used && w->state == WORKER_GONE &&
           (w->memory || (WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL));
}

/* Waits for a worker in t->worker that is idle, or gone. */
static int ready(struct trial *t, bool fresh, struct cfz_error *err)
{
    if (t->worker != NULL && t->worker->state == WORKER_ANSWERED)
        worker_take(t->worker);
    if (t->worker != NULL &&
        (fresh || t->worker->state != WORKER_IDLE || t->worker->bloated || worker_stale(t->worker)))
        renew(t);
    for (int i = 1;; i++) {
        while (t->host->state != HOST_READY) {
            if (t->turn(t->ctx, err) < 0)
                return -1;
        }
        if (t->worker == NULL &&
            worker_new(t->host, t->host->test->name, 0, false, &t->worker, err) < 0)
            return -1;
        if (wait_while(t, WORKER_STARTING, err) < 0)
            return -1;
        if (!t->worker->unforked || i == FORK_TRIES || t->patience == PATIENCE_NONE)
            return 0;
        renew(t);
        if (pause_for(t, FORK_AGAIN_MS, err) < 0)
            return -1;
    }
}

/* Stores in *out what the worker shows of the execution that it was asked for at began. */
static int judge(struct trial *t, uint64_t began, struct trial_outcome *out, struct cfz_error *err)
{
    struct worker *w = t->worker;

    if (w->state == WORKER_ANSWERED) {
        out->ns = w->result.ns;
        out->verdict = w->result.verdict == CFZ_VERDICT_FAIL ? TRIAL_FAILED : TRIAL_PASSED;
        if (out->verdict == TRIAL_FAILED)
            trial_identify(t, w, NULL, &out->signature);
        return 0;
    }
    if (t->blames && worker_alone(w) && host_lost(t->host))
        worker_blame(w);
    worker_describe(w, &out->ending);
    if (out->ending.kind == ENDING_INTERNAL)
        return worker_broke(w, &out->ending, err);
    if (out->ending.kind == ENDING_CRASH && w->was_busy) {
        out->verdict = TRIAL_DIED;
        out->ns = w->hung ? 0 : uv_hrtime() - began;
        trial_identify(t, w, &out->ending, &out->signature);
    }
    return 0;
}

static int run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
               struct trial_outcome *out, struct cfz_error *err)
{
    struct worker *w;
    uint64_t began;

    for (int i = 0; i < OUTSIDE_TRIES; i++) {
        *out = (struct trial_outcome){.verdict = TRIAL_VOID};
        if (ready(t, fresh, err) < 0)
            return -1;
        w = t->worker;
        began = uv_hrtime();
        if (w->state == WORKER_IDLE) {
            w->hang_ns = hang_ns;
            t->used = atomic_load_explicit(&w->shm->execs, memory_order_relaxed) > 0;
            snprintf(w->shm->name, sizeof w->shm->name, "%s", t->host->test->name);
            t->execs++;
            if (worker_try(w, vs, t->traced, err) < 0 || wait_while(t, WORKER_BUSY, err) < 0)
                return -1;
        }
        if (w->shm != NULL)
            discard_records(w);
        if (wait_while(t, WORKER_BUSY, err) < 0) /* until it is killed, if it scribbled */
            return -1;
        if (w->state == WORKER_GONE && w->unforked && i + 1 < OUTSIDE_TRIES) {
            if (pause_for(t, FORK_AGAIN_MS, err) < 0)
                return -1;
            continue;
        }
        if (judge(t, began, out, err) < 0)
            return -1;
        if (w->orphaned && out->verdict == TRIAL_VOID && host_lost(t->host))
            continue; /* the owner starts it anew */
        if (memory_of_others(t)) {
            fresh = true;
            continue;
        }
        if (out->verdict != TRIAL_VOID || out->ending.kind != ENDING_OUTSIDE)
            break;
        report_line("fuzz: %s", out->ending.text);
    }
    return 0;
}

int trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
              struct trial_outcome *out, struct cfz_error *err)
{
    int ret;

    CFZ_ASSERT(!t->running);
    t->running = true;
    ret = run(t, vs, fresh, hang_ns, out, err);
    t->running = false;
    return ret;
}

/* How many of n inputs passed, of which the worker has begun with begun. */
static size_t passed_of(const struct trial *t, uint64_t begun, size_t n)
{
    const struct worker *w = t->worker;
    bool failed = w->state != WORKER_ANSWERED || w->result.verdict == CFZ_VERDICT_FAIL;

    if (begun > n) /* it is the target's process */
        begun = n;
    return begun > 0 && failed ? begun - 1 : begun;
}

static int run_several(struct trial *t, const void *inputs, size_t len, size_t n, int64_t hang_ns,
                       size_t *passed, struct trial_outcome *out, struct cfz_error *err)
{
    struct worker *w;
    uint64_t before, began;

    *out = (struct trial_outcome){.verdict = TRIAL_VOID};
    *passed = 0;
    if (ready(t, false, err) < 0)
        return -1;
    w = t->worker;
    if (w->state != WORKER_IDLE)
        return 0;
    began = uv_hrtime();
    w->hang_ns = hang_ns;
    before = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    snprintf(w->shm->name, sizeof w->shm->name, "%s", t->host->test->name);
    if (worker_try_several(w, inputs, len, err) < 0 || wait_while(t, WORKER_BUSY, err) < 0)
        return -1;
    if (w->shm == NULL)
        return 0;
    discard_records(w);
    if (wait_while(t, WORKER_BUSY, err) < 0) /* until it is killed, if it scribbled */
        return -1;
    if (w->scribbled || w->unforked)
        return 0;
    *passed = passed_of(t, atomic_load_explicit(&w->shm->execs, memory_order_relaxed) - before, n);
    t->execs += *passed;
    t->used = before + *passed > 0;
    if (w->state == WORKER_ANSWERED && w->result.verdict != CFZ_VERDICT_FAIL) {
        out->ns = w->result.ns;
        return 0;
    }
    if (judge(t, began, out, err) < 0)
        return -1;
    if (memory_of_others(t))
        *out = (struct trial_outcome){.verdict = TRIAL_VOID};
    else if (out->verdict == TRIAL_VOID && out->ending.kind == ENDING_OUTSIDE &&
             !(w->orphaned && host_lost(t->host)))
        report_line("fuzz: %s", out->ending.text);
    t->execs += out->verdict != TRIAL_VOID;
    return 0;
}

int trial_run_several(struct trial *t, const void *inputs, size_t len, size_t n, int64_t hang_ns,
                      size_t *passed, struct trial_outcome *out, struct cfz_error *err)
{
    int ret;

    CFZ_ASSERT(!t->running && !t->traced);
    t->running = true;
    ret = run_several(t, inputs, len, n, hang_ns, passed, out, err);
    t->running = false;
    return ret;
}

void trial_release(struct trial *t)
{
    renew(t);
}
