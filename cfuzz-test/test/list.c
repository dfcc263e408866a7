/*
 * list.c - -list: the names of a package's fuzz tests and of their seeds.
 */
#include "test/list.h"

#include <string.h>

#include "cli/report.h"
#include "crash/crash_report.h"
#include "process/seeds.h"
#include "process/session.h"

/* Prints a name, behind its package's where there are several. */
static void print_name(const struct options *opt, const struct session *s, const char *name)
{
    if (opt->several_packages)
        report_line("%s\t%s", s->origin->bin->pkg->name, name);
    else
        report_line("%s", name);
}

/* Prints each line of text, behind indent. */
static void tell(const char *indent, const struct cfz_buf *text)
{
    const char *line = cfz_buf_str(text), *end;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
        report_message("%s%.*s", indent, (int)(end - line), line);
}

/* Says why the seeds of h's test are not known: its setup part failed, or ended the process. */
static int complain(struct host *h, struct run_result *res, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = 0;

    res->status = EXIT_FAILED;
    report_message("%s: its seeds are not known: the setup part failed", h->test->name);
    tell("    ", &h->log);
    if (h->state == HOST_GONE)
        ret = crash_report_host(h, &text, err);
    tell("", &text);
    cfz_buf_release(&text);
    return ret;
}

/* Prints the seeds of a test that -list selects. */
static int list_seeds(const struct options *opt, struct session *s, const struct origin_test *t,
                      struct run_result *res, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    struct seeds seeds = SEEDS_INIT;
    struct host *h = NULL;
    int ret = -1;

    if (host_start(s->origin, t, 0, &h, err) < 0)
        goto out;
    if (h->state == HOST_GONE || h->verdict == CFZ_VERDICT_FAIL) {
        if (complain(h, res, err) < 0)
            goto out;
    } else if (h->verdict != CFZ_VERDICT_SKIP && seeds_collect(h, &seeds, &why) < 0) {
        res->status = EXIT_FAILED;
        report_message("%s: its seeds are not known: %s", t->name, why.text);
    }
    for (size_t i = 0; i < seeds.n; i++)
        if (pattern_match(opt->list_pattern, seeds.v[i].full_name, NULL))
            print_name(opt, s, seeds.v[i].full_name);
    ret = host_finish(h, err);
out:
    seeds_release(&seeds);
    host_free(h);
    return ret;
}

int list_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err)
{
    struct session s;
    int ret = 0;

    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    *res = (struct run_result){.status = EXIT_PASSED, .no_fuzz_tests = s.origin->ntests == 0};
    for (size_t i = 0; i < s.origin->ntests && ret == 0; i++) {
        const struct origin_test *t = &s.origin->tests[i];
        bool wants_seeds;

        if (!pattern_match(opt->list_pattern, t->name, &wants_seeds))
            continue;
        if (wants_seeds)
            ret = list_seeds(opt, &s, t, res, err);
        else
            print_name(opt, &s, t->name);
    }
    session_close(&s);
    return ret;
}
