/*
 * corpus_test.c - corpus directories: good files, bad files, no files; saving.
 */
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/corpus/corpus.h"
#include "core/io.h"

static char home[4096];

static int setup(void **state)
{
    static char dir[40];

    strcpy(dir, "/tmp/cfuzz-corpus-XXXXXX");
    if (!getcwd(home, sizeof home) || !mkdtemp(dir) || chdir(dir) < 0)
        return -1;
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

static const enum cfz_kind kinds[] = {CFZ_KIND_INT, CFZ_KIND_STRING};

static void test_good(void **state)
{
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    static const char *const names[] = {"B", "a", "b b", "crlf", "\xff"};

    (void)state;
    assert_int_equal(mkdir("c", 0777), 0);
    make("c/\xff", "go test fuzz v1\nint(4)\nstring(\"\")\n");
    make("c/b b", "go test fuzz v1\nint(3)\nstring(\"\")\n");
    make("c/a", "go test fuzz v1\nint(2)\nstring(\"\")\n");
    make("c/B", "go test fuzz v1\nint(1)\nstring(\"x\")\n");
    make("c/crlf", "go test fuzz v1\r\n\r\nint(5)\r\nstring(\"\") // c\r\n");
    if (cfz_corpus_load("c", kinds, 2, &d, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(d.n, 5);
    for (size_t i = 0; i < d.n; i++) { /* sorted bytewise */
        if (d.files[i].bad)
            fail_msg("%s", d.files[i].why);
        assert_string_equal(d.files[i].name, names[i]);
        assert_null(d.files[i].why);
        assert_int_equal(d.files[i].vals.n, 2);
    }
    assert_int_equal(d.files[0].vals.v[0].bits, 1);
    assert_memory_equal(d.files[0].vals.v[1].data, "x", 1);
    /* Loading again replaces. */
    assert_int_equal(unlink("c/a"), 0);
    assert_int_equal(cfz_corpus_load("c", kinds, 2, &d, &err), 0);
    assert_int_equal(d.n, 4);
    cfz_corpus_dir_release(&d);
    assert_int_equal(d.n, 0);
    cfz_corpus_dir_release(&d);
}

static void test_ignored(void **state)
{
    static const char *const names[] = {"c/.hidden", "c/.cfuzz-tmp-1-2", "c/README", "c/README.txt",
                                        "c/a~",      "c/a.md",           "c/c.dict"};
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;

    (void)state;
    assert_int_equal(mkdir("c", 0777), 0);
    assert_int_equal(mkdir("c/sub", 0777), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make(names[i], "");
    assert_int_equal(cfz_corpus_load("c", kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, 0);
    assert_int_equal(cfz_corpus_load("c/", kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, 0);
    make("c/readme", ""); /* a corpus file, and no good one */
    make("c/xREADME", "");
    make("c/a.mdx", "");
    make("c/d.dict", ""); /* not the name of the test */
    make("c/cc.dict", "");
    make("c/.dict", ""); /* hidden */
    assert_int_equal(cfz_corpus_load("c", kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, 5);
    cfz_corpus_dir_release(&d);
}

static void test_bad(void **state)
{
    static const struct {
        const char *name, *text, *why;
    } cases[] = {
        {"empty", "", "c/empty: cannot unmarshal empty string"},
        {"nolf", "go test fuzz v1", "c/nolf: must include version and at least one value"},
        {"version", "go test fuzz v9\nint(1)\n",
         "c/version: line 1: unknown encoding version: go test fuzz v9"},
        {"range", "go test fuzz v1\n\nint8(300)\n",
         "c/range: line 3: malformed line \"int8(300)\": strconv.ParseInt: parsing \"300\": "
         "value out of range"},
        {"few", "go test fuzz v1\nint(1)\n",
         "c/few: wrong number of values in corpus entry: 1, want 2"},
        {"many", "go test fuzz v1\nint(1)\n\nstring(\"\")\n\n \nint(2)",
         "c/many: line 7: wrong number of values in corpus entry: 3, want 2"},
        {"types", "go test fuzz v1\nint(1)\n[]byte(\"\")\n",
         "c/types: line 3: mismatched types in corpus entry: [int []uint8], want [int string]"},
        {"wide", "go test fuzz v1\n\nint(5000000000)\nstring(\"\")\n",
         "c/wide: line 3: value 1: int 5000000000 out of range of a 32-bit int"},
        {"nul", "go test fuzz v1\nint(1)\nstring(\"ab\\x00\")\n",
         "c/nul: line 3: value 2: string has a NUL byte at offset 2"},
    };
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
    size_t n = sizeof cases / sizeof *cases, found = 0;

    (void)state;
    assert_int_equal(mkdir("c", 0777), 0);
    for (size_t i = 0; i < n; i++) {
        char path[32];

        snprintf(path, sizeof path, "c/%s", cases[i].name);
        make(path, cases[i].text);
    }
    make("c/zgood", "go test fuzz v1\nint(4)\nstring(\"\")\n");
    assert_int_equal(cfz_corpus_load("c", kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, n + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d.n; j++) {
            if (strcmp(d.files[j].name, cases[i].name) != 0)
                continue;
            assert_true(d.files[j].bad);
            assert_string_equal(d.files[j].why, cases[i].why);
            assert_int_equal(d.files[j].other_types,
                             strstr(cases[i].why, " in corpus entry: ") != NULL);
            assert_int_equal(d.files[j].vals.n, 0);
            found++;
        }
    }
    assert_int_equal(found, n);
    assert_false(d.files[n].bad); /* the others do not matter to it */
    cfz_corpus_dir_release(&d);
}

static void test_no_files(void **state)
{
    static const char *const names[] = {"dangling", "dir", "fifo"};
    static const char *const why[] = {"open c/dangling: No such file or directory",
                                      "c/dir: not a regular file", "c/fifo: not a regular file"};
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;

    (void)state;
    assert_int_equal(mkdir("c", 0777), 0);
    assert_int_equal(mkfifo("c/fifo", 0666), 0);
    assert_int_equal(symlink("nowhere", "c/dangling"), 0);
    assert_int_equal(symlink(".", "c/dir"), 0); /* a link to a directory is none */
    alarm(10);
    assert_int_equal(cfz_corpus_load("c", kinds, 2, &d, NULL), 0);
    alarm(0);
    assert_int_equal(d.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(d.files[i].name, names[i]);
        assert_true(d.files[i].bad);
        assert_string_equal(d.files[i].why, why[i]);
    }
    cfz_corpus_dir_release(&d);
}

static void test_no_directory(void **state)
{
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_corpus_load("missing/c", kinds, 2, &d, &err), 0);
    assert_int_equal(d.n, 0);
    make("file", "");
    assert_int_equal(cfz_corpus_load("file", kinds, 2, &d, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "reading seed corpus from file: Not a directory");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(cfz_corpus_load("dangling", kinds, 2, &d, &err), -1);
    assert_string_equal(err.text, "reading seed corpus from dangling: No such file or directory");
}

/* What the user may not read; root may, so another user tries. */
static void test_unreadable(void **state)
{
    int status;
    pid_t pid;

    (void)state;
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(mkdir("c", 0755), 0);
    make("c/a", "go test fuzz v1\nint(4)\nstring(\"\")\n");
    make("c/b", "go test fuzz v1\nint(4)\nstring(\"\")\n");
    assert_int_equal(chmod("c/a", 0), 0);
    assert_int_equal(chmod("c/b", 0644), 0);
    assert_int_equal(mkdir("locked", 0), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
            _exit(1);
        if (cfz_corpus_load("c", kinds, 2, &d, &err) < 0 || d.n != 2)
            _exit(2);
        if (!d.files[0].bad || strcmp(d.files[0].why, "open c/a: Permission denied") != 0)
            _exit(3);
        if (d.files[1].bad)
            _exit(4);
        cfz_corpus_dir_release(&d);
        if (cfz_corpus_load("locked", kinds, 2, &d, &err) == 0 ||
            strcmp(err.text, "reading seed corpus from locked: Permission denied") != 0)
            _exit(5);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(chmod("locked", 0755), 0);
}

/* ---- saving ------------------------------------------------------------------------ */

static void test_save(void **state)
{
    struct cfz_value v[] = {{.kind = CFZ_KIND_STRING, .data = (uint8_t *)"hello", .len = 5},
                            {.kind = CFZ_KIND_INT, .bits = 10}};
    static const enum cfz_kind saved_kinds[] = {CFZ_KIND_STRING, CFZ_KIND_INT};
    struct cfz_values vs = {v, 2, 0};
    struct cfz_corpus_dir d = CFZ_CORPUS_DIR_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    char name[17] = "";

    (void)state;
    if (cfz_corpus_save("t/c/FuzzX", &vs, CFZ_IO_SYNC, name, &err) < 0)
        fail_msg("%s", err.text);
    assert_string_equal(name, "938b0ddaf7af5000");
    assert_int_equal(cfz_corpus_load("t/c/FuzzX", saved_kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, 1);
    assert_string_equal(d.files[0].name, name);
    assert_true(cfz_values_equal(&d.files[0].vals, &vs));
    cfz_corpus_dir_release(&d);
    memset(name, 0, sizeof name);
    assert_int_equal(cfz_corpus_save("t/c/FuzzX", &vs, 0, name, &err), 0); /* the same again */
    assert_string_equal(name, "938b0ddaf7af5000");

    /* What is there under the name but is something else is kept, and is no success. */
    make("t/c/FuzzX/938b0ddaf7af5000", "go test fuzz v1\nstr");
    assert_int_equal(cfz_corpus_save("t/c/FuzzX", &vs, 0, name, &err), -1);
    assert_int_equal(err.code, CFZ_EEXIST);
    assert_string_equal(err.text, "t/c/FuzzX: 938b0ddaf7af5000: already there, with other content");

    /* Unless that is damaged. */
    assert_int_equal(cfz_corpus_save("t/c/FuzzX", &vs, CFZ_IO_REPLACE, name, &err), 0);
    assert_string_equal(name, "938b0ddaf7af5000");
    assert_int_equal(cfz_corpus_load("t/c/FuzzX", saved_kinds, 2, &d, NULL), 0);
    assert_int_equal(d.n, 1);
    assert_true(cfz_values_equal(&d.files[0].vals, &vs));
    cfz_corpus_dir_release(&d);
    assert_int_equal(unlink("t/c/FuzzX/938b0ddaf7af5000"), 0);
    assert_int_equal(mkdir("t/c/FuzzX/938b0ddaf7af5000", 0777), 0);
    assert_int_equal(cfz_corpus_save("t/c/FuzzX", &vs, 0, name, &err), -1);
    assert_string_equal(err.text, "t/c/FuzzX: 938b0ddaf7af5000: not a regular file");

    make("file", "");
    assert_int_equal(cfz_corpus_save("file/FuzzX", &vs, 0, name, &err), -1);
    assert_string_equal(err.text, "mkdir file: Not a directory");
}

#define CORPUS_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CORPUS_TEST(test_good),     CORPUS_TEST(test_ignored),      CORPUS_TEST(test_bad),
        CORPUS_TEST(test_no_files), CORPUS_TEST(test_no_directory), CORPUS_TEST(test_unreadable),
        CORPUS_TEST(test_save),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
