/*
 * crash_baseline_test.c - identities that outlive edits, and the file that lists them.
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
#include <sys/stat.h>
#include <unistd.h>

#include "core/protocol.h"
#include "crash/crash_baseline.h"
#include "crash/crash_identity.h"

static char dir[64];

static void write_text(const char *name, const char *text)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int set_up(void **state)
{
    char path[128];

    (void)state;
    strcpy(dir, "/tmp/cfuzz-baseline-XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/p", dir);
    return mkdir(path, 0777);
}

static int tear_down(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

/* The identity of a crash with these parts, of sources with that text. */
static const char *identity(const char *text, const char *parts)
{
    static char ids[4][CRASH_IDENTITY_MAX];
    static unsigned n;
    struct crash_signature sig = {.class = CRASH_SIGNAL, .detail = 6};

    write_text("a.c", text);
    snprintf(sig.kind, sizeof sig.kind, "Aborted");
    snprintf(sig.parts, sizeof sig.parts, "%s", parts);
    n = (n + 1) % 4;
    return crash_identity(&sig, dir, ids[n]);
}

static void identities(void **state)
{
    const char *const text = "int f;\n  abort();\n  abort();\n";
    const char *first = identity(text, "f@a.c:2;g;");

    (void)state;
    assert_true(crash_identity_is(first, strlen(first)));
    assert_string_equal(first, identity("\n\nint f;\n\tabort(); \r\n", "f@a.c:4;g;"));
    assert_string_not_equal(first,
                            identity(text, "f@a.c:3;g;")); /* the second of two equal lines */
    first = identity(text, "f@a.c:2;g;");
    assert_string_not_equal(first, identity(text, "f@a.c:1;g;"));
    assert_string_not_equal(first, identity(text, "f@a.c:2;h;"));
    assert_string_not_equal(first, identity(text, "fg;"));
    /* No such line, no such file: the number counts. */
    first = identity(text, "f@a.c:9;g;");
    assert_string_not_equal(first, identity(text, "f@a.c:8;g;"));
    first = identity(text, "f@none.c:9;g;");
    assert_string_not_equal(first, identity(text, "f@none.c:8;g;"));
    /* Files of one text are two files. */
    write_text("b.c", text);
    first = identity(text, "f@a.c:2;");
    assert_string_not_equal(first, identity(text, "f@b.c:2;"));
    assert_false(crash_identity_is("0123456789abcdeF", 16));
    assert_false(crash_identity_is("0123456789abcde", 15));
}

static struct crash_baseline *read_file(bool writing, unsigned sanitizers)
{
    static char path[128];
    struct crash_baseline *b = NULL;
    struct cfz_error err = CFZ_ERROR_INIT;

    snprintf(path, sizeof path, "%s/known.txt", dir);
    if (crash_baseline_read(path, writing, sanitizers, &b, &err) < 0)
        fail_msg("%s", err.text);
    return b;
}

static bool knows(struct crash_baseline *b, const char *package, const char *test, const char *id)
{
    char path[128];
    bool known;

    snprintf(path, sizeof path, "%s%s", dir, package);
    assert_int_equal(crash_baseline_knows(b, path, test, id, "here\tand\n", &known, NULL), 0);
    return known;
}

#define ID1 "0000000000000001"
#define ID2 "0000000000000002"
#define ID3 "0000000000000003"

static void written(void **state)
{
    struct crash_baseline *b = read_file(true, CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN);
    struct crash_baseline_counts n;
    char path[128], line[256] = "";
    FILE *f;

    (void)state;
    assert_true(knows(b, "/p", "FuzzB", ID2));
    assert_true(knows(b, "/p", "FuzzB", ID1));
    assert_true(knows(b, "", "FuzzA", ID3));
    assert_true(knows(b, "/../q", "FuzzA", ID3)); /* as it is given: resolved is what main has */
    assert_int_equal(crash_baseline_end(b, &n, NULL), 0);
    assert_int_equal(n.listed, 4);
    assert_int_equal(n.added, 4);
    crash_baseline_free(b);

    snprintf(path, sizeof path, "%s/known.txt", dir);
    f = fopen(path, "r");
    assert_non_null(f);
    for (int i = 0; i < 4; i++)
        assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, ".\tFuzzA\tasan,ubsan\t" ID3 "\there\tand\\x0a\n");
    fclose(f);
}

/* What was found with other sanitizers stays, and so does what did not run. */
static void rewritten(void **state)
{
    struct crash_baseline *b;
    struct crash_baseline_counts n;
    char path[128];

    (void)state;
    write_text("known.txt", "cfuzz baseline v1\n"
                            "p\tFuzzA\t-\t" ID1 "\tx\n"
                            "p\tFuzzA\tasan\t" ID2 "\tx\n"
                            "p\tFuzzB\t-\t" ID3 "\n"
                            "gone\tFuzzB\t-\t" ID3 "\n");
    b = read_file(true, 0);
    snprintf(path, sizeof path, "%s/p", dir);
    crash_baseline_ran(b, path, "FuzzA");
    assert_int_equal(crash_baseline_end(b, &n, NULL), 0);
    assert_int_equal(n.listed, 2);
    assert_int_equal(n.gone, 2);
    crash_baseline_free(b);
    b = read_file(false, 0);
    assert_false(knows(b, "/p", "FuzzA", ID1));
    assert_true(knows(b, "/p", "FuzzA", ID2));
    assert_true(knows(b, "/p", "FuzzB", ID3));
    assert_false(knows(b, "", "FuzzB", ID3));
    assert_int_equal(crash_baseline_end(b, &n, NULL), 0);
    assert_int_equal(n.met, 2);
    crash_baseline_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rewritten, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
