/*
 * command_report.c - cfuzz-test report: pages for the browser.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/flags.h"
#include "cli/report.h"
#include "commands/command.h"
#include "commands/prepare.h"
#include "commands/run_packages.h"
#include "cover/profiles.h"
#include "report/site.h"
#include "results/results.h"

/* Runs the inputs of a package, of which only failures to do so are told, and adds it to the
 * report. */
static enum exit_status report_package(const struct options *opt, struct package *pkg,
                                       struct report *r, bool *interrupted)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct test_binaries bins = {NULL, 0};
    struct run_result res = {.status = EXIT_PASSED, .no_fuzz_tests = true};
    struct lcov coverage = LCOV_INIT;
    enum exit_status status;
    struct timespec start;
    bool done;
    int rc = 0;

    results_package_begin(pkg->name, pkg->dir);
    clock_gettime(CLOCK_MONOTONIC, &start);
    status = prepare(opt, pkg, &bins, &done, &err);
    if (status == EXIT_PASSED && !done)
        rc = run_seeds(opt, pkg, &bins, &res, &coverage, &err);
    if (rc < 0)
        status = explain(&err);
    *interrupted = res.interrupted || interrupt_caught() != 0;
    results_package_end(status != EXIT_PASSED ? RESULT_BROKEN : RESULT_PASSED,
                        seconds_since(&start), status != EXIT_PASSED ? err.text : NULL);
    if ((!res.no_fuzz_tests || status != EXIT_PASSED) && status != EXIT_INTERNAL) {
        const struct result_list *l = results_list();

        if (report_add(r, &l->v[l->n - 1], pkg->path, status == EXIT_PASSED ? &coverage : NULL,
                       &err) < 0 ||
            report_load_builds(&r->v[r->n - 1], pkg->path, &err) < 0)
            status = worse(status, explain(&err));
    }
    lcov_release(&coverage);
    test_binaries_release(&bins);
    return status;
}

/* -sanitizers: runs all inputs in each build, for what the builds made of them side by side. */
static enum exit_status report_builds(struct options *opt, const struct strlist *args,
                                      struct report *r, bool *interrupted)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct course course = COURSE_INIT;
    enum exit_status status;

    opt->cover = false;
    status = run_builds(opt, args, &course, &err);
    *interrupted |= course.interrupted;
    for (size_t i = 0; i < r->n; i++)
        r->v[i].builds = results_builds();
    return status == EXIT_FAILED ? EXIT_PASSED : status; /* that inputs fail is what is asked */
}

/* Says where the report is, and what is in it in short. */
static void tell_report(const struct report *r, const char *dir)
{
    struct lcov_counts all = {0};
    char percent[LCOV_PERCENT_MAX];
    size_t tests = 0, failed = 0, builds = 0, elsewhere = 0;
    char more[80] = "";

    for (size_t i = 0; i < r->n; i++) {
        const struct sanitizer_table *b = r->v[i].builds;
        size_t n = 0;

        for (size_t k = 0; b != NULL && k < b->nrows; k++)
            elsewhere += strcmp(b->rows[k].package, r->v[i].name) == 0 &&
                         sanitizer_row_is_shown(b, &b->rows[k]);
        for (size_t k = 0; b != NULL && k < b->ncolumns; k++)
            n += b->left_out[k] == NULL;
        builds = n > builds ? n : builds;
    }
    if (builds > 0)
        snprintf(more, sizeof more, " (%zu in %zu build%s)", elsewhere, builds,
                 builds == 1 ? "" : "s");
    for (size_t i = 0; i < r->n; i++) {
        struct lcov_counts n = lcov_count(&r->v[i].coverage);

        all.lines += n.lines;
        all.lines_run += n.lines_run;
        tests += r->v[i].ntests;
        for (size_t k = 0; k < r->v[i].ntests; k++)
            failed += r->v[i].tests[k].failed;
    }
    report_line(
        "report: %s%sindex.html: %zu fuzz test%s of %zu package%s, %zu failing input%s%s, %s%s",
        dir, dir[strlen(dir) - 1] == '/' ? "" : "/", tests, tests == 1 ? "" : "s", r->n,
        r->n == 1 ? "" : "s", failed, failed == 1 ? "" : "s", more,
        all.lines > 0 ? lcov_percent(all.lines_run, all.lines, percent) : "no lines",
        all.lines > 0 ? " of lines" : "");
}

/* The sanitizers of opt in words, "asan ubsan". */
static int name_sanitizers(const struct options *opt, struct cfz_buf *out, struct cfz_error *err)
{
    int ret = 0;

    for (size_t i = 0; i < sanitizers_count && ret == 0; i++)
        if ((opt->sanitizers & sanitizers_all[i].bit) != 0)
            ret = cfz_buf_printf(out, err, "%s%s", out->len > 0 ? " " : "", sanitizers_all[i].flag);
    return ret;
}

/* Runs the inputs of all packages, and writes the report. The list of results has the names that
 * the report borrows, and does not change any more when it is written. */
static enum exit_status make_report(struct options *opt, struct packages *pkgs,
                                    const struct strlist *args, const char *dir)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct report r = REPORT_INIT;
    struct cfz_buf sanitizers = CFZ_BUF_INIT;
    enum exit_status status = EXIT_PASSED;
    bool interrupted = false;
    char *made = NULL;

    interrupt_catch();
    if (report_dir_begin(dir, &made, &err) < 0 || cover_open(opt, &err) < 0 ||
        name_sanitizers(opt, &sanitizers, &err) < 0 || results_open(opt, &err) < 0) {
        status = explain(&err);
        goto out;
    }
    r.sanitizers = cfz_buf_str(&sanitizers);
    report_divert(drop_lines, NULL);
    for (size_t i = 0; i < pkgs->n && !interrupted; i++)
        status = worse(status, report_package(opt, &pkgs->v[i], &r, &interrupted));
    if (opt->sets.n > 0 && !interrupted)
        status = worse(status, report_builds(opt, args, &r, &interrupted));
    report_divert(NULL, NULL);
    if (interrupted) {
        report_message("cfuzz-test: report: interrupted: nothing was written");
        status = worse(status, EXIT_FAILED);
    } else if (report_dir_write(&r, made, dir, &err) < 0) {
        status = worse(status, explain(&err));
    } else {
        tell_report(&r, dir);
    }
out:
    report_dir_drop(made);
    free(made);
    report_release(&r);
    cfz_buf_release(&sanitizers);
    cover_close(opt);
    if (results_close(status, &err) < 0)
        status = worse(status, explain(&err));
    return status;
}

static int report(int argc, char **argv)
{
    static const char *const known[] = {
        "o",    "asan", "ubsan", "msan",     "tsan",    "cc",          "dir", "p",          "run",
        "skip", "x",    "short", "parallel", "timeout", "hangtimeout", "rss", "sanitizers", NULL};
    const char *dir;
    struct invocation c;

    if (!invocation_begin(&c, argc, argv, known, "report"))
        return invocation_end(&c);
    dir = c.opt.out;
    c.opt.out = NULL;
    if (dir == NULL) {
        cfz_fail(&c.err, CFZ_EUSAGE, "report: give a directory: -o out");
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (!invocation_packages(&c, (const char *const *)c.args.v, c.args.n, c.opt.dir))
        return invocation_end(&c);
    if (flags_check(&c.opt, c.pkgs.n, count_executables(&c.pkgs), &c.err) < 0) {
        invocation_misused(&c);
        return invocation_end(&c);
    }
    c.opt.package_list = c.args.n > 0;
    c.opt.several_packages = c.pkgs.n > 1;
    c.opt.cover = c.opt.cached = c.opt.keep_results = true;
    c.status = make_report(&c.opt, &c.pkgs, &c.args, dir);
    return invocation_end(&c);
}

const struct command command_report = {
    .name = "report", .usage = "report -o directory [packages]", .run = report};
