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

static const char *const words[] = {"PASS", "SKIP", "FAIL"}; /* by enum outcome */

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
    if (t->opt->verbose)
        report_line("=== RUN   %s", t->t->name);
}

static void announce(struct job *j)
{
    if (!j->announced)
        report_line("=== RUN   %s", j->seed->full_name);
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

/* Appends what there is to say of j, which failed, to the tree. */
static int add_seed(struct test *t, const struct job *j, struct cfz_error *err)
{
    if (report_indent(&t->tree, 8, cfz_buf_str(&j->text), j->text.len, err) < 0)
        return -1;
    if (j->said.len > 0 &&
        (cfz_buf_puts(&t->tree, "        output of the target:\n", err) < 0 ||
         report_indent(&t->tree, 12, cfz_buf_str(&j->said), j->said.len, err) < 0))
        return -1;
    return report_indent(&t->tree, 8, cfz_buf_str(&j->shown), j->shown.len, err);
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
        if (!verbose && j->outcome == FAILED && add_seed(t, j, err) < 0)
            return -1;
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

int testrun_report_result(const struct test *t, enum outcome outcome, uint64_t ns,
                          struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (report_result(&text, 0, words[outcome], t->t->name, ns, err) == 0 &&
        cfz_buf_append(&text, t->lines.data, t->lines.len, err) == 0 &&
        cfz_buf_append(&text, t->tree.data, t->tree.len, err) == 0) {
        report_text(&text);
        ret = 0;
    }
    cfz_buf_release(&text);
    return ret;
}
