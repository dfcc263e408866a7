/*
 * host_client.c - see host_client.h.
 */
#define _GNU_SOURCE
#include "process/host_client.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/subprocess.h"
#include "cli/report.h"
#include "process/fork_request.h"
#include "stack/hang.h"
#include "process/stopped.h"

/* Room for the counters of libraries that a test loads while it runs. A library that does not fit
 * is not looked at. Guessed: some of the largest have as many. */
enum { LATE_COUNTERS = 1 << 18 };

enum {
    SETUP_TRIES = 2,      /* of a setup part under which the origin ended; guessed */
    FORK_AGAIN_MS = 1000, /* until a fork that failed is tried again; guessed */
    NO_FORK_S = 5,        /* how long that is done; guessed */
};

static const struct child_type host_type; /* at the end */

/* Appends what the setup part logged and empties the memory for what comes. */
static void take_log(struct host *h)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_buf_append(&h->log, h->shm->log, cfz_proc_log_len(h->shm), &err) < 0)
        cfz_error_keep(&h->err, &err);
    atomic_store_explicit(&h->shm->log_len, 0, memory_order_relaxed);
}

static int add_seed(struct host *h, const struct cfz_record *r, struct cfz_error *err)
{
    struct cfz_values vs = CFZ_VALUES_INIT;

    if ((h->nseeds & (h->nseeds - 1)) == 0) {
        size_t cap = h->nseeds == 0 ? 1 : 2 * h->nseeds;
        struct cfz_values *v = realloc(h->seeds, cap * sizeof *v);

        if (v == NULL)
            return cfz_fail_nomem(err);
        h->seeds = v;
    }
    if (cfz_values_unpack(&vs, h->test->kinds, h->test->nvalues, cfz_record_packed(r), r->packed,
                          err) < 0)
        return cfz_error_wrap(err, "seed#%zu", h->nseeds);
    h->seeds[h->nseeds++] = vs;
    return 0;
}

static int take_seeds(struct host *h, struct cfz_error *err)
{
    const struct cfz_record *r;

    for (;;) {
        if (cfz_outbox_peek(h->shm, &r, err) < 0)
            return -1;
        if (r == NULL)
            return 0;
        if (r->type == CFZ_RECORD_SEED && h->restarts == 0 && add_seed(h, r, err) < 0)
            return -1;
        cfz_outbox_consume(h->shm, r);
    }
}

static void on_seeds(struct host *h, const struct cfz_msg *m, struct cfz_error *err)
{
    struct cfz_msg ack;

    if (take_seeds(h, err) < 0) {
        if (err->code == CFZ_ENOMEM)
            cfz_error_keep(&h->err, err);
        else /* the setup part wrote over it */
            h->scribbled = true;
        host_kill(h);
        return;
    }
    if (m->u.seeds.done == 0) {
        cfz_msg_init(&ack, CFZ_MSG_ACK);
        h->since = uv_hrtime(); /* it is alive */
        if (peer_command(&h->peer, &ack, err) < 0)
            cfz_error_keep(&h->err, err);
        return;
    }
    take_log(h);
    h->verdict = (enum cfz_verdict)m->u.seeds.verdict;
    if (h->state != HOST_STARTING) {
        h->finished = true;
        return;
    }
    h->state = HOST_READY;
    if (h->restarts > 0) {
        if (m->u.seeds.ncounters != h->ncounters) {
            cfz_fail(err, CFZ_EIO,
                     "the setup part loaded other code when it was run again: %llu counters, and "
                     "%llu at first",
                     (unsigned long long)m->u.seeds.ncounters, (unsigned long long)h->ncounters);
            cfz_error_keep(&h->err, err);
        }
        return;
    }
    /* Only now: the setup part may have loaded libraries that have counters too. */
    h->ncounters = m->u.seeds.ncounters;
    /* And the test may load more of them later. */
    if (cfz_run_shm_new(h->ncounters + LATE_COUNTERS, &h->run, &h->run_fd, err) < 0)
        cfz_error_keep(&h->err, err);
}

static void on_message(struct peer *p, const struct cfz_msg *m)
{
    struct host *h = p->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (m->type == CFZ_MSG_SEEDS) {
        on_seeds(h, m, &err);
    } else if (!children_message(h->workers, m)) {
        cfz_fail(&err, CFZ_EINTERNAL, "communicating with fuzzing process: message %u from a host",
                 m->type);
        cfz_error_keep(&h->err, &err);
        host_kill(h);
    }
}

static void on_end(struct peer *p, const struct cfz_error *err)
{
    struct host *h = p->owner;

    if (err != NULL) {
        cfz_error_keep(&h->err, err);
        host_kill(h); /* nothing it says can be understood any more */
    }
    /* Its EXIT follows over the origin's socket; the tick sees to a host that lives on. */
}

static int fork_process(struct host *h, struct cfz_error *err)
{
    struct fork_request r = {.over = &h->origin->peer,
                             .test = h->test,
                             .name = h->test->name,
                             .loop = h->origin->loop->uv,
                             .run_fd = -1};

    h->peer.on_message = on_message;
    h->peer.on_end = on_end;
    h->peer.owner = h;
    h->since = h->ticked = uv_hrtime();
    cfz_msg_init(&r.msg, CFZ_MSG_HOST);
    r.msg.u.fork.id = h->child.id;
    r.msg.u.fork.deadline_ns = h->deadline_ns;
    r.msg.u.fork.short_mode = h->origin->opt->short_mode;
    return fork_request_send(&r, &h->peer, &h->output, &h->shm, err);
}

/* Fails when it makes no sense to go on waiting for h. patience is how many Ctrl-C end the wait. */
static int check_wait(const struct host *h, int patience, struct cfz_error *err)
{
    int sys = 0;

    if (h->origin->loop->interrupts >= patience)
        sys = EINTR;
    else if (h->deadline_ns != 0 && (int64_t)uv_hrtime() >= h->deadline_ns)
        sys = ETIMEDOUT;
    if (sys != 0) {
        cfz_fail(err, CFZ_EIO, "%s", sys == EINTR ? "interrupted" : "timed out");
        if (err != NULL)
            err->sys = sys;
        return -1;
    }
    return origin_check(h->origin, err);
}

/* Waits until the setup part is over, or h gone. */
static int wait_started(struct host *h, int patience, struct cfz_error *err)
{
    while (h->state == HOST_STARTING) {
        if (check_wait(h, patience, err) < 0)
            return -1;
        loop_pump(h->origin->loop);
    }
    if (h->err.code == CFZ_OK)
        return 0;
    *err = h->err;
    return -1;
}

/* Forgets the process of h, which is gone. */
static void renew(struct host *h)
{
    peer_close(&h->peer);
    output_close(&h->output);
    if (h->shm != NULL)
        cfz_shm_unmap(h->shm, h->shm->size);
    h->shm = NULL;
    h->pid = 0;
    h->state = HOST_STARTING;
    h->stops_on_end = 0;
    h->in_user_code = h->stopped = h->hung = h->scribbled = h->tainted = h->orphaned = false;
    h->spoiler = 0;
}

/* After a fork that failed for want of room: waits for a second, and returns true; or false, with
 * *err, if that was done for some seconds, or the user does not want to wait. */
static bool may_fork_again(struct host *h, uint64_t *since, struct cfz_error *err)
{
    uint64_t now = uv_hrtime(), until = now + (uint64_t)FORK_AGAIN_MS * 1000000;

    h->unforked = false;
    if (*since == 0) {
        *since = now;
        report_line("%s: %s; it is tried again", h->test->name, err->text);
    } else if (now - *since >= (uint64_t)NO_FORK_S * 1000000000) {
        cfz_error_wrap(err, "no process could be started for %d seconds", NO_FORK_S);
        return false;
    }
    while (uv_hrtime() < until) {
        if (check_wait(h, 1, err) < 0)
            return false;
        loop_pump(h->origin->loop);
    }
    return true;
}

int host_start(struct origin *o, const struct origin_test *test, int64_t deadline_ns,
               struct host **out, struct cfz_error *err)
{
    struct host *h = calloc(1, sizeof *h);
    uint64_t unforked_since = 0;

    if (h == NULL)
        return cfz_fail_nomem(err);
    h->origin = o;
    h->test = test;
    h->run_fd = -1;
    h->deadline_ns = deadline_ns;
    h->next_worker = 1;
    h->peer = (struct peer)PEER_INIT;
    h->output = (struct output)OUTPUT_INIT;
    h->child = (struct child){.type = &host_type, .owner = h, .id = test->index};
    children_add(&o->hosts, &h->child);
    for (int i = 1;; i++) {
        int ret = fork_process(h, err) < 0 ? -1 : wait_started(h, 1, err);

        if (ret < 0 && h->unforked && may_fork_again(h, &unforked_since, err)) {
            i--;
            renew(h);
            h->err = (struct cfz_error)CFZ_ERROR_INIT;
            continue;
        }
        /* The origin may have ended under the setup part: by somebody's doing, or by its own. */
        if (!origin_lost(o) || h->state == HOST_READY) {
            if (ret < 0)
                break;
            *out = h;
            return 0;
        }
        if (i == SETUP_TRIES) {
            origin_check(o, err);
            cfz_error_wrap(err, "%s: %d times while its setup part ran", test->name, i);
            break;
        }
        if (origin_restart(o, false, o->loop->interrupts + 1, err) < 0)
            break;
        renew(h);
        for (size_t k = 0; k < h->nseeds; k++)
            cfz_values_release(&h->seeds[k]);
        h->nseeds = 0;
        h->err = (struct cfz_error)CFZ_ERROR_INIT;
        cfz_buf_truncate(&h->log, 0);
    }
    host_free(h);
    return -1;
}

/* Whether h ended since the system had no memory for what it needs. It says so where no user code
 * runs. */
static bool had_no_room(const struct host *h, int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == CFZ_EXIT_UNFORKED &&
           atomic_load_explicit(&h->shm->state, memory_order_relaxed) != CFZ_STATE_SETUP;
}

bool host_lost(const struct host *h)
{
    struct ending e;

    if (h->state != HOST_GONE || h->killed || h->run == NULL || h->finished ||
        h->err.code != CFZ_OK ||
        atomic_load_explicit(&h->shm->state, memory_order_relaxed) == CFZ_STATE_SETUP)
        return false;
    host_describe(h, &e);
    return e.kind == ENDING_OUTSIDE || had_no_room(h, h->status);
}

/* Says that the process of h is started anew. Fails if that was done too often. */
static int tell_restart(struct host *h, struct cfz_error *err)
{
    char status[SUBPROCESS_STATUS_MAX];

    if (had_no_room(h, h->status))
        snprintf(status, sizeof status, "the system had no memory for it");
    else
        subprocess_status_text(h->status, status);
    if (h->told_restarts == HOST_RESTARTS_MAX) {
        cfz_fail(&h->err, CFZ_EIO,
                 "the process of the setup part was started anew %d times, and ended again: %s",
                 HOST_RESTARTS_MAX, status);
        *err = h->err;
        return -1;
    }
    report_line("%s: the process of the setup part was ended: %s; it is started anew",
                h->test->name, status);
    h->told_restarts++;
    return 0;
}

void host_expect_end(struct host *h, bool expected)
{
    h->quiet = expected;
    h->quiet_once = !expected && host_lost(h);
}

/* Forks the process of h anew and waits for its setup part. True, with h->state HOST_GONE, if
 * somebody ended it meanwhile; else *why says what is wrong, if anything is. */
static bool ended_again(struct host *h, enum cfz_verdict verdict, struct cfz_error *why)
{
    struct ending e;

    h->restarts++;
    renew(h);
    h->generation++; /* what workers share besides run memory is new */
    if (fork_process(h, why) < 0) {
        h->state = HOST_GONE;
        return false;
    }
    if (wait_started(h, h->origin->loop->interrupts + 2, why) < 0)
        return false;
    if (h->state != HOST_GONE) {
        if (h->verdict != verdict)
            cfz_fail(why, CFZ_EIO, "run the setup part again: it passed at first, and %s now",
                     h->verdict == CFZ_VERDICT_SKIP ? "skips the test" : "fails");
        return false;
    }
    host_describe(h, &e);
    if (e.kind == ENDING_OUTSIDE)
        return true;
    cfz_fail(why, CFZ_EIO, "run the setup part again: %s", e.text);
    return false;
}

int host_restart(struct host *h, struct cfz_error *err)
{
    struct cfz_error why = CFZ_ERROR_INIT;
    size_t logged = h->log.len;
    enum cfz_verdict verdict = h->verdict;
    bool quiet = h->quiet || h->quiet_once, again;

    CFZ_ASSERT(host_lost(h));
    if (origin_lost(h->origin)) {
        if (origin_restart(h->origin, quiet, h->origin->loop->interrupts + 2, err) < 0)
            return -1;
    } else if (!quiet && tell_restart(h, err) < 0) {
        return -1;
    }
    h->quiet_once = false;
    do {
        again = ended_again(h, verdict, &why);
        cfz_buf_truncate(&h->log, logged);
        if (again && tell_restart(h, err) < 0)
            return -1;
    } while (again);
    if (why.code == CFZ_OK)
        return 0;
    cfz_error_keep(&h->err, &why);
    *err = why;
    return -1;
}

int host_finish(struct host *h, struct cfz_error *err)
{
    struct cfz_msg m;

    if (h->state != HOST_READY)
        return 0;
    CFZ_ASSERT(h->workers == NULL);
    h->state = HOST_FINISHING;
    h->since = uv_hrtime();
    cfz_msg_init(&m, CFZ_MSG_FINISH);
    if (peer_command(&h->peer, &m, err) < 0)
        return -1;
    while (h->state != HOST_GONE) {
        if (check_wait(h, 2, err) < 0)
            return -1;
        loop_pump(h->origin->loop);
    }
    if (h->err.code != CFZ_OK) {
        *err = h->err;
        return -1;
    }
    return h->orphaned ? origin_check(h->origin, err) : 0;
}

void host_describe(const struct host *h, struct ending *e)
{
    struct ending_facts f = {0};

    f.status = h->status;
    f.hung = h->hung;
    f.stopped = h->stopped;
    f.killed = h->killed && !h->hung && !h->stopped;
    f.state = (enum cfz_proc_state)atomic_load_explicit(&h->shm->state, memory_order_relaxed);
    f.hang_ns = h->origin->opt->hangtimeout_ns;
    f.crash = (enum cfz_crash_kind)atomic_load_explicit(&h->shm->crash.kind, memory_order_relaxed);
    f.scribbled = h->scribbled || f.crash >= CFZ_CRASH_KINDS || f.state > CFZ_STATE_SETUP;
    if (f.crash >= CFZ_CRASH_KINDS)
        f.crash = CFZ_CRASH_NONE;
    if (f.scribbled)
        f.state = CFZ_STATE_SETUP;
    f.crash_signo = h->shm->crash.signo;
    f.crash_code = h->shm->crash.code;
    f.foreign_thread = h->shm->crash.foreign_thread;
    f.log = cfz_buf_str(&h->log);
    ending_decide(&f, e);
}

int host_check(const struct host *h, bool *crashed, struct cfz_error *err)
{
    struct ending e;

    *crashed = false;
    if (h->err.code != CFZ_OK) {
        *err = h->err;
        return -1;
    }
    if (h->state != HOST_GONE)
        return 0;
    host_describe(h, &e);
    *crashed = e.kind == ENDING_CRASH;
    return cfz_fail(err, *crashed || e.kind == ENDING_OUTSIDE ? CFZ_EIO : CFZ_EINTERNAL,
                    "the process of the setup part ended: %s", e.text);
}

void host_kill(struct host *h)
{
    if (h->state == HOST_GONE)
        return;
    h->killed = true;
    if (h->pid <= 0)
        return;             /* on_forked sees to it: its own message may overtake the origin's */
    kill(-h->pid, SIGKILL); /* its workers, each a group of their own, die with it */
    kill(h->pid, SIGKILL);
}

void host_free(struct host *h)
{
    if (h == NULL)
        return;
    children_free(&h->workers);
    if (h->state == HOST_READY) /* that one cleans up and ends when its socket closes */
        stopped_go_on(h->pid);
    else
        host_kill(h);
    peer_close(&h->peer);
    output_close(&h->output);
    if (h->shm != NULL)
        cfz_shm_unmap(h->shm, h->shm->size);
    if (h->run != NULL)
        cfz_shm_unmap(h->run, h->run->size);
    if (h->run_fd >= 0)
        close(h->run_fd);
    for (size_t i = 0; i < h->nseeds; i++)
        cfz_values_release(&h->seeds[i]);
    free(h->seeds);
    cfz_buf_release(&h->log);
    children_remove(&h->origin->hosts, &h->child);
    free(h);
}

/* ---- what the origin and the clock say --------------------------------------- */

static void on_forked(struct child *c, int pid)
{
    struct host *h = c->owner;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (h->state == HOST_GONE)
        return;
    if (pid > 0) {
        h->pid = pid;
        if (h->killed)
            host_kill(h);
        return;
    }
    cfz_fail(&err, CFZ_EIO, "fork a process for %s: %s", h->test->name, strerror(-pid));
    cfz_error_keep(&h->err, &err);
    h->unforked = true;
    h->state = HOST_GONE;
}

static void on_exited(struct child *c, int status)
{
    struct host *h = c->owner;

    if (h->state == HOST_GONE)
        return;
    peer_drain(&h->peer);
    h->orphans = 0;
    children_orphaned(h->workers, status);
    if (h->state != HOST_READY && had_no_room(h, status)) {
        struct cfz_error err = CFZ_ERROR_INIT;

        cfz_fail(&err, CFZ_EIO, "%s for %s: the system has no memory for it",
                 h->state == HOST_STARTING ? "start a process"
                                           : "end the process of the setup part",
                 h->test->name);
        cfz_error_keep(&h->err, &err);
    }
    if (h->state == HOST_STARTING || h->state == HOST_FINISHING)
        take_log(h);
    h->status = status;
    h->state = HOST_GONE;
}

/* The origin has ended. */
static void on_orphaned(struct child *c, int status)
{
    struct host *h = c->owner;

    if (h->state == HOST_GONE)
        return;
    proc_end_tree(h->pid, h->origin->pid);
    h->orphaned = true;
    on_exited(c, status);
}

/* Whether user code runs in h: its limit is -hangtimeout then, and else one for code of ours. */
static bool in_user_code(const struct host *h)
{
    uint32_t state = atomic_load_explicit(&h->shm->state, memory_order_relaxed);

    /* Behind the last: the setup part wrote over it. */
    return (h->state == HOST_STARTING || h->state == HOST_FINISHING) && !h->finished &&
           state >= CFZ_STATE_SETUP;
}

static void overdue(struct host *h)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (h->pid > 0 && h->in_user_code) {
        hang_stack(h->pid, &h->hung_stack, NULL);
        h->hung = true;
        host_kill(h);
        return;
    }
    cfz_fail(&err, CFZ_EINTERNAL, "%s",
             h->pid <= 0 ? "the test executable does not fork"
                         : "the process of the setup part does not answer");
    cfz_error_keep(&h->err, &err);
    host_kill(h);
    h->state = HOST_GONE;
}

/* The time of h, and of those of its workers of which only h could have told, begins anew. */
static void go_on(struct host *h, uint64_t now)
{
    stopped_tell(&h->stops, h->test->name, "the process of the setup part");
    h->since = now - h->since > h->elapsed ? h->since + h->elapsed : now;
    children_excuse(h->workers, now);
    if (h->in_user_code && ++h->stops_on_end >= STOPPED_MAX) {
        hang_stack(h->pid, &h->hung_stack, NULL);
        h->stopped = true;
        host_kill(h);
    }
}

static void on_tick(struct child *c, uint64_t now)
{
    struct host *h = c->owner;
    uint64_t limit = (uint64_t)h->origin->opt->hangtimeout_ns, ours = ORIGIN_READY_MS * 1000000ULL;
    bool user;

    if (h->state == HOST_GONE)
        return;
    output_tick(&h->output);
    h->elapsed = now - h->ticked;
    h->ticked = now;
    user = in_user_code(h);
    if (user != h->in_user_code) {
        h->since = now;
        h->stops_on_end = 0;
    }
    h->in_user_code = user;
    if (!h->killed && stopped_go_on(h->pid))
        go_on(h, now);
    else
        h->stops_on_end = 0;
    children_tick(h->workers, now);
    if (h->killed)
        hang_release(h->pid);
    if (!user && limit < ours)
        limit = ours;
    if ((h->state == HOST_STARTING || h->state == HOST_FINISHING) && (!h->killed || h->pid <= 0) &&
        now > h->since && now - h->since > limit)
        overdue(h);
}

static void on_excuse(struct child *c, uint64_t now)
{
    struct host *h = c->owner;

    if (h->pid <= 0 || h->killed || h->finished)
        h->since = now;
}

static void on_shift(struct child *c, uint64_t by, uint64_t now)
{
    struct host *h = c->owner;

    h->since = now - h->since > by ? h->since + by : now;
    children_shift(h->workers, by, now);
}

static void on_free(struct child *c)
{
    host_free(c->owner);
}

static const struct child_type host_type = {.forked = on_forked,
                                            .exited = on_exited,
                                            .orphaned = on_orphaned,
                                            .tick = on_tick,
                                            .excuse = on_excuse,
                                            .shift = on_shift,
                                            .free = on_free};
