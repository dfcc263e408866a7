/*
 * hash_set_test.c - hashes are kept, each once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash_set.h"

static void test_set(void **state)
{
    struct hash_set s = HASH_SET_INIT;
    bool added;

    (void)state;
    assert_false(hash_set_has(&s, 0));
    /* Neighbours, and such that fall on one place of any table. */
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(hash_set_add(&s, i, &added, NULL), 0);
        assert_true(added || i == 1); /* 0 is kept as 1 */
        assert_int_equal(hash_set_add(&s, i << 48, NULL, NULL), 0);
    }
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(hash_set_has(&s, i));
        assert_true(hash_set_has(&s, i << 48));
        assert_int_equal(hash_set_add(&s, i, &added, NULL), 0);
        assert_false(added);
    }
    assert_false(hash_set_has(&s, 1000));
    assert_int_equal(s.n, 999 + 999);
    hash_set_release(&s);
    assert_false(hash_set_has(&s, 5));
}

static void test_text(void **state)
{
    (void)state;
    assert_int_equal(hash_set_text(0, ""), UINT64_C(0xcbf29ce484222325)); /* FNV's own values */
    assert_int_equal(hash_set_text(0, "a"), UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_set_text(hash_set_text(0, "ab"), "c") !=
                hash_set_text(hash_set_text(0, "a"), "bc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
