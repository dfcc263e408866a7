/*
 * triage.c - see triage.h.
 */
#include "crash/triage.h"

#include <string.h>

#include "cli/report.h"
#include "core/known.h"
#include "crash/crash_baseline.h"
#include "crash/crash_file.h"
#include "crash/crash_identity.h"
#include "crash/crash_minimize.h"
#include "crash/crash_result.h"
#include "results/results.h"

void triage_init(struct triage *t, struct host *h, trial_turn_fn *turn, void *ctx)
{
    const struct origin *o = h->origin;

    *t = (struct triage){.test = h->test->name,
                         .began = uv_hrtime(),
                         .keep = o->opt->keepfuzzing,
                         .left = o->opt->fuzzminimizetime};
    symtab_load(&t->symtab, o->bin->path);
    t->lines = (struct lines){
        .symbolizer = o->bin->symbolizer, .path = o->bin->path, .dir = o->bin->pkg->dir};
    t->trial = (struct trial){
        .host = h, .symtab = &t->symtab, .lines = &t->lines, .turn = turn, .ctx = ctx};
}

/* ---- a failing input ---------------------------------------------------------------- */

/* Has the guards of workers count the crash in the given bucket, of which w died, if they can tell
 * it by its mark. Then the driver does not hear of it again. */
static void have_guarded(struct triage *t, const struct worker *w,
                         const struct crash_signature *sig, size_t bucket)
{
    int at;

    if ((!t->keep && !t->listed) || !sig->marked || w->shm->crash.foreign_thread != 0)
        return;
    at = cfz_known_add(w->host->run, &w->shm->crash, sig->frames, sig->whole);
    if (at >= 0)
        t->guarded[at] = bucket;
}

/* Has workers report the crash of a bucket again, each after so many hits of its own. */
static void have_reported(struct triage *t, size_t bucket, uint64_t hits)
{
    struct cfz_run_shm *run = t->trial.host->run;
    uint32_t n = atomic_load_explicit(&run->nknown, memory_order_relaxed);

    for (uint32_t i = 0; i < n; i++)
        if (t->guarded[i] == bucket)
            cfz_known_recur(run, (int)i, hits);
}

/* Whether an input of a crash that was met before is to be tried, since those that were tried do
 * not fail each time. Workers that have guards report few of them; of others those are taken whose
 * number is a power of two. A hang takes too long. */
static bool is_wanted(const struct triage *t, const struct failure *f,
                      const struct crash_signature *sig, const struct crash_bucket *b)
{
    if (!b->unsure || b->sampled || f->input == NULL || sig->class == CRASH_HUNG ||
        t->trial.patience != PATIENCE_FULL)
        return false;
    return (f->ending != NULL && sig->marked) || (b->count & (b->count - 1)) == 0;
}

/* Looks up in the crash baseline whether the crash is known, for t->listed. One that was met is
 * known to be listed or not. */
static int look_up(struct triage *t, const struct crash_signature *sig, struct cfz_error *err)
{
    const struct origin *o = t->trial.host->origin;
    char identity[CRASH_IDENTITY_MAX];
    size_t bucket;

    t->listed = false;
    if (o->opt->crash_baseline == NULL)
        return 0;
    bucket = crash_buckets_find(&t->buckets, sig);
    if (bucket != SIZE_MAX) {
        t->listed = t->buckets.v[bucket].listed;
        return 0;
    }
    return crash_baseline_knows(o->opt->crash_baseline, o->bin->pkg->dir, t->test,
                                crash_identity(sig, o->bin->pkg->dir, identity), sig->where,
                                &t->listed, err);
}

/* Puts the finding at the end of those that wait. */
static void wait_in_line(struct triage *t, struct finding *found)
{
    struct finding **at = &t->waiting;

    while (*at != NULL)
        at = &(*at)->next;
    *at = found;
}

/* Keeps a crash that is new. */
static int keep_new(struct triage *t, struct finding *found, struct cfz_error *err)
{
    if (t->found != NULL)
        return t->found(t->trial.ctx, found, err);
    if (finding_save(found, t->trial.host->origin, t->test, err) < 0)
        return -1;
    memcpy(t->buckets.v[found->bucket].file, found->file, sizeof found->file);
    return 0;
}

/* Says that there is a new crash. */
static void tell_new(struct triage *t, const struct finding *found)
{
    struct crash_result c = {0};

    if (t->found != NULL)
        return; /* who keeps it tells it */
    if (results_wanted() && crash_result_make(&c, &found->signature, t->trial.host->origin, t->test,
                                              found->file, true, NULL) == 0)
        results_fuzz_crash(t->test, &c.crash, false);
    crash_result_release(&c);
    /* The file is not named: minimizing may put another in its place. */
    report_line("fuzz: %s: %s",
                t->keep       ? "new crash"
                : t->said > 0 ? "another crash"
                              : "found a failing input",
                found->signature.where);
    t->said++;
}

/* Counts a crash, after look_up. *first: it is new, and the crash baseline does not list it. */
static int count(struct triage *t, const struct crash_signature *sig, size_t *bucket, bool *first,
                 struct cfz_error *err)
{
    if (crash_buckets_add(&t->buckets, sig, bucket, first, err) < 0)
        return -1;
    if (*first && t->listed) {
        t->buckets.v[*bucket].listed = true;
        report_line("fuzz: known crash (%s): %s",
                    crash_baseline_path(t->trial.host->origin->opt->crash_baseline), sig->where);
    }
    *first &= !t->listed;
    return 0;
}

/* A further input of the bucket's crash waits to be tried. Until that is done workers report no
 * other. */
static void begin_sample(struct triage *t, size_t bucket)
{
    t->buckets.v[bucket].sampled = true;
    have_reported(t, bucket, UINT64_MAX);
}

int triage_add(struct triage *t, const struct failure *f, bool *taken, struct cfz_error *err)
{
    struct crash_signature sig;
    struct finding *found;
    size_t bucket;
    bool first;

    *taken = false;
    t->last = NULL;
    trial_identify(&t->trial, f->worker, f->ending, &sig);
    if (look_up(t, &sig, err) < 0)
        return -1;
    if (!t->listed && worker_traced(f->worker) && f->input != NULL &&
        crash_buckets_find(&t->buckets, &sig) == SIZE_MAX) {
        if (finding_new(f, &sig, &found, err) < 0)
            return -1;
        found->suspect = true;
    } else {
        if (count(t, &sig, &bucket, &first, err) < 0)
            return -1;
        if (f->ending != NULL)
            have_guarded(t, f->worker, &sig, bucket);
        if (!first && (bucket == SIZE_MAX || !is_wanted(t, f, &sig, &t->buckets.v[bucket])))
            return 0;
        if (finding_new(f, &sig, &found, err) < 0)
            return -1;
        found->bucket = bucket;
        found->sample = !first;
    }
    t->last = found->sample ? NULL : found;
    *taken = found->dead != NULL;
    wait_in_line(t, found);
    if (found->sample)
        begin_sample(t, bucket);
    if (found->suspect || found->sample)
        return 0;
    if (keep_new(t, found, err) < 0)
        return -1;
    tell_new(t, found);
    return 0;
}

/* The finding at the head of the line, a suspect until now, is a crash. *first: a new one. */
static int admit(struct triage *t, bool *first, struct cfz_error *err)
{
    struct finding *f = t->waiting;

    f->suspect = false;
    if (look_up(t, &f->signature, err) < 0 || count(t, &f->signature, &f->bucket, first, err) < 0)
        return -1;
    if (f->dead != NULL)
        have_guarded(t, f->dead, &f->signature, f->bucket);
    return *first ? keep_new(t, f, err) : 0;
}

/* Takes the finding at the head of the line out of it. */
static void drop(struct triage *t)
{
    struct finding *f = t->waiting;

    t->waiting = f->next;
    if (t->last == f)
        t->last = NULL;
    finding_free(f);
}

int triage_check(struct triage *t, enum suspicion *s, struct cfz_error *err)
{
    struct finding *f = t->waiting;
    const uint64_t traced = f->signature.place, start = uv_hrtime();
    bool of_trace, first = false;
    int ret;

    t->settling = true;
    ret = finding_check(f, &t->trial, &of_trace, err);
    t->settling = false;
    t->settled += uv_hrtime() - start;
    if (ret < 0)
        return -1;
    if (of_trace) {
        t->of_trace++;
        *s = SUSPECT_OF_TRACE;
        drop(t);
        return 0;
    }
    if (admit(t, &first, err) < 0)
        return -1;
    crash_buckets_traced(&t->buckets, f->bucket, traced);
    *s = first ? SUSPECT_NEW : SUSPECT_KNOWN;
    if (first)
        tell_new(t, f);
    else
        drop(t);
    return 0;
}

int triage_add_seed(struct triage *t, const struct failure *f, struct cfz_error *err)
{
    struct crash_signature sig;
    size_t bucket;

    trial_identify(&t->trial, f->worker, f->ending, &sig);
    if (look_up(t, &sig, err) < 0 ||
        crash_buckets_add_seed(&t->buckets, &sig, f->name, &bucket, err) < 0)
        return -1;
    if (t->listed && bucket < t->buckets.n)
        t->buckets.v[bucket].listed = true;
    if (f->ending != NULL)
        have_guarded(t, f->worker, &sig, bucket);
    return 0;
}

void triage_count(struct triage *t, const uint64_t n[CFZ_KNOWN_MAX])
{
    for (size_t i = 0; i < CFZ_KNOWN_MAX; i++) {
        if (n[i] > 0)
            crash_buckets_count(&t->buckets, t->guarded[i], n[i]);
    }
}

/* ---- settling ----------------------------------------------------------------------- */

void triage_lose_patience(struct triage *t, enum patience patience)
{
    if (t->trial.patience >= patience)
        return;
    t->trial.patience = patience;
    /* Waiting for the worker might take long: its execution may hang. */
    if (t->trial.worker != NULL && (patience == PATIENCE_NONE || t->trial.minimizing))
        worker_stop(t->trial.worker, false);
}

/* Appends what heads the block of f if there may be several blocks: a blank line and its number. */
static int head(struct triage *t, const struct finding *f, struct cfz_buf *blocks,
                struct cfz_error *err)
{
    t->told++;
    if (!t->keep && t->told == 1)
        return 0;
    return cfz_buf_printf(blocks, err, "%s    crash %u: %s\n", blocks->len > 0 ? "\n" : "", t->told,
                          f->signature.where);
}

/* Tells results of f, whose lines are in blocks from a place on. */
static int tell_result(struct triage *t, const struct finding *f, const struct cfz_buf *blocks,
                       size_t from, struct cfz_error *err)
{
    struct crash_result c = {0};
    struct cfz_buf name = CFZ_BUF_INIT;
    int ret = 0;

    if (!results_wanted())
        return 0;
    ret = crash_result_make(&c, &f->signature, t->trial.host->origin, t->test, f->file, true, err);
    if (ret == 0)
        ret = f->file[0] != '\0' ? cfz_buf_printf(&name, err, "%s/%s", t->test, f->file)
                                 : cfz_buf_printf(&name, err, "%s/crash-%u", t->test, t->told);
    if (ret == 0) {
        struct result r = {.test = cfz_buf_str(&name),
                           .kind = RESULT_FAILED,
                           .ns = f->ns,
                           .text = cfz_buf_str(blocks) + from,
                           .crash = &c.crash};

        results_fuzz_crash(t->test, &c.crash, true);
        results_failure(&r);
    }
    cfz_buf_release(&name);
    crash_result_release(&c);
    return ret;
}

/* Whether f is a hang that would take too much of the run so far. */
static bool is_early(const struct triage *t, const struct finding *f)
{
    enum { EXECUTIONS = 2, SHARE = 5 };
    uint64_t hang;

    if (t->found != NULL || f->suspect || f->signature.class != CRASH_HUNG)
        return false;
    hang = (uint64_t)t->trial.host->origin->opt->hangtimeout_ns;
    return t->settled + EXECUTIONS * hang > (uv_hrtime() - t->began) / SHARE;
}

bool triage_due(const struct triage *t, bool may_wait)
{
    const struct finding *f = t->waiting;

    while (f != NULL && may_wait && is_early(t, f))
        f = f->next;
    return f != NULL;
}

bool triage_next(struct triage *t, bool may_wait)
{
    struct finding **at = &t->waiting, *f;

    while (*at != NULL && may_wait && is_early(t, *at))
        at = &(*at)->next;
    f = *at;
    if (f == NULL)
        return false;
    *at = f->next;
    f->next = t->waiting;
    t->waiting = f;
    return true;
}

/* Tells of f in the lines that settling it made. */
static int tell(struct triage *t, const struct finding *f, const struct cfz_buf *lines,
                struct cfz_buf *blocks, struct cfz_error *err)
{
    size_t from;

    if (head(t, f, blocks, err) < 0)
        return -1;
    from = blocks->len;
    if (cfz_buf_append(blocks, lines->data, lines->len, err) < 0)
        return -1;
    return tell_result(t, f, blocks, from, err);
}

/* Keeps f, whose input does not fail each time, until the end of the run or an input of the same
 * crash that does. */
static void keep_unsure(struct triage *t, struct finding *f, struct cfz_buf *lines)
{
    struct finding **at = &t->unsure;
    struct cfz_buf old = f->lines;

    worker_free(f->dead);
    f->dead = NULL;
    f->lines = *lines;
    *lines = old;
    while (*at != NULL)
        at = &(*at)->next;
    *at = f;
    f->next = NULL;
    t->buckets.v[f->bucket].unsure = true;
    have_reported(t, f->bucket, 0);
}

/* An input that is no better than the one before. Many are tried at first, then so many whenever
 * workers have met twice as many. The numbers are guessed. */
static void drop_sample(struct triage *t, struct finding *f)
{
    enum { ALL = 16, EACH = 8, ENOUGH = ALL + 60 * EACH };
    struct crash_bucket *b = &t->buckets.v[f->bucket];
    uint64_t hits = UINT64_MAX;

    b->sampled = false;
    if (++b->samples < ALL)
        hits = 0;
    else if (b->samples < ENOUGH)
        hits = UINT64_C(1) << (b->samples - ALL) / EACH;
    have_reported(t, f->bucket, hits);
    finding_free(f);
}

/* f fails each time: it takes the place of the input of its crash that did not. */
static void replace_unsure(struct triage *t, const struct finding *f)
{
    struct finding **at = &t->unsure, *old;

    t->buckets.v[f->bucket].unsure = t->buckets.v[f->bucket].sampled = false;
    while ((old = *at) != NULL && old->bucket != f->bucket)
        at = &old->next;
    if (old == NULL)
        return;
    *at = old->next;
    if (old->made && strcmp(old->file, f->file) != 0)
        crash_file_remove(t->trial.host->origin, t->test, old->file);
    report_line("fuzz: an input that fails each time took the place of one that did not: %s",
                f->signature.where);
    finding_free(old);
}

int triage_settle(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err)
{
    struct finding *f = t->waiting;
    struct cfz_buf lines = CFZ_BUF_INIT;
    const uint64_t start = uv_hrtime();
    int ret;

    if (t->found != NULL) {
        drop(t);
        return 0;
    }
    t->waiting = f->next;
    t->settling = true;
    if (t->keep)
        t->left = crash_minimize_limit(t->trial.host->origin->opt, start - t->began, t->settled);
    ret = finding_settle(f, &t->trial, &t->left, &lines, err);
    t->settling = false;
    t->settled += uv_hrtime() - start;
    if (t->last == f)
        t->last = NULL;
    if (f->sample && f->unsure) {
        drop_sample(t, f);
        cfz_buf_release(&lines);
        return ret;
    }
    memcpy(t->buckets.v[f->bucket].file, f->file, sizeof f->file);
    if (f->sample)
        replace_unsure(t, f);
    if (t->keep && f->unsure && ret == 0) {
        keep_unsure(t, f, &lines);
    } else {
        if (tell(t, f, &lines, blocks, ret < 0 ? NULL : err) < 0)
            ret = -1;
        finding_free(f);
    }
    cfz_buf_release(&lines);
    return ret;
}

/* Appends the blocks of what is unsure. */
static int tell_unsure(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err)
{
    while (t->unsure != NULL) {
        struct finding *f = t->unsure;
        int ret = tell(t, f, &f->lines, blocks, err);

        t->unsure = f->next;
        finding_free(f);
        if (ret < 0)
            return -1;
    }
    return 0;
}

int triage_tell(struct triage *t, struct cfz_buf *blocks, struct cfz_error *err)
{
    while (t->waiting != NULL) {
        struct finding *f = t->waiting;
        bool first = !f->sample;
        int ret = f->suspect ? admit(t, &first, err) : 0;
        size_t from;

        if (ret == 0 && first && t->found == NULL)
            ret = head(t, f, blocks, err);
        from = blocks->len;
        if (ret == 0 && first && t->found == NULL)
            ret = finding_tell(f, t->trial.host->origin, t->test, "", blocks, err);
        if (ret == 0 && first && t->found == NULL)
            ret = tell_result(t, f, blocks, from, err);
        t->waiting = f->next;
        finding_free(f);
        if (ret < 0)
            return -1;
    }
    if (tell_unsure(t, blocks, err) < 0)
        return -1;
    if (!t->keep || t->buckets.n == 0 || t->found != NULL)
        return 0;
    return cfz_buf_puts(blocks, "\n", err) < 0
               ? -1
               : crash_buckets_summary(&t->buckets, t->test, blocks, err);
}

/* ---- the end -------------------------------------------------------------------------- */

void triage_free_workers(struct triage *t)
{
    trial_release(&t->trial);
    for (struct finding *f = t->waiting; f != NULL; f = f->next) {
        worker_free(f->dead);
        f->dead = NULL;
    }
}

void triage_release(struct triage *t)
{
    while (t->waiting != NULL) {
        struct finding *f = t->waiting;

        t->waiting = f->next;
        finding_free(f);
    }
    while (t->unsure != NULL) {
        struct finding *f = t->unsure;

        t->unsure = f->next;
        finding_free(f);
    }
    trial_release(&t->trial);
    crash_buckets_release(&t->buckets);
    symtab_release(&t->symtab);
    lines_release(&t->lines);
}
