/*
 * counters_middle_test.c - a module of middle size is scanned by its flags or whole, whatever takes
 * less.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi.h"
#include "coverage/counters.h"
#include "coverage/processor.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

/* 40 functions of 49 counters; before each is one that is no function's. */
enum { FUNCS = 40, EACH = 50, ALL = FUNCS * EACH };
/* As in counters.c: collects of a sample, with the first; and of what it decides. */
enum { SAMPLE = 1 + 64, SETTLED = 1 << 14 };

static struct cfz_error err;
static uint8_t counters[ALL];
static uint8_t flags[FUNCS];
static struct cfz_func_rec recs[FUNCS];
static struct cfz_seen seen;

static int prepare(void **state)
{
    (void)state;
    for (int i = 0; i < FUNCS; i++) {
        recs[i].counters = (int32_t)(counters + i * EACH + 1 - (uint8_t *)&recs[i].counters);
        recs[i].n = EACH - 1;
    }
    __sanitizer_cov_8bit_counters_init(counters, counters + ALL);
    cfuzz_module_init(CFUZZ_ABI, flags, flags + FUNCS, recs, recs + FUNCS);
    assert_int_equal(cfz_counters_total() ? cfz_counters_total() : ALL, ALL);
    return cfz_counters_prepare(&err);
}

/* Begins anew, with a sample. */
static int setup(void **state)
{
    (void)state;
    cfz_counters_reset();
    if (cfz_counters_prepare(&err) < 0)
        return -1;
    return cfz_seen_map(&seen, NULL, ALL, &err);
}

/* So many executions, in each of which the first n functions run, one counter each. Returns how
 * many counters had a new bit. */
static size_t execute(int times, int n)
{
    size_t fresh = 0;

    for (int k = 0; k < times; k++) {
        for (int i = 0; i < n; i++) {
            flags[i] = 1;
            counters[i * EACH + 7] = 1;
        }
        fresh += cfz_counters_collect(&seen);
        cfz_seen_learn(&seen);
    }
    return fresh;
}

/* Whether the module is scanned whole: also functions that did not say that they ran. */
static bool is_whole(void)
{
    bool whole;

    counters[(FUNCS - 1) * EACH + 30] = 1;
    memset(&seen.own[(FUNCS - 1) * EACH], 0, EACH);
    whole = cfz_counters_collect(&seen) == 1;
    counters[(FUNCS - 1) * EACH + 30] = 0;
    return whole;
}

static bool can_be_whole(void)
{
    return cfz_processor() == CFZ_PROCESSOR_AVX512;
}

static void many_functions_are_scanned_whole(void **state)
{
    (void)state;
    assert_int_equal(execute(SAMPLE - 2, 20), 20);
    assert_false(is_whole()); /* the sample is not over */
    assert_int_equal(execute(1, 20), 0);
    assert_int_equal(is_whole(), can_be_whole());
    assert_int_equal(execute(1, 21), 1);
    assert_int_equal(seen.bits[0].index, 20 * EACH + 7);
}

static void few_functions_are_scanned_by_flags(void **state)
{
    (void)state;
    execute(SAMPLE, 2);
    assert_false(is_whole());
    assert_int_equal(execute(1, 3), 1);
    assert_int_equal(seen.bits[0].index, 2 * EACH + 7);
}

/* What is no function's is looked at in any case, and once. */
static void what_no_flag_stands_for(void **state)
{
    (void)state;
    for (int n = 1; n <= 20; n += 19) {
        execute(SAMPLE, n);
        counters[9 * EACH] = 1;
        counters[ALL - EACH] = 3;
        assert_int_equal(cfz_counters_collect(&seen), 2);
        assert_int_equal(seen.bits[0].index, 9 * EACH);
        assert_int_equal(seen.bits[1].index, ALL - EACH);
        assert_int_equal(counters[9 * EACH], 0);
        assert_int_equal(setup(NULL), 0);
    }
}

/* Flags of functions that ran while all was scanned are cleared, and are not in the next sample. */
static void a_sample_comes_again(void **state)
{
    (void)state;
    execute(SAMPLE, 20);
    execute(SETTLED - 1, 20);
    assert_int_equal(flags[0], can_be_whole());
    assert_int_equal(is_whole(), can_be_whole());
    assert_int_equal(flags[0], can_be_whole());
    assert_int_equal(execute(SAMPLE - 1, 1), 0);
    assert_int_equal(flags[19], 0);
    assert_false(is_whole());
    assert_false(is_whole()); /* that was decided, too */
    execute(SETTLED - 1, 1);
    execute(SAMPLE, 20);
    assert_int_equal(is_whole(), can_be_whole());
}

/* Known or not; and it clears. */
static void collect_all_finds_what_is_known(void **state)
{
    (void)state;
    execute(SAMPLE, 20);
    for (int i = 0; i < 20; i++)
        counters[i * EACH + 7] = 1;
    memset(flags, 1, 20);
    assert_int_equal(cfz_counters_collect_all(&seen), 20);
    assert_int_equal(cfz_counters_collect_all(&seen), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(many_functions_are_scanned_whole, setup),
        cmocka_unit_test_setup(few_functions_are_scanned_by_flags, setup),
        cmocka_unit_test_setup(what_no_flag_stands_for, setup),
        cmocka_unit_test_setup(a_sample_comes_again, setup),
        cmocka_unit_test_setup(collect_all_finds_what_is_known, setup),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
