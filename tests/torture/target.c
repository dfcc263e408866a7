/*
 * target.c - what torture fuzzes: code without a bug, code with three, and code that harms cfuzz.
 */
#define _GNU_SOURCE
#include <cfuzz.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

/* Has enough branches that inputs keep being interesting. */
static int walk(const uint8_t *data, size_t len)
{
    int state = 0;

    for (size_t i = 0; i < len && i < 64; i++) {
        switch (data[i] & 7) {
        case 0:
            state = state == 3 ? 4 : 0;
            break;
        case 1:
            state += data[i] > 'a' ? data[i] > 'q' ? 1 : 2 : 3;
            break;
        case 2:
            state ^= data[i];
            break;
        case 3:
            state = state > 100 ? 0 : state * 2 + 1;
            break;
        default:
            state++;
        }
    }
    return state;
}

FUZZ_SETUP(FuzzClean)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("seed"), 1, "text");
}
FUZZ_TEST(FuzzClean, []byte, int, string)
(cfuzz_t *t, const uint8_t *data, size_t len, int n, const char *text)
{
    (void)t;
    sink += walk(data, len) + (n > 100 ? n > 1000 ? 3 : 2 : 1) + (text[0] == '!');
}

FUZZ_SETUP(FuzzBugs)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("seed"), 1, "text");
}
FUZZ_TEST(FuzzBugs, []byte, int, string)
(cfuzz_t *t, const uint8_t *data, size_t len, int n, const char *text)
{
    sink += walk(data, len);
    if (len > 2 && data[0] == 'a')
        if (data[1] == 'b')
            abort();
    if (n > 100)
        cfuzz_error(t, "n is over 100");
    if (text[0] == '!')
        *(volatile int *)0 = 1;
}

/* ---- hostile targets: each does harm now and then ------------------------------------- */

/* One input of so many, so that the run gets somewhere between two. */
static bool now_and_then(const uint8_t *data, size_t len, unsigned of)
{
    unsigned sum = 0;

    for (size_t i = 0; i < len; i++)
        sum = sum * 31 + data[i];
    sink += walk(data, len);
    return len > 0 && sum % of == 0;
}

FUZZ_TEST(FuzzCloses, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (now_and_then(data, len, 300))
        for (int fd = data[0] & 1 ? 0 : 3; fd < 64; fd++)
            close(fd);
}

FUZZ_TEST(FuzzDaemons, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (now_and_then(data, len, 500) && fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
}

FUZZ_TEST(FuzzSignals, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    static const int signals[] = {SIGUSR1, SIGTERM, SIGINT,  SIGHUP,
                                  SIGPIPE, SIGALRM, SIGCHLD, SIGXCPU};

    (void)t;
    if (!now_and_then(data, len, 300))
        return;
    if (data[0] & 32) /* past what looks at the C library's function */
        syscall(SYS_kill, data[0] & 16 ? getppid() : 0, signals[data[0] & 7]);
    else
        kill(data[0] & 8 ? 0 : data[0] & 16 ? getppid() : getpid(), signals[data[0] & 7]);
}

/* Past what looks at the C library's function. */
FUZZ_TEST(FuzzKills, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (now_and_then(data, len, 300))
        syscall(SYS_kill, getppid(), SIGKILL);
}

FUZZ_TEST(FuzzLimits, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    static const int limits[] = {RLIMIT_NOFILE, RLIMIT_AS,  RLIMIT_FSIZE, RLIMIT_STACK,
                                 RLIMIT_NPROC,  RLIMIT_CPU, RLIMIT_DATA,  RLIMIT_CORE};
    struct rlimit small = {data != NULL && len > 1 ? data[1] : 0, RLIM_INFINITY};

    (void)t;
    if (now_and_then(data, len, 300)) {
        getrlimit(limits[data[0] & 7], &small);
        small.rlim_cur = len > 1 ? data[1] : 0;
        setrlimit(limits[data[0] & 7], &small);
    }
}

/* Writes over memory that is shared with other processes. */
FUZZ_TEST(FuzzScribbles, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    char line[512], how[5];
    unsigned long long start, end;
    FILE *maps;

    (void)t;
    if (!now_and_then(data, len, 400) || (maps = fopen("/proc/self/maps", "re")) == NULL)
        return;
    while (fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%llx-%llx %4s", &start, &end, how) == 3 && strcmp(how, "rw-s") == 0)
            memset((void *)(uintptr_t)start, data[0],
                   end - start < 1 << 16 ? end - start : 1 << 16);
    fclose(maps);
}

/* Gigabytes in a run: 16 MiB at a time. */
FUZZ_TEST(FuzzOutput, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    static char block[1 << 16];

    (void)t;
    if (!now_and_then(data, len, 100))
        return;
    memset(block, data[0], sizeof block);
    for (int i = 0; i < 256; i++)
        if (write(1 + (data[0] & 1), block, sizeof block) < 0)
            return;
}

FUZZ_TEST(FuzzProcesses, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    (void)t;
    if (!now_and_then(data, len, 2000))
        return;
    for (int i = 0; i < 200; i++)
        if (fork() == 0)
            for (;;)
                pause();
}

FUZZ_TEST(FuzzMemory, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    char *much;

    (void)t;
    if (!now_and_then(data, len, 1000) || (much = malloc(400 << 20)) == NULL)
        return;
    for (size_t i = 0; i < (size_t)400 << 20; i += 4096)
        much[i] = 1;
    sleep(1);
    free(much);
}

static void *leave(void *arg)
{
    (void)arg;
    exit(3);
}

FUZZ_TEST(FuzzExits, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    pthread_t thread;

    (void)t;
    if (!now_and_then(data, len, 300))
        return;
    switch (data[0] & 3) {
    case 0:
        exit(0);
    case 1:
        _exit(70);
    case 2:
        pthread_exit(NULL);
    default:
        if (pthread_create(&thread, NULL, leave, NULL) == 0)
            pthread_join(thread, NULL);
    }
}

FUZZ_TEST(FuzzTempDirs, []byte)(cfuzz_t *t, const uint8_t *data, size_t len)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/file", cfuzz_temp_dir(t));
    f = fopen(path, "w");
    if (f != NULL)
        fclose(f);
    if (now_and_then(data, len, 500))
        abort();
}
