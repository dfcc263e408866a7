/*
 * package_test.c - arguments to packages, packages to sources and flags; and the
 * texts those come from: //cfuzz: lines, compile_commands.json, depfiles.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/build_inputs.h"
#include "build/clean.h"
#include "build/compile_commands.h"
#include "core/io.h"
#include "build/directives.h"
#include "build/package.h"

/* Each test starts in an empty directory of its own. */
static char *work;

static int enter_directory(void **state)
{
    char path[] = "/tmp/cfuzz-package-test.XXXXXX";

    (void)state;
    if (mkdtemp(path) == NULL || chdir(path) < 0)
        return -1;
    work = realpath(path, NULL);
    return work != NULL ? 0 : -1;
}

static int leave_directory(void **state)
{
    int rc = chdir("/") == 0 ? clean_tree(AT_FDCWD, work, work, NULL) : -1;

    (void)state;
    free(work);
    return rc;
}

static void put(const char *path, const char *text)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    char *dir = strdup(path), *slash = strrchr(dir, '/');

    if (slash != NULL) {
        *slash = '\0';
        assert_int_equal(cfz_io_mkdirs(dir, &err), 0);
    }
    assert_int_equal(cfz_io_write_file(AT_FDCWD, path, text, strlen(text), CFZ_IO_REPLACE, &err),
                     0);
    free(dir);
}

/* Joins the words with '|', so that a list is one string to compare. */
static const char *joined(const struct strlist *l)
{
    static char text[1000];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < l->n; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i > 0 ? "|" : "", l->v[i]);
    return text;
}

/* ---- words ------------------------------------------------------------------ */

static const struct {
    const char *line, *words;
} word_cases[] = {
    {"", ""},
    {" \t ", ""},
    {"a", "a"},
    {" a  b\tc\r", "a|b|c"},
    {"'a b' c", "a b|c"},
    {"\"a b\"", "a b"},
    {"a'b c'd", "ab cd"},
    {"a\\ b", "a b"},
    {"\\'", "'"},
    {"'a\\b'", "a\\b"},
    {"\"a\\b\\\"c\\\\\"", "a\\b\"c\\"},
    {"-DS='\"x y\"'", "-DS=\"x y\""},
    {"a\\", "a\\"},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(word_cases) / sizeof(word_cases[0]); i++) {
        struct strlist l = STRLIST_INIT;

        assert_int_equal(strlist_split(&l, word_cases[i].line, strlen(word_cases[i].line), NULL),
                         0);
        assert_string_equal(joined(&l), word_cases[i].words);
        strlist_release(&l);
    }
}

static void test_empty_words(void **state)
{
    struct strlist l = STRLIST_INIT;

    (void)state;
    assert_int_equal(strlist_split(&l, "'' a \"\"", 7, NULL), 0);
    assert_int_equal(l.n, 3);
    assert_string_equal(l.v[0], "");
    assert_string_equal(l.v[2], "");
    assert_null(l.v[3]);
    strlist_release(&l);
}

static void test_words_refused(void **state)
{
    static const char *const bad[] = {"'a", "\"a", "a 'b", "\"a\\\""};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct strlist l = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(strlist_split(&l, bad[i], strlen(bad[i]), &err), -1);
        assert_string_equal(err.text, "unterminated quote");
        assert_int_equal(l.n, 0);
    }
}

/* ---- //cfuzz: lines --------------------------------------------------------- */

static void test_directives(void **state)
{
    static const char text[] = "/* a comment */\n"
                               "//cfuzz:cflags -I../inc '-DA=b c'\n"
                               "//cfuzz:ldflags\t-lm\r\n"
                               " //cfuzz:cflags -Dnot_in_the_first_column\n"
                               "// cfuzz:cflags -Dnot_a_directive\n"
                               "//cfuzz:sources ../a.c b.c\n"
                               "int x; //cfuzz:ldflags -lnot\n"
                               "//cfuzz:cflags\n"
                               "//cfuzz:cflags -DLAST";
    struct directives d = DIRECTIVES_INIT;

    (void)state;
    assert_int_equal(directives_parse(text, strlen(text), &d, NULL), 0);
    assert_string_equal(joined(&d.cflags), "-I../inc|-DA=b c|-DLAST");
    assert_string_equal(joined(&d.ldflags), "-lm");
    assert_string_equal(joined(&d.sources), "../a.c|b.c");
    directives_release(&d);
}

static void test_directives_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"\n\n//cfuzz:cflag -O0\n", "line 3: unknown directive //cfuzz:cflag"},
        {"//cfuzz:\n", "line 1: unknown directive //cfuzz:"},
        {"//cfuzz:cflags=-O0", "line 1: unknown directive //cfuzz:cflags=-O0"},
        {"x\n//cfuzz:ldflags 'a\n", "line 2: unterminated quote"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct directives d = DIRECTIVES_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(directives_parse(bad[i].text, strlen(bad[i].text), &d, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, bad[i].why);
        directives_release(&d);
    }
}

/* ---- compile_commands.json -------------------------------------------------- */

static const struct {
    const char *command, *flags;
} commands[] = {
    {"cc -c x.c", ""},
    {"cc -O0 -Wall -o x.o -c x.c", "-O0|-Wall"},
    {"ccache cc -DA -D B=1 -UC x.c", "-DA|-D|B=1|-UC"},
    {"cc -Iinc -I /abs -I. -isystem sys -iquote q", "-I/b/inc|-I/abs|-I/b/.|-isystem|/b/sys|"
                                                    "-iquote|/b/q"},
    {"cc -MD -MMD -MF x.d -MT x.o -MQx -MP -oy.o -Wp,-MMD,x.d -save-temps=obj", ""},
    {"cc -include nowhere.h --sysroot=root", "-include|nowhere.h|--sysroot=/b/root"},
    {"cc -Werror -Werror=format -flto=thin -flto", "-Werror=format"},
    {"cc -std=gnu99 -x c -Xclang -foo -mllvm -bar", "-std=gnu99|-x|c|-Xclang|-foo|-mllvm|-bar"},
    {"cc -- x.c", ""},
    {"cc -I", ""},
    {"cc", ""},
};

static void test_command_flags(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct strlist command = STRLIST_INIT, flags = STRLIST_INIT;

        assert_int_equal(
            strlist_split(&command, commands[i].command, strlen(commands[i].command), NULL), 0);
        assert_int_equal(compile_commands_flags(&command, "/b", &flags, NULL), 0);
        assert_string_equal(joined(&flags), commands[i].flags);
        strlist_release(&command);
        strlist_release(&flags);
    }
}

/* Loads the one package that arg names. */
static struct packages load(const char *arg)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct packages pkgs = {NULL, 0};

    if (packages_find(&arg, 1, NULL, &pkgs, &err) < 0 || package_load(&pkgs.v[0], &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(pkgs.n, 1);
    return pkgs;
}

static void test_compile_commands(void **state)
{
    struct packages pkgs;
    char text[2000], want[600];

    (void)state;
    put("src/a.c", "int a;\n");
    put("src/a_fuzz.c", "int fuzz;\n");
    put("src/b.c", "int b;\n");
    snprintf(text, sizeof(text),
             "[{\"directory\": \"%s/build\", \"file\": \"../src/b.c\","
             "  \"command\": \"cc -Iinc -DB -o b.o -c ../src/b.c\"},"
             " {\"directory\": \"%s/build\", \"file\": \"../other/b.c\","
             "  \"command\": \"cc -DOTHER -c ../other/b.c\"},"
             " {\"directory\": \"%s\", \"file\": \"%s/src/a.c\","
             "  \"arguments\": [\"cc\", \"-DA=x y\", \"-c\", \"src/a.c\"]},"
             " {\"directory\": \"%s\", \"file\": \"src/a.c\", \"command\": \"cc -DSECOND\"}]",
             work, work, work, work, work);
    put("build/compile_commands.json", text);
    pkgs = load("src");
    assert_int_equal(pkgs.v[0].nsources, 3);
    assert_string_equal(joined(&pkgs.v[0].sources[0].flags), "-DA=x y");
    snprintf(want, sizeof(want), "-I%s/build/inc|-DB", work);
    assert_string_equal(joined(&pkgs.v[0].sources[2].flags), want);
    /* What is not listed is built like the first that is. */
    assert_string_equal(joined(&pkgs.v[0].sources[1].flags), want);
    snprintf(want, sizeof(want), "%s/build/compile_commands.json", work);
    assert_string_equal(pkgs.v[0].compile_commands, want);
    packages_release(&pkgs);

    /* One that knows nothing of the package is passed over. */
    put("src/compile_commands.json", "[]");
    pkgs = load("src");
    assert_string_equal(pkgs.v[0].compile_commands, want);
    packages_release(&pkgs);
}

static void test_compile_commands_broken(void **state)
{
    const char *arg = ".";
    struct cfz_error err = CFZ_ERROR_INIT;
    struct packages pkgs = {NULL, 0};
    char want[600];

    (void)state;
    put("a.c", "int a;\n");
    put("compile_commands.json", "[\n{]\n");
    assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
    assert_int_equal(package_load(&pkgs.v[0], &err), -1);
    assert_int_equal(err.code, CFZ_EFORMAT);
    snprintf(want, sizeof(want), "%s/compile_commands.json: line 2: ", work);
    assert_int_equal(strncmp(err.text, want, strlen(want)), 0);
    packages_release(&pkgs);
}

/* ---- packages --------------------------------------------------------------- */

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
    assert_string_equal(found("empty/..."), "error: empty/...: no directory with C source files");
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
        {"p/notes.txt", "", "p: no C source files"},
        {"p/a.c", "//cfuzz:sources gone.c\n", "%s/p/a.c: //cfuzz:sources gone.c: no such file"},
        {"p/a.c", "\n//cfuzz:flags\n", "%s/p/a.c: line 2: unknown directive //cfuzz:flags"},
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

/* ---- depfiles --------------------------------------------------------------- */

static const struct {
    const char *text, *words;
} depfiles[] = {
    {"x.o: x.c x.h\n", "x.c|x.h"},
    {"x.o: x.c \\\n  /usr/include/a.h \\\n  b.h\n", "x.c|/usr/include/a.h|b.h"},
    {"a\\ b.o: a\\ b.c c\\#d.h e$$f.h\n", "a b.c|c#d.h|e$f.h"},
    {"x.o: x.c x.h\n\nx.h:\n", "x.c|x.h"},
    {"x.o: C:x.c", "C:x.c"},
    {"x.o:\n", ""},
    {"", ""},
};

static void test_depfiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(depfiles) / sizeof(depfiles[0]); i++) {
        struct strlist l = STRLIST_INIT;

        assert_int_equal(depfile_parse(depfiles[i].text, strlen(depfiles[i].text), &l, NULL), 0);
        assert_string_equal(joined(&l), depfiles[i].words);
        strlist_release(&l);
    }
}

/* ---- removing --------------------------------------------------------------- */

static void test_clean(void **state)
{
    const char *arg = "src";
    const struct clean_options opt = {.fuzzcache = true};
    struct packages pkgs = {NULL, 0}, none = {NULL, 0};
    struct cfz_error err = CFZ_ERROR_INIT;
    char text[1000], cache[700];

    (void)state;
    put("src/a.c", "");
    put("precious", "x");
    snprintf(text, sizeof(text), "%s/cache", work);
    setenv("CFUZZCACHE", text, 1);
    snprintf(cache, sizeof(cache), "cache/fuzz%s/src", work);
    snprintf(text, sizeof(text), "%s/FuzzX/1", cache);
    put(text, "x");
    snprintf(text, sizeof(text), "%s/FuzzLib/FuzzY/1", cache); /* a package below */
    put(text, "x");
    snprintf(text, sizeof(text), "%s/FuzzX/link", cache);
    assert_int_equal(symlink("../../../../../precious", text), 0);

    assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
    assert_int_equal(clean_run(&opt, &pkgs, &err), 0);
    snprintf(text, sizeof(text), "%s/FuzzX", cache);
    assert_int_equal(access(text, F_OK), -1);
    snprintf(text, sizeof(text), "%s/FuzzLib/FuzzY/1", cache);
    assert_int_equal(access(text, F_OK), 0);

    put("cache/build/x", "");
    snprintf(text, sizeof(text), "%s/out", cache);
    assert_int_equal(symlink(work, text), 0);
    assert_int_equal(clean_run(&opt, &none, &err), 0);
    assert_int_equal(access("cache/fuzz", F_OK), -1);
    assert_int_equal(access("cache/build/x", F_OK), 0);
    assert_int_equal(access("precious", F_OK), 0);
    assert_int_equal(clean_run(&opt, &none, &err), 0); /* nothing there is fine */
    packages_release(&pkgs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_empty_words),
        cmocka_unit_test(test_words_refused),
        cmocka_unit_test(test_directives),
        cmocka_unit_test(test_directives_refused),
        cmocka_unit_test(test_command_flags),
        cmocka_unit_test(test_depfiles),
        cmocka_unit_test_setup_teardown(test_compile_commands, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_compile_commands_broken, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(test_find, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_find_twice, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_find_executable, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_load, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_load_refused, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_clean, enter_directory, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
