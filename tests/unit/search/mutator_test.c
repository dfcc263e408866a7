/*
 * mutator_test.c - choosing a value and a mutation; what holds for every one of
 * many mutations.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "search/mutator.h"
#include "search/mutators.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct cfz_value scalar(enum cfz_kind kind, uint64_t bits)
{
    return (struct cfz_value){.kind = kind, .bits = bits};
}

/* A value in a heap block of exactly cap bytes; the caller frees its data. */
static struct cfz_value slot(enum cfz_kind kind, const char *text, size_t cap)
{
    struct cfz_value v = {.kind = kind, .len = strlen(text), .cap = cap};

    v.data = malloc(cap);
    assert_non_null(v.data);
    assert_true(v.len <= cap);
    memcpy(v.data, text, v.len);
    return v;
}

/* The first draw is the value, the second the mutation, then its own; what declines is followed
 * by another choice of mutation for the same value. */
static void chooses_value_then_mutation(void **state)
{
    static const uint32_t draws[] = {1, 6, 0, 0, 1}; /* value 1; swap byte declines; remove; ... */
    static const uint32_t again[] = {1, 0, 4, 0,
                                     3}; /* remove declines, bit flip of byte 0, bit 3 */
    struct cfz_value v[] = {scalar(CFZ_KIND_INT8, 5), slot(CFZ_KIND_BYTES, "a", 1)};
    struct cfz_values vs = {v, 2, 2};
    struct cfz_rand_script script = {.draws = again, .n = COUNT(again)};
    struct cfz_mutator m = {.max_len = 1};

    (void)state;
    cfz_rand_init(&m.rand, 0, 1);
    m.rand.script = &script;
    assert_int_equal(cfz_mutate(&m, &vs), 1);
    assert_int_equal(script.used, 5);
    assert_int_equal(v[1].len, 1);
    assert_int_equal(v[1].data[0], 'i');
    assert_int_equal(v[0].bits, 5);

    free(v[1].data);
    v[1] = slot(CFZ_KIND_BYTES, "ab", 2);
    script = (struct cfz_rand_script){.draws = draws, .n = COUNT(draws)};
    assert_int_equal(cfz_mutate(&m, &vs), 1); /* swap byte: 0, again 0, then 1 */
    assert_int_equal(script.used, 5);
    assert_memory_equal(v[1].data, "ba", 2);
    assert_int_equal(v[0].bits, 5);
    free(v[1].data);
}

static void scalars_by_kind(void **state)
{
    static const struct {
        enum cfz_kind kind;
        uint64_t in;
        uint32_t draws[3];
        uint64_t want;
    } cases[] = {
        {CFZ_KIND_BOOL, 1, {0, 0, 0}, 1},
        {CFZ_KIND_BOOL, 1, {0, 1, 0}, 0},
        {CFZ_KIND_INT8, 120, {0, 0, 6}, 127},
        {CFZ_KIND_INT16, 120, {0, 0, 8}, 129},
        {CFZ_KIND_INT32, INT32_MAX - 5, {0, 0, 4}, INT32_MAX},
        {CFZ_KIND_INT64, INT32_MAX - 5, {0, 0, 8}, (uint64_t)INT32_MAX + 4},
        {CFZ_KIND_INT, INT32_MAX - 5, {0, 0, 9}, INT32_MAX}, /* a C int */
        {CFZ_KIND_INT, (uint64_t)-5, {0, 1, 9}, (uint64_t)-15},
        {CFZ_KIND_UINT8, 250, {0, 0, 9}, 255},
        {CFZ_KIND_UINT16, 250, {0, 0, 9}, 260},
        {CFZ_KIND_UINT32, UINT32_MAX - 5, {0, 0, 4}, UINT32_MAX},
        {CFZ_KIND_UINT64, UINT32_MAX - 5, {0, 0, 8}, (uint64_t)UINT32_MAX + 4},
        {CFZ_KIND_UINT, UINT32_MAX - 5, {0, 0, 4}, UINT32_MAX},
        {CFZ_KIND_FLOAT32, 0x3fc00000 /* 1.5 */, {0, 2, 1}, 0x40400000 /* 3 */},
        {CFZ_KIND_FLOAT64, 0x3ff8000000000000 /* 1.5 */, {0, 3, 2}, 0x3fe0000000000000 /* 0.5 */},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = scalar(cases[i].kind, cases[i].in);
        struct cfz_values vs = {&v, 1, 1};
        struct cfz_rand_script script = {.draws = cases[i].draws, .n = 3};
        struct cfz_mutator m = {.max_len = 0};

        cfz_rand_init(&m.rand, 0, 1);
        m.rand.script = &script;
        assert_int_equal(cfz_mutate(&m, &vs), 0);
        assert_int_equal(v.kind, cases[i].kind);
        assert_int_equal(v.bits, cases[i].want);
    }
}

/* Buffers with room to spare are changed by words: the same as in those without. */
static void room_changes_nothing(void **state)
{
    enum { LIMIT = 40 };
    struct cfz_value v[2] = {slot(CFZ_KIND_BYTES, "some text", LIMIT),
                             slot(CFZ_KIND_BYTES, "some text", LIMIT + 64)};
    struct cfz_mutator m[2] = {{.max_len = LIMIT}, {.max_len = LIMIT}};

    (void)state;
    for (int k = 0; k < 2; k++)
        cfz_rand_init(&m[k].rand, 5, 1);
    for (int i = 0; i < 50000; i++) {
        for (int k = 0; k < 2; k++) {
            struct cfz_values vs = {&v[k], 1, 1};

            cfz_mutate(&m[k], &vs);
        }
        assert_int_equal(v[0].len, v[1].len);
        assert_memory_equal(v[0].data, v[1].data, v[0].len);
    }
    free(v[0].data);
    free(v[1].data);
}

/* Whether it is chosen ahead or not, always or at times: the same sequence. */
static void choosing_ahead_changes_nothing(void **state)
{
    struct cfz_value v[2][2];
    struct cfz_mutator m[2] = {{.max_len = 40}, {.max_len = 40}};

    (void)state;
    for (int k = 0; k < 2; k++) {
        v[k][0] = slot(CFZ_KIND_BYTES, "", 40);
        v[k][1] = scalar(CFZ_KIND_INT16, 7);
        cfz_rand_init(&m[k].rand, 9, 1);
    }
    for (int i = 0; i < 20000; i++) {
        struct cfz_values a = {v[0], 2, 2}, b = {v[1], 2, 2};

        if (i % 7 != 0)
            cfz_mutate_choose(&m[1], &b);
        assert_int_equal(cfz_mutate(&m[0], &a), cfz_mutate(&m[1], &b));
        assert_int_equal(v[0][0].len, v[1][0].len);
        assert_memory_equal(v[0][0].data, v[1][0].data, v[0][0].len);
        assert_int_equal(v[0][1].bits, v[1][1].bits);
    }
    free(v[0][0].data);
    free(v[1][0].data);
}

static void seeded_runs_repeat(void **state)
{
    uint8_t results[2][64];
    size_t lens[2];

    (void)state;
    for (int run = 0; run < 2; run++) {
        struct cfz_value v = slot(CFZ_KIND_BYTES, "hello, world", 64);
        struct cfz_values vs = {&v, 1, 1};
        struct cfz_mutator m = {.max_len = 64};

        cfz_rand_init(&m.rand, 123, 1);
        for (int i = 0; i < 1000; i++)
            cfz_mutate(&m, &vs);
        lens[run] = v.len;
        memcpy(results[run], v.data, v.len);
        free(v.data);
    }
    assert_int_equal(lens[0], lens[1]);
    assert_memory_equal(results[0], results[1], lens[0]);
}

/*
 * Only the value whose index comes back changes, no other's bytes ever (Go mixes
 * up several slices of one test), and values stay within their type.
 */
static void other_values_stay(void **state)
{
    enum { N = 17, CAP = 40 };
    struct cfz_value v[N];
    struct cfz_values vs = {v, N, N};
    struct cfz_mutator m = {.max_len = CAP};
    uint8_t before[N][CAP];
    size_t lens[N], hits[N] = {0};
    uint64_t bits[N];

    (void)state;
    for (int i = 0; i < N; i++)
        v[i] = scalar((enum cfz_kind)(i + 1), 0);
    v[0] = slot(CFZ_KIND_BYTES, "AAAAAAAA", CAP);
    v[1] = slot(CFZ_KIND_STRING, "BBBBBBBB", CAP);
    v[15] = slot(CFZ_KIND_BYTES, "CCCCCCCC", CAP);
    v[16] = slot(CFZ_KIND_STRING, "DDDDDDDD", CAP);
    cfz_rand_init(&m.rand, 1, 1);
    for (int round = 0; round < 100000; round++) {
        size_t changed;

        for (int i = 0; i < N; i++) {
            bits[i] = v[i].bits;
            lens[i] = v[i].len;
            if (v[i].len > 0)
                memcpy(before[i], v[i].data, v[i].len);
        }
        changed = cfz_mutate(&m, &vs);
        assert_true(changed < N);
        hits[changed]++;
        for (size_t i = 0; i < N; i++) {
            if (i == changed)
                continue;
            assert_int_equal(v[i].bits, bits[i]);
            assert_int_equal(v[i].len, lens[i]);
            if (v[i].len > 0)
                assert_memory_equal(v[i].data, before[i], v[i].len);
        }
        assert_true(v[changed].len <= CAP);
        assert_null(memchr(v[1].data, 0, v[1].len));
        assert_null(memchr(v[16].data, 0, v[16].len));
        assert_in_range(v[2].bits, 0, 1);
        assert_true(cfz_value_int(&v[3]) >= INT8_MIN && cfz_value_int(&v[3]) <= INT8_MAX);
        assert_true(cfz_value_int(&v[7]) >= INT32_MIN && cfz_value_int(&v[7]) <= INT32_MAX);
        assert_true(v[8].bits <= UINT8_MAX);
        assert_true(v[12].bits <= UINT32_MAX);
        assert_true(v[13].bits <= UINT32_MAX);
    }
    for (int i = 0; i < N; i++) /* 5882 expected, standard deviation 74 */
        assert_in_range(hits[i], 5500, 6300);
    free(v[0].data);
    free(v[1].data);
    free(v[15].data);
    free(v[16].data);
}

/* No value becomes longer than max_len, nor than its buffer; a longer one does not grow. */
static void lengths_are_bounded(void **state)
{
    static const struct {
        size_t len, cap, max_len, want;
    } cases[] = {
        {0, 8, 8, 8}, {8, 8, 8, 8}, {3, 8, 5, 5},    {3, 5, 8, 5},
        {1, 1, 1, 1}, {0, 1, 1, 1}, {20, 32, 7, 20}, {4, 4, 1000, 4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = slot(CFZ_KIND_BYTES, "", cases[i].cap);
        struct cfz_values vs = {&v, 1, 1};
        struct cfz_mutator m = {.max_len = cases[i].max_len};
        size_t longest = 0;

        cfz_rand_init(&m.rand, i, 1);
        for (int round = 0; round < 2000; round++) {
            memset(v.data, 'x', cases[i].len);
            v.len = cases[i].len;
            for (int step = 0; step < 5; step++) {
                cfz_mutate(&m, &vs);
                longest = v.len > longest ? v.len : longest;
            }
        }
        assert_int_equal(longest, cases[i].want);
        free(v.data);
    }
}

/* Nothing applies to an empty value that may not grow. */
static void nothing_to_do(void **state)
{
    struct cfz_value v = {.kind = CFZ_KIND_STRING};
    struct cfz_values vs = {&v, 1, 1};
    struct cfz_mutator m = {.max_len = 0};

    (void)state;
    cfz_rand_init(&m.rand, 0, 1);
    assert_int_equal(cfz_mutate(&m, &vs), 0);
    assert_int_equal(v.len, 0);
    m.max_len = 100; /* but it owns no buffer */
    assert_int_equal(cfz_mutate(&m, &vs), 0);
    assert_int_equal(v.len, 0);
}

/* By small steps, too, floats get away from NaN and infinities; minimum integers are left. */
static void special_values_are_left(void **state)
{
    static const struct {
        enum cfz_kind kind;
        uint64_t bits;
    } cases[] = {
        {CFZ_KIND_FLOAT32, 0x7fc00000},         {CFZ_KIND_FLOAT32, 0xff800001},
        {CFZ_KIND_FLOAT32, 0x7f800000},         {CFZ_KIND_FLOAT32, 0xff800000},
        {CFZ_KIND_FLOAT64, 0x7ff8000000000001}, {CFZ_KIND_FLOAT64, 0xfff8000000000000},
        {CFZ_KIND_FLOAT64, 0x7ff0000000000000}, {CFZ_KIND_FLOAT64, 0xfff0000000000000},
        {CFZ_KIND_INT8, (uint64_t)INT8_MIN},    {CFZ_KIND_INT64, (uint64_t)INT64_MIN},
    };

    static const uint32_t draws[] = {0, 1, 0}; /* subtract 1; where it declines: add 1 */

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v = scalar(cases[i].kind, cases[i].bits);
        struct cfz_values vs = {&v, 1, 1};
        struct cfz_rand_script script = {.draws = draws, .n = COUNT(draws)};
        struct cfz_mutator m = {.max_len = 0};

        cfz_rand_init(&m.rand, 0, 1);
        m.rand.script = &script;
        cfz_mutate(&m, &vs);
        assert_int_not_equal(v.bits, cases[i].bits);
        if (v.kind == CFZ_KIND_FLOAT32)
            assert_true(isfinite(cfz_value_f32(&v)));
        if (v.kind == CFZ_KIND_FLOAT64)
            assert_true(isfinite(cfz_value_f64(&v)));
    }
}

static bool above_1000(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) > 1000;
}
static bool below_40000(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) < -40000;
}
static bool is_magic(const struct cfz_values *vs)
{
    return vs->v[0].bits == 0x12345678;
}
static bool least(const struct cfz_values *vs)
{
    return cfz_value_int(&vs->v[0]) == INT64_MIN;
}
static bool last_rune(const struct cfz_values *vs)
{
    return vs->v[0].bits == 0x10ffff;
}
static bool not_itself(const struct cfz_values *vs)
{
    return isnan(cfz_value_f64(&vs->v[0]));
}
static bool infinite(const struct cfz_values *vs)
{
    return isinf(cfz_value_f32(&vs->v[0]));
}
static bool huge(const struct cfz_values *vs)
{
    return cfz_value_f64(&vs->v[0]) > 1e100;
}
static bool same(const struct cfz_values *vs)
{
    return vs->v[0].bits == vs->v[1].bits;
}

static bool times_16_wraps(const struct cfz_values *vs)
{
    return vs->v[0].bits * 16 / 16 != vs->v[0].bits;
}

static bool denormal(const struct cfz_values *vs)
{
    return fpclassify(cfz_value_f64(&vs->v[0])) == FP_SUBNORMAL;
}

static bool minus_zero(const struct cfz_values *vs)
{
    return vs->v[0].bits == (uint64_t)1 << 63;
}

/*
 * How many mutations it takes, in chains of 5 that begin with the same values again and again, as
 * in the loop: of none does Go's mutator get there in millions, since no step is above 100.
 */
static void far_values_are_near(void **state)
{
    static const struct {
        enum cfz_kind kinds[2];
        size_t n;
        uint64_t start[2];
        bool (*met)(const struct cfz_values *vs);
        unsigned want;
    } cases[] = {
        {{CFZ_KIND_INT}, 1, {1}, above_1000, 4},
        {{CFZ_KIND_INT}, 1, {1}, below_40000, 11},
        {{CFZ_KIND_INT64}, 1, {0}, least, 36},
        {{CFZ_KIND_INT32}, 1, {'a'}, last_rune, 171},
        {{CFZ_KIND_UINT32}, 1, {0x12345600}, is_magic, 6957},
        {{CFZ_KIND_UINT64}, 1, {3}, times_16_wraps, 5},
        {{CFZ_KIND_UINT64, CFZ_KIND_INT32}, 2, {3, 123456}, same, 130},
        {{CFZ_KIND_FLOAT64}, 1, {0}, not_itself, 91},
        {{CFZ_KIND_FLOAT64}, 1, {0}, denormal, 12},
        {{CFZ_KIND_FLOAT64}, 1, {0}, minus_zero, 11},
        {{CFZ_KIND_FLOAT64}, 1, {0}, huge, 8},
        {{CFZ_KIND_FLOAT32}, 1, {0}, infinite, 104},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v[2];
        struct cfz_values vs = {v, cases[i].n, 2};
        struct cfz_mutator m = {.max_len = 0};
        unsigned n = 0;

        cfz_rand_init(&m.rand, 1, 1);
        do {
            if (n % 5 == 0) {
                for (size_t k = 0; k < vs.n; k++)
                    v[k] = scalar(cases[i].kinds[k], cases[i].start[k]);
            }
            cfz_mutate(&m, &vs);
        } while (++n < 1000000 && !cases[i].met(&vs));
        assert_int_equal(n, cases[i].want);
    }
}

/* The value or the length of another argument, or one beside it; alone it declines. */
static void looks_at_the_others(void **state)
{
    enum { OTHER = 18 }; /* in the table of integers */
    static const struct {
        uint32_t draws[4];
        uint64_t want;
    } cases[] = {
        {{2, OTHER, 0, 1}, 6},          /* the length of the []byte */
        {{2, OTHER, 0, 2}, 7},          /* and one more */
        {{2, OTHER, 1, 0}, UINT16_MAX}, /* -1, made an uint16, by way of 0 - 1 */
        {{2, OTHER, 1, 1}, 0},          /* the int64 */
        {{2, OTHER, 2, 1}, 0x5678},     /* an uint64, cut */
        {{2, OTHER, 3, 0}, 10},         /* a bool: declines; then add, by 1 + 2 */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cfz_value v[] = {slot(CFZ_KIND_BYTES, "length", 8), scalar(CFZ_KIND_INT64, 0),
                                scalar(CFZ_KIND_UINT16, 7), scalar(CFZ_KIND_UINT64, 0x12345678),
                                scalar(CFZ_KIND_BOOL, 1)};
        struct cfz_values vs = {v, COUNT(v), COUNT(v)};
        struct cfz_rand_script script = {.draws = cases[i].draws, .n = 4};
        struct cfz_mutator m = {.max_len = 8};

        cfz_rand_init(&m.rand, 0, 1);
        m.rand.script = &script;
        assert_int_equal(cfz_mutate(&m, &vs), 2);
        assert_int_equal(v[2].bits, cases[i].want);
        free(v[0].data);
    }
}

static void alone_there_are_no_others(void **state)
{
    static const uint32_t draws[] = {0, 18, 1, 4}; /* declines without a draw: subtract 5 */
    struct cfz_value v = scalar(CFZ_KIND_INT8, 3);
    struct cfz_values vs = {&v, 1, 1};
    struct cfz_rand_script script = {.draws = draws, .n = COUNT(draws)};
    struct cfz_mutator m = {.max_len = 0};

    (void)state;
    cfz_rand_init(&m.rand, 0, 1);
    m.rand.script = &script;
    assert_int_equal(cfz_mutate(&m, &vs), 0);
    assert_int_equal(cfz_value_int(&v), -2);
    assert_int_equal(script.used, 4);
}

/* ---- learning ---------------------------------------------------------------------- */

/* How many of the places of a family are mutation i's. */
static unsigned places(const struct cfz_learned *l, unsigned i)
{
    unsigned n = 0;

    for (unsigned k = 0; k < CFZ_PICKS; k++)
        n += l->pick[k] == i;
    return n;
}

/* That a mutation is for texts amid other bytes. */
static bool is_within(const struct cfz_learned *l, unsigned i)
{
    return l->all[i]->among == cfz_bytes_within;
}

/* Each mutation has about as many places as the next, but for one that hardly anything has a use
 * for. */
static void learns_nothing_at_first(void **state)
{
    static struct cfz_learning learning;

    (void)state;
    cfz_learning_init(&learning);
    for (int f = 0; f < CFZ_LEARNED_FAMILIES; f++) {
        const struct cfz_learned *l = &learning.families[f];

        assert_in_range(l->n, 2, CFZ_LEARNED_MAX);
        for (unsigned i = 0; i < l->n; i++)
            assert_in_range(places(l, i), is_within(l, i) ? 1 : CFZ_PICKS / l->n,
                            is_within(l, i) ? 1 : CFZ_PICKS / l->n + 1);
    }
}

/* Only inputs of which the first mutation is number WINNER are called interesting. It gets about
 * half of the choices, and each of the others still some. */
static void learns_what_brings_something(void **state)
{
    enum { WINNER = 11 };
    static struct cfz_learning learning;
    struct cfz_value v[] = {slot(CFZ_KIND_BYTES, "some text to change", 64)};
    struct cfz_values vs = {v, 1, 1};
    struct cfz_mutator m = {.max_len = 64, .learning = &learning};
    const struct cfz_learned *l = &learning.families[0];

    (void)state;
    cfz_learning_init(&learning);
    cfz_rand_init(&m.rand, 1, 1);
    for (int i = 0; i < 100000; i++) {
        cfz_mutate_chain(&m);
        v[0].len = 20;
        cfz_mutate(&m, &vs);
        if (learning.lineage->v[0] == WINNER)
            cfz_mutate_credit(&m);
    }
    assert_in_range(places(l, WINNER), CFZ_PICKS * 2 / 5, CFZ_PICKS * 3 / 5);
    for (unsigned i = 0; i < l->n; i++)
        assert_true(places(l, i) >= (is_within(l, i) ? 1 : 3));
    free(v[0].data);
}

/* The same, where nothing is to be learned. */
static void learns_nothing_where_it_is_not_to(void **state)
{
    static struct cfz_learning learning;
    struct cfz_value v[] = {slot(CFZ_KIND_BYTES, "some text to change", 64)};
    struct cfz_values vs = {v, 1, 1};
    struct cfz_mutator m = {.max_len = 64, .learning = &learning};
    const struct cfz_learned *l = &learning.families[0];

    (void)state;
    cfz_learning_init(&learning);
    learning.uniform = true;
    cfz_rand_init(&m.rand, 1, 1);
    for (int i = 0; i < 100000; i++) {
        cfz_mutate_chain(&m);
        v[0].len = 20;
        cfz_mutate(&m, &vs);
        if (learning.lineage->v[0] == 11)
            cfz_mutate_credit(&m);
    }
    assert_in_range(places(l, 11), CFZ_PICKS / l->n - 1, CFZ_PICKS / l->n + 1);
    free(v[0].data);
}

/* Mutates v[0..n) as turns of a run do. */
static void turns(struct cfz_mutator *m, struct cfz_value *v, size_t n, int times)
{
    struct cfz_values vs = {v, n, n};

    for (int i = 0; i < times * 500; i++) {
        if (i % 500 == 0)
            cfz_mutate_turn(m);
        if (i % 5 == 0) {
            v[0].len = 20;
            cfz_mutate_chain(m);
        }
        cfz_mutate(m, &vs);
    }
}

/* What takes from other entries, or from another value, has one place where there are none. The
 * rest share its other places, those that decline at times have fewer. With another value it has
 * its places again. */
static void what_cannot_be_applied_is_hardly_asked(void **state)
{
    enum { OTHER_VALUE = CFZ_BYTES_MUTATIONS + 3, CROSS_OVER = CFZ_BYTES_MUTATIONS };
    static struct cfz_learning learning;
    struct cfz_value v[] = {slot(CFZ_KIND_BYTES, "some text to change", 64),
                            slot(CFZ_KIND_BYTES, "other", 64)};
    struct cfz_mutator m = {.max_len = 64, .learning = &learning};
    const struct cfz_learned *l = &learning.families[0];
    unsigned idle = 0;

    (void)state;
    cfz_learning_init(&learning);
    assert_string_equal(l->all[OTHER_VALUE]->name, "take from another value");
    assert_string_equal(l->all[CROSS_OVER]->name, "cross over");
    cfz_rand_init(&m.rand, 1, 1);
    turns(&m, v, 1, 15);
    assert_true(places(l, OTHER_VALUE) >= CFZ_PICKS / l->n);
    turns(&m, v, 1, 40);
    assert_in_range(places(l, OTHER_VALUE), 1, 2);
    assert_in_range(places(l, CROSS_OVER), 1, 2);
    for (unsigned i = 0; i < l->n; i++) {
        unsigned n = places(l, i);

        assert_true(n >= 1);
        if (n <= 2)
            idle++;
        else
            assert_in_range(n, CFZ_PICKS / (l->n - 10) / 2, CFZ_PICKS / (l->n - 10) + 2);
    }
    assert_int_equal(idle, 10);
    turns(&m, v, 2, 100);
    assert_true(places(l, OTHER_VALUE) >= CFZ_PICKS / l->n);
    assert_in_range(places(l, CROSS_OVER), 1, 2);
    free(v[0].data);
    free(v[1].data);
}

static bool always(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r, (void)v, (void)limit;
    return true;
}

static bool one_of_four(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    static unsigned asked;

    (void)r, (void)v, (void)limit;
    return ++asked % 4 == 0;
}

/* Half of the places go by credits, of which there are none here, and half by how often a mutation
 * applies: 1/2 * 1/2 + 1/2 * 1 / (1 + 1/4) of 256 for the one that always does. */
static void what_declines_is_asked_less(void **state)
{
    static const struct cfz_mutation two[] = {{"always", 0, always, NULL},
                                              {"one of four", 0, one_of_four, NULL}};
    static struct cfz_learning learning;
    struct cfz_value v[] = {slot(CFZ_KIND_BYTES, "some text to change", 64)};
    struct cfz_mutator m = {.max_len = 64, .learning = &learning};

    (void)state;
    cfz_learning_init(&learning);
    cfz_learning_replace(&learning, two, 2);
    cfz_rand_init(&m.rand, 1, 1);
    assert_int_equal(places(&learning.families[0], 0), 128);
    turns(&m, v, 1, 40);
    assert_in_range(places(&learning.families[0], 0), 166, 167);
    free(v[0].data);
}

/* A chain shares its credit; without a chain there is none to give. */
static void chains_share_credit(void **state)
{
    static struct cfz_learning learning;
    struct cfz_value v[] = {scalar(CFZ_KIND_BOOL, 0)};
    struct cfz_values vs = {v, 1, 1};
    struct cfz_mutator m = {.learning = &learning};
    uint32_t sum;

    (void)state;
    cfz_learning_init(&learning);
    cfz_rand_init(&m.rand, 1, 1);
    cfz_mutate_credit(&m);
    for (int i = 0; i < 3; i++)
        cfz_mutate(&m, &vs);
    cfz_mutate_credit(&m);
    sum = learning.families[1].credits[0] + learning.families[1].credits[1];
    assert_int_equal(sum, 60);
    assert_int_equal(learning.families[1].uses[0] + learning.families[1].uses[1], 3);
    cfz_mutate_chain(&m);
    cfz_mutate_credit(&m);
    assert_int_equal(learning.families[1].credits[0] + learning.families[1].credits[1], sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_value_then_mutation),
        cmocka_unit_test(scalars_by_kind),
        cmocka_unit_test(room_changes_nothing),
        cmocka_unit_test(choosing_ahead_changes_nothing),
        cmocka_unit_test(seeded_runs_repeat),
        cmocka_unit_test(other_values_stay),
        cmocka_unit_test(lengths_are_bounded),
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(special_values_are_left),
        cmocka_unit_test(far_values_are_near),
        cmocka_unit_test(looks_at_the_others),
        cmocka_unit_test(alone_there_are_no_others),
        cmocka_unit_test(learns_nothing_at_first),
        cmocka_unit_test(learns_what_brings_something),
        cmocka_unit_test(learns_nothing_where_it_is_not_to),
        cmocka_unit_test(what_cannot_be_applied_is_hardly_asked),
        cmocka_unit_test(what_declines_is_asked_less),
        cmocka_unit_test(chains_share_credit),
    };

    return cmocka_run_group_tests_name("mutator", tests, NULL, NULL);
}
