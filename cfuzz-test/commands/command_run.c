/*
 * command_run.c - cfuzz-test without a command: tests are run or fuzzed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/flags.h"
#include "cli/report.h"
#include "commands/command.h"
#include "commands/prepare.h"
#include "commands/run_packages.h"
#include "cover/covered_by.h"
#include "cover/profiles.h"
#include "crash/crash_baseline.h"
#include "fuzz/fuzz_sharing.h"
#include "fuzz/fuzz_words.h"
#ifndef CFUZZ_DRIVER_ALONE
#include "http/live.h"
#endif
#include "results/result_file.h"
#include "results/results.h"

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

/* Sees to it that what opt asks for can be had, before anything is built. */
static int check(struct options *opt, struct cfz_error *err)
{
    /* Fuzzing makes the directory. */
    if (opt->cached && opt->corpus != NULL && access(opt->corpus, R_OK | X_OK) < 0)
        return cfz_fail_errno(err, "-corpus %s", opt->corpus);
    if (sharing_check(opt, err) < 0 ||
        (opt->covered_by != NULL && covered_by_check(opt->covered_by, err) < 0) ||
        (opt->fuzz != NULL && words_prepare(opt, err) < 0) || read_baseline(opt, err) < 0)
        return -1;
    if ((opt->cover_profile != NULL && result_file_check(opt->cover_profile, err) < 0) ||
        (opt->cover && cover_open(opt, err) < 0))
        return -1;
    return results_open(opt, err);
}

/* Runs all packages, and says what there is to say behind them. */
static void go(struct invocation *c, struct course *course)
{
    const struct options *opt = &c->opt;

    c->status = opt->sets.n > 0 ? run_builds(&c->opt, &c->args, course, &c->err)
                                : run_packages(opt, &c->pkgs, course, &c->err);
    if (opt->cover_profile != NULL && c->status <= EXIT_FAILED && !course->interrupted &&
        !opt->dry_run && !opt->compile_only && write_profile(opt, course, &c->err) < 0)
        invocation_failed(c);
    if (opt->covered_by != NULL && c->status == EXIT_PASSED && !course->interrupted &&
        !opt->dry_run)
        c->status = end_covered_by(opt, course);
    if (course->unseeded && !course->matched && c->status == EXIT_PASSED) {
        report_message("cfuzz-test: -run=%s: no such seed", opt->run);
        c->status = EXIT_USAGE;
    }
    /* As Go does, since a failure may have scrolled away. That of fuzzing one is at the end. */
    if ((opt->package_list || opt->sets.n > 0) && (opt->fuzz == NULL || opt->several_packages) &&
        opt->debug == NULL && opt->covered_by == NULL && c->status != EXIT_PASSED && !opt->json &&
        !opt->tap)
        report_line("FAIL");
}

static int run(int argc, char **argv)
{
    struct course course = COURSE_INIT;
    struct live *live = NULL;
    struct invocation c;

    if (!invocation_begin(&c, argc, argv, NULL, NULL))
        return invocation_end(&c);
    c.opt.package_list = c.args.n > 0;
    if (!invocation_packages(&c, (const char *const *)c.args.v, c.args.n, c.opt.dir))
        return invocation_end(&c);
    c.opt.several_packages = c.pkgs.n > 1;
    if (flags_check(&c.opt, c.pkgs.n, count_executables(&c.pkgs), &c.err) < 0) {
        invocation_misused(&c);
        return invocation_end(&c);
    }
    if (c.opt.sets.n > 0)
        c.opt.sanitizers = c.opt.sets.v[0];
    interrupt_catch(); /* from here on there may be something to write, or to remove */
    if (check(&c.opt, &c.err) < 0 || (c.opt.http != NULL && live_open(&c.opt, &live, &c.err) < 0))
        invocation_failed(&c);
    else
        go(&c, &course);
    if (results_close(c.status, &c.err) < 0)
        invocation_failed(&c);
    live_close(live);
    cover_close(&c.opt);
    lcov_release(&course.coverage);
    crash_baseline_free(c.opt.crash_baseline);
    return invocation_end(&c);
}

const struct command command_run = {.name = "", .usage = "[flags] [packages]", .run = run};
