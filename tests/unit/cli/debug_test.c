/*
 * debug_test.c - values in CFUZZDEBUG, and the form of a debug line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/debug.h"

static const struct {
    const char *text, *key;
    long want;
} cases[] = {
    {NULL, "fuzz", 0},
    {"", "fuzz", 0},
    {"fuzz=1", "fuzz", 1},
    {"fuzz=12,trace=3", "fuzz", 12},
    {"trace=3,fuzz=12", "fuzz", 12},
    {"trace=3,fuzz=12", "trace", 3},
    {"fuzz=-1", "fuzz", -1},
    {"fuzz=1,fuzz=2", "fuzz", 1}, /* the first */
    {"fuzz", "fuzz", 0},
    {"fuzz=", "fuzz", 0},
    {"fuzz=yes", "fuzz", 0},
    {"fuzzy=1", "fuzz", 0},
    {"xfuzz=1", "fuzz", 0},
    {"x=fuzz=1", "fuzz", 0},
    {"fuzz =1", "fuzz", 0},
    {",,fuzz=1,", "fuzz", 1},
};

static void test_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        long got = debug_value(cases[i].text, cases[i].key);

        if (got != cases[i].want)
            fail_msg("%s in \"%s\": got %ld, want %ld", cases[i].key,
                     cases[i].text != NULL ? cases[i].text : "(null)", got, cases[i].want);
    }
}

/* The variable is looked at once. */
static void test_fuzz(void **state)
{
    (void)state;
    assert_int_equal(setenv("CFUZZDEBUG", "trace=0,fuzz=1", 1), 0);
    assert_true(debug_fuzz());
    assert_int_equal(unsetenv("CFUZZDEBUG"), 0);
    assert_true(debug_fuzz());
}

static void test_line(void **state)
{
    char line[200];
    int fds[2], out = dup(STDOUT_FILENO);
    ssize_t n;
    regex_t form;

    (void)state;
    assert_int_equal(pipe(fds), 0);
    fflush(stdout);
    assert_true(dup2(fds[1], STDOUT_FILENO) >= 0);
    debug_line("took %d of %s", 3, "x");
    assert_true(dup2(out, STDOUT_FILENO) >= 0);
    n = read(fds[0], line, sizeof line - 1);
    assert_true(n > 0);
    line[n] = '\0';
    assert_int_equal(regcomp(&form,
                             "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9} "
                             "DEBUG took 3 of x\n$",
                             REG_EXTENDED | REG_NOSUB),
                     0);
    if (regexec(&form, line, 0, NULL, 0) != 0)
        fail_msg("got %s", line);
    regfree(&form);
    close(fds[0]);
    close(fds[1]);
    close(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_fuzz),
        cmocka_unit_test(test_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
