/*
 * fuzz_package.c - fuzz mode for one package: unit tests first, then the one test
 * that -fuzz selects. See run.h.
 */
#include "fuzz/coordinator.h"
#include "cli/report.h"
#include "test/testrun.h"

/* Returns the one test that -fuzz selects and -skip does not. If there are none or several, prints
 * a line and returns NULL; several also set *failed. */
static const struct origin_test *choose(const struct options *opt, const struct session *s,
                                        bool *failed)
{
    struct cfz_buf names = CFZ_BUF_INIT;
    const struct origin_test *found = NULL;
    size_t n = 0;

    for (size_t i = 0; i < s->origin->ntests; i++) {
        const struct origin_test *t = &s->origin->tests[i];

        if (!pattern_match_top(opt->fuzz_pattern, t->name) ||
            pattern_skips(opt->skip_pattern, t->name))
            continue;
        found = t;
        cfz_buf_printf(&names, NULL, "%s%s", n++ > 0 ? " " : "", t->name);
    }
    if (n == 0)
        report_line("testing: warning: no fuzz tests to fuzz");
    if (n > 1) {
        report_line("testing: will not fuzz, -fuzz matches more than one fuzz test: [%s]",
                    cfz_buf_str(&names));
        *failed = true;
    }
    cfz_buf_release(&names);
    return n == 1 ? found : NULL;
}

static int fuzz_session(const struct options *opt, struct session *s, struct run_result *res,
                        struct cfz_error *err)
{
    struct testrun r;
    struct fuzz_outcome out = {0};
    const struct origin_test *t;

    if (testrun_tests(opt, s, true, &r, err) < 0)
        return -1;
    res->status = r.status;
    if (r.failed || r.interrupted)
        return 0;
    t = choose(opt, s, &out.failed);
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
    if (s.origin->ntests == 0)
        res->no_fuzz_tests = true;
    else
        ret = fuzz_session(opt, &s, res, err);
    res->interrupted = s.loop.interrupts > 0;
    session_close(&s);
    return ret;
}
