/*
 * leaks.c - see leaks.h.
 *
 * Invariants:
 *   1. A block in the table belongs to the execution during which it was allocated, by
 *      whatever thread. It is a suspect's, or nobody's.
 *   2. suspects are in the order of their executions.
 *   3. The first suspects, ninherited of them, are of processes that died. Their blocks are gone:
 *      an execution in this process can make them suspects of its own.
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
    NEAR = 8,           /* places where a block may be */
    RECENT = 256,       /* places that the last execution used; beyond, all are searched */
    SUSPECTS = 256,     /* that wait together; guessed */
    LOG = 1 << 20,      /* bytes of their inputs; guessed */
    SPINS = 1000,       /* of a lock that its holder may have left behind in another process */
    WAIT_FIRST = 1024,  /* executions after the first look in vain; a look is some 5 ms */
    WAIT_MAX = 1 << 24, /* and at most */
    SOON_MAX = 64,      /* looks in vain before SOON becomes LATER; guessed: a third of a second */
    STALE = 64 << 10,   /* bytes of stack that may hold pointers of functions that returned */
    CHECKED = 0x40,     /* exit status: LeakSanitizer got through */
};

struct block {
    uintptr_t at; /* 0: free */
    uint64_t exec;
};

/* Those that wait, the same again when they are executed again, and one that does not wait. */
enum { SUSPECTS_MAX = 2 * SUSPECTS + 1 };

struct suspect {
    uint64_t exec, parent;
    size_t at, len; /* of the input in the log; len 0: it is in the slots */
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
    uintptr_t roots[TABLE]; /* blocks by suspect, nobody's last; while LeakSanitizer is asked */
    uint32_t recent[RECENT];
};

_Atomic int64_t cfz_leaks_balance;

static struct memory *mem; /* NULL: nothing is counted */
static bool paused;
static bool works, hopeless;          /* LeakSanitizer, here; neither before it was tried */
static const _Atomic uint64_t *execs; /* of this process: the number of an execution */

/* Under the lock. */
static _Atomic bool busy;
static uint64_t recent_exec;
static size_t nrecent;
static uint64_t overflow_exec; /* the first that allocated a block that found no place; 0: none */

static struct legacy *left;
static size_t ninherited, ntried; /* ... of which so many are executed again, or skipped */
static struct suspect tried;      /* the last */

static uint64_t now(void)
{
    return atomic_load_explicit(execs, memory_order_relaxed);
}

/* ---- counting -------------------------------------------------------------------- */

/* False when the holder is gone: stopped below us, or a thread that a fork left behind. */
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

/* The balance, under the lock. */
static void add_to_balance(int64_t n)
{
    atomic_store_explicit(&cfz_leaks_balance,
                          atomic_load_explicit(&cfz_leaks_balance, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

static size_t place_of(uintptr_t p)
{
    return (size_t)(p * 0x9e3779b97f4a7c15U >> 48) % TABLE;
}

/* Context: any. */
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

/* Context: any. */
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

/* LeakSanitizer takes b as in use from now on. */
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

/* Forgives all blocks there are: suspects', and nobody's. */
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
    for (size_t i = 0; i < left->nsuspects; i++)
        if (left->suspects[i].len > 0)
            left->suspects[ninherited++] = left->suspects[i];
    left->nsuspects = ninherited;
    atomic_store_explicit(&cfz_leaks_balance, 0, memory_order_relaxed);
}

/* ---- asking ------------------------------------------------------------------------ */

static void say_nothing(int null)
{
    __sanitizer_set_report_fd((void *)(intptr_t)null);
}

static void say_all(void)
{
    __sanitizer_set_report_fd((void *)(intptr_t)STDERR_FILENO);
}

/*
 * Whether LeakSanitizer works here: under a debugger, or where processes may not
 * trace each other, it ends the process that asks. So a child asks first.
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
        return false; /* another time, perhaps */
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    works = WIFEXITED(status) && WEXITSTATUS(status) == CHECKED;
    hopeless = !works;
    if (hopeless && write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* it is said as far as it can be */
    }
    return works;
}

/* Overwrites what returned functions left on the stack, where LeakSanitizer would find it. */
static __attribute__((noinline)) void wipe_stack(void)
{
    volatile uint8_t stale[STALE];

    for (size_t i = 0; i < STALE; i++)
        stale[i] = 0;
}

/* Whether memory is lost when the blocks roots[from..to) are in use. */
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

/* The suspect of an execution; nsuspects if it is none. */
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
 * Fills roots: the blocks of suspect i are roots[start[i]..start[i + 1]), nobody's follow up to
 * start[nsuspects + 1]. Not inlined, so that no register keeps one of them.
 */
static __attribute__((noinline)) void sort_blocks(size_t start[SUSPECTS_MAX + 3])
{
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
    size_t innocent = 0,
           guilty = left->nsuspects; /* how many of the first: without, and with a leak */

    if (!lost(start[left->nsuspects], end))
        return left->nsuspects;
    if (lost(0, end)) /* not the table's, but of an execution that had too many for it? */
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
    /* It was seen a moment ago: another thread of the target has it again. */
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

/* Makes the last execution one; false when there is no room and it is to wait. */
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
        s->len = 0; /* before it is executed: what dies of it now is not to come back */
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
