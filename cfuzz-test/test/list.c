/*
 * list.c - -list: the names of a package's fuzz tests.
 */
#include "test/list.h"

#include "cli/report.h"
#include "process/session.h"

int list_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err)
{
    struct session s;

    if (session_open(&s, opt, bin, err) < 0)
        return -1;
    *res = (struct run_result){.status = EXIT_PASSED, .no_fuzz_tests = s.origin->ntests == 0};
    for (size_t i = 0; i < s.origin->ntests; i++)
        if (pattern_match_top(opt->list_pattern, s.origin->tests[i].name))
            report_line("%s", s.origin->tests[i].name);
    session_close(&s);
    return 0;
}
