/*
 * pair_test.c - two bytes of which neither alone brings the operands nearer.
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

/* Even; of what is near it says nothing. */
static uint32_t scrambled(uint8_t x)
{
    uint32_t h = (x + 1U) * 0x9e3779b1U;

    h = (h ^ h >> 15) * 0x85ebca77U;
    return h >> 15 & 0xfffe;
}

static void compare(struct program *p, const struct cfz_values *vs, uint32_t sum, uint32_t wanted)
{
    if (vs->v[0].len == 2)
        p->solved = program_equal(p, 0, sum, wanted);
}

/* Of the sums of all pairs one is this. */
static void sum(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    compare(p, vs, scrambled(d[0]) + scrambled(d[1]), scrambled(0xc3) + scrambled(0x5a));
}

/* None is odd. */
static void no_sum(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    compare(p, vs, scrambled(d[0]) + scrambled(d[1]), 0x8001);
}

static void hash(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    compare(p, vs, scrambled((uint8_t)(scrambled(d[0]) >> 4 ^ d[1])) ^ (uint32_t)d[1] << 8,
            scrambled(0x81) ^ 0x3700);
}

/* Has the solver work on "ab" so often. */
static void work(struct program *p, void (*body)(struct program *, const struct cfz_values *),
                 unsigned rounds)
{
    p->sites[0] = (struct cfz_site){
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32, .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(p, bytes, 1, body), 0);
    for (unsigned round = 0; round < rounds && !p->solved; round++) {
        p->v[0].len = 2;
        memcpy(p->v[0].data, "ab", 2);
        cfz_solver_entry(&p->search, round, 0);
    }
}

/* 512 executions tell the pair. */
static void test_sum(void **state)
{
    static struct program p;

    (void)state;
    work(&p, sum, 4);
    assert_true(p.solved);
    assert_int_equal(p.runs, 7047); /* all pairs: 27,070 */
}

/* ... or that there is none: all 65536 are not tried. */
static void test_no_sum(void **state)
{
    static struct program p;

    (void)state;
    work(&p, no_sum, 4);
    assert_false(p.solved);
    assert_int_equal(p.runs, 31955); /* all pairs: 96,439 */
}

/* What is no sum takes all pairs. */
static void test_hash(void **state)
{
    static struct program p;

    (void)state;
    work(&p, hash, 4);
    assert_true(p.solved);
    assert_int_equal(p.runs, 18700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_no_sum),
        cmocka_unit_test(test_hash),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_solver_map(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
