/*
 * target.c - fuzz tests for worker_test.c: one per thing that a test can do to us.
 */
#include <cfuzz.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__clang__)
#define NOINLINE __attribute__((noinline, optnone))
#else
#define NOINLINE __attribute__((noinline, noclone, optimize(0)))
#endif

static volatile unsigned long sink;
static cfuzz_f *setup_handle;
static int setup_runs;

/* ---- what the loop costs -------------------------------------------------- */

FUZZ_TEST(FuzzEmpty, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    (void)data;
    (void)len;
}

/* ---- coverage ---------------------------------------------------------------- */

static NOINLINE int depth_of(const uint8_t *data, size_t len)
{
    if (len < 1 || data[0] != 'a')
        return 0;
    if (len < 2 || data[1] != 'b')
        return 1;
    if (len < 3 || data[2] != 'c')
        return 2;
    return 3;
}

FUZZ_TEST(FuzzDepth, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    if (depth_of(data, len) == 3)
        cfuzz_error(t, "found it");
}

/* ---- arguments of all kinds ---------------------------------------------------- */

FUZZ_SETUP(FuzzKinds)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("by\0es"), "text", true, 'b', -2, -300, 70000, -5000000000, -7, 65535,
              4000000000u, 18446744073709551615u, 9u, 1.5f, 2.25);
}

FUZZ_TEST(FuzzKinds, [] byte, string, bool, byte, int8, int16, rune, int64, int, uint16, uint32,
          uint64, uint, float32, float64)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *s, bool b, uint8_t u8, int8_t i8,
 int16_t i16, int32_t i32, int64_t i64, int i, uint16_t u16, uint32_t u32, uint64_t u64, unsigned u,
 float f, double d)
{
    if (len != 5 || memcmp(data, "by\0es", 5) != 0 || strcmp(s, "text") != 0 || !b || u8 != 'b')
        cfuzz_error(t, "first four");
    if (i8 != -2 || i16 != -300 || i32 != 70000 || i64 != -5000000000 || i != -7)
        cfuzz_error(t, "signed");
    if (u16 != 65535 || u32 != 4000000000u || u64 != 18446744073709551615u || u != 9)
        cfuzz_error(t, "unsigned");
    if (f != 1.5f || d != 2.25)
        cfuzz_error(t, "float");
}

/* ---- setup parts ------------------------------------------------------------------ */

static void print(void *text)
{
    printf("cleanup %s\n", (const char *)text);
}

FUZZ_SETUP(FuzzSetup)(cfuzz_f *f)
{
    setup_runs++;
    setup_handle = f;
    cfuzz_add(f, CFUZZ_BYTES("one"), 1);
    cfuzz_add(f, CFUZZ_BYTES("two"), 2);
    cfuzz_f_cleanup(f, print, (void *)"first");
    cfuzz_f_cleanup(f, print, (void *)"second");
    cfuzz_f_log(f, "in the\nsetup");
    cfuzz_f_setenv(f, "CFUZZ_TARGET", cfuzz_f_name(f));
}

FUZZ_TEST(FuzzSetup, [] byte, int)(cfuzz_t *t, const uint8_t *data, size_t len, int n)
{
    const char *env = getenv("CFUZZ_TARGET");

    (void)data;
    (void)len;
    cfuzz_log(t, "setup ran %d times, n %d, env %s", setup_runs, n, env ? env : "none");
    if (n == 1)
        cfuzz_f_log(setup_handle, "not here");
    cfuzz_setenv(t, "CFUZZ_TARGET", "changed");
}

FUZZ_SETUP(FuzzSetupFatal)(cfuzz_f *f)
{
    cfuzz_f_fatal(f, "no %s", "disk");
}
FUZZ_TEST(FuzzSetupFatal, int)(cfuzz_t *t, int n)
{
    (void)t;
    (void)n;
}

FUZZ_SETUP(FuzzSetupSkip)(cfuzz_f *f)
{
    cfuzz_f_skip(f, "not today");
}
FUZZ_TEST(FuzzSetupSkip, int)(cfuzz_t *t, int n)
{
    (void)t;
    (void)n;
}

FUZZ_SETUP(FuzzSetupExit)(cfuzz_f *f)
{
    (void)f;
    exit(0);
}
FUZZ_TEST(FuzzSetupExit, int)(cfuzz_t *t, int n)
{
    (void)t;
    (void)n;
}

FUZZ_SETUP(FuzzSetupCrash)(cfuzz_f *f)
{
    (void)f;
    abort();
}
FUZZ_TEST(FuzzSetupCrash, int)(cfuzz_t *t, int n)
{
    (void)t;
    (void)n;
}

FUZZ_SETUP(FuzzSetupBadSeed)(cfuzz_f *f)
{
    /* What cfuzz_add expands to; with the macro itself the plugin refuses to compile it. */
    const struct cfuzz_arg two[] = {cfuzz_arg_text_("text"), cfuzz_arg_int_(1)};
    const struct cfuzz_arg big[] = {cfuzz_arg_int_(300)};

    cfuzz_add_args(f, __FILE__, __LINE__, two, 2);
    cfuzz_add_args(f, __FILE__, __LINE__, big, 1);
}
FUZZ_TEST(FuzzSetupBadSeed, int8)(cfuzz_t *t, int8_t n)
{
    (void)t;
    (void)n;
}

/* More and longer seeds than fit the outbox at once. */
FUZZ_SETUP(FuzzSetupMany)(cfuzz_f *f)
{
    static uint8_t big[40 << 20];

    for (int i = 0; i < 12; i++) {
        big[0] = (uint8_t)i;
        cfuzz_add(f, (const uint8_t *)big, sizeof big);
    }
}
FUZZ_TEST(FuzzSetupMany, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    (void)data;
    (void)len;
}

/* ---- what an execution can do ------------------------------------------------------ */

static NOINLINE unsigned long recurse(unsigned long n)
{
    volatile char frame[512];

    if (n == ~0ul)
        return 0;

    frame[n % sizeof frame] = (char)n;
    return recurse(n + 1) + (unsigned long)frame[0];
}

static void *crash_in_thread(void *arg)
{
    (void)arg;
    sleep(0);
    *(volatile int *)(uintptr_t)(sink * 0 + 16) = 1;
    return NULL;
}

static void handler_of_exit(void)
{
    sink++;
}

static NOINLINE void act(cfuzz_t *t, const uint8_t *data, size_t len)
{
    pthread_t thread;

    switch (len ? data[0] : 0) {
    case 'f':
        cfuzz_fatal(t, "fatal %d", 1);
    case 'e':
        cfuzz_error(t, "first\nsecond");
        cfuzz_log(t, "after");
        break;
    case 's':
        cfuzz_skip(t, "skip");
    case 'S':
        cfuzz_error(t, "error before skip");
        cfuzz_skip_now(t);
    case 'c':
        cfuzz_cleanup(t, print, (void *)"1");
        cfuzz_cleanup(t, print, (void *)"2");
        cfuzz_fail_now(t);
    case 'l':
        for (int i = 0; i < 10000; i++)
            cfuzz_log(t, "line %d of many", i);
        break;
    case 'p':
        printf("printed\n");
        break;
    case 'x':
        atexit(handler_of_exit);
        exit(3);
    case 'X':
        _exit(4);
    case 'a':
        abort();
    case 'n':
        *(volatile int *)(uintptr_t)(sink * 0 + 8) = 1;
        break;
    case 'N':
        sink += (unsigned long)*(volatile int *)(uintptr_t)(sink * 0 + 8);
        break;
    case 'o':
        sink += ((volatile const uint8_t *)data)[len];
        break;
    case 'w':
        ((volatile uint8_t *)(uintptr_t)data)[0] = 1;
        break;
    case 'j': {
        void (*volatile wild)(void) = (void (*)(void))(uintptr_t)0x1234;

        wild();
        break;
    }
    case 'r':
        sink += recurse(0);
        break;
    case 'h':
        for (;;)
            sink++;
    case 'k': {
        pid_t pid = fork();

        if (pid == 0)
            return; /* into the engine, in the child */
        waitpid(pid, NULL, 0);
        break;
    }
    case 'K':
        if (fork() == 0)
            for (;;)
                sleep(1);
        break;
    case 'd':
        for (int fd = 3; fd < 2000; fd++)
            close(fd);
        break;
    case 't':
        pthread_create(&thread, NULL, crash_in_thread, NULL);
        pthread_join(thread, NULL);
        break;
    case 'T':
        kill(getpid(), SIGTERM);
        break;
    default:
        break;
    }
}

FUZZ_TEST(FuzzAct, [] byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    act(t, data, len);
}

/* ---- the mutation loop --------------------------------------------------------------- */

FUZZ_TEST(FuzzMany, string, [] byte, int, float64)
(cfuzz_t *t, const char *s, const uint8_t *data, size_t len, int n, double d)
{
    (void)n;
    (void)d;
    if (strlen(s) > 300 || len > 300)
        cfuzz_error(t, "longer than -fuzzmaxlen");
    for (size_t i = 0; i < len; i++)
        sink += data[i];
    if (len > 2 && data[0] % 4 == 0)
        cfuzz_skip_now(t);
}
