/*
 * hang.c - see hang.h.
 *
 * The process is a descendant of ours, though not a child: that is enough for ptrace where yama's
 * scope 1 restricts it.
 */
#define _GNU_SOURCE
#include "stack/hang.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "stack/unwinder.h"

enum { STOP_WAIT_MS = 2000 }; /* guessed; a busy machine lets a process wait for its turn */

/* Waits until a tracee stopped, but not for ever: one in an uninterruptible sleep does not stop. */
static int wait_stopped(pid_t pid, struct cfz_error *err)
{
    struct timespec pause = {0, 1000000}; /* 1 ms */

    for (int i = 0; i < STOP_WAIT_MS; i++) {
        int status;
        pid_t got = waitpid(pid, &status, __WALL | WNOHANG);

        if (got == pid && WIFSTOPPED(status))
            return 0;
        if (got == pid || (got < 0 && errno != EINTR))
            return cfz_fail(err, CFZ_EIO, "stop process %d: it ended", (int)pid);
        nanosleep(&pause, NULL);
    }
    return cfz_fail(err, CFZ_EIO, "stop process %d: it does not stop", (int)pid);
}

/* Stores the registers under DWARF's numbers and returns the pc. */
#if defined(__x86_64__)
typedef struct user_regs_struct regs_t;
static uint64_t get_regs(const regs_t *r, uint64_t to[UNWIND_REGS])
{
    const uint64_t all[] = {r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
                            r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};

    memcpy(to, all, sizeof all);
    return r->rip;
}
#elif defined(__aarch64__)
typedef struct user_regs_struct regs_t;
static uint64_t get_regs(const regs_t *r, uint64_t to[UNWIND_REGS])
{
    memcpy(to, r->regs, sizeof r->regs);
    to[UNWIND_SP] = r->sp;
    return r->pc;
}
#else
typedef long regs_t;
static uint64_t get_regs(const regs_t *r, uint64_t to[UNWIND_REGS])
{
    (void)r;
    (void)to;
    return 0;
}
#endif

/* The stack of a tracee that is stopped. */
static bool read_stack(pid_t pid, struct stack *st, struct cfz_error *err)
{
    regs_t regs;
    uint64_t all[UNWIND_REGS] = {0}, pc;
    struct iovec io = {&regs, sizeof regs};

    if (ptrace(PTRACE_GETREGSET, pid, (void *)(uintptr_t)NT_PRSTATUS, &io) < 0) {
        cfz_fail_errno(err, "read the registers of process %d", (int)pid);
        return false;
    }
    pc = get_regs(&regs, all);
    unwind_stack(pid, pc, all, st);
    return true;
}

int hang_stack(pid_t pid, struct stack *st, struct cfz_error *err)
{
    int ret = -1;

    st->n = 0;
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
        return cfz_fail_errno(err, "trace process %d", (int)pid);
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) < 0)
        cfz_fail_errno(err, "stop process %d", (int)pid);
    else if (wait_stopped(pid, err) == 0 && read_stack(pid, st, err))
        ret = 0;
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return ret;
}

/* ---- whether a function returns ------------------------------------------------------ */

/* Where the first thread of a tracee is to stop. By a debug register nothing is written into the
 * program, and other threads are not stopped; in some virtual machines it never stops. By code it
 * stops at a breakpoint's instruction, which would end another thread that comes there. */
struct stop {
    uint64_t pc;
    bool by_code;
    long code; /* what stands at pc, if by_code */
};

#if defined(__x86_64__)
static uint64_t get_pc(pid_t pid)
{
    return (uint64_t)ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user, regs.rip), NULL);
}

static void set_pc(pid_t pid, uint64_t pc)
{
    ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.rip), pc);
}

static bool set_register(pid_t pid, uint64_t pc)
{
    enum { REG_ADDRESS = 0, REG_CONTROL = 7, ENABLE_FIRST = 1 };
    const size_t at = offsetof(struct user, u_debugreg);
    const size_t size = sizeof((struct user *)NULL)->u_debugreg[0];

    if (ptrace(PTRACE_POKEUSER, pid, at + REG_CONTROL * size, 0UL) < 0)
        return false;
    return pc == 0 || (ptrace(PTRACE_POKEUSER, pid, at + REG_ADDRESS * size, pc) == 0 &&
                       ptrace(PTRACE_POKEUSER, pid, at + REG_CONTROL * size,
                              (unsigned long)ENABLE_FIRST) == 0);
}

/* Has a tracee that is stopped stop before it executes what is at s->pc, but not at once, if it is
 * there. */
static bool stop_at(pid_t pid, struct stop *s)
{
    enum { BREAKPOINT = 0xcc };

    if (!s->by_code)
        return set_register(pid, s->pc); /* and the processor goes on from there */
    if (get_pc(pid) == s->pc &&
        (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || wait_stopped(pid, NULL) < 0))
        return false;
    errno = 0;
    s->code = ptrace(PTRACE_PEEKTEXT, pid, s->pc, NULL);
    return errno == 0 &&
           ptrace(PTRACE_POKETEXT, pid, s->pc, (s->code & ~(long)UINT8_MAX) | BREAKPOINT) == 0;
}

/* Takes that back. The tracee is stopped. */
static void stop_no_more(pid_t pid, const struct stop *s)
{
    if (s->by_code)
        ptrace(PTRACE_POKETEXT, pid, s->pc, s->code);
    else
        set_register(pid, 0);
}

/* Of a tracee that stopped with a trap, whether it stopped there. It is before s->pc then. */
static bool is_stopped_at(pid_t pid, const struct stop *s)
{
    uint64_t pc = get_pc(pid);

    if (s->by_code && pc == s->pc + 1)
        set_pc(pid, pc = s->pc);
    return pc == s->pc;
}
#else
static bool stop_at(pid_t pid, struct stop *s)
{
    (void)pid;
    (void)s;
    return false;
}

static void stop_no_more(pid_t pid, const struct stop *s)
{
    (void)pid;
    (void)s;
}

static bool is_stopped_at(pid_t pid, const struct stop *s)
{
    (void)pid;
    (void)s;
    return false;
}
#endif

/* Lets a tracee go on until it stops with a trap, or for so many milliseconds. Other signals reach
 * it. It is stopped then, unless it ended. */
static bool comes_to_trap(pid_t pid, int ms)
{
    struct timespec pause = {0, 1000000};

    if (ptrace(PTRACE_CONT, pid, NULL, NULL) < 0)
        return false;
    for (int i = 0; i < ms; i++) {
        int status;
        pid_t got = waitpid(pid, &status, __WALL | WNOHANG);

        if (got == pid && WIFSTOPPED(status)) {
            bool is_event = status >> 16 != 0;

            if (!is_event && WSTOPSIG(status) == SIGTRAP)
                return true;
            if (ptrace(PTRACE_CONT, pid, NULL, is_event ? 0L : (long)WSTOPSIG(status)) < 0)
                return false;
        } else if (got == pid || (got < 0 && errno != EINTR)) {
            return false;
        } else {
            nanosleep(&pause, NULL);
        }
    }
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0)
        wait_stopped(pid, NULL);
    return false;
}

/* Lets a tracee go on until it stops there, or for a while. It is stopped then, and stops there no
 * more. */
static bool comes_to(pid_t pid, const struct stop *s)
{
    enum { WAIT_MS = 200, TRAP_MS = 10 }; /* guessed: most calls end sooner */
    bool came = comes_to_trap(pid, WAIT_MS);

    stop_no_more(pid, s);
    if (!came && s->by_code && is_stopped_at(pid, s))
        comes_to_trap(pid, TRAP_MS); /* it was about to tell of it: its signal is to reach nobody */
    return came && is_stopped_at(pid, s);
}

static bool registers_stop; /* a debug register has stopped something, in this machine */

/* returns_to, by a stop of one kind. */
static bool returns_by(pid_t pid, struct stop s, uint32_t outer, struct stack *st)
{
    enum { DEEPER = 64 }; /* calls of the same recursion that are let pass */
    bool is_there = false;

    st->n = 0;
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
        return false;
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0 && wait_stopped(pid, NULL) == 0)
        for (int i = 0; i < DEEPER && !is_there && stop_at(pid, &s) && comes_to(pid, &s); i++) {
            registers_stop = registers_stop || !s.by_code;
            is_there =
                read_stack(pid, st, NULL) && st->n > 0 && st->pc[0] == s.pc && st->n <= outer;
        }
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return is_there;
}

/*
 * Whether a process gets to the return address pc within some time, with outer frames below it, or
 * fewer: what was called there returned. Stores its stack then. False also where that cannot be
 * asked.
 */
static bool returns_to(pid_t pid, uint64_t pc, uint32_t outer, struct stack *st)
{
    if (returns_by(pid, (struct stop){.pc = pc}, outer, st))
        return true;
    return !registers_stop && proc_threads(pid) == 1 &&
           returns_by(pid, (struct stop){.pc = pc, .by_code = true}, outer, st);
}

/* ---- several looks ----------------------------------------------------------------------- */

/* How many of the outermost frames of a and b are the same; at most limit. An innermost frame never
 * counts, even if it is the same. */
static uint32_t common(const struct stack *a, const struct stack *b, uint32_t limit)
{
    uint32_t n = 0;

    while (n < limit && n + 1 < a->n && n + 1 < b->n && a->pc[a->n - 1 - n] == b->pc[b->n - 1 - n])
        n++;
    return n;
}

/* How many of the outermost frames all of v[0..n) share. */
static uint32_t shared(const struct stack *v, uint32_t n)
{
    uint32_t least = v[0].n > 0 ? v[0].n - 1 : 0;

    for (uint32_t i = 1; i < n; i++)
        least = common(&v[0], &v[i], least);
    return least;
}

/* Reads how long the first thread of a process ran, in nanoseconds. False if nothing says so. */
static bool has_run(pid_t pid, uint64_t *ns)
{
    char path[64];
    FILE *f;
    bool ok;

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    f = fopen(path, "re");
    ok = f && fscanf(f, "%" SCNu64, ns) == 1;
    if (f)
        fclose(f);
    return ok;
}

/* Waits until a process that computes has gone on since *ran, and sets that anew. On a busy machine
 * it may not have had a core between two looks, which then see the same place. Not for ever. */
static void let_run(pid_t pid, uint64_t *ran)
{
    enum { WAITS = 40, RAN_NS = 1000000 };
    struct timespec pause = {0, 5300000}; /* guessed: usual periods are not multiples of it */

    for (int i = 0; i < WAITS; i++) {
        uint64_t now;

        nanosleep(&pause, NULL);
        if (!has_run(pid, &now))
            return;
        if (proc_state(pid) != 'R' || now - *ran >= RAN_NS) {
            *ran = now;
            return;
        }
    }
}

int hang_stack_steady(pid_t pid, struct stack *st, struct cfz_error *err)
{
    struct stack looks[STACK_SAMPLES];
    uint32_t n, steady;
    uint64_t ran = 0;

    st->nloop = 0;
    has_run(pid, &ran);
    if (hang_stack(pid, st, err) < 0)
        return -1;
    looks[0] = *st;
    for (n = 1; n < STACK_LOOKS; n++) {
        let_run(pid, &ran);
        if (hang_stack(pid, &looks[n], NULL) < 0 || looks[n].n == 0)
            break;
    }
    steady = shared(looks, n);
    /* A call that takes nearly all of the time was seen each time. If it returns, that is one look
     * more, and the loop is further out. */
    while (n < STACK_SAMPLES && steady > 0 &&
           returns_to(pid, st->pc[st->n - steady], steady, &looks[n]))
        steady = shared(looks, ++n);
    st->steady = steady;
    for (uint32_t i = 0; i < n && st->n > 0; i++) {
        uint32_t at = looks[i].n - steady - 1;

        st->loop[st->nloop++] = looks[i].pc[at] - (at > 0); /* of a return address, the call */
    }
    return 0;
}

void hang_release(pid_t pid)
{
    if (pid > 0)
        waitpid(pid, NULL,
                __WALL | WNOHANG); /* a tracee can be waited for, though it is not our child */
}
