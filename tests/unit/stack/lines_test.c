/*
 * lines_test.c - lines of addresses, with a symbolizer that is a script and counts its starts.
 */
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

#include "stack/lines.h"

/* Answers as llvm-symbolizer --output-style=LLVM "\"<file>\" <address>". */
static const char script[] = "#!/bin/sh\necho \"$@\" >>\"$0.log\"\ncase ${2##* } in\n"
                             "0x10) printf 'f\\n/p/a.c:7:9\\n\\n' ;;\n"
                             "0x11) printf 'digit\\n/p/in.h:3:1\\nparse\\n/p/a.c:8:2\\n\\n' ;;\n"
                             "0x12) printf 'f\\n/q/a.c:1:0\\n\\n' ;;\n"
                             "0x13) printf '??\\n??:0:0\\n\\n' ;;\n"
                             "0x14) printf 'f\\n/p/a.c:0:0\\n\\n' ;;\n"
                             "0x15) printf 'f\\n??:0:0\\n\\n' ;;\n"
                             "0x16) printf 'f\\n:5\\n\\n' ;;\n"
                             "0x17) printf 'f\\n' ;;\n"
                             "0x18) printf 'f\\n/p/a.c:7:9\\n\\n'; exit 1 ;;\n"
                             "esac\n";

static const struct {
    uint64_t address;
    const char *want; /* NULL: not known */
} cases[] = {
    {0x10, "a.c:7"},    {0x11, "in.h:3"}, /* the innermost of inlined ones */
    {0x12, "/q/a.c:1"},                   /* not in dir */
    {0x13, NULL},       {0x14, NULL},
    {0x15, NULL},       {0x16, ""},   /* a file without a name, column 5 */
    {0x17, NULL},       {0x18, NULL}, /* cut short; a failure */
    {0x19, NULL},                     /* no answer */
};

static char dir[] = "/tmp/lines_test.XXXXXX", program[64], logfile[64];

static int write_script(void **state)
{
    int fd;

    (void)state;
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(program, sizeof program, "%s/symbolizer", dir);
    snprintf(logfile, sizeof logfile, "%s.log", program);
    fd = open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    if (fd < 0 || write(fd, script, sizeof script - 1) != (ssize_t)(sizeof script - 1))
        return -1;
    return close(fd);
}

static int remove_script(void **state)
{
    (void)state;
    return unlink(logfile) + unlink(program) + rmdir(dir);
}

static void test_find(void **state)
{
    struct lines l = {.symbolizer = program, .path = "/p q/x.test", .dir = "/p"};
    char line[200];
    size_t n = 0;
    FILE *log;

    (void)state;
    for (int turn = 0; turn < 2; turn++) { /* the second time nothing is started */
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const struct line *got = lines_find(&l, cases[i].address);

            assert_non_null(got);
            if (cases[i].want == NULL)
                assert_true(got->n == 0 || got->v[0].line == NULL);
            else
                assert_string_equal(got->v[0].line, cases[i].want);
        }
    }
    log = fopen(logfile, "r");
    assert_non_null(log);
    while (fgets(line, sizeof line, log) != NULL) {
        char want[200];

        snprintf(want, sizeof want, "--output-style=LLVM \"/p q/x.test\" 0x%llx\n",
                 (unsigned long long)cases[n++].address);
        assert_string_equal(line, want);
    }
    fclose(log);
    assert_int_equal(n, sizeof cases / sizeof cases[0]);
    lines_release(&l);
    assert_int_equal(l.n, 0);
}

static void test_none(void **state)
{
    struct lines l = {.path = "/x", .dir = "/p"};

    (void)state;
    assert_null(lines_find(&l, 0x10));
    assert_int_equal(l.n, 0);
    l.symbolizer = "/does/not/exist";
    assert_int_equal(lines_find(&l, 0x10)->n, 0);
    assert_int_equal(l.n, 1); /* and that is kept too */
    lines_release(&l);
}

/* Functions that were inlined have frames of their own. */
static void test_inlined(void **state)
{
    struct lines l = {.symbolizer = program, .path = "/p q/x.test", .dir = "/p"};
    const struct line *got = lines_find(&l, 0x11);

    (void)state;
    assert_int_equal(got->n, 2);
    assert_string_equal(got->v[0].function, "digit");
    assert_string_equal(got->v[0].line, "in.h:3");
    assert_string_equal(got->v[1].function, "parse");
    assert_string_equal(got->v[1].line, "a.c:8");
    got = lines_find(&l, 0x15); /* the function alone is known */
    assert_int_equal(got->n, 1);
    assert_string_equal(got->v[0].function, "f");
    assert_null(got->v[0].line);
    lines_release(&l);
}

/* What is asked of a run of many crashes has an end. */
static void test_many(void **state)
{
    struct lines l = {.symbolizer = "/does/not/exist", .path = "/x", .dir = "/p"};

    (void)state;
    l.v = calloc(LINES_MAX, sizeof *l.v);
    assert_non_null(l.v);
    l.cap = l.n = LINES_MAX;
    for (size_t i = 0; i < LINES_MAX; i++)
        l.v[i].address = i;
    assert_ptr_equal(lines_find(&l, LINES_MAX - 1), &l.v[LINES_MAX - 1]);
    assert_null(lines_find(&l, LINES_MAX));
    assert_int_equal(l.n, LINES_MAX);
    lines_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_inlined),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, write_script, remove_script);
}
