/*
 * crash_test.c - the marks that a dying process leaves: each way to die in a child, whose
 * memory this process reads, as the driver does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/protocol.h"
#include "target/crash.h"
#include "target/sanitizer.h"

static struct cfz_proc_shm *shm;
static struct cfz_error err;

/* ---- ways to die ------------------------------------------------------------------- */

#define WILD __attribute__((noinline, no_sanitize("address", "undefined")))

static volatile int deep = 1;

static WILD void write_null(void)
{
    volatile int *volatile at = (volatile int *)8;

    *at = 1;
}
static WILD void read_null(void)
{
    volatile int *volatile at = (volatile int *)16;

    (void)*at;
}
static WILD void jump_wild(void)
{
    void (*volatile nowhere)(void) = (void (*)(void))0x1234;

    nowhere();
    deep = 2; /* or the call becomes a jump */
}
static void call_abort(void)
{
    abort();
}
static void illegal(void)
{
    __builtin_trap();
}
static void raise_fpe(void)
{
    raise(SIGFPE);
}
static void call_exit(void)
{
    exit(3);
}
static void exit_at_once(void)
{
    _exit(4);
}
static void raise_term(void)
{
    raise(SIGTERM);
}

static WILD int overflow(volatile int *up)
{
    volatile int here[64] = {*up};

    return deep ? overflow(here) + here[1] : 0;
}
static void stack_overflow(void)
{
    int zero = 0;

    overflow(&zero);
}

static void *crash_in_thread(void *arg)
{
    write_null();
    return arg;
}
static void thread_crashes(void)
{
    pthread_t t;

    if (pthread_create(&t, NULL, crash_in_thread, NULL) == 0)
        pthread_join(t, NULL);
}

static void child_crashes(void)
{
    pid_t pid = fork();

    if (pid == 0)
        write_null();
    waitpid(pid, NULL, 0);
    _exit(5);
}

static void wait_for_signal_from(bool outside)
{
    pid_t parent = getpid(), pid = fork();

    if (pid == 0) {
        if (outside)
            setpgid(0, 0);
        kill(parent, SIGSEGV);
        _exit(0);
    }
    for (;;)
        pause();
}
static void killed_by_own(void)
{
    wait_for_signal_from(false); /* a process that the target started */
}
static void killed_from_outside(void)
{
    wait_for_signal_from(true);
}

static void in_engine(void)
{
    shm->state = CFZ_STATE_ENGINE;
    write_null();
}
static void exit_in_engine(void)
{
    shm->state = CFZ_STATE_ENGINE;
    exit(6);
}
static void internal(void)
{
    cfz_crash_internal(shm, "something of ours");
}
static void misuse(void)
{
    cfz_crash_misuse(shm, "something of theirs");
}
static void reported(void)
{
    cfz_crash_reported();
}

static void user_handler(int sig)
{
    (void)sig;
    _exit(7);
}
static void handles_itself(void)
{
    signal(SIGFPE, user_handler); /* after us: it is what is being tested */
    raise(SIGFPE);
}

static sigjmp_buf out;

static void jump_out(int sig)
{
    (void)sig;
    siglongjmp(out, 1);
}
/* A signal that the test survives leaves nothing behind for the next run. */
static void survives(void)
{
    sigset_t blocked;

    signal(SIGUSR1, jump_out);
    sigfillset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    shm->crash.kind = CFZ_CRASH_SIGNAL; /* as if a handler had come back */
    cfz_crash_rearm();
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    if (shm->crash.kind != CFZ_CRASH_NONE || sigismember(&blocked, SIGSEGV))
        _exit(9);
    if (sigsetjmp(out, 1) == 0)
        raise(SIGUSR1);
    read_null();
}

/* As C89 has it, and many libraries: our handler is back, without its flags. */
static void put_back(void)
{
    signal(SIGSEGV, signal(SIGSEGV, user_handler));
}
static void put_back_and_write(void)
{
    put_back();
    write_null();
}
static void put_back_and_rearm(void)
{
    struct sigaction now;

    put_back();
    cfz_crash_rearm();
    if (sigaction(SIGSEGV, NULL, &now) < 0 || !(now.sa_flags & SA_SIGINFO))
        _exit(9);
    write_null();
}
static void defaulted_before(void)
{
    signal(SIGSEGV, SIG_DFL);
    cfz_crash_rearm();
    write_null();
}
static void defaulted(void)
{
    signal(SIGSEGV, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    cfz_crash_defaulted(SIGSEGV);
    cfz_crash_defaulted(SIGUSR1); /* none of ours */
    if (cfz_crash_handles(signal(SIGUSR1, SIG_DFL)) || cfz_crash_handles(user_handler) ||
        !cfz_crash_handles(signal(SIGFPE, SIG_DFL)))
        _exit(9);
    write_null();
}
static void not_default(void)
{
    signal(SIGSEGV, user_handler);
    cfz_crash_defaulted(SIGSEGV); /* another thread was faster */
    write_null();
}

/* ---- looking on ----------------------------------------------------------------------- */

enum { NO_CODE = -1000 };

static const struct death {
    const char *name;
    void (*die)(void);
    enum cfz_crash_kind kind;
    int signo;     /* 0: not a signal that we handle */
    uint64_t addr; /* of a memory fault, or 0 */
    bool is_write;
    int code;    /* exit code of an EXIT mark, or NO_CODE */
    int status;  /* the process ends: by this signal, or negated with this status */
    bool frames; /* the stack is there */
    const char *log;
} deaths[] = {
    {"write", write_null, CFZ_CRASH_SIGNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV, true, ""},
    {"read", read_null, CFZ_CRASH_SIGNAL, SIGSEGV, 16, false, NO_CODE, SIGSEGV, true, ""},
    {"jump", jump_wild, CFZ_CRASH_SIGNAL, SIGSEGV, 0x1234, false, NO_CODE, SIGSEGV, true, ""},
    {"abort", call_abort, CFZ_CRASH_SIGNAL, SIGABRT, 0, false, NO_CODE, SIGABRT, true, ""},
    {"trap", illegal, CFZ_CRASH_SIGNAL, SIGILL, 0, false, NO_CODE, SIGILL, true, ""},
    {"fpe", raise_fpe, CFZ_CRASH_SIGNAL, SIGFPE, 0, false, NO_CODE, SIGFPE, true, ""},
    {"exit", call_exit, CFZ_CRASH_EXIT, 0, 0, false, 3, -3, true, ""},
    {"_exit", exit_at_once, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, -4, false, ""},
    {"term", raise_term, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, SIGTERM, false, ""},
    {"child", child_crashes, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, -5, false, ""},
    {"killed by own", killed_by_own, CFZ_CRASH_SIGNAL, SIGSEGV, 0, false, NO_CODE, SIGSEGV, true,
     ""},
    {"killed", killed_from_outside, CFZ_CRASH_SENT, SIGSEGV, 0, false, NO_CODE, SIGSEGV, false, ""},
    {"engine", in_engine, CFZ_CRASH_INTERNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV, true, ""},
    {"exit of ours", exit_in_engine, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, -6, false, ""},
    {"internal", internal, CFZ_CRASH_INTERNAL, 0, 0, false, NO_CODE, -CFZ_EXIT_INTERNAL, false,
     "something of ours\n"},
    {"misuse", misuse, CFZ_CRASH_MISUSE, 0, 0, false, NO_CODE, -CFZ_EXIT_INTERNAL, false,
     "something of theirs\n"},
    {"reported", reported, CFZ_CRASH_SANITIZER, 0, 0, false, NO_CODE, SIGABRT, false, ""},
    {"own handler", handles_itself, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, -7, false, ""},
    {"put back", put_back_and_write, CFZ_CRASH_SIGNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV, true,
     ""},
    {"put back before", put_back_and_rearm, CFZ_CRASH_SIGNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV,
     true, ""},
    {"default before", defaulted_before, CFZ_CRASH_SIGNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV, true,
     ""},
    {"default", defaulted, CFZ_CRASH_SIGNAL, SIGSEGV, 8, true, NO_CODE, SIGSEGV, true, ""},
    {"not the default", not_default, CFZ_CRASH_NONE, 0, 0, false, NO_CODE, -7, false, ""},
    {"survives", survives, CFZ_CRASH_SIGNAL, SIGSEGV, 16, false, NO_CODE, SIGSEGV, true, ""},
};

/* Runs one of them in a child that is a worker as far as crash.c can tell. */
static int die(void (*way)(void))
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    int status = 0;
    pid_t pid;

    memset(&shm->crash, 0, sizeof shm->crash);
    shm->log_len = 0;
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        setpgid(0, 0); /* as a worker does */
        /* cmocka's handlers would be taken as part of what is tested, and kept. */
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
            signal(signals[i], SIG_DFL);
        cfz_crash_init();
        shm->pid = getpid();
        if (cfz_crash_attach(shm, &err) < 0)
            _exit(8);
        shm->state = CFZ_STATE_TARGET;
        way();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void test_marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        const struct death *d = &deaths[i];
        const struct cfz_crash *c = &shm->crash;
        int status = die(d->die);

        if (c->kind != (uint32_t)d->kind || (d->signo && c->signo != d->signo) ||
            (d->addr && (c->addr != d->addr || c->is_write != d->is_write)) ||
            (d->code != NO_CODE && c->code != d->code) || c->foreign_thread != 0 ||
            (c->nframes >= 2) != d->frames)
            fail_msg("%s: kind %u, signal %d, code %d, address 0x%llx, write %u, frames %u",
                     d->name, (unsigned)c->kind, c->signo, c->code, (unsigned long long)c->addr,
                     c->is_write, c->nframes);
        /* Under a sanitizer faults end as it has it. */
        if (cfz_sanitizer_build() == 0 && status != d->status)
            fail_msg("%s: ended with %d", d->name, status);
        assert_int_equal(shm->log_len, strlen(d->log));
        assert_memory_equal(shm->log, d->log, strlen(d->log));
    }
}

/* The pc first, then where it will return to: the functions of this file. */
static void test_frames(void **state)
{
    const struct cfz_crash *c = &shm->crash;

    (void)state;
    die(write_null);
    assert_int_equal(c->frames[0], c->pc);
    assert_true(c->pc - (uintptr_t)write_null < 256);
    assert_true(c->frames[1] - (uintptr_t)die < 4096);
    assert_true(c->sp != 0);
    /* A wild jump: who called it is the next one. */
    die(jump_wild);
    assert_int_equal(c->frames[0], 0x1234);
    assert_true(c->frames[1] - (uintptr_t)jump_wild < 256);
}

static void test_thread(void **state)
{
    (void)state;
    die(thread_crashes);
    assert_int_equal(shm->crash.kind, CFZ_CRASH_SIGNAL);
    assert_int_equal(shm->crash.foreign_thread, 1);
    assert_int_equal(shm->crash.addr, 8);
}

/* The handler has a stack of its own; the frames are as many as fit, of both ends. */
static void test_stack_overflow(void **state)
{
    (void)state;
    die(stack_overflow);
    assert_int_equal(shm->crash.kind, CFZ_CRASH_SIGNAL);
    assert_int_equal(shm->crash.signo, SIGSEGV);
    assert_int_equal(shm->crash.nframes, CFZ_FRAMES_MAX);
    assert_true(shm->crash.frames[CFZ_FRAMES_INNER - 1] - (uintptr_t)overflow < 2048);
    assert_true(shm->crash.addr - shm->crash.sp + 8192 < 16384);
}

static void test_modules(void **state)
{
    char self[256];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    uint64_t here = (uintptr_t)test_modules, libc = (uintptr_t)&abort;
    bool found = false;

    (void)state;
    die(exit_at_once);
    self[n > 0 ? n : 0] = 0;
    assert_true(shm->nmodules >= 2);
    assert_string_equal(shm->modules[0].path, self);
    assert_true(here >= shm->modules[0].start && here < shm->modules[0].end);
    for (uint32_t i = 0; i < shm->nmodules; i++) {
        assert_true(shm->modules[i].start < shm->modules[i].end);
        found = found || (libc >= shm->modules[i].start && libc < shm->modules[i].end);
    }
    assert_true(found);
}

#define LIBRARY "libBrokenLocale.so.1" /* of the C library; nothing is linked with it */

/* As a worker whose host was listed before it loaded a library. */
static void *load_and_attach(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW);

    if (!library || cfz_crash_attach(shm, &err) < 0)
        abort();
    return library;
}

static void load(void)
{
    load_and_attach();
    exit_at_once();
}

static void load_and_unload(void)
{
    dlclose(load_and_attach());
    if (cfz_crash_attach(shm, &err) < 0)
        abort();
    exit_at_once();
}

static bool lists_library(void)
{
    for (uint32_t i = 0; i < shm->nmodules; i++)
        if (strstr(shm->modules[i].path, LIBRARY))
            return true;
    return false;
}

static void test_modules_change(void **state)
{
    uint32_t n;

    (void)state;
    die(exit_at_once);
    n = shm->nmodules;
    assert_false(lists_library());
    die(load);
    assert_int_equal(shm->nmodules, n + 1);
    assert_true(lists_library());
    die(load_and_unload);
    assert_int_equal(shm->nmodules, n);
    assert_false(lists_library());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),   cmocka_unit_test(test_frames),
        cmocka_unit_test(test_thread),  cmocka_unit_test(test_stack_overflow),
        cmocka_unit_test(test_modules), cmocka_unit_test(test_modules_change),
    };
    int fd;

    if (cfz_proc_shm_new(0, &shm, &fd, &err) < 0)
        return 1;
    close(fd);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
