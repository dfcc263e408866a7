/*
 * goal_test.c - relations, wanted values, distances, and what is known of goals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/goal.h"
#include "search/search.h"

enum { E = CFZ_REL_EQUAL, G = CFZ_REL_GREATER, L = CFZ_REL_LESS, U = CFZ_REL_UNORDERED };

static uint64_t f64(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint64_t f32(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static struct cfz_site u32 = {.kind = CFZ_SITE_INT, .predicate = E, .width = 32, .id = 1};
static struct cfz_site i32 = {
    .kind = CFZ_SITE_INT, .predicate = L, .width = 32, .flags = CFZ_SITE_SIGNED, .id = 2};
static struct cfz_site d64 = {.kind = CFZ_SITE_FLOAT, .predicate = G, .width = 64, .id = 3};
static struct cfz_site s32 = {.kind = CFZ_SITE_FLOAT, .predicate = G, .width = 32, .id = 4};
static struct cfz_site x80 = {.kind = CFZ_SITE_FLOAT, .predicate = G, .width = 80, .id = 7};
static struct cfz_site text = {.kind = CFZ_SITE_STRING, .id = 5};
static const struct cfz_case cases[] = {{.value = 3}, {.value = 9}};
static struct cfz_site choice = {
    .kind = CFZ_SITE_SWITCH, .width = 8, .ncases = 2, .cases = cases, .id = 6};

static void test_relations(void **state)
{
    (void)state;
    assert_int_equal(cfz_relate(&u32, 1, 0xffffffff), L);
    assert_int_equal(cfz_relate(&i32, 1, (uint64_t)-1), G);
    assert_int_equal(cfz_relate(&u32, 7, 7), E);
    assert_int_equal(cfz_relate(&d64, f64(-1.5), f64(1e-300)), L);
    assert_int_equal(cfz_relate(&d64, f64(-0.0), f64(0.0)), E);
    assert_int_equal(cfz_relate(&d64, 0x7ff8000000000000, f64(1)), U);
    assert_int_equal(cfz_relate(&s32, f32(2.5F), f32(-2.5F)), G);
    assert_int_equal(cfz_relate(&s32, f32(1), 0x7fc00000), U);
}

/* The first 64 bits of a long double of x87. */
static uint64_t f80(unsigned sign, unsigned exponent, uint64_t fraction)
{
    return (uint64_t)sign << 63 | (uint64_t)exponent << 48 | fraction;
}

enum { ONE = 0x3fff }; /* the exponent of 1 */
static const uint64_t LEADING = (uint64_t)1 << 47;

static void test_long_doubles(void **state)
{
    const uint64_t one = f80(0, ONE, LEADING), below = f80(0, ONE - 1, 2 * LEADING - 1);
    const uint64_t huge = f80(0, 0x7ffe, 2 * LEADING - 1), infinite = f80(0, 0x7fff, LEADING);
    uint64_t v[CFZ_GOAL_VALUES];
    struct cfz_goal g = {.site = &x80, .want = L};

    (void)state;
    assert_int_equal(cfz_relate(&x80, one, below), G);
    assert_int_equal(cfz_relate(&x80, one | 1ULL << 63, below), L);
    assert_int_equal(cfz_relate(&x80, 1ULL << 63, 0), E);
    assert_int_equal(cfz_relate(&x80, huge, infinite), L);
    assert_int_equal(cfz_relate(&x80, one, infinite | 1), U);
    assert_int_equal(cfz_relate(&x80, one, f80(0, 0x3030, 0x3030)), U); /* no leading 1 */
    /* Neighbours have their leading 1. */
    assert_true(cfz_order(&x80, below) + 1 == cfz_order(&x80, one));
    assert_true(cfz_unorder(&x80, cfz_order(&x80, one) - 1) == below);
    assert_true(cfz_unorder(&x80, cfz_order(&x80, one | 1ULL << 63)) == (one | 1ULL << 63));
    assert_true(cfz_unorder(&x80, cfz_order(&x80, 0) + 1) == 1);
    assert_int_equal(cfz_goal_values(&g, 0, one, v), 1); /* a < 1 */
    assert_true(v[0] == below);
    g.want = U;
    assert_int_equal(cfz_goal_values(&g, 0, one, v), 1);
    assert_int_equal(cfz_relate(&x80, v[0], one), U);
    assert_true(cfz_number_float(&x80, one) == 1);
    assert_true(cfz_number_float(&x80, f80(1, ONE + 1, 0xc9U * LEADING / 128)) == -3.140625);
    assert_true(cfz_number_float(&x80, f80(0, 0, 1)) == 0);
    assert_true(cfz_number_float(&x80, infinite | 1ULL << 63) < -1e308);
    assert_true(cfz_number_float(&x80, huge) > 1e308);
}

static void test_order_has_neighbours(void **state)
{
    (void)state;
    assert_true(cfz_order(&d64, f64(1)) + 1 == cfz_order(&d64, f64(1) + 1));
    assert_true(cfz_order(&i32, (uint64_t)-1) + 1 == cfz_order(&i32, 0));
    assert_true(cfz_unorder(&d64, cfz_order(&d64, f64(-3.25))) == f64(-3.25));
    assert_true(cfz_unorder(&i32, cfz_order(&i32, (uint64_t)-5)) == (-5ULL & UINT32_MAX));
}

static void test_wanted_values(void **state)
{
    uint64_t v[CFZ_GOAL_VALUES];
    struct cfz_goal g = {.site = &u32, .want = E};

    (void)state;
    assert_int_equal(cfz_goal_values(&g, 0, 100, v), 1);
    assert_int_equal(v[0], 100);
    g.want = G | L; /* unequal: both neighbours */
    assert_int_equal(cfz_goal_values(&g, 0, 100, v), 2);
    assert_int_equal(v[0], 101);
    assert_int_equal(v[1], 99);
    g = (struct cfz_goal){.site = &i32, .want = L}; /* a < 0 */
    assert_int_equal(cfz_goal_values(&g, 0, 0, v), 1);
    assert_true(v[0] == UINT32_MAX);
    assert_int_equal(cfz_goal_values(&g, 1, 5, v), 1); /* 5 < b */
    assert_int_equal(v[0], 6);
    g = (struct cfz_goal){.site = &d64, .want = G};
    assert_int_equal(cfz_goal_values(&g, 0, f64(1.5), v), 1);
    assert_true(v[0] == f64(1.5) + 1);
    g.want = U;
    assert_int_equal(cfz_goal_values(&g, 0, f64(1.5), v), 1);
    assert_int_equal(cfz_relate(&d64, v[0], f64(1.5)), U);
    g = (struct cfz_goal){.site = &choice, .want = E, .value = 9};
    assert_int_equal(cfz_goal_values(&g, 0, 0, v), 1);
    assert_int_equal(v[0], 9);
}

static uint64_t distance_of_texts(const char *a, const char *b)
{
    struct cfz_event e = {.site = &text, .outcome = strcmp(a, b) == 0};
    const struct cfz_goal g = {.site = &text, .want = E};

    e.a_len = (uint32_t)strlen(a);
    e.b_at = e.a_len;
    e.b_len = (uint32_t)strlen(b);
    memcpy(cfz_trace.text, a, e.a_len);
    memcpy(cfz_trace.text + e.b_at, b, e.b_len);
    return cfz_goal_distance(&g, &e);
}

static void test_distances(void **state)
{
    struct cfz_event e = {.site = &i32, .a = 10, .b = 3};
    struct cfz_goal g = {.site = &i32, .want = L};

    (void)state;
    assert_int_equal(cfz_goal_distance(&g, &e), 8); /* 10 is 8 away from less than 3 */
    g.want = L | E;
    assert_int_equal(cfz_goal_distance(&g, &e), 7);
    g.want = G;
    assert_int_equal(cfz_goal_distance(&g, &e), 0);
    assert_int_equal(distance_of_texts("abc", "abc"), 0);
    /* An equal prefix counts most, then the bits of the next byte; too long is near. */
    assert_true(distance_of_texts("ab", "abcd") < distance_of_texts("a", "abcd"));
    assert_true(distance_of_texts("abb", "abcd") < distance_of_texts("abA", "abcd"));
    assert_true(distance_of_texts("abcdef", "abcd") < distance_of_texts("abc", "abcd"));
}

static void test_learnt(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goals *goals;
    struct cfz_seen seen = {0};
    struct cfz_goal g = {.site = &u32, .want = E, .key = cfz_goal_key0(&u32, 1)};
    struct cfz_goal one = {
        .site = &choice, .want = E, .value = 9, .key = cfz_goal_key0(&choice, 9)};

    (void)state;
    assert_int_equal(cfz_goals_map(&goals, &err), 0);
    assert_true(cfz_goal_open(goals, &seen, &g));
    cfz_trace.events[0] = (struct cfz_event){.site = &u32, .a = 1, .b = 2};
    cfz_trace.events[1] = (struct cfz_event){.site = &choice, .a = 3};
    cfz_trace.nevents = 2;
    cfz_goals_learn(goals);
    assert_true(cfz_goal_open(goals, &seen, &g));
    assert_true(cfz_goal_open(goals, &seen, &one));
    assert_false(cfz_goal_met_by(&g, &cfz_trace.events[0]));
    cfz_trace.events[0].b = 1;
    cfz_trace.events[1].a = 9;
    assert_true(cfz_goal_met_by(&g, &cfz_trace.events[0]));
    cfz_goals_learn(goals);
    assert_false(cfz_goal_open(goals, &seen, &g));
    assert_false(cfz_goal_open(goals, &seen, &one));
    assert_ptr_equal(cfz_goal_note(goals, g.key), cfz_goal_note(goals, g.key));
    assert_ptr_not_equal(cfz_goal_note(goals, g.key), cfz_goal_note(goals, one.key));
    cfz_trace.nevents = 0;
}

/* A target wrote over the notes: looking for one ends. */
static void test_overwritten(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goals *goals;

    (void)state;
    assert_int_equal(cfz_goals_map(&goals, &err), 0);
    memset(goals->notes, 0x41, sizeof goals->notes);
    for (uint64_t key = 1; key < 1000; key++)
        assert_null(cfz_goal_note(goals, key << 40 | 1));
    assert_int_equal(cfz_goals_renew(goals, &err), 0);
    assert_non_null(cfz_goal_note(goals, 1));
}

/* The first goals are near each other; each is found again, whatever came after it. */
static void test_first_notes(void **state)
{
    enum { KEYS = 4 * CFZ_GOALS_FIRST };
    static struct cfz_goal_note *notes[KEYS];
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goals *goals;
    uint32_t near = 0, far = 0;

    (void)state;
    assert_int_equal(cfz_goals_map(&goals, &err), 0);
    for (uint64_t i = 0; i < KEYS; i++) {
        notes[i] = cfz_goal_note(goals, cfz_hash_mix(i + 1) | 1);
        assert_non_null(notes[i]);
        assert_int_equal(goals->nnotes, i + 1);
        if (i < CFZ_GOALS_FIRST / 2)
            near += notes[i] < goals->notes + CFZ_GOALS_FIRST;
        else
            far += notes[i] >= goals->notes + CFZ_GOALS_FIRST;
    }
    assert_int_equal(near, CFZ_GOALS_FIRST / 2 - 1); /* one found its places taken */
    assert_true(far > KEYS / 2);
    for (uint64_t i = 0; i < KEYS; i++)
        assert_ptr_equal(cfz_goal_note(goals, cfz_hash_mix(i + 1) | 1), notes[i]);
    assert_int_equal(goals->nnotes, KEYS);
}

/* Goals that are met take no note, and what was not met stays open when the table is full. */
/* Cases are found by their value, however it is extended. */
static void test_cases(void **state)
{
    static const struct cfz_case six[] = {{.value = 0},
                                          {.value = 2},
                                          {.value = 127},
                                          {.value = (uint64_t)-128},
                                          {.value = (uint64_t)-3},
                                          {.value = (uint64_t)-1}};
    const struct cfz_site eight = {
        .kind = CFZ_SITE_SWITCH, .width = 8, .flags = CFZ_SITE_SIGNED, .ncases = 6, .cases = six};

    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(cfz_case(&eight, six[i].value), i);
        assert_int_equal(cfz_case(&eight, six[i].value & 0xff), i);
    }
    assert_int_equal(cfz_case(&eight, 1), -1);
    assert_int_equal(cfz_case(&eight, 128 + 1), -1);
    assert_int_equal(cfz_case(&eight, (uint64_t)-2), -1);
    assert_int_equal(cfz_case(&choice, 3), 0);
    assert_int_equal(cfz_case(&choice, 0x109), 1); /* of 8 bits */
    assert_int_equal(cfz_case(&choice, 10), -1);
}

static void test_met(void **state)
{
    enum { KEYS = 100000 };
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goals *goals;
    struct cfz_goal goal = {.site = &u32, .level = 2};
    struct cfz_seen seen = {0};
    uint32_t wrong = 0;

    (void)state;
    assert_int_equal(cfz_goals_map(&goals, &err), 0);
    for (uint64_t i = 0; i < KEYS; i++)
        cfz_goal_meet(goals, cfz_hash_mix(i + 1));
    assert_int_equal(goals->nnotes, 0);
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_true(cfz_goal_is_met(goals, cfz_hash_mix(i + 1)));
        wrong += cfz_goal_is_met(goals, cfz_hash_mix(KEYS + i + 1));
    }
    assert_in_range(wrong, 0, KEYS / 400);
    for (uint64_t i = 0; i < CFZ_GOALS_MAX; i++)
        cfz_goal_note(goals, cfz_hash_mix(i + 1));
    goal.key = cfz_hash_mix(CFZ_GOALS_MAX + KEYS);
    assert_null(cfz_goal_note(goals, goal.key));
    assert_null(cfz_goal_known(goals, goal.key));
    assert_true(cfz_goal_open(goals, &seen, &goal));
    assert_int_equal(goals->nnotes, CFZ_GOALS_MAX / 4 * 3);
    assert_ptr_equal(cfz_goal_known(goals, cfz_hash_mix(7)), cfz_goal_note(goals, cfz_hash_mix(7)));
}

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    return cfz_trace_map(&err);
}

static bool pointer_like(uint8_t width, uint8_t flags, uint64_t a, uint64_t b)
{
    struct cfz_site site = {
        .kind = CFZ_SITE_INT, .predicate = E, .width = width, .flags = flags, .id = 7};

    return cfz_is_pointer_like(&(struct cfz_event){.site = &site, .a = a, .b = b});
}

static void test_pointers(void **state)
{
    const uint64_t heap = 0x55d0c0ffee00;

    (void)state;
    assert_true(pointer_like(64, 0, heap, 0));
    assert_true(pointer_like(64, CFZ_SITE_CONST_B, heap, 0)); /* with null */
    assert_true(pointer_like(64, 0, 0, heap));
    assert_false(pointer_like(64, CFZ_SITE_CONST_B, 0, heap)); /* with a number of the program */
    assert_false(pointer_like(64, CFZ_SITE_CONST_A, heap, 0));
    assert_false(pointer_like(64, 0, heap, 1));
    assert_false(pointer_like(64, 0, 0xffffffff, 0));
    assert_false(pointer_like(64, 0, UINT64_C(1) << 47, 0));
    assert_false(pointer_like(32, 0, heap, 0));
    assert_true(pointer_like(8, CFZ_SITE_CONST_B | CFZ_SITE_POINTER, 0, 0));
    assert_true(pointer_like(8, CFZ_SITE_CONST_B | CFZ_SITE_POINTER, 1, 0));
}

/* Of pointers those that are null are worth going on from. */
static void test_beyond(void **state)
{
    struct cfz_site pointer = {.kind = CFZ_SITE_INT,
                               .predicate = E,
                               .width = 8,
                               .flags = CFZ_SITE_CONST_B | CFZ_SITE_POINTER},
                    number = {.kind = CFZ_SITE_INT, .predicate = E, .width = 64};

    (void)state;
    assert_false(cfz_is_beyond(&(struct cfz_event){.site = &pointer, .a = 0}));
    assert_true(cfz_is_beyond(&(struct cfz_event){.site = &pointer, .a = 1}));
    assert_true(cfz_is_beyond(&(struct cfz_event){.site = &number, .a = 0x55d0c0ffee00}));
    assert_false(cfz_is_beyond(&(struct cfz_event){.site = &number, .a = 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_long_doubles),
        cmocka_unit_test(test_order_has_neighbours),
        cmocka_unit_test(test_wanted_values),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_learnt),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_met),
        cmocka_unit_test(test_first_notes),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_cases),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
