/*
 * compile_commands_test.c - flags out of a compiler command, and out of a compilation database.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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
    assert_int_equal(package_load(&pkgs.v[0], &err), 0);
    assert_int_equal(compile_commands_apply(&pkgs.v[0], &err), -1);
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
        cmocka_unit_test_setup_teardown(test_compile_commands_broken, enter_directory,
                                        leave_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
