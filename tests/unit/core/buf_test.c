/*
 * buf_test.c - growable bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/buf.h"

static void test_append(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_string_equal(cfz_buf_str(&b), "");
    assert_int_equal(cfz_buf_append(&b, NULL, 0, &err), 0);
    assert_string_equal(cfz_buf_str(&b), "");
    assert_int_equal(cfz_buf_append(&b, "a\0b", 3, &err), 0);
    assert_int_equal(cfz_buf_puts(&b, "cd", &err), 0);
    assert_int_equal(b.len, 5);
    assert_memory_equal(b.data, "a\0bcd", 6); /* with the NUL behind */
    assert_int_equal(cfz_buf_printf(&b, &err, "%d-%s", 42, "x"), 0);
    assert_int_equal(b.len, 9);
    assert_memory_equal(b.data, "a\0bcd42-x", 10);
    assert_int_equal(err.code, CFZ_OK);
    cfz_buf_release(&b);
    assert_null(b.data);
    assert_int_equal(b.len, 0);
    assert_int_equal(b.cap, 0);
    cfz_buf_release(&b);
}

static void test_growth(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    size_t moves = 0, cap = 0;

    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        uint8_t c = (uint8_t)i;

        assert_int_equal(cfz_buf_append(&b, &c, 1, NULL), 0);
        assert_int_equal(b.data[b.len], 0);
        moves += b.cap != cap;
        cap = b.cap;
    }
    assert_int_equal(b.len, 100000);
    assert_true(moves < 20); /* doubles */
    for (unsigned i = 0; i < 100000; i++)
        assert_int_equal(b.data[i], i & 255);
    cfz_buf_release(&b);
}

static void test_reserve(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    const uint8_t *data;

    (void)state;
    assert_int_equal(cfz_buf_puts(&b, "abc", &err), 0);
    assert_int_equal(cfz_buf_reserve(&b, 1000, &err), 0);
    data = b.data;
    assert_string_equal(cfz_buf_str(&b), "abc");
    for (int i = 0; i < 1000; i++)
        assert_int_equal(cfz_buf_append(&b, "x", 1, &err), 0);
    assert_ptr_equal(b.data, data);
    /* Sizes that no memory has, and whose sums overflow. */
    assert_int_equal(cfz_buf_reserve(&b, SIZE_MAX, &err), -1);
    assert_int_equal(err.code, CFZ_ENOMEM);
    assert_int_equal(cfz_buf_reserve(&b, SIZE_MAX - b.len, &err), -1);
    assert_int_equal(b.len, 1003);
    cfz_buf_release(&b);
}

static void test_truncate(void **state)
{
    struct cfz_buf b = CFZ_BUF_INIT;

    (void)state;
    cfz_buf_truncate(&b, 0);
    assert_null(b.data);
    assert_int_equal(cfz_buf_puts(&b, "abcd", NULL), 0);
    cfz_buf_truncate(&b, 4);
    assert_string_equal(cfz_buf_str(&b), "abcd");
    cfz_buf_truncate(&b, 1);
    assert_int_equal(b.len, 1);
    assert_string_equal(cfz_buf_str(&b), "a");
    cfz_buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_truncate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
