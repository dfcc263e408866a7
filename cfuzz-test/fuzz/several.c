/*
 * several.c - see several.h.
 */
#include "fuzz/several.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "cli/suggest.h"
#include "core/buf.h"
#include "process/harness_files.h"
#include "process/session.h"
#include "test/debugger.h"
#include "test/list.h"
#include "test/reproducer.h"

/* What a package starts with, before the results of its binaries are added. */
static const struct run_result nothing = {
    .status = EXIT_PASSED, .no_fuzz_tests = true, .no_tests_to_run = true};

/* Adds the result of one binary to that of the package. */
static void add_result(struct run_result *all, const struct run_result *one)
{
    bool ran = !one->no_fuzz_tests && !one->no_tests_to_run;

    if (one->status > all->status)
        all->status = one->status;
    all->no_fuzz_tests &= one->no_fuzz_tests;
    if (ran) /* the seeds of any binary that ran are seeds of the package */
        all->no_seeds_to_run =
            (all->no_tests_to_run || all->no_seeds_to_run) && one->no_seeds_to_run;
    all->no_tests_to_run &= !ran;
    all->interrupted |= one->interrupted;
    all->terminated |= one->terminated;
}

typedef int binary_fn(const struct options *opt, const struct test_binary *bin,
                      struct run_result *res, struct cfz_error *err);

/* Calls fn for a binary, with the settings of its harness. */
static int with_files(binary_fn *fn, const struct options *opt, const struct test_binary *bin,
                      struct run_result *res, struct cfz_error *err)
{
    struct harness_files f;
    int ret = harness_files_open(opt, bin, &f, err);

    if (ret == 0)
        ret = fn(&f.opt, bin, res, err);
    harness_files_release(&f);
    return ret;
}

/* Whether -run may select a test of the binary. The first one also looks after what belongs to no
 * test. */
static bool may_run(const struct options *opt, const struct test_binary *b)
{
    const struct package *pkg = b->pkg;

    if (b->first || b->harness == NULL)
        return true;
    for (size_t i = 0; i < pkg->nsources; i++)
        if (pkg->sources[i].harness == b->harness && pkg->sources[i].spells_test)
            return true;
    return pattern_match_top(opt->run_pattern, b->harness) &&
           !pattern_skips(opt->skip_pattern, b->harness);
}

int several_run(const struct options *opt, const struct test_binaries *bins, struct run_result *res,
                struct cfz_error *err)
{
    if (bins->n == 1)
        return with_files(testrun_package, opt, &bins->v[0], res, err);
    *res = nothing;
    for (size_t i = 0; i < bins->n && !res->interrupted; i++) {
        struct run_result one = {0};

        if (!may_run(opt, &bins->v[i]))
            continue;
        if (with_files(testrun_package, opt, &bins->v[i], &one, err) < 0) {
            res->interrupted |= one.interrupted;
            return -1;
        }
        add_result(res, &one);
        if (opt->failfast && res->status != EXIT_PASSED)
            break;
    }
    res->no_fuzz_tests = false; /* there are harnesses */
    if (res->no_tests_to_run && !res->interrupted)
        report_line("testing: warning: no tests to run");
    return 0;
}

int several_list(const struct options *opt, const struct test_binaries *bins,
                 struct run_result *res, struct cfz_error *err)
{
    *res = nothing;
    for (size_t i = 0; i < bins->n; i++) {
        struct run_result one;

        if (list_package(opt, &bins->v[i], &one, err) < 0)
            return -1;
        add_result(res, &one);
    }
    return 0;
}

/* The tests that -fuzz selects, of all binaries. */
struct selection {
    struct cfz_buf names; /* in a row */
    size_t n;
    size_t binary; /* of the last one */
    struct suggestion meant;
    char *best; /* owned copy of meant.best */
};

/* Adds the tests of binary i. */
static int select_of(const struct options *opt, const struct test_binaries *bins, size_t i,
                     struct selection *sel, struct cfz_error *err)
{
    struct session s;
    int ret = 0;

    if (session_open(&s, opt, &bins->v[i], err) < 0)
        return -1;
    for (size_t k = 0; k < s.origin->ntests && ret == 0; k++) {
        const char *name = s.origin->tests[k].name, *best = sel->meant.best;

        suggest_offer(&sel->meant, name);
        if (sel->meant.best != best) {
            free(sel->best);
            sel->best = strdup(name);
            sel->meant.best = sel->best;
        }
        if (!pattern_match_top(opt->fuzz_pattern, name) || pattern_skips(opt->skip_pattern, name))
            continue;
        ret = cfz_buf_printf(&sel->names, err, "%s%s", sel->n++ > 0 ? " " : "", name);
        sel->binary = i;
    }
    session_close(&s);
    return ret;
}

static int fuzz_selected(const struct options *opt, const struct test_binaries *bins,
                         const struct selection *sel, struct run_result *res, struct cfz_error *err)
{
    for (size_t i = 0; i < bins->n; i++) {
        struct run_result one = {0};

        if (sel->n == 1 && i == sel->binary)
            continue;
        if (with_files(testrun_package, opt, &bins->v[i], &one, err) < 0) {
            res->interrupted |= one.interrupted;
            return -1;
        }
        add_result(res, &one);
        if (res->interrupted)
            return 0;
    }
    res->no_fuzz_tests = res->no_tests_to_run = res->no_seeds_to_run = false;
    if (sel->n == 1 && res->status == EXIT_PASSED)
        return with_files(fuzz_package, opt, &bins->v[sel->binary], res, err);
    return 0;
}

int several_fuzz(const struct options *opt, const struct test_binaries *bins,
                 struct run_result *res, struct cfz_error *err)
{
    struct selection sel = {.names = CFZ_BUF_INIT};
    const char *word = opt->fuzz + (opt->fuzz[0] == '^');
    int ret = -1;

    if (bins->n == 1)
        return with_files(fuzz_package, opt, &bins->v[0], res, err);
    *res = nothing;
    sel.meant.word = word;
    sel.meant.len = strlen(word);
    if (sel.meant.len > 0 && word[sel.meant.len - 1] == '$')
        sel.meant.len--;
    for (size_t i = 0; i < bins->n; i++)
        if (select_of(opt, bins, i, &sel, err) < 0)
            goto out;
    if (sel.n == 0)
        cfz_fail(err, CFZ_EUSAGE, "-fuzz=%s: no fuzz test of %s matches%s%s%s", opt->fuzz,
                 bins->v[0].pkg->name, sel.best != NULL ? "; did you mean " : "",
                 sel.best != NULL ? sel.best : "", sel.best != NULL ? "?" : "");
    else if (sel.n > 1)
        ret = (res->several = true, 0);
    else
        ret = fuzz_selected(opt, bins, &sel, res, err);
out:
    cfz_buf_release(&sel.names);
    free(sel.best);
    return ret;
}

int several_find(const struct options *opt, const struct test_binaries *bins, const char *input,
                 size_t *index, struct cfz_error *err)
{
    size_t len = strcspn(input, "/");

    *index = 0;
    for (size_t i = 0; bins->n > 1 && i < bins->n; i++) {
        struct session s;
        bool found = false;

        if (session_open(&s, opt, &bins->v[i], err) < 0)
            return -1;
        for (size_t k = 0; k < s.origin->ntests && !found; k++)
            found = strlen(s.origin->tests[k].name) == len &&
                    memcmp(s.origin->tests[k].name, input, len) == 0;
        session_close(&s);
        if (found) {
            *index = i;
            break;
        }
    }
    return 0;
}

int several_debug(const struct options *opt, const struct test_binaries *bins,
                  struct cfz_error *err)
{
    struct harness_files f;
    size_t i;
    int ret;

    if (several_find(opt, bins, opt->debug, &i, err) < 0)
        return -1;
    ret = harness_files_open(opt, &bins->v[i], &f, err);
    if (ret == 0)
        ret = debugger_package(&f.opt, &bins->v[i], err);
    harness_files_release(&f);
    return ret;
}

int several_show(const struct options *opt, const struct test_binaries *bins, const char *input,
                 const char *file, struct cfz_buf *out, struct cfz_error *err)
{
    size_t i;

    return several_find(opt, bins, input, &i, err) < 0
               ? -1
               : reproducer_package(opt, &bins->v[i], input, file, out, err);
}
