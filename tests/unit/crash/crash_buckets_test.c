/*
 * crash_buckets_test.c - counting crashes, and the table of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "crash/crash_buckets.h"

/* The signature of a message of cfuzz_error at a line. */
static struct crash_signature at(const char *where)
{
    struct crash_signature sig = {.class = CRASH_FAILED};

    for (const char *s = where; *s != '\0'; s++)
        sig.place = 31 * sig.place + (uint64_t)*s;
    snprintf(sig.where, sizeof sig.where, "%s", where);
    return sig;
}

/* What a seed showed stands in the table with its name, whatever else shows it later. */
static void test_of_seeds(void **state)
{
    struct crash_buckets buckets = CRASH_BUCKETS_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;
    struct crash_signature a = at("a.c:7"), b = at("a.c:8");
    size_t index;
    bool first;

    (void)state;
    assert_int_equal(crash_buckets_add_seed(&buckets, &a, "FuzzX/seed#1", &index, NULL), 0);
    assert_int_equal(crash_buckets_add_seed(&buckets, &a, "FuzzX/0f", &index, NULL), 0);
    assert_int_equal(index, 0);
    assert_int_equal(crash_buckets_add(&buckets, &a, &index, &first, NULL), 0);
    assert_false(first);
    assert_int_equal(crash_buckets_add(&buckets, &b, &index, &first, NULL), 0);
    assert_true(first);
    assert_int_equal(crash_buckets_known(&buckets), 1);
    assert_int_equal(crash_buckets_summary(&buckets, "FuzzX", &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out),
                        "    Distinct crashes: 2 (4 failing inputs), 1 known before\n"
                        "             3  known: FuzzX/seed#1  a.c:7\n"
                        "             1  (not saved)  a.c:8\n");
    cfz_buf_release(&out);
    crash_buckets_release(&buckets);
}

static void test_buckets(void **state)
{
    struct crash_buckets buckets = CRASH_BUCKETS_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;
    struct crash_signature a = at("a.c:7"), b = at("a.c:8");
    size_t index;
    bool first;

    (void)state;
    assert_int_equal(crash_buckets_add(&buckets, &a, &index, &first, NULL), 0);
    assert_true(first);
    assert_int_equal(index, 0);
    assert_int_equal(crash_buckets_add(&buckets, &b, &index, &first, NULL), 0);
    assert_true(first);
    assert_int_equal(index, 1);
    assert_int_equal(crash_buckets_add(&buckets, &a, &index, &first, NULL), 0);
    assert_false(first);
    assert_int_equal(index, 0);
    strcpy(buckets.v[0].file, "582528ddfad69eb5");
    assert_int_equal(crash_buckets_summary(&buckets, "FuzzX", &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out),
                        "    Distinct crashes: 2 (3 failing inputs)\n"
                        "             2  testdata/corpus/FuzzX/582528ddfad69eb5  a.c:7\n"
                        "             1  (not saved)  a.c:8\n");
    cfz_buf_release(&out);
    /* It is bounded. */
    for (uint64_t i = 0; i < CRASH_BUCKETS_MAX + 5; i++) {
        a.place = 1000 + i;
        assert_int_equal(crash_buckets_add(&buckets, &a, &index, &first, NULL), 0);
        assert_int_equal(first, i < CRASH_BUCKETS_MAX - 2);
        assert_int_equal(index, first ? i + 2 : SIZE_MAX);
    }
    assert_int_equal(buckets.others, 7);
    crash_buckets_release(&buckets);
}

static void test_count(void **state)
{
    struct crash_buckets buckets = CRASH_BUCKETS_INIT;
    struct crash_signature a = at("a.c:7");
    size_t index;
    bool first;

    (void)state;
    assert_int_equal(crash_buckets_total(&buckets), 0);
    assert_int_equal(crash_buckets_add(&buckets, &a, &index, &first, NULL), 0);
    crash_buckets_count(&buckets, index, 10);
    crash_buckets_count(&buckets, SIZE_MAX, 5); /* of one that had no place */
    assert_int_equal(buckets.v[0].count, 11);
    assert_int_equal(buckets.others, 5);
    assert_int_equal(crash_buckets_total(&buckets), 16);
    crash_buckets_release(&buckets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_of_seeds),
        cmocka_unit_test(test_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
