/*
 * build_test.c - copies of a test binary, and test executables that need no build.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>

#include "build/build.h"
#include "work_directory.h"

/* How many entries a directory has. */
static int count(const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n - 2;
}

static void check_copy(const char *path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct stat st;

    assert_int_equal(cfz_io_read_file(AT_FDCWD, path, 100, &text, NULL), 0);
    assert_string_equal(cfz_buf_str(&text), "binary");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0755);
    cfz_buf_release(&text);
    assert_int_equal(unlink(path), 0);
}

static void test_copy(void **state)
{
    char path[] = "cache/p.test";
    const struct test_binary bin = {.path = path};
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    umask(022);
    put("cache/p.test", "binary");
    put("out/old", "\177ELF, older");
    put("source.c", "int x;");
    put("empty", "");
    assert_int_equal(build_copy(&bin, NULL, NULL), 0);
    check_copy("p.test");
    assert_int_equal(build_copy(&bin, "new", NULL), 0);
    check_copy("new");
    assert_int_equal(build_copy(&bin, "out", NULL), 0);
    check_copy("out/p.test");
    assert_int_equal(build_copy(&bin, "out/old", NULL), 0); /* takes its place */
    check_copy("out/old");
    assert_int_equal(build_copy(&bin, "empty", NULL), 0);
    check_copy("empty");

    assert_int_equal(build_copy(&bin, "source.c", &err), -1);
    assert_int_equal(err.code, CFZ_EEXIST);
    assert_string_equal(err.text, "source.c: already exists and is not an object file");
    err = (struct cfz_error)CFZ_ERROR_INIT;
    assert_int_equal(build_copy(&bin, "gone/new", &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "create gone/new: No such file or directory");
    err = (struct cfz_error)CFZ_ERROR_INIT;
    assert_int_equal(unlink("cache/p.test"), 0);
    put("out/old", "older");
    assert_int_equal(build_copy(&bin, "out/old", &err), -1);
    assert_string_equal(err.text, "open cache/p.test: No such file or directory");
    assert_int_equal(count("out"), 1); /* nothing half done, and what was there stays */
}

static void test_executable(void **state)
{
    char path[] = "/w/x.test";
    const struct package pkg = {.executable = path};
    const struct options opt = {.sanitizers = 5, .fuzz = "X"};
    struct test_binaries bins;

    (void)state;
    assert_int_equal(setenv("PATH", work, 1), 0); /* no symbolizer there */
    assert_int_equal(build_package(&opt, &pkg, &bins, NULL), 0);
    assert_int_equal(bins.n, 1);
    assert_ptr_equal(bins.v[0].pkg, &pkg);
    assert_string_equal(bins.v[0].path, path);
    assert_true(bins.v[0].prebuilt);
    assert_false(bins.v[0].instrumented); /* its HELLO will say */
    assert_int_equal(bins.v[0].sanitizers, 5);
    assert_null(bins.v[0].symbolizer);
    test_binaries_release(&bins);
    assert_null(bins.v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_copy, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_executable, enter_directory, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
