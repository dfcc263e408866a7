/*
 * testrun_report.c - see testrun_report.h.
 *
 *   1. Results are printed in the order of the seeds, and nothing of seed i+1 before all of i.
 *   2. Without -v only what failed is printed, as a tree, when its test is over. With -v there is a
 * line as each seed starts, and what it logged, then the tree of results.
 */
#include "test/testrun_report.h"

#include "cli/report.h"
#include "core/escape.h"
#include "crash/crash_report.h"
#include "crash/crash_result.h"
#include "results/results.h"

/* By enum outcome. */
static const char *const words[] = {"PASS", "SKIP", "FAIL"};
static const enum result_kind kinds[] = {RESULT_PASSED, RESULT_SKIPPED, RESULT_FAILED};

/* ---- one seed ------------------------------------------------------------------------ */

int testrun_report_log(struct job *j, struct cfz_error *err)
{
    struct worker *w = j->worker;

    output_show(&w->output, OUTPUT_SHOWN, &j->said, NULL);
    if (w->shm == NULL) /* it could not be forked again */
        return 0;
    return cfz_buf_escape(&j->text, w->shm->log, cfz_proc_log_len(w->shm), CFZ_ESCAPE_TEXT, err);
}

int testrun_report_values(struct job *j, struct cfz_error *err)
{
    struct cfz_buf values = CFZ_BUF_INIT;
    int ret = report_values(&values, &j->seed->vals, err);

    if (ret == 0 && values.len > 0)
        ret = cfz_buf_puts(&j->shown, "input:\n", err);
    if (ret == 0)
        ret = report_indent(&j->shown, 4, cfz_buf_str(&values), values.len, err);
    cfz_buf_release(&values);
    return ret;
}

/* ---- seeds in their order ---------------------------------------------------------------- */

void testrun_report_start(const struct test *t)
{
    results_run(t->t->name);
    if (t->opt->verbose)
        report_line("=== RUN   %s", t->t->name);
}

static void announce(struct job *j)
{
    if (!j->announced) {
        results_run(j->seed->full_name);
        report_line("=== RUN   %s", j->seed->full_name);
    }
    j->announced = true;
}

/* With -v, prints what there is to say of j. */
static int print_seed(const struct job *j, struct cfz_error *err)
{
    struct cfz_buf lines = CFZ_BUF_INIT;
    int ret = report_indent(&lines, 4, cfz_buf_str(&j->text), j->text.len, err);

    if (ret == 0)
        ret = report_indent(&lines, 4, cfz_buf_str(&j->shown), j->shown.len, err);
    report_text(&j->said);
    if (j->said.len > 0 && j->said.data[j->said.len - 1] != '\n')
        report_line("%s", "");
    report_text(&lines);
    cfz_buf_release(&lines);
    return ret;
}

/* Appends what there is to say of j, which failed, with by blanks before each line. */
static int add_seed(struct cfz_buf *out, unsigned by, const struct job *j, struct cfz_error *err)
{
    if (report_indent(out, by, cfz_buf_str(&j->text), j->text.len, err) < 0)
        return -1;
    if (j->said.len > 0 &&
        (cfz_buf_printf(out, err, "%*soutput of the target:\n", (int)by, "") < 0 ||
         report_indent(out, by + 4, cfz_buf_str(&j->said), j->said.len, err) < 0))
        return -1;
    return report_indent(out, by, cfz_buf_str(&j->shown), j->shown.len, err);
}

int testrun_report_seeds(struct test *t, struct cfz_error *err)
{
    bool verbose = t->opt->verbose;

    for (; t->reported < t->njobs && !t->stop; t->reported++) {
        struct job *j = &t->jobs[t->reported];

        if (verbose && j->state != WAITING)
            announce(j);
        if (j->state != DONE)
            break;
        if (j->outcome == FAILED)
            t->failed = true;
        if (verbose && print_seed(j, err) < 0)
            return -1;
        if ((verbose || j->outcome == FAILED) &&
            report_result(&t->tree, 1, words[j->outcome], j->seed->full_name, j->ns, err) < 0)
            return -1;
        if (!verbose && j->outcome == FAILED && add_seed(&t->tree, 8, j, err) < 0)
            return -1;
        if (results_wanted() && add_seed(&j->block, 0, j, err) < 0)
            return -1;
        j->tree_end = t->tree.len;
        cfz_buf_release(&j->text);
        cfz_buf_release(&j->said);
        cfz_buf_release(&j->shown);
        if (j->outcome == FAILED && t->opt->failfast)
            t->stop = true;
    }
    return 0;
}

/* ---- the test ------------------------------------------------------------------------------ */

int testrun_report_setup(struct test *t, const char *text, size_t len, struct cfz_error *err)
{
    struct cfz_buf now = CFZ_BUF_INIT;
    int ret;

    if (!t->opt->verbose)
        return report_indent(&t->lines, 4, text, len, err);
    ret = report_indent(&now, 4, text, len, err);
    report_text(&now);
    cfz_buf_release(&now);
    return ret;
}

int testrun_report_host(struct test *t, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = crash_report_host(t->host, &text, err);

    t->failed = true;
    if (ret == 0 && t->opt->verbose)
        report_text(&text);
    else if (ret == 0)
        ret = cfz_buf_append(&t->lines, text.data, text.len, err);
    cfz_buf_release(&text);
    return ret;
}

void testrun_report_timeout(const struct test *t)
{
    char text[REPORT_DURATION_MAX];

    report_line("panic: test timed out after %s", report_duration(t->opt->timeout_ns, text));
    report_line("running tests:");
    if (t->running == 0)
        report_line("\t%s", t->t->name);
    for (size_t i = t->reported; i < t->next; i++) {
        if (t->jobs[i].state == STARTED)
            report_line("\t%s (%s)", t->jobs[i].seed->full_name,
                        report_elapsed(uv_hrtime() - t->jobs[i].started, text));
    }
}

/* Says what a seed is. values gets the text of its values. */
static int describe(const struct seed *seed, struct result_input *in, struct cfz_buf *values,
                    struct cfz_error *err)
{
    if (report_values(values, &seed->vals, err) < 0)
        return -1;
    *in = (struct result_input){.origin = seed->cached != NULL ? ORIGIN_CACHE
                                          : seed->is_file      ? ORIGIN_FILE
                                                               : ORIGIN_SEED,
                                .bytes = report_values_size(&seed->vals),
                                .values = cfz_buf_str(values)};
    return 0;
}

/* Tells the result of one seed. */
static int tell_seed(const struct test *t, const struct job *j, struct cfz_error *err)
{
    struct crash_result c = {0};
    struct result_input in;
    struct cfz_buf values = CFZ_BUF_INIT;
    struct result r = {.test = j->seed->full_name,
                       .kind = kinds[j->outcome],
                       .ns = j->ns,
                       .text = cfz_buf_str(&j->block)};
    int ret = 0;

    if (t->opt->keep_results && t->opt->build_name == NULL) {
        ret = describe(j->seed, &in, &values, err);
        r.input = &in;
    }

    if (ret == 0 && j->signature != NULL) {
        ret = crash_result_make(&c, j->signature, t->s->origin, t->t->name, j->seed->name,
                                j->seed->is_file, err);
        if (ret == 0 && j->seed->cached != NULL)
            c.crash.file = j->seed->cached;
        r.crash = &c.crash;
    }
    if (ret == 0)
        results_end(&r);
    crash_result_release(&c);
    cfz_buf_release(&values);
    return ret;
}

/* Prints text[from..end), if it is to be seen. */
static void print_part(const struct cfz_buf *text, size_t from, size_t end, bool shown)
{
    struct cfz_buf part = {NULL, end - from, 0};

    if (end > from) /* otherwise there may be no text at all */
        part.data = text->data + from;
    if (shown && end > from)
        report_text(&part);
}

/* Tells the results of all, each with its lines. head is what stands above those of the seeds. */
static int tell_all(const struct test *t, const struct cfz_buf *head, bool shown,
                    const struct result *r, struct cfz_error *err)
{
    size_t from = 0;

    results_at(r->test);
    print_part(head, 0, head->len, shown);
    for (size_t i = 0; i < t->reported; i++) {
        results_at(t->jobs[i].seed->full_name);
        print_part(&t->tree, from, t->jobs[i].tree_end, shown);
        from = t->jobs[i].tree_end;
        if (tell_seed(t, &t->jobs[i], err) < 0)
            return -1;
    }
    results_at(r->test);
    print_part(&t->tree, from, t->tree.len, shown);
    for (size_t i = t->reported; i < t->njobs; i++) {
        struct result over = {.test = t->jobs[i].seed->full_name,
                              .kind = RESULT_FAILED,
                              .ns = uv_hrtime() - t->jobs[i].started,
                              .text = "it had not ended when its test did\n"};

        if (t->jobs[i].announced)
            results_end(&over);
    }
    results_end(r);
    return 0;
}

/* What is to be said of the test itself, for results. */
static int explain(const struct test *t, struct cfz_buf *out, struct cfz_error *err)
{
    size_t failed = 0;

    for (size_t i = 0; i < t->reported; i++)
        failed += t->jobs[i].outcome == FAILED;
    if (t->timed_out && cfz_buf_puts(out, "test timed out\n", err) < 0)
        return -1;
    if (failed > 0 && cfz_buf_printf(out, err, "%zu of %zu seed%s failed\n", failed, t->njobs,
                                     t->njobs == 1 ? "" : "s") < 0)
        return -1;
    return report_indent(out, 0, cfz_buf_str(&t->lines), t->lines.len, err);
}

int testrun_report_result(const struct test *t, enum outcome outcome, uint64_t ns,
                          struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, why = CFZ_BUF_INIT;
    struct result r = {.test = t->t->name, .kind = kinds[outcome], .ns = ns};
    bool shown = t->failed || t->opt->verbose;
    int ret = -1;

    if (report_result(&text, 0, words[outcome], t->t->name, ns, err) < 0 ||
        cfz_buf_append(&text, t->lines.data, t->lines.len, err) < 0)
        goto out;
    if (results_wanted()) {
        ret = explain(t, &why, err);
        r.text = cfz_buf_str(&why);
        if (ret == 0)
            ret = tell_all(t, &text, shown, &r, err);
    } else if (cfz_buf_append(&text, t->tree.data, t->tree.len, err) == 0) {
        if (shown)
            report_text(&text); /* in one write */
        ret = 0;
    }
out:
    cfz_buf_release(&text);
    cfz_buf_release(&why);
    return ret;
}
