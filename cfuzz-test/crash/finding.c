/*
 * finding.c - see finding.h.
 */
#define _GNU_SOURCE
#include "crash/finding.h"

#include <stdlib.h>
#include <string.h>

#include "core/corpus/encoding.h"
#include "crash/crash_minimize.h"
#include "crash/crash_file.h"
#include "crash/crash_report.h"
#include "cli/debug.h"
#include "cli/report.h"
#include "process/seeds.h"

/* How long the last execution of an input may take after Ctrl-C, or when -fuzztime is over.
 * Guessed. */
static const int64_t IMPATIENT_NS = INT64_C(1000000000);

/* Where the input is tried. */
static const struct origin *origin_of(const struct trial *t)
{
    return t->host->origin;
}

static const char *test_of(const struct trial *t)
{
    return t->host->test->name;
}

/* ---- taking it ---------------------------------------------------------------- */

int finding_save(struct finding *f, const struct origin *o, const char *test, struct cfz_error *err)
{
    if (!f->have)
        return 0;
    f->io = (struct cfz_error)CFZ_ERROR_INIT;
    if (crash_file_save(o, test, &f->input, f->file, &f->made, &f->io) == 0)
        return 0;
    f->file[0] = '\0';
    if (f->io.code != CFZ_ENOMEM)
        return 0;
    if (err != NULL)
        *err = f->io;
    return -1;
}

int finding_new(const struct failure *from, const struct crash_signature *sig, struct finding **out,
                struct cfz_error *err)
{
    struct finding *f = calloc(1, sizeof *f);

    if (f == NULL || (f->name = strdup(from->name)) == NULL) {
        free(f);
        return cfz_fail_nomem(err);
    }
    f->signature = *sig;
    lineage_of(from->worker, &f->lineage);
    f->have = from->input != NULL;
    if (f->have)
        cfz_values_swap(&f->input, from->input);
    else if (cfz_buf_printf(&f->lines, err,
                            "    The failing input is lost, the target wrote over it: %s\n",
                            from->lost) < 0)
        goto failed;
    if (from->ending != NULL) {
        f->ending = *from->ending;
    } else {
        f->ns = from->worker->result.ns;
        if (crash_report_failed(from->worker, f->name, f->ns, f->have ? &f->input : NULL, &f->lines,
                                err) < 0)
            goto failed;
    }
    if (from->ending != NULL)
        f->dead = from->worker;
    *out = f;
    return 0;
failed:
    finding_free(f);
    return -1;
}

void finding_free(struct finding *f)
{
    if (f == NULL)
        return;
    cfz_values_release(&f->input);
    cfz_buf_release(&f->lines);
    worker_free(f->dead);
    free(f->name);
    free(f);
}

/* ---- telling of it -------------------------------------------------------------- */

/* Appends where the input is, and how to run it again. What was executed may have removed the file;
 * then it is saved again. */
static int tell_file(struct finding *f, const struct origin *o, const char *test,
                     const char *remark, struct cfz_buf *blocks, struct cfz_error *err)
{
    if (remark[0] != '\0' &&
        cfz_buf_printf(blocks, err,
                       "    %s\n    To run it again may pass: what earlier inputs left (static "
                       "variables, files, threads), or time, may matter.\n",
                       remark) < 0)
        return -1;
    if (!f->have)
        return 0;
    if (f->smaller[0] != '\0' &&
        cfz_buf_printf(
            blocks, err,
            "    Minimizing was cut short: a smaller input, which failed in the same way, "
            "is in " SEED_DIR "/%s/%s\n",
            test, f->smaller) < 0)
        return -1;
    if (f->file[0] != '\0' && !crash_file_exists(o, test, f->file) &&
        finding_save(f, o, test, err) < 0)
        return -1;
    if (f->file[0] != '\0')
        return crash_file_tell(o, test, f->file, blocks, err);
    return crash_file_print(test, &f->input, f->io.text, blocks, err);
}

int finding_tell(struct finding *f, const struct origin *o, const char *test, const char *remark,
                 struct cfz_buf *blocks, struct cfz_error *err)
{
    if (cfz_buf_append(blocks, f->lines.data, f->lines.len, err) < 0)
        return -1;
    if (f->dead != NULL &&
        crash_report_died(f->dead, &f->ending, 1, f->have ? &f->input : NULL, blocks, err) < 0)
        return -1;
    return tell_file(f, o, test, remark, blocks, err);
}

/* Appends the block of f from what the trial's worker shows, which has just failed on the input
 * again. */
static int tell_again(struct finding *f, const struct trial *t, const struct trial_outcome *o,
                      struct cfz_buf *blocks, struct cfz_error *err)
{
    int ret;

    if (o->verdict == TRIAL_DIED)
        ret = crash_report_died(t->worker, &o->ending, 1, &f->input, blocks, err);
    else
        ret = crash_report_failed(t->worker, f->name, o->ns, &f->input, blocks, err);
    return ret < 0 ? -1 : tell_file(f, origin_of(t), test_of(t), "", blocks, err);
}

/* ---- minimizing ------------------------------------------------------------------ */

/* What a file is called in debug lines. */
static const char *file_id(const char *file)
{
    return file[0] != '\0' ? file : "-";
}

static size_t file_size(const struct cfz_values *vs)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t len = cfz_encoding_write(vs, &text, NULL) == 0 ? text.len : 0;

    cfz_buf_release(&text);
    return len;
}

/* Has the smaller input take the place of f's, on disk too; *taken tells whether it did. */
static int replace(struct finding *f, const struct trial *t, struct cfz_values *smaller,
                   bool *taken, struct cfz_error *err)
{
    bool made = f->made;
    char old[17];

    memcpy(old, f->file, sizeof old);
    cfz_values_swap(&f->input, smaller);
    if (finding_save(f, origin_of(t), test_of(t), err) < 0)
        return -1;
    if (f->file[0] == '\0' && old[0] != '\0') {
        /* The file that was written before is still there, and is better than none. */
        memcpy(f->file, old, sizeof old);
        f->made = made;
        cfz_values_swap(&f->input, smaller);
        return 0;
    }
    *taken = true;
    if (made && strcmp(old, f->file) != 0)
        crash_file_remove(origin_of(t), test_of(t), old);
    return 0;
}

/* Saves a smaller input as a second file: it failed too, but not in a fresh process so far. */
static int save_unproved(struct finding *f, const struct trial *t, const struct cfz_values *smaller,
                         struct cfz_error *err)
{
    struct cfz_error io = CFZ_ERROR_INIT;
    bool made;

    if (crash_file_save(origin_of(t), test_of(t), smaller, f->smaller, &made, &io) == 0)
        return 0;
    f->smaller[0] = '\0'; /* the original is saved, or will be printed */
    return io.code == CFZ_ENOMEM ? cfz_fail(err, CFZ_ENOMEM, "%s", io.text) : 0;
}

/* Subtracts what was spent from the limit. If nothing is left, the limit becomes LIMIT_NONE. */
static void spend(struct fuzz_limit *limit, uint64_t tries, uint64_t ns)
{
    if (limit->kind == LIMIT_TIME && ns < (uint64_t)limit->ns)
        limit->ns -= (int64_t)ns;
    else if (limit->kind == LIMIT_COUNT && tries < limit->count)
        limit->count -= tries;
    else
        limit->kind = LIMIT_NONE;
}

/* How long the execution of a minimized input may take: not long when somebody waits for the end.
 */
static int64_t last_limit(const struct trial *t)
{
    int64_t limit = origin_of(t)->opt->hangtimeout_ns;

    return t->patience != PATIENCE_FULL && limit > IMPATIENT_NS ? IMPATIENT_NS : limit;
}

/* Whether *o shows the crash that is to be kept. */
static bool is_same(const struct trial_outcome *o, const struct trial_outcome *shown)
{
    return trial_failed(o) && crash_signature_is_kept(&shown->signature, &o->signature);
}

/* Whether *o, the outcome of an execution with limit_ns, says nothing about its input: somebody
 * ended the execution, or it had less time than an input has. That holds for a hang as well: an
 * input that did not end within less than -hangtimeout may pass when the user runs it. */
static bool is_void(const struct trial *t, const struct trial_outcome *o, int64_t limit_ns)
{
    return o->verdict == TRIAL_VOID || (o->verdict == TRIAL_DIED && t->worker->hung &&
                                        limit_ns < origin_of(t)->opt->hangtimeout_ns);
}

/*
 * Executes best, the result of minimizing f, in a fresh process. If it shows the crash again, it
 * takes the place of f's input. If that cannot be told, *o is TRIAL_VOID, and best is saved beside
 * f's input. A hang is the exception: no try of best had the time that a hang needs, so best is
 * dropped. cut says that minimizing ended by an error, so that nothing can be executed any more.
 * *taken tells whether it took that place.
 */
static int take_best(struct finding *f, struct trial *t, struct cfz_values *best, bool cut,
                     const struct trial_outcome *shown, struct trial_outcome *o, bool *taken,
                     struct cfz_error *err)
{
    bool hang = shown->signature.class == CRASH_HUNG;
    int64_t limit = last_limit(t);

    if (cut || trial_run(t, best, true, limit, o, err) < 0) {
        if (!hang)
            save_unproved(f, t, best, NULL);
        return -1;
    }
    if (is_void(t, o, limit)) {
        *o = (struct trial_outcome){.verdict = TRIAL_VOID};
        return hang ? 0 : save_unproved(f, t, best, err);
    }
    return is_same(o, shown) ? replace(f, t, best, taken, err) : 0;
}

/* Says what came of minimizing a file of so many bytes. A value may be simpler and as long, and its
 * text even longer. */
static void tell_minimized(size_t before, size_t after, bool changed, uint64_t tries)
{
    const char *end = tries == 1 ? "y" : "ies";
    unsigned long long n = tries;

    if (after < before)
        report_line("fuzz: minimized failing input file from %zu to %zu bytes in %llu tr%s", before,
                    after, n, end);
    else if (changed)
        report_line("fuzz: simplified failing input file of %zu bytes in %llu tr%s", after, n, end);
    else
        report_line("fuzz: failing input file stays at %zu bytes after %llu tr%s", after, n, end);
}

/*
 * Minimizes f, whose crash is *o. Afterwards *o is the outcome of the last execution of f's input,
 * in a fresh process, and the trial's worker shows that execution.
 */
static int minimize(struct finding *f, struct trial *t, struct fuzz_limit *left,
                    struct trial_outcome *o, struct cfz_error *err)
{
    const struct trial_outcome shown = *o;
    struct crash_minimizing m = {
        .shown = &shown, .limit = *left, .hang_ns = origin_of(t)->opt->hangtimeout_ns};
    struct cfz_values best = CFZ_VALUES_INIT;
    size_t before = file_size(&f->input);
    char original[17];
    uint64_t began = uv_hrtime();
    struct worker *died = NULL;
    bool taken = false;
    int ret = -1;

    if (m.limit.kind == LIMIT_NONE || t->patience != PATIENCE_FULL)
        return 0;
    report_line("fuzz: minimizing %zu-byte failing input file", before);
    memcpy(original, f->file, sizeof original);
    if (debug_fuzz())
        debug_line("queueing input for minimization, id: %s, keepCoverage: false, crasher: true",
                   file_id(original));
    if (cfz_values_copy(&best, &f->input, err) < 0)
        goto out;
    if (o->verdict == TRIAL_DIED) { /* it is not needed for tries, and still shows what happened */
        died = t->worker;
        t->worker = NULL;
    }
    ret = crash_minimize(t, &m, &best, err);
    spend(left, m.tries, uv_hrtime() - began);
    if (m.accepted > 0)
        ret = take_best(f, t, &best, ret < 0, &shown, o, &taken, err);
    if (ret < 0)
        goto out;
    taken |= f->smaller[0] != '\0';
    if (m.tries > 0)
        tell_minimized(before, file_size(f->smaller[0] != '\0' ? &best : &f->input), taken,
                       m.tries);
    if (debug_fuzz())
        debug_line("input minimized, id: %s, original id: %s, crasher: true, originally crasher: "
                   "true, minimizing took: %lluns",
                   file_id(f->file), file_id(original), (unsigned long long)(uv_hrtime() - began));
    /* There is no time to see it hang again, so it is told as it was found. */
    if (shown.signature.class == CRASH_HUNG && t->patience != PATIENCE_FULL && m.tries > 0)
        *o = (struct trial_outcome){.verdict = TRIAL_VOID};
    /* The worker shows the execution of another input than f's. */
    if (o->verdict != TRIAL_VOID && (m.accepted == 0 || !is_same(o, &shown))) {
        if (died != NULL) {
            trial_release(t);
            t->worker = died;
            died = NULL;
            *o = shown;
        } else if (m.tries > 0) {
            ret = trial_run(t, &f->input, true, last_limit(t), o, err);
        }
    }
out:
    worker_free(died);
    cfz_values_release(&best);
    return ret;
}

/* ---- a suspect ---------------------------------------------------------------------- */

int finding_check(struct finding *f, struct trial *t, bool *of_trace, struct cfz_error *err)
{
    const int64_t hang_ns = origin_of(t)->opt->hangtimeout_ns;
    struct confirmation c;
    struct trial_outcome o;
    int ret;

    *of_trace = false;
    if (confirm_run(t, &f->input, &f->signature, hang_ns, &c, err) < 0)
        return -1;
    if (c.failed == 0 && c.other == 0 && c.tries == CONFIRM_TRIES && t->patience != PATIENCE_NONE) {
        t->traced = true;
        ret = trial_run(t, &f->input, true, hang_ns, &o, err);
        t->traced = false;
        if (ret < 0)
            return -1;
        *of_trace = trial_failed(&o);
    }
    f->suspect = *of_trace;
    /* What the plain code says is told. A traced copy may have other lines: of where a loop begins,
     * for a hang, and of two calls that are one in the plain code. */
    if ((f->signature.class == CRASH_HUNG && confirm_sure(&c)) ||
        (c.other == CONFIRM_TRIES && c.failed == 0))
        f->signature = c.outcome.signature;
    return 0;
}

/* ---- settling --------------------------------------------------------------------- */

static int settle(struct finding *f, struct trial *t, struct fuzz_limit *left,
                  struct cfz_buf *blocks, struct cfz_error *err)
{
    struct confirmation c = {0};
    char remark[CONFIRM_TEXT] = "";
    int ret = 0;

    if (f->have && t->patience != PATIENCE_NONE) {
        ret = confirm_run(t, &f->input, &f->signature, origin_of(t)->opt->hangtimeout_ns, &c, err);
        confirm_flaky(&c, remark);
        if (debug_fuzz() && remark[0] != '\0')
            debug_line("crasher is not minimized, id: %s, %s", file_id(f->file), remark);
        f->unsure = !confirm_sure(&c);
    }
    if (f->sample && (f->unsure || ret < 0 || t->patience == PATIENCE_NONE)) {
        f->unsure = true;
        return ret;
    }
    if (f->sample && finding_save(f, origin_of(t), test_of(t), err) < 0)
        return -1;
    if (ret == 0 && confirm_sure(&c)) {
        ret = minimize(f, t, left, &c.outcome, err);
        if (ret == 0 && trial_failed(&c.outcome))
            return tell_again(f, t, &c.outcome, blocks, err);
    }
    if (finding_tell(f, origin_of(t), test_of(t), remark, blocks, ret < 0 ? NULL : err) < 0)
        return -1;
    return ret;
}

int finding_settle(struct finding *f, struct trial *t, struct fuzz_limit *left,
                   struct cfz_buf *blocks, struct cfz_error *err)
{
    int ret;

    t->blames = f->signature.class == CRASH_KILL && f->dead != NULL &&
                (f->dead->orphaned || worker_guard_ended(f->dead));
    if (t->blames) /* it ends at each execution that fails */
        host_expect_end(t->host, true);
    ret = settle(f, t, left, blocks, err);
    if (t->blames)
        host_expect_end(t->host, false);
    t->blames = false;
    return ret;
}
