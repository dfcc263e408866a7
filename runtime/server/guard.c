/*
 * guard.c - see guard.h.
 *
 *   1. A worker is forked from a process that never ran the target: what a crash left in memory
 *      is gone with it.
 *   2. It is replaced only when it died in the target, on the thread that runs the target: then
 *      the engine's own data are whole.
 *   3. Nothing of the target survives its worker. If a process that the target forked lives, the
 *      guard dies as its worker did, and the host kills the whole process group.
 *   4. A worker whose target wrote over the memory that it shares with the guard is not replaced,
 *      and nothing there is believed.
 */
#define _GNU_SOURCE
#include "server/guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/known.h"
#include "server/worker_watch.h"
#include "server/worker_whole.h"
#include "target/crash.h"
#include "target/ours.h"
#include "target/temp_dirs.h"

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
    signal(sig, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), sig);
    _exit(128 + sig);
}

/* Waits for the worker, and reaps processes that the target left behind, which become our children.
 */
static int wait_for(pid_t worker)
{
    int status = 0;
    pid_t ended;

    do
        ended = waitpid(-1, &status, 0);
    while (ended != worker && (ended > 0 || errno == EINTR));
    return status;
}

/* Reports whether the worker that ended is to be replaced: it died of a known crash, which is
 * counted here, and left whole what we share with it, and nothing that still runs. */
static bool count_known(struct cfz_worker *w)
{
    struct cfz_crash *c;
    pid_t left;
    int at;

    if (!cfz_worker_whole() || !cfz_proc_shm_sane(w->shm, true))
        return false;
    c = &w->shm->crash;
    if (!w->fuzzing || c->foreign_thread != 0 ||
        atomic_load_explicit(&c->kind, memory_order_relaxed) == CFZ_CRASH_NONE ||
        atomic_load_explicit(&w->shm->state, memory_order_relaxed) != CFZ_STATE_TARGET)
        return false;
    at = cfz_known_find(w->run, c);
    if (at < 0)
        return false;
    while ((left = waitpid(-1, NULL, WNOHANG)) >
           0) { /* processes that it left, which are dead by now */
    }
    if (left == 0)
        return false; /* one of them is alive */
    cfz_worker_bump(&w->shm->known[at]);
    return true;
}

/* In the new worker, which has a copy of the guard's memory. */
static void begin(struct cfz_worker *w, pid_t guard)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard)
        _exit(CFZ_EXIT_ORPHAN);
    cfz_worker_watch_add(guard);
    cfz_executor_forked(w->x);
    cfz_crash_forked(w->run);
}

void cfz_guard(struct cfz_worker *w)
{
    pid_t self = getpid();

    prctl(PR_SET_CHILD_SUBREAPER,
          1);             /* so that processes which the target leaves behind are seen */
    cfz_counters_reset(); /* what the setup part counted does not belong to an input */
    cfz_crash_deafen();
    cfz_ours_add(self);
    for (;;) {
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
            cfz_crash_hear();
            return;
        }
        if (pid < 0)
            _exit(CFZ_EXIT_UNFORKED); /* the driver starts another worker, later */
        atomic_store_explicit(&cfz_worker_shm()->runner, pid, memory_order_relaxed);
        status = wait_for(pid);
        if (!count_known(w))
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
