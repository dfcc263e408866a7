/*
 * stopped.c - see stopped.h.
 */
#include "process/stopped.h"

#include <signal.h>

#include "base/proc.h"
#include "cli/report.h"

bool stopped_go_on(pid_t pid)
{
    if (proc_state(pid) != 'T') /* 't' is a debugger's doing */
        return false;
    kill(pid, SIGCONT);
    return true;
}

void stopped_tell(uint64_t *n, const char *who, const char *what)
{
    if (++*n == 1)
        report_line("%s: %s had been stopped by a signal, and was told to go on", who, what);
    else if ((*n & (*n - 1)) == 0)
        report_line("%s: %s had been stopped by a signal, %llu times by now, and was told to go on",
                    who, what, (unsigned long long)*n);
}
