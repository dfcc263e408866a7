/*
 * fd_limit.c - see fd_limit.h.
 */
#include "base/fd_limit.h"

#include <stdbool.h>
#include <sys/resource.h>

static struct rlimit before;
static bool raised;

void fd_limit_raise(void)
{
    struct rlimit all;

    if (raised || getrlimit(RLIMIT_NOFILE, &before) < 0)
        return;
    all = (struct rlimit){.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
    raised = setrlimit(RLIMIT_NOFILE, &all) == 0;
}

void fd_limit_restore(void)
{
    if (raised)
        setrlimit(RLIMIT_NOFILE, &before);
    raised = false;
}
