/*
 * executor.h - runs the test with the input that is in the slots; and the setup part.
 *
 *                     +-- cfuzz_fatal, skip: longjmp --+
 *                     |                                v
 *     ENGINE --call--> TARGET ---- returns ----> cleanups (TARGET) --> ENGINE
 *                     |
 *                     +-- crash, exit: crash.c marks it, the process ends
 *
 * What a test may leave behind is recorded in cfz_scope.dirty. Zero means that there is nothing to
 * undo, so an execution pays only for what it used.
 */
#ifndef CFZ_EXECUTOR_H
#define CFZ_EXECUTOR_H

#include <setjmp.h>
#include <signal.h>

#include "target/call.h"
#include "target/fpmode.h"

enum {
    CFZ_CLEANUPS_MAX = 64,        /* by cfuzz_cleanup; cfuzz.h promises it */
    CFZ_SETENV_MAX = 62,          /* variables; guessed */
    CFZ_TEMP_ROOM = (size_t)8192, /* for the paths of temporary directories; guessed */
};

/* What a run did, bits of cfz_scope.dirty. */
enum cfz_dirt {
    CFZ_DIRTY_FAILED = 1,
    CFZ_DIRTY_SKIPPED = 2,
    CFZ_DIRTY_LOGGED = 4,
    CFZ_DIRTY_UNDO = 8,      /* has entries in undo */
    CFZ_DIRTY_PARALLEL = 16, /* called cfuzz_parallel */
    CFZ_DIRTY_SETENV = 32,   /* called cfuzz_setenv */
    CFZ_DIRTY_REJECTED = 64, /* with SKIPPED: the input is not to enter the corpus (harness.h) */
};

/* One thing to undo after the run. The last one is undone first. */
struct cfz_undo {
    void (*fn)(void *arg); /* the user's cleanup, or ours below */
    void *arg;
};

struct cfz_env_change {
    char *name;
    char *old; /* NULL: was not set */
};

/* What cfuzz_t and cfuzz_f have in common: one run of a user's function. */
struct cfz_scope {
    jmp_buf env;
    uint32_t dirty;    /* enum cfz_dirt */
    bool active;       /* the function or its cleanups are running */
    uint32_t nundo;    /* in use */
    uint32_t ncleanup; /* of these, the user's */
    uint32_t nenv;
    struct cfz_undo undo[CFZ_CLEANUPS_MAX + CFZ_SETENV_MAX + 2];
    struct cfz_env_change changes[CFZ_SETENV_MAX];
    unsigned ntemp;
    char temp_root[512]; /* the directory that holds those of this run; empty: none yet */
    size_t temp_used;    /* bytes of temp, which holds the paths that were handed out */
    char temp[CFZ_TEMP_ROOM];
};

/*
 * A test does not get the address of this as its cfuzz_t *, but that address plus the number of the
 * execution; nobody dereferences it. So a report by a thread that an earlier execution left behind
 * can be told from a report of this one.
 */
struct cfuzz_t {
    struct cfz_scope scope;
};

/* Takes one seed of a setup part; vs is borrowed. If it fails, the setup part fails with that
 * text. */
typedef int cfz_seed_fn(void *ctx, const struct cfz_values *vs, struct cfz_error *err);

struct cfuzz_f {
    struct cfz_scope scope;
    const struct cfz_test *test;
    cfz_seed_fn *seed;
    void *seed_ctx;
};

/* How this process runs its test. It is large, so it is static. */
struct cfz_executor {
    const struct cfz_test *test;
    struct cfz_proc_shm *shm; /* state, log, name */
    struct cfz_slots slots;
    struct cfz_call call;
    struct cfuzz_t t;
    struct cfuzz_f f;
    int64_t deadline_ns;                          /* CLOCK_MONOTONIC, 0 for none */
    bool short_mode;                              /* -short */
    struct cfz_fpmode fpmode;                     /* of this process at its beginning */
    bool keeps_fpmode;                            /* it is put back behind each execution */
    const volatile uint8_t *here;                 /* reads 0 in a process that the target forked */
    size_t here_len;                              /* of its page */
    void (*on_log)(const char *text, size_t len); /* gets each item as it is logged, or NULL */
    uint64_t thread; /* pthread_self of the thread that runs user functions */
    /* What shm says while the target runs, unless that writes over it. */
    uint64_t execs, mutated, outbox_tail;
    uint64_t parent;             /* the engine writes it with shm->parent */
    uintptr_t frame;             /* where the stack of the last execution begins */
    void (*restore_input)(void); /* writes the input to shm again as it was; or NULL */
    sigset_t mask;               /* the signals that were blocked at its beginning */
    bool has_handlers; /* the program has set a handler for a signal, through signal or sigaction */
};

/* The executor of this process. testing.c, which users call, has no other way to it. */
extern struct cfz_executor cfz_executor;

/*
 * cfz_executor_setup runs the setup part of x->test, if it has one, without its cleanups;
 * cfz_executor_setup_done runs those. Each returns the verdict of all so far; text is in the log.
 * x->test and x->shm are set. Context: ordinary.
 */
enum cfz_verdict cfz_executor_setup(struct cfz_executor *x, cfz_seed_fn *seed, void *ctx);
enum cfz_verdict cfz_executor_setup_done(struct cfz_executor *x);

/*
 * cfz_executor_begin readies x for running its test in this process and thread. The slots of x are
 * attached. CFZ_EIO, CFZ_EINTERNAL. Context: ordinary.
 */
int cfz_executor_begin(struct cfz_executor *x, struct cfz_error *err);

/* cfz_executor_forked does so in a process that was forked from one that is ready. Context:
 * ordinary. */
void cfz_executor_forked(struct cfz_executor *x);

/*
 * cfz_executor_run executes the input in the slots once, and counts that in shm->execs. It clears
 * the log first, and leaves in it what this run wrote. A process that the target forked ends here
 * if it returns from the test function. The process ends here too, with a mark, if the target wrote
 * over shm. Allocates nothing. Context: ordinary.
 */
enum cfz_verdict cfz_executor_run(struct cfz_executor *x);

/* cfz_executor_rejected reports whether the harness rejected the input of the last execution. */
static inline bool cfz_executor_rejected(const struct cfz_executor *x)
{
    return (x->t.scope.dirty & CFZ_DIRTY_REJECTED) != 0;
}

/* cfz_executor_scope returns the execution that t stands for, or NULL if that is over. Context:
 * target, any thread. */
static inline struct cfz_scope *cfz_executor_scope(struct cfz_executor *x, const cfuzz_t *t)
{
    return x->t.scope.active && __atomic_load_n(&x->call.t, __ATOMIC_RELAXED) == t ? &x->t.scope
                                                                                   : NULL;
}

/* cfz_scope_undo_push adds something to undo after the run; false if there is no room. Context:
 * target. */
bool cfz_scope_undo_push(struct cfz_scope *s, void (*fn)(void *arg), void *arg);

/* For cfz_scope_undo_push: restore one variable of the environment, remove the temporary
 * directories. scope is a struct cfz_scope. Context: target. */
void cfz_scope_restore_env(void *scope);
void cfz_scope_remove_temp(void *scope);

#endif
