/*
 * lf_target.c - see lf_target.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/lf_target.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/compiler.h"
#include "cli/flags.h"
#include "cli/report.h"

/* Adds a setting to an environment variable of settings with colons between them. */
static void add_setting(const char *variable, const char *setting)
{
    const char *had = getenv(variable);
    char *now;

    if (asprintf(&now, "%s%s%s", had != NULL ? had : "", had != NULL && had[0] != '\0' ? ":" : "",
                 setting) < 0)
        return; /* then it is as without the flag */
    setenv(variable, now, 1);
    free(now);
}

static void set_options(struct lf_target *t)
{
    static const int64_t second = INT64_C(1000000000);
    const struct lf_flags *f = t->flags;
    struct options *opt = &t->opt;

    flags_defaults(opt);
    if (f->seed != 0) {
        opt->seed_given = true;
        opt->seed = (unsigned)f->seed;
    } else {
        opt->seed &= UINT32_MAX; /* one that -seed takes */
    }
    opt->parallel = f->fork > 0 ? (uint32_t)f->fork : 1;
    opt->keepfuzzing = f->fork > 0;
    opt->hangtimeout_ns = f->timeout > 0 ? f->timeout * second : INT64_MAX / 4;
    opt->rss_mib = f->rss_limit_mb > 0 ? (uint64_t)f->rss_limit_mb : 0;
    opt->hangtimeout_given = opt->rss_given = true;
    opt->alloc_mib = f->malloc_limit_mb > 0 ? (uint64_t)f->malloc_limit_mb : 0;
    opt->sanitized_abort = true;
    opt->solve = f->use_cmp != 0;
    if (f->reduce_inputs == 0)
        opt->fuzzminimizetime.kind = LIMIT_NONE;
    if (f->only_ascii != 0)
        opt->fuzz_flags |= CFZ_FUZZ_ASCII;
    if (f->len_control == 0)
        opt->fuzz_flags |= CFZ_FUZZ_LONG;
    if (f->print_pcs != 0 || f->print_funcs > 0)
        opt->fuzz_flags |= CFZ_FUZZ_PCS;
    if (f->max_len > 0) {
        opt->fuzzmaxlen = (uint64_t)f->max_len;
        opt->fuzzmaxlen_given = true;
    }
    if (f->detect_leaks == 0) {
        add_setting("ASAN_OPTIONS", "detect_leaks=0");
        add_setting("LSAN_OPTIONS", "detect_leaks=0");
    }
}

/* The name that the executable asks for: what follows the last '@' of its file's name, or all. */
static const char *name_of(const char *executable)
{
    const char *slash = strrchr(executable, '/'), *name = slash != NULL ? slash + 1 : executable;
    const char *at = strrchr(name, '@');

    return at != NULL ? at + 1 : name;
}

static int choose(struct lf_target *t, const char *wanted, struct cfz_error *err)
{
    const struct origin *o = t->s.origin;
    struct cfz_buf names = CFZ_BUF_INIT;
    const char *name = name_of(wanted != NULL ? wanted : t->program);

    for (size_t i = 0; i < o->ntests; i++) {
        if (strcmp(o->tests[i].name, name) == 0)
            t->test = &o->tests[i];
        cfz_buf_printf(&names, NULL, "%s%s", i > 0 ? " " : "", o->tests[i].name);
    }
    if (t->test == NULL && o->ntests == 1)
        t->test = &o->tests[0];
    if (t->test == NULL && o->ntests == 0)
        cfz_fail(err, CFZ_EUSAGE, "%s: there is no fuzz test in it", t->program);
    else if (t->test == NULL)
        cfz_fail(
            err, CFZ_EUSAGE,
            "%s: which of its fuzz tests? Name the executable, or a copy of it, after one of: %s",
            t->program, cfz_buf_str(&names));
    cfz_buf_release(&names);
    return t->test != NULL ? 0 : -1;
}

int lf_target_open(struct lf_target *t, const char *executable, const char *wanted,
                   const struct lf_flags *flags, bool fuzzes, struct cfz_error *err)
{
    char *real = realpath(executable, NULL);

    *t = (struct lf_target){.flags = flags, .program = executable};
    if (real == NULL)
        return cfz_fail_errno(err, "%s", executable);
    set_options(t);
    t->opt.fuzzes = fuzzes;
    t->pkg = (struct package){.executable = real,
                              .name = strdup(executable),
                              .dir = getcwd(NULL, 0),
                              .path = strdup("libfuzzer")};
    t->bin = (struct test_binary){.pkg = &t->pkg,
                                  .prebuilt = true,
                                  .path = strdup(real),
                                  .symbolizer = find_symbolizer(NULL)};
    if (t->pkg.name == NULL || t->pkg.path == NULL || t->bin.path == NULL) {
        cfz_fail_nomem(err);
        goto failed;
    }
    if (t->pkg.dir == NULL) {
        cfz_fail_errno(err, "the current directory");
        goto failed;
    }
    if (session_open(&t->s, &t->opt, &t->bin, err) < 0 || choose(t, wanted, err) < 0)
        goto failed;
    return 0;
failed:
    lf_target_close(t);
    return -1;
}

void lf_target_close(struct lf_target *t)
{
    trial_release(&t->trial);
    symtab_release(&t->symtab);
    lines_release(&t->lines);
    host_free(t->host);
    session_close(&t->s);
    free(t->bin.path);
    free(t->bin.symbolizer);
    free(t->pkg.name);
    free(t->pkg.dir);
    free(t->pkg.path);
    free(t->pkg.executable);
    flags_release(&t->opt);
}

int lf_target_wait(void *target, struct cfz_error *err)
{
    struct lf_target *t = target;
    bool crashed;

    if (origin_check(t->s.origin, err) < 0 ||
        (t->host != NULL && host_check(t->host, &crashed, err) < 0))
        return -1;
    if (t->s.loop.interrupts > 0) {
        errno = EINTR;
        return cfz_fail_errno(err, "%s", t->program);
    }
    loop_pump(&t->s.loop);
    return 0;
}

int lf_target_host(struct lf_target *t, struct cfz_error *err)
{
    if (host_start(t->s.origin, t->test, 0, &t->host, err) < 0)
        return -1;
    if (t->host->state == HOST_GONE || t->host->verdict != CFZ_VERDICT_PASS) {
        cfz_fail(err, CFZ_EUSAGE, "%s: its setup part %s", t->test->name,
                 t->host->state == HOST_GONE            ? "ended the process"
                 : t->host->verdict == CFZ_VERDICT_SKIP ? "skipped it"
                                                        : "failed");
        return cfz_error_add_lines(err, cfz_buf_str(&t->host->log));
    }
    symtab_load(&t->symtab, t->bin.path);
    t->lines =
        (struct lines){.symbolizer = t->bin.symbolizer, .path = t->bin.path, .dir = t->pkg.dir};
    t->trial = (struct trial){.host = t->host,
                              .symtab = &t->symtab,
                              .lines = &t->lines,
                              .turn = lf_target_wait,
                              .ctx = t};
    return 0;
}

bool lf_target_told_to_stop(const struct lf_target *t)
{
    return t->s.loop.interrupts > 0 || t->s.loop.terminated != 0;
}

void lf_target_greet(const struct lf_target *t)
{
    unsigned long long n = t->s.origin->ncounters;

    report_line("INFO: Seed: %llu", (unsigned long long)t->opt.seed);
    if (n == 0)
        return;
    /* Where the tables lie in memory does not matter to anybody: ranges of numbers stand for it. */
    report_line("INFO: Loaded 1 modules   (%llu inline 8-bit counters): %llu [0x0, 0x%llx), ", n, n,
                n);
    report_line("INFO: Loaded 1 PC tables (%llu PCs): %llu [0x0,0x%llx), ", n, n, 16 * n);
}
