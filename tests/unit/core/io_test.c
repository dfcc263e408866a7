/*
 * io_test.c - whole files: what is refused, and that nothing is left half-written.
 *
 * Wraps: openat linkat
 */
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/io.h"

/* ---- a file system with faults ------------------------------------------------- */

static int no_tmpfile; /* errno of an open with O_TMPFILE, as on NFS; 0: as it is */
static int no_link;    /* errno of a link, as on FAT */

int __real_openat(int dirfd, const char *path, int flags, ...);
int __wrap_openat(int dirfd, const char *path, int flags, ...);
int __real_linkat(int olddir, const char *old, int newdir, const char *new, int flags);
int __wrap_linkat(int olddir, const char *old, int newdir, const char *new, int flags);

int __wrap_openat(int dirfd, const char *path, int flags, ...)
{
    mode_t mode = 0;

    if ((flags & O_TMPFILE) == O_TMPFILE && no_tmpfile) {
        errno = no_tmpfile;
        return -1;
    }
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list ap;

        va_start(ap, flags);
        mode = va_arg(ap, mode_t);
        va_end(ap);
    }
    return __real_openat(dirfd, path, flags, mode);
}

int __wrap_linkat(int olddir, const char *old, int newdir, const char *new, int flags)
{
    if (no_link) {
        errno = no_link;
        return -1;
    }
    return __real_linkat(olddir, old, newdir, new, flags);
}

/* ---- a directory for each test -------------------------------------------------- */

static char home[4096];

static int setup(void **state)
{
    static char dir[32];

    strcpy(dir, "/tmp/cfuzz-io-XXXXXX");
    if (!getcwd(home, sizeof home) || !mkdtemp(dir) || chdir(dir) < 0)
        return -1;
    no_tmpfile = no_link = 0;
    *state = dir;
    return 0;
}

static int teardown(void **state)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", (const char *)*state);
    return chdir(home) < 0 || system(command) != 0 ? -1 : 0;
}

static void make(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* How many names a directory has, hidden ones included. */
static int count_names(const char *path)
{
    DIR *dir = opendir(path);
    int n = -2; /* . and .. */

    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void expect_content(const char *path, const char *want)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_io_read_file(AT_FDCWD, path, 1 << 20, &b, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(cfz_buf_str(&b), want);
    cfz_buf_release(&b);
}

/* ---- reading -------------------------------------------------------------------- */

static void test_read(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    make("a", "text");
    make("empty", "");
    assert_int_equal(cfz_io_read_file(AT_FDCWD, "a", 4, &b, &err), 0);
    assert_int_equal(cfz_io_read_file(AT_FDCWD, "a", 4, &b, &err), 0); /* appends */
    assert_int_equal(cfz_io_read_file(AT_FDCWD, "empty", 0, &b, &err), 0);
    assert_string_equal(cfz_buf_str(&b), "texttext");
    /* A file that says it is empty and is not. */
    assert_int_equal(cfz_io_read_file(AT_FDCWD, "/proc/self/status", 1 << 20, &b, &err), 0);
    assert_memory_equal(b.data + 8, "Name:", 5);
    cfz_buf_release(&b);
    assert_int_equal(cfz_io_read_file(AT_FDCWD, "/proc/self/status", 10, &b, &err), -1);
    assert_string_equal(err.text, "/proc/self/status: more than 10 bytes");
    cfz_buf_release(&b);
}

static void test_read_refused(void **state)
{
    static const struct {
        const char *path;
        enum cfz_code code;
        const char *error;
    } cases[] = {
        {"missing", CFZ_EIO, "open missing: No such file or directory"},
        {"dangling", CFZ_EIO, "open dangling: No such file or directory"},
        {"loop", CFZ_EIO, "open loop: Too many levels of symbolic links"},
        {"file/x", CFZ_EIO, "open file/x: Not a directory"},
        {"dir", CFZ_EFORMAT, "dir: not a regular file"},
        {"fifo", CFZ_EFORMAT, "fifo: not a regular file"},
        {"socket", CFZ_EFORMAT, "socket: not a regular file"},
        {"/dev/null", CFZ_EFORMAT, "/dev/null: not a regular file"},
        {"file", CFZ_EFORMAT, "file: 5 bytes is more than 4"},
    };
    struct sockaddr_un addr = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    make("file", "12345");
    assert_int_equal(mkdir("dir", 0777), 0);
    assert_int_equal(mkfifo("fifo", 0666), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
    alarm(10); /* nothing here may wait */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cfz_buf b = CFZ_BUF_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(cfz_buf_puts(&b, "kept", NULL), 0);
        assert_int_equal(cfz_io_read_file(AT_FDCWD, cases[i].path, 4, &b, &err), -1);
        assert_string_equal(err.text, cases[i].error);
        assert_int_equal(err.code, cases[i].code);
        assert_string_equal(cfz_buf_str(&b), "kept");
        cfz_buf_release(&b);
    }
    alarm(0);
    close(fd);
}

/* ---- writing -------------------------------------------------------------------- */

/* All that writing promises, on a file system with or without its faults. */
static void check_writing(unsigned flags)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stat st;
    mode_t mask = umask(027);
    int dir = open(".", O_RDONLY | O_DIRECTORY);

    assert_true(dir >= 0);
    if (cfz_io_write_file(dir, "new", "text", 4, flags, &err) < 0)
        fail_msg("%s", err.text);
    expect_content("new", "text");
    assert_int_equal(stat("new", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640); /* 0666 less umask */
    umask(mask);

    assert_int_equal(cfz_io_write_file(dir, "new", "other", 5, flags, &err), -1);
    assert_int_equal(err.code, CFZ_EEXIST);
    assert_string_equal(err.text, "new: already there");
    expect_content("new", "text");
    assert_int_equal(cfz_io_write_file(dir, "new", "", 0, flags | CFZ_IO_REPLACE, &err), 0);
    expect_content("new", "");

    assert_int_equal(symlink("nowhere", "link"), 0); /* is something, and not followed */
    assert_int_equal(cfz_io_write_file(dir, "link", "x", 1, flags, &err), -1);
    assert_int_equal(err.code, CFZ_EEXIST);
    assert_int_equal(access("nowhere", F_OK), -1);

    assert_int_equal(cfz_io_write_file(dir, "no/dir", "x", 1, flags, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "write no/dir: No such file or directory");
    assert_int_equal(cfz_io_write_file(dir, "no/dir", "x", 1, flags | CFZ_IO_REPLACE, &err), -1);
    assert_string_equal(err.text, "write no/dir: No such file or directory");
    assert_int_equal(count_names("."), 2); /* new, link: no name of ours stays */
    close(dir);
}

static void test_write(void **state)
{
    (void)state;
    check_writing(0);
}

static void test_write_sync(void **state)
{
    (void)state;
    check_writing(CFZ_IO_SYNC);
}

static void test_write_without_tmpfile(void **state)
{
    static const int errors[] = {EOPNOTSUPP, EISDIR, EINVAL};

    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        no_tmpfile = errors[i];
        check_writing(CFZ_IO_SYNC);
        assert_int_equal(unlink("new"), 0);
        assert_int_equal(unlink("link"), 0);
    }
}

static void test_write_without_links(void **state)
{
    (void)state;
    no_link = EPERM;
    check_writing(0);
}

static void test_write_cwd(void **state)
{
    (void)state;
    assert_int_equal(cfz_io_write_file(AT_FDCWD, "a", "x", 1, CFZ_IO_SYNC, NULL), 0);
    expect_content("a", "x");
}

/* No room for all of it: an error, and no file. */
static void check_no_room(const char *want)
{
    static char data[1 << 20];
    int dir = open(".", O_RDONLY | O_DIRECTORY);

    assert_true(dir >= 0);
    make("old", "old");
    for (unsigned flags = 0; flags < 4; flags++) {
        for (no_tmpfile = 0; no_tmpfile <= EOPNOTSUPP; no_tmpfile += EOPNOTSUPP) {
            struct cfz_error err = CFZ_ERROR_INIT;

            assert_int_equal(cfz_io_write_file(dir, "big", data, sizeof data, flags, &err), -1);
            assert_string_equal(err.text, want);
            assert_int_equal(err.code, CFZ_EIO);
            if (flags & CFZ_IO_REPLACE) {
                assert_int_equal(cfz_io_write_file(dir, "old", data, sizeof data, flags, &err), -1);
                expect_content("old", "old");
            }
            assert_int_equal(count_names("."), 1);
        }
    }
    no_tmpfile = 0;
    close(dir);
}

static void test_write_file_limit(void **state)
{
    struct rlimit old, small;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 65536;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    check_no_room("write big: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
}

static void test_write_full_disk(void **state)
{
    (void)state;
    assert_int_equal(mkdir("small", 0777), 0);
    if (mount("cfuzz", "small", "tmpfs", 0, "size=64k") < 0) {
        print_message("full disk: skipped: mount: %s\n", strerror(errno));
        skip();
    }
    assert_int_equal(chdir("small"), 0);
    check_no_room("write big: No space left on device");
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(umount("small"), 0);
}

/* A directory that may not be written to; root may, so another user tries. */
static void test_write_read_only(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    int dir, status;
    pid_t pid;

    (void)state;
    assert_int_equal(chmod(".", 0555), 0);
    dir = open(".", O_RDONLY | O_DIRECTORY);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
            _exit(2);
        _exit(cfz_io_write_file(dir, "a", "x", 1, 0, &err) == -1 && err.sys == EACCES &&
                      strcmp(err.text, "write a: Permission denied") == 0
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(count_names("."), 0);
    close(dir);
}

/* Writers that are killed at any moment leave whole files, or what the sweep removes. */
static void test_write_killed(void **state)
{
    int dir = open(".", O_RDONLY | O_DIRECTORY);

    (void)state;
    assert_true(dir >= 0);
    for (int i = 0; i < 20; i++) {
        char name[16];
        pid_t pid = fork();

        assert_true(pid >= 0);
        if (pid == 0) {
            static char data[100000];

            no_tmpfile = i % 2 ? EOPNOTSUPP : 0;
            for (int j = 0;; j++) {
                snprintf(name, sizeof name, "%d-%d", i, j);
                cfz_io_write_file(dir, name, data, sizeof data, 0, NULL);
            }
        }
        usleep(5000U * (unsigned)(1 + i)); /* a slow machine writes none in the first few */
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
    }
    assert_int_equal(cfz_io_sweep(dir, NULL), 0);
    {
        DIR *d = opendir(".");
        struct dirent *e;
        struct stat st;
        int n = 0;

        assert_non_null(d);
        while ((e = readdir(d))) {
            assert_int_equal(stat(e->d_name, &st), 0);
            if (!S_ISREG(st.st_mode))
                continue;
            assert_int_not_equal(e->d_name[0], '.');
            assert_int_equal(st.st_size, 100000);
            n++;
        }
        assert_true(n > 0);
        closedir(d);
    }
    close(dir);
}

static void test_sweep(void **state)
{
    char mine[64], dead[64];
    int dir = open(".", O_RDONLY | O_DIRECTORY);
    pid_t pid = fork();

    (void)state;
    if (pid == 0)
        _exit(0);
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    snprintf(dead, sizeof dead, CFZ_IO_TMP_PREFIX "%d-1-0", (int)pid);
    snprintf(mine, sizeof mine, CFZ_IO_TMP_PREFIX "%d-1-0", (int)getpid());
    make(dead, "");
    make(mine, "");
    make(CFZ_IO_TMP_PREFIX "x", "");
    make("other", "");
    assert_int_equal(cfz_io_sweep(dir, NULL), 0);
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(access(mine, F_OK), 0); /* its writer is at work */
    assert_int_equal(count_names("."), 3);
    close(dir);
}

/* ---- the rest --------------------------------------------------------------------- */

static void test_mkdirs(void **state)
{
    char path[5000];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct stat st;

    (void)state;
    assert_int_equal(cfz_io_mkdirs("a/b//c/", &err), 0);
    assert_int_equal(cfz_io_mkdirs("a/b/c", &err), 0);
    assert_int_equal(stat("a/b/c", &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    snprintf(path, sizeof path, "%s/d/e", (const char *)*state);
    assert_int_equal(cfz_io_mkdirs(path, &err), 0);
    assert_int_equal(stat("d/e", &st), 0);
    assert_int_equal(cfz_io_mkdirs("/", &err), 0);
    make("f", "");
    assert_int_equal(cfz_io_mkdirs("f", &err), -1);
    assert_string_equal(err.text, "mkdir f: Not a directory");
    assert_int_equal(cfz_io_mkdirs("f/g", &err), -1);
    assert_string_equal(err.text, "mkdir f: Not a directory");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(cfz_io_mkdirs("dangling/x", &err), -1);
    assert_int_equal(cfz_io_mkdirs("/proc/x/y", &err), -1);
    assert_string_equal(err.text, "mkdir /proc/x: No such file or directory");
}

/* nonblocking: writes do not wait for the reader. */
static void check_write_all(bool nonblocking)
{
    static char data[300000], got[300000];
    struct cfz_error err = CFZ_ERROR_INIT;
    size_t n = 0;
    int fds[2], status;
    pid_t pid;

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7);
    assert_int_equal(pipe2(fds, nonblocking ? O_NONBLOCK : 0), 0);
    assert_int_equal(fcntl(fds[0], F_SETFL, 0), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fds[0]);
        _exit(cfz_io_write_all(fds[1], data, sizeof data, NULL) == 0 ? 0 : 1);
    }
    close(fds[1]);
    for (ssize_t r; (r = read(fds[0], got + n, sizeof got - n)) > 0;) /* it fills the pipe */
        n += (size_t)r;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(n, sizeof data);
    assert_memory_equal(got, data, sizeof data);
    assert_int_equal(cfz_io_write_all(fds[0], data, 1, &err), -1);
    assert_string_equal(err.text, "write: Bad file descriptor");
    assert_int_equal(cfz_io_write_all(fds[0], data, 0, &err), 0);
    close(fds[0]);
}

static void test_write_all(void **state)
{
    (void)state;
    check_write_all(false);
    check_write_all(true);
}

#define IO_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IO_TEST(test_read),
        IO_TEST(test_read_refused),
        IO_TEST(test_write),
        IO_TEST(test_write_sync),
        IO_TEST(test_write_without_tmpfile),
        IO_TEST(test_write_without_links),
        IO_TEST(test_write_cwd),
        IO_TEST(test_write_file_limit),
        IO_TEST(test_write_full_disk),
        IO_TEST(test_write_read_only),
        IO_TEST(test_write_killed),
        IO_TEST(test_sweep),
        IO_TEST(test_mkdirs),
        IO_TEST(test_write_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
