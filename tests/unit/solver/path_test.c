/*
 * path_test.c - an input that left its path at a field comes back to it, and what that costs where
 * there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"
#include "solver/solving.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};

enum { LENGTH, SUM, WORDS, BEHIND, KIND }; /* sites */
enum { HEAD = 6, FIELD_TRIES_MOST = CFZ_FIELD_TRIES + 4 };

static struct cfz_base base;
static struct cfz_image im;
static struct program programs[10], *program = programs; /* one for each test */
static unsigned reached;                                 /* how far the last execution came */

static uint8_t sum_of(const uint8_t *p, size_t n)
{
    uint8_t s = 0x55;

    while (n-- > 0)
        s = (uint8_t)(3 * s + *p++);
    return s;
}

static uint64_t words_of(const uint8_t *p, size_t n)
{
    uint64_t s = 0;

    for (size_t i = 0; i + 1 < n; i += 2)
        s += (uint64_t)p[i] << 8 | p[i + 1];
    while (s >> 16)
        s = (s & 0xffff) + (s >> 16);
    return s;
}

/* A length, a byte that is the sum of the data, two bytes that make all words from there on add up
 * to ones, and data. */
static void records(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const size_t n = vs->v[0].len;

    reached = 0;
    if (n < HEAD || !program_equal(p, LENGTH, d[0], n))
        return;
    reached = 1;
    if (!program_equal(p, WORDS, words_of(d + 2, n - 2), 0xffff))
        return;
    reached = 2;
    if (!program_equal(p, SUM, sum_of(d + 4, n - 4), d[1]))
        return;
    reached = 3;
    program_equal(p, BEHIND, d[4], 'k');
}

static void set_input(const void *data, size_t n)
{
    memcpy(program->data[0], data, n);
    program->v[0].len = n;
    assert_true(cfz_image_read(&im, &program->vs));
}

static enum cfz_trial run(struct cfz_solver *v, const struct cfz_image *image)
{
    return cfz_search_try(v->s, image, true) == CFZ_RAN_OVER ? CFZ_TRIAL_OVER : CFZ_TRIAL_LOST;
}

/* An input that is right, as the base. */
static size_t begin(void)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    uint8_t d[] = {10, 0, 0, 0, 'a', 'b', 'c', 'd', 'e', 'f'};
    uint64_t w;

    program++;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        program->sites[i] = (struct cfz_site){
            .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = i == SUM ? 8 : 16};
    program->sites[WORDS].flags = CFZ_SITE_CONST_B;
    program->sites[WORDS].width = 32;
    assert_int_equal(program_begin(program, bytes, 1, records), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    d[1] = sum_of(d + 4, sizeof d - 4);
    w = 0xffff - words_of(d + 2, sizeof d - 2);
    d[2] = (uint8_t)(w >> 8);
    d[3] = (uint8_t)w;
    set_input(d, sizeof d);
    cfz_solver.s = &program->search;
    assert_int_equal(run(&cfz_solver, &im), CFZ_TRIAL_LOST);
    assert_int_equal(reached, 3);
    cfz_base_take(&base, &im);
    return sizeof d;
}

static enum cfz_trial back(void)
{
    run(&cfz_solver, &im);
    return cfz_bring_back(&cfz_solver, &base, &im, run);
}

/* A byte of the data: the words are mended, and then the sum. */
static void test_fields(void **state)
{
    (void)state;
    begin();
    im.bytes[4] = 'X';
    assert_int_equal(back(), CFZ_TRIAL_LOST);
    assert_int_equal(reached, 3);
    assert_int_equal(program->data[0][4], 'X');
    assert_int_equal(program->data[0][0], 10);
    assert_true(cfz_trace_find(&program->sites[BEHIND], 0) != NULL);
}

/* What mended it is known for the base: the next time it takes an execution a field. */
static void test_known(void **state)
{
    uint64_t runs;

    (void)state;
    begin();
    im.bytes[9] = 'X';
    back();
    assert_int_equal(reached, 3);
    assert_true(base.nfields > 0);
    cfz_image_copy(&im, &base.im);
    im.bytes[9] = 'Y';
    runs = program->runs;
    back();
    assert_int_equal(reached, 3);
    assert_int_equal(program->runs - runs, 3); /* as it is, and once for each of two fields */
}

/* A sum of words has carries: what is added once is nearly right, and twice it is. */
static void test_carry(void **state)
{
    (void)state;
    begin();
    im.bytes[8] = 0xff;
    im.bytes[9] = 0xff;
    back();
    assert_true(reached >= 2);
}

/* The length is changed: the data gets as long. */
static void test_length(void **state)
{
    (void)state;
    begin();
    im.bytes[0] = 14;
    back();
    assert_int_equal(program->v[0].len, 14);
    assert_true(reached >= 1);
}

/* A size that is compared first, and the size of a part within. */
static void parts(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    const size_t n = vs->v[0].len;

    reached = 0;
    if (n < 3 || !program_equal(p, LENGTH, d[0], n))
        return;
    reached = 1;
    if (!program_equal(p, KIND, d[1], n - 3))
        return;
    reached = 2;
    program_equal(p, BEHIND, d[2], 'k');
}

/* The part gets as long as it says, and what encloses it says so. */
static void test_enclosing(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    program++;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        program->sites[i] =
            (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
    assert_int_equal(program_begin(program, bytes, 1, parts), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input("\x07\x04_abcd", 7);
    cfz_solver.s = &program->search;
    assert_int_equal(run(&cfz_solver, &im), CFZ_TRIAL_LOST);
    assert_int_equal(reached, 2);
    cfz_base_take(&base, &im);
    im.bytes[1] = 6;
    back();
    assert_int_equal(base.nfields, 1); /* how long the whole is has no field that is known */
    assert_int_equal(base.fields[0].recipe.set, CFZ_RECIPE_NONE);
    cfz_goals_keep_recipe(
        program->search.goals, &program->sites[LENGTH],
        &(struct cfz_recipe){.set = CFZ_RECIPE_COPY, .width = 1, .from_end = 7, .reckoned = true});
    set_input("\x07\x04_abcd", 7);
    run(&cfz_solver, &im);
    cfz_base_take(&base, &im);
    im.bytes[1] = 6;
    back();
    assert_int_equal(base.fields[0].recipe.set, CFZ_RECIPE_UNITS);
    assert_int_equal(reached, 2);
    assert_int_equal(program->v[0].len, 9);
    assert_memory_equal(program->data[0], "\x09\x06_abcd00", 9);
}

/* On its path, or where the program goes on: nothing is executed. */
static void test_nothing_to_do(void **state)
{
    uint64_t runs;

    (void)state;
    begin();
    run(&cfz_solver, &im);
    runs = program->runs;
    assert_int_equal(cfz_bring_back(&cfz_solver, &base, &im, run), CFZ_TRIAL_LOST);
    assert_int_equal(program->runs, runs);
}

/* ---- where there is none -------------------------------------------------------------------- */

/* The kind is compared with one of the program's that the input does not have. */
static void kinds(struct program *p, const struct cfz_values *vs)
{
    reached = program_equal(p, KIND, vs->v[0].data[0] * 1000U + 7, 97007);
    if (reached)
        program_equal(p, BEHIND, vs->v[0].data[1], 'k');
}

static void begin_kinds(void)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    program++;
    for (unsigned i = 0; i < PROGRAM_SITES; i++)
        program->sites[i] =
            (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
    assert_int_equal(program_begin(program, bytes, 1, kinds), 0);
    assert_int_equal(cfz_solver_map(&err), 0);
    set_input("a few bytes", 11);
    cfz_solver.s = &program->search;
    run(&cfz_solver, &im);
    assert_int_equal(reached, 1);
    cfz_base_take(&base, &im);
}

/* One search for each base, and four for the site. */
static void test_vain(void **state)
{
    uint64_t runs;

    (void)state;
    begin_kinds();
    for (unsigned k = 0; k < 6; k++) {
        set_input("a few bytes", 11);
        run(&cfz_solver, &im);
        cfz_base_take(&base, &im);
        for (unsigned again = 0; again < 3; again++) {
            im.bytes[0] = (uint8_t)('b' + again);
            runs = program->runs;
            assert_int_equal(back(), CFZ_TRIAL_LOST);
            if (again == 0 && k < 4) {
                assert_true(program->runs - runs > 2);
                assert_true(program->runs - runs <= FIELD_TRIES_MOST);
            } else {
                assert_int_equal(program->runs - runs, 1);
            }
        }
    }
    assert_int_equal(program->search.goals->nrecipes, 0);
}

/* The search is over: so is this. */
static void test_over(void **state)
{
    (void)state;
    begin_kinds();
    im.bytes[0] = 'b';
    run(&cfz_solver, &im);
    program->limit = program->runs + 1;
    assert_int_equal(cfz_bring_back(&cfz_solver, &base, &im, run), CFZ_TRIAL_OVER);
}

/* Who asks for comparisons of several sites by turns goes on from where each was. */
static void test_cursors(void **state)
{
    static struct cfz_site sites[18]; /* that have no numbers: all the same */
    struct cfz_cursors cursors = {0};
    uint64_t value;

    (void)state;
    base.nsteps = 36;
    for (uint32_t i = 0; i < base.nsteps; i++) {
        base.path[i].site = &sites[i % 18];
        base.path[i].value = 100 + i;
    }
    for (uint32_t nth = 0; nth < 2; nth++)
        for (uint32_t k = 0; k < 16; k++) {
            assert_true(cfz_base_chose(&base, &cursors, &sites[k], nth, &value));
            assert_int_equal(value, 100 + 18 * nth + k);
            assert_ptr_equal(cursors.of[k].site, &sites[k]);
            assert_int_equal(cursors.of[k].i, 18 * nth + k + 1);
        }
    assert_int_equal(cursors.n, 16);
    assert_false(cfz_base_chose(&base, &cursors, &sites[0], 2, &value));
    assert_true(cfz_base_chose(&base, &cursors, &sites[0], 0, &value)); /* from the beginning */
    assert_int_equal(value, 100);
    assert_true(cfz_base_chose(&base, &cursors, &sites[17], 1, &value)); /* in place of one */
    assert_int_equal(value, 100 + 18 + 17);
    assert_true(cfz_base_chose(&base, &cursors, &sites[0], 1, &value));
    assert_int_equal(value, 118);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cursors),       cmocka_unit_test(test_fields),
        cmocka_unit_test(test_known),         cmocka_unit_test(test_carry),
        cmocka_unit_test(test_length),        cmocka_unit_test(test_enclosing),
        cmocka_unit_test(test_nothing_to_do), cmocka_unit_test(test_vain),
        cmocka_unit_test(test_over)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
