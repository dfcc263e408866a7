/*
 * session.c - see session.h.
 */
#include "process/session.h"

#include <sys/resource.h>

#include "cli/report.h"

/* KiB of stack (ulimit -s). Processes of the test binary take some 30 before they call the tested
 * code, and 4 more while they make an input smaller: measured; the environment comes on top. */
enum { STACK_LEAST = 64, STACK_LITTLE = 128 };

/* The tested code is to find the limit that it would find without us, so nothing is raised. */
static int check_stack(struct cfz_error *err)
{
    struct rlimit limit;
    unsigned kib;

    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= STACK_LITTLE * 1024)
        return 0;
    kib = (unsigned)(limit.rlim_cur / 1024);
    if (kib < STACK_LEAST)
        return cfz_fail(
            err, CFZ_EIO,
            "the stack is too small: the limit is %u KiB (ulimit -s), and %d is the least", kib,
            STACK_LEAST);
    report_line(
        "warning: the stack is limited to %u KiB (ulimit -s), of which fuzzing processes take "
        "some 40: with less than %d the tested code may run out of it",
        kib, STACK_LITTLE);
    return 0;
}

int session_open(struct session *s, const struct options *opt, const struct test_binary *bin,
                 struct cfz_error *err)
{
    *s = (struct session){.origin = NULL};
    if (check_stack(err) < 0 || loop_open(&s->loop, err) < 0)
        return -1;
    if (origin_start(opt, bin, &s->loop, &s->origin, err) < 0) {
        session_close(s);
        return -1;
    }
    return 0;
}

void session_close(struct session *s)
{
    origin_stop(s->origin);
    s->origin = NULL;
    loop_close(&s->loop);
}
