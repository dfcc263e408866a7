/*
 * turns_test.c - whose turn it is, and how long it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fuzz/turns.h"

#define SECOND UINT64_C(1000000000)

static void chosen(void **state)
{
    static const struct {
        const char *why;
        struct turn_state v[3];
        size_t want;
    } cases[] = {
        {"the first", {{0, 0, false}, {0, 0, false}, {0, 0, false}}, 0},
        {"who had none", {{10, 5, false}, {10, 1, false}, {0, 0, false}}, 2},
        {"who gains", {{10, 0.1, false}, {10, 0.5, false}, {10, 0, false}}, 1},
        {"who gains, though it had more", {{10, 0.1, false}, {60, 0.5, false}, {10, 0, false}}, 1},
        {"who has too little", {{9, 0.1, false}, {100, 0.5, false}, {9, 0, false}}, 0},
        {"who had least, if none gains", {{10, 0, false}, {20, 0, false}, {9, 0, false}}, 2},
        {"not who is done", {{0, 0, true}, {20, 0, false}, {9, 0.5, true}}, 1},
        {"nobody", {{0, 0, true}, {20, 0, true}, {9, 0.5, true}}, SIZE_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (turns_choose(cases[i].v, 3) != cases[i].want)
            fail_msg("%s: %zu", cases[i].why, turns_choose(cases[i].v, 3));
}

static void slices(void **state)
{
    const struct fuzz_limit none = {.kind = LIMIT_NONE};
    const struct fuzz_limit minute = {.kind = LIMIT_TIME, .ns = (int64_t)(160 * SECOND)};
    const struct fuzz_limit hour = {.kind = LIMIT_TIME, .ns = (int64_t)(36000 * SECOND)};
    const struct fuzz_limit few = {.kind = LIMIT_COUNT, .count = 10};
    const struct fuzz_limit many = {.kind = LIMIT_COUNT, .count = 16000};

    (void)state;
    assert_int_equal(turns_slice(&minute, 2, 0, 0, UINT64_MAX), 10 * SECOND);
    assert_int_equal(turns_slice(&minute, 2, 0, 0, 3 * SECOND), 3 * SECOND);
    assert_int_equal(turns_slice(&minute, 100, 0, 0, UINT64_MAX), SECOND);
    assert_int_equal(turns_slice(&hour, 2, 0, 0, UINT64_MAX), 30 * SECOND);
    assert_int_equal(turns_slice(&none, 2, 0, 0, UINT64_MAX), SECOND);
    assert_int_equal(turns_slice(&none, 2, 0, 160 * SECOND, UINT64_MAX), 10 * SECOND);
    assert_int_equal(turns_slice(&few, 2, 0, 0, 10), 1);
    assert_int_equal(turns_slice(&many, 2, 0, 0, 16000), 1000);
    assert_int_equal(turns_slice(&many, 2, 0, 0, 7), 7);
    /* Those that wait for their first turn share what is left. */
    assert_int_equal(turns_slice(&minute, 100, 100, 0, 60 * SECOND), 6 * SECOND / 10);
    assert_int_equal(turns_slice(&minute, 100, 10, 0, 60 * SECOND), SECOND);
    assert_int_equal(turns_slice(&minute, 1000, 1000, 0, 60 * SECOND), SECOND / 10);
    assert_int_equal(turns_slice(&minute, 1000, 1, 0, SECOND / 20), SECOND / 20);
}

static void stretched(void **state)
{
    (void)state;
    assert_int_equal(turns_stretch(10, 100, 0, false), 10);
    assert_int_equal(turns_stretch(10, 100, 2, false), 10);
    assert_int_equal(turns_stretch(10, 100, 5, false), 25); /* a fifth of it is baseline */
    assert_int_equal(turns_stretch(10, 100, 30, false), 100);
    assert_int_equal(turns_stretch(10, 10, 0, true), 10);
    assert_int_equal(turns_stretch(10, 100, 0, true), 100); /* nobody else is there */
    assert_int_equal(turns_stretch(10, UINT64_MAX, 5, true), UINT64_MAX);
}

/* One test is exhausted at once, one goes on finding: what each is given of a hundred turns. */
static void shares(void **state)
{
    struct turn_state v[2] = {{0, 0, false}, {0, 0, false}};

    (void)state;
    for (int i = 0; i < 100; i++) {
        size_t who = turns_choose(v, 2);

        turns_note(&v[who], 10, who == 1 || v[0].given == 0 ? 3 : 0);
    }
    assert_in_range(v[0].given, 120, 140);
    assert_int_equal(v[0].given + v[1].given, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen),
        cmocka_unit_test(slices),
        cmocka_unit_test(stretched),
        cmocka_unit_test(shares),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
