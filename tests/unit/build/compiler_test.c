/*
 * compiler_test.c - which compiler and symbolizer are taken, from a PATH of scripts that answer as
 * compilers do.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "build/compiler.h"
#include "work_directory.h"

static char lib[] = "/lib/cfuzz", include[] = "/include";
static const struct install plugins = {
    .lib = lib, .include = include, .plugins = {14, 19, 22}, .nplugins = 3};

static void put_program(const char *path, const char *text)
{
    put(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* A program that says that it is a compiler of that version, and of that kind: the macros begin so.
 */
static void put_compiler(const char *path, const char *kind, int major, int minor, int patch)
{
    char text[400];

    snprintf(text, sizeof text,
             "#!/bin/sh\n[ \"$*\" = '-dM -E -x c /dev/null' ] || exit 1\n"
             "echo '#define __linux__ 1'\necho '#define __%s__ %d'\necho '#define __%s__ %d'\n"
             "echo '#define __%s__ %d'\n",
             kind[0] == 'c' ? "clang_major" : "GNUC", major,
             kind[0] == 'c' ? "clang_minor" : "GNUC_MINOR", minor,
             kind[0] == 'c' ? "clang_patchlevel" : "GNUC_PATCHLEVEL", patch);
    put_program(path, text);
}

/* Has PATH be one directory of the work directory. */
static void set_path(const char *name)
{
    char *path = NULL;

    assert_true(asprintf(&path, "%s/%s", work, name) > 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
}

/* What is found with -cc and CC, or the error; the work directory as W. */
static const char *found_for(const struct engine *engine, const char *flag, const char *variable)
{
    static char text[1000];
    struct options opt = {.cc = flag};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct compiler c;
    char *at;

    if (variable != NULL)
        setenv("CC", variable, 1);
    else
        unsetenv("CC");
    if (compiler_find(&opt, engine, &plugins, &c, &err) < 0) {
        assert_int_equal(err.code, strstr(err.text, "quote") != NULL ? CFZ_EFORMAT : CFZ_EUSAGE);
        snprintf(text, sizeof text, "%s", err.text);
    } else {
        assert_int_equal(c.major, atoi(c.version));
        snprintf(text, sizeof text, "%s %s %s, plugin %s, command %s", c.is_clang ? "clang" : "gcc",
                 c.version, c.path, c.plugin != NULL ? c.plugin : "none", joined(&c.command));
        compiler_release(&c);
    }
    while ((at = strstr(text, work)) != NULL) {
        *at = 'W';
        memmove(at + 1, at + strlen(work), strlen(at + strlen(work)) + 1);
    }
    return text;
}

static const char *found(const char *flag, const char *variable)
{
    return found_for(NULL, flag, variable);
}

static int enter(void **state)
{
    int rc = enter_directory(state);

    setenv("CFUZZCACHE", work != NULL ? work : "/", 1);
    if (mkdir("none", 0777) < 0 || mkdir("bin", 0777) < 0)
        return -1;
    set_path("none");
    return rc;
}

/* An engine has a compiler of its own, and does without a plugin. */
static void test_engine(void **state)
{
    static const struct engine any = {0}, afl = {.compiler = "afl-clang-fast", .prefix = "afl-"};

    (void)state;
    set_path("bin");
    put_compiler("bin/afl-clang-fast", "clang", 16, 0, 6);
    assert_string_equal(found_for(&afl, NULL, NULL),
                        "clang 16.0.6 W/bin/afl-clang-fast, plugin none, command afl-clang-fast");
    assert_string_equal(found_for(&any, "afl-clang-fast", NULL),
                        "clang 16.0.6 W/bin/afl-clang-fast, plugin none, command afl-clang-fast");
    put_compiler("bin/clang-19", "clang", 19, 1, 7);
    assert_string_equal(found_for(&any, NULL, NULL), "clang 19.1.7 W/bin/clang-19, plugin "
                                                     "/lib/cfuzz/cfuzz-plugin-19.so, command "
                                                     "clang-19");
    assert_string_equal(found_for(&afl, "clang-19", NULL),
                        "-cc: clang-19: this engine needs a compiler of its own: afl-clang-fast");
    assert_string_equal(found_for(&afl, NULL, "clang-19"),
                        "CC: clang-19: this engine needs a compiler of its own: afl-clang-fast");
}

static void test_default(void **state)
{
    (void)state;
    assert_string_equal(found(NULL, NULL),
                        "no clang found: looked for clang-19, clang-22, clang-16, clang-14 and "
                        "clang in PATH; there are plugins for clang 14, 19, 22");
    set_path("bin");
    put_compiler("bin/clang-16", "clang", 16, 0, 6); /* there is no plugin for it */
    assert_string_equal(found(NULL, NULL),
                        "clang-16: no plugin for clang 16: plugins in /lib/cfuzz: 14, 19, 22 "
                        "(choose a compiler with -cc or CC)");
    put_compiler("bin/clang", "clang", 14, 0, 6);
    assert_string_equal(found(NULL, NULL), "clang 14.0.6 W/bin/clang, plugin "
                                           "/lib/cfuzz/cfuzz-plugin-14.so, command clang");
    put_compiler("bin/clang-22", "clang", 22, 1, 0);
    assert_string_equal(found(NULL, ""), "clang 22.1.0 W/bin/clang-22, plugin "
                                         "/lib/cfuzz/cfuzz-plugin-22.so, command clang-22");
    put_compiler("bin/clang-19", "clang", 19, 1, 7);
    assert_string_equal(found(NULL, NULL), "clang 19.1.7 W/bin/clang-19, plugin "
                                           "/lib/cfuzz/cfuzz-plugin-19.so, command clang-19");
}

static void test_chosen(void **state)
{
    (void)state;
    set_path("bin");
    put_compiler("bin/clang-19", "clang", 19, 1, 7);
    put_compiler("bin/gcc-12", "gcc", 12, 2, 0);
    put_program("bin/ccache", "#!/bin/sh\nexec \"$@\"\n");
    put_program("bin/broken", "#!/bin/sh\necho no licence >&2\nexit 1\n");
    put_program("bin/strange", "#!/bin/sh\n");
    put("bin/text", "not a program\n");

    assert_string_equal(found(NULL, "gcc-12"),
                        "gcc 12.2.0 W/bin/gcc-12, plugin none, command gcc-12");
    assert_string_equal(found("clang-19", "gcc-12"),
                        "clang 19.1.7 W/bin/clang-19, plugin /lib/cfuzz/cfuzz-plugin-19.so, "
                        "command clang-19");
    /* A path stays, absolute; behind a launcher is the compiler. */
    assert_string_equal(found("bin/gcc-12", NULL),
                        "gcc 12.2.0 W/bin/gcc-12, plugin none, command bin/gcc-12");
    assert_string_equal(found(" ccache  'gcc-12' ", NULL),
                        "gcc 12.2.0 W/bin/gcc-12, plugin none, command ccache|gcc-12");

    assert_string_equal(found("clang-15", NULL), "-cc: clang-15: no such program");
    assert_string_equal(found(NULL, "bin/nothing"), "CC: bin/nothing: no such program");
    assert_string_equal(found("text", NULL), "-cc: text: no such program");
    assert_string_equal(found("bin", NULL), "-cc: bin: no such program");
    assert_string_equal(found(NULL, "gcc-12 'x"), "CC: gcc-12 'x: unterminated quote");
    assert_string_equal(found("broken", NULL), "W/bin/broken: neither clang nor gcc: no licence");
    assert_string_equal(found("strange", NULL),
                        "W/bin/strange: neither clang nor gcc: no version in its macros");
}

/* Flags behind the compiler belong to the command; the program is what stands before them. */
static void test_flags(void **state)
{
    (void)state;
    set_path("bin");
    put_program("bin/cc",
                "#!/bin/sh\n[ \"$1\" = -m64 ] && echo '#define __GNUC__ 9'\n"
                "echo '#define __GNUC_MINOR__ 1'\necho '#define __GNUC_PATCHLEVEL__ 2'\n");
    assert_string_equal(found("cc -m64", NULL), "gcc 9.1.2 W/bin/cc, plugin none, command cc|-m64");
}

static void test_program(void **state)
{
    char *path;

    (void)state;
    put_program("bin/tool", "");
    put("none/tool", ""); /* may not be run */
    assert_null(find_program("tool"));
    assert_int_equal(setenv("PATH", ":none:/does/not/exist:bin:/bin", 1), 0);
    path = find_program("tool");
    assert_string_equal(path, "bin/tool");
    free(path);
    path = find_program("./bin/tool");
    assert_string_equal(path + strlen(work), "/./bin/tool");
    free(path);
    assert_null(find_program("bin/tools"));
    assert_null(find_program("bin/"));
}

/* Beside the compiler itself, also where PATH has a link to it; then by its major; then any. */
static void test_symbolizer(void **state)
{
    struct compiler c = {.is_clang = true, .major = 16};
    char *path;

    (void)state;
    assert_null(find_symbolizer(NULL));
    assert_int_equal(asprintf(&c.path, "%s/bin/clang-16", work) > 0, true);
    put_program("llvm/bin/clang", "");
    assert_int_equal(symlink("../llvm/bin/clang", "bin/clang-16"), 0);
    assert_null(find_symbolizer(&c));

    set_path("bin");
    put_program("bin/llvm-symbolizer", "");
    path = find_symbolizer(&c);
    assert_string_equal(path + strlen(work), "/bin/llvm-symbolizer");
    free(path);
    put_program("bin/llvm-symbolizer-14", "");
    put_program("bin/llvm-symbolizer-19", "");
    path = find_symbolizer(&c);
    assert_string_equal(path + strlen(work), "/bin/llvm-symbolizer-19");
    free(path);
    put_program("bin/llvm-symbolizer-16", "");
    path = find_symbolizer(&c);
    assert_string_equal(path + strlen(work), "/bin/llvm-symbolizer-16");
    free(path);
    put_program("llvm/bin/llvm-symbolizer", "");
    path = find_symbolizer(&c);
    assert_string_equal(path + strlen(work), "/llvm/bin/llvm-symbolizer");
    free(path);
    path = find_symbolizer(NULL);
    assert_string_equal(path + strlen(work), "/bin/llvm-symbolizer-19");
    free(path);
    c.is_clang = false; /* gcc has none */
    path = find_symbolizer(&c);
    assert_string_equal(path + strlen(work), "/bin/llvm-symbolizer-19");
    free(path);
    compiler_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_engine, enter, leave_directory),
        cmocka_unit_test_setup_teardown(test_default, enter, leave_directory),
        cmocka_unit_test_setup_teardown(test_chosen, enter, leave_directory),
        cmocka_unit_test_setup_teardown(test_flags, enter, leave_directory),
        cmocka_unit_test_setup_teardown(test_program, enter, leave_directory),
        cmocka_unit_test_setup_teardown(test_symbolizer, enter, leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
