/*
 * executor.c - enters and leaves user functions.
 *
 * The way in is _setjmp, which saves no signal mask. The way out is longjmp, which every sanitizer
 * intercepts; ThreadSanitizer loses count over _longjmp.
 */
#define _GNU_SOURCE
#include "target/executor.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/temp_token.h"
#include "target/crash.h"
#include "target/huge.h"
#include "target/temp_dirs.h"

struct cfz_executor cfz_executor;

static inline void set_state(struct cfz_executor *x, enum cfz_proc_state state)
{
    atomic_store_explicit(&x->shm->state, (uint32_t)state, memory_order_relaxed);
    /* The handlers run on this thread, so it is enough that the compiler keeps the order. */
    atomic_signal_fence(memory_order_seq_cst);
}

static enum cfz_verdict verdict_of(const struct cfz_scope *s)
{
    if (s->dirty & CFZ_DIRTY_FAILED)
        return CFZ_VERDICT_FAIL;
    return s->dirty & CFZ_DIRTY_SKIPPED ? CFZ_VERDICT_SKIP : CFZ_VERDICT_PASS;
}

/* Forgets a former run. That is cheap if the run left nothing, the common case. */
static inline void scope_begin(struct cfz_scope *s, struct cfz_proc_shm *shm)
{
    if (__builtin_expect(s->dirty != 0, 0)) {
        s->dirty = 0;
        atomic_store_explicit(&shm->log_len, 0, memory_order_relaxed);
    }
    s->active = true;
}

/* Undoes what was pushed, the last one first. Each function may leave by fatal or skip. The name
 * says to who shows a stack that what called a cleanup is ours. */
static __attribute__((noinline)) void cfz_executor_undo(struct cfz_scope *s)
{
    while (s->nundo > 0) {
        const struct cfz_undo *u = &s->undo[--s->nundo];

        if (_setjmp(s->env) == 0)
            u->fn(u->arg);
    }
    s->ncleanup = 0;
    s->dirty &= ~(uint32_t)CFZ_DIRTY_UNDO;
}

bool cfz_scope_undo_push(struct cfz_scope *s, void (*fn)(void *arg), void *arg)
{
    if (s->nundo == sizeof s->undo / sizeof s->undo[0])
        return false;
    s->undo[s->nundo].fn = fn;
    s->undo[s->nundo].arg = arg;
    s->nundo++;
    s->dirty |= CFZ_DIRTY_UNDO;
    return true;
}

/* User code leaves the process in the middle of a run, by exit() or pthread_exit: its cleanups run
 * all the same, in the state in which it asked to end. A cleanup that does so again leaves the
 * others to a second call of this. */
static void on_leaving(void)
{
    struct cfz_executor *x = &cfz_executor;

    x->f.seed = NULL;
    if (x->f.scope.active)
        cfz_executor_undo(&x->f.scope);
    else if (x->t.scope.active)
        cfz_executor_undo(&x->t.scope);
}

/* ---- the setup part ---------------------------------------------------------- */

static void call_setup(struct cfz_executor *x)
{
    void (*fn)(void) = x->test->setup->fn;

    ((void (*)(cfuzz_f *))fn)(&x->f);
}

enum cfz_verdict cfz_executor_setup(struct cfz_executor *x, cfz_seed_fn *seed, void *ctx)
{
    struct cfz_scope *s = &x->f.scope;

    x->f.test = x->test;
    x->f.seed = seed;
    x->f.seed_ctx = ctx;
    x->thread = (uint64_t)pthread_self();
    cfz_crash_on_leaving(on_leaving);
    scope_begin(s, x->shm);
    if (x->test->setup) {
        set_state(x, CFZ_STATE_SETUP);
        cfz_sanitizer_users();
        if (_setjmp(s->env) == 0)
            call_setup(x);
        cfz_sanitizer_ours();
        if (getpid() != x->shm->pid)
            _exit(0); /* as in cfz_executor_run */
        set_state(x, CFZ_STATE_IDLE);
    }
    s->active = false;
    return verdict_of(s);
}

enum cfz_verdict cfz_executor_setup_done(struct cfz_executor *x)
{
    struct cfz_scope *s = &x->f.scope;

    atomic_store_explicit(&x->shm->log_len, 0, memory_order_relaxed);
    x->f.seed = NULL; /* a seed that a cleanup adds comes too late */
    set_state(x, CFZ_STATE_SETUP);
    s->active = true;
    cfz_sanitizer_users();
    cfz_executor_undo(s);
    cfz_sanitizer_ours();
    s->active = false;
    set_state(x, CFZ_STATE_IDLE);
    return verdict_of(s);
}

/* ---- the test ------------------------------------------------------------------- */

int cfz_executor_begin(struct cfz_executor *x, struct cfz_error *err)
{
    /* A page that a fork wipes in the child: it says "I am the worker" without a system call. */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *here = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (here == MAP_FAILED)
        return cfz_fail_errno(err, "map a page");
    if (madvise(here, page, MADV_WIPEONFORK) < 0)
        return cfz_fail_errno(err, "mark a page to be wiped by fork");
    x->here = here;
    x->here_len = page;
    cfz_executor_forked(x);
    x->thread = (uint64_t)pthread_self();
    x->fpmode = cfz_fpmode_get();
    x->keeps_fpmode = cfz_fpmode_may_change();
    sigprocmask(SIG_SETMASK, NULL, &x->mask);
    memset(&x->t, 0, sizeof x->t);
    return cfz_call_init(&x->call, x->test, &x->t, &x->slots, err);
}

void cfz_executor_forked(struct cfz_executor *x)
{
    uint8_t *here = (uint8_t *)(uintptr_t)x->here;

    mprotect(here, x->here_len, PROT_READ | PROT_WRITE);
    *here = 1;
    mprotect(here, x->here_len, PROT_READ);
}

/* Whether shm still says what it said when the target was called. Only a few fields are compared,
 * which nobody else writes meanwhile; the driver checks more. */
static inline bool intact(const struct cfz_executor *x)
{
    const struct cfz_proc_shm *shm = x->shm;

    return atomic_load_explicit(&shm->execs, memory_order_relaxed) == x->execs &&
           atomic_load_explicit(&shm->mutated, memory_order_relaxed) == x->mutated &&
           atomic_load_explicit(&shm->state, memory_order_relaxed) == CFZ_STATE_TARGET &&
           atomic_load_explicit(&shm->outbox_tail, memory_order_relaxed) == x->outbox_tail;
}

/* Ends the process, whose target wrote over shm, and puts right before what we know. */
static void __attribute__((noreturn, cold)) scribbled(struct cfz_executor *x)
{
    atomic_store_explicit(&x->shm->execs, x->execs, memory_order_relaxed);
    atomic_store_explicit(&x->shm->mutated, x->mutated, memory_order_relaxed);
    atomic_store_explicit(&x->shm->outbox_tail, x->outbox_tail, memory_order_relaxed);
    atomic_store_explicit(&x->shm->outbox_open, 0, memory_order_relaxed);
    x->shm->parent = x->parent;
    set_state(x, CFZ_STATE_TARGET);
    if (x->restore_input)
        x->restore_input();
    cfz_crash_scribbled(x->shm);
}

enum cfz_verdict cfz_executor_run(struct cfz_executor *x)
{
    struct cfz_scope *s = &x->t.scope;
    struct cfz_proc_shm *shm = x->shm;

    __atomic_store_n(&x->call.t, (cfuzz_t *)((uintptr_t)x->call.t + 1), __ATOMIC_RELAXED);
    scope_begin(s, shm);
    x->execs = atomic_load_explicit(&shm->execs, memory_order_relaxed) + 1;
    x->mutated = atomic_load_explicit(&shm->mutated, memory_order_relaxed);
    x->outbox_tail = atomic_load_explicit(&shm->outbox_tail, memory_order_relaxed);
    atomic_store_explicit(&shm->execs, x->execs, memory_order_relaxed);
    x->frame = (uintptr_t)__builtin_frame_address(0);
    set_state(x, CFZ_STATE_TARGET);
    if (_setjmp(s->env) == 0)
        cfz_call_invoke(&x->call);
    if (__builtin_expect(x->keeps_fpmode, 0))
        cfz_fpmode_restore(&x->fpmode);
    if (__builtin_expect(*x->here == 0, 0))
        _exit(0); /* a process that the target forked returned from it */
    if (__builtin_expect(cfz_huge_used(), 0))
        cfz_huge_over();
    if (__builtin_expect(s->dirty & CFZ_DIRTY_UNDO, 0))
        cfz_executor_undo(s);
    if (__builtin_expect(!intact(x), 0))
        scribbled(x);
    set_state(x, CFZ_STATE_ENGINE);
    s->active = false;
    if (__builtin_expect(s->dirty == 0, 1))
        return CFZ_VERDICT_PASS;
    cfz_sanitizer_ours(); /* the test may have left by a jump */
    return verdict_of(s);
}

/* ---- undoing --------------------------------------------------------------------- */

void cfz_scope_restore_env(void *scope)
{
    struct cfz_scope *s = scope;
    struct cfz_env_change *c = &s->changes[--s->nenv];

    if (c->old)
        setenv(c->name, c->old, 1);
    else
        unsetenv(c->name);
    free(c->name);
    free(c->old);
}

void cfz_scope_remove_temp(void *scope)
{
    struct cfz_scope *s = scope;

    cfz_temp_remove(s->temp_root);
    s->temp_root[0] = 0;
    s->temp_used = 0;
    s->ntemp = 0;
}
