/*
 * deadly_test.c - inputs that ended a process are known to the next, and are not executed again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/map.h"
#include "search/search.h"

static struct cfz_value value = {.kind = CFZ_KIND_BYTES};
static struct cfz_image im = {.n = 1, .like = &value};

/* The hash of an input of one value. */
static uint64_t hash(const char *text)
{
    im.n = 1;
    im.at[1] = (uint32_t)strlen(text);
    memcpy(im.bytes, text, im.at[1]);
    return cfz_deadly_hash(&im);
}

static void test_hash(void **state)
{
    uint64_t one;

    (void)state;
    assert_true(hash("") != 0);
    assert_int_equal(hash("abcdefgh"), hash("abcdefgh"));
    assert_true(hash("abcdefgh") != hash("abcdefgi"));
    assert_true(hash("abcdefgh") != hash("abcdefghi"));
    assert_true(hash("abcdefghi") != hash("abcdefghj"));
    /* The same bytes in two values. */
    hash("abcdefgh");
    im.n = 2;
    im.at[1] = 3;
    im.at[2] = 8;
    one = cfz_deadly_hash(&im);
    im.at[1] = 4;
    assert_true(cfz_deadly_hash(&im) != one);
    assert_true(one != hash("abcdefgh"));
}

/* Nine inputs with one place: the last drives out the first, and nothing else is taken for one. */
static void test_crowded(void **state)
{
    static struct cfz_deadly d;

    (void)state;
    for (uint64_t i = 1; i <= 8; i++)
        cfz_deadly_add(&d, i);
    for (uint64_t i = 1; i <= 8; i++)
        assert_true(cfz_deadly_has(&d, i));
    assert_false(cfz_deadly_has(&d, 9));
    cfz_deadly_add(&d, 9);
    assert_true(cfz_deadly_has(&d, 9));
    assert_false(cfz_deadly_has(&d, 1));
    cfz_deadly_add(&d, 2); /* it is there */
    assert_true(cfz_deadly_has(&d, 9));
    assert_true(cfz_deadly_has(&d, 2));
}

static uint32_t entries[4], nentries;

static void lost(uint32_t entry)
{
    entries[nentries++ % 4] = entry;
}

static struct cfz_under_way *begins(struct cfz_deadly *d)
{
    return cfz_deadly_note(d, cfz_deadly_begin(d, lost));
}

static void test_workers(void **state)
{
    static struct cfz_deadly d;
    struct cfz_under_way *a = begins(&d), *b = begins(&d), *c;

    (void)state;
    nentries = 0;
    assert_true(a != b);
    /* The first dies under a guard: the process that goes on knows. */
    a->input = 70;
    a->entry = 8;
    assert_true(cfz_deadly_resume(&d, a));
    assert_true(cfz_deadly_has(&d, 70));
    assert_false(cfz_deadly_resume(&d, a));
    assert_int_equal(nentries, 0);
    /* The second dies, and another worker begins in its place. */
    b->input = 80;
    b->entry = 6;
    c = begins(&d);
    assert_true(c != a && c != b);
    assert_true(cfz_deadly_has(&d, 80));
    assert_int_equal(nentries, 1);
    assert_int_equal(entries[0], 5);
    begins(&d); /* that is told once */
    assert_int_equal(nentries, 1);
    b->input = 90; /* not in a turn of the solver */
    begins(&d);
    assert_true(cfz_deadly_has(&d, 90));
    assert_int_equal(nentries, 1);
    for (unsigned i = 5; i < CFZ_DEADLY_WORKERS; i++)
        begins(&d);
    assert_ptr_equal(begins(&d), a);
}

static unsigned executed;
static struct cfz_under_way under_way;
static uint64_t noted; /* while it was executed */

static enum cfz_ran run(void *ctx, bool traced, enum cfz_ran_as as)
{
    (void)ctx;
    (void)traced;
    (void)as;
    executed++;
    noted = under_way.input;
    return CFZ_RAN;
}

static void test_not_executed(void **state)
{
    static uint8_t room[64];
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = room, .cap = sizeof room};
    struct cfz_values cur = {.v = &v, .n = 1};
    struct cfz_goals *goals = cfz_map_private(sizeof *goals);
    struct cfz_search s = {.goals = goals, .cur = &cur, .max_len = 64, .run = run, .work = 1};
    uint64_t h;

    (void)state;
    assert_non_null(goals);
    h = hash("abcd");
    assert_int_equal(cfz_search_try(&s, &im, false), CFZ_RAN);
    assert_int_equal(executed, 1);
    assert_int_equal(noted, 0); /* no worker takes the place of this one */
    s.under_way = &under_way;
    assert_int_equal(cfz_search_try(&s, &im, false), CFZ_RAN);
    assert_int_equal(executed, 2);
    assert_true(noted == h);
    assert_int_equal(under_way.input, 0);
    cfz_deadly_add(&goals->deadly, h);
    assert_int_equal(cfz_search_try(&s, &im, true), CFZ_RAN);
    assert_int_equal(executed, 2);
    assert_int_equal(s.tries, 2);
    assert_int_equal(s.cost, 3);
    hash("abce");
    assert_int_equal(cfz_search_try(&s, &im, true), CFZ_RAN);
    assert_int_equal(executed, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_not_executed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
