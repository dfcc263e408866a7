/*
 * sanitizer_table_test.c - what builds with different sanitizers made of inputs, as a table.
 *
 * Wraps: malloc calloc realloc strdup
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/sanitizer_table.h"

#include "failing_alloc.h"

static const struct result_crash race = {.where = "ThreadSanitizer: data race at a.c:4",
                                         .command = "cfuzz-test -sanitizers=tsan -run=FuzzX/1"};
static const struct result_crash fault = {.where = "Segmentation fault at a.c:9", .command = ""};

static int add(struct sanitizer_table *t, const char *test, enum result_kind kind,
               const struct result_crash *crash, struct cfz_error *err)
{
    struct result r = {.test = test, .kind = kind, .crash = crash};

    return sanitizer_table_add(t, "p", &r, err);
}

/* Two builds that ran, and one that could not. */
static int fill(struct sanitizer_table *t, struct cfz_error *err)
{
    if (sanitizer_table_column(t, "none", NULL, err) < 0 ||
        add(t, "FuzzX/1", RESULT_PASSED, NULL, err) < 0 ||
        add(t, "FuzzX/2", RESULT_FAILED, &fault, err) < 0 ||
        add(t, "FuzzX/3", RESULT_PASSED, NULL, err) < 0 ||
        add(t, "FuzzX/4", RESULT_SKIPPED, NULL, err) < 0 ||
        add(t, "FuzzX", RESULT_FAILED, NULL, err) < 0 ||
        add(t, "FuzzXY/1", RESULT_SKIPPED, NULL, err) < 0 ||
        add(t, "FuzzXY", RESULT_PASSED, NULL, err) < 0 ||
        add(t, "FuzzSetup", RESULT_FAILED, NULL, err) < 0)
        return -1;
    return sanitizer_table_column(t, "tsan", NULL, err) < 0 ||
                   add(t, "FuzzX/1", RESULT_FAILED, &race, err) < 0 ||
                   add(t, "FuzzX/2", RESULT_SKIPPED, &fault, err) < 0 ||
                   add(t, "FuzzX/3", RESULT_FAILED, &race, err) < 0 ||
                   add(t, "FuzzX/4", RESULT_PASSED, NULL, err) < 0 ||
                   add(t, "FuzzX/5", RESULT_PASSED, NULL, err) < 0 ||
                   add(t, "FuzzX", RESULT_FAILED, NULL, err) < 0 ||
                   add(t, "p: build failed", RESULT_BROKEN, NULL, err) < 0 ||
                   sanitizer_table_column(t, "msan", "clang-19 cannot build it", err) < 0
               ? -1
               : 0;
}

static void test_table(void **state)
{
    struct sanitizer_table t = {0};
    struct cfz_buf text = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(fill(&t, NULL), 0);
    assert_int_equal(sanitizer_table_write(&t, false, &text, NULL), 0);
    assert_string_equal(cfz_buf_str(&text),
                        "input            none   tsan   msan\n"
                        "p                -      FAIL   -\n"
                        "FuzzSetup        FAIL   -      -\n"
                        "FuzzX/1          pass   FAIL   -\n"
                        "FuzzX/2          FAIL   known  -\n"
                        "FuzzX/3          pass   FAIL   -\n"
                        "FuzzX: 2 others  skip   pass   -\n"
                        "FuzzXY: 1 other  skip   -      -\n"
                        "none: Segmentation fault at a.c:9: FuzzX/2\n"
                        "tsan: ThreadSanitizer: data race at a.c:4: FuzzX/1 and 1 other\n"
                        "    cfuzz-test -sanitizers=tsan -run=FuzzX/1\n"
                        "msan: left out: clang-19 cannot build it\n");
    text.len = 0;
    assert_int_equal(sanitizer_table_write(&t, true, &text, NULL), 0);
    assert_non_null(strstr(cfz_buf_str(&text), "\np: FuzzX/1          pass   FAIL   -\n"));
    assert_non_null(strstr(cfz_buf_str(&text), "at a.c:4: p: FuzzX/1 and 1 other\n"));
    cfz_buf_release(&text);
    sanitizer_table_release(&t);
}

/* The names of many inputs are found again, whatever the order. */
static void test_many(void **state)
{
    struct sanitizer_table t = {0};
    char name[32];

    (void)state;
    assert_int_equal(sanitizer_table_column(&t, "none", NULL, NULL), 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "FuzzX/%d", i);
        assert_int_equal(add(&t, name, RESULT_PASSED, NULL, NULL), 0);
    }
    assert_int_equal(sanitizer_table_column(&t, "asan", NULL, NULL), 0);
    for (int i = 1000; i-- > 0;) {
        snprintf(name, sizeof name, "FuzzX/%d", i);
        assert_int_equal(add(&t, name, i == 7 ? RESULT_FAILED : RESULT_PASSED, NULL, NULL), 0);
    }
    assert_int_equal(t.nrows, 1000);
    assert_int_equal(t.rows[7].cell[1], CELL_FAILED);
    assert_int_equal(t.rows[8].cell[1], CELL_PASSED);
    sanitizer_table_release(&t);
}

static int make_all(struct cfz_error *err)
{
    struct sanitizer_table t = {0};
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = fill(&t, err) < 0 ? -1 : sanitizer_table_write(&t, true, &text, err);

    cfz_buf_release(&text);
    sanitizer_table_release(&t);
    return ret;
}

static void test_no_memory(void **state)
{
    long n = 0;
    bool over = false;

    (void)state;
    for (; !over; n++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        int ret;

        fail_at = n;
        ret = make_all(&err);
        over = fail_at >= 0; /* none was left to fail */
        fail_at = -1;
        assert_int_equal(ret, over ? 0 : -1);
        assert_int_equal(err.code, over ? CFZ_OK : CFZ_ENOMEM);
    }
    assert_true(n > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
