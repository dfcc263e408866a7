/*
 * crash.c - signal handlers, exit(), the sanitizers' death callback.
 *
 * A sanitizer starts first and installs its handlers; ours go on top. Our handler marks, puts the
 * sanitizer's back and returns. The fault recurs at its true address, and the sanitizer reports it
 * and calls the death callback. ThreadSanitizer takes the place of sigaction, calls handlers by way
 * of its own, and does not survive that: there the kernel is asked instead (set_action).
 *
 * A mark is made once, by whoever sees the death first. All of it but the frames is written before
 * anything that may itself fault is tried.
 */
#define _GNU_SOURCE
#include "target/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/known.h"
#include "core/peek.h"
#include "core/protocol.h"
#include "core/io.h"
#include "self/actions.h"
#include "self/kernel_action.h"
#include "self/loaded.h"
#include "self/stack_walk.h"
#include "target/profile.h"
#include "target/sanitizer.h"

enum {
    STACK_SIZE = 256 << 10, /* bytes for our handlers and the unwinder; guessed */
    MARK_MS = 1000, /* how long a thread waits for another's end; guessed: a report takes some ms */
    CLEANUPS_S = 2, /* how long cleanups may take after abort() in the setup part; guessed */
};

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
enum { NSIGNALS = sizeof signals / sizeof signals[0] };

static struct cfz_proc_shm *shm; /* NULL: nothing is marked */
static pid_t pid;    /* of the process that attached; a child that the target forks marks nothing */
static pid_t thread; /* the one that runs user functions */
static const struct cfz_run_shm *guarded; /* with the table of known crashes; NULL: no guard */
static struct sigaction previous[NSIGNALS];
static void (*leaving)(void);  /* of cfz_crash_on_leaving, or NULL */
static bool (*is_whole)(void); /* of cfz_crash_whole, or NULL */
static bool (*is_cut)(void);   /* of cfz_crash_cuttable, or NULL */
static bool installed;
static void *alt_stack;
static sigset_t start_mask;
static sigset_t unheld_mask; /* before cfz_crash_hold */
static pid_t deaf;           /* the process that cfz_crash_deafen was called in, or 0 */
static sigset_t deafened;    /* signals that on_deaf_signal got then */
static bool held;            /* between cfz_crash_hold and cfz_crash_unhold */

static _Atomic pid_t marking; /* the thread that makes the mark, or has made it and ends, or 0 */

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static pthread_key_t thread_key; /* whose destructor sees the thread end */

/* Whether user code runs, so that the death of the process is its doing. */
static bool user_code_runs(void)
{
    uint32_t state = atomic_load_explicit(&shm->state, memory_order_relaxed);

    /* A value behind the last state means that the target wrote over it. */
    return state == CFZ_STATE_TARGET || state >= CFZ_STATE_SETUP;
}

/* Becomes the one thread that may make the mark, and stays it: whoever makes a mark is about to end
 * the process. It waits for another that is: its mark would stay without frames if the process
 * ended before they are there, and be lost if the next input began before the process has ended.
 * False if this thread is the one already, because it was not the end: a handler of the user's code
 * dealt with the signal. Context: signal. */
static bool begin_mark(void)
{
    pid_t self = this_thread();

    for (int i = 0; i < MARK_MS; i++) {
        pid_t none = 0;

        if (atomic_compare_exchange_strong(&marking, &none, self))
            return true;
        if (none == self)
            return false;
        poll(NULL, 0, 1);
    }
    return true;
}

static void end_mark(void)
{
    atomic_store(&marking, 0);
}

/* Sets the kind of the mark, unless there is a mark already. After true the caller writes the rest,
 * and ends the process. Context: signal. */
static bool claim(enum cfz_crash_kind kind)
{
    bool begun = begin_mark();
    uint32_t none = atomic_load_explicit(&shm->crash.kind, memory_order_relaxed);

    /* A kind that does not exist is not a mark: the target wrote over it. */
    if ((none == CFZ_CRASH_NONE || none >= CFZ_CRASH_KINDS) &&
        atomic_compare_exchange_strong(&shm->crash.kind, &none, (uint32_t)kind))
        return true;
    if (begun)
        end_mark();
    return false;
}

/* ---- signals ------------------------------------------------------------------------ */

static void registers(const ucontext_t *uc, uint64_t *pc, uint64_t *sp, uint64_t *fp)
{
#if defined(__x86_64__)
    *pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
    *sp = (uint64_t)uc->uc_mcontext.gregs[REG_RSP];
    *fp = (uint64_t)uc->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
    *pc = uc->uc_mcontext.pc;
    *sp = uc->uc_mcontext.sp;
    *fp = uc->uc_mcontext.regs[29];
#else
    (void)uc;
    *pc = *sp = *fp = 0;
#endif
}

#if defined(__x86_64__)
enum { PAGE_FAULT_WRITE = 2 };       /* a bit of the error code of a page fault */
enum { RET = 0xc3, RET_POP = 0xc2 }; /* first bytes of the instructions that return */
#endif

/* Whether a memory fault was a write, as the processor says. */
static bool is_write(int sig, const ucontext_t *uc)
{
    if (sig != SIGSEGV && sig != SIGBUS)
        return false;
#if defined(__x86_64__)
    return uc->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE;
#else
    (void)uc;
    return false;
#endif
}

/*
 * The address of a memory fault; 0 if the system does not tell. The processor does not tell an
 * address that no mapping can have (SI_KERNEL). If the instruction was a return, such an address is
 * at the top of the stack.
 */
static uint64_t fault_address(const siginfo_t *info, uint64_t pc, uint64_t sp)
{
    if (info->si_code <= 0)
        return 0;
#if defined(__x86_64__)
    uint64_t code, to;

    if (info->si_signo == SIGSEGV && info->si_code == SI_KERNEL && cfz_peek(pc, &code) &&
        ((uint8_t)code == RET || (uint8_t)code == RET_POP) && cfz_peek(sp, &to))
        return to;
#else
    (void)pc;
    (void)sp;
#endif
    return (uint64_t)(uintptr_t)info->si_addr;
}

/*
 * Whether the queue of this user's signals is full. Then the kernel delivers a signal that a
 * process sends to itself, such as abort()'s, without saying who sent it. Context: signal.
 */
static bool signal_queue_full(void)
{
    static const char name[] = "SigQ:"; /* "SigQ:\t<queued>/<limit>" */
    char text[2048];
    uint64_t n[2] = {0, 0};
    ssize_t len = -1;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    const char *at;
    struct rlimit limit;

    if (fd >= 0) {
        len = read(fd, text, sizeof text - 1);
        close(fd);
    }
    text[len > 0 ? len : 0] = '\0';
    at = strstr(text, name);
    if (at == NULL)
        return getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur == 0;
    at += sizeof name - 1;
    for (int i = 0; i < 2; i++) {
        while (*at != '\0' && (*at < '0' || *at > '9'))
            at++;
        for (; *at >= '0' && *at <= '9'; at++)
            n[i] = 10 * n[i] + (uint64_t)(*at - '0');
    }
    return n[0] >= n[1];
}

/* Whether another process sent the signal: not the kernel (a fault, a timer), not this process, and
 * not one that the target forked, which is of our process group. */
static bool sent_from_outside(const siginfo_t *info)
{
    if (info->si_code != SI_USER && info->si_code != SI_QUEUE && info->si_code != SI_TKILL)
        return false;
    if (info->si_pid != 0)
        return info->si_pid != getpid() && getpgid(info->si_pid) != getpgrp();
    /* A sender in another pid namespace shows as 0, and so does any sender when the queue is full.
     * In the second case the signal is taken for the target's own, so that no crash is lost. */
    return info->si_code != SI_USER || info->si_uid != 0 || !signal_queue_full();
}

/* Whether another process sent the signal that is of our group or of that of a child of ours, as
 * are workers and what they fork. A sender that is gone is taken for one. Context: signal. */
static bool is_from_below(const siginfo_t *info)
{
    siginfo_t child;
    pid_t group;

    if (info->si_code > 0 || info->si_pid <= 0 || info->si_pid == getpid())
        return false;
    group = getpgid(info->si_pid);
    return group < 0 || group == getpgrp() ||
           waitid(P_PID, (id_t)group, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Called when the mark is complete. Ends the process if its guard knows the crash. Context: signal.
 */
static void end_if_known(void)
{
    int at = -1;

    cfz_profile_crashed();
    if (guarded && !shm->crash.foreign_thread && user_code_runs())
        at = cfz_known_find(guarded, &shm->crash);
    if (at >= 0 && !cfz_known_recurs(guarded, at, shm->known[at]))
        _exit(CFZ_EXIT_KNOWN);
}

/* What it says of us when we fail. Context: signal. */
static enum cfz_crash_kind our_failure(void)
{
    return is_whole && !is_whole() ? CFZ_CRASH_SCRIBBLED : CFZ_CRASH_INTERNAL;
}

/* Whether the pc of a signal is behind the instruction that raised it: int3, of
 * __builtin_debugtrap().
 */
static bool is_behind_trap(int sig, const siginfo_t *info)
{
#if defined(__x86_64__)
    return sig == SIGTRAP && info->si_code == SI_KERNEL;
#else
    (void)sig;
    (void)info;
    return false;
#endif
}

/* Makes the mark of a signal that was not sent from outside. Context: signal. */
static void mark_signal(int sig, const siginfo_t *info, const ucontext_t *uc)
{
    struct cfz_crash *c = &shm->crash;
    bool foreign = this_thread() != thread, in_handler;
    uint64_t pc, sp, fp;
    uint32_t n;

    /* Our engine starts no threads, so another thread is always the target's. */
    if (!claim(foreign || user_code_runs() ? CFZ_CRASH_SIGNAL : our_failure()))
        return;
    registers(uc, &pc, &sp, &fp);
    c->signo = sig;
    c->code = info->si_code;
    c->is_write = is_write(sig, uc);
    c->addr = fault_address(info, pc, sp);
    c->pc = pc;
    c->sp = sp;
    c->foreign_thread = foreign;
    n = cfz_stack_walk(c, pc, &in_handler);
    /* Our handlers do not crash, so it is one that the program has, of a signal that came between
     * two executions: of a timer, say, that an earlier one started. */
    if (in_handler && !foreign && !user_code_runs()) {
        atomic_store(&c->kind, (uint32_t)CFZ_CRASH_SIGNAL);
        c->foreign_thread = CFZ_CRASH_HANDLER;
    }
    if (n < 2) /* the unwinder did not get beyond the pc */
        n = cfz_stack_follow(c, pc, sp, fp);
    c->skipped = 0;
    if (n == CFZ_FRAMES_MAX)
        cfz_stack_outermost(c, fp);
    if (is_behind_trap(sig, info) && n > 0 && c->frames[0] == pc)
        c->frames[0]--;
    c->nframes = n;
    end_if_known();
}

/* ---- handlers ------------------------------------------------------------------------- */

/* sigaction, past ThreadSanitizer's. Context: signal. */
static int set_action(int sig, const struct sigaction *sa, struct sigaction *old)
{
    return __tsan_init ? cfz_kernel_action(sig, sa, old) : cfz_action(sig, sa, old);
}

/* Calls the handler of a sanitizer for a signal that was sent, so that its report begins where the
 * signal came and not in here. Context: signal. */
static void hand_on(const struct sigaction *to, int sig, siginfo_t *info, void *ucontext)
{
    if (__sanitizer_set_death_callback && (to->sa_flags & SA_SIGINFO) && to->sa_sigaction)
        to->sa_sigaction(sig, info, ucontext);
}

/* Cleanups have had their time. Context: signal. */
static void on_cleanups_late(int sig)
{
    (void)sig;
    cfz_action_default(SIGABRT);
    syscall(SYS_tgkill, getpid(), this_thread(), SIGABRT);
}

/* The setup part called abort(), as a panic in C does: its cleanups run once, for a bounded time,
 * on the stack of handlers. What they do wrong ends the process as abort() would have. Not after a
 * fault or a sanitizer's report: too much may be broken. Context: signal. */
static void clean_up_after_abort(void)
{
    static bool begun;
    sigset_t set;

    if (begun || !leaving || this_thread() != thread ||
        atomic_load_explicit(&shm->state, memory_order_relaxed) != CFZ_STATE_SETUP ||
        atomic_load_explicit(&shm->crash.kind, memory_order_relaxed) != CFZ_CRASH_SIGNAL ||
        shm->crash.signo != SIGABRT)
        return;
    begun = true;
    signal(SIGALRM, on_cleanups_late);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    alarm(CLEANUPS_S);
    leaving();
    alarm(0);
}

static void on_signal(int sig, siginfo_t *info, void *ucontext);

static void our_action(struct sigaction *sa)
{
    memset(sa, 0, sizeof *sa);
    sa->sa_sigaction = on_signal;
    sa->sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&sa->sa_mask);
}

/* Whether the processor raises a signal anew when its handler returns: not where a trap or a filter
 * of system calls did, behind which the program goes on. */
static bool recurs(int sig)
{
    return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL;
}

/* Whether the kernel told what a signal is. It did not where signal() put our handler back, as C
 * has it: old = signal(SIGSEGV, h); ... signal(SIGSEGV, old); then it is put back as it was.
 * Context: signal. */
static bool was_told(int sig)
{
    struct sigaction now;
    sigset_t set;

    if (cfz_kernel_action(sig, NULL, &now) < 0 || (now.sa_flags & SA_SIGINFO))
        return true;
    our_action(&now);
    set_action(sig, &now, NULL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return false;
}

/* Whether a signal came as a system call ended, as one does that a thread sends to itself. */
static bool is_behind_call(const ucontext_t *uc)
{
#if defined(__x86_64__)
    enum { SYSCALL = 0x050f };
    uint64_t code;

    return cfz_peek((uint64_t)uc->uc_mcontext.gregs[REG_RIP] - 2, &code) &&
           (uint16_t)code == SYSCALL;
#else
    (void)uc; /* there is none without SA_SIGINFO */
    return false;
#endif
}

/* Whether a signal is a floating-point trap of our own code: tested code has turned traps on by an
 * instruction of its own, without libm, and the mode is put back once a turn then (fpmode.h). They
 * are off when the handler returns, and the code goes on. Context: signal. */
static bool turned_traps_off(int sig, const siginfo_t *info, ucontext_t *uc)
{
#if defined(__x86_64__)
    enum { MXCSR_MASKS = 0x1f80, X87_MASKS = 0x3f, X87_PENDING = 0x80ff };

    if (sig != SIGFPE || info->si_code < FPE_FLTDIV || info->si_code > FPE_FLTSUB || !shm ||
        getpid() != pid || this_thread() != thread || user_code_runs() || !uc->uc_mcontext.fpregs)
        return false;
    uc->uc_mcontext.fpregs->mxcsr |= MXCSR_MASKS;
    uc->uc_mcontext.fpregs->cwd |= X87_MASKS;
    uc->uc_mcontext.fpregs->swd &= (uint16_t)~X87_PENDING;
    return true;
#else
    (void)sig;
    (void)info;
    (void)uc;
    return false;
#endif
}

/* Context: signal. Leaves a mark for the driver, then lets the signal happen. */
static void on_signal(int sig, siginfo_t *info, void *ucontext)
{
    siginfo_t own = {.si_signo = sig, .si_code = SI_TKILL};
    int saved = errno;

    cfz_stack_faulted();
    if (turned_traps_off(sig, info, ucontext))
        return;
    if (!was_told(sig)) {
        if (recurs(sig) && !is_behind_call(ucontext))
            return; /* it comes again, and is told */
        own.si_pid = getpid();
        info = &own;
#if !defined(__x86_64__)
        static ucontext_t nowhere;

        ucontext = &nowhere;
#endif
    }
    if (shm && getpid() == pid) {
        if (!sent_from_outside(info))
            mark_signal(sig, info, ucontext);
        else if (claim(CFZ_CRASH_SENT))
            shm->crash.signo = sig;
        if (sig == SIGABRT)
            clean_up_after_abort();
    }
    for (int i = 0; i < NSIGNALS; i++) {
        if (signals[i] != sig)
            continue;
        set_action(sig, &previous[i], NULL);
        if (info->si_code <= 0)
            hand_on(&previous[i], sig, info, ucontext);
    }
    errno = saved;
    /* A fault recurs when we return, at its true address. A signal that was sent, such as
     * abort()'s, or of a trap, has to be sent again. */
    if (info->si_code <= 0 || !recurs(sig))
        syscall(SYS_tgkill, getpid(), this_thread(), sig);
}

/* Sets the alternate stack of this thread; the first time, also the handlers. */
static void install(void)
{
    stack_t ss;
    struct sigaction sa;

    memset(&ss, 0, sizeof ss);
    ss.ss_sp = alt_stack;
    ss.ss_size = STACK_SIZE;
    sigaltstack(&ss, NULL);
    if (installed)
        return;
    our_action(&sa);
    for (int i = 0; i < NSIGNALS; i++) {
        set_action(signals[i], NULL, &previous[i]);
        /* A handler that the program installed is part of what is tested, and stays. In a build
         * with a sanitizer it may be the sanitizer's, and ours goes on top. */
        if (cfz_sanitizer_build() == 0 && previous[i].sa_handler != SIG_DFL &&
            previous[i].sa_handler != SIG_IGN)
            continue;
        if (signals[i] == SIGPIPE && previous[i].sa_handler == SIG_IGN)
            continue; /* the program wants EPIPE */
        set_action(signals[i], &sa, NULL);
    }
    installed = true;
}

/* The guard asks whether the execution is to go on. Context: signal. */
static void on_cut(int sig, siginfo_t *info, void *ucontext)
{
    int saved = errno;

    (void)sig;
    (void)ucontext;
    if (shm && getpid() == pid && this_thread() == thread && info->si_code == SI_TKILL &&
        info->si_pid == getppid() && is_cut && is_cut() && claim(CFZ_CRASH_SLOW))
        _exit(CFZ_EXIT_SLOW);
    errno = saved;
}

bool cfz_crash_cuttable(bool (*fn)(void))
{
    struct sigaction sa, now;

    if (set_action(CFZ_SIGNAL_CUT, NULL, &now) < 0 || now.sa_handler != SIG_DFL)
        return false;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_cut;
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&sa.sa_mask);
    is_cut = fn;
    return set_action(CFZ_SIGNAL_CUT, &sa, NULL) == 0;
}

/* ---- the other ways to die ------------------------------------------------------------ */

/* FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
static uint64_t hash_text(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; text && *text; text++)
        h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return h;
}

enum { OBJECT_FRAMES = 16 }; /* that tell where a heap object comes from; guessed */

/* h with the frames that fn, which may be NULL, tells of the heap object at an address. */
static uint64_t hash_stack(uint64_t h, size_t (*fn)(void *, void **, size_t, int *), void *at)
{
    void *trace[OBJECT_FRAMES];
    int of_thread;
    size_t n = fn ? fn(at, trace, OBJECT_FRAMES, &of_thread) : 0;

    for (size_t i = 0; i < n && i < OBJECT_FRAMES; i++)
        h = (h ^ (uintptr_t)trace[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* What tells reports of AddressSanitizer apart, beside their frames: the kind, and where the heap
 * object was allocated and freed, if it is about one. Context: signal. */
static uint64_t hash_report(void)
{
    void *at = __asan_get_report_address();
    uint64_t h = hash_text(__asan_get_report_description());

    return hash_stack(hash_stack(h, __asan_get_alloc_stack, at), __asan_get_free_stack, at);
}

/* Context: signal; a sanitizer has reported and is about to end the process. */
static void on_death(void)
{
    uint32_t n;

    if (!shm || getpid() != pid || !claim(CFZ_CRASH_SANITIZER))
        return;
    /* The driver says in which argument the address is. Only this sanitizer tells it. */
    if (__asan_report_present && __asan_report_present()) {
        shm->crash.addr = (uintptr_t)__asan_get_report_address();
        shm->crash.is_write = __asan_get_report_access_type() == 1;
        if (__asan_get_report_description)
            shm->crash.report = hash_report();
    }
    shm->crash.foreign_thread = this_thread() != thread;
    shm->crash.skipped = 0;
    n = cfz_stack_walk(&shm->crash, CFZ_STACK_ALL, NULL);
    if (n == CFZ_FRAMES_MAX)
        cfz_stack_outermost(&shm->crash, (uint64_t)(uintptr_t)__builtin_frame_address(0));
    shm->crash.nframes = n;
    end_if_known();
}

/* An exit handler, called by exit() or after main. It was registered first, so it runs last. Our
 * engine starts no threads, so another thread is always the target's. */
static void on_exit_call(int status, void *arg)
{
    (void)arg;
    if (!shm || getpid() != pid || !(user_code_runs() || this_thread() != thread))
        return;
    if (claim(CFZ_CRASH_EXIT)) {
        shm->crash.code = status;
        shm->crash.foreign_thread = this_thread() != thread;
        shm->crash.nframes = cfz_stack_walk(&shm->crash, CFZ_STACK_ALL, NULL);
    }
    if (leaving && this_thread() == thread) {
        on_exit(on_exit_call, NULL); /* for an exit() in what is called now */
        leaving();
    }
    if (atomic_load_explicit(&shm->crash.kind, memory_order_relaxed) == CFZ_CRASH_EXIT)
        status = shm->crash.code; /* of the first call */
    cfz_io_flush();
    _exit(status); /* without a leak check: the test was interrupted */
}

/* The destructor of thread_key, which runs when the engine's thread ends by pthread_exit, and not
 * when it calls exit(). Without that thread nobody would answer the driver; if it was the last one,
 * libc would call exit(0). */
static void on_thread_exit(void *arg)
{
    (void)arg;
    if (!shm || getpid() != pid || !user_code_runs() || this_thread() != thread)
        return;
    if (claim(CFZ_CRASH_THREAD_EXIT))
        shm->crash.nframes = 0; /* the functions have been left */
    if (leaving)
        leaving();
    cfz_io_flush();
    _exit(0);
}

void cfz_alloc_too_large(size_t size)
{
    if (!shm || getpid() != pid || !user_code_runs() || !claim(CFZ_CRASH_ALLOC))
        return;
    shm->crash.addr = size;
    shm->crash.foreign_thread = this_thread() != thread;
    shm->crash.skipped = 0;
    shm->crash.nframes =
        cfz_stack_walk(&shm->crash, (uint64_t)(uintptr_t)__builtin_return_address(0), NULL);
    end_if_known();
    cfz_action_default(SIGABRT);
    abort();
}

bool cfz_crash_kill(enum cfz_whom whom, int sig, uintptr_t from)
{
    if (!shm || getpid() != pid || !user_code_runs() || !claim(CFZ_CRASH_KILL))
        return false;
    shm->crash.signo = sig;
    shm->crash.code = (int32_t)whom;
    shm->crash.foreign_thread = this_thread() != thread;
    shm->crash.skipped = 0;
    shm->crash.nframes = cfz_stack_walk(&shm->crash, from, NULL);
    end_if_known();
    abort();
}

void cfz_crash_whole(bool (*fn)(void))
{
    is_whole = fn;
}

void cfz_crash_on_leaving(void (*fn)(void))
{
    leaving = fn;
}

/* Ends the process with a mark of the kind. Text is the reason, for the log and for stderr. */
static void __attribute__((noreturn))
end_with(struct cfz_proc_shm *mem, enum cfz_crash_kind kind, const char *text)
{
    size_t len = strlen(text);

    if (mem) {
        if (len >= CFZ_LOG_MAX)
            len = CFZ_LOG_MAX - 1;
        memcpy(mem->log, text, len);
        mem->log[len++] = '\n';
        atomic_store(&mem->log_len, (uint32_t)len);
        atomic_store(&mem->crash.kind, (uint32_t)kind);
    }
    if (write(STDERR_FILENO, "cfuzz: ", 7) < 0 || write(STDERR_FILENO, text, strlen(text)) < 0 ||
        write(STDERR_FILENO, "\n", 1) < 0) {
        /* the exit status says the same */
    }
    _exit(CFZ_EXIT_INTERNAL);
}

void cfz_crash_internal(struct cfz_proc_shm *mem, const char *text)
{
    end_with(mem, our_failure(), text);
}

void cfz_crash_unable(struct cfz_proc_shm *mem, const struct cfz_error *err)
{
    if (err->sys == ENOMEM || err->sys == ENOBUFS || err->sys == EAGAIN || err->sys == ENFILE ||
        err->sys == EMFILE)
        _exit(CFZ_EXIT_UNFORKED);
    cfz_crash_internal(mem, err->text);
}

void cfz_crash_reported(void)
{
    /* Without frames: they would be ours. The report says where the memory was allocated. */
    if (claim(CFZ_CRASH_SANITIZER))
        cfz_profile_crashed();
    cfz_action_default(SIGABRT); /* a sanitizer need not report this as well */
    abort();
}

void cfz_crash_scribbled(struct cfz_proc_shm *mem)
{
    mem->crash.nframes = mem->crash.foreign_thread = 0; /* when it was, and where, is not known */
    atomic_store(&mem->crash.kind, CFZ_CRASH_SCRIBBLED);
    _exit(CFZ_EXIT_INTERNAL);
}

void cfz_crash_misuse(struct cfz_proc_shm *mem, const char *text)
{
    end_with(mem, CFZ_CRASH_MISUSE, text);
}

void cfz_crash_mutator(struct cfz_proc_shm *mem, const char *text)
{
    end_with(mem, CFZ_CRASH_MUTATOR, text);
}

/* ---- beginning ------------------------------------------------------------------------- */

void cfz_crash_hold(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (int i = 0; i < NSIGNALS; i++)
        sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, &unheld_mask);
    held = true;
}

/* Whether on_signal is for sig. */
static bool is_ours(int sig)
{
    for (int i = 0; i < NSIGNALS; i++)
        if (signals[i] == sig)
            return true;
    return false;
}

/* While this process is deaf. All signals wait meanwhile: one that is sent again and again would
 * fill the stack. Context: signal. */
static void on_deaf_signal(int sig, siginfo_t *info, void *ucontext)
{
    int saved = errno;
    struct sigaction sa;

    if (deaf != getpid() || !is_from_below(info)) {
        our_action(&sa);
        if (!is_ours(sig))
            sa.sa_handler = SIG_DFL;
        set_action(sig, &sa, NULL);
        if (!is_ours(sig))
            syscall(SYS_tgkill, getpid(), this_thread(), sig);
        else if (info->si_code <= 0) /* a fault recurs */
            on_signal(sig, info, ucontext);
    }
    errno = saved;
}

/* Whether sig ends a process by default, and can be caught. */
static bool ends(int sig)
{
    return sig != SIGKILL && sig != SIGSTOP && sig != SIGTSTP && sig != SIGTTIN && sig != SIGTTOU &&
           sig != SIGCHLD && sig != SIGCONT && sig != SIGURG && sig != SIGWINCH;
}

void cfz_crash_deafen(void)
{
    struct sigaction sa, now;

    if (!installed)
        return;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_deaf_signal;
    sa.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&sa.sa_mask);
    sigemptyset(&deafened);
    deaf = getpid();
    for (int sig = 1; sig < SIGRTMIN; sig++) {
        if (!ends(sig) || set_action(sig, NULL, &now) < 0)
            continue;
        if ((is_ours(sig) ? now.sa_sigaction == on_signal : now.sa_handler == SIG_DFL) &&
            set_action(sig, &sa, NULL) == 0)
            sigaddset(&deafened, sig);
    }
}

void cfz_crash_hear(void)
{
    struct sigaction sa;

    for (int sig = 1; deaf != 0 && sig < SIGRTMIN; sig++) {
        if (sigismember(&deafened, sig) != 1)
            continue;
        our_action(&sa);
        if (!is_ours(sig))
            sa.sa_handler = SIG_DFL;
        set_action(sig, &sa, NULL);
    }
    deaf = 0;
}

void cfz_crash_unhold(void)
{
    if (held)
        sigprocmask(SIG_SETMASK, &unheld_mask, NULL);
    held = false;
}

/* Runs before any constructor of the program, so that the program's exit handlers run before ours.
 */
__attribute__((constructor(101))) static void watch_exit(void)
{
    on_exit(on_exit_call, NULL);
}

void cfz_crash_init(void)
{
    cfz_stack_ready();
    /* Forks of this thread keep the key and its value. */
    if (pthread_key_create(&thread_key, on_thread_exit) == 0)
        pthread_setspecific(thread_key, &thread_key);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_death);
}

int cfz_crash_attach(struct cfz_proc_shm *mem, struct cfz_error *err)
{
    if (!alt_stack) {
        alt_stack =
            mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (alt_stack == MAP_FAILED) {
            alt_stack = NULL;
            return cfz_fail_errno(err, "map a stack for signal handlers");
        }
    }
    cfz_loaded_list(mem);
    pid = getpid();
    thread = this_thread();
    end_mark(); /* another thread's, of the process that forked */
    shm = mem;
    install();
    cfz_crash_hear();
    cfz_crash_unhold();
    sigprocmask(SIG_SETMASK, NULL, &start_mask);
    return 0;
}

void cfz_crash_forked(const struct cfz_run_shm *run)
{
    pid = getpid();
    thread = this_thread();
    end_mark();
    guarded = run;
    cfz_crash_hear();
    cfz_crash_unhold();
}

void cfz_crash_forget(void)
{
    struct cfz_crash *c = &shm->crash;

    /* Clears what only some kinds of marks write. */
    atomic_store_explicit(&shm->log_len, 0, memory_order_relaxed);
    c->is_write = c->foreign_thread = c->nframes = 0;
    c->addr = c->report = c->skipped = 0;
    atomic_store(&c->kind, CFZ_CRASH_NONE);
}

/* Puts our handler in the place of what user code made of it: SIG_DFL, or our handler without its
 * flags (was_told). What the program had installed before is not to be put back then. */
static void put_ours(int i)
{
    struct sigaction now, sa;

    if (set_action(signals[i], NULL, &now) < 0 ||
        (now.sa_handler != SIG_DFL &&
         (now.sa_sigaction != on_signal || (now.sa_flags & SA_SIGINFO))))
        return;
    if (cfz_sanitizer_build() == 0)
        previous[i].sa_handler = SIG_DFL;
    our_action(&sa);
    set_action(signals[i], &sa, NULL);
}

static void put_all(void)
{
    for (int i = 0; i < NSIGNALS; i++)
        put_ours(i);
}

void cfz_crash_defaulted(int sig)
{
    if (!installed || getpid() != pid)
        return;
    if (shm && atomic_load(&shm->crash.kind) != CFZ_CRASH_NONE)
        return; /* it has been told, and the process is to end: a handler below ours wants that */
    for (int i = 0; i < NSIGNALS; i++)
        if (signals[i] == sig)
            put_ours(i);
}

bool cfz_crash_handles(void (*handler)(int))
{
    return handler == (void (*)(int))(uintptr_t)on_signal;
}

void cfz_crash_unmark(void)
{
    if (atomic_load(&shm->crash.kind) == CFZ_CRASH_NONE && atomic_load(&marking) == 0)
        return;
    /* If another thread made the mark, the process ends meanwhile. If it does not, or the mark is
     * this thread's, a handler of the user's code dealt with the signal. */
    begin_mark();
    atomic_store(&shm->crash.kind, CFZ_CRASH_NONE);
    end_mark();
    put_all();
}

void cfz_crash_rearm(void)
{
    cfz_crash_unmark();
    sigprocmask(SIG_SETMASK, &start_mask, NULL);
    install();
    put_all();
}
