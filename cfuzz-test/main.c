/*
 * main.c - what has to be so before any command, which command it is, and the driver's only exit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd_limit.h"
#include "base/roomy_stack.h"
#include "cli/options.h"
#include "cli/report.h"
#include "commands/commands.h"

/* A descriptor 0, 1 or 2 that is closed would be taken by the next file or socket. */
static void open_standard_descriptors(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* How many descriptors the driver needs to fuzz with one worker. Measured: 24, with some room. */
enum { DESCRIPTORS_NEEDED = 32 };

/* Refuses to begin where too few descriptors may be open: what fails then, in the driver or the
 * compiler that it runs, does not say why. */
static int check_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= DESCRIPTORS_NEEDED)
        return 0;
    fprintf(stderr,
            "cfuzz-test: too few files may be open: the limit is %llu (ulimit -n), and %d is the "
            "least\n",
            (unsigned long long)limit.rlim_cur, DESCRIPTORS_NEEDED);
    return -1;
}

/* Carries out the command that argv names. */
static int command(int argc, char **argv)
{
    const struct command *c = commands_find(&argc, &argv);

    return !c->anywhere && check_descriptors() < 0 ? EXIT_USAGE : c->run(argc, argv);
}

int main(int argc, char **argv)
{
    int status;

    open_standard_descriptors();
    fd_limit_raise();
    /* A reader that goes away is a failed write, reported where it happens. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* as is a file that must not grow so long (RLIMIT_FSIZE) */
    status = roomy_stack_call(command, argc, argv);
    if (fflush(stdout) != 0 || (errno = report_broken()) != 0) {
        if (status == EXIT_PASSED && errno != EPIPE) /* else that was told, or something graver */
            report_message("cfuzz-test: write to stdout: %s", strerror(errno));
        status = status == EXIT_PASSED ? EXIT_USAGE : status;
    }
    return status;
}
