/*
 * lf_jobs.c - several processes with a log each: see lf_modes.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd_limit.h"
#include "cli/report.h"
#include "core/io.h"
#include "libfuzzer/lf_modes.h"
#include "libfuzzer/lf_report.h"

static volatile sig_atomic_t told; /* the signal that is to end all jobs, or 0 */

static void on_signal(int signum)
{
    told = signum;
}

static void log_name(int job, char name[32])
{
    snprintf(name, 32, "fuzz-%d.log", job);
}

static int start(int job, const char *const *argv, pid_t *pid, struct cfz_error *err)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    char name[32];
    int log;

    log_name(job, name);
    log = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0)
        return cfz_fail_errno(err, "create %s", name);
    for (size_t i = 0; argv[i] != NULL; i++)
        cfz_buf_printf(&line, NULL, "%s ", argv[i]);
    report_line("%s>%s 2>&1", cfz_buf_str(&line), name);
    cfz_buf_release(&line);
    *pid = fork();
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        fd_limit_restore();
        if (dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0)
            execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(log);
    return *pid > 0 ? 0 : cfz_fail_errno(err, "start job %d", job);
}

/* Prints the end of job: its status, and its log. */
static void tell(int job, int status)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    char name[32];

    log_name(job, name);
    report_line("================== Job %d exited with exit code %d ============", job,
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    if (cfz_io_read_file(AT_FDCWD, name, CFZ_SLOT_SIZE, &text, NULL) == 0)
        lf_print(&text);
    cfz_buf_release(&text);
}

static void catch_signals(void)
{
    static const int signums[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction sa = {.sa_handler = on_signal};

    for (size_t i = 0; i < sizeof signums / sizeof signums[0]; i++)
        sigaction(signums[i], &sa, NULL);
}

int lf_jobs(const struct lf_flags *f, const char *const *argv, int *status, struct cfz_error *err)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int n = f->jobs, at_once = f->workers > 0 ? f->workers : cpus > 3 ? (int)(cpus / 2) : 1;
    pid_t *pids = calloc((size_t)n, sizeof *pids);
    int started = 0, running = 0, ret = 0;
    bool forwarded = false;

    *status = LF_EXIT_OK;
    if (pids == NULL)
        return cfz_fail_nomem(err);
    catch_signals();
    while ((ret == 0 && !told && started < n) || running > 0) {
        int how;
        pid_t pid;

        while (ret == 0 && !told && started < n && running < at_once) {
            ret = start(started, argv, &pids[started], err);
            started++;
            running += ret == 0;
        }
        if (running == 0)
            break;
        if ((told || ret < 0) && !forwarded) {
            for (int i = 0; i < started; i++)
                if (pids[i] > 0)
                    kill(pids[i], told ? told : SIGTERM);
            forwarded = true;
        }
        pid = waitpid(-1, &how, 0);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        for (int i = 0; i < started; i++) {
            if (pids[i] != pid)
                continue;
            pids[i] = 0;
            running--;
            tell(i, how);
            if (how != 0)
                *status = LF_EXIT_ERROR;
        }
    }
    if (told)
        *status = LF_EXIT_STOPPED;
    free(pids);
    return ret;
}
