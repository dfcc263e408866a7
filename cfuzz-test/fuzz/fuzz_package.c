/*
 * fuzz_package.c - fuzz mode for one package: unit tests first, then the one test
 * that -fuzz selects. See run.h.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/coordinator.h"
#include "cli/report.h"
#include "test/testrun.h"
#include "test/unmatched.h"

/* Returns the test that -fuzz selects and -skip does not. If there is none, prints a line and
 * returns NULL.
 */
static const struct origin_test *choose(const struct options *opt, const struct session *s)
{
    const struct origin_test *found = NULL;

    for (size_t i = 0; i < s->origin->ntests; i++) {
        const struct origin_test *t = &s->origin->tests[i];

        if (!pattern_match_top(opt->fuzz_pattern, t->name) ||
            pattern_skips(opt->skip_pattern, t->name))
            continue;
        found = t;
    }
    if (found == NULL)
        report_line("testing: warning: no fuzz tests to fuzz");
    return found;
}

static size_t count_chosen(const struct options *opt, const struct session *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->origin->ntests; i++)
        n += pattern_match_top(opt->fuzz_pattern, s->origin->tests[i].name) &&
             !pattern_skips(opt->skip_pattern, s->origin->tests[i].name);
    return n;
}

/* Whether the package links a library of somebody's: one that is no part of the C implementation.
 * Returns how it is named, or NULL. */
static const char *linked_library(const struct package *pkg)
{
    static const char *const of_c[] = {"-lm", "-lpthread", "-ldl", "-lrt", "-lutil", "-lc"};

    for (size_t i = 0; i < pkg->ldflags.n; i++) {
        const char *word = pkg->ldflags.v[i], *dot = strrchr(word, '.');
        bool known = false;

        for (size_t k = 0; k < sizeof of_c / sizeof of_c[0]; k++)
            known |= strcmp(word, of_c[k]) == 0;
        if ((strncmp(word, "-l", 2) == 0 && !known) ||
            (word[0] != '-' && dot != NULL &&
             (strcmp(dot, ".a") == 0 || strncmp(dot, ".so", 3) == 0)))
            return word;
    }
    return NULL;
}

/*
 * Warns where nothing but the tests themselves is instrumented: a library is linked, all sources
 * are files with tests, and they have no more counters than tests that call a library do. A
 * library with coverage brings counters along.
 */
static void warn_uninstrumented(const struct origin *o)
{
    enum { COUNTERS_OF_A_TEST = 24 }; /* guessed: with its helpers and setup part */
    const struct package *pkg = o->bin->pkg;
    const char *library;

    if (o->bin->prebuilt || o->ncounters == 0 || o->ncounters > COUNTERS_OF_A_TEST * o->ntests)
        return;
    for (size_t i = 0; i < pkg->nsources; i++)
        if (!pkg->sources[i].spells_test)
            return;
    library = linked_library(pkg);
    if (library != NULL)
        report_line("warning: only the test itself is instrumented (%llu counters), not %s: list "
                    "its sources with //cfuzz:sources, or build it with -fsanitize=fuzzer-no-link",
                    (unsigned long long)o->ncounters, library);
}

static int fuzz_session(const struct options *opt, struct session *s, struct run_result *res,
                        struct cfz_error *err)
{
    struct testrun r;
    struct fuzz_outcome out = {0};
    const struct origin_test *t;
    int rc;

    if (unmatched_fuzz(opt, s->origin, err) < 0)
        return -1;
    if (count_chosen(opt, s) > 1) {
        res->several = true;
        return 0;
    }
    rc = testrun_tests(opt, s, true, &r, err);
    free(r.meant);
    if (rc < 0)
        return -1;
    res->status = r.status;
    if (r.failed || r.interrupted)
        return 0;
    t = choose(opt, s);
    if (t != NULL)
        warn_uninstrumented(s->origin);
    if (t != NULL && coordinator_run(opt, s, t, &out, err) < 0) {
        /* A failing input has been reported before. The error decides the status all the same,
         * unless it is only that a signal ended the run. */
        res->terminated = out.failed && s->loop.terminated != 0;
        return -1;
    }
    if (out.failed)
        res->status = EXIT_FAILED;
    return 0;
}

int fuzz_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err)
{
    struct session s;
    int ret = 0;

    *res = (struct run_result){.status = EXIT_PASSED};
    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    ret = fuzz_session(opt, &s, res, err);
    res->interrupted = loop_ends(&s.loop);
    session_close(&s);
    return ret;
}
