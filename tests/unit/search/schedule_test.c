/*
 * schedule_test.c - the order in which entries have their turns.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/schedule.h"

static struct cfz_error err;

/* Run memory with room for n entries, two of them stored: what entry i is, index[i] says. */
struct corpus {
    struct cfz_run_shm run;
    struct cfz_entry plain, idle;
    uint64_t index[];
};

static struct corpus *corpus_new(size_t n)
{
    struct corpus *c = aligned_alloc(64, (sizeof *c + n * sizeof c->index[0] + 63) / 64 * 64);

    assert_non_null(c);
    *c = (struct corpus){0};
    c->run.index_off = offsetof(struct corpus, index);
    c->run.arena_off = 0;
    c->idle.flags = CFZ_ENTRY_IDLE;
    for (size_t i = 0; i < n; i++)
        c->index[i] = offsetof(struct corpus, plain);
    return c;
}

static void grow(struct corpus *c, struct cfz_schedule *s, uint64_t n)
{
    c->run.nentries = n;
    cfz_schedule_refresh(s);
    assert_int_equal(s->n, n);
}

static void expect(struct cfz_schedule *s, const uint64_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t got = UINT64_MAX;

        assert_true(cfz_schedule_next(s, &got));
        assert_int_equal(got, want[i]);
    }
}

static void test_newest_first_then_in_turn(void **state)
{
    struct corpus *c = corpus_new(6);
    struct cfz_schedule s;
    uint64_t none;

    (void)state;
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    assert_false(cfz_schedule_next(&s, &none));
    grow(c, &s, 3);
    expect(&s, (uint64_t[]){2, 1}, 2);
    c->index[4] = offsetof(struct corpus, idle);
    grow(c, &s, 6); /* 0 is still without a turn */
    expect(&s, (uint64_t[]){5, 3, 0}, 3);
    expect(&s, (uint64_t[]){0, 1, 2, 3, 5, 0}, 6);
    free(c);
}

/* An entry comes once more behind those that were taken in meanwhile. */
static void test_again(void **state)
{
    struct corpus *c = corpus_new(5);
    struct cfz_schedule s;

    (void)state;
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    grow(c, &s, 3);
    expect(&s, (const uint64_t[]){2}, 1);
    cfz_schedule_again(&s, 2);
    grow(c, &s, 5);
    expect(&s, (const uint64_t[]){4, 3, 2, 1, 0}, 5);
    assert_int_equal(s.nfresh, 0);
    free(c);
}

/* What shows other counts only waits until all had a turn. */
static void test_counts_wait(void **state)
{
    struct corpus *c = corpus_new(4);
    struct cfz_schedule s;

    (void)state;
    c->idle.flags = CFZ_ENTRY_COUNTS;
    c->index[3] = c->index[1] = offsetof(struct corpus, idle);
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    grow(c, &s, 4);
    assert_int_equal(s.nfresh, 2);
    expect(&s, (uint64_t[]){2, 0, 0, 1, 2, 3, 0}, 7);
    free(c);
}

static void test_nothing_to_mutate(void **state)
{
    struct corpus *c = corpus_new(2);
    struct cfz_schedule s;
    uint64_t entry = 7;

    (void)state;
    c->index[0] = c->index[1] = offsetof(struct corpus, idle);
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    grow(c, &s, 2);
    assert_false(cfz_schedule_next(&s, &entry));
    assert_int_equal(entry, 7);
    free(c);
}

/* Each turn once looked at all that had had theirs: this would not end in time. */
static void test_a_million_fresh_entries(void **state)
{
    enum { MANY = 1000000 };
    struct corpus *c = corpus_new(MANY);
    struct cfz_schedule s;

    (void)state;
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    grow(c, &s, MANY);
    for (uint64_t want = MANY; want-- > 0;)
        expect(&s, &want, 1);
    expect(&s, (uint64_t[]){0, 1}, 2);
    free(c);
}

/* A worker that takes the place of another has in the round what arrived at that one. */
static void test_in_anothers_place(void **state)
{
    static _Atomic uint8_t arrived[CFZ_ENTRIES_MAX];
    struct corpus *c = corpus_new(6);
    struct cfz_schedule first, s;

    (void)state;
    assert_int_equal(cfz_schedule_map(&first, &c->run, arrived, &err), 0);
    grow(c, &first, 4);
    expect(&first, (const uint64_t[]){3, 2}, 2);
    arrived[3] = arrived[2] = 1;
    cfz_schedule_again(&first, 2); /* that is its own */
    assert_int_equal(cfz_schedule_map(&s, &c->run, arrived, &err), 0);
    grow(c, &s, 5);
    assert_int_equal(s.nfresh, 3);
    expect(&s, (const uint64_t[]){4, 1}, 2);
    arrived[4] = arrived[1] = 1;
    grow(c, &first, 5); /* one that goes on has a turn for what is new to it */
    expect(&first, (const uint64_t[]){4, 2, 1, 0, 0, 1, 2, 3}, 8);
    expect(&s, (const uint64_t[]){0, 0, 1, 2, 3}, 5);
    free(c);
}

/* A target wrote over the stack: an entry that is not there has no turn. */
static void test_overwritten(void **state)
{
    struct corpus *c = corpus_new(6);
    struct cfz_schedule s;

    (void)state;
    assert_int_equal(cfz_schedule_map(&s, &c->run, NULL, &err), 0);
    grow(c, &s, 6);
    memset(s.fresh, 0x41, 6 * sizeof *s.fresh);
    s.fresh[2] = 6;
    assert_false(cfz_schedule_may(&s, 6));
    expect(&s, (const uint64_t[]){0, 1, 2, 3, 4, 5, 0}, 7);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest_first_then_in_turn),
        cmocka_unit_test(test_nothing_to_mutate),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_counts_wait),
        cmocka_unit_test(test_a_million_fresh_entries),
        cmocka_unit_test(test_in_anothers_place),
        cmocka_unit_test(test_overwritten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
