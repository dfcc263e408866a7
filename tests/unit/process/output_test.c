/*
 * output_test.c - the last part of what a target wrote, however much it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process/output.h"

static void put(const struct output *o, const char *s)
{
    assert_int_equal(write(o->fd, s, strlen(s)), strlen(s));
}

static void check_tail(const struct output *o, size_t max, const char *want)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    assert_int_equal(output_tail(o, max, &b, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), want);
    cfz_buf_release(&b);
}

static void test_short(void **state)
{
    struct output o = OUTPUT_INIT;

    (void)state;
    assert_int_equal(output_open(&o, NULL), 0);
    check_tail(&o, 100, "");
    put(&o, "one\ntwo\x1b[31m\n");
    check_tail(&o, 100, "one\ntwo\x1b[31m\n");
    check_tail(&o, 9, "two\x1b[31m\n"); /* beginning with a whole line */
    output_close(&o);
    check_tail(&o, 100, "");
}

static void check_show(const struct output *o, size_t max, const char *want)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    assert_int_equal(output_show(o, max, &b, NULL), 0);
    assert_string_equal(cfz_buf_str(&b), want);
    cfz_buf_release(&b);
}

/* What a terminal would act upon, or could not show, is spelled out; a cut is told of. */
static void test_show(void **state)
{
    struct output o = OUTPUT_INIT;

    (void)state;
    assert_int_equal(output_open(&o, NULL), 0);
    put(&o, "one\n\ttwo \x1b[31m\r\x7f \xc3\xa9 \xff \xe2\x80\xae \xc3");
    check_show(&o, 100, "one\n\ttwo \\x1b[31m\\x0d\\x7f \xc3\xa9 \\xff \\xe2\\x80\\xae \\xc3");
    put(&o, "\nlast\n");
    check_show(&o, 7, "... 28 bytes before this left out\nlast\n");
    output_close(&o);
    check_show(&o, 100, "");
}

/* What came before the mark is not shown, nor counted; also over a rewind. */
static void test_mark(void **state)
{
    struct output o = OUTPUT_INIT;

    (void)state;
    output_mark(&o); /* not open: nothing */
    assert_int_equal(output_open(&o, NULL), 0);
    put(&o, "of the input before\n");
    output_mark(&o);
    check_show(&o, 100, "");
    put(&o, "one\ntwo\n");
    check_show(&o, 100, "one\ntwo\n");
    check_show(&o, 5, "... 4 bytes before this left out\ntwo\n");
    while (lseek(o.fd, 0, SEEK_CUR) <= OUTPUT_REWIND)
        put(&o, "filler\n");
    output_mark(&o);
    put(&o, "three\n");
    output_tick(&o);
    assert_int_equal(lseek(o.fd, 0, SEEK_CUR), 0);
    put(&o, "four\n");
    check_show(&o, 100, "three\nfour\n");
    output_began_anew(&o);
    check_show(&o, 100, "four\n");
    output_close(&o);
}

/* Writing on and on, with a tick now and then, keeps what came last. */
static void test_rewound(void **state)
{
    struct output o = OUTPUT_INIT;
    char line[128], want[512] = "";

    (void)state;
    assert_int_equal(output_open(&o, NULL), 0);
    for (int i = 0; i < 100000; i++) {
        snprintf(line, sizeof line, "line %d ....................................\n", i);
        put(&o, line);
        if (i % 1000 == 0)
            output_tick(&o);
        if (i >= 100000 - 5)
            strcat(want, line);
    }
    assert_true(o.before > 0);
    check_tail(&o, strlen(want) + 10, want);
    /* Also right after a rewind, where the end of the text is short. */
    while (lseek(o.fd, 0, SEEK_CUR) <= OUTPUT_REWIND)
        put(&o, "filler\n");
    put(&o, "last but one\n");
    output_tick(&o);
    assert_int_equal(lseek(o.fd, 0, SEEK_CUR), 0);
    put(&o, "last\n");
    check_tail(&o, 22, "last but one\nlast\n");
    output_close(&o);
}

/* A target that never stops writing is not held up, and takes no more than the cap. */
static void test_cap(void **state)
{
    struct output o = OUTPUT_INIT;
    static char block[1 << 16];
    size_t total = 0;

    (void)state;
    assert_int_equal(output_open(&o, NULL), 0);
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 2 * (OUTPUT_CAP >> 16); i++) {
        ssize_t n = write(o.fd, block, sizeof block);

        if (n > 0)
            total += (size_t)n;
    }
    assert_int_equal(total, OUTPUT_CAP);
    output_tick(&o);
    put(&o, "\nthe end\n");
    check_tail(&o, 9, "the end\n");
    output_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short),   cmocka_unit_test(test_show), cmocka_unit_test(test_mark),
        cmocka_unit_test(test_rewound), cmocka_unit_test(test_cap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
