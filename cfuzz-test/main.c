/*
 * main.c - the subcommand, the order of events for each package, and the exit
 * status: the driver's only exit().
 *
 * Results go to stdout, usage and build errors to stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build/build.h"
#include "build/clean.h"
#include "build/compile_commands.h"
#include "base/fd_limit.h"
#include "base/roomy_stack.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "build/package.h"
#include "build/sanitizer_probe.h"
#include "build/engine_copy.h"
#include "cli/report.h"
#include "cli/sanitizers.h"
#include "corpus/corpus_command.h"
#include "cover/profiles.h"
#include "cover/covered_by.h"
#include "crash/crash_baseline.h"
#include "results/result_file.h"
#include "results/results.h"
#include "fuzz/fuzz_sharing.h"
#include "fuzz/fuzz_words.h"
#include "fuzz/several.h"
#include "fuzz/turns.h"
#ifndef CFUZZ_DRIVER_ALONE
#include "http/live.h"
#endif
#include "libfuzzer/lf_install.h"
#include "libfuzzer/libfuzzer.h"
#include "ossfuzz/ossfuzz.h"
#include "report/site.h"

/* Prints what went wrong, and returns the exit status for it. Error texts are safe to print
 * (error.h). */
static enum exit_status explain(const struct cfz_error *err)
{
    if (err->code == CFZ_EINTERNAL) {
        fprintf(stderr, "cfuzz-test: internal failure: %s\n", err->text);
        return EXIT_INTERNAL;
    }
    if (err->code != CFZ_EIO || err->sys != EPIPE) /* nobody reads on: end quietly */
        fprintf(stderr, "cfuzz-test: %s\n", err->text);
    return EXIT_USAGE;
}

/* Prints a mistake on the command line in Go's bare words, and where to read on, unless the mistake
 * is in a pattern. */
static enum exit_status explain_usage(const struct cfz_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    if (err->code != CFZ_EFORMAT)
        help_hint(stderr);
    return EXIT_USAGE;
}

enum { COVERAGE_MAX = 40 };

static enum exit_status worse(enum exit_status a, enum exit_status b)
{
    return a > b ? a : b;
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* What stands behind the name of a package in the lines about it: the build of -sanitizers. */
struct build_label {
    char text[SANITIZERS_NAME_MAX + 4];
};

static struct build_label build_label(const struct options *opt)
{
    struct build_label l = {""};

    if (opt->build_name != NULL)
        snprintf(l.text, sizeof l.text, " [%s]", opt->build_name);
    return l;
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

/* Copies the binaries where -c and -o want them. */
static int copy_binaries(const struct options *opt, const struct package *pkg,
                         const struct test_binaries *bins, struct cfz_error *err)
{
    struct stat st;

    if (bins->n > 1 && opt->out != NULL && (stat(opt->out, &st) < 0 || !S_ISDIR(st.st_mode)))
        return cfz_fail(err, CFZ_EUSAGE, "-o %s: not a directory, and %s has %zu test binaries",
                        opt->out, pkg->name, bins->n);
    for (size_t i = 0; i < bins->n; i++)
        if (build_copy(&bins->v[i], opt->out, err) < 0)
            return -1;
    return 0;
}

/* -engine: an executable for each test, whose paths are printed. */
static int leave_executables(const struct options *opt, const struct package *pkg,
                             const struct test_binaries *bins, struct cfz_error *err)
{
    struct engine_tests tests = {STRLIST_INIT, STRLIST_INIT};
    const char *dir = opt->out != NULL ? opt->out : ".";
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < bins->n; i++)
        ret = engine_copy(opt, &bins->v[i], dir, &tests, err);
    for (size_t i = 0; i < tests.names.n; i++)
        report_line("%s/%s", dir, tests.names.v[i]);
    if (ret == 0 && tests.names.n == 0)
        ret = cfz_fail(err, CFZ_EFORMAT, "%s: no fuzz tests%s%s", pkg->name,
                       opt->fuzz != NULL ? " that match -fuzz=" : "",
                       opt->fuzz != NULL ? opt->fuzz : "");
    engine_tests_release(&tests);
    return ret;
}

/* Builds, and copies the binaries where -c and -o want them. *done: nothing is left to do. */
static enum exit_status prepare(const struct options *opt, struct package *pkg,
                                struct test_binaries *bins, bool *done, struct cfz_error *err)
{
    *done = true;
    if (pkg->executable == NULL &&
        (package_load(pkg, err) < 0 || compile_commands_apply(pkg, opt->build_dir, err) < 0)) {
        explain(err);
        report_line("FAIL\t%s%s\t[setup failed]", pkg->name, build_label(opt).text);
        return EXIT_USAGE;
    }
    if (opt->covered_by != NULL && opt->several_packages &&
        ((pkg->among_others && !pkg->mentions_tests) || !covered_by_concerns(opt, pkg)))
        return EXIT_PASSED;
    if (pkg->among_others && !pkg->mentions_tests && (opt->fuzz == NULL || opt->several_packages)) {
        report_line("?   \t%s%s\t[no fuzz tests]", pkg->name, build_label(opt).text);
        return EXIT_PASSED;
    }
    if (build_package(opt, pkg, bins, err) < 0) {
        enum exit_status status = explain(err);

        report_line("FAIL\t%s%s\t[build failed]", pkg->name, build_label(opt).text);
        return status;
    }
    if (opt->dry_run)
        return EXIT_PASSED;
    if (opt->engine != NULL)
        return leave_executables(opt, pkg, bins, err) < 0 ? explain(err) : EXIT_PASSED;
    if (opt->libfuzzer
            ? lf_install(opt, bins, err) < 0
            : (opt->compile_only || opt->out != NULL) && copy_binaries(opt, pkg, bins, err) < 0)
        return explain(err);
    *done = opt->compile_only;
    return EXIT_PASSED;
}

/* What the packages of a run have in common. */
struct course {
    bool interrupted;         /* Ctrl-C: no further package */
    bool matched, unseeded;   /* of packages in which -run selected tests: seeds too, or none */
    struct lcov coverage;     /* -cover: of all packages */
    bool asked, reached;      /* -covered-by: the line is one of a package; some input reaches it */
    struct cfz_error no_code; /* ... why it was not asked about, though a package has the file */
};

/* Runs the seeds of a package. With -cover, adds what they reached to *coverage. */
static int run_seeds(const struct options *opt, const struct package *pkg,
                     const struct test_binaries *bins, struct run_result *res,
                     struct lcov *coverage, struct cfz_error *err)
{
    if (several_run(opt, bins, res, err) < 0)
        return -1;
    if (!opt->cover || res->no_fuzz_tests)
        return 0;
    return cover_package(opt, pkg, bins, coverage, err);
}

/* Takes lines that nobody is to see. */
static int drop_lines(void *ctx, const char *lines, size_t len, struct cfz_error *err)
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
static enum exit_status end_turns(const struct options *opt, const struct turn_package *p,
                                  const struct timespec *start)
{
    results_package_again(p->pkg->name, p->pkg->dir);
    print_verdict(opt, p->pkg, &p->res, NULL, seconds_since(start));
    results_package_end(p->res.status != EXIT_PASSED ? RESULT_FAILED
                        : p->res.no_fuzz_tests       ? RESULT_SKIPPED
                                                     : RESULT_PASSED,
                        seconds_since(start), NULL);
    return p->res.status;
}

/* Builds several packages, and fuzzes the tests of all that -fuzz selects. */
static enum exit_status fuzz_packages(const struct options *opt, struct packages *pkgs,
                                      struct course *course)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct turn_package *v = calloc(pkgs->n, sizeof *v);
    struct test_binaries *bins = calloc(pkgs->n, sizeof *bins);
    enum exit_status status = EXIT_PASSED;
    struct timespec start;
    size_t n = 0;

    if (v == NULL || bins == NULL) {
        cfz_fail_nomem(&err);
        status = explain(&err);
        goto out;
    }
    for (size_t i = 0; i < pkgs->n; i++) {
        enum exit_status built;
        bool done;

        results_package_begin(pkgs->v[i].name, pkgs->v[i].dir);
        clock_gettime(CLOCK_MONOTONIC, &start);
        built = prepare(opt, &pkgs->v[i], &bins[n], &done, &err);
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
    if (n > 0 && !opt->dry_run && !opt->compile_only && turns_run(opt, v, n, &err) < 0)
        status = worse(status, explain(&err));
    for (size_t i = 0; i < n; i++) {
        status = worse(status, end_turns(opt, &v[i], &start));
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

/* -coverprofile: writes what the packages reached. */
static int write_profile(const struct options *opt, const struct course *course,
                         struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = lcov_write(&text, &course->coverage, err);

    if (ret == 0)
        ret = result_file_write(opt->cover_profile, &text, err);
    cfz_buf_release(&text);
    return ret;
}

static size_t count_executables(const struct packages *pkgs)
{
    size_t n = 0;

    for (size_t i = 0; i < pkgs->n; i++)
        n += pkgs->v[i].executable != NULL;
    return n;
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

/* Reads the crash baseline for a run with opt's sanitizers, if there is to be one. */
static int read_baseline(struct options *opt, struct cfz_error *err)
{
    crash_baseline_free(opt->crash_baseline);
    opt->crash_baseline = NULL;
    return opt->baseline == NULL ? 0
                                 : crash_baseline_read(opt->baseline, opt->write_baseline,
                                                       opt->sanitizers, &opt->crash_baseline, err);
}

/* Runs all packages. */
static enum exit_status run_packages(const struct options *opt, struct packages *pkgs,
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

/* -sanitizers: runs all packages in one build after the other. */
static enum exit_status run_builds(struct options *opt, const struct strlist *args,
                                   struct course *course, struct cfz_error *err)
{
    enum exit_status status = EXIT_PASSED;
    char name[SANITIZERS_NAME_MAX];

    for (size_t i = 0; i < opt->sets.n && !course->interrupted; i++) {
        struct packages pkgs = {NULL, 0};
        char *lacking = NULL;

        opt->sanitizers = opt->sets.v[i];
        opt->build_name = sanitizers_name(opt->sanitizers, name);
        if (sanitizer_probe(opt, &lacking, err) < 0) {
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
        }
        free(lacking);
        packages_release(&pkgs);
    }
    opt->build_name = NULL;
    results_table();
    return status;
}

#ifdef CFUZZ_DRIVER_ALONE /* it is without libmicrohttpd */

struct live;

static int live_open(struct options *opt, struct live **out, struct cfz_error *err)
{
    (void)out;
    return cfz_fail(err, CFZ_EUSAGE, "-http=%s: this driver has no server", opt->http);
}

static void live_close(struct live *l)
{
    (void)l;
}

#endif

/* Says what is to be said of -covered-by behind all packages. */
static enum exit_status end_covered_by(const struct options *opt, const struct course *course)
{
    struct cfz_error err = course->no_code;

    if (!course->asked) {
        if (err.code == CFZ_OK)
            cfz_fail(&err, CFZ_EUSAGE, "-covered-by: %.*s: not a file of the packages",
                     (int)(strrchr(opt->covered_by, ':') - opt->covered_by), opt->covered_by);
        return explain(&err);
    }
    if (!course->reached)
        report_message("cfuzz-test: no input reaches %s%s", opt->covered_by,
                       opt->cached ? "" : "; -cached asks those of the cache too");
    return EXIT_PASSED;
}

/* cfuzz-test [flags] [packages] */
static enum exit_status command_run(int argc, char **argv)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct options opt;
    enum exit_status status = EXIT_PASSED;
    struct course course = {.coverage = LCOV_INIT, .no_code = CFZ_ERROR_INIT};
    struct live *live = NULL;
    bool help;

    flags_defaults(&opt);
    if (flags_parse(argc, argv, NULL, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_usage(stdout);
        goto out;
    }
    opt.package_list = args.n > 0;
    if (packages_find((const char *const *)args.v, args.n, opt.dir, &pkgs, &err) < 0) {
        status = explain(&err);
        goto out;
    }
    opt.several_packages = pkgs.n > 1;
    if (flags_check(&opt, pkgs.n, count_executables(&pkgs), &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (opt.sets.n > 0)
        opt.sanitizers = opt.sets.v[0];
    /* Fuzzing makes the directory. */
    if (opt.cached && opt.corpus != NULL && access(opt.corpus, R_OK | X_OK) < 0) {
        cfz_fail_errno(&err, "-corpus %s", opt.corpus);
        status = explain(&err);
        goto out;
    }
    if (sharing_check(&opt, &err) < 0 ||
        (opt.covered_by != NULL && covered_by_check(opt.covered_by, &err) < 0)) {
        status = explain(&err);
        goto out;
    }
    if ((opt.fuzz != NULL && words_prepare(&opt, &err) < 0) || read_baseline(&opt, &err) < 0) {
        status = explain(&err);
        goto out;
    }
    if ((opt.cover_profile != NULL && result_file_check(opt.cover_profile, &err) < 0) ||
        (opt.cover && cover_open(&opt, &err) < 0) || results_open(&opt, &err) < 0 ||
        (opt.http != NULL && live_open(&opt, &live, &err) < 0)) {
        status = explain(&err);
        goto out;
    }
    status = opt.sets.n > 0 ? run_builds(&opt, &args, &course, &err)
                            : run_packages(&opt, &pkgs, &course, &err);
    if (opt.cover_profile != NULL && status <= EXIT_FAILED && !course.interrupted && !opt.dry_run &&
        !opt.compile_only && write_profile(&opt, &course, &err) < 0)
        status = worse(status, explain(&err));
    if (opt.covered_by != NULL && status == EXIT_PASSED && !course.interrupted && !opt.dry_run)
        status = end_covered_by(&opt, &course);
    if (course.unseeded && !course.matched && status == EXIT_PASSED) {
        report_message("cfuzz-test: -run=%s: no such seed", opt.run);
        status = EXIT_USAGE;
    }
    /* As Go does, since a failure may have scrolled away. The result of fuzzing is at the end. */
    if ((opt.package_list || opt.sets.n > 0) && opt.fuzz == NULL && opt.debug == NULL &&
        opt.covered_by == NULL && status != EXIT_PASSED && !opt.json && !opt.tap)
        report_line("FAIL");
out:
    if (results_close(status, &err) < 0)
        status = worse(status, explain(&err));
    live_close(live);
    cover_close(&opt);
    lcov_release(&course.coverage);
    crash_baseline_free(opt.crash_baseline);
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    return status;
}

/* Takes -fuzzcache and -cache, which only clean knows, out of argv. */
static int take_clean_flags(int argc, char **argv, struct clean_options *opt)
{
    int n = 0;

    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-' && argv[i][1] == '-');

        if (strcmp(name, "-fuzzcache") == 0)
            opt->fuzzcache = true;
        else if (strcmp(name, "-cache") == 0)
            opt->cache = true;
        else
            argv[n++] = argv[i];
    }
    return n;
}

/* cfuzz-test clean */
static enum exit_status command_clean(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "run", NULL};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct clean_options clean = {0};
    struct options opt;
    enum exit_status status = EXIT_PASSED;
    bool help;

    flags_defaults(&opt);
    argc = take_clean_flags(argc, argv, &clean);
    if (flags_parse(argc, argv, known, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_topic(stdout, "clean");
        goto out;
    }
    clean.print = opt.print_commands;
    clean.dry_run = opt.dry_run;
    if (!clean.fuzzcache && !clean.cache) {
        cfz_fail(&err, CFZ_EUSAGE, "clean: nothing to remove: give -fuzzcache or -cache");
        status = explain_usage(&err);
        goto out;
    }
    if (clean.cache && (args.n > 0 || opt.run != NULL)) {
        cfz_fail(&err, CFZ_EUSAGE, "cannot use -cache flag with %s",
                 args.n > 0 ? "packages" : "-run");
        status = explain_usage(&err);
        goto out;
    }
    if (opt.run != NULL && pattern_new("run", opt.run, &opt.run_pattern, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    clean.run = opt.run_pattern;
    /* -run selects tests of packages: of the current directory, as elsewhere, if none is named. */
    if (((args.n > 0 || opt.run != NULL) &&
         packages_find((const char *const *)args.v, args.n, NULL, &pkgs, &err) < 0) ||
        clean_run(&clean, &pkgs, &err) < 0)
        status = explain(&err);
out:
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    return status;
}

/* Whether a file at that absolute path would be one of the package's sources. */
static bool would_be_source(const struct package *pkg, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    char *dir = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    char *real = dir != NULL ? realpath(dir, NULL) : NULL;
    bool would = real != NULL && pkg->executable == NULL && strcmp(real, pkg->dir) == 0 &&
                 slash[1] != '_' && slash[1] != '.' && dot > slash && dot[1] == 'c';

    free(real);
    free(dir);
    return would;
}

/* Builds pkg, and writes the program for input to out, or to stdout if that is NULL. */
static int show_input(const struct options *opt, struct package *pkg, const char *input,
                      const char *out, struct cfz_error *err)
{
    struct test_binaries bins = {NULL, 0};
    struct cfz_buf text = CFZ_BUF_INIT;
    char *file = out != NULL && out[0] != '/' ? realpath(".", NULL) : NULL;
    struct cfz_buf name = CFZ_BUF_INIT;
    int ret = -1;

    if (out != NULL && cfz_buf_printf(&name, err, "%s%s%s", file != NULL ? file : "",
                                      file != NULL ? "/" : "", out) < 0)
        goto out;
    if (out != NULL && would_be_source(pkg, cfz_buf_str(&name))) {
        cfz_fail(err, CFZ_EUSAGE,
                 "show: -o %s: it would be compiled with the package: begin its name with _", out);
        goto out;
    }
    if (pkg->executable == NULL &&
        (package_load(pkg, err) < 0 || compile_commands_apply(pkg, opt->build_dir, err) < 0))
        goto out;
    if (build_package(opt, pkg, &bins, err) < 0 ||
        several_show(opt, &bins, input, out != NULL ? cfz_buf_str(&name) : "_repro.c", &text, err) <
            0)
        goto out;
    if (out != NULL) {
        ret = result_file_write(out, &text, err);
    } else {
        report_bytes(cfz_buf_str(&text), text.len);
        ret = 0;
    }
out:
    free(file);
    cfz_buf_release(&name);
    cfz_buf_release(&text);
    test_binaries_release(&bins);
    return ret;
}

/* cfuzz-test show FuzzX/<seed> [package] */
static enum exit_status command_show(int argc, char **argv)
{
    static const char *const known[] = {"o",  "asan", "ubsan", "msan",  "tsan",
                                        "cc", "dir",  "p",     "short", NULL};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct options opt;
    enum exit_status status = EXIT_PASSED;
    const char *out;
    bool help;

    flags_defaults(&opt);
    if (flags_parse(argc, argv, known, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_topic(stdout, "show");
        goto out;
    }
    out = opt.out; /* of the program, not of the test binary */
    opt.out = NULL;
    if (args.n == 0 || strchr(args.v[0], '/') == NULL) {
        cfz_fail(&err, CFZ_EUSAGE, "show: name an input: FuzzX/<file>, or FuzzX/seed#0");
        status = explain_usage(&err);
        goto out;
    }
    if (packages_find((const char *const *)args.v + 1, args.n - 1, opt.dir, &pkgs, &err) < 0) {
        status = explain(&err);
        goto out;
    }
    if (pkgs.n != 1) {
        cfz_fail(&err, CFZ_EUSAGE, "show: takes a single package");
        status = explain_usage(&err);
        goto out;
    }
    if (flags_check(&opt, pkgs.n, count_executables(&pkgs), &err) < 0)
        status = explain_usage(&err);
    else if (show_input(&opt, &pkgs.v[0], args.v[0], out, &err) < 0)
        status = explain(&err);
out:
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    return status;
}

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
    *interrupted = res.interrupted;
    results_package_end(status != EXIT_PASSED ? RESULT_BROKEN : RESULT_PASSED,
                        seconds_since(&start), status != EXIT_PASSED ? err.text : NULL);
    if ((!res.no_fuzz_tests || status != EXIT_PASSED) && status != EXIT_INTERNAL) {
        const struct result_list *l = results_list();

        if (report_add(r, &l->v[l->n - 1], pkg->path, status == EXIT_PASSED ? &coverage : NULL,
                       &err) < 0)
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
    struct course course = {.coverage = LCOV_INIT, .no_code = CFZ_ERROR_INIT};
    enum exit_status status;

    opt->cover = false;
    status = run_builds(opt, args, &course, &err);
    *interrupted |= course.interrupted;
    r->builds = results_builds();
    r->results = results_list();
    return status == EXIT_FAILED ? EXIT_PASSED : status; /* that inputs fail is what is asked */
}

/* Says where the report is, and what is in it in short. */
static void tell_report(const struct report *r, const char *dir)
{
    struct lcov_counts all = {0};
    char percent[LCOV_PERCENT_MAX];
    size_t tests = 0, failed = 0, builds = 0, elsewhere = 0;
    char more[80] = "";

    for (size_t i = 0; r->builds != NULL && i < r->builds->nrows; i++)
        elsewhere += sanitizer_row_is_shown(r->builds, &r->builds->rows[i]);
    for (size_t i = 0; r->builds != NULL && i < r->builds->ncolumns; i++)
        builds += r->builds->left_out[i] == NULL;
    if (r->builds != NULL)
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

/* cfuzz-test report -o DIR [packages] */
static enum exit_status command_report(int argc, char **argv)
{
    static const char *const known[] = {
        "o",    "asan", "ubsan", "msan",     "tsan",    "cc",          "dir", "p",          "run",
        "skip", "x",    "short", "parallel", "timeout", "hangtimeout", "rss", "sanitizers", NULL};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct options opt;
    enum exit_status status = EXIT_PASSED;
    const char *dir;
    bool help;

    flags_defaults(&opt);
    if (flags_parse(argc, argv, known, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_topic(stdout, "report");
        goto out;
    }
    dir = opt.out;
    opt.out = NULL;
    if (dir == NULL) {
        cfz_fail(&err, CFZ_EUSAGE, "report: give a directory: -o out");
        status = explain_usage(&err);
    } else if (packages_find((const char *const *)args.v, args.n, opt.dir, &pkgs, &err) < 0) {
        status = explain(&err);
    } else if (flags_check(&opt, pkgs.n, count_executables(&pkgs), &err) < 0) {
        status = explain_usage(&err);
    } else {
        opt.package_list = args.n > 0;
        opt.several_packages = pkgs.n > 1;
        opt.cover = opt.cached = opt.keep_results = true;
        status = make_report(&opt, &pkgs, &args, dir);
    }
out:
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    return status;
}

#ifndef CFUZZ_DRIVER_ALONE /* the driver that lies beside executables has neither these commands   \
                              nor their library */

/* Takes -cache and -fix, which are not flags of a run, out of argv. */
static int take_corpus_flags(int argc, char **argv, struct corpus_command *corpus)
{
    int n = 0;

    for (int i = 0; i < argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-' && argv[i][1] == '-');

        if (strcmp(name, "-cache") == 0)
            corpus->cache = true;
        else if (strcmp(name, "-fix") == 0)
            corpus->fix = true;
        else
            argv[n++] = argv[i];
    }
    return n;
}

/* cfuzz-test corpus <command> <test> [files] */
static enum exit_status command_corpus(int argc, char **argv)
{
    static const char *const known[] = {"n", "x", "o", "dir", "p", "cc", NULL};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT, from = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct corpus_command corpus = {.from = &from};
    struct test_binaries bins = {NULL, 0};
    struct options opt, building;
    enum exit_status status = EXIT_PASSED;
    size_t which;
    bool help, done;

    flags_defaults(&opt);
    argc = take_corpus_flags(argc, argv, &corpus);
    if (flags_parse(argc, argv, known, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_topic(stdout, "corpus");
        goto out;
    }
    if (args.n < 2 || !corpus_verb_known(args.v[0])) {
        if (args.n > 0 && !corpus_verb_known(args.v[0]))
            report_message("corpus %s: no such command", args.v[0]);
        else
            report_message("corpus: give a command and the name of a fuzz test");
        fputs("Run 'cfuzz-test help corpus' for the commands.\n", stderr);
        status = EXIT_USAGE;
        goto out;
    }
    corpus.verb = args.v[0];
    corpus.test = args.v[1];
    for (size_t i = 2; i < args.n; i++)
        if (strlist_add(&from, args.v[i], &err) < 0) {
            status = explain(&err);
            goto out;
        }
    if (packages_find(&opt.dir, opt.dir != NULL, NULL, &pkgs, &err) < 0) {
        status = explain(&err);
        goto out;
    }
    building = opt;
    building.dry_run = building.print_commands = false; /* -n and -o are of inputs here */
    building.out = NULL;
    building.fuzz = strcmp(corpus.verb, "minimize") == 0 ? "." : NULL; /* with counters */
    status = prepare(&building, &pkgs.v[0], &bins, &done, &err);
    if (status == EXIT_PASSED &&
        (several_find(&building, &bins, corpus.test, &which, &err) < 0 ||
         corpus_command_run(&opt, &corpus, &bins.v[which], &status, &err) < 0))
        status = explain(&err);
out:
    test_binaries_release(&bins);
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    strlist_release(&from);
    return status;
}

/* cfuzz-test ossfuzz */
static enum exit_status command_ossfuzz(int argc, char **argv)
{
    static const char *const known[] = {"x", "p", "cc", NULL};
    static const char *const everything[] = {"./..."};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT;
    struct packages pkgs = {NULL, 0};
    struct options opt;
    enum exit_status status = EXIT_PASSED;
    bool help, init = false;

    flags_defaults(&opt);
    if (argc == 1 && (strcmp(argv[0], "-init") == 0 || strcmp(argv[0], "--init") == 0)) {
        init = true;
        argc = 0;
    }
    if (flags_parse(argc, argv, known, &opt, &args, &help, &err) < 0) {
        status = explain_usage(&err);
        goto out;
    }
    if (help) {
        help_topic(stdout, "ossfuzz");
        goto out;
    }
    if (init) {
        if (ossfuzz_init(&err) < 0)
            status = explain(&err);
        goto out;
    }
    if (packages_find(args.n > 0 ? (const char *const *)args.v : everything,
                      args.n > 0 ? args.n : 1, NULL, &pkgs, &err) < 0 ||
        ossfuzz_run(&opt, &pkgs, &status, &err) < 0)
        status = explain(&err);
out:
    flags_release(&opt);
    packages_release(&pkgs);
    strlist_release(&args);
    return status;
}

#endif

/* cfuzz-test help [topic] */
static enum exit_status command_help(int argc, char **argv)
{
    if (argc == 0) {
        help_usage(stdout);
        return EXIT_PASSED;
    }
    if (argc == 1 && help_topic(stdout, argv[0]))
        return EXIT_PASSED;
    report_message("cfuzz-test: help %s: no such topic", argv[0]);
    fputs("Run 'cfuzz-test help' for a list.\n", stderr);
    return EXIT_USAGE;
}

/* cfuzz-test version */
static enum exit_status command_version(int argc)
{
    if (argc > 0) {
        fputs("usage: cfuzz-test version\n", stderr);
        return EXIT_USAGE;
    }
    help_version(stdout);
    return EXIT_PASSED;
}

/* A descriptor 0, 1 or 2 that is closed would be taken by the next file or socket. */
static void open_standard_descriptors(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* How many descriptors the driver needs to fuzz with one worker. Measured: 24, with some room. */
enum { DESCRIPTORS_NEEDED = 32 };

/* Refuses to begin where too few descriptors may be open: what fails then, in the driver or the
 * compiler that it runs, does not say why. */
static int check_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= DESCRIPTORS_NEEDED)
        return 0;
    fprintf(stderr,
            "cfuzz-test: too few files may be open: the limit is %llu (ulimit -n), and %d is the "
            "least\n",
            (unsigned long long)limit.rlim_cur, DESCRIPTORS_NEEDED);
    return -1;
}

/* Carries out the command that argv names. */
static int command(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "help") == 0)
        return (int)command_help(argc - 2, argv + 2);
    if (argc > 1 && (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "-version") == 0 ||
                     strcmp(argv[1], "--version") == 0))
        return (int)command_version(argc - 2);
    if (check_descriptors() < 0)
        return EXIT_USAGE;
    if (argc > 1 && strcmp(argv[1], "libfuzzer") == 0)
        return libfuzzer_command(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "clean") == 0)
        return (int)command_clean(argc - 2, argv + 2);
#ifndef CFUZZ_DRIVER_ALONE
    if (argc > 1 && strcmp(argv[1], "ossfuzz") == 0)
        return (int)command_ossfuzz(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "corpus") == 0)
        return (int)command_corpus(argc - 2, argv + 2);
#endif
    if (argc > 1 && strcmp(argv[1], "report") == 0)
        return (int)command_report(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return (int)command_show(argc - 2, argv + 2);
    return (int)command_run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int status;

    open_standard_descriptors();
    fd_limit_raise();
    /* A reader that goes away is a failed write, reported where it happens. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* as is a file that must not grow so long (RLIMIT_FSIZE) */
    status = roomy_stack_call(command, argc, argv);
    if ((fflush(stdout) != 0 || report_broken()) && status == EXIT_PASSED)
        status = EXIT_USAGE;
    return status;
}
