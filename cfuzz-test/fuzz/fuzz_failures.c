/*
 * fuzz_failures.c - see fuzz_failures.h.
 */
#include "fuzz/fuzz_failures.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "crash/crash_report.h"
#include "cli/debug.h"
#include "crash/crash_result.h"
#include "process/seeds.h"
#include "results/results.h"

enum {
    /* Workers may be killed from outside (out of memory, an operator) and are replaced, but not
     * for ever. Guessed. */
    RESTARTS_MAX = 100,
    RESTARTS_WINDOW_MS = 60000,
};

/* ---- inputs ----------------------------------------------------------- */

void fuzz_baseline_answered(struct coordinator *c, const struct worker *w)
{
    c->baseline.left--;
    c->baseline.due -= c->corpus.entries[w->entry].from != FROM_CACHE;
    c->totals.baseline++;
    if (debug_fuzz())
        debug_line("processed an initial input, id: %s, size: %llu, exec time: %lluns",
                   fuzz_corpus_id(&c->corpus, w->entry),
                   (unsigned long long)cfz_run_shm_entry(c->host->run, w->entry)->size,
                   (unsigned long long)w->result.ns);
    if (c->corpus.entries[w->entry].from != FROM_ZERO)
        c->baseline.counted++;
}

/* Notes that entry i of the baseline, a seed, failed; its block is at the end of blocks. The user
 * has the seed already, so the others are run before the run ends; with -keepfuzzing it goes on. */
static void seed_failed(struct coordinator *c, uint64_t i)
{
    c->failed = true;
    c->corpus.entries[i].failed = true;
    report_line("failure while testing seed corpus entry: %s/%s", c->t->name,
                c->corpus.entries[i].name);
    c->idle_after_baseline = !c->triage.keep;
}

/* Returns the input of w, which failed or died, in *room, which the caller releases. If the target
 * wrote over it, returns NULL with the reason in why. If it could not be copied, *ret is -1. */
static struct cfz_values *input_of(struct coordinator *c, const struct worker *w,
                                   struct cfz_values *room, struct cfz_error *why, int *ret,
                                   struct cfz_error *err)
{
    *ret = 0;
    if (!w->running) /* it is in the slots */
        return cfz_proc_input(w->shm, c->t->kinds, c->t->nvalues, room, why) == 0 ? room : NULL;
    *ret = fuzz_corpus_values(&c->corpus, w->entry, room, err);
    return *ret == 0 ? room : NULL;
}

/* Prints what triage_add made of an input of that size in packed bytes. */
static void debug_crasher(const struct coordinator *c, const struct worker *w, size_t size)
{
    const struct finding *f = c->triage.last;
    uint64_t parent = w->fuzzing   ? w->shm->parent /* the target may have scribbled */
                      : w->running ? w->entry
                                   : UINT64_MAX;
    unsigned generation = parent < c->corpus.n ? c->corpus.entries[parent].generation : 0;

    if (f != NULL && f->suspect)
        debug_line("found crasher in a traced execution, to be run plainly, parent: %s, gen: %u, "
                   "size: %zu",
                   fuzz_corpus_id(&c->corpus, parent), generation + w->fuzzing, size);
    else if (f == NULL)
        debug_line("ignoring crasher that was met before, parent: %s, gen: %u, size: %zu",
                   fuzz_corpus_id(&c->corpus, parent), generation + w->fuzzing, size);
    else
        debug_line("found crasher, id: %s, parent: %s, gen: %u, size: %zu, exec time: %lluns",
                   f->file[0] != '\0' ? f->file : "-", fuzz_corpus_id(&c->corpus, parent),
                   generation + w->fuzzing, size, (unsigned long long)f->ns);
}

bool fuzz_is_seed_file(const struct coordinator *c, const char *name)
{
    for (size_t i = 0; i < c->seeds.n; i++)
        if (strcmp(c->seeds.v[i].name, name) == 0)
            return c->seeds.v[i].is_file;
    return false;
}

/* Tells results of a seed that failed, whose lines are in blocks from a place on. */
static int seed_result(struct coordinator *c, const struct failure *f, size_t from,
                       struct cfz_error *err)
{
    const struct fuzz_entry *e = &c->corpus.entries[f->worker->entry];
    struct crash_signature sig;
    struct crash_result crash;
    struct result r = {.test = f->name,
                       .kind = RESULT_FAILED,
                       .ns = f->ending == NULL ? f->worker->result.ns : 0,
                       .text = cfz_buf_str(&c->blocks) + from,
                       .crash = &crash.crash};
    int ret;

    if (!results_wanted())
        return 0;
    trial_identify(&c->triage.trial, f->worker, f->ending, &sig);
    ret = crash_result_make(&crash, &sig, c->s->origin, c->t->name, e->name,
                            fuzz_is_seed_file(c, e->name), err);
    if (ret == 0) {
        results_run(f->name);
        results_end(&r);
        results_at(c->t->name);
    }
    crash_result_release(&crash);
    return ret;
}

/* Tells of a seed that failed, and notes its crash, so that inputs that show it are not saved. */
static int seed_input_failed(struct coordinator *c, const struct failure *f, struct cfz_error *err)
{
    const struct worker *w = f->worker;
    size_t from = c->blocks.len;

    if (triage_add_seed(&c->triage, f, err) < 0)
        return -1;
    if (c->triage.listed) {
        c->corpus.entries[w->entry].failed = true;
        report_line("fuzz: known crash (%s): %s", c->opt->baseline, f->name);
        return 0;
    }
    if (c->front->told != NULL && c->front->told(c, f->name)) {
        c->failed = c->corpus.entries[w->entry].failed = true;
        c->idle_after_baseline = !c->triage.keep;
        return 0;
    }
    if (f->ending == NULL) {
        if (crash_report_failed(w, f->name, w->result.ns, f->input, &c->blocks, err) < 0)
            return -1;
    } else if (report_result(&c->blocks, 1, "FAIL", f->name, 0, err) < 0 ||
               crash_report_died(w, f->ending, 2, f->input, &c->blocks, err) < 0) {
        return -1;
    }
    seed_failed(c, w->entry);
    return seed_result(c, f, from, err);
}

/* There is a crash: the test fails, and without -keepfuzzing the run ends. */
static void found_crash(struct coordinator *c)
{
    c->failed = true;
    if (!c->triage.keep)
        coordinator_stop(c);
}

int fuzz_check_suspect(struct coordinator *c, struct cfz_error *err)
{
    static const char *const words[] = {
        [SUSPECT_OF_TRACE] = "it fails only when it is traced: not a crash",
        [SUSPECT_KNOWN] = "it was met before",
        [SUSPECT_NEW] = "it is a crash",
    };
    enum suspicion s;

    if (triage_check(&c->triage, &s, err) < 0)
        return -1;
    if (debug_fuzz())
        debug_line("crasher of a traced execution was run plainly: %s", words[s]);
    if (s != SUSPECT_OF_TRACE && !c->triage.listed)
        found_crash(c);
    return 0;
}

int fuzz_input_failed(struct coordinator *c, struct worker *w, const struct ending *e, bool *taken,
                      struct cfz_error *err)
{
    struct cfz_values room = CFZ_VALUES_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    struct failure f = {.worker = w, .ending = e, .name = w->running ? w->shm->name : c->t->name};
    size_t size;
    int ret;

    *taken = false;
    f.input = input_of(c, w, &room, &why, &ret, err);
    f.lost = why.text;
    if (ret < 0)
        goto out;
    if (w->running && c->corpus.entries[w->entry].from == FROM_SEED) {
        ret = seed_input_failed(c, &f, err);
        goto out;
    }
    if (w->running)
        c->corpus.entries[w->entry].failed = true;
    size = cfz_values_packed_size(&room);
    ret = triage_add(&c->triage, &f, taken, err);
    if (ret == 0 && debug_fuzz())
        debug_crasher(c, w, size);
    if (ret < 0 || (!c->triage.listed && (c->triage.last == NULL || !c->triage.last->suspect)))
        found_crash(c);
out:
    cfz_values_release(&room);
    return ret;
}

/* ---- workers ------------------------------------------------------------------ */

/* Counts the restart of a worker that somebody else ended. Returns false if there were too many. */
static bool may_restart(struct coordinator *c)
{
    if (c->restarts == 0 ||
        c->s->loop.now - c->restarts_since > (uint64_t)RESTARTS_WINDOW_MS * 1000000) {
        c->restarts = 0;
        c->restarts_since = c->s->loop.now;
    }
    return ++c->restarts <= RESTARTS_MAX;
}

/* Somebody else ended w, which ran an entry of the baseline. The entry is run once more; if that
 * ends in the same way it is given up. */
static int baseline_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                         struct cfz_error *err)
{
    bool again = c->baseline.lost_entry != w->entry + 1;

    c->baseline.lost_entry = w->entry + 1;
    if (again)
        return queue_push_front(&c->baseline.waiting, w->entry, err);
    fuzz_baseline_answered(c, w);
    if (c->corpus.entries[w->entry].from != FROM_SEED)
        return 0;
    if (report_result(&c->blocks, 1, "FAIL", w->shm->name, 0, err) < 0 ||
        crash_report_died(w, e, 2, NULL, &c->blocks, err) < 0)
        return -1;
    seed_failed(c, w->entry);
    return 0;
}

/* Has the input in the slots of w run alone. */
static int suspect_input(struct coordinator *c, const struct worker *w, struct cfz_error *err)
{
    struct suspects *s = &c->suspects;
    struct cfz_values input = CFZ_VALUES_INIT;

    if (cfz_proc_input(w->shm, c->t->kinds, c->t->nvalues, &input, NULL) < 0)
        return 0; /* the target wrote over it */
    if (array_grow((void **)&s->v, s->n, &s->cap, sizeof *s->v, err) < 0) {
        cfz_values_release(&input);
        return -1;
    }
    s->v[s->n++] = input;
    return 0;
}

/* Notes what w executed, which ended with its host: it may have ended that. An entry of the
 * baseline is run again. */
static int suspect(struct coordinator *c, const struct worker *w, struct cfz_error *err)
{
    if (!w->was_busy)
        return 0;
    if (!w->running)
        return suspect_input(c, w, err);
    c->baseline.lost_host = w->entry + 1;
    return queue_push_front(&c->baseline.waiting, w->entry, err);
}

/* Somebody ended the guard of w. If the input did, it is found: workers look after each execution
 * from now on, so that the next one stops there. */
static int guard_lost(struct coordinator *c, const struct worker *w, struct cfz_error *err)
{
    c->host->watched = c->suspects.of_guard = true;
    c->guards++;
    if (c->guards == 1)
        report_line("fuzz: the guard of a fuzzing process was ended: signal: killed; what was "
                    "executed is run alone");
    else if ((c->guards & (c->guards - 1)) == 0)
        report_line("fuzz: guards of fuzzing processes were ended %u times by now; what was "
                    "executed is run alone",
                    c->guards);
    return suspect_input(c, w, err);
}

static void fail(struct coordinator *c)
{
    c->failed = true;
    coordinator_stop(c);
}

int fuzz_worker_lost(struct coordinator *c, const struct worker *w, const struct ending *e,
                     struct cfz_error *err)
{
    if (e->kind == ENDING_INTERNAL && !c->killed)
        return worker_broke(w, e, err);
    if (w->orphaned && host_lost(c->host))
        return suspect(c, w, err);
    if (c->stopping)
        return 0;
    if (e->kind == ENDING_STOPPED) {
        coordinator_stop(c);
        return 0;
    }
    if (e->kind == ENDING_CRASH || !may_restart(c)) {
        /* A thread of the target ended it between inputs, or a mutator: no input did. */
        fail(c);
        return crash_report_died(w, e, 1, NULL, &c->blocks, err);
    }
    if (w->was_busy && !w->running && worker_guard_ended(w))
        return guard_lost(c, w, err);
    report_line("fuzz: %s", e->text);
    return w->was_busy && w->running ? baseline_lost(c, w, e, err) : 0;
}

/* ---- a host that somebody ended -------------------------------------------------- */

bool fuzz_ended_host(const struct coordinator *c, const struct worker *w)
{
    return w->running && ((worker_alone(w) && c->baseline.lost_host == w->entry + 1) ||
                          (worker_guard_ended(w) && c->baseline.lost_entry == w->entry + 1));
}

int fuzz_try_suspect(struct coordinator *c, struct cfz_error *err)
{
    struct trial *t = &c->triage.trial;
    struct trial_outcome o;
    struct cfz_values input = c->suspects.v[--c->suspects.n];
    bool taken = false;
    int ret;

    c->triage.settling = t->blames = true;
    if (c->suspects.of_guard) /* the line about the guard was enough */
        host_expect_end(c->host, true);
    ret = trial_run(t, &input, true, c->opt->hangtimeout_ns, &o, err);
    /* Who ended the host before may just have done so again: twice in a row nobody else does. */
    if (ret == 0 && o.verdict == TRIAL_DIED && t->worker->orphaned)
        ret = trial_run(t, &input, true, c->opt->hangtimeout_ns, &o, err);
    c->triage.settling = t->blames = false;
    if (c->suspects.of_guard) {
        host_expect_end(c->host, false);
        c->restarts -= ret == 0 && trial_failed(&o) && c->restarts > 0; /* nobody else did it */
    }
    c->suspects.of_guard = c->suspects.of_guard && c->suspects.n > 0;
    if (ret == 0 && trial_failed(&o)) {
        fuzz_corpus_failed(&c->corpus, &input);
        ret = fuzz_input_failed(c, t->worker, o.verdict == TRIAL_DIED ? &o.ending : NULL, &taken,
                                err);
    }
    if (taken)
        t->worker = NULL; /* it belongs to the finding */
    cfz_values_release(&input);
    return ret;
}

void fuzz_drop_suspects(struct coordinator *c)
{
    for (size_t i = 0; i < c->suspects.n; i++)
        cfz_values_release(&c->suspects.v[i]);
    free(c->suspects.v);
    c->suspects = (struct suspects){.v = NULL};
}

int fuzz_check_host(struct coordinator *c, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    bool crashed;

    if (host_lost(c->host) && !c->killed && c->s->loop.interrupts == 0)
        return host_restart(c->host, err);
    if (origin_check(c->s->origin, err) < 0)
        return -1;
    if (host_check(c->host, &crashed, &why) == 0)
        return 0;
    if (err != NULL)
        *err = why;
    if (crashed) { /* by a thread that the setup part started */
        c->failed = true;
        crash_report_host(c->host, &c->blocks, NULL);
    }
    return -1;
}
