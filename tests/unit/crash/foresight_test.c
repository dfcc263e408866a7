/*
 * foresight_test.c - what is foreseen is what the minimizer asks for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/minimizer/minimizer.h"
#include "core/protocol.h"
#include "crash/foresight.h"

enum { BUDGET = 1000 };

static struct foresight foresight;
static size_t at, left;    /* of what was foreseen: the next one, and how many */
static size_t looks, seen; /* how often one looked, and candidates that were foreseen */
static uint64_t most;
static unsigned every; /* so many are refused for each that is accepted; 0: all are */
static unsigned tries;

static bool try_cand(void *ctx, const struct cfz_values *cand)
{
    uint64_t size = cfz_values_packed_size(cand), told;
    uint8_t packed[16384];
    bool accepted = every > 0 && ++tries % every == 0;

    (void)ctx;
    if (left == 0) {
        assert_int_equal(foresight_look(&foresight, most, NULL), 0);
        assert_in_range(foresight.n, 0, most);
        assert_true(foresight.inputs.len <= CFZ_MSG_TEXT_MAX);
        left = foresight.n;
        at = 0;
        looks++;
        seen += left;
    }
    if (left > 0) {
        assert_true(size <= sizeof packed);
        cfz_values_pack(cand, packed);
        memcpy(&told, foresight.inputs.data + at, sizeof told);
        assert_int_equal(told, size);
        assert_memory_equal(foresight.inputs.data + at + sizeof told, packed, size);
        at += sizeof told + size;
        left--;
    }
    assert_int_equal(foresight_answer(&foresight, accepted, NULL), 0);
    if (accepted)
        left = 0;
    return accepted;
}

/* Minimizes a []byte of len bytes, a string of it and its length. */
static void minimize(size_t len, unsigned accept_every, uint64_t max)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    uint64_t budget = BUDGET;
    uint8_t bytes[5000];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)('a' + i * 7 % 13);
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), bytes, len, NULL),
                     0);
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_STRING), bytes, len, NULL),
                     0);
    cfz_values_push(&vs, CFZ_KIND_INT)->bits = len;
    at = left = looks = seen = tries = 0;
    every = accept_every;
    most = max;
    assert_int_equal(foresight_begin(&foresight, &vs, NULL), 0);
    assert_int_equal(cfz_minimize(&vs, &budget, try_cand, NULL, NULL), 0);
    assert_int_equal(foresight.answers.len, BUDGET - budget);
    foresight_end(&foresight);
    cfz_values_release(&vs);
}

static void test_what_comes_next(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 40; i += 3)
        minimize(20, i, UINT64_MAX);
    minimize(20, 0, UINT64_MAX);
    assert_in_range(looks, 1, seen / 10); /* many at a time where none is accepted */
    minimize(20, 0, 1);
    assert_in_range(seen, 1, looks); /* never more than one is wanted */
}

/* They do not fit a message, or only one by one. */
static void test_long_inputs(void **state)
{
    (void)state;
    minimize(600, 0, UINT64_MAX);
    assert_true(seen > 0);
    minimize(5000, 0, UINT64_MAX);
    assert_in_range(seen, 0, 20); /* those that shorten both values to little */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_comes_next),
        cmocka_unit_test(test_long_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
