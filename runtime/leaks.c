/*
 * leaks.c - see leaks.h.
 *
 * Blocks that are not freed yet stand in a table, their addresses inverted: as they are,
 * the table would be where LeakSanitizer finds them. The hooks run in any thread; the table
 * is the engine thread's alone, others only count.
 */
#define _GNU_SOURCE
#include "leaks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters.h"
#include "crash.h"
#include "sanitizer.h"

enum {
    TABLE = 4096,       /* blocks; a power of two. Guessed: one input that leaks more is rare */
    NEAR = 8,           /* places where a block may be */
    AGAIN = 2,          /* repetitions in which the allocations have to grow */
    WAIT_FIRST = 1024,  /* executions after the first check in vain; a check is some 5 ms */
    WAIT_MAX = 1 << 24, /* and at most */
};

/* Exit status of the child: bits. */
enum {
    LOST = 1,        /* there are leaks */
    LOST_BEFORE = 2, /* also without what the table has */
    CHECKED = 0x40,  /* it got that far */
};

_Atomic int64_t cfz_leaks_balance;

static uintptr_t blocks[TABLE]; /* inverted; 0: free */
static bool overflow;           /* some did not fit */
static bool on, paused;
static pthread_t engine;
static uint64_t not_before; /* execs at which the next check may be */
static uint64_t wait_next;

/* ---- counting -------------------------------------------------------------------- */

static size_t place_of(uintptr_t p)
{
    return (size_t)(p * 0x9e3779b97f4a7c15U >> 48) % TABLE;
}

/* Context: any. */
static void on_malloc(const volatile void *block, size_t size)
{
    uintptr_t p = (uintptr_t)block;

    (void)size;
    if (!p)
        return;
    atomic_fetch_add_explicit(&cfz_leaks_balance, 1, memory_order_relaxed);
    if (!pthread_equal(pthread_self(), engine))
        return;
    for (size_t i = place_of(p), n = 0; n < NEAR; n++) {
        if (blocks[(i + n) % TABLE] == 0) {
            blocks[(i + n) % TABLE] = ~p;
            return;
        }
    }
    overflow = true;
}

/* Context: any. */
static void on_free(const volatile void *block)
{
    uintptr_t p = (uintptr_t)block;

    if (!p)
        return;
    atomic_fetch_sub_explicit(&cfz_leaks_balance, 1, memory_order_relaxed);
    if (!pthread_equal(pthread_self(), engine))
        return;
    for (size_t i = place_of(p), n = 0; n < NEAR; n++) {
        if (blocks[(i + n) % TABLE] == ~p) {
            blocks[(i + n) % TABLE] = 0;
            return;
        }
    }
}

void cfz_leaks_pause(void)
{
    if (__lsan_do_recoverable_leak_check && __lsan_disable && __lsan_enable && !paused) {
        paused = true;
        __lsan_disable();
    }
}

void cfz_leaks_init(void)
{
    if (paused)
        __lsan_enable();
    paused = false;
    if (!__lsan_do_recoverable_leak_check || !__lsan_ignore_object ||
        !__sanitizer_install_malloc_and_free_hooks)
        return;
    engine = pthread_self();
    on = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0;
}

/* ---- deciding -------------------------------------------------------------------- */

/* LeakSanitizer takes the blocks of the table as in use from now on. */
static void forgive(void)
{
    for (size_t i = 0; i < TABLE; i++)
        if (blocks[i] != 0)
            __lsan_ignore_object((const void *)~blocks[i]);
}

void cfz_leaks_begin(void)
{
    if (!on)
        return;
    memset(blocks, 0, sizeof blocks);
    overflow = false;
    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
}

/* The child's part. */
static void __attribute__((noreturn)) ask(void)
{
    int status = CHECKED;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO); /* a report now would name the leaks of others as well */
    if (__lsan_do_recoverable_leak_check()) {
        status |= LOST;
        forgive();
        if (__lsan_do_recoverable_leak_check())
            status |= LOST_BEFORE;
    }
    _exit(status);
}

/* Asks a child; true if there are leaks, and all of them are in the table. */
static bool ours(void)
{
    pid_t child = fork();
    int status;

    if (child < 0)
        return false;
    if (child == 0)
        ask();
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (!WIFEXITED(status) || !(WEXITSTATUS(status) & CHECKED)) {
        /* Under a debugger, or where processes may not trace each other. */
        static const char text[] = "cfuzz: LeakSanitizer does not work here: leaks are not found\n";

        if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
            /* it is said as far as it can be */
        }
        on = false;
        return false;
    }
    if (!(WEXITSTATUS(status) & LOST))
        return false;
    return overflow || !(WEXITSTATUS(status) & LOST_BEFORE);
}

enum cfz_verdict cfz_leaks_look(struct cfz_executor *x, enum cfz_verdict verdict, bool repeat)
{
    int64_t balance = atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed);
    uint64_t execs = atomic_load_explicit(&x->shm->execs, memory_order_relaxed);

    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
    if (!on || balance < 0 || (verdict == CFZ_VERDICT_PASS && execs < not_before && !overflow))
        return verdict;
    for (int i = 0; repeat && verdict == CFZ_VERDICT_PASS && balance > 0 && i < AGAIN; i++) {
        verdict = cfz_executor_run(x);
        cfz_counters_reset(); /* what a caller collected stays as it is */
        balance = atomic_exchange_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
    }
    if (verdict == CFZ_VERDICT_PASS && balance > 0 && execs >= not_before) {
        if (ours() && __lsan_do_recoverable_leak_check())
            cfz_crash_reported();
        wait_next = wait_next == 0 ? WAIT_FIRST : wait_next < WAIT_MAX ? 2 * wait_next : WAIT_MAX;
        not_before = execs + wait_next;
    }
    forgive();
    cfz_leaks_begin();
    return verdict;
}
