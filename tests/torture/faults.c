/*
 * faults.c - makes calls of the C library fail, and clocks jump, in one program of a run.
 *
 * Loaded with LD_PRELOAD. The environment says what is to happen; nothing does in other programs:
 *
 *     TORTURE_FAULT=ROLE,CALL,N,ERRNO    call number N of each process fails with ERRNO; with "N+"
 *                                        so does each after it
 *     TORTURE_CLOCK=ROLE,N,NS            from call number N of clock_gettime on, clocks are NS ahead
 *     TORTURE_LOG=FILE                   each fault appends a line to it: ROLE CALL N PID LIBRARY,
 *                                        which is the one that called
 *
 * ROLE is "driver" (cfuzz-test) or "runtime" (a test binary), CALL the name of a function below.
 * Calls are counted from the start of the program; a process that is forked goes on with the count
 * of its parent. Of the roles "worker" and "host", which are for faults alone, they are counted in
 * each such process from its fork on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);

enum { HOST_FORKS = 1, WORKER_FORKS = 2 }; /* of the host, of the worker */

static const char *fault_call; /* NULL: no fault in this program */
static long fault_n, fault_errno;
static bool fault_lasts;
static long clock_n; /* 0: no jump in this program */
static long long clock_ns;
static const char *role = "", *log_file;
static atomic_long calls, clock_calls;
static int forks, fault_forks; /* how often this process was forked; from how often on it fails */

/* Which of the two programs this is, or "". */
static const char *find_role(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *name;

    path[n > 0 ? n : 0] = '\0';
    name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (strcmp(name, "cfuzz-test") == 0)
        return "driver";
    return strlen(name) > 5 && strcmp(name + strlen(name) - 5, ".test") == 0 ? "runtime" : "";
}

__attribute__((constructor)) static void begin(void)
{
    static char call[32];
    const char *fault = getenv("TORTURE_FAULT"), *jump = getenv("TORTURE_CLOCK");
    char who[16], plus = 0;

    role = find_role();
    log_file = getenv("TORTURE_LOG");
    if (fault != NULL &&
        (sscanf(fault, "%15[^,],%31[^,],%ld+,%ld", who, call, &fault_n, &fault_errno) == 4 ||
         sscanf(fault, "%15[^,],%31[^,],%ld,%ld", who, call, &fault_n, &fault_errno) == 4) &&
        strcmp(strcmp(who, "worker") == 0 || strcmp(who, "host") == 0 ? "runtime" : who, role) ==
            0) {
        fault_forks = strcmp(who, "worker") == 0 ? WORKER_FORKS
                      : strcmp(who, "host") == 0 ? HOST_FORKS
                                                 : 0;
        plus = strchr(fault, '+') != NULL;
        fault_lasts = plus;
        fault_call = call;
    }
    if (jump != NULL && sscanf(jump, "%15[^,],%ld,%lld", who, &clock_n, &clock_ns) == 3 &&
        strcmp(who, role) != 0)
        clock_n = 0;
}

/* Appends a line to the log. Calls nothing that may be made to fail, and allocates nothing. */
static void note(const char *call, long n, void *caller)
{
    char line[512];
    int saved = errno, fd, len;
    const char *library = "?";
    Dl_info info;

    if (log_file == NULL)
        return;
    if (dladdr(caller, &info) != 0 && info.dli_fname != NULL)
        library = info.dli_fname;
    len = snprintf(line, sizeof line, "%s %s %ld %d %.300s\n", role, call, n,
                   (int)syscall(SYS_getpid), library);
    fd = (int)syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                      0666);
    if (fd >= 0) {
        syscall(SYS_write, fd, line, (size_t)len);
        syscall(SYS_close, fd);
    }
    errno = saved;
}

/* Reports whether this call is to fail, and sets errno then. */
#define fails(call) call_fails(call, __builtin_return_address(0))
static bool call_fails(const char *call, void *caller)
{
    Dl_info info;
    long n;

    if (fault_call == NULL || forks < fault_forks || strcmp(call, fault_call) != 0)
        return false;
    /* libuv wakes itself by pipes of its own, which no system refuses to read or write: where that
     * fails it aborts, or sleeps for ever. */
    if ((strcmp(call, "read") == 0 || strcmp(call, "write") == 0) && dladdr(caller, &info) != 0 &&
        info.dli_fname != NULL && strstr(info.dli_fname, "libuv") != NULL)
        return false;
    n = atomic_fetch_add(&calls, 1) + 1;
    if (n != fault_n && !(fault_lasts && n > fault_n))
        return false;
    if (n == fault_n) /* those that follow would fill the log */
        note(call, n, caller);
    errno = (int)fault_errno;
    return true;
}

void *malloc(size_t size)
{
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails("malloc") ? NULL : __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
    return fails("malloc") ? NULL : __libc_realloc(at, size);
}

/* The mode of open and openat, where there is one. */
static mode_t mode_of(int flags, va_list ap)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(ap, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    mode_t mode;

    va_start(ap, flags);
    mode = mode_of(flags, ap);
    va_end(ap);
    return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list ap;
    mode_t mode;

    va_start(ap, flags);
    mode = mode_of(flags, ap);
    va_end(ap);
    return fails("open") ? -1 : (int)syscall(SYS_openat, dir, path, flags, mode);
}

ssize_t read(int fd, void *to, size_t len)
{
    return fails("read") ? -1 : (ssize_t)syscall(SYS_read, fd, to, len);
}

ssize_t write(int fd, const void *data, size_t len)
{
    return fails("write") ? -1 : (ssize_t)syscall(SYS_write, fd, data, len);
}

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
    if (fails("mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, len, prot, flags, fd, off);
}

int ftruncate(int fd, off_t len)
{
    return fails("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, fd, len);
}

int posix_fallocate(int fd, off_t off, off_t len)
{
    if (fails("fallocate"))
        return errno;
    return syscall(SYS_fallocate, fd, 0, off, len) < 0 ? errno : 0;
}

int memfd_create(const char *name, unsigned flags)
{
    return fails("memfd_create") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

pid_t fork(void)
{
    static pid_t (*next)(void);
    pid_t pid;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "fork");
    if (fails("fork"))
        return -1;
    pid = next();
    if (pid == 0 && ++forks == fault_forks)
        atomic_store(&calls, 0);
    return pid;
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
    return fails("socketpair") ? -1 : (int)syscall(SYS_socketpair, domain, type, protocol, fds);
}

int pipe2(int fds[2], int flags)
{
    return fails("pipe") ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

ssize_t sendmsg(int sock, const struct msghdr *m, int flags)
{
    return fails("sendmsg") ? -1 : (ssize_t)syscall(SYS_sendmsg, sock, m, flags);
}

ssize_t recvmsg(int sock, struct msghdr *m, int flags)
{
    return fails("recvmsg") ? -1 : (ssize_t)syscall(SYS_recvmsg, sock, m, flags);
}

int fsync(int fd)
{
    return fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    return fails("link") ? -1 : (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return fails("rename") ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    return fails("mkdir") ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int ret = (int)syscall(SYS_clock_gettime, clock, now);
    long n;

    if (clock_n == 0 || ret < 0)
        return ret;
    n = atomic_fetch_add(&clock_calls, 1) + 1;
    if (n == clock_n)
        note("clock_gettime", n, __builtin_return_address(0));
    /* A clock of intervals never goes back. */
    if (n >= clock_n && (clock_ns > 0 || clock == CLOCK_REALTIME)) {
        long long ns = now->tv_nsec + clock_ns % 1000000000;

        now->tv_sec += clock_ns / 1000000000 + (ns >= 1000000000) - (ns < 0);
        now->tv_nsec = (long)((ns + 1000000000) % 1000000000);
    }
    return ret;
}
