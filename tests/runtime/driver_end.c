/*
 * driver_end.c - see driver_end.h.
 */
#define _GNU_SOURCE
#include "driver_end.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct cfz_error err;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) < 0)                                                                            \
            fail_msg("%s: %s", #call, err.text);                                                   \
    } while (0)

/* Waits until one of two sockets can be read; returns 0 or 1. That CTest ends a test that hangs is
 * enough, but then it does not say where: so just before. A seed of 40 MiB under a sanitizer, on a
 * machine with ten times as many processes as processors, is no hang. */
static int wait_two(int a, int b)
{
    enum { LIMIT_S = 240 }; /* CTest: 300 */
    struct pollfd p[2] = {{a, POLLIN, 0}, {b, POLLIN, 0}};
    int n = poll(p, b < 0 ? 1 : 2, LIMIT_S * 1000);

    if (n <= 0)
        fail_msg("nothing came within %d s", LIMIT_S);
    return p[0].revents ? 0 : 1;
}

void expect(int sock, enum cfz_msg_type type, struct cfz_msg *m)
{
    int got;

    wait_two(sock, -1);
    got = cfz_msg_recv(sock, m, NULL, NULL, &err);
    if (got <= 0)
        fail_msg("message %d: %s", (int)type, got == 0 ? "end of file" : err.text);
    if (m->type != (uint32_t)type)
        fail_msg("message %u, want %d", m->type, (int)type);
}

static void pair(int fds[2])
{
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
}

/* ---- origin ----------------------------------------------------------------------- */

void origin_start(struct origin *o, const char *path)
{
    int fds[2];
    char arg[64];

    memset(o, 0, sizeof *o);
    pair(fds);
    snprintf(arg, sizeof arg, "%s=%d", CFZ_ORIGIN_FLAG, (int)getpid());
    o->pid = fork();
    assert_true(o->pid >= 0);
    if (o->pid == 0) {
        dup2(fds[1], CFZ_CONTROL_FD); /* without close-on-exec */
        if (fds[1] == CFZ_CONTROL_FD)
            fcntl(fds[1], F_SETFD, 0);
        execl(path, path, arg, (char *)NULL);
        perror(path);
        _exit(127);
    }
    close(fds[1]);
    o->sock = fds[0];
    expect(o->sock, CFZ_MSG_HELLO, &o->hello);
    assert_int_equal(o->hello.u.hello.protocol, CFZ_PROTOCOL_VERSION);
    assert_in_range(o->hello.u.hello.ntests, 1, TESTS_MAX);
    for (uint32_t i = 0; i < o->hello.u.hello.ntests; i++) {
        const char *name, *types, *file;
        struct known_test *t = &o->tests[i];
        struct cfz_msg m;

        expect(o->sock, CFZ_MSG_TEST, &m);
        OK(cfz_msg_test_parts(&m, &name, &types, &file, t->kinds, &err));
        assert_int_equal(m.u.test.index, i);
        snprintf(t->name, sizeof t->name, "%s", name);
        t->n = m.u.test.nvalues;
        t->has_setup = m.u.test.has_setup;
        for (size_t k = 0; k < t->n; k++)
            t->nslots += cfz_kind_is_slot(t->kinds[k]);
    }
}

void origin_stop(struct origin *o)
{
    struct cfz_msg m;
    int status;

    cfz_msg_init(&m, CFZ_MSG_QUIT);
    OK(cfz_msg_send(o->sock, &m, NULL, 0, &err));
    assert_int_equal(waitpid(o->pid, &status, 0), o->pid);
    assert_int_equal(status, 0);
    close(o->sock);
}

/* ---- processes ---------------------------------------------------------------------- */

/* Asks at sock for a process; what is the driver's stays in *p. */
static void fork_process(struct session *s, struct process *p, int sock, enum cfz_msg_type type,
                         uint64_t id)
{
    int fds[2], shm_fd, all[4];
    size_t n = 0;
    struct cfz_msg m;

    memset(p, 0, sizeof *p);
    pair(fds);
    OK(cfz_proc_shm_new(s->test->nslots, &p->shm, &shm_fd, &err));
    snprintf(p->shm->name, sizeof p->shm->name, "%s/x", s->test->name);
    p->output = memfd_create("output", MFD_CLOEXEC);
    assert_true(p->output >= 0);
    p->sock = fds[0];
    p->id = id;
    all[n++] = fds[1];
    all[n++] = shm_fd;
    if (type == CFZ_MSG_FORK)
        all[n++] = s->run_fd;
    all[n++] = p->output;
    cfz_msg_init(&m, type);
    m.u.fork.id = id;
    OK(cfz_msg_send(sock, &m, all, n, &err));
    close(fds[1]);
    close(shm_fd);
    expect(sock, CFZ_MSG_FORKED, &m);
    assert_int_equal(m.u.exit.id, id);
    assert_true(m.u.exit.pid > 0);
    p->pid = m.u.exit.pid;
}

static void process_release(struct process *p)
{
    if (!p->shm)
        return;
    cfz_shm_unmap(p->shm, p->shm->size);
    if (p->sock >= 0)
        close(p->sock);
    close(p->output);
    memset(p, 0, sizeof *p);
}

static void take_records(struct session *s, struct process *p)
{
    const struct cfz_record *r;

    for (;;) {
        OK(cfz_outbox_peek(p->shm, &r, &err));
        if (!r)
            return;
        if (r->type == CFZ_RECORD_SEED || r->type == CFZ_RECORD_INTERESTING) {
            struct cfz_values vs = CFZ_VALUES_INIT;

            OK(cfz_values_unpack(&vs, s->test->kinds, s->test->n, cfz_record_packed(r), r->packed,
                                 &err));
            if (r->type == CFZ_RECORD_SEED && s->nseeds++ == 0)
                cfz_values_swap(&vs, &s->first_seed);
            if (r->type == CFZ_RECORD_INTERESTING) {
                uint64_t index;

                s->ninteresting++;
                if (s->answer)
                    OK(cfz_run_shm_append(s->run, s->run_fd, &vs, 0, CFZ_NO_ENTRY, &index, &err));
            }
            cfz_values_release(&vs);
        }
        if (r->type == CFZ_RECORD_BASE)
            s->nbase++;
        s->nbits = r->nbits;
        if (s->run)
            cfz_cov_merge(cfz_run_mask(s->run), s->run->mask_len, cfz_record_bits(r), r->nbits);
        cfz_outbox_consume(p->shm, r);
    }
}

void session_start(struct session *s, struct origin *o, const char *test, bool *exited, int *status)
{
    struct cfz_msg m;
    uint32_t i = 0;

    memset(s, 0, sizeof *s);
    s->origin = o;
    while (strcmp(o->tests[i].name, test) != 0)
        assert_true(++i < TESTS_MAX);
    s->test = &o->tests[i];
    fork_process(s, &s->host, o->sock, CFZ_MSG_HOST, i);
    if (exited)
        *exited = false;
    for (;;) {
        if (wait_two(s->host.sock, o->sock) == 1) {
            expect(o->sock, CFZ_MSG_EXIT, &m);
            if (!exited)
                fail_msg("host of %s ended with %x: %s", test, m.u.exit.status, log_of(&s->host));
            *exited = true;
            *status = m.u.exit.status;
            s->host.pid = 0;
            return;
        }
        if (cfz_msg_recv(s->host.sock, &s->seeds, NULL, NULL, &err) == 0) {
            close(s->host.sock); /* dead: EXIT comes over the other */
            s->host.sock = -1;
            expect(o->sock, CFZ_MSG_EXIT, &m);
            if (!exited)
                fail_msg("host of %s ended with %x: %s", test, m.u.exit.status, log_of(&s->host));
            *exited = true;
            *status = m.u.exit.status;
            s->host.pid = 0;
            return;
        }
        assert_int_equal(s->seeds.type, CFZ_MSG_SEEDS);
        take_records(s, &s->host);
        if (s->seeds.u.seeds.done)
            break;
        cfz_msg_init(&m, CFZ_MSG_ACK);
        OK(cfz_msg_send(s->host.sock, &m, NULL, 0, &err));
    }
    assert_int_equal(s->seeds.u.seeds.nseeds, s->nseeds);
    OK(cfz_run_shm_new(s->seeds.u.seeds.ncounters, &s->run, &s->run_fd, &err));
}

void session_finish(struct session *s)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_FINISH);
    OK(cfz_msg_send(s->host.sock, &m, NULL, 0, &err));
    expect(s->host.sock, CFZ_MSG_SEEDS, &s->seeds);
    expect(s->origin->sock, CFZ_MSG_EXIT, &m);
    assert_int_equal(m.u.exit.status, 0);
    s->host.pid = 0;
}

void session_release(struct session *s)
{
    bool alive = s->host.pid != 0;

    worker_release(s);
    process_release(&s->host);
    if (alive) { /* it ends with its socket; nothing of it is left for the next test */
        struct cfz_msg m;

        expect(s->origin->sock, CFZ_MSG_EXIT, &m);
        assert_int_equal(WEXITSTATUS(m.u.exit.status), CFZ_EXIT_ORPHAN);
    }
    cfz_values_release(&s->first_seed);
    if (s->run) {
        cfz_shm_unmap(s->run, s->run->size);
        close(s->run_fd);
    }
}

void worker_start(struct session *s)
{
    struct cfz_msg m;

    fork_process(s, &s->worker, s->host.sock, CFZ_MSG_FORK, ++s->next_id);
    expect(s->worker.sock, CFZ_MSG_READY, &m);
    assert_int_equal(s->worker.shm->pid, s->worker.pid);
}

void worker_release(struct session *s)
{
    process_release(&s->worker);
}

int worker_wait(struct session *s)
{
    struct cfz_msg m;

    expect(s->host.sock, CFZ_MSG_EXIT, &m);
    assert_int_equal(m.u.exit.id, s->worker.id);
    assert_int_equal(m.u.exit.pid, s->worker.pid);
    return m.u.exit.status;
}

bool worker_command(struct session *s, enum cfz_msg_type type, const struct cfz_msg *cmd,
                    struct cfz_msg *result, int *status)
{
    struct cfz_msg m = *cmd;

    m.type = type;
    OK(cfz_msg_send(s->worker.sock, &m, NULL, 0, &err));
    for (;;) {
        int got;

        wait_two(s->worker.sock, -1);
        got = cfz_msg_recv(s->worker.sock, result, NULL, NULL, &err);
        if (got < 0)
            fail_msg("worker: %s", err.text);
        take_records(s, &s->worker);
        if (got == 0) {
            int st = worker_wait(s);

            if (!status)
                fail_msg("worker ended with %x: %s%s", st, log_of(&s->worker),
                         output_of(&s->worker));
            *status = st;
            return false;
        }
        if (result->type == CFZ_MSG_RESULT)
            return true;
        assert_int_equal(result->type, CFZ_MSG_RECORDS);
        if (result->u.records.waits) {
            s->nwaits++;
            cfz_msg_init(&m, CFZ_MSG_ACK);
            OK(cfz_msg_send(s->worker.sock, &m, NULL, 0, &err));
        }
    }
}

bool worker_try(struct session *s, const void *data, size_t len, struct cfz_msg *result,
                int *status)
{
    struct cfz_value v = {CFZ_KIND_BYTES, 0, (uint8_t *)(uintptr_t)data, len, 0};
    struct cfz_values vs = {&v, 1, 0};
    struct cfz_msg cmd;

    OK(cfz_proc_set_input(s->worker.shm, &vs, &err));
    cfz_msg_init(&cmd, CFZ_MSG_TRY);
    return worker_command(s, CFZ_MSG_TRY, &cmd, result, status);
}

const char *log_of(const struct process *p)
{
    static char text[CFZ_LOG_MAX + 1];
    uint32_t n = p->shm->log_len;

    assert_in_range(n, 0, CFZ_LOG_MAX);
    memcpy(text, p->shm->log, n);
    text[n] = 0;
    return text;
}

const char *output_of(const struct process *p)
{
    static char text[8192];
    ssize_t n = pread(p->output, text, sizeof text - 1, 0);

    text[n > 0 ? n : 0] = 0;
    return text;
}
