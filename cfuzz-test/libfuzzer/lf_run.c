/*
 * lf_run.c - executes files: see lf_modes.h.
 */
#include <stdio.h>

#include "cli/report.h"
#include "libfuzzer/lf_input.h"
#include "libfuzzer/lf_modes.h"
#include "libfuzzer/lf_report.h"

/* Prints what the failing execution *o shows. */
static int tell(struct lf_target *t, const struct trial_outcome *o, int *status,
                struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct lf_failure f;
    int ret =
        lf_report(t, t->trial.worker, o->verdict == TRIAL_DIED ? &o->ending : NULL, &f, &text, err);

    if (ret == 0) {
        lf_print(&text);
        *status = f.status;
    }
    cfz_buf_release(&text);
    return ret;
}

/* Executes one file. *failed ends it all. */
static int run_file(struct lf_target *t, const char *path, int times, bool *failed, int *status,
                    struct cfz_error *err)
{
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct trial_outcome o = {0};
    uint64_t began = uv_hrtime();
    int ret = -1;

    report_line("Running: %s", path);
    if (lf_input_read(path, &bytes, err) < 0 || lf_input_values(t->test, &bytes, &vs, err) < 0)
        goto out;
    if (t->flags->max_len > 0 && bytes.len > (size_t)t->flags->max_len)
        report_line("INFO: %s: all of its %zu bytes are used, whatever -max_len says", path,
                    bytes.len);
    for (int i = 0; i < times; i++) {
        if (trial_run(&t->trial, &vs, false, t->opt.hangtimeout_ns, &o, err) < 0)
            goto out;
        if (o.verdict == TRIAL_VOID) {
            cfz_fail(err, CFZ_EIO, "%s: %s", path, o.ending.text);
            goto out;
        }
        if (!trial_failed(&o))
            continue;
        *failed = true;
        ret = tell(t, &o, status, err);
        goto out;
    }
    report_line("Executed %s in %llu ms", path,
                (unsigned long long)((uv_hrtime() - began) / 1000000));
    ret = 0;
out:
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return ret;
}

int lf_run(struct lf_target *t, int *status, struct cfz_error *err)
{
    const struct strlist *files = &t->flags->inputs;
    int times = t->flags->runs > 1 ? t->flags->runs : 1;
    bool failed = false;

    *status = LF_EXIT_OK;
    if (lf_target_host(t, err) < 0)
        return -1;
    report_line("%s: Running %zu inputs %d time(s) each.", t->program, files->n, times);
    for (size_t i = 0; i < files->n && !failed; i++)
        if (run_file(t, files->v[i], times, &failed, status, err) < 0)
            return -1;
    if (failed)
        return 0;
    report_line("***");
    report_line("*** NOTE: fuzzing was not performed, you have only");
    report_line("***       executed the target code on a fixed set of inputs.");
    report_line("***");
    return 0;
}
