/*
 * wrapper_test.c - what cfuzz-cc adds to the command line of a compiler.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/build_plan.h"
#include "build/foreign.h"
#include "build/wrapper.h"
#include "core/buf.h"

static char lib[] = "/p/lib/cfuzz", include[] = "/p/include", plugin[] = "/p/plugin";
static const struct install in = {.lib = lib, .include = include};

/* The command for a line of arguments, of clang or gcc. */
static const char *command_of(const char *line, bool is_clang)
{
    static struct cfz_buf text = CFZ_BUF_INIT;
    struct compiler c = {.is_clang = is_clang, .plugin = is_clang ? plugin : NULL};
    struct strlist args = STRLIST_INIT, out = STRLIST_INIT;

    assert_int_equal(strlist_add(&c.command, "cc", NULL), 0);
    assert_int_equal(strlist_split(&args, line, strlen(line), NULL), 0);
    assert_int_equal(wrapper_command(&c, &in, (const char *const *)args.v, args.n, &out, NULL), 0);
    text.len = 0;
    for (size_t i = 0; i < out.n; i++)
        cfz_buf_printf(&text, NULL, "%s%s", i > 0 ? " " : "", out.v[i]);
    strlist_release(&c.command);
    strlist_release(&args);
    strlist_release(&out);
    return cfz_buf_str(&text);
}

#define C_HEAD "cc -DCFUZZ -isystem /p/include "
#define C_FLAGS                                                                                    \
    C_HEAD "-g -fno-omit-frame-pointer -fplugin=/p/plugin -fpass-plugin=/p/plugin "                \
           "-fplugin-arg-cfuzz-coverage=on -fplugin-arg-cfuzz-rename-main=off "
#define RUNTIME " -Wl,-u,cfz_program /p/lib/cfuzz/libcfuzz_main.a /p/lib/cfuzz/libcfuzz.a"
#define WRAP " -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc"
#define LIBS                                                                                       \
    " " LINK_SIGNALS " -lffi -lpthread -ldl -Wl,--export-dynamic-symbol=cfuzz_* "                  \
    "-Wl,--export-dynamic-symbol=__sanitizer_cov_*"
#define PROGRAM RUNTIME WRAP LIBS

static void test_clang(void **state)
{
    static const struct {
        const char *args, *want;
    } cases[] = {
        {"-O0 -c x.c -o x.o", C_FLAGS "-O0 -c x.c -o x.o"},
        {"-S x.cpp", C_FLAGS "-S x.cpp"},
        {"x.c", C_FLAGS "x.c" PROGRAM},
        {"-o x a.o -L. -lz", "cc -o x a.o -L. -lz" PROGRAM},
        {"-lz -o x", "cc -lz -o x" PROGRAM},
        {"-fsanitize=undefined a.o", "cc -fsanitize=undefined a.o" PROGRAM},
        {"-fsanitize=undefined,address a.o", "cc -fsanitize=undefined,address a.o" RUNTIME LIBS},
        {"-shared -o x.so a.o", "cc -shared -o x.so a.o -Wl,-z,undefs"},
        {"-shared -o x.so x.c", C_FLAGS "-shared -o x.so x.c -Wl,-z,undefs"},
        /* A language is that of what follows, and not of what we add. */
        {"-x c text", C_FLAGS "-x c text -x none" PROGRAM},
        {"-xc++ -c text", C_FLAGS "-xc++ -c text"},
        {"-x assembler -c x.c", "cc -x assembler -c x.c"},
        {"-x assembler a -x none -c x.c", C_FLAGS "-x assembler a -x none -c x.c"},
        {"-c -", "cc -c -"},
        {"-o x.pch x.h", C_FLAGS "-o x.pch x.h"},
        {"-x c++-header x.h", C_FLAGS "-x c++-header x.h"},
        {"-c x.S", "cc -c x.S"},
        /* Only what is asked for. */
        {"-E x.c", C_HEAD "-E x.c"},
        {"-c -E x.c", C_HEAD "-c -E x.c"},
        {"-MM x.c", C_HEAD "-MM x.c"},
        {"--version", "cc --version"},
        {"-v", "cc -v"},
        {"-print-file-name=libc.so", "cc -print-file-name=libc.so"},
        {"-Wl,--version", "cc -Wl,--version"},
        {"-nostdlib a.o", "cc -nostdlib a.o"},
        {"-r -o b.o a.o", "cc -r -o b.o a.o"},
        /* Words that belong to a flag are no inputs. */
        {"-MF x.c -o y.c -include z.c -v", "cc -MF x.c -o y.c -include z.c -v"},
        {"-Xlinker a.o -Xclang b.c -v", "cc -Xlinker a.o -Xclang b.c -v"},
        /* What is there is not doubled. */
        {"-fplugin=/q/cfuzz-plugin-19.so -c x.c", C_HEAD "-fplugin=/q/cfuzz-plugin-19.so -c x.c"},
        {"a.o /q/libcfuzz.a -lffi", "cc a.o /q/libcfuzz.a -lffi"},
        {"a.o -lcfuzz_main -lcfuzz -lffi", "cc a.o -lcfuzz_main -lcfuzz -lffi"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(command_of(cases[i].args, true), cases[i].want);
}

static void test_gcc(void **state)
{
    (void)state;
    assert_string_equal(command_of("-flto -c x.c", false),
                        C_HEAD "-g -fno-omit-frame-pointer -DCFUZZ_TEST "
                               "-fsanitize-coverage=trace-pc,trace-cmp -flto -c x.c -fno-lto");
    assert_string_equal(command_of("-E x.c", false), C_HEAD "-DCFUZZ_TEST -E x.c -fno-lto");
    assert_string_equal(command_of("a.o", false), "cc a.o" RUNTIME WRAP " " FOREIGN_CALLS LIBS);
    assert_string_equal(command_of("-fsanitize=address a.o", false),
                        "cc -fsanitize=address a.o" RUNTIME " " FOREIGN_CALLS
                        " " FOREIGN_CALLBACKS LIBS);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* Arguments in a file decide like others, and are passed on as the file. */
static void test_response(void **state)
{
    char dir[] = "/tmp/cfuzz-wrapper-XXXXXX", path[64], line[160], want[1024];
    struct compiler c = {.is_clang = true, .plugin = plugin};
    struct strlist out = STRLIST_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    const char *args[1];

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/words", dir);
    snprintf(line, sizeof line, "@%s", path);
    args[0] = line;
    write_text(path, "-shared\n-o \"a b.so\" a.o\n");
    snprintf(want, sizeof want, "cc %s -Wl,-z,undefs", line);
    assert_string_equal(command_of(line, true), want);
    write_text(path, "-c x.c");
    snprintf(want, sizeof want, C_FLAGS "%s", line);
    assert_string_equal(command_of(line, true), want);
    write_text(path, "-c 'x.c");
    assert_int_equal(wrapper_command(&c, &in, args, 1, &out, &err), -1);
    snprintf(want, sizeof want, "%s: unterminated quote", line);
    assert_string_equal(err.text, want);
    unlink(path);
    /* Without a file it is the compiler that says so. */
    snprintf(want, sizeof want, "cc %s" PROGRAM, line);
    assert_string_equal(command_of(line, true), want);
    strlist_release(&out);
    rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clang),
        cmocka_unit_test(test_gcc),
        cmocka_unit_test(test_response),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
