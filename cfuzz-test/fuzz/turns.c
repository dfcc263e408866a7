/*
 * turns.c - see turns.h.
 */
#define _GNU_SOURCE
#include "fuzz/turns.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report.h"
#include "fuzz/coordinator.h"
#include "fuzz/front_turns.h"
#include "process/harness_files.h"
#include "results/results.h"
#include "test/testrun.h"

enum {
    SHARES = 8,      /* turns of an even share of the budget */
    LEAST_SHARE = 4, /* each test has at least one such part of an even share */
    SECOND = 1000000000,
    TURN_MIN_S = 1,      /* a shorter one would be baseline alone */
    TURNS_A_SECOND = 10, /* ... but there are so many, at most, where some would have none */
    TURN_MAX_S = 30,
    GROWN_MAX = 64, /* times its turn is longer, of a test whose baseline takes so long */
};

struct turn_test {
    struct turn_package *in;
    const struct test_binary *bin;
    char *name;
    unsigned grown; /* how many times longer its turns are */
    unsigned turns;
    bool failed;
    bool broken; /* its last turn ended with an error */
    struct turn_summary sum;
    uint64_t ns; /* that its turns took */
};

struct turns {
    const struct options *opt;
    struct turn_test *tests;
    struct turn_state *states; /* of the same number */
    size_t n;
    bool interrupted;
    bool terminated; /* ... by SIGTERM or SIGHUP, which is an error */
};

/* ---- whose turn it is ----------------------------------------------------------------------- */

void turns_note(struct turn_state *s, uint64_t given, uint64_t found)
{
    double gain = given > 0 ? (double)found / (double)given : 0;

    /* One turn without a find does not say that there are none. */
    s->gain = s->given == 0 ? gain : (s->gain + gain) / 2;
    s->given += given;
}

size_t turns_choose(const struct turn_state *v, size_t n)
{
    size_t least = SIZE_MAX, best = SIZE_MAX;
    double total = 0;

    for (size_t i = 0; i < n; i++)
        total += (double)v[i].given;
    for (size_t i = 0; i < n; i++) {
        if (v[i].done)
            continue;
        if (least == SIZE_MAX || v[i].given < v[least].given)
            least = i;
        if (best == SIZE_MAX || v[i].gain > v[best].gain ||
            (v[i].gain <= v[best].gain && v[i].gain >= v[best].gain && v[i].given < v[best].given))
            best = i;
    }
    if (least == SIZE_MAX || v[least].given == 0 ||
        (double)v[least].given * LEAST_SHARE * (double)n < total)
        return least;
    return best;
}

uint64_t turns_slice(const struct fuzz_limit *limit, size_t n, size_t waiting, uint64_t given,
                     uint64_t left)
{
    uint64_t slice, least = (uint64_t)TURN_MIN_S * SECOND;

    if (limit->kind == LIMIT_TIME && waiting > 0 && left / waiting < least)
        least = left / waiting < SECOND / TURNS_A_SECOND ? SECOND / TURNS_A_SECOND : left / waiting;

    if (limit->kind == LIMIT_COUNT) {
        slice = limit->count / (SHARES * n);
        slice = slice > 0 ? slice : 1;
    } else {
        slice = (limit->kind == LIMIT_TIME ? (uint64_t)limit->ns : given) / (SHARES * n);
        if (slice < least)
            slice = least;
        if (slice > (uint64_t)TURN_MAX_S * SECOND)
            slice = (uint64_t)TURN_MAX_S * SECOND;
    }
    return slice < left ? slice : left;
}

uint64_t turns_stretch(uint64_t slice, uint64_t left, uint64_t baseline, bool alone)
{
    enum { BASELINES = 5 };

    if (alone || baseline > left / BASELINES)
        return left;
    return slice > BASELINES * baseline ? slice : BASELINES * baseline;
}

/* ---- the tests ------------------------------------------------------------------------------ */

static int add_test(struct turns *t, struct turn_package *in, const struct test_binary *bin,
                    const char *name, struct cfz_error *err)
{
    struct turn_test *tests = realloc(t->tests, (t->n + 1) * sizeof *tests);
    struct turn_state *states;

    if (tests == NULL)
        return cfz_fail_nomem(err);
    t->tests = tests;
    states = realloc(t->states, (t->n + 1) * sizeof *states);
    if (states == NULL)
        return cfz_fail_nomem(err);
    t->states = states;
    tests[t->n] = (struct turn_test){.in = in, .bin = bin, .name = strdup(name), .grown = 1};
    states[t->n] = (struct turn_state){0};
    if (tests[t->n].name == NULL)
        return cfz_fail_nomem(err);
    t->n++;
    return 0;
}

static bool selected(const struct options *opt, const char *name)
{
    return pattern_match_top(opt->fuzz_pattern, name) && !pattern_skips(opt->skip_pattern, name);
}

/* Runs the other tests of a binary, and takes those that are to be fuzzed. */
static int take_binary(struct turns *t, struct turn_package *p, const struct test_binary *bin,
                       struct cfz_error *err)
{
    struct harness_files f;
    struct session s;
    struct testrun r;
    int ret = -1;

    if (harness_files_open(t->opt, bin, &f, err) < 0 || session_open(&s, &f.opt, bin, err) < 0) {
        harness_files_release(&f);
        return -1;
    }
    if (testrun_tests(&f.opt, &s, true, &r, err) < 0)
        goto out;
    free(r.meant);
    if (r.status > p->res.status)
        p->res.status = r.status;
    p->res.interrupted |= r.interrupted;
    t->interrupted |= r.interrupted;
    p->res.no_fuzz_tests &= s.origin->ntests == 0;
    ret = 0;
    for (size_t i = 0; i < s.origin->ntests && ret == 0; i++)
        if (selected(t->opt, s.origin->tests[i].name))
            ret = add_test(t, p, bin, s.origin->tests[i].name, err);
out:
    session_close(&s);
    harness_files_release(&f);
    return ret;
}

/* A package of which a test failed as a unit test is not fuzzed, as where it is the only one. */
static void drop_failed(struct turns *t)
{
    for (size_t i = 0; i < t->n; i++)
        t->states[i].done |= t->tests[i].in->res.status != EXIT_PASSED;
}

/* ---- a turn --------------------------------------------------------------------------------- */

static const struct origin_test *find_test(const struct session *s, const char *name)
{
    for (size_t i = 0; i < s->origin->ntests; i++)
        if (strcmp(s->origin->tests[i].name, name) == 0)
            return &s->origin->tests[i];
    return NULL;
}

/* Fuzzes test i with that part of the budget. */
static int turn(struct turns *t, size_t i, uint64_t slice, struct cfz_error *err)
{
    struct turn_test *x = &t->tests[i];
    struct turn_state *state = &t->states[i];
    struct turn_summary before = x->sum;
    struct fuzz_outcome out = {0};
    const struct origin_test *ot;
    struct harness_files f;
    struct session s;
    uint64_t began = uv_hrtime(), took, given;
    int ret = -1;

    results_package_again(x->in->pkg->name, x->in->pkg->dir);
    if (x->turns == 0)
        results_run(x->name);
    results_at(x->name);
    if (harness_files_open(t->opt, x->bin, &f, err) < 0 ||
        session_open(&s, &f.opt, x->bin, err) < 0) {
        harness_files_release(&f);
        x->broken = true;
        return -1;
    }
    f.opt.fuzztime.kind = slice == UINT64_MAX                    ? LIMIT_NONE
                          : t->opt->fuzztime.kind == LIMIT_COUNT ? LIMIT_COUNT
                                                                 : LIMIT_TIME;
    f.opt.fuzztime.count = slice;
    f.opt.fuzztime.ns = (int64_t)slice;
    f.opt.seed += x->turns * UINT64_C(0x9e3779b97f4a7c15); /* not the same choices again */
    ot = find_test(&s, x->name);
    if (ot == NULL) {
        cfz_fail(err, CFZ_EINTERNAL, "%s: the test is gone", x->name);
        goto out;
    }
    x->sum.over = false;
    ret = coordinator_run_for(&front_turns, &x->sum, &f.opt, &s, ot, &out, err);
    x->turns++;
    t->interrupted |= out.interrupted;
    if (out.failed) {
        x->failed = true;
        x->in->res.status = x->in->res.status > EXIT_FAILED ? x->in->res.status : EXIT_FAILED;
    }
    t->terminated |= s.loop.terminated != 0;
    took = uv_hrtime() - began;
    x->ns += took;
    given = t->opt->fuzztime.kind == LIMIT_COUNT ? x->sum.execs - before.execs : took;
    turns_note(state, given, x->sum.found - before.found);
    state->done |= (out.failed && !t->opt->keepfuzzing) || out.unfit ||
                   (t->opt->fuzztime.kind == LIMIT_COUNT && given == 0);
    if (!x->sum.over && x->grown < GROWN_MAX) /* the baseline took all of it */
        x->grown *= 2;
out:
    x->broken = ret < 0 && !out.failed && s.loop.terminated == 0;
    session_close(&s);
    harness_files_release(&f);
    return ret;
}

static uint64_t given_to_all(const struct turns *t)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sum += t->states[i].given;
    return sum;
}

/* Whether no test but i may have a turn. */
static bool is_alone(const struct turns *t, size_t i)
{
    for (size_t k = 0; k < t->n; k++)
        if (k != i && !t->states[k].done)
            return false;
    return true;
}

/* How many tests wait for their first turn. */
static size_t count_waiting(const struct turns *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += t->tests[i].turns == 0 && !t->states[i].done;
    return n;
}

static int take_turns(struct turns *t, struct cfz_error *err)
{
    const struct fuzz_limit *limit = &t->opt->fuzztime;

    while (!t->interrupted) {
        uint64_t given = given_to_all(t), slice, left = UINT64_MAX;
        size_t i = turns_choose(t->states, t->n);

        if (limit->kind == LIMIT_COUNT)
            left = given < limit->count ? limit->count - given : 0;
        else if (limit->kind == LIMIT_TIME)
            left = given < (uint64_t)limit->ns ? (uint64_t)limit->ns - given : 0;
        if (i == SIZE_MAX || left == 0)
            break;
        slice = turns_slice(limit, t->n, count_waiting(t), given, left);
        if (limit->kind != LIMIT_COUNT)
            slice = slice > left / t->tests[i].grown ? left : slice * t->tests[i].grown;
        slice =
            turns_stretch(slice, left, limit->kind == LIMIT_COUNT ? 0 : t->tests[i].sum.baseline_ns,
                          is_alone(t, i));
        if (turn(t, i, slice, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the summary ------------------------------------------------------------------------------
 */

static void summary(struct turns *t, uint64_t began)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    struct progress all = {.elapsed_ns = uv_hrtime() - began};
    uint64_t given = given_to_all(t);

    report_line("fuzz: %zu test%s took turns:", t->n, t->n == 1 ? "" : "s");
    for (size_t i = 0; i < t->n; i++) {
        struct turn_test *x = &t->tests[i];
        uint64_t share = t->states[i].given;

        report_line(
            "fuzz: %3.0f%%  %s (%s): %u turn%s, %.1fs, %llu mutated, %llu new (total: %llu), "
            "%llu of %llu counters%s",
            given > 0 ? 100 * (double)share / (double)given : 0, x->name, x->in->pkg->name,
            x->turns, x->turns == 1 ? "" : "s", (double)x->ns / SECOND,
            (unsigned long long)x->sum.execs, (unsigned long long)x->sum.found,
            (unsigned long long)x->sum.total, (unsigned long long)x->sum.covered,
            (unsigned long long)x->sum.counters,
            x->failed || x->broken               ? ", FAIL"
            : x->turns == 0 && t->states[i].done ? ", not fuzzed: a test of the package failed"
            : x->turns == 0                      ? ", not fuzzed"
                                                 : "");
        words_report(&line, &x->sum.words, NULL);
        report_text(&line);
        cfz_buf_release(&line);
        report_text(&x->sum.blocked);
        all.execs += x->sum.execs;
        all.interesting += x->sum.found;
        all.total += x->sum.total;
    }
    report_progress(&line, &all, NULL);
    report_text(&line);
    cfz_buf_release(&line);
}

/* Says which packages were not fuzzed since the time was too short for all tests, and how much
 * would do. */
static void tell_waiting(const struct turns *t, struct turn_package *pkgs, size_t npkgs)
{
    size_t waiting = count_waiting(t);

    if (waiting == 0 || t->interrupted || t->opt->fuzztime.kind != LIMIT_TIME)
        return;
    report_line("fuzz: warning: %zu test%s not fuzzed: -fuzztime is too short for %zu tests; %zus "
                "give each a second",
                waiting, waiting == 1 ? " was" : "s were", t->n, t->n * TURN_MIN_S);
    for (size_t i = 0; i < npkgs; i++) {
        size_t of = 0, had = 0;

        for (size_t k = 0; k < t->n; k++) {
            of += t->tests[k].in == &pkgs[i];
            had += t->tests[k].in == &pkgs[i] && (t->tests[k].turns > 0 || t->states[k].done);
        }
        pkgs[i].res.not_fuzzed = of > 0 && had == 0;
    }
}

/* Tells results of the tests. why: of one that is broken. */
static void tell_results(const struct turns *t, const char *why)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct turn_test *x = &t->tests[i];
        struct result r = {.test = x->name,
                           .kind = x->broken || x->failed ? RESULT_FAILED : RESULT_PASSED,
                           .ns = x->ns,
                           .text = x->broken   ? why
                                   : x->failed ? "it failed while it was fuzzed\n"
                                               : NULL};

        if (x->turns == 0 && !x->broken)
            continue;
        results_package_again(x->in->pkg->name, x->in->pkg->dir);
        results_end(&r);
    }
}

int turns_run(const struct options *opt, struct turn_package *pkgs, size_t npkgs,
              struct cfz_error *err)
{
    struct turns t = {.opt = opt};
    uint64_t began;
    int ret = 0;

    if (opt->dictout != NULL)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -dictout flag with several tests to fuzz");
    if (opt->sync.n > 0)
        return cfz_fail(err, CFZ_EUSAGE, "cannot use -sync flag with several tests to fuzz");
    for (size_t i = 0; i < npkgs && !t.interrupted && ret == 0; i++) {
        pkgs[i].res = (struct run_result){.status = EXIT_PASSED, .no_fuzz_tests = true};
        if (pkgs[i].bins == NULL)
            continue;
        results_package_again(pkgs[i].pkg->name, pkgs[i].pkg->dir);
        for (size_t k = 0; k < pkgs[i].bins->n && ret == 0; k++)
            ret = take_binary(&t, &pkgs[i], &pkgs[i].bins->v[k], err);
    }
    if (ret == 0 && t.n == 0 && !t.interrupted)
        ret = cfz_fail(err, CFZ_EUSAGE, "-fuzz=%s: no fuzz test of %zu packages matches", opt->fuzz,
                       npkgs);
    if (ret == 0 && t.n > 0) {
        drop_failed(&t);
        began = uv_hrtime();
        ret = take_turns(&t, err);
        summary(&t, began);
        tell_waiting(&t, pkgs, npkgs);
        tell_results(&t, ret < 0 && err != NULL ? err->text : NULL);
    }
    for (size_t i = 0; i < npkgs; i++) {
        pkgs[i].res.interrupted |= t.interrupted;
        pkgs[i].res.terminated |= t.terminated && pkgs[i].res.status == EXIT_FAILED;
    }
    for (size_t i = 0; i < t.n; i++) {
        free(t.tests[i].name);
        turn_summary_release(&t.tests[i].sum);
    }
    free(t.tests);
    free(t.states);
    return ret;
}
