/*
 * parts_test.c - comparisons that are parts of one condition: each may have held, and all have to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

static uint16_t le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

/* Nothing is asked before all three were compared; the last one depends on the others. */
static void header(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    bool version, kind, sum;

    if (vs->v[0].len < 6)
        return;
    version = program_equal(p, 0, le16(d), 0x0203);
    kind = program_equal(p, 1, le16(d + 2), 0xbeef);
    sum = program_equal(p, 2, le16(d + 4), (uint16_t)(le16(d) + le16(d + 2)));
    p->solved = version & kind & sum;
}

/* Has each part hold in an input of its own, so that none is a goal any more, and then gives the
 * solver an input in which none does. */
static void work(struct program *p, bool joined)
{
    static const char *const shown[] = {"\x03\x02....", "..\xef\xbe..", "\x01\x01\x02\x02\x03\x03"};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_image im;

    assert_int_equal(cfz_solver_map(&err), 0);
    for (unsigned i = 0; i < 3; i++) {
        struct cfz_site *site = &p->sites[i];

        *site = (struct cfz_site){.kind = CFZ_SITE_INT,
                                  .predicate = CFZ_REL_EQUAL,
                                  .width = 16,
                                  .flags = i < 2 ? CFZ_SITE_CONST_B : 0};
        if (!joined)
            continue;
        site->flags |= CFZ_SITE_JOINED;
        site->counter_true =
            (int32_t)((const uint8_t *)p->sites - (const uint8_t *)&site->counter_true);
    }
    assert_int_equal(program_begin(p, bytes, 1, header), 0);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(p->v[0].data, shown[i], 6);
        p->v[0].len = 6;
        assert_true(cfz_image_read(&im, &p->vs));
        assert_int_equal(cfz_search_try(&p->search, &im, true), CFZ_RAN);
        cfz_goals_learn(p->search.goals);
    }
    memcpy(p->v[0].data, "abcdef", 6);
    p->limit = 20000;
    cfz_solver_entry(&p->search, 0, 0);
}

/* What has one of them is kept on the side, and from there the others are goals; what would lose
 * one is none. */
static void test_parts(void **state)
{
    static const char *const kept[] = {"\x03\x02"
                                       "cdef",
                                       "ab\xef\xbe"
                                       "ef",
                                       "abcd\xc4\xc6"};
    static struct program p;
    unsigned generation;

    (void)state;
    work(&p, true);
    assert_false(p.solved);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(cfz_solver_side(&p.search, true, &generation));
        assert_int_equal(generation, 1);
        assert_memory_equal(p.v[0].data, kept[i], 6);
    }
    assert_false(cfz_solver_side(&p.search, true, &generation));
    memcpy(p.v[0].data, kept[0], 6);
    cfz_solver_entry(&p.search, 0, 1);
    while (!p.solved && cfz_solver_side(&p.search, true, &generation)) {
        assert_memory_equal(p.v[0].data, "\x03\x02", 2);
        cfz_solver_entry(&p.search, 0, generation);
    }
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "\x03\x02\xef\xbe\xf2\xc0", 6);
}

/* Where no site says that it is a part, each was met, and nothing is kept. */
static void test_no_parts(void **state)
{
    static struct program p;
    unsigned generation;

    (void)state;
    work(&p, false);
    assert_false(cfz_solver_side(&p.search, true, &generation));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_parts),
                                       cmocka_unit_test(test_parts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
