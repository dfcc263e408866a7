/*
 * host.c - setup part, seeds, workers, cleanups.
 *
 *     SETUP --SEEDS--> IDLE --FORK--> (worker)
 *                       |  FINISH: workers killed, cleanups, SEEDS
 *                       v
 *                     exit
 *
 * While user code runs in the host, the kernel kills the host when the origin dies. While the host
 * waits, the kernel does not: the end of the socket tells that the driver is gone, and the host
 * kills the process groups of its workers before it ends. After a SIGKILL they would live on.
 */
#define _GNU_SOURCE
#include "server/host.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/io.h"
#include "server/children.h"
#include "server/guard.h"
#include "coverage/counters.h"
#include "target/crash.h"
#include "target/executor.h"
#include "target/harness.h"
#include "target/leaks.h"
#include "target/profile.h"
#include "target/ours.h"
#include "target/temp_dirs.h"
#include "worker/worker_drift.h"
#include "worker/worker_search.h"
#include "server/worker_server.h"
#include "worker/worker_watch.h"
#include "worker/worker_words.h"

struct host {
    int sock;
    uint64_t nseeds;
    struct cfz_children workers;
};

static struct host host; /* one per process; static for its size */

/* Ends the workers: the driver has told them to end, or is gone. */
static void end_workers(void)
{
    if (cfz_profile_on()) /* they have counts to save */
        cfz_children_end(&host.workers);
    else
        cfz_children_kill(&host.workers);
}

/* The driver is gone. */
static void __attribute__((noreturn)) gone(void)
{
    end_workers();
    cfz_children_bury(&host.workers);
    cfz_temp_dirs_bury(getpid());
    cfz_profile_save();
    _exit(CFZ_EXIT_ORPHAN);
}

/* A message of the setup part cannot get through: the system has no memory for it, which is not the
 * setup part's doing. */
static void __attribute__((noreturn)) unable(const struct cfz_error *err)
{
    struct cfz_proc_shm *shm = cfz_executor.shm;

    atomic_store_explicit(&shm->state, CFZ_STATE_STARTING, memory_order_relaxed);
    cfz_crash_unable(shm, err);
}

static void send_seeds(enum cfz_verdict verdict, bool done)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_SEEDS);
    m.u.seeds.verdict = (uint32_t)verdict;
    m.u.seeds.done = done;
    m.u.seeds.nseeds = host.nseeds;
    m.u.seeds.ncounters = cfz_counters_total();
    if (cfz_tell(host.sock, &m, &err) == 0)
        return;
    if (err.sys == ENOMEM || err.sys == ENOBUFS)
        unable(&err);
    gone();
}

/* Writes one seed into the outbox; the driver empties it when it is full. */
static int publish_seed(void *ctx, const struct cfz_values *vs, struct cfz_error *err)
{
    struct cfz_proc_shm *shm = cfz_executor.shm;
    size_t packed = cfz_values_packed_size(vs);
    size_t size = (sizeof(struct cfz_record) + packed + 15) & ~(size_t)15;
    struct cfz_record *r = cfz_outbox_reserve(shm, size);

    (void)ctx;
    for (int tries = 0; !r; tries++) { /* a second time if the ring had to be wrapped */
        struct cfz_msg m;
        int got;

        if (tries == 2)
            return cfz_fail(err, CFZ_EINTERNAL, "seed of %zu bytes is too long", packed);
        send_seeds(CFZ_VERDICT_PASS, false);
        got = cfz_msg_recv(host.sock, &m, NULL, NULL, err);
        if (got < 0)
            unable(err);
        if (got == 0 || m.type != CFZ_MSG_ACK)
            gone();
        r = cfz_outbox_reserve(shm, size);
    }
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_SEED;
    r->size = size;
    r->packed = packed;
    cfz_values_pack(vs, (uint8_t *)(r + 1));
    cfz_outbox_commit(shm, r);
    host.nseeds++;
    return 0;
}

/* Makes anew what workers share, if m says so. Returns 0 or an errno. It is not inlined, so
 * that its error does not lie on the stack of every worker. */
static int __attribute__((noinline)) renew(const struct cfz_msg *m)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (m->u.fork.renew == 0 || (cfz_worker_search_renew(m->u.fork.spoiler, &err) == 0 &&
                                 cfz_worker_words_renew(cfz_executor.test, &err) == 0 &&
                                 cfz_worker_drift_renew(&err) == 0 && cfz_guard_renew(&err) == 0))
        return 0;
    return err.sys != 0 ? err.sys : ENOMEM;
}

/* Forks a worker. Returns in the host; the child becomes the worker. */
static void fork_worker(const struct cfz_msg *m, const int fds[CFZ_WORKER_FDS])
{
    int why = renew(m);

    if (why != 0)
        cfz_children_refuse(host.sock, m->u.fork.id, why);
    else if (cfz_children_fork(&host.workers, host.sock, m->u.fork.id) == 0) {
        close(host.sock);
        cfz_executor.deadline_ns = m->u.fork.deadline_ns;
        cfz_worker_run(fds, m->u.fork.guarded != 0, m->u.fork.slow_ns);
    }
    for (int i = 0; i < CFZ_WORKER_FDS; i++)
        close(fds[i]);
}

/* Answers FINISH: runs the cleanups of the setup part and ends. */
static void __attribute__((noreturn)) finish(void)
{
    end_workers();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    send_seeds(cfz_executor_setup_done(&cfz_executor), true);
    cfz_children_bury(&host.workers);
    cfz_io_flush();
    cfz_profile_save();
    _exit(0);
}

static void serve(void)
{
    int fds[CFZ_MSG_FDS_MAX];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_msg m;
    size_t nfds = 0;
    int got = cfz_msg_recv(host.sock, &m, fds, &nfds, &err);

    if (got < 0)
        cfz_crash_unable(cfz_executor.shm, &err);
    if (got == 0 || m.type == CFZ_MSG_QUIT)
        gone();
    if (m.type == CFZ_MSG_FINISH)
        finish();
    if (m.type != CFZ_MSG_FORK || nfds != CFZ_WORKER_FDS)
        cfz_crash_internal(cfz_executor.shm, "host: not a message for a host");
    fork_worker(&m, fds);
}

void cfz_host_run(const struct cfz_test *test, int64_t deadline_ns, const int fds[CFZ_HOST_FDS])
{
    struct cfz_executor *x = &cfz_executor;
    struct cfz_error err = CFZ_ERROR_INIT;
    enum cfz_verdict verdict;

    host.sock = cfz_move_fd(fds[0]);
    if (cfz_proc_shm_map(fds[1], &x->shm, &err) < 0)
        cfz_crash_unable(NULL, &err);
    close(fds[1]);
    cfz_set_output(fds[2]);
    x->test = test;
    x->deadline_ns = deadline_ns;
    x->shm->pid = getpid();
    if (cfz_slots_reserve(&x->slots, test->kinds, test->n, &err) < 0)
        cfz_crash_unable(x->shm, &err);
    if (cfz_is_harness(test))
        cfz_slots_align(&x->slots);
    if (cfz_crash_attach(x->shm, &err) < 0 || cfz_proc_shm_seal(x->shm, &err) < 0)
        cfz_crash_unable(x->shm, &err);
    cfz_worker_watch_add(getppid());
    cfz_worker_watch_add(getpid());
    cfz_leaks_pause();
    cfz_children_adopt(&host.workers);
    verdict = cfz_executor_setup(x, publish_seed, NULL);
    cfz_children_keep(&host.workers);
    if (cfz_counters_prepare(&err) < 0) /* the setup part may have loaded libraries */
        cfz_crash_unable(x->shm, &err);
    if (cfz_worker_search_map(&err) < 0 || cfz_worker_words_map(test, &err) < 0 ||
        cfz_worker_drift_map(&err) < 0 || cfz_guard_map(&err) < 0)
        cfz_crash_unable(x->shm, &err);
    cfz_io_flush();
    send_seeds(verdict, true);
    prctl(PR_SET_PDEATHSIG, 0);
    cfz_ours_add(getpid());
    cfz_crash_deafen();
    for (;;) {
        int r = cfz_children_wait(&host.workers, host.sock);

        if (r < 0)
            cfz_crash_misuse(x->shm, "the setup part closed a descriptor that is not its own");
        if (r > 0)
            serve();
    }
}
