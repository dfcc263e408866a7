/*
 * minimizer_num_test.c - integers, bools and floats: the value that is left and the
 * number of tries, both exact; and against brute force.
 */
#include <float.h>
#include <math.h>

#include "core/rand.h"
#include "minimizer_target.h"

static bool always(const struct cfz_values *vs)
{
    (void)vs;
    return true;
}

/* ---- integers and bools -------------------------------------------------------- */

static bool at_least_1000(const struct cfz_values *vs)
{
    return llabs((long long)cfz_value_int(&vs->v[0])) >= 1000;
}
static bool at_most_minus_77(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) <= -77;
}
static bool flag_64(const struct cfz_values *vs)
{
    return (vs->v[0].bits & 64) != 0;
}
static bool three_mod_four(const struct cfz_values *vs)
{
    return vs->v[0].bits % 4 == 3;
}
static bool not_zero(const struct cfz_values *vs)
{
    return vs->v[0].bits != 0;
}
static bool over_2_to_40(const struct cfz_values *vs)
{
    return vs->v[0].bits > (uint64_t)1 << 40;
}
static bool is_minus_128(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) == -128;
}
static bool not_positive(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) < 0;
}

/* What binary search alone stops above. */
static bool thirteen_or_three(const struct cfz_values *vs)
{
    int64_t x = cfz_value_int(&vs->v[0]);

    return x >= 13 || x == 3;
}
static bool minus_three_or_large(const struct cfz_values *vs)
{
    int64_t x = cfz_value_int(&vs->v[0]);

    return x >= 1000 || x == -3;
}
static bool two_flags(const struct cfz_values *vs)
{
    return (vs->v[0].bits & 0x10100) == 0x10100;
}
static bool flags_or_nothing(const struct cfz_values *vs)
{
    return (vs->v[0].bits & 0xffff) == 0x8001; /* and any in the upper half */
}
static bool ends_in_37(const struct cfz_values *vs)
{
    return vs->v[0].bits % 100 == 37;
}
static bool thousands(const struct cfz_values *vs)
{
    return vs->v[0].bits % 1000 == 0 && vs->v[0].bits != 0;
}
static bool pages(const struct cfz_values *vs)
{
    return vs->v[0].bits % 4096 == 0 && vs->v[0].bits != 0;
}
static bool begins_with_77(const struct cfz_values *vs)
{
    uint64_t x = vs->v[0].bits;

    while (x > 99)
        x /= 10;
    return x == 77;
}
static bool ascii_letter(const struct cfz_values *vs)
{
    uint64_t x = vs->v[0].bits;

    return (x >= 'A' && x <= 'Z') || (x >= 'a' && x <= 'z');
}
static bool is_sixteen_or_minus(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) == 16 || cfz_value_int(&vs->v[0]) <= -16;
}
static bool exactly(const struct cfz_values *vs)
{
    return vs->v[0].bits == 0x123456789abcdef;
}

static void integers(void **state)
{
    static const struct {
        enum cfz_kind kind;
        fails_fn *fails;
        uint64_t in, want;
        uint64_t tries;
    } cases[] = {
        {CFZ_KIND_INT, always, 5, 0, 1},
        {CFZ_KIND_INT, always, 0, 0, 0},
        {CFZ_KIND_INT, at_least_1000, 2000000000, 1000, 243},
        {CFZ_KIND_INT, at_least_1000, (uint64_t)-2000000000, 1000, 244}, /* sign too */
        {CFZ_KIND_INT64, at_least_1000, INT64_MAX, 1000, 275},
        {CFZ_KIND_INT64, at_most_minus_77, (uint64_t)INT64_MIN, (uint64_t)-77, 229},
        {CFZ_KIND_INT8, is_minus_128, (uint64_t)-128, (uint64_t)-128, 160}, /* has no positive */
        {CFZ_KIND_INT16, not_positive, (uint64_t)-32768, (uint64_t)-1, 4},
        {CFZ_KIND_INT32, not_positive, (uint64_t)-1, (uint64_t)-1, 3},
        {CFZ_KIND_UINT8, flag_64, 0xff, 64, 92},
        {CFZ_KIND_UINT16, flag_64, 0xff57, 64, 102},
        {CFZ_KIND_UINT64, flag_64, UINT64_MAX, 64, 148},
        {CFZ_KIND_UINT32, three_mod_four, 1000003, 3, 26},
        {CFZ_KIND_UINT64, over_2_to_40, UINT64_MAX, ((uint64_t)1 << 40) + 1, 526},
        {CFZ_KIND_UINT, not_zero, UINT32_MAX, 1, 2},
        {CFZ_KIND_INT, thirteen_or_three, 1000000, 3, 30},
        {CFZ_KIND_INT, minus_three_or_large, 1000000, (uint64_t)-3, 116},
        {CFZ_KIND_UINT32, two_flags, 0xfffff, 0x10100, 231},
        {CFZ_KIND_UINT64, flags_or_nothing, 0x7eadbeefcafe8001, 0x8001, 255},
        {CFZ_KIND_UINT32, ends_in_37, 123456737, 37, 98},
        {CFZ_KIND_UINT64, thousands, 981734000, 1000, 194},
        {CFZ_KIND_UINT64, pages, 0x7fff1234f000, 4096, 203},
        {CFZ_KIND_UINT32, begins_with_77, 776543210, 77, 219},
        {CFZ_KIND_INT32, ascii_letter, 'z', 'A', 164},
        {CFZ_KIND_INT8, is_sixteen_or_minus, (uint64_t)-128, 16, 62},
        {CFZ_KIND_INT64, exactly, 0x123456789abcdef, 0x123456789abcdef, 519},
        {CFZ_KIND_BOOL, always, 1, 0, 1},
        {CFZ_KIND_BOOL, not_zero, 1, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = {.kind = cases[i].kind, .bits = cases[i].in};
        uint64_t tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);

        if (v.bits != cases[i].want || tries != cases[i].tries)
            fail_msg("integers[%zu]: %lld after %llu tries", i, (long long)v.bits,
                     (unsigned long long)tries);
    }
}

/* ---- floats --------------------------------------------------------------------- */

static double get(const struct cfz_values *vs)
{
    const struct cfz_value *v = &vs->v[0];

    return v->kind == CFZ_KIND_FLOAT32 ? (double)cfz_value_f32(v) : cfz_value_f64(v);
}

static bool over_1000(const struct cfz_values *vs)
{
    return get(vs) > 1000;
}
static bool over_third(const struct cfz_values *vs)
{
    return get(vs) > 0.3;
}
static bool in_quarters(const struct cfz_values *vs)
{
    return get(vs) > 0.25 && get(vs) < 0.75;
}
static bool under_minus_2_5(const struct cfz_values *vs)
{
    return get(vs) < -2.5;
}
static bool over_1e20(const struct cfz_values *vs)
{
    return get(vs) > 1e20;
}
static bool tiny(const struct cfz_values *vs)
{
    return get(vs) > 0 && get(vs) < 1e-5;
}
static bool any_nan(const struct cfz_values *vs)
{
    return isnan(get(vs));
}
static bool any_inf(const struct cfz_values *vs)
{
    return isinf(get(vs));
}
static bool minus_inf(const struct cfz_values *vs)
{
    return isinf(get(vs)) && get(vs) < 0;
}
static bool minus_zero(const struct cfz_values *vs)
{
    return get(vs) == 0 && signbit(get(vs)) != 0;
}
static bool is_pi(const struct cfz_values *vs)
{
    return get(vs) == 3.141592653589793;
}
static bool near_pi(const struct cfz_values *vs)
{
    return get(vs) > 3.14 && get(vs) < 3.1417;
}

static void floats(void **state)
{
    static const struct {
        enum cfz_kind kind;
        fails_fn *fails;
        double in, want;
        uint64_t tries;
    } cases[] = {
        {CFZ_KIND_FLOAT64, always, 1.5, 0, 1},
        {CFZ_KIND_FLOAT64, over_1000, 123456.789, 1001, 233},
        {CFZ_KIND_FLOAT32, over_1000, 123456.789, 1001, 233},
        {CFZ_KIND_FLOAT64, over_1000, DBL_MAX, 1001, 270},
        {CFZ_KIND_FLOAT64, over_1000, INFINITY, 1001, 270},
        {CFZ_KIND_FLOAT32, over_1000, INFINITY, 1001, 241},
        {CFZ_KIND_FLOAT64, over_third, 0.78539816339744828, 1, 2},
        {CFZ_KIND_FLOAT64, in_quarters, 0.61803398874989485, 0.3, 6},
        {CFZ_KIND_FLOAT32, in_quarters, 0.61803398874989485, 0.3, 6},
        {CFZ_KIND_FLOAT64, under_minus_2_5, -31.4159, -3, 13},
        {CFZ_KIND_FLOAT64, over_1e20, 1.2345e300, 1e21, 11},
        {CFZ_KIND_FLOAT64, over_1e20, INFINITY, 1e21, 11},
        {CFZ_KIND_FLOAT64, tiny, 1.2345e-300, 1e-6, 11},
        {CFZ_KIND_FLOAT64, tiny, 0x1p-1074, 1e-6, 12}, /* 5e-324 */
        {CFZ_KIND_FLOAT64, any_inf, -INFINITY, INFINITY, 3},
        {CFZ_KIND_FLOAT32, minus_inf, -INFINITY, -INFINITY, 3},
        {CFZ_KIND_FLOAT64, minus_zero, -0.0, -0.0, 1},
        {CFZ_KIND_FLOAT64, always, -0.0, 0, 1},
        {CFZ_KIND_FLOAT64, is_pi, 3.141592653589793, 3.141592653589793, 33},
        {CFZ_KIND_FLOAT64, near_pi, 3.141592653589793, 3.141, 22},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = {.kind = cases[i].kind}, want = v;
        uint64_t tries;

        if (v.kind == CFZ_KIND_FLOAT32) {
            cfz_value_set_f32(&v, (float)cases[i].in);
            cfz_value_set_f32(&want, (float)cases[i].want);
        } else {
            cfz_value_set_f64(&v, cases[i].in);
            cfz_value_set_f64(&want, cases[i].want);
        }
        tries = minimize(&v, 1, cases[i].fails, UINT64_MAX);
        if (v.bits != want.bits || tries != cases[i].tries)
            fail_msg("floats[%zu]: %.17g after %llu tries", i, get(&(struct cfz_values){&v, 1, 1}),
                     (unsigned long long)tries);
    }
}

static void nans_get_the_common_pattern(void **state)
{
    struct cfz_value v = {.kind = CFZ_KIND_FLOAT64, .bits = 0xfff8000000000123};
    struct cfz_value f = {.kind = CFZ_KIND_FLOAT32, .bits = 0xff800001};

    (void)state;
    minimize(&v, 1, any_nan, UINT64_MAX);
    assert_int_equal(v.bits, 0x7ff8000000000001);
    minimize(&f, 1, any_nan, UINT64_MAX);
    assert_int_equal(f.bits, 0x7fc00000);
}

/* ---- against brute force ------------------------------------------------------------ */

/* Which of -128 to 127 fail; and all from 5000 on. */
static bool table[256];

static bool in_table(const struct cfz_values *vs)
{
    int64_t x = cfz_value_int(&vs->v[0]);

    return x >= 5000 || (x >= -128 && x <= 127 && table[x + 128]);
}

/* Whatever fails, up to 64 the result is the least, and of two equal ones the positive. */
static void small_integers_are_the_least(void **state)
{
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 1, 1);
    for (int round = 0; round < 2000; round++) {
        struct cfz_value v = {.kind = CFZ_KIND_INT, .bits = 5000 + cfz_rand_below(&r, 1000000)};
        uint32_t rarely = 1 + cfz_rand_below(&r, 100);
        int64_t least = 65, x;

        memset(table, 0, sizeof table);
        for (int i = 0; i < 256; i++)
            table[i] = cfz_rand_below(&r, rarely) == 0;
        for (x = 0; x <= 64 && least == 65; x++) {
            if (table[128 + x])
                least = x;
            else if (table[128 - x])
                least = -x;
        }
        assert_true(minimize(&v, 1, in_table, UINT64_MAX) < 400);
        if (least < 65)
            assert_int_equal(cfz_value_int(&v), least);
        else
            assert_true(llabs((long long)cfz_value_int(&v)) <= 5000);
    }
}

static uint32_t salt;

/* Fails at random, one number of some: nothing to be found but by luck. */
static bool at_random(const struct cfz_values *vs)
{
    uint64_t x = vs->v[0].bits * 0x9e3779b97f4a7c15 + salt;

    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9;
    return (x >> 33) % 16 == 0;
}

static void hostile_integers_cost_a_bounded_number(void **state)
{
    uint64_t most = 0;

    (void)state;
    for (salt = 0; salt < 2000; salt++) {
        struct cfz_value v = {.kind = CFZ_KIND_UINT64};
        struct cfz_values vs = {&v, 1, 1};
        uint64_t tries;

        for (v.bits = UINT64_MAX; !at_random(&vs); v.bits--)
            ;
        tries = minimize(&v, 1, at_random, UINT64_MAX);
        most = tries > most ? tries : most;
    }
    assert_int_equal(most, 548);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(nans_get_the_common_pattern),
        cmocka_unit_test(small_integers_are_the_least),
        cmocka_unit_test(hostile_integers_cost_a_bounded_number),
    };

    return cmocka_run_group_tests_name("minimizer_num", tests, NULL, NULL);
}
