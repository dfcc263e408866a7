/*
 * live_symbolizer.c - see live_symbolizer.h.
 *
 * One socket is both ends of it: a question is a line, and an empty line ends the answer. When we
 * are gone it reads the end of the file, and ends.
 */
#define _GNU_SOURCE
#include "stack/live_symbolizer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd_limit.h"

void live_symbolizer_init(struct live_symbolizer *s, const char *program)
{
    *s = (struct live_symbolizer){.program = program, .sock = -1};
}

/* Context: a child between fork and exec. */
static void exec_child(const char *program, int sock, pid_t parent)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for us */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(sock, STDIN_FILENO) >= 0 && dup2(sock, STDOUT_FILENO) >= 0 &&
        (null < 0 || dup2(null, STDERR_FILENO) >= 0))
        execlp(program, program, "--output-style=LLVM", (char *)NULL);
    _exit(127);
}

static int start(struct live_symbolizer *s, struct cfz_error *err)
{
    pid_t parent = getpid();
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return cfz_fail_errno(err, "%s: socket", s->program);
    s->pid = fork();
    if (s->pid == 0) {
        fd_limit_restore();
        exec_child(s->program, pair[1], parent);
    }
    close(pair[1]);
    if (s->pid < 0) {
        s->pid = 0;
        close(pair[0]);
        return cfz_fail_errno(err, "%s: fork", s->program);
    }
    s->sock = pair[0];
    return 0;
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until an empty line. */
static int receive(struct live_symbolizer *s, struct cfz_buf *out, struct cfz_error *err)
{
    int64_t until = now_ms() + LIVE_SYMBOLIZER_MS;
    size_t from = out->len;

    while (out->len - from < 2 || memcmp(out->data + out->len - 2, "\n\n", 2) != 0) {
        struct pollfd p = {.fd = s->sock, .events = POLLIN};
        int64_t left = until - now_ms();
        char part[4096];
        ssize_t n;

        if (left <= 0)
            return cfz_fail(err, CFZ_EIO, "%s: no answer in %d ms", s->program, LIVE_SYMBOLIZER_MS);
        if (poll(&p, 1, (int)left) <= 0)
            continue;
        n = read(s->sock, part, sizeof part);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return cfz_fail(err, CFZ_EIO, "%s: it ended", s->program);
        if (cfz_buf_append(out, part, (size_t)n, err) < 0)
            return -1;
    }
    return 0;
}

/* Ends the process, if there is one. */
static void end(struct live_symbolizer *s)
{
    if (s->pid == 0)
        return;
    close(s->sock);
    kill(s->pid, SIGKILL);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    s->pid = 0;
    s->sock = -1;
}

int live_symbolizer_ask(struct live_symbolizer *s, const char *file, uint64_t address,
                        struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf question = CFZ_BUF_INIT;
    size_t before = out->len;
    int ret = -1;

    if (debug_info_answer(&s->info, file, address, out))
        return 0;
    if (s->program == NULL || s->failed)
        return cfz_fail(err, CFZ_EIO, "no symbolizer");
    if (strpbrk(file, "\"\n") != NULL)
        return cfz_fail(err, CFZ_EIO, "%s: the symbolizer cannot be asked for such a name", file);
    if (cfz_buf_printf(&question, err, "\"%s\" 0x%llx\n", file, (unsigned long long)address) < 0)
        return -1;
    if ((s->pid == 0 && start(s, err) < 0) ||
        send(s->sock, question.data, question.len, MSG_NOSIGNAL) != (ssize_t)question.len) {
        if (s->pid != 0)
            cfz_fail_errno(err, "%s", s->program);
    } else {
        ret = receive(s, out, err);
    }
    cfz_buf_release(&question);
    if (ret < 0) {
        cfz_buf_truncate(out, before);
        end(s);
        s->failed = true;
    }
    return ret;
}

void live_symbolizer_end(struct live_symbolizer *s)
{
    end(s);
    debug_info_release(&s->info);
    s->failed = false;
}
