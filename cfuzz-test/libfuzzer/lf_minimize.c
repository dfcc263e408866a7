/*
 * lf_minimize.c - a failing file made smaller, or its bytes replaced: see lf_modes.h.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "core/corpus/flat.h"
#include "core/io.h"
#include "crash/crash_minimize.h"
#include "libfuzzer/lf_artifact.h"
#include "libfuzzer/lf_input.h"
#include "libfuzzer/lf_modes.h"
#include "libfuzzer/lf_report.h"

/* Reads the one file, and executes it. *go: it failed, as *o says. */
static int begin(struct lf_target *t, struct cfz_buf *bytes, struct cfz_values *vs,
                 struct trial_outcome *o, bool *go, int *status, struct cfz_error *err)
{
    const char *path = t->flags->inputs.v[0];

    *go = false;
    if (lf_target_host(t, err) < 0 || lf_input_read(path, bytes, err) < 0 ||
        lf_input_values(t->test, bytes, vs, err) < 0 ||
        trial_run(&t->trial, vs, true, t->opt.hangtimeout_ns, o, err) < 0)
        return -1;
    *go = trial_failed(o);
    *status = *go ? LF_EXIT_OK : LF_EXIT_ERROR;
    if (!*go)
        report_message("ERROR: the input %s did not crash", path);
    return 0;
}

/* Writes the result, and prints what it shows: the trial's worker has just failed on it. */
static int write_result(struct lf_target *t, const struct trial_outcome *o, const char *kind,
                        const struct cfz_buf *original, const struct cfz_buf *bytes,
                        struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct lf_failure f;
    int ret =
        lf_report(t, t->trial.worker, o->verdict == TRIAL_DIED ? &o->ending : NULL, &f, &text, err);

    if (ret == 0)
        ret = lf_artifact_write(t->flags, kind, original, bytes, &text, err);
    if (ret == 0)
        lf_print(&text);
    cfz_buf_release(&text);
    return ret;
}

/* ---- smaller ------------------------------------------------------------------------ */

/* The time or the count that there is. libFuzzer takes both; what is over first ends it. */
static struct fuzz_limit limit_of(const struct lf_flags *f)
{
    if (f->max_total_time > 0)
        return (struct fuzz_limit){.kind = LIMIT_TIME,
                                   .ns = f->max_total_time * INT64_C(1000000000)};
    if (f->runs > 0)
        return (struct fuzz_limit){.kind = LIMIT_COUNT, .count = (uint64_t)f->runs};
    return (struct fuzz_limit){.kind = LIMIT_TIME, .ns = INT64_MAX / 4};
}

int lf_minimize(struct lf_target *t, int *status, struct cfz_error *err)
{
    struct cfz_buf bytes = CFZ_BUF_INIT, smaller = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT, best = CFZ_VALUES_INIT;
    struct trial_outcome shown, o = {0};
    struct crash_minimizing m = {.shown = &shown, .hang_ns = t->opt.hangtimeout_ns};
    const char *path = t->flags->inputs.v[0];
    bool go, same;
    int ret = -1;

    if (begin(t, &bytes, &vs, &shown, &go, status, err) < 0)
        goto out;
    if (!go) {
        ret = 0;
        goto out;
    }
    report_line("CRASH_MIN: minimizing crash input: '%s' (%zu bytes)", path, bytes.len);
    report_line("CRASH_MIN: '%s' (%zu bytes) caused a crash. Will try to minimize it further", path,
                bytes.len);
    m.limit = limit_of(t->flags);
    if (cfz_values_copy(&best, &vs, err) < 0 || crash_minimize(&t->trial, &m, &best, err) < 0 ||
        cfz_flat_write(&best, &smaller, err) < 0)
        goto out;
    report_line("CRASH_MIN: %llu executions", (unsigned long long)m.tries);
    /* The last try was of another input, and in a process that had executed others. */
    if (trial_run(&t->trial, &best, true, t->opt.hangtimeout_ns, &o, err) < 0)
        goto out;
    same = trial_failed(&o) && crash_signature_is_kept(&shown.signature, &o.signature);
    if (m.accepted == 0 || !same || smaller.len >= bytes.len) {
        report_line("CRASH_MIN: failed to minimize beyond %s (%zu bytes), exiting", path,
                    bytes.len);
        /* Who names a file looks for it there. */
        ret = t->flags->exact_artifact_path != NULL
                  ? cfz_io_write_file(AT_FDCWD, t->flags->exact_artifact_path, bytes.data,
                                      bytes.len, CFZ_IO_REPLACE, err)
                  : 0;
        goto out;
    }
    ret = write_result(t, &o, "minimized-from", &bytes, &smaller, err);
    report_line("CRASH_MIN: minimized to %zu bytes", smaller.len);
out:
    cfz_values_release(&vs);
    cfz_values_release(&best);
    cfz_buf_release(&bytes);
    cfz_buf_release(&smaller);
    return ret;
}

/* ---- cleaner -------------------------------------------------------------------------- */

/* Whether bytes fail as shown does. The last outcome is in *o. */
static int fails_alike(struct lf_target *t, const struct cfz_buf *bytes,
                       const struct trial_outcome *shown, bool fresh, bool *alike,
                       struct trial_outcome *o, struct cfz_error *err)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    int ret = -1;

    if (lf_input_values(t->test, bytes, &vs, err) == 0 &&
        trial_run(&t->trial, &vs, fresh, t->opt.hangtimeout_ns, o, err) == 0) {
        *alike = trial_failed(o) && crash_signature_is_kept(&shown->signature, &o->signature);
        ret = 0;
    }
    cfz_values_release(&vs);
    return ret;
}

/* Tries the replacements of byte i. *replaced: one of them stays. */
static int cleanse_byte(struct lf_target *t, struct cfz_buf *bytes, size_t i,
                        const struct trial_outcome *shown, bool *replaced, struct cfz_error *err)
{
    static const uint8_t by[] = {' ', 0xff};
    const uint8_t was = bytes->data[i];
    struct trial_outcome o;

    *replaced = false;
    if (was == by[0] || was == by[1])
        return 0;
    for (size_t k = 0; k < sizeof by && !*replaced; k++) {
        bytes->data[i] = by[k];
        if (fails_alike(t, bytes, shown, false, replaced, &o, err) < 0)
            return -1;
    }
    if (*replaced)
        report_line("CLEANSE: Replaced byte %zu with 0x%x", i, bytes->data[i]);
    else
        bytes->data[i] = was;
    return 0;
}

int lf_cleanse(struct lf_target *t, int *status, struct cfz_error *err)
{
    enum { ROUNDS = 5 }; /* as in libFuzzer */
    struct cfz_buf bytes = CFZ_BUF_INIT;
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct trial_outcome shown, o;
    bool go, changed = true, replaced;
    int ret = -1;

    if (begin(t, &bytes, &vs, &shown, &go, status, err) < 0)
        goto out;
    for (int round = 0; round < ROUNDS && go && changed; round++) {
        changed = false;
        for (size_t i = 0; i < bytes.len; i++) {
            report_line("CLEANSE[%d]: Trying to replace byte %zu of %zu", round, i, bytes.len);
            if (cleanse_byte(t, &bytes, i, &shown, &replaced, err) < 0)
                goto out;
            changed = changed || replaced;
        }
    }
    ret = 0;
    if (!go)
        goto out;
    ret = fails_alike(t, &bytes, &shown, true, &replaced, &o, err);
    if (ret == 0 && replaced)
        ret = write_result(t, &o, "cleansed", &bytes, &bytes, err);
    else if (ret == 0)
        report_message("ERROR: the result does not fail in a fresh process; nothing is written");
    if (ret == 0 && !replaced)
        *status = LF_EXIT_ERROR;
out:
    cfz_values_release(&vs);
    cfz_buf_release(&bytes);
    return ret;
}
