/*
 * mend_test.c - fields that depend on the rest of an input are written anew, and no others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/mend.h"
#include "solver/solver.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

static const struct cfz_site equal = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 16};

enum { SUM, TAIL_SUM }; /* sites */

static unsigned seen; /* how far the last execution came */

static uint64_t be16(const uint8_t *p)
{
    return (uint64_t)p[0] << 8 | p[1];
}

static uint64_t sum_of(const uint8_t *p, size_t n)
{
    uint64_t s = 0x1234;

    while (n-- > 0)
        s += 257U * p[n];
    return s & 0xffff;
}

/* Two records, each of a sum and four bytes, and after them whatever. */
static void records(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    seen = 0;
    if (vs->v[0].len < 12 || !program_equal(p, SUM, sum_of(d + 2, 4), be16(d)))
        return;
    seen = 1;
    if (program_equal(p, TAIL_SUM, sum_of(d + 8, 4), be16(d + 6)))
        seen = 2;
}

static unsigned nmended;

static void count(void *ctx)
{
    (void)ctx;
    nmended++;
}

static void set_input(struct program *p, const void *data, size_t n)
{
    memcpy(p->data[0], data, n);
    p->v[0].len = n;
}

static struct cfz_recipe field(uint32_t at, bool reckoned)
{
    return (struct cfz_recipe){.set = CFZ_RECIPE_COPY,
                               .width = 2,
                               .big_endian = 1,
                               .at = at,
                               .from_end = 12 - at,
                               .reckoned = reckoned,
                               .side = 1};
}

static void begin(struct program *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        p->sites[i] = equal;
    assert_int_equal(program_begin(p, bytes, 1, records), 0);
    *cfz_site_recipe(p->search.goals, &p->sites[SUM]) = field(0, true);
    *cfz_site_recipe(p->search.goals, &p->sites[TAIL_SUM]) = field(6, true);
    p->search.goals->nrecipes = 2;
    nmended = 0;
}

static void test_both(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    set_input(&p, "??abcd??efghrest", 16);
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(seen, 2);
    assert_int_equal(nmended, 2);
    assert_int_equal(p.runs, 3); /* as it was, and after each field */
    assert_int_equal(p.v[0].len, 16);
    assert_memory_equal(p.data[0] + 2, "abcd", 4);
    assert_memory_equal(p.data[0] + 8, "efghrest", 8);
    assert_int_equal(be16(p.data[0]), sum_of(p.data[0] + 2, 4));
    assert_true(cfz_mend_applies(&p.search));
    /* It is right now: executed once, and left as it is. */
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(p.runs, 4);
    assert_int_equal(nmended, 2);
}

/* A recipe whose field depends on nothing else says only what one input had there. */
static void test_not_reckoned(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    *cfz_site_recipe(p.search.goals, &p.sites[SUM]) = field(0, false);
    set_input(&p, "??abcd??efgh", 12);
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(p.runs, 1);
    assert_int_equal(nmended, 0);
    assert_false(cfz_mend_applies(&p.search));
    assert_memory_equal(p.data[0], "??abcd??efgh", 12);
}

static void test_erratic(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    cfz_site_note(p.search.goals, &p.sites[SUM])->erratic = 1;
    set_input(&p, "??abcd??efgh", 12);
    cfz_mend(&p.search, count);
    assert_int_equal(p.runs, 1);
}

/* Where the bytes are found that were compared, whatever the recipe says of the place. */
static void test_elsewhere(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM])->at = 40;
    cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM])->from_end = 41;
    set_input(&p, "??abcd!?efgh", 12);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 2);
    assert_int_equal(be16(p.data[0] + 6), sum_of(p.data[0] + 8, 4));
}

/* A field that cannot be made right is tried at two places, and that is all. */
static void test_in_vain(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    cfz_site_recipe(p.search.goals, &p.sites[SUM])->at = 6;
    cfz_site_recipe(p.search.goals, &p.sites[SUM])->from_end = 2;
    cfz_site_recipe(p.search.goals, &p.sites[SUM])->set = CFZ_RECIPE_XOR;
    set_input(&p, "??abcd??efgh", 12);
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(seen, 0);
    assert_int_equal(p.runs, 3);
}

/* A sum at the end, xored in: in a longer input it is further back than the recipe says, and what
 * was tried there has another sum. */
static void at_end(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len;

    seen = n >= 4 && program_equal(p, SUM, sum_of(d, n - 2) ^ be16(d + n - 2), 0xffff);
}

static void test_at_end(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    p.body = at_end;
    *cfz_site_recipe(p.search.goals, &p.sites[SUM]) = (struct cfz_recipe){
        .set = CFZ_RECIPE_XOR, .width = 2, .big_endian = 1, .at = 4, .from_end = 2, .reckoned = 1};
    set_input(&p, "abcdef??", 8);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 1);
    assert_int_equal(p.runs, 3); /* as it was, at 4, at the end */
    assert_memory_equal(p.data[0], "abcdef", 6);
}

static void test_ends(void **state)
{
    static struct program p;

    (void)state;
    begin(&p);
    p.limit = 2;
    set_input(&p, "??abcd??efgh", 12);
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN_OVER);
    assert_int_equal(p.runs, 2);
    assert_true(p.search.over);
}

static void test_too_long(void **state)
{
    static struct program p;
    static uint8_t room[CFZ_IMAGE_MAX + 1];

    (void)state;
    begin(&p);
    p.v[0].data = room;
    p.v[0].len = p.v[0].cap = sizeof room;
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(p.runs, 0);
}

/* What the solver finds out by itself: the field depends on the rest. */
static void test_learnt(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    begin(&p);
    memset(cfz_site_recipe(p.search.goals, &p.sites[SUM]), 0, sizeof(struct cfz_recipe));
    memset(cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM]), 0, sizeof(struct cfz_recipe));
    p.search.goals->nrecipes = 0;
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input(&p, "??abcd??efgh", 12);
    for (unsigned round = 0; round < 3 && p.search.goals->nrecipes == 0; round++)
        cfz_solver_entry(&p.search, round, 0);
    assert_int_equal(cfz_site_recipe(p.search.goals, &p.sites[SUM])->set, CFZ_RECIPE_COPY);
    assert_int_equal(cfz_site_recipe(p.search.goals, &p.sites[SUM])->reckoned, 1);
    set_input(&p, "!!wxyz!!efgh", 12);
    cfz_mend(&p.search, count);
    assert_true(seen >= 1);
}

/* From a valid input nothing is left to solve: that its fields are right is seen as it is probed.
 */
static void test_right_already(void **state)
{
    static struct program p;
    const struct cfz_recipe whole = field(0, true);
    struct cfz_error err = CFZ_ERROR_INIT;
    uint8_t d[12] = "??abcd??efgh";

    (void)state;
    begin(&p);
    memset(cfz_site_recipe(p.search.goals, &p.sites[SUM]), 0, sizeof(struct cfz_recipe));
    memset(cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM]), 0, sizeof(struct cfz_recipe));
    p.search.goals->nrecipes = 0;
    for (int site = SUM; site <= TAIL_SUM; site++)
        for (int outcome = 0; outcome < 2; outcome++)
            cfz_goal_meet(p.search.goals, cfz_goal_key0(&p.sites[site], outcome));
    for (int at = 0; at < 12; at += 6) {
        d[at] = (uint8_t)(sum_of(d + at + 2, 4) >> 8);
        d[at + 1] = (uint8_t)sum_of(d + at + 2, 4);
    }
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input(&p, d, 12);
    cfz_solver_entry(&p.search, 0, 0);
    assert_int_equal(p.search.goals->nrecipes, 2);
    assert_memory_equal(cfz_site_recipe(p.search.goals, &p.sites[SUM]), &whole, sizeof whole);
    assert_int_equal(cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM])->at, 6);
    assert_int_equal(cfz_site_recipe(p.search.goals, &p.sites[TAIL_SUM])->from_end, 6);
    set_input(&p, "!!wxyz!!efgh", 12);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 2);
}

/* The first stage solved it before, and does not know what it depends on: that is seen. */
static void test_seen_later(void **state)
{
    static struct program p;
    const struct cfz_recipe whole = field(0, true);
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_recipe *r;
    uint8_t d[12] = "??abcd??efgh";

    (void)state;
    begin(&p);
    r = cfz_site_recipe(p.search.goals, &p.sites[SUM]);
    *r = field(0, false);
    d[0] = (uint8_t)(sum_of(d + 2, 4) >> 8);
    d[1] = (uint8_t)sum_of(d + 2, 4);
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input(&p, d, 12);
    for (int outcome = 0; outcome < 2; outcome++) /* so that it is only watched */
        cfz_goal_meet(p.search.goals, cfz_goal_key0(&p.sites[SUM], outcome));
    cfz_solver_entry(&p.search, 0, 0);
    assert_memory_equal(r, &whole, sizeof whole);
}

/* One operand is the sum and the field together, as compilers write ~sum == field; or sum - field.
 */
static void within(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    seen = 0;
    if (vs->v[0].len >= 6 && program_equal(p, SUM, sum_of(d, 4) ^ be16(d + 4), 0xffff))
        seen = 1;
    if (vs->v[0].len >= 12 &&
        program_equal(p, TAIL_SUM, (sum_of(d + 6, 4) - be16(d + 10)) & 0xffff, 0))
        seen++;
}

static void test_within(void **state)
{
    static struct program p;
    const struct cfz_recipe want[] = {
        {.set = CFZ_RECIPE_XOR, .width = 2, .big_endian = 1, .reckoned = 1, .at = 4, .from_end = 8},
        {.set = CFZ_RECIPE_SUM,
         .width = 2,
         .big_endian = 1,
         .side = 1,
         .reckoned = 1,
         .at = 10,
         .from_end = 2}};
    struct cfz_error err = CFZ_ERROR_INIT;
    uint8_t d[12] = "abcd??efgh??";

    (void)state;
    memset(&p, 0, sizeof p);
    for (unsigned i = 0; i < 2; i++) {
        p.sites[i] = equal;
        p.sites[i].flags = CFZ_SITE_CONST_B;
    }
    assert_int_equal(program_begin(&p, bytes, 1, within), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    d[4] = (uint8_t)(~sum_of(d, 4) >> 8);
    d[5] = (uint8_t)~sum_of(d, 4);
    d[10] = (uint8_t)(sum_of(d + 6, 4) >> 8);
    d[11] = (uint8_t)sum_of(d + 6, 4);
    set_input(&p, d, 12);
    cfz_solver_entry(&p.search, 0, 0);
    assert_int_equal(p.search.goals->nrecipes, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_memory_equal(cfz_site_recipe(p.search.goals, &p.sites[i]), &want[i], sizeof want[i]);
    set_input(&p, "wxyz??aaaa??", 12);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 2);
}

/* No field: its bytes are a number that the program compares with one of its own. */
static void version(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len >= 2)
        program_equal(p, SUM, 0x6162, be16(vs->v[0].data));
}

static void test_no_field(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    memset(&p, 0, sizeof p);
    p.sites[SUM] = equal;
    assert_int_equal(program_begin(&p, bytes, 1, version), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input(&p, "abcd", 4);
    cfz_solver_entry(&p.search, 0, 0);
    assert_int_equal(p.search.goals->nrecipes, 0);
}

/* A digest of three bytes behind a mark, of the four that follow it. */
enum { MARKED = 7, DIGEST = 3 };

static void digest_of(const uint8_t *d, uint8_t to[DIGEST])
{
    for (int k = 0; k < DIGEST; k++)
        to[k] = (uint8_t)(sum_of(d, 4) >> 4 * k | 1);
}

static void digests(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data, *mark = memchr(d, '#', vs->v[0].len);
    uint8_t want[DIGEST];

    seen = 0;
    if (!mark || d + vs->v[0].len - mark < 1 + MARKED)
        return;
    digest_of(mark + 1 + DIGEST, want);
    seen = program_memory(p, SUM, mark + 1, want, DIGEST);
}

static void begin_digests(struct program *p)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    memset(p, 0, sizeof *p);
    p->sites[SUM].kind = CFZ_SITE_MEM;
    assert_int_equal(program_begin(p, bytes, 1, digests), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    nmended = 0;
}

/* What is compared as memory is written anew where it stands: there, or elsewhere. */
static void test_memory(void **state)
{
    static struct program p;
    uint8_t want[DIGEST];

    (void)state;
    begin_digests(&p);
    *cfz_site_recipe(p.search.goals, &p.sites[SUM]) =
        (struct cfz_recipe){.set = CFZ_RECIPE_BYTES, .at = 1, .from_end = MARKED, .reckoned = 1};
    p.search.goals->nrecipes = 1;
    set_input(&p, "#???abcd", 8);
    assert_int_equal(cfz_mend(&p.search, count), CFZ_RAN);
    assert_int_equal(seen, 1);
    assert_int_equal(nmended, 1);
    digest_of((const uint8_t *)"abcd", want);
    assert_memory_equal(p.data[0] + 1, want, DIGEST);
    assert_memory_equal(p.data[0] + 1 + DIGEST, "abcd", 4);
    set_input(&p, "a few bytes before #!?!abcd and behind", 38);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 1);
    assert_memory_equal(p.data[0] + 20, want, DIGEST);
    assert_int_equal(p.v[0].len, 38);
}

/* That it is right, and that it depends on the rest, is seen as an input is probed. */
static void test_memory_right_already(void **state)
{
    static struct program p, of_strings;
    const struct cfz_recipe whole = {
        .set = CFZ_RECIPE_BYTES, .at = 1, .from_end = MARKED, .reckoned = 1};
    uint8_t d[1 + MARKED] = "#???abcd";

    (void)state;
    begin_digests(&p);
    digest_of(d + 1 + DIGEST, d + 1);
    set_input(&p, d, sizeof d);
    cfz_solver_entry(&p.search, 0, 0);
    assert_memory_equal(cfz_site_recipe(p.search.goals, &p.sites[SUM]), &whole, sizeof whole);
    set_input(&p, "..#!!!wxyz", 10);
    cfz_mend(&p.search, count);
    assert_int_equal(seen, 1);

    /* Of strings nothing is kept: a word that a table has is compared with its neighbours. */
    begin_digests(&of_strings);
    of_strings.sites[SUM].kind = CFZ_SITE_STRING_N;
    set_input(&of_strings, d, sizeof d);
    cfz_solver_entry(&of_strings.search, 0, 0);
    assert_true(of_strings.traced > 0);
    assert_int_equal(of_strings.search.goals->nrecipes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_not_reckoned),
        cmocka_unit_test(test_erratic),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_in_vain),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_learnt),
        cmocka_unit_test(test_right_already),
        cmocka_unit_test(test_seen_later),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_no_field),
        cmocka_unit_test(test_at_end),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_memory_right_already),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
