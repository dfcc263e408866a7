/*
 * leaks.c - see leaks.h.
 *
 * Invariants:
 *   1. A block in the table belongs to the execution during which it was allocated, by
 *      whatever thread. That execution is a suspect, or the block is nobody's.
 *   2. Suspects are in the order of their executions.
 *   3. The first ninherited suspects are those of processes that died. Their blocks are gone: they
 *      are executed again, and may become suspects of this process.
 *   4. All notes about blocks are in memory of our own mapping, where LeakSanitizer does not look
 *      for pointers, but for the part that is registered while it is asked.
 *
 * The hooks run in any thread, also inside a signal handler and in children of the target.
 */
#define _GNU_SOURCE
#include "target/leaks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/crash.h"
#include "target/sanitizer.h"

enum {
    TABLE = 8192,       /* blocks; a power of two. Guessed: one input that leaks more is rare */
    NEAR = 8,           /* places where a block may be: place_of and those behind it */
    RECENT = 256,       /* places noted of the last execution; if it used more, all are searched */
    SUSPECTS = 256,     /* that wait together; guessed */
    LOG = 1 << 20,      /* bytes of their inputs; guessed */
    SPINS = 1000,       /* tries for a lock, whose holder may be gone; guessed */
    WAIT_FIRST = 1024,  /* executions to wait after the first look in vain; a look is some 5 ms */
    WAIT_MAX = 1 << 24, /* executions to wait at most */
    SOON_MAX = 64,      /* looks in vain before SOON becomes LATER; guessed: a third of a second */
    STALE = 64 << 10,   /* bytes of stack that may hold pointers of functions that returned */
    CHECKED = 0x40,     /* exit status of works_here's child: LeakSanitizer works */
};

/* A place in the table. */
struct block {
    uintptr_t at;  /* the address of the block; 0: the place is free */
    uint64_t exec; /* the execution that allocated it */
};

/* Suspects that wait, as many more when those are executed again, and one that does not wait. */
enum { SUSPECTS_MAX = 2 * SUSPECTS + 1 };

/* An execution that allocated more than it freed. */
struct suspect {
    uint64_t exec, parent; /* its number; the entry that its input was mutated from */
    size_t at, len;        /* of the input in the log; len 0: it is in the slots */
};

/* What a process leaves to the one that takes its place (guard.h), in shared memory. */
struct legacy {
    size_t nsuspects, log_used;
    uint64_t not_before; /* execs at which the next look may be */
    uint64_t wait_next;
    unsigned soon_in_vain;
    struct suspect suspects[SUSPECTS_MAX];
    uint8_t log[LOG];
};

struct memory {
    struct block blocks[TABLE];
    uintptr_t roots[TABLE];  /* while LeakSanitizer is asked: blocks by suspect, nobody's last */
    uint32_t recent[RECENT]; /* places of blocks that execution recent_exec allocated */
};

_Atomic int64_t cfz_leaks_balance;

static struct memory *mem; /* NULL: nothing is counted */
static bool paused;
static bool works, hopeless; /* LeakSanitizer works here, or never will; neither: not tried yet */
static const _Atomic uint64_t *execs; /* of this process: the number of an execution */

static _Atomic bool busy; /* the lock of what follows, and of mem->blocks and mem->recent */
static uint64_t recent_exec;
static size_t nrecent;         /* blocks that it allocated; more than RECENT are only counted */
static uint64_t overflow_exec; /* the first with a block for which there was no place; 0: none */

static struct legacy *left;
static size_t ninherited, ntried; /* suspects taken over; those of them that had their turn */
static struct suspect tried;      /* the last of these */

/* The number of the running or last execution. */
static uint64_t now(void)
{
    return atomic_load_explicit(execs, memory_order_relaxed);
}

/* ---- counting -------------------------------------------------------------------- */

/* Takes the lock. False if its holder does not come back: it is stopped below us (a signal
 * handler), or a fork left its thread behind. */
static bool lock(void)
{
    for (int i = 0; i < SPINS; i++)
        if (!atomic_exchange_explicit(&busy, true, memory_order_acquire))
            return true;
    return false;
}

static void unlock(void)
{
    atomic_store_explicit(&busy, false, memory_order_release);
}

/* Adds n to the balance. The caller holds the lock. */
static void add_to_balance(int64_t n)
{
    atomic_store_explicit(&cfz_leaks_balance,
                          atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

/* The first place where a block may be: Fibonacci hashing of its address. */
static size_t place_of(uintptr_t p)
{
    return (size_t)(p * 0x9e3779b97f4a7c15U >> 48) % TABLE;
}

/* Notes a block. Context: any. */
static void on_malloc(const volatile void *block, size_t size)
{
    uintptr_t p = (uintptr_t)block;
    uint64_t exec = now();

    (void)size;
    if (!p || hopeless || !lock())
        return;
    add_to_balance(1);
    if (recent_exec != exec) {
        recent_exec = exec;
        nrecent = 0;
    }
    for (size_t i = place_of(p), n = 0; n <= NEAR; n++) {
        struct block *b = &mem->blocks[(i + n) % TABLE];

        if (n == NEAR) {
            overflow_exec = overflow_exec ? overflow_exec : exec;
        } else if (b->at == 0) {
            b->at = p;
            b->exec = exec;
            if (nrecent < RECENT)
                mem->recent[nrecent] = (uint32_t)((i + n) % TABLE);
            nrecent++;
            break;
        }
    }
    unlock();
}

/* Forgets a block. Context: any. */
static void on_free(const volatile void *block)
{
    uintptr_t p = (uintptr_t)block;

    if (!p || hopeless || !lock())
        return;
    add_to_balance(-1);
    for (size_t i = place_of(p), n = 0; n < NEAR; n++) {
        struct block *b = &mem->blocks[(i + n) % TABLE];

        if (b->at == p) {
            b->at = 0;
            break;
        }
    }
    unlock();
}

void cfz_leaks_pause(void)
{
    if (__lsan_do_recoverable_leak_check && __lsan_disable && __lsan_enable && !paused) {
        paused = true;
        __lsan_disable();
    }
}

int cfz_leaks_init(struct cfz_executor *x, struct cfz_error *err)
{
    void *p;

    if (paused)
        __lsan_enable();
    paused = false;
    if (!__lsan_do_recoverable_leak_check || !__lsan_ignore_object ||
        !__lsan_register_root_region || !__lsan_unregister_root_region ||
        !__sanitizer_set_report_fd || !__sanitizer_install_malloc_and_free_hooks)
        return 0;
    p = mmap(NULL, sizeof *mem, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return cfz_fail_errno(err, "map memory to find leaks");
    mem = p;
    p = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        mem = NULL;
        return cfz_fail_errno(err, "map memory to find leaks");
    }
    left = p;
    execs = &x->shm->execs;
    if (__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) <= 0)
        mem = NULL;
    return 0;
}

/* ---- forgetting -------------------------------------------------------------------- */

/* Forgets a block, which LeakSanitizer takes as in use from now on. */
static void forgive(struct block *b)
{
    uintptr_t at = b->at;

    if (at == 0)
        return;
    b->at = 0;
    __lsan_ignore_object((const void *)at); /* NOLINT: an address is all we keep */
}

/* Forgives the blocks of the last execution. */
static void forgive_last(void)
{
    uint64_t exec = now();

    if (recent_exec != exec)
        return;
    if (nrecent <= RECENT) {
        for (size_t i = 0; i < nrecent; i++)
            if (mem->blocks[mem->recent[i]].exec == exec)
                forgive(&mem->blocks[mem->recent[i]]);
        return;
    }
    for (size_t i = 0; i < TABLE; i++)
        if (mem->blocks[i].exec == exec)
            forgive(&mem->blocks[i]);
}

/* Forgives all blocks, and forgets all suspects. */
static void forgive_all(void)
{
    for (size_t i = 0; i < TABLE; i++)
        forgive(&mem->blocks[i]);
    overflow_exec = 0;
    left->nsuspects = 0;
    left->log_used = 0;
    ninherited = ntried = 0;
}

void cfz_leaks_begin(void)
{
    if (!mem)
        return;
    if (left->nsuspects > 0)
        forgive_all();
    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
}

void cfz_leaks_resume(void)
{
    if (!mem)
        return;
    ninherited = ntried = 0;
    if (left->nsuspects > SUSPECTS_MAX || left->log_used > LOG) /* the target wrote over it */
        left->nsuspects = left->log_used = 0;
    for (size_t i = 0; i < left->nsuspects; i++)
        if (left->suspects[i].len > 0 && left->suspects[i].at <= LOG &&
            left->suspects[i].len <= LOG - left->suspects[i].at)
            left->suspects[ninherited++] = left->suspects[i];
    left->nsuspects = ninherited;
    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
}

/* ---- asking ------------------------------------------------------------------------ */

/* Where LeakSanitizer writes its report: nowhere, or to stderr. */
static void say_nothing(int null)
{
    __sanitizer_set_report_fd((void *)(intptr_t)null);
}

static void say_all(void)
{
    __sanitizer_set_report_fd((void *)(intptr_t)STDERR_FILENO);
}

/*
 * Whether LeakSanitizer works here. Under a debugger, or where processes may not trace each other,
 * it ends the process that asks. So a child asks first.
 */
static bool works_here(int null)
{
    static const char text[] = "cfuzz: LeakSanitizer does not work here: leaks are not found\n";
    pid_t child = fork();
    int status;

    if (child == 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        __lsan_do_recoverable_leak_check();
        _exit(CHECKED);
    }
    if (child < 0)
        return false; /* it may work another time */
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    works = WIFEXITED(status) && WEXITSTATUS(status) == CHECKED;
    hopeless = !works;
    if (hopeless && write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* there is nowhere else to say it */
    }
    return works;
}

/* Overwrites what functions that returned left on the stack, where LeakSanitizer looks for
 * pointers. */
static __attribute__((noinline)) void wipe_stack(void)
{
    volatile uint8_t stale[STALE];

    for (size_t i = 0; i < STALE; i++)
        stale[i] = 0;
}

/* Asks LeakSanitizer whether memory is lost while the blocks roots[from..to) are in use. */
static bool lost(size_t from, size_t to)
{
    size_t len = (to - from) * sizeof mem->roots[0];
    int found;

    if (len > 0)
        __lsan_register_root_region(mem->roots + from, len);
    wipe_stack();
    found = __lsan_do_recoverable_leak_check();
    if (len > 0)
        __lsan_unregister_root_region(mem->roots + from, len);
    return found != 0;
}

/* The index of the suspect with this execution; nsuspects if it is not a suspect. */
static size_t suspect_of(uint64_t exec)
{
    size_t from = 0, to = left->nsuspects;

    while (from < to) {
        size_t middle = (from + to) / 2;

        if (left->suspects[middle].exec < exec)
            from = middle + 1;
        else
            to = middle;
    }
    return from < left->nsuspects && left->suspects[from].exec == exec ? from : left->nsuspects;
}

/*
 * Fills roots with all blocks. Those of suspect i are roots[start[i]..start[i + 1]); nobody's
 * follow, up to start[nsuspects + 1]. It is not inlined, so that no register keeps a block.
 */
static __attribute__((noinline)) void sort_blocks(size_t start[SUSPECTS_MAX + 3])
{
    /* A counting sort. Sizes are counted two places up, so that their sums are the beginnings one
     * place up. Putting the blocks in moves each of those to its end, the beginning of the next. */
    memset(start, 0, (SUSPECTS_MAX + 3) * sizeof *start);
    for (size_t i = 0; i < TABLE; i++)
        if (mem->blocks[i].at != 0)
            start[suspect_of(mem->blocks[i].exec) + 2]++;
    for (size_t i = 2; i < left->nsuspects + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < TABLE; i++)
        if (mem->blocks[i].at != 0)
            mem->roots[start[suspect_of(mem->blocks[i].exec) + 1]++] = mem->blocks[i].at;
}

/* The first suspect whose blocks are lost; nsuspects if there is none. */
static size_t first_guilty(const size_t start[SUSPECTS_MAX + 3])
{
    size_t end = start[left->nsuspects + 1];
    /* The first innocent suspects have no leak among them; the first guilty ones have one. */
    size_t innocent = 0, guilty = left->nsuspects;

    if (!lost(start[left->nsuspects], end)) /* while nobody's blocks count as in use */
        return left->nsuspects;
    if (lost(0, end)) /* a block that is not in the table, which may have been full */
        return overflow_exec ? suspect_of(overflow_exec) : left->nsuspects;
    while (guilty - innocent > 1) {
        size_t middle = (innocent + guilty) / 2;

        if (lost(start[middle], end))
            guilty = middle;
        else
            innocent = middle;
    }
    return innocent;
}

/* Has LeakSanitizer report suspect i alone, and ends the process with its input in the slots. */
static void accuse(struct cfz_executor *x, size_t i, const size_t start[SUSPECTS_MAX + 3])
{
    const struct suspect *s = &left->suspects[i];
    size_t end = start[left->nsuspects + 1];

    if (s->len > 0 && !cfz_slots_packed(&x->slots, left->log + s->at, s->len))
        cfz_crash_internal(x->shm, "an input that was kept is none of this test");
    x->shm->parent = s->parent;
    if (start[i] > 0)
        __lsan_register_root_region(mem->roots, start[i] * sizeof mem->roots[0]);
    if (lost(start[i + 1], end))
        cfz_crash_reported();
    /* The block was lost a moment ago: a thread of the target has a pointer to it again. */
    if (start[i] > 0)
        __lsan_unregister_root_region(mem->roots, start[i] * sizeof mem->roots[0]);
}

/* Asks about all suspects, and forgets them. */
static void settle(struct cfz_executor *x)
{
    size_t start[SUSPECTS_MAX + 3], found;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (null >= 0 && (works || works_here(null))) {
        sort_blocks(start);
        say_nothing(null);
        found = first_guilty(start);
        say_all();
        if (found < left->nsuspects)
            accuse(x, found, start);
    }
    if (null >= 0)
        close(null);
    forgive_all();
}

/* ---- suspects ---------------------------------------------------------------------- */

/* Makes the last execution a suspect. False if it is to wait and there is no room. */
static bool note(const struct cfz_executor *x, bool waits)
{
    struct suspect *s = &left->suspects[left->nsuspects];

    s->exec = now();
    s->parent = x->shm->parent;
    s->at = left->log_used;
    s->len = cfz_slots_pack(&x->slots, left->log + left->log_used, LOG - left->log_used);
    if (waits && (s->len == 0 || left->nsuspects >= SUSPECTS))
        return false;
    left->log_used += s->len;
    left->nsuspects++;
    return true;
}

static bool is_time(enum cfz_leaks_when when)
{
    return when == CFZ_LEAKS_NOW || now() >= left->not_before ||
           (when == CFZ_LEAKS_SOON && left->soon_in_vain < SOON_MAX);
}

void cfz_leaks_look(struct cfz_executor *x, enum cfz_verdict verdict, enum cfz_leaks_when when)
{
    int64_t balance = atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed);
    bool waits;

    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
    if (!mem || balance < 0)
        return;
    waits = !is_time(when) || ninherited > 0;
    if (verdict != CFZ_VERDICT_PASS) {
        forgive_last();
        return;
    }
    if (!note(x, waits)) {
        forgive_all();
        return;
    }
    if (!waits)
        cfz_leaks_settle(x, when);
}

void cfz_leaks_settle(struct cfz_executor *x, enum cfz_leaks_when when)
{
    if (!mem || left->nsuspects == 0 || ninherited > 0 || !is_time(when))
        return;
    settle(x);
    if (now() >= left->not_before) {
        left->wait_next = left->wait_next == 0         ? WAIT_FIRST
                          : left->wait_next < WAIT_MAX ? 2 * left->wait_next
                                                       : WAIT_MAX;
        left->not_before = now() + left->wait_next;
    } else if (when == CFZ_LEAKS_SOON) {
        left->soon_in_vain++;
    }
}

/* ---- suspects of processes that died -------------------------------------------------- */

bool cfz_leaks_due(enum cfz_leaks_when when)
{
    return ninherited > 0 && is_time(when);
}

bool cfz_leaks_next(struct cfz_executor *x)
{
    while (ntried < ninherited) {
        struct suspect *s = &left->suspects[ntried++];

        tried = *s;
        s->len = 0; /* now, so that it does not come back if this process dies of it */
        if (tried.len == 0)
            continue;
        if (!cfz_slots_packed(&x->slots, left->log + tried.at, tried.len))
            cfz_crash_internal(x->shm, "an input that was kept is none of this test");
        x->shm->parent = tried.parent;
        return true;
    }
    left->nsuspects -= ninherited;
    memmove(left->suspects, left->suspects + ninherited, left->nsuspects * sizeof *left->suspects);
    ninherited = ntried = 0;
    return false;
}

void cfz_leaks_again(enum cfz_verdict verdict)
{
    int64_t balance = atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed);

    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
    if (verdict != CFZ_VERDICT_PASS) {
        forgive_last();
    } else if (balance > 0) {
        tried.exec = now();
        left->suspects[left->nsuspects++] = tried;
    }
}
