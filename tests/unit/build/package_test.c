/*
 * package_test.c - arguments to packages, and packages to sources and flags.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "work_directory.h"

/* The names of what packages_find finds, or its error. */
static const char *found(const char *arg)
{
    static char text[1000];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct packages pkgs = {NULL, 0};
    struct strlist names = STRLIST_INIT;

    if (packages_find(&arg, 1, NULL, &pkgs, &err) < 0) {
        assert_int_equal(err.code, CFZ_EUSAGE);
        snprintf(text, sizeof(text), "error: %s", err.text);
        return text;
    }
    for (size_t i = 0; i < pkgs.n; i++)
        strlist_add(&names, pkgs.v[i].name, NULL);
    snprintf(text, sizeof(text), "%s", joined(&names));
    strlist_release(&names);
    packages_release(&pkgs);
    return text;
}

static void test_find(void **state)
{
    (void)state;
    put("lib/a.c", "");
    put("lib/sub/b.c", "");
    put("lib/sub/testdata/c.c", "");
    put("lib/_old/d.c", "");
    put("lib/.git/e.c", "");
    put("lib/build/CMakeCache.txt", "");
    put("lib/build/f.c", "");
    put("lib/docs/README", "");
    put("empty/x", "");
    put("script", "#!/bin/sh\n");
    chmod("script", 0755);
    assert_int_equal(symlink("../lib", "empty/link"), 0);

    assert_string_equal(found("lib"), "lib");
    assert_string_equal(found("./lib/"), "./lib");
    assert_string_equal(found("."), strrchr(work, '/') + 1);
    assert_string_equal(found("./..."), "./lib|./lib/sub");
    assert_string_equal(found("lib/..."), "lib|lib/sub");
    assert_string_equal(found("..."), "./lib|./lib/sub");
    assert_string_equal(found("empty/..."), "error: empty/...: no directory with C or C++ source files");
    assert_string_equal(found("nowhere"), "error: nowhere: no such file or directory");
    assert_string_equal(found("lib/a.c"),
                        "error: lib/a.c: neither a directory nor a test executable");
    assert_string_equal(found("script"),
                        "error: script: neither a directory nor a test executable");
}

static void test_find_twice(void **state)
{
    static const char *const args[] = {"lib", "./lib/", "./..."};
    struct packages pkgs = {NULL, 0};

    (void)state;
    put("lib/a.c", "");
    assert_int_equal(packages_find(args, 3, NULL, &pkgs, NULL), 0);
    assert_int_equal(pkgs.n, 1);
    assert_string_equal(pkgs.v[0].name, "lib");
    packages_release(&pkgs);
}

static void test_find_executable(void **state)
{
    const char *arg = "/proc/self/exe";
    struct packages pkgs = {NULL, 0};
    char dir[600];

    (void)state;
    put("d/x", "");
    assert_int_equal(packages_find(&arg, 1, "d", &pkgs, NULL), 0);
    assert_int_equal(pkgs.n, 1);
    snprintf(dir, sizeof(dir), "%s/d", work);
    assert_string_equal(pkgs.v[0].dir, dir);
    assert_string_equal(pkgs.v[0].path, dir + 1);
    assert_string_equal(pkgs.v[0].name, arg);
    assert_int_equal(pkgs.v[0].executable[0], '/');
    packages_release(&pkgs);
}

static void test_load(void **state)
{
    struct packages pkgs;
    char want[600];

    (void)state;
    put("p/z.c", "//cfuzz:cflags -DZ\n//cfuzz:sources ../shared/*.c ../p/a.c\n");
    put("p/a.c", "//cfuzz:cflags -DA\n//cfuzz:ldflags -la\n");
    put("p/.hidden.c", "");
    put("p/notes.txt", "");
    put("p/t.h", "FUZZ_TEST(FuzzX, int)\n");
    put("shared/s.c", "//cfuzz:ldflags -ls\n");
    put("shared/q.c", "");
    pkgs = load("p");
    assert_int_equal(pkgs.v[0].nsources, 4);
    for (size_t i = 0; i < 4; i++) {
        static const char *const names[] = {"p/a.c", "p/z.c", "shared/q.c", "shared/s.c"};

        snprintf(want, sizeof(want), "%s/%s", work, names[i]);
        assert_string_equal(pkgs.v[0].sources[i].path, want);
    }
    assert_string_equal(joined(&pkgs.v[0].cflags), "-DA|-DZ");
    assert_string_equal(joined(&pkgs.v[0].ldflags), "-la|-ls");
    assert_true(pkgs.v[0].mentions_tests);
    packages_release(&pkgs);
}

static void test_load_refused(void **state)
{
    static const struct {
        const char *file, *text, *why; /* %s in why: the directory */
    } bad[] = {
        {"p/notes.txt", "", "p: no C or C++ source files"},
        {"p/a.c", "\n//cfuzz:sources gone.c\n",
         "%s/p/a.c: line 2: //cfuzz:sources gone.c: no such file"},
        {"p/a.c", "\n//cfuzz:flags\n",
         "%s/p/a.c: line 2: unknown directive //cfuzz:flags; did you mean //cfuzz:cflags?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *arg = "p";
        struct cfz_error err = CFZ_ERROR_INIT;
        struct packages pkgs = {NULL, 0};
        char want[1000];

        put(bad[i].file, bad[i].text);
        assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
        assert_int_equal(package_load(&pkgs.v[0], &err), -1);
        snprintf(want, sizeof(want), bad[i].why, work);
        assert_string_equal(err.text, want);
        packages_release(&pkgs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_find, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_find_twice, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_find_executable, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_load, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_load_refused, enter_directory, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
