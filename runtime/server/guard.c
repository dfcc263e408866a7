/*
 * guard.c - see guard.h.
 *
 *   1. A worker is forked from a process that never ran the target: what a crash left in memory
 *      is gone with it.
 *   2. It is replaced only when it died in the target, on the thread that runs the target: then
 *      the engine's own data are whole.
 *   3. Nothing of the target survives its worker. If a process that the target forked lives, the
 *      guard dies as its worker did, and the host kills the whole process group.
 *   4. A worker that executes for long is asked whether to end (slow.h), and ends by itself, in the
 *      target: it may have come back from there when it is asked.
 *   5. A worker whose target wrote over the memory that it shares with the guard is not replaced,
 *      and nothing there is believed.
 */
#define _GNU_SOURCE
#include "server/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/known.h"
#include "self/shared.h"
#include "server/children.h"
#include "target/slow.h"
#include "worker/worker_watch.h"
#include "worker/worker_whole.h"
#include "self/actions.h"
#include "target/crash.h"
#include "target/ours.h"
#include "target/temp_dirs.h"

/* What the guards of a run, and their workers, share of slow executions. */
struct slow {
    struct cfz_slow_sums sums;
    uint8_t known[]; /* counters that slow executions showed (cfz_counters_beyond) */
};

/* The target may write over all that is shared while the guard looks, so no pointer and no size is
 * taken from there. */
static struct {
    struct cfz_worker *w; /* NULL: no execution is cut short */
    struct slow *shared;
    size_t ncounters;     /* of shared->known */
    struct cfz_slow slow; /* the guard's */
} cut;

static size_t shared_size(void)
{
    return sizeof *cut.shared + cut.ncounters;
}

int cfz_guard_map(struct cfz_error *err)
{
    cut.ncounters = cfz_counters_total();
    cut.shared = cfz_shared_map(shared_size(), "slow executions", err);
    return cut.shared ? 0 : -1;
}

int cfz_guard_renew(struct cfz_error *err)
{
    return cut.shared ? cfz_shared_renew(cut.shared, shared_size(), err) : 0;
}

/* Ends this process in the way that its worker ended. */
static void __attribute__((noreturn)) end_likewise(int status)
{
    const struct rlimit none = {0, 0};
    struct cfz_proc_shm *shm = cfz_worker_shm();
    const struct cfz_crash *c = &shm->crash;
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    sigset_t set;

    /* Where this is not said, the guard was ended itself. */
    atomic_store_explicit(&shm->runner, 0, memory_order_relaxed);
    /* The worker saw a known crash and took the short way out. This is how the long way ends. */
    if (WIFEXITED(status) && WEXITSTATUS(status) == CFZ_EXIT_KNOWN &&
        atomic_load_explicit(&c->kind, memory_order_relaxed) != CFZ_CRASH_NONE)
        sig = atomic_load_explicit(&c->kind, memory_order_relaxed) == CFZ_CRASH_SIGNAL ? c->signo
                                                                                       : SIGABRT;
    if (sig == 0)
        _exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE,
              &none); /* the worker has left a core file already, if there is to be one */
    cfz_action_default(sig);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), sig);
    _exit(128 + sig);
}

/* ---- slow executions ---------------------------------------------------------------- */

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec ts;

    if (clock_gettime(clock, &ts) < 0)
        return 0;
    return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static bool executes(void)
{
    return atomic_load_explicit(&cfz_worker_shm()->state, memory_order_relaxed) == CFZ_STATE_TARGET;
}

/* Whether the execution that the guard asked about still runs, and has shown nothing that is new
 * among slow ones, or nothing that can be paid for (slow.h, rule 4). In the worker. Context:
 * signal. */
static bool is_to_end(void)
{
    struct cfz_worker *w = cut.w;
    bool allowed, shows;

    if (!w->fuzzing || !executes() ||
        atomic_load_explicit(&w->asked, memory_order_relaxed) !=
            atomic_load_explicit(&cfz_worker_shm()->execs, memory_order_relaxed))
        return false;
    allowed = atomic_load_explicit(&w->allowed, memory_order_relaxed);
    if (!allowed && !atomic_load_explicit(&w->spared, memory_order_relaxed))
        return true;
    shows = cfz_counters_beyond(cut.shared->known, cut.ncounters);
    return !allowed && !shows;
}

/* Readies what has slow executions cut short. Where it cannot, none is. */
static void watch_slow(struct cfz_worker *w, uint64_t limit)
{
    if (limit == 0 || !cut.shared || !cfz_crash_cuttable(is_to_end))
        return;
    cut.w = w;
    cfz_slow_init(&cut.slow, limit, &cut.shared->sums);
}

/* Whether the worker still runs this program, and not one that the target had it execute: the
 * signal would end that. */
static bool is_ours(pid_t worker)
{
    char path[64];
    struct stat ours, its;

    snprintf(path, sizeof path, "/proc/%d/exe", (int)worker);
    return stat("/proc/self/exe", &ours) == 0 && stat(path, &its) == 0 &&
           ours.st_ino == its.st_ino && ours.st_dev == its.st_dev;
}

/* Looks at what the worker executes, and asks it to end where that takes long. */
static void look(struct cfz_worker *w, pid_t worker)
{
    uint64_t execs = atomic_load_explicit(&cfz_worker_shm()->execs, memory_order_relaxed);
    bool runs = executes();
    enum cfz_slow_fate fate;
    clockid_t clock;

    if (clock_getcpuclockid(worker, &clock) != 0)
        return;
    fate = cfz_slow_look(&cut.slow, clock_ns(clock), execs, runs, w->fuzzing);
    if (runs && cfz_slow_late(&cut.slow))
        atomic_store_explicit(&w->hurry, true, memory_order_relaxed);
    if (fate == CFZ_SLOW_GOES_ON || !is_ours(worker))
        return;
    atomic_store_explicit(&w->allowed, fate == CFZ_SLOW_ALLOWED, memory_order_relaxed);
    atomic_store_explicit(&w->spared, cfz_slow_spares(&cut.slow), memory_order_relaxed);
    atomic_store_explicit(&w->asked, execs, memory_order_relaxed);
    w->worth = cfz_slow_worth(&cut.slow);
    syscall(SYS_tgkill, worker, worker, CFZ_SIGNAL_CUT);
}

/* ---- the end of a worker ------------------------------------------------------------- */

/* The signal that a child ended, which the guard waits for; and as it was before. */
static struct {
    sigset_t set, mask;
    struct sigaction action;
} child_ended;

static void await_children(void)
{
    sigemptyset(&child_ended.set);
    sigaddset(&child_ended.set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended.set, &child_ended.mask);
    cfz_children_default(&child_ended.action);
}

/* In a worker. */
static void await_no_children(void)
{
    sigaction(SIGCHLD, &child_ended.action, NULL);
    if (!sigismember(&child_ended.mask, SIGCHLD))
        sigprocmask(SIG_UNBLOCK, &child_ended.set, NULL);
}

/* Waits for the worker, and reaps processes that the target left behind, which become our children.
 */
static int wait_for(struct cfz_worker *w, pid_t worker)
{
    int status = 0;
    pid_t ended;

    for (;;) {
        struct timespec wait = {.tv_sec = (time_t)(cut.slow.wait / 1000000000),
                                .tv_nsec = (long)(cut.slow.wait % 1000000000)};

        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == worker)
                return status;
        if (ended < 0 && errno != EINTR)
            return status;
        if (sigtimedwait(&child_ended.set, NULL, cut.w ? &wait : NULL) < 0 && errno == EAGAIN)
            look(w, worker);
    }
}

/* Reports whether the worker that ended is to be replaced: it died of a known crash, or in an
 * execution that took long, which is counted here; and it left whole what we share with it, and
 * nothing that still runs. */
static bool take_over(struct cfz_worker *w, int status)
{
    struct cfz_crash *c;
    pid_t left;
    bool slow;
    int at = -1;

    if (!cfz_worker_whole() || !cfz_proc_shm_sane(w->shm, true))
        return false;
    c = &w->shm->crash;
    if (!w->fuzzing || c->foreign_thread != 0 ||
        atomic_load_explicit(&c->kind, memory_order_relaxed) == CFZ_CRASH_NONE ||
        atomic_load_explicit(&w->shm->state, memory_order_relaxed) != CFZ_STATE_TARGET)
        return false;
    slow = atomic_load_explicit(&c->kind, memory_order_relaxed) == CFZ_CRASH_SLOW;
    if (slow && (!WIFEXITED(status) || WEXITSTATUS(status) != CFZ_EXIT_SLOW))
        return false;
    if (!slow)
        at = cfz_known_find(w->run, c);
    if (!slow && (at < 0 || cfz_known_recurs(w->run, at, w->shm->known[at])))
        return false;
    while ((left = waitpid(-1, NULL, WNOHANG)) >
           0) { /* processes that it left, which are dead by now */
    }
    if (left == 0)
        return false; /* one of them is alive */
    cfz_worker_bump(slow ? &w->shm->cut : &w->shm->known[at]);
    w->worth = slow ? w->worth : 0;
    return true;
}

/* In the new worker, which has a copy of the guard's memory. */
static void begin(struct cfz_worker *w, pid_t guard)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard)
        _exit(CFZ_EXIT_ORPHAN);
    /* Here, and not by the guard: the first execution may end that before its fork returns. */
    atomic_store_explicit(&cfz_worker_shm()->runner, getpid(), memory_order_relaxed);
    cfz_worker_watch_add(guard);
    cfz_executor_forked(w->x);
    cfz_crash_forked(w->run);
    await_no_children();
}

void cfz_guard(struct cfz_worker *w, uint64_t slow_ns)
{
    pid_t self = getpid();

    prctl(PR_SET_CHILD_SUBREAPER,
          1);             /* so that processes which the target leaves behind are seen */
    cfz_counters_reset(); /* what the setup part counted does not belong to an input */
    cfz_crash_deafen();
    cfz_ours_add(self);
    watch_slow(w, slow_ns);
    await_children();
    for (;;) {
        uint64_t start = clock_ns(CLOCK_MONOTONIC);
        uint64_t execs = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
        int status = 0;
        pid_t pid;

        cfz_crash_hold();
        pid = fork();
        if (pid == 0) {
            begin(w, self);
            return;
        }
        cfz_crash_unhold();
        if (pid < 0 && !w->resumed) {
            await_no_children();
            cfz_crash_hear();
            return;
        }
        if (pid < 0)
            _exit(CFZ_EXIT_UNFORKED); /* the driver starts another worker, later */
        if (cut.w)
            cfz_slow_begin(&cut.slow, execs, clock_ns(CLOCK_MONOTONIC) - start);
        status = wait_for(w, pid);
        if (!take_over(w, status))
            end_likewise(status);
        cfz_temp_dirs_bury(self);
        atomic_store_explicit(&w->shm->state, CFZ_STATE_ENGINE, memory_order_relaxed);
        atomic_store_explicit(&w->shm->traced, 0, memory_order_relaxed);
        cfz_crash_forget();
        lseek(STDERR_FILENO, 0, SEEK_SET); /* the next report overwrites this one */
        cfz_worker_bump(&w->shm->replaced);
        w->resumed = true;
    }
}
