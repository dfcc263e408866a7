/*
 * foreign_test.c - which files and libraries of a link are looked at, and what they tell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/foreign.h"

static char dir[] = "/tmp/cfuzz-foreign-XXXXXX";

static void path_of(char path[64], const char *name)
{
    snprintf(path, 64, "%s/%s", dir, name);
}

/* Writes a file of a head and of names. */
static void make(const char *name, const void *head, size_t len, const char *names)
{
    char path[64];
    FILE *f;

    path_of(path, name);
    f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(head, 1, len, f), len);
    assert_true(fputs(names, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void make_elf(const char *name, uint16_t type, const char *names)
{
    Elf64_Ehdr head = {.e_type = type};

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    make(name, &head, sizeof head, names);
}

static const char *const files[] = {"guard.o", "deep.o", "plain.o", "ours.o", "lib.so",
                                    "libz.a",  "text.c", "lto.o",   "thin.a", "empty.o"};

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    make_elf("guard.o", ET_REL, "__sanitizer_cov_trace_pc_guard");
    make_elf("deep.o", ET_REL, "__sancov_lowest_stack, __sanitizer_cov_8bit_counters_init");
    make_elf("plain.o", ET_REL, "memcmp, __sanitizer_co");
    make_elf("ours.o", ET_REL, "__sanitizer_cov_8bit_counters_init cfuzz_trace_init");
    make_elf("lib.so", ET_DYN, "__sanitizer_cov_trace_pc_guard");
    make("libz.a", "!<arch>\n", 8, "__sanitizer_cov_trace_pc");
    make("text.c", "", 0, "int __sanitizer_cov_trace_pc;");
    make("lto.o", "BC\xc0\xde", 4, "__sanitizer_cov_trace_pc");
    make("thin.a", "!<thin>\n", 8, "__sanitizer_cov_trace_pc");
    make("empty.o", "", 0, "");
    return 0;
}

static int teardown(void **state)
{
    char path[64];

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        path_of(path, files[i]);
        unlink(path);
    }
    return rmdir(dir);
}

static void test_words(void **state)
{
    static const struct {
        const char *words; /* %: the directory */
        unsigned told;
    } cases[] = {
        {"", 0},
        {"guard.o", FOREIGN_COVERAGE},
        {"./guard.o plain.o", FOREIGN_COVERAGE},
        {"plain.o %/guard.o", FOREIGN_COVERAGE},
        {"deep.o", FOREIGN_COVERAGE | FOREIGN_DEPTH},
        {"guard.o deep.o", FOREIGN_COVERAGE | FOREIGN_DEPTH},
        {"plain.o ours.o lib.so text.c thin.a empty.o none.o .", 0},
        {"lto.o", FOREIGN_COVERAGE},
        {"libz.a", FOREIGN_COVERAGE},
        {"-Wl,--whole-archive,libz.a,--no-whole-archive", FOREIGN_COVERAGE},
        {"-Wl,libz.a", FOREIGN_COVERAGE},
        {"-Wl,--version-script,text.c,", 0},
        {"-lz", 0}, /* the system's */
        {"-L. -lz", FOREIGN_COVERAGE},
        {"-L . -l z", FOREIGN_COVERAGE},
        {"-lz -L/nowhere -L%", FOREIGN_COVERAGE},
        {"-L. -l:guard.o", FOREIGN_COVERAGE},
        {"-L. -ly -lm", 0},
        {"-L -l", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strlist words = STRLIST_INIT;
        char text[256] = "";
        unsigned told;

        for (const char *p = cases[i].words; *p != '\0'; p++)
            snprintf(text + strlen(text), sizeof text - strlen(text), *p == '%' ? "%s" : "%.1s",
                     *p == '%' ? dir : p);
        assert_int_equal(strlist_split(&words, text, strlen(text), NULL), 0);
        told = foreign_objects(&words, dir);
        if (told != cases[i].told)
            fail_msg("%s: %u, want %u", cases[i].words, told, cases[i].told);
        strlist_release(&words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
