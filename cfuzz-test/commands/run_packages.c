/*
 * run_packages.c - see run_packages.h. Results go to stdout, what cannot be built or run to stderr.
 */
#define _GNU_SOURCE
#include "commands/run_packages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "build/sanitizer_probe.h"
#include "cli/report.h"
#include "commands/prepare.h"
#include "cover/covered_by.h"
#include "cover/profiles.h"
#include "crash/crash_baseline.h"
#include "fuzz/several.h"
#include "fuzz/turns.h"
#include "results/kept_builds.h"
#include "results/results.h"

enum { COVERAGE_MAX = 40 };

double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* What of the lines was reached, as it stands behind "coverage: ". */
static const char *coverage_text(const struct lcov *l, char text[COVERAGE_MAX])
{
    struct lcov_counts n = lcov_count(l);
    char percent[LCOV_PERCENT_MAX];

    if (n.lines == 0)
        return "[no lines]";
    snprintf(text, COVERAGE_MAX, "%s of lines", lcov_percent(n.lines_run, n.lines, percent));
    return text;
}

/* The last lines about a package that ran. coverage: of source lines, or NULL. */
static void print_verdict(const struct options *opt, const struct package *pkg,
                          const struct run_result *res, const struct lcov *coverage, double seconds)
{
    char text[COVERAGE_MAX];
    const struct build_label build = build_label(opt);

    if (res->no_fuzz_tests) {
        report_line("?   \t%s%s\t[no fuzz tests]", pkg->name, build.text);
        return;
    }
    if (res->no_seeds_to_run && res->status == EXIT_PASSED) {
        report_line("?   \t%s%s\t[no seeds to run]", pkg->name, build.text);
        return;
    }
    if (res->not_fuzzed && res->status == EXIT_PASSED) {
        report_line("?   \t%s%s\t[not fuzzed]", pkg->name, build.text);
        return;
    }
    if (res->status != EXIT_PASSED) {
        report_line("FAIL");
        if (coverage != NULL)
            report_line("coverage: %s", coverage_text(coverage, text));
        report_line("FAIL\t%s%s\t%.3fs", pkg->name, build.text, seconds);
        return;
    }
    /* As in Go, a list of packages shows its passing ones in one line each. */
    if ((!opt->package_list && opt->sets.n == 0) || opt->verbose || opt->fuzz != NULL) {
        report_line("PASS");
        if (coverage != NULL)
            report_line("coverage: %s", coverage_text(coverage, text));
        coverage = NULL;
    }
    report_line("ok  \t%s%s\t%.3fs%s%s%s", pkg->name, build.text, seconds,
                coverage != NULL ? "\tcoverage: " : "",
                coverage != NULL ? coverage_text(coverage, text) : "",
                res->no_tests_to_run ? " [no tests to run]" : "");
}

int run_seeds(const struct options *opt, const struct package *pkg,
              const struct test_binaries *bins, struct run_result *res, struct lcov *coverage,
              struct cfz_error *err)
{
    if (several_run(opt, bins, res, err) < 0)
        return -1;
    if (!opt->cover || res->no_fuzz_tests)
        return 0;
    return cover_package(opt, pkg, bins, coverage, err);
}

int drop_lines(void *ctx, const char *lines, size_t len, struct cfz_error *err)
{
    (void)ctx;
    (void)lines;
    (void)len;
    (void)err;
    return 0;
}

/* -covered-by: runs the seeds, and prints the names of those that reach the line and of their
 * tests, where there are several packages behind the package's. How they end does not matter. */
static int ask_covered_by(const struct options *given, const struct package *pkg,
                          const struct test_binaries *bins, struct run_result *res,
                          struct course *course, struct cfz_error *err)
{
    struct options opt = *given;
    struct input_watch watch;
    struct covered_by *q = NULL;
    struct lcov coverage = LCOV_INIT;
    struct strlist names = STRLIST_INIT;
    bool no_code = false;
    int ret = -1;

    if (covered_by_begin(&opt, pkg, &q, &watch, err) < 0)
        goto out;
    opt.watch = &watch;
    report_divert(drop_lines, NULL);
    ret = run_seeds(&opt, pkg, bins, res, &coverage, err);
    report_divert(NULL, NULL);
    if (ret == 0 && res->interrupted) {
        report_message("cfuzz-test: -covered-by: interrupted");
        goto out;
    }
    res->status = EXIT_PASSED;
    if (ret == 0)
        ret = covered_by_end(q, &coverage, &names, &no_code, err);
    for (size_t i = 0; i < names.n && ret == 0; i++)
        report_line("%s%s%s", opt.several_packages ? pkg->name : "",
                    opt.several_packages ? "\t" : "", names.v[i]);
    course->asked |= ret == 0;
    course->reached |= ret == 0 && names.n > 0;
    if (no_code && opt.several_packages) { /* the line may be one of another package */
        course->no_code = *err;
        ret = 0;
    }
out:
    covered_by_free(q);
    lcov_release(&coverage);
    strlist_release(&names);
    return ret;
}

/* Fuzzes the test of a package that -fuzz selects, or all of them in turns. */
static int fuzz_one_or_several(const struct options *opt, const struct package *pkg,
                               const struct test_binaries *bins, struct run_result *res,
                               struct cfz_error *err)
{
    struct turn_package p = {.pkg = pkg, .bins = bins};
    int ret = several_fuzz(opt, bins, res, err);

    if (ret < 0 || !res->several)
        return ret;
    ret = turns_run(opt, &p, 1, err);
    *res = p.res;
    return ret;
}

/* Says what became of a package whose tests took turns with others. */
static enum exit_status end_turns(const struct options *opt, struct turn_package *p,
                                  const struct timespec *start, enum exit_status broken,
                                  const char *why)
{
    bool unfinished = p->res.status == EXIT_PASSED && !p->res.no_fuzz_tests && why != NULL;

    if (unfinished)
        p->res.status = broken;
    results_package_again(p->pkg->name, p->pkg->dir);
    print_verdict(opt, p->pkg, &p->res, NULL, seconds_since(start));
    results_package_end(unfinished                                  ? RESULT_BROKEN
                        : p->res.status != EXIT_PASSED              ? RESULT_FAILED
                        : p->res.no_fuzz_tests || p->res.not_fuzzed ? RESULT_SKIPPED
                                                                    : RESULT_PASSED,
                        seconds_since(start), unfinished ? why : NULL);
    return p->res.status;
}

/* Builds several packages, and fuzzes the tests of all that -fuzz selects. */
static enum exit_status fuzz_packages(const struct options *opt, struct packages *pkgs,
                                      struct course *course)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct turn_package *v = calloc(pkgs->n, sizeof *v);
    struct test_binaries *bins = calloc(pkgs->n, sizeof *bins);
    enum exit_status status = EXIT_PASSED, broken = EXIT_PASSED;
    struct timespec start;
    size_t n = 0;

    if (v == NULL || bins == NULL) {
        cfz_fail_nomem(&err);
        status = explain(&err);
        goto out;
    }
    for (size_t i = 0; i < pkgs->n && !course->interrupted; i++) {
        enum exit_status built;
        bool done;

        results_package_begin(pkgs->v[i].name, pkgs->v[i].dir);
        clock_gettime(CLOCK_MONOTONIC, &start);
        built = prepare(opt, &pkgs->v[i], &bins[n], &done, &err);
        course->interrupted |= interrupt_caught() != 0;
        if (built == EXIT_PASSED && !done) {
            v[n] = (struct turn_package){.pkg = &pkgs->v[i], .bins = &bins[n]};
            n++;
            continue;
        }
        status = worse(status, built);
        results_package_end(built != EXIT_PASSED                ? RESULT_BROKEN
                            : opt->dry_run || opt->compile_only ? RESULT_PASSED
                                                                : RESULT_SKIPPED,
                            seconds_since(&start), built != EXIT_PASSED ? err.text : NULL);
        test_binaries_release(&bins[n]);
        bins[n] = (struct test_binaries){NULL, 0};
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (course->interrupted) {
        cfz_fail(&err, CFZ_EIO, "interrupted before it was fuzzed");
        broken = EXIT_USAGE;
    } else if (n > 0 && !opt->dry_run && !opt->compile_only && turns_run(opt, v, n, &err) < 0) {
        broken = explain(&err);
        for (size_t i = 0; i < n; i++) /* a signal ended it, but it had found a failing input */
            broken = v[i].res.terminated && broken == EXIT_USAGE ? EXIT_FAILED : broken;
    }
    status = worse(status, broken);
    for (size_t i = 0; i < n; i++) {
        status = worse(
            status, end_turns(opt, &v[i], &start, broken, broken != EXIT_PASSED ? err.text : NULL));
        course->interrupted |= v[i].res.interrupted;
    }
out:
    for (size_t i = 0; bins != NULL && i < pkgs->n; i++)
        test_binaries_release(&bins[i]);
    free(bins);
    free(v);
    return status;
}

/* Builds and runs one package. */
static enum exit_status run_package(const struct options *opt, struct package *pkg,
                                    struct course *course)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct test_binaries bins = {NULL, 0};
    struct run_result res = {.status = EXIT_PASSED};
    struct timespec start;
    enum exit_status status;
    bool done;
    enum result_kind kind = RESULT_PASSED;
    struct lcov coverage = LCOV_INIT;
    int rc;

    results_package_begin(pkg->name, pkg->dir);
    clock_gettime(CLOCK_MONOTONIC, &start);
    status = prepare(opt, pkg, &bins, &done, &err);
    course->interrupted |= interrupt_caught() != 0;
    if (done || status != EXIT_PASSED) {
        kind = status != EXIT_PASSED ? RESULT_BROKEN
               : opt->dry_run || opt->compile_only || opt->engine != NULL
                   ? RESULT_PASSED
                   : RESULT_SKIPPED; /* there are no tests */
        goto out;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (opt->list != NULL)
        rc = several_list(opt, &bins, &res, &err);
    else if (opt->debug != NULL)
        rc = several_debug(opt, &bins, &err);
    else if (opt->fuzz != NULL)
        rc = fuzz_one_or_several(opt, pkg, &bins, &res, &err);
    else if (opt->covered_by != NULL)
        rc = ask_covered_by(opt, pkg, &bins, &res, course, &err);
    else
        rc = run_seeds(opt, pkg, &bins, &res, &coverage, &err);
    if (rc == 0 && opt->cover_profile != NULL)
        rc = lcov_add(&course->coverage, &coverage, &err);
    if (rc < 0) {
        status = explain(&err);
        kind = RESULT_BROKEN;
        if (res.terminated && status == EXIT_USAGE) {
            status = EXIT_FAILED; /* a signal ended it, but it had found a failing input */
            kind = RESULT_FAILED;
        }
        if (opt->debug == NULL && opt->covered_by == NULL)
            report_line("FAIL\t%s%s\t%.3fs", pkg->name, build_label(opt).text,
                        seconds_since(&start));
    } else if (opt->list != NULL || opt->debug != NULL || opt->covered_by != NULL) {
        status = res.status;
    } else {
        status = res.status;
        if (status != EXIT_PASSED)
            kind = RESULT_FAILED;
        else if (res.no_fuzz_tests || res.no_seeds_to_run)
            kind = RESULT_SKIPPED;
        print_verdict(opt, pkg, &res, opt->cover ? &coverage : NULL, seconds_since(&start));
        course->unseeded |= res.no_seeds_to_run;
        course->matched |= !res.no_seeds_to_run && !res.no_tests_to_run && !res.no_fuzz_tests;
    }
    course->interrupted = res.interrupted;
out:
    results_package_end(kind, seconds_since(&start), kind == RESULT_BROKEN ? err.text : NULL);
    test_binaries_release(&bins);
    lcov_release(&coverage);
    return status;
}

/* Says what became of the crash baseline, which is written if all went well. */
static enum exit_status end_baseline(const struct options *opt, bool well, struct cfz_error *err)
{
    struct crash_baseline_counts n;

    if (opt->crash_baseline == NULL || opt->list != NULL || opt->dry_run || opt->compile_only)
        return EXIT_PASSED;
    if (opt->write_baseline && !well) {
        report_line("testing: %s: not written, since not all could be run", opt->baseline);
        return EXIT_PASSED;
    }
    if (crash_baseline_end(opt->crash_baseline, &n, err) < 0)
        return explain(err);
    if (opt->write_baseline)
        report_line("testing: %s: %zu known crash%s written, %zu new, %zu gone", opt->baseline,
                    n.listed, n.listed == 1 ? "" : "es", n.added, n.gone);
    else if (n.gone > 0)
        report_line("testing: %s: met %zu of %zu known crashes; %zu of tests that ran all their "
                    "inputs did not come: -writebaseline removes them",
                    opt->baseline, n.met, n.listed, n.gone);
    else
        report_line("testing: %s: met %zu of %zu known crashes", opt->baseline, n.met, n.listed);
    return EXIT_PASSED;
}

int read_baseline(struct options *opt, struct cfz_error *err)
{
    crash_baseline_free(opt->crash_baseline);
    opt->crash_baseline = NULL;
    return opt->baseline == NULL ? 0
                                 : crash_baseline_read(opt->baseline, opt->write_baseline,
                                                       opt->sanitizers, &opt->crash_baseline, err);
}

enum exit_status run_packages(const struct options *opt, struct packages *pkgs,
                              struct course *course, struct cfz_error *err)
{
    enum exit_status status = EXIT_PASSED;

    if (opt->fuzz != NULL && opt->list == NULL && pkgs->n > 1)
        status = fuzz_packages(opt, pkgs, course);
    else
        for (size_t i = 0; i < pkgs->n && !course->interrupted; i++)
            status = worse(status, run_package(opt, &pkgs->v[i], course));
    return worse(status, end_baseline(opt, status == EXIT_PASSED && !course->interrupted, err));
}

/* Whether all tests and inputs ran, so that what the builds made of them may take the place of what
 * is kept. */
static bool is_whole(const struct options *opt, const struct course *course)
{
    return !course->interrupted && !opt->compile_only && !opt->dry_run && !opt->failfast &&
           opt->list == NULL && opt->skip == NULL &&
           (opt->run == NULL || strcmp(opt->run, ".") == 0 || opt->run[0] == '\0');
}

/* Keeps what the builds made of each package, for the report. That is an advantage and no
 * condition. */
static void keep_builds(const struct packages *pkgs)
{
    const struct sanitizer_table *t = results_builds();

    for (size_t i = 0; t != NULL && i < pkgs->n; i++) {
        char *path = kept_builds_file(pkgs->v[i].path);

        if (path != NULL && sanitizer_table_has(t, pkgs->v[i].name))
            kept_builds_save(path, pkgs->v[i].name, t, NULL);
        free(path);
    }
}

enum exit_status run_builds(struct options *opt, const struct strlist *args, struct course *course,
                            struct cfz_error *err)
{
    enum exit_status status = EXIT_PASSED;
    char name[SANITIZERS_NAME_MAX];
    struct packages last = {NULL, 0};

    for (size_t i = 0; i < opt->sets.n && !course->interrupted; i++) {
        struct packages pkgs = {NULL, 0};
        char *lacking = NULL;

        opt->sanitizers = opt->sets.v[i];
        opt->build_name = sanitizers_name(opt->sanitizers, name);
        if (sanitizer_probe(opt, &lacking, err) < 0) {
            course->interrupted |= interrupt_caught() != 0;
            status = worse(status, explain(err));
            break;
        }
        results_build(opt->build_name, lacking);
        if (lacking != NULL) {
            if (!opt->sets.some) {
                cfz_fail(err, CFZ_EUSAGE, "-sanitizers=%s: %s", opt->build_name, lacking);
                status = worse(status, explain(err));
            }
        } else if ((i > 0 && read_baseline(opt, err) < 0) ||
                   packages_find((const char *const *)args->v, args->n, opt->dir, &pkgs, err) < 0) {
            status = worse(status, explain(err));
        } else {
            status = worse(status, run_packages(opt, &pkgs, course, err));
            packages_release(&last);
            last = pkgs;
            pkgs = (struct packages){NULL, 0};
        }
        free(lacking);
        packages_release(&pkgs);
    }
    opt->build_name = NULL;
    if (is_whole(opt, course))
        keep_builds(&last);
    packages_release(&last);
    results_table();
    return status;
}
