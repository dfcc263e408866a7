/*
 * What builds made of inputs, kept in a file: what replaces what, and what is read of damaged
 * files.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "results/kept_builds.h"

static char dir[] = "/tmp/cfuzz-kept-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(dir) == NULL || setenv("CFUZZCACHE", dir, 1) != 0;
}

static int tear_down(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

static int add(struct sanitizer_table *t, const char *package, const char *test,
               enum result_kind kind, const char *where, const char *text)
{
    const struct result_crash c = {.where = where, .command = "again"};
    const struct result r = {
        .test = test, .kind = kind, .text = text, .crash = where != NULL ? &c : NULL};

    return sanitizer_table_add(t, package, &r, NULL);
}

static void load(const char *package, struct sanitizer_table *out)
{
    char *path = kept_builds_file("p");

    memset(out, 0, sizeof *out);
    assert_int_equal(kept_builds_load(path, package, out, NULL), 0);
    free(path);
}

static void save(const struct sanitizer_table *t)
{
    char *path = kept_builds_file("p");

    assert_int_equal(kept_builds_save(path, "p", t, NULL), 0);
    free(path);
}

static void test_round(void **state)
{
    struct sanitizer_table t = {0}, back;
    struct stat st;
    char *path = kept_builds_file("p");

    (void)state;
    assert_int_equal(sanitizer_table_column(&t, "none", NULL, NULL), 0);
    assert_int_equal(add(&t, "p", "FuzzX/1", RESULT_PASSED, NULL, NULL), 0);
    assert_int_equal(add(&t, "p", "FuzzX/2", RESULT_FAILED, "fault at a.c:1", "said"), 0);
    assert_int_equal(add(&t, "p", "FuzzX/3", RESULT_FAILED, "fault at a.c:1", "other"), 0);
    assert_int_equal(add(&t, "other", "FuzzX/2", RESULT_FAILED, "elsewhere", ""), 0);
    assert_int_equal(sanitizer_table_column(&t, "asan", NULL, NULL), 0);
    assert_int_equal(add(&t, "p", "it does not compile", RESULT_BROKEN, NULL, "no \"asan\""), 0);
    assert_int_equal(sanitizer_table_column(&t, "msan", "no msan here", NULL), 0);
    save(&t);
    sanitizer_table_release(&t);

    load("./renamed", &back); /* packages are called as the command line calls them */
    assert_int_equal(back.ncolumns, 3);
    assert_string_equal(back.columns[1], "asan");
    assert_string_equal(back.left_out[2], "no msan here");
    assert_null(back.left_out[0]);
    assert_int_equal(back.nrows, 4);
    assert_true(sanitizer_table_has(&back, "./renamed") && !sanitizer_table_has(&back, "p"));
    assert_string_equal(back.rows[1].test, "FuzzX/2");
    assert_int_equal(back.rows[0].cell[0], CELL_PASSED);
    assert_int_equal(back.rows[1].cell[0], CELL_FAILED);
    assert_int_equal(back.rows[1].cell[1], CELL_NONE);
    assert_int_equal(back.ncrashes, 1);
    assert_int_equal(back.crashes[0].inputs, 2);
    assert_string_equal(back.crashes[0].test, "FuzzX/2");
    assert_string_equal(back.crashes[0].where, "fault at a.c:1");
    assert_string_equal(back.crashes[0].command, "again");
    assert_string_equal(back.crashes[0].text, "said");
    assert_int_equal(back.nbroken, 1);
    assert_int_equal(back.broken[0].column, 1);
    assert_string_equal(back.broken[0].why, "no \"asan\"");
    assert_in_range(time(NULL) - back.at[0], 0, 600);
    sanitizer_table_release(&back);
    assert_int_equal(stat(path, &st), 0);
    free(path);
}

/* A build that ran again takes the place of what is kept of it; the others keep their time. */
static void test_replaced(void **state)
{
    struct sanitizer_table t = {0}, back;

    (void)state;
    assert_int_equal(sanitizer_table_column(&t, "asan", NULL, NULL), 0);
    assert_int_equal(sanitizer_table_column(&t, "tsan", NULL, NULL), 0);
    t.at[0] = t.at[1] = 1000;
    assert_int_equal(add(&t, "p", "FuzzX/9", RESULT_PASSED, NULL, NULL), 0);
    save(&t);
    sanitizer_table_release(&t);
    load("p", &back);
    assert_int_equal(back.ncolumns, 4); /* none, asan, msan, tsan */
    assert_string_equal(back.columns[1], "asan");
    assert_string_equal(back.columns[3], "tsan");
    assert_int_equal(back.at[1], 1000);
    assert_true(back.at[0] > 1000);
    assert_int_equal(back.nbroken, 0); /* it is built now */
    assert_int_equal(back.ncrashes, 1);
    sanitizer_table_release(&back);
}

static void test_damaged(void **state)
{
    static const char *const texts[] = {
        "",
        "x",
        "[]",
        "{}",
        "{\"version\": 2, \"builds\": [{\"name\": \"none\", \"inputs\": {\"a/1\": \"pass\"}}]}",
        "{\"version\": 1}",
        "{\"version\": 1, \"builds\": {}}",
        "{\"version\": 1, \"builds\": [1, null, {}, {\"name\": 3}, {\"name\": \"\"}]}",
    };
    char *path = kept_builds_file("p");
    struct sanitizer_table t;
    FILE *f;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        f = fopen(path, "w");
        assert_non_null(f);
        fputs(texts[i], f);
        fclose(f);
        load("p", &t);
        assert_int_equal(t.ncolumns, 0);
    }
    f = fopen(path, "w"); /* what can be used is */
    assert_non_null(f);
    fputs("{\"version\": 1, \"builds\": [{\"name\": \"none\", \"at\": \"x\", \"inputs\": "
          "{\"FuzzX/1\": \"pass\", \"FuzzX/2\": 3, \"\": \"FAIL\", \"FuzzX/3\": \"wat\"}, "
          "\"crashes\": [3, {}, {\"where\": \"w\", \"test\": \"FuzzX/1\", \"inputs\": -4}]}]}",
          f);
    fclose(f);
    load("p", &t);
    assert_int_equal(t.ncolumns, 1);
    assert_int_equal(t.nrows, 1);
    assert_int_equal(t.ncrashes, 1);
    assert_int_equal(t.crashes[0].inputs, 1);
    sanitizer_table_release(&t);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
