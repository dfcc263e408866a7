/*
 * origin.c - says hello, describes the tests, forks a host on request.
 *
 * It must never outlive its driver. So it asks the kernel to be killed with the thread that started
 * it; it asks in a constructor, since constructors of the program may hang. The end of its socket
 * ends it as well.
 */
#define _GNU_SOURCE
#include "server/origin.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "server/children.h"
#include "coverage/counters.h"
#include "target/crash.h"
#include "target/executor.h"
#include "server/host.h"
#include "target/leaks.h"
#include "target/harness.h"
#include "target/profile.h"
#include "target/ours.h"
#include "target/registry.h"
#include "target/sanitizer.h"
#include "target/temp_dirs.h"

/* The pid after CFZ_ORIGIN_FLAG "=", or 0 if arg is not that. */
static pid_t driver_pid(const char *arg)
{
    size_t len = strlen(CFZ_ORIGIN_FLAG);
    char *end;
    long pid;

    if (strncmp(arg, CFZ_ORIGIN_FLAG, len) != 0 || arg[len] != '=')
        return 0;
    pid = strtol(arg + len + 1, &end, 10);
    return *end == 0 && pid > 0 ? (pid_t)pid : 0;
}

bool cfz_origin_requested(int argc, char **argv)
{
    return argc == 2 && driver_pid(argv[1]) != 0;
}

/* glibc gives constructors the arguments of main. */
__attribute__((constructor(101))) static void die_with_driver(int argc, char **argv)
{
    if (argc != 2 || !argv || !argv[1] || driver_pid(argv[1]) == 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != driver_pid(argv[1]))
        _exit(CFZ_EXIT_ORPHAN); /* the driver died before we could ask */
    setpgid(0, 0);              /* so that Ctrl-C reaches the driver alone */
    cfz_leaks_pause();          /* what constructors allocate is not the leak of an input */
}

/* Threads besides the main one; 0 if /proc does not tell. */
static uint32_t count_threads(void)
{
    DIR *d = opendir("/proc/self/task");
    uint32_t n = 0;

    if (!d)
        return 0;
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n > 0 ? n - 1 : 0;
}

static int say_hello(int sock, const struct cfz_test *tests, size_t n, struct cfz_error *err)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_HELLO);
    m.u.hello.protocol = CFZ_PROTOCOL_VERSION;
    m.u.hello.abi = CFUZZ_ABI;
    m.u.hello.shm_version = CFZ_SHM_VERSION;
    m.u.hello.build = cfz_sanitizer_build() | cfz_counters_build();
    m.u.hello.ncounters = cfz_counters_total();
    m.u.hello.ntests = (uint32_t)n;
    m.u.hello.nthreads = count_threads();
    if (cfz_msg_send(sock, &m, NULL, 0, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct cfuzz_test_desc *d = tests[i].desc;
        int len;

        cfz_msg_init(&m, CFZ_MSG_TEST);
        m.u.test.index = (uint32_t)i;
        m.u.test.nvalues = (uint32_t)tests[i].n;
        m.u.test.line = d->line;
        m.u.test.has_setup = tests[i].setup != NULL;
        len = snprintf(m.text, sizeof m.text, "%s%c%s%c%s", d->name, 0, d->types ? d->types : "", 0,
                       d->file);
        if (len < 0 || (size_t)len + 1 + tests[i].n > sizeof m.text)
            return cfz_fail(err, CFZ_EFORMAT, "%s: its name, types and file are too long", d->name);
        m.text_len = (uint32_t)len + 1;
        for (size_t k = 0; k < tests[i].n; k++)
            m.text[m.text_len++] = (char)tests[i].kinds[k];
        if (cfz_msg_send(sock, &m, NULL, 0, err) < 0)
            return -1;
    }
    return 0;
}

static void close_all(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        close(fds[i]);
}

/* Does what one message says; returns false when it was the last one. */
static bool serve(struct cfz_children *hosts, int sock, const struct cfz_test *tests, size_t n)
{
    int fds[CFZ_MSG_FDS_MAX];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_msg m;
    size_t nfds = 0;
    int got = cfz_msg_recv(sock, &m, fds, &nfds, &err);

    if (got < 0)
        cfz_crash_unable(NULL, &err);
    if (got == 0 || m.type == CFZ_MSG_QUIT)
        return false;
    if (m.type != CFZ_MSG_HOST || nfds != CFZ_HOST_FDS || m.u.fork.id >= n)
        cfz_crash_internal(NULL, "origin: not a message for an origin");
    if (cfz_children_fork(hosts, sock, m.u.fork.id) == 0) {
        close(sock);
        cfz_executor.short_mode = m.u.fork.short_mode != 0;
        cfz_host_run(&tests[m.u.fork.id], m.u.fork.deadline_ns, fds);
    }
    close_all(fds, nfds);
    return true;
}

int cfz_origin_run(void)
{
    static struct cfz_children hosts;
    struct cfz_error err = CFZ_ERROR_INIT;
    const struct cfz_test *tests;
    size_t n;
    int sock = cfz_move_fd(CFZ_CONTROL_FD);

    if (cfz_harness_register(&err) < 0 || cfz_counters_prepare(&err) < 0 ||
        cfz_registry_load(&tests, &n, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return CFZ_EXIT_TESTS;
    }
    cfz_crash_init();
    cfz_temp_dirs_init(getppid());
    /* By line, so that what a test prints before it crashes is seen. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (say_hello(sock, tests, n, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return CFZ_EXIT_TESTS;
    }
    cfz_children_adopt(&hosts);
    cfz_ours_add(getppid());
    cfz_ours_add(getpid());
    for (;;) {
        int r = cfz_children_wait(&hosts, sock);

        if (r < 0)
            cfz_crash_internal(NULL, "origin: its socket was closed by the program");
        if (r > 0 && !serve(&hosts, sock, tests, n)) {
            cfz_children_end(
                &hosts); /* they see the end of their sockets, and have processes to kill */
            cfz_profile_save();
            _exit(0); /* without the exit handlers of the program */
        }
    }
}
