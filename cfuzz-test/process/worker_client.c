/*
 * worker_client.c - see worker_client.h.
 */
#define _GNU_SOURCE
#include "process/worker_client.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/fork_request.h"
#include "stack/hang.h"
#include "process/rss.h"
#include "process/stopped.h"
#include "base/proc.h"
#include "base/subprocess.h"

enum {
    LOST_MS = 1000,          /* how long a process may live on after its socket was closed */
    SCRIBBLED_MS = 1000,     /* how long one whose target wrote over its memory has to notice it */
    ENGINE_STALL_MS = 60000, /* if it takes so long between executions, our own code is stuck */
    SLOW_TICKS = 5,          /* check_slow; guessed */
    SLOW_PART = 5,
};

static const struct child_type worker_type; /* at the end */

static uint64_t ms(uint64_t n)
{
    return n * 1000000;
}

static void on_message(struct peer *p, const struct cfz_msg *m)
{
    struct worker *w = p->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (m->type == CFZ_MSG_READY && w->state == WORKER_STARTING) {
        w->state = WORKER_IDLE;
    } else if (m->type == CFZ_MSG_RECORDS) {
        w->records = true;
        w->ack = m->u.records.waits == 1;
    } else if (m->type == CFZ_MSG_RESULT && w->state == WORKER_BUSY) {
        w->state = WORKER_ANSWERED;
        w->records = true; /* look at the outbox in any case */
        w->result.verdict = (enum cfz_verdict)m->u.result.verdict;
        w->result.mutated = m->u.result.mutated;
        w->result.drifted = m->u.result.drifted == 1;
        if (w->limit != 0 && w->result.mutated > w->limit) /* it is the target's process */
            w->result.mutated = w->limit;
        w->result.ns = m->u.result.ns;
    } else {
        cfz_fail(&err, CFZ_EINTERNAL, "communicating with fuzzing process: unexpected message %u",
                 m->type);
        cfz_error_keep(&w->err, &err);
        worker_kill(w);
    }
}

static void on_end(struct peer *p, const struct cfz_error *err)
{
    struct worker *w = p->owner;

    if (err != NULL) {
        cfz_error_keep(&w->err, err);
        worker_kill(w); /* nothing it says can be understood any more */
    }
    if (w->lost_since == 0)
        w->lost_since = uv_hrtime();
}

/* The bytes that one allocation may have; 0: any number. */
static uint64_t alloc_max(const struct options *opt)
{
    return (opt->alloc_mib > 0 ? opt->alloc_mib : opt->rss_mib) << 20;
}

static int fork_process(struct worker *w, struct cfz_error *err)
{
    struct host *h = w->host;
    struct fork_request r = {.over = &h->peer,
                             .test = h->test,
                             .name = w->name,
                             .loop = h->origin->loop->uv,
                             .alloc_max = alloc_max(h->origin->opt),
                             .run_fd = h->run_fd};

    peer_close(&w->peer);
    output_close(&w->output);
    if (w->shm != NULL)
        cfz_shm_unmap(w->shm, w->shm->size);
    w->shm = NULL;
    w->peer.on_message = on_message;
    w->peer.on_end = on_end;
    w->peer.owner = w;
    w->child.id = h->next_worker++;
    w->pid = 0;
    w->state = WORKER_STARTING;
    w->since = uv_hrtime();
    w->lost_since = 0;
    w->killed = false;
    w->stops = 0;
    w->tries++;
    cfz_msg_init(&r.msg, CFZ_MSG_FORK);
    r.msg.u.fork.id = w->child.id;
    r.msg.u.fork.deadline_ns = w->deadline_ns;
    r.msg.u.fork.guarded = w->guarded;
    r.msg.u.fork.slow_ns = (uint64_t)h->origin->opt->slow_ns;
    r.msg.u.fork.renew = w->renews = h->tainted;
    r.msg.u.fork.spoiler = h->spoiler;
    h->generation += h->tainted;
    h->tainted = false;
    h->spoiler = 0;
    w->generation = h->generation;
    return fork_request_send(&r, &w->peer, &w->output, &w->shm, err);
}

int worker_new(struct host *h, const char *name, int64_t deadline_ns, bool guarded,
               struct worker **out, struct cfz_error *err)
{
    struct worker *w = calloc(1, sizeof *w);

    if (w == NULL || (w->name = strdup(name)) == NULL) {
        free(w);
        return cfz_fail_nomem(err);
    }
    w->host = h;
    w->deadline_ns = deadline_ns;
    w->guarded = guarded;
    w->hang_ns = h->origin->opt->hangtimeout_ns;
    w->peer = (struct peer)PEER_INIT;
    w->output = (struct output)OUTPUT_INIT;
    w->child.type = &worker_type;
    w->child.owner = w;
    children_add(&h->workers, &w->child);
    if (fork_process(w, err) < 0) {
        w->state = WORKER_GONE;
        worker_free(w);
        return -1;
    }
    *out = w;
    return 0;
}

/* Whether w looks after each execution whether its host is about to end, so that the input that did
 * it is known: some 20 us each time. */
static bool is_watched(const struct worker *w)
{
    return w->host->restarts > 0 || w->host->watched ||
           (w->running && (cfz_run_shm_entry(w->host->run, w->entry)->flags & CFZ_ENTRY_SEED) != 0);
}

static int command(struct worker *w, const struct cfz_msg *m, struct cfz_error *err)
{
    CFZ_ASSERT(w->state == WORKER_IDLE);
    w->state = WORKER_BUSY;
    w->since = uv_hrtime();
    w->progress = w->since;
    w->execs = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    w->base = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    w->mutated = 0;
    w->stop_since = 0;
    w->yielding = false;
    w->stops = 0;
    w->ticks = w->slow_ticks = 0;
    output_mark(&w->output);
    atomic_store_explicit(&w->shm->stop, is_watched(w) ? CFZ_STOP_WATCH : CFZ_STOP_NOT,
                          memory_order_relaxed);
    return peer_command(&w->peer, m, err);
}

int worker_run(struct worker *w, uint64_t entry, bool all_bits, struct cfz_error *err)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_RUN);
    m.u.cmd.entry = entry;
    m.u.cmd.coverage = all_bits;
    w->fuzzing = false;
    w->running = true;
    w->entry = entry;
    w->limit = 0;
    return command(w, &m, err);
}

int worker_fuzz(struct worker *w, const struct fuzz_command *c, struct cfz_error *err)
{
    struct cfz_msg m;

    cfz_msg_init(&m, CFZ_MSG_FUZZ);
    m.u.cmd.limit = c->limit;
    m.u.cmd.seed = c->seed;
    m.u.cmd.k = c->k;
    m.u.cmd.max_len = c->max_len;
    m.u.cmd.sync = c->sync;
    m.u.cmd.minimize = c->minimize;
    m.u.cmd.search = c->search;
    m.u.cmd.flags = c->flags;
    w->fuzzing = true;
    w->running = false;
    w->limit = c->limit;
    return command(w, &m, err);
}

int worker_try(struct worker *w, const struct cfz_values *vs, bool traced, struct cfz_error *err)
{
    struct cfz_msg m;

    if (cfz_proc_set_input(w->shm, vs, err) < 0)
        return -1;
    cfz_msg_init(&m, CFZ_MSG_TRY);
    m.u.cmd.search = traced;
    w->fuzzing = false;
    w->running = false;
    w->limit = 0;
    return command(w, &m, err);
}

int worker_try_several(struct worker *w, const void *inputs, size_t len, struct cfz_error *err)
{
    struct cfz_msg m;

    CFZ_ASSERT(len <= CFZ_MSG_TEXT_MAX);
    cfz_msg_init(&m, CFZ_MSG_TRIES);
    m.text_len = (uint32_t)len;
    memcpy(m.text, inputs, len);
    w->fuzzing = false;
    w->running = false;
    w->limit = 0;
    return command(w, &m, err);
}

bool worker_traced(const struct worker *w)
{
    return w->fuzzing && atomic_load_explicit(&w->shm->traced, memory_order_relaxed) == 1;
}

void worker_take(struct worker *w)
{
    CFZ_ASSERT(w->state == WORKER_ANSWERED);
    w->state = w->exited ? WORKER_GONE : WORKER_IDLE;
}

int worker_records_taken(struct worker *w, struct cfz_error *err)
{
    struct cfz_msg m;

    w->records = false;
    if (!w->ack)
        return 0;
    w->ack = false;
    if (w->state != WORKER_BUSY)
        return 0;
    cfz_msg_init(&m, CFZ_MSG_ACK);
    return peer_command(&w->peer, &m, err);
}

void worker_yield(struct worker *w)
{
    if (w->state != WORKER_BUSY || !w->fuzzing)
        return;
    w->yielding = true;
    atomic_store_explicit(&w->shm->stop, CFZ_STOP_SOON, memory_order_relaxed);
}

void worker_stop(struct worker *w, bool patient)
{
    w->patient = patient;
    if (w->state == WORKER_BUSY && w->stop_since == 0) {
        w->stop_since = uv_hrtime();
        atomic_store_explicit(&w->shm->stop, CFZ_STOP_SOON, memory_order_relaxed);
    } else if (w->state == WORKER_STARTING) {
        worker_kill(w);
    }
}

void worker_kill(struct worker *w)
{
    if (w->exited || w->state == WORKER_GONE)
        return;
    w->killed = true;
    if (w->pid <= 0)
        return; /* on_forked sees to it */
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL);
}

bool worker_stale(const struct worker *w)
{
    return w->host->tainted || w->generation != w->host->generation;
}

/* The target of w wrote over its memory, and over what it shares with others as well, perhaps. */
static void taint(struct worker *w)
{
    struct host *h = w->host;
    uint64_t parent;

    if (w->generation != h->generation)
        return;
    h->tainted = true;
    parent = w->fuzzing && w->shm != NULL ? w->shm->parent : UINT64_MAX;
    if (h->run != NULL && parent < atomic_load_explicit(&h->run->nentries, memory_order_relaxed))
        h->spoiler = (uint32_t)parent + 1;
}

bool worker_alone(const struct worker *w)
{
    return w->orphaned && w->was_busy && w->host->orphans == 1;
}

bool worker_guard_ended(const struct worker *w)
{
    return w->guarded && w->exited && !w->orphaned && !w->killed && w->shm != NULL &&
           WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL &&
           atomic_load_explicit(&w->shm->runner, memory_order_relaxed) != 0;
}

void worker_blame(struct worker *w)
{
    struct cfz_crash *c = &w->shm->crash;

    c->signo = WIFSIGNALED(w->status) ? WTERMSIG(w->status) : SIGKILL;
    c->code = w->guarded || w->host->orphaned ? CFZ_WHOM_OURS : CFZ_WHOM_PARENT;
    c->nframes = c->foreign_thread = 0;
    atomic_store_explicit(&c->kind, CFZ_CRASH_KILL, memory_order_relaxed);
}

/* Waits until w, which executes the input that wrote over its memory or has just done it, notices
 * that: it puts right what it knows, its input above all. One that hangs now does not. */
static void let_notice(const struct worker *w)
{
    const struct timespec pause = {.tv_nsec = 1000 * 1000};
    uint64_t end = uv_hrtime() + ms(SCRIBBLED_MS);

    do {
        uint32_t kind = atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed);

        if (kind != CFZ_CRASH_NONE && kind < CFZ_CRASH_KINDS)
            return;
        nanosleep(&pause, NULL);
    } while (uv_hrtime() < end);
}

void worker_scribbled(struct worker *w)
{
    if (w->state == WORKER_BUSY && w->fuzzing && !w->scribbled && !w->killed)
        let_notice(w);
    w->scribbled = true;
    taint(w);
    w->records = w->ack = false;
    if (w->state == WORKER_ANSWERED) {
        w->state = w->exited ? WORKER_GONE : WORKER_BUSY;
        w->was_busy = true;
    }
    worker_kill(w);
}

uint64_t worker_mutated(const struct worker *w)
{
    uint64_t n;

    if (!w->fuzzing || w->shm == NULL)
        return 0;
    /* If the runtime has noticed by itself, it has put this number right. */
    if ((w->scribbled || !cfz_proc_shm_sane(w->shm, false)) &&
        atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed) != CFZ_CRASH_SCRIBBLED)
        return w->mutated;
    n = atomic_load_explicit(&w->shm->mutated, memory_order_relaxed);
    if (n > atomic_load_explicit(&w->shm->execs, memory_order_relaxed) + 1)
        return w->mutated;
    n = n > w->base ? n - w->base : 0;
    return w->limit != 0 && n > w->limit ? w->limit : n;
}

bool worker_mixed(const struct worker *w)
{
    return worker_mutated(w) > 1;
}

void worker_describe(const struct worker *w, struct ending *e)
{
    struct ending_facts f = {0};
    char log[256] = "";

    if (w->err.code != CFZ_OK) {
        *e = (struct ending){.kind = ENDING_INTERNAL};
        snprintf(e->text, sizeof e->text, "%.500s", w->err.text);
        return;
    }
    f.scribbled = w->scribbled;
    f.status = w->status;
    f.hung = w->hung;
    f.stopped = w->stopped;
    f.memory = w->memory;
    f.memory_mib = w->host->origin->opt->rss_mib;
    f.seen_mib = w->rss >> 20;
    f.killed = w->killed && !w->hung && !w->lost && !w->memory && !w->stopped && !w->stuck;
    f.lost = w->lost;
    f.orphaned = w->orphaned;
    f.stale = worker_stale(w);
    f.stuck = w->stuck;
    f.state = (enum cfz_proc_state)atomic_load_explicit(&w->shm->state, memory_order_relaxed);
    f.hang_ns = w->hang_ns;
    f.crash = (enum cfz_crash_kind)atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed);
    f.crash_signo = w->shm->crash.signo;
    f.crash_code = w->shm->crash.code;
    f.asked = w->shm->crash.addr;
    f.foreign_thread = w->shm->crash.foreign_thread;
    if (f.crash == CFZ_CRASH_SCRIBBLED)
        f.scribbled = true;
    if (f.crash >= CFZ_CRASH_KINDS)
        f.crash = CFZ_CRASH_NONE;
    if (f.scribbled)
        f.state = CFZ_STATE_TARGET;
    if (f.crash == CFZ_CRASH_INTERNAL)
        snprintf(log, sizeof log, "%.*s", (int)cfz_proc_log_len(w->shm), w->shm->log);
    f.log = log;
    ending_decide(&f, e);
}

int worker_broke(const struct worker *w, const struct ending *e, struct cfz_error *err)
{
    return cfz_fail(err, w->err.code == CFZ_EIO ? CFZ_EIO : CFZ_EINTERNAL, "%s", e->text);
}

void worker_free(struct worker *w)
{
    if (w == NULL)
        return;
    if (w->state == WORKER_IDLE || w->state == WORKER_ANSWERED) {
        struct cfz_msg m;

        cfz_msg_init(&m, CFZ_MSG_QUIT);
        peer_send(&w->peer, &m, NULL, 0, NULL);
    } else {
        worker_kill(w);
    }
    peer_close(&w->peer);
    output_close(&w->output);
    if (w->shm != NULL)
        cfz_shm_unmap(w->shm, w->shm->size);
    children_remove(&w->host->workers, &w->child);
    free(w->name);
    free(w);
}

/* ---- what the host and the clock say --------------------------------------- */

/* Nothing more is to be heard of w. */
static bool is_over(const struct worker *w)
{
    return w->exited || w->state == WORKER_GONE;
}

static void on_forked(struct child *c, int pid)
{
    struct worker *w = c->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (is_over(w))
        return;
    if (pid > 0) {
        w->pid = pid;
        if (w->killed)
            worker_kill(w);
        return;
    }
    cfz_fail(&err, CFZ_EIO, "fork a fuzzing process: %s", strerror(-pid));
    cfz_error_keep(&w->err, &err);
    w->unforked = true;
    if (w->renews)
        taint(w);           /* it may not have been made anew */
    w->state = WORKER_GONE; /* no EXIT follows */
}

/* Forgets what the last process of a guard wrote, and held in memory, when another took its place.
 */
static void renew_seen(struct worker *w)
{
    uint64_t replaced = atomic_load_explicit(&w->shm->replaced, memory_order_relaxed);

    if (replaced != w->replaced) {
        output_began_anew(&w->output);
        w->rss_last = w->rss_before = 0;
    }
    w->replaced = replaced;
}

/* Looks for what may have been the end of w in code of ours: another worker whose target wrote over
 * what they share, and which nobody has looked at since. */
static void look_at_others(const struct worker *w)
{
    for (struct child *c = w->host->workers; c != NULL; c = c->next) {
        struct worker *other = c->owner;

        if (other != w && other->state == WORKER_BUSY && !other->scribbled &&
            !cfz_proc_shm_sane(other->shm, false))
            worker_scribbled(other);
    }
}

/* Whether a process ended since the system had no room for what it needs. It says so where no user
 * code runs: before there is any, between executions, and of a guard. */
static bool had_no_room(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == CFZ_EXIT_UNFORKED;
}

static const char *what_had_no_room(const struct worker *w, bool starting, uint32_t state)
{
    if (starting)
        return "start a fuzzing process: the system has no memory for it";
    if (w->guarded && state == CFZ_STATE_ENGINE)
        return "fork a fuzzing process: its guard cannot";
    return "a fuzzing process ended: the system has no memory for its messages";
}

static void gone(struct worker *w, int status)
{
    bool starting = w->state == WORKER_STARTING;
    uint32_t state;

    if (w->shm != NULL)
        renew_seen(w);
    w->status = status;
    w->exited = true;
    w->was_busy = w->state == WORKER_BUSY;
    w->host->orphans += w->orphaned && w->was_busy;
    if (w->state != WORKER_ANSWERED) /* otherwise the answer is taken first, see worker_take */
        w->state = WORKER_GONE;
    if (w->shm == NULL) /* there was none for another try; err tells why */
        return;
    state = atomic_load_explicit(&w->shm->state, memory_order_relaxed);
    if (had_no_room(status) && (starting || state == CFZ_STATE_IDLE || state == CFZ_STATE_ENGINE)) {
        struct cfz_error err = CFZ_ERROR_INIT;

        cfz_fail(&err, CFZ_EIO, "%s", what_had_no_room(w, starting, state));
        cfz_error_keep(&w->err, &err);
        w->unforked = true;
    }
    w->mutated = worker_mutated(w);
    if (w->was_busy && !w->scribbled && !cfz_proc_shm_sane(w->shm, true))
        worker_scribbled(w);
    if (atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed) == CFZ_CRASH_SCRIBBLED)
        taint(w);
    look_at_others(w);
    if (w->scribbled && w->mutated == 0)
        w->mutated = 1; /* the one that did it counts: without that a run might not end */
    (void)cfz_outbox_salvage(w->shm);
    w->records = true; /* what it found before is in the outbox */
}

static void on_exited(struct child *c, int status)
{
    struct worker *w = c->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (is_over(w))
        return;
    peer_drain(&w->peer);
    if (w->state == WORKER_STARTING && (w->killed || had_no_room(status)) &&
        w->tries < ORIGIN_FORK_TRIES && w->stop_since == 0) {
        if (fork_process(w, &err) == 0)
            return;
        cfz_error_keep(&w->err, &err);
    }
    gone(w, status);
}

static void on_orphaned(struct child *c, int status)
{
    struct worker *w = c->owner;

    if (is_over(w))
        return;
    peer_drain(&w->peer);
    w->orphaned = true;
    gone(w, status);
}

/* The process that executes. If the worker has a guard, the host forked the guard, not this one. */
static pid_t runner(const struct worker *w)
{
    pid_t pid = atomic_load_explicit(&w->shm->runner, memory_order_relaxed);

    return pid > 0 && getpgid(pid) == w->pid ? pid : w->pid;
}

/* Whether the process of a guarded worker runs another program by now. Without a guard the end of
 * the socket would tell that, but a guard keeps it open. */
static bool runs_another(const struct worker *w)
{
    char path[64];
    struct stat ours, its;

    if (!w->guarded)
        return false;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)w->pid);
    if (stat(path, &ours) < 0)
        return false;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)runner(w));
    return stat(path, &its) == 0 && (its.st_ino != ours.st_ino || its.st_dev != ours.st_dev);
}

static void hung(struct worker *w)
{
    /* If the stack cannot be read, the report goes without it. */
    hang_stack_steady(runner(w), &w->hung_stack, NULL);
    w->hung = true;
    worker_kill(w);
}

/*
 * Looks at the memory of w, which executes. If it is too much, the running input is to blame when
 * its execution goes on from one tick to the next and would be over the limit in a new process,
 * too, or when it is twice too much. Otherwise any of many inputs may have taken it: the worker is
 * told to end its command, and is replaced then. Returns whether w was killed.
 */
static bool check_memory(struct worker *w)
{
    uint64_t limit = w->host->origin->opt->rss_mib << 20, rss, alone;
    uint64_t execs = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    uint32_t state = atomic_load_explicit(&w->shm->state, memory_order_relaxed);
    bool same = w->rss_execs == execs;

    if (limit == 0 || w->pid <= 0)
        return false;
    rss = rss_bytes(runner(w));
    if (w->rss_first == 0)
        w->rss_first = rss;
    if (!same) {
        w->rss_execs = execs;
        w->rss_before = w->rss_last;
    }
    w->rss_last = rss;
    if (rss > w->rss)
        w->rss = rss;
    if (rss <= limit)
        return false;
    alone = w->rss_before == 0 ? rss : rss - w->rss_before + w->rss_first;
    if (state == CFZ_STATE_TARGET &&
        ((same && rss > w->rss_before && alone > limit) || rss / 2 > limit)) {
        hang_stack(runner(w), &w->hung_stack, NULL);
        w->memory = true;
        worker_kill(w);
        return true;
    }
    w->bloated = true;
    atomic_store_explicit(&w->shm->stop, CFZ_STOP_SOON, memory_order_relaxed);
    return false;
}

/* A worker that a signal stopped does not hang: what it waited does not count. In a run of seeds
 * its name is the seed's. */
static void go_on(struct worker *w)
{
    bool seed = strcmp(w->name, w->host->test->name) != 0;

    stopped_tell(&w->host->worker_stops, seed ? w->name : "fuzz", "a fuzzing process");
    if (w->state != WORKER_BUSY) {
        w->since += w->host->elapsed;
        return;
    }
    w->progress += w->host->elapsed;
    if (atomic_load_explicit(&w->shm->state, memory_order_relaxed) == CFZ_STATE_TARGET &&
        ++w->stops >= STOPPED_MAX) {
        hang_stack(runner(w), &w->hung_stack, NULL);
        w->stopped = true;
        worker_kill(w);
    }
}

/* Has w go on, and its guard, if one of them was stopped. */
static bool was_stopped(const struct worker *w)
{
    pid_t pid = runner(w);
    bool guard = pid != w->pid && stopped_go_on(w->pid);

    return stopped_go_on(pid) || guard;
}

/* CPU time of a process in ns; 0 if it is gone. */
static uint64_t cpu_ns(pid_t pid)
{
    struct timespec ts;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &ts) < 0)
        return 0;
    return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

/*
 * Looks whether slow executions take much of the time of w, which fuzzes without a guard: at five
 * ticks, and a fifth of all, it was in an execution for most of the time since the tick before; and
 * executions do not take as much on average. Then w is told to end its command, and a guarded
 * worker, which looks closer, takes its place (runtime/target/slow.h).
 */
static void check_slow(struct worker *w, bool same)
{
    const uint64_t tick = ms(LOOP_TICK_MS);
    uint64_t cpu;

    if (!w->fuzzing || w->guarded || w->slow || w->host->origin->opt->slow_ns == 0)
        return;
    w->ticks++;
    cpu = cpu_ns(w->pid);
    if (w->ticks == 1)
        w->cpu_first = w->cpu = cpu;
    if (same && cpu > w->cpu && cpu - w->cpu > tick / 2)
        w->slow_ticks++;
    w->cpu = cpu;
    if (w->slow_ticks < SLOW_TICKS || w->slow_ticks * SLOW_PART < w->ticks ||
        (cpu - w->cpu_first) / (worker_mutated(w) + 1) > tick)
        return;
    w->slow = true;
    atomic_store_explicit(&w->shm->stop, CFZ_STOP_SOON, memory_order_relaxed);
}

/* Whether w is in the test function, and in the execution that it was in at the last tick. */
static bool is_executing(const struct worker *w)
{
    return atomic_load_explicit(&w->shm->state, memory_order_relaxed) == CFZ_STATE_TARGET &&
           atomic_load_explicit(&w->shm->execs, memory_order_relaxed) == w->execs;
}

static void check_busy(struct worker *w, uint64_t now)
{
    uint64_t execs = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    uint32_t state = atomic_load_explicit(&w->shm->state, memory_order_relaxed);
    uint64_t limit = (uint64_t)w->hang_ns;

    if (execs == w->execs && was_stopped(w)) {
        go_on(w);
        return;
    }
    w->stops = 0;
    check_slow(w, execs == w->execs && state == CFZ_STATE_TARGET);
    if (execs != w->execs) {
        w->execs = execs;
        w->progress = now;
    } else if (now - w->progress > ms(LOST_MS) && runs_another(w)) {
        w->lost = true;
        worker_kill(w);
    } else if (state == CFZ_STATE_TARGET && now - w->progress > limit) {
        hung(w);
    } else if (state != CFZ_STATE_TARGET && now - w->progress > ms(LOST_MS) && worker_stale(w)) {
        w->stuck = true;
        worker_kill(w);
    } else if (state != CFZ_STATE_TARGET && now - w->progress > ms(ENGINE_STALL_MS) &&
               now - w->progress > limit) {
        struct cfz_error err = CFZ_ERROR_INIT;

        cfz_fail(&err, CFZ_EINTERNAL, "fuzzing process does not answer");
        cfz_error_keep(&w->err, &err);
        worker_kill(w);
    }
}

/* The socket of w ended some time ago. That is the tested code's doing if the process lives. */
static void check_lost(struct worker *w, uint64_t now)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    const char state = proc_state(w->pid); /* 0: it is gone, and its number may be another's */

    if (state != 'Z' && state != 0) {
        w->lost = true;
        worker_kill(w);
    } else if (now - w->lost_since > ms(ORIGIN_READY_MS)) {
        cfz_fail(&err, CFZ_EINTERNAL, "fuzzing process ended, and its parent does not say how");
        cfz_error_keep(&w->err, &err);
        on_orphaned(&w->child, 0);
    }
}

static void on_tick(struct child *c, uint64_t now)
{
    struct worker *w = c->owner;

    if (is_over(w))
        return;
    if (w->state == WORKER_BUSY && !w->scribbled) {
        if (cfz_proc_shm_sane(w->shm, false))
            w->mutated = worker_mutated(w);
        else
            worker_scribbled(w);
    }
    renew_seen(w);
    output_tick(&w->output);
    if (w->killed && w->pid > 0) {
        hang_release(runner(w));
        return;
    }
    if (w->lost_since != 0 && now - w->lost_since > ms(LOST_MS)) {
        check_lost(w, now);
    } else if (w->state == WORKER_STARTING && w->pid > 0 && was_stopped(w)) {
        go_on(w);
    } else if (w->state == WORKER_STARTING && now > w->since &&
               now - w->since > ms(ORIGIN_READY_MS)) {
        struct cfz_error err = CFZ_ERROR_INIT;

        if (w->pid <= 0 || w->tries >= ORIGIN_FORK_TRIES) {
            cfz_fail(&err, CFZ_EINTERNAL,
                     "fuzzing process was not ready within %d seconds, %d times",
                     ORIGIN_READY_MS / 1000, w->tries);
            cfz_error_keep(&w->err, &err);
        }
        worker_kill(w);
        if (w->pid <= 0)
            on_orphaned(c, 0); /* the host does not fork; nothing to wait for */
    } else if (w->state == WORKER_BUSY && now > w->since) {
        if (worker_stale(w))
            atomic_store_explicit(&w->shm->stop, CFZ_STOP_SOON, memory_order_relaxed);
        if (w->stop_since != 0 && now - w->stop_since > ms(ORIGIN_STOP_MS) && now > w->stop_since &&
            !(w->patient && is_executing(w)))
            worker_kill(w); /* Ctrl-C does not wait for the hang limit */
        else if (!check_memory(w))
            check_busy(w, now);
    }
}

static void on_excuse(struct child *c, uint64_t now)
{
    struct worker *w = c->owner;

    if (w->lost_since != 0)
        w->lost_since = now;
    if (w->state == WORKER_STARTING && w->pid <= 0)
        w->since = now;
}

static void shift(uint64_t *stamp, uint64_t by, uint64_t now)
{
    if (*stamp != 0)
        *stamp = now - *stamp > by ? *stamp + by : now;
}

static void on_shift(struct child *c, uint64_t by, uint64_t now)
{
    struct worker *w = c->owner;

    shift(&w->since, by, now);
    shift(&w->progress, by, now);
    shift(&w->lost_since, by, now);
    shift(&w->stop_since, by, now);
}

static void on_free(struct child *c)
{
    worker_free(c->owner);
}

static const struct child_type worker_type = {.forked = on_forked,
                                              .exited = on_exited,
                                              .orphaned = on_orphaned,
                                              .tick = on_tick,
                                              .excuse = on_excuse,
                                              .shift = on_shift,
                                              .free = on_free};
