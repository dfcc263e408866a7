/*
 * compile_commands_test.c - flags out of a compiler command, and out of a compilation database.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "build/compile_commands.h"
#include "work_directory.h"

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
    {"clang -DA -Xclang -include-pch -Xclang x.pch -Xclang -include -Xclang x.h -DB",
     "-DA|-Xclang|-include|-Xclang|x.h|-DB"},
    {"clang -include-pch x.pch -DB", "-DB"},
    {"clang -Xclang -include-pch", "-Xclang|-include-pch"},
    {"cc -Werror -Werror=format -flto=thin -flto", "-Werror=format"},
    {"cc -fsanitize-coverage=trace-cmp -fsanitize-coverage-allowlist=x -O1", "-O1"},
    {"cc -std=gnu99 -x c -Xclang -foo -mllvm -bar", "-std=gnu99|-x|c|-Xclang|-foo|-mllvm|-bar"},
    {"gcc -Wlogical-op -fipa-pta -fno-tree-vectorize -fno-ipa-cp -fPIC -specs=/x -aux-info y",
     "-Wlogical-op|-fPIC"},
    {"cc -O3 -DNDEBUG -DNDEBUG_X=1 -D NDEBUG -DMY_NDEBUG -c x.c", "-O3|-DNDEBUG_X=1|-DMY_NDEBUG"},
    {"cc -- x.c", ""},
    {"cc -I", ""},
    {"cc", ""},
};

static void test_command_flags(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct strlist command = STRLIST_INIT, flags = STRLIST_INIT;
        bool ndebug = false;

        assert_int_equal(
            strlist_split(&command, commands[i].command, strlen(commands[i].command), NULL), 0);
        assert_int_equal(compile_commands_flags(&command, "/b", &flags, &ndebug, NULL), 0);
        assert_string_equal(joined(&flags), commands[i].flags);
        assert_int_equal(ndebug, strstr(commands[i].command, "NDEBUG ") != NULL);
        strlist_release(&command);
        strlist_release(&flags);
    }
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

static const char *used(const char *dir)
{
    static char text[1000];
    struct packages pkgs = load(dir);
    const char *path = pkgs.v[0].compile_commands;

    snprintf(text, sizeof(text), "%s", path != NULL ? path + strlen(work) : "none");
    packages_release(&pkgs);
    return text;
}

/* Build directories may have any name; the newest counts, and -p names one. */
static void test_compile_commands_found(void **state)
{
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct packages pkgs = {NULL, 0};
    const char *arg = "src/lib";
    char text[2000], dir[600];

    (void)state;
    put("src/lib/a.c", "int a;\n");
    put("src/none/a.c", "int a;\n");
    snprintf(text, sizeof(text),
             "[{\"directory\": \"%s\", \"file\": \"src/lib/a.c\", \"command\": \"cc -DA -c a.c\"}]",
             work);
    put("x86/compile_commands.json", text);
    put("out/debug/compile_commands.json", text);
    put("docs/deep/compile_commands.json", text);
    assert_string_equal(used("src/lib"), "none"); /* nothing says that it is a project */
    put("meson.build", "");
    assert_int_equal(utimensat(AT_FDCWD, "x86/compile_commands.json", old, 0), 0);
    assert_string_equal(used("src/lib"), "/out/debug/compile_commands.json");
    assert_int_equal(utimensat(AT_FDCWD, "out/debug/compile_commands.json",
                               (struct timespec[2]){{.tv_sec = 999}, {.tv_sec = 999}}, 0),
                     0);
    assert_string_equal(used("src/lib"), "/x86/compile_commands.json");
    assert_string_equal(used("src/none"), "none");
    put("src/lib/_b/compile_commands.json", text);
    assert_string_equal(used("src/lib"), "/src/lib/_b/compile_commands.json");

    assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
    assert_int_equal(package_load(&pkgs.v[0], NULL), 0);
    assert_int_equal(compile_commands_apply(&pkgs.v[0], "docs/deep", &err), 0);
    assert_string_equal(pkgs.v[0].compile_commands, "docs/deep/compile_commands.json");
    packages_release(&pkgs);
    arg = "src/none";
    assert_int_equal(packages_find(&arg, 1, NULL, &pkgs, NULL), 0);
    assert_int_equal(package_load(&pkgs.v[0], NULL), 0);
    assert_int_equal(compile_commands_apply(&pkgs.v[0], "docs/deep", &err), -1);
    assert_string_equal(err.text,
                        "-p=docs/deep: its compile_commands.json lists no source of src/none");
    snprintf(dir, sizeof(dir), "%s/docs", work);
    assert_int_equal(compile_commands_apply(&pkgs.v[0], dir, &err), -1);
    assert_non_null(strstr(err.text, "/docs: no compile_commands.json in it"));
    put("docs/compile_commands.json", "{}");
    assert_int_equal(compile_commands_apply(&pkgs.v[0], "docs", &err), -1);
    assert_string_equal(err.text, "docs/compile_commands.json: not a compilation database: no "
                                  "array of entries");
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
    assert_int_equal(package_load(&pkgs.v[0], &err), 0);
    assert_int_equal(compile_commands_apply(&pkgs.v[0], NULL, &err), -1);
    assert_int_equal(err.code, CFZ_EFORMAT);
    snprintf(want, sizeof(want), "%s/compile_commands.json: line 2: ", work);
    assert_int_equal(strncmp(err.text, want, strlen(want)), 0);
    packages_release(&pkgs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_flags),
        cmocka_unit_test_setup_teardown(test_compile_commands, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_compile_commands_found, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(test_compile_commands_broken, enter_directory,
                                        leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
