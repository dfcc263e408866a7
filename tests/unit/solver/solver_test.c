/*
 * solver_test.c - the second stage: each step meets the goal that it is for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/program.h"
#include "solver/solver.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, string[] = {CFZ_KIND_STRING},
                           two[] = {CFZ_KIND_INT32, CFZ_KIND_FLOAT64},
                           three[] = {CFZ_KIND_INT32, CFZ_KIND_INT32, CFZ_KIND_INT32};

static const struct cfz_site equal32 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
static const struct cfz_site equal64 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 64};

static const struct cfz_site more64 = {
    .kind = CFZ_SITE_FLOAT, .predicate = CFZ_REL_GREATER, .width = 64, .flags = CFZ_SITE_CONST_B};
static const struct cfz_site less64 = {
    .kind = CFZ_SITE_FLOAT, .predicate = CFZ_REL_LESS, .width = 64, .flags = CFZ_SITE_CONST_B};

static const struct cfz_site constant8 = {
    .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .flags = CFZ_SITE_CONST_B};

static uint32_t le32(const uint8_t *p)
{
    uint32_t x;

    memcpy(&x, p, 4);
    return x;
}

/* The number is xored and rotated: only its bits tell how to get there. */
static void scrambled(struct program *p, const struct cfz_values *vs)
{
    uint32_t x;

    if (vs->v[0].len != 4)
        return;
    x = le32(vs->v[0].data) ^ 0x9b1d3e57;
    p->solved = program_equal(p, 0, x << 7 | x >> 25, 0xcafebabe);
}

/* A sum in front of what is summed: the operand moves with what is written. */
static void sum(struct program *p, const struct cfz_values *vs)
{
    uint32_t s = 0;

    if (vs->v[0].len < 8)
        return;
    for (size_t i = 4; i < vs->v[0].len; i++)
        s += vs->v[0].data[i] * 257U;
    if (program_equal(p, 0, le32(vs->v[0].data), s))
        p->solved = program_equal(p, 1, vs->v[0].data[5], 0x77); /* and this changes the sum */
}

static void length(struct program *p, const struct cfz_values *vs)
{
    p->solved = program_equal(p, 0, vs->v[0].len, 77);
}

/* Differences at both ends of int64_t, of which each byte takes one away: no length meets them. */
static void far_lengths(struct program *p, const struct cfz_values *vs)
{
    static const uint64_t ends[] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1,
                                    (UINT64_C(1) << 63) - 1};
    bool met = false;

    for (uint32_t i = 0; i < 3; i++)
        met |= program_equal(p, i, ends[i] + 2 - vs->v[0].len, 0);
    p->solved = met;
}

/* Two numbers of which one moves the operand to the other end of int64_t, and back. */
static void far_numbers(struct program *p, const struct cfz_values *vs)
{
    const uint64_t x = vs->v[0].bits, y = vs->v[1].bits;

    if (p->tracing)
        cfuzz_trace_number(&p->sites[1], x, 1000);
    if ((int64_t)x <= 1000)
        p->solved = program_equal(p, 0, (x << 63) + (y & 0xff) * 2, 0x123456789abcdef);
}

static void decimal(struct program *p, const struct cfz_values *vs)
{
    uint32_t x = 0;

    for (size_t i = 1; i < vs->v[0].len && vs->v[0].data[i] >= '0' && vs->v[0].data[i] <= '9'; i++)
        x = 10 * x + vs->v[0].data[i] - '0';
    p->solved = program_equal(p, 0, x, 31415);
}

/* Four numbers of up to 255 in text, which make one. */
static void address(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data, *end = d + vs->v[0].len;
    uint32_t all = 0;

    for (int k = 0; k < 4; k++) {
        uint32_t x = 0;

        if (d == end || *d < '0' || *d > '9')
            return;
        for (; d < end && *d >= '0' && *d <= '9'; d++)
            x = 10 * x + *d - '0';
        if (x > 255 || (k < 3 && (d == end || *d++ != '.')))
            return;
        all = all << 8 | x;
    }
    p->solved = program_equal(p, 0, all, 0xac10c801);
}

/* A day, a month and a year as arguments. */
static void date(struct program *p, const struct cfz_values *vs)
{
    int32_t d = (int32_t)vs->v[0].bits, m = (int32_t)vs->v[1].bits, y = (int32_t)vs->v[2].bits;

    if (d < 1 || d > 31 || m < 1 || m > 12 || y < 1 || y > 3000)
        return;
    p->solved = program_equal(p, 0, (uint64_t)(y * 365 + y / 4 + m * 30 + d), 739000);
}

static void rotated(struct program *p, const struct cfz_values *vs)
{
    char s[PROGRAM_ROOM];
    size_t n = vs->v[0].len;

    for (size_t i = 0; i < n; i++) {
        s[i] = (char)vs->v[0].data[i];
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = (char)('a' + (s[i] - 'a' + 13) % 26);
    }
    s[n] = 0;
    p->solved = program_text(p, 0, s, "umbrella");
}

static void converted(struct program *p, const struct cfz_values *vs)
{
    double d = 3.0 * (double)(int32_t)vs->v[0].bits;
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    p->solved = program_equal(p, 0, bits, 0x40c81c8000000000); /* 12345.0 */
}

/* Flags that earlier comparisons set: no byte alone moves them from 0 to 7. */
static void flags(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    unsigned set = 0;

    if (vs->v[0].len < 4)
        return;
    set |= program_equal(p, 1, d[0], 'F') ? 1U : 0;
    set |= program_equal(p, 2, d[1], 'L') ? 2U : 0;
    set |= program_equal(p, 3, d[2], 'G') ? 4U : 0;
    p->solved = program_equal(p, 0, set, 7);
}

/* Each check that fails says so, which takes comparisons of its own, and goes on; nothing asks
 * whether all of them hold. */
static void checks(struct program *p, const struct cfz_values *vs)
{
    static const char wanted[] = "FLG";
    const uint8_t *d = vs->v[0].data;
    bool bad = false;

    if (vs->v[0].len < 4)
        return;
    for (unsigned i = 0; i < 3; i++)
        if (!program_equal(p, i, d[i], (uint8_t)wanted[i])) {
            program_equal(p, 3, i, 7);
            bad = true;
        }
    program_equal(p, 4, 1, 2); /* how it ends in either case */
    p->solved = !bad;
}

/* Nothing asks for the index. */
static void index_of(struct program *p, const struct cfz_values *vs)
{
    if (vs->v[0].len == 4)
        p->solved = program_leaves(p, 0, (le32(vs->v[0].data) >> 3) % 70001, 70000);
}

/* A key of seven bits a byte, the lowest first, whose lowest three say what follows. */
static void key(struct program *p, const struct cfz_values *vs)
{
    uint64_t x = 0;

    for (size_t i = 0; i < vs->v[0].len && i < 9; i++) {
        x |= (uint64_t)(vs->v[0].data[i] & 0x7f) << 7 * i;
        if (!(vs->v[0].data[i] & 0x80)) {
            p->solved = (x & 7) == 2 && program_equal(p, 0, x >> 3, 300);
            return;
        }
    }
}

/* The highest bits first, as a signed number whose sign is its lowest bit. */
static void zigzag(struct program *p, const struct cfz_values *vs)
{
    uint32_t x = 0;

    for (size_t i = 0; i < vs->v[0].len && i < 5; i++) {
        x = x << 7 | (vs->v[0].data[i] & 0x7f);
        if (!(vs->v[0].data[i] & 0x80)) {
            p->solved = program_equal(p, 0, x >> 1 ^ (0U - (x & 1)), (uint32_t)-54321);
            return;
        }
    }
}

/* Ten bytes with their highest bit set before another: more than any number of seven bits a byte
 * has. */
static void too_many(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len == 11)
        p->solved = program_equal(p, 0, d[10] * 3U + d[0] - 0x80U, 0x1f4);
}

/* The second character of a text. */
static void character(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    uint32_t c = 0;

    if (vs->v[0].len < 3 || d[0] >= 0x80)
        return;
    if (d[1] < 0x80)
        c = d[1];
    else if (d[1] >= 0xe0 && d[1] < 0xf0 && vs->v[0].len > 3 && (d[2] & d[3] & 0xc0) == 0x80)
        c = (d[1] & 0xfU) << 12 | (d[2] & 0x3fU) << 6 | (d[3] & 0x3fU);
    else
        return;
    p->solved = program_equal(p, 0, c, 0x2028);
}

static bool program_float(struct program *p, unsigned site, double a, double b, bool holds)
{
    uint64_t x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    program_equal(p, site, x, y);
    return holds;
}

/* Degrees in text, of another kind than those that are compared. */
static void degrees(struct program *p, const struct cfz_values *vs)
{
    char text[PROGRAM_ROOM + 1], *end;
    double x;

    memcpy(text, vs->v[0].data, vs->v[0].len);
    text[vs->v[0].len] = 0;
    x = strtod(text, &end) * 1.8 + 32;
    p->solved = *end == 'C' && program_float(p, 0, x, 450.99, x > 450.99) &&
                program_float(p, 1, x, 451, x < 451);
}

/* How far a power is from a number: it grows to both sides. */
static void power(struct program *p, const struct cfz_values *vs)
{
    double x = cfz_value_float(&vs->v[1]), d;

    d = x * x * x - 1728.5;
    d = d < 0 ? -d : d;
    p->solved = (int32_t)vs->v[0].bits == 1 && program_float(p, 1, d, 1e-6, d < 1e-6);
}

static const struct {
    const char *name;
    const enum cfz_kind *kinds;
    size_t n;
    void (*body)(struct program *p, const struct cfz_values *vs);
    struct cfz_site sites[4];
    const char *input;
    uint64_t most; /* executions */
} cases[] = {
    {"scrambled", bytes, 1, scrambled, {equal32}, "abcd", 3000},
    {"sum",
     bytes,
     1,
     sum,
     {equal32,
      {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8, .flags = CFZ_SITE_CONST_B}},
     "0000aaaaaa",
     20000},
    {"flags", bytes, 1, flags, {equal32, constant8, constant8, constant8}, "....", 400},
    {"index",
     bytes,
     1,
     index_of,
     {{.kind = CFZ_SITE_INT,
       .predicate = CFZ_REL_GREATER | CFZ_REL_EQUAL,
       .width = 32,
       .flags = CFZ_SITE_CONST_B | CFZ_SITE_UNASKED}},
     "abcd",
     6000},
    {"length", bytes, 1, length, {equal64}, "ab", 1000},
    {"decimal", string, 1, decimal, {equal32}, "x12", 3000},
    {"address", string, 1, address, {equal32}, "1.2.3.4", 3000},
    {"date", three, 3, date, {equal32}, NULL, 3000},
    {"rotated",
     string,
     1,
     rotated,
     {{.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B}},
     "abc",
     20000},
    {"key", bytes, 1, key, {equal64}, "\x0a...", 1000},
    {"zigzag", bytes, 1, zigzag, {equal32}, "ab", 1000},
    {"too many",
     bytes,
     1,
     too_many,
     {equal64},
     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
     3000},
    {"character", string, 1, character, {equal32}, "abc", 1000},
    {"degrees", string, 1, degrees, {more64, less64}, "20C", 3000},
    {"power", two, 2, power, {equal32, less64}, NULL, 1000},
    {"converted",
     two,
     2,
     converted,
     {{.kind = CFZ_SITE_FLOAT, .predicate = CFZ_REL_EQUAL, .width = 64, .flags = CFZ_SITE_CONST_B}},
     NULL,
     5000},
};

static void test_steps(void **state)
{
    static struct program programs[sizeof cases / sizeof cases[0]];
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program *p = &programs[i];
        unsigned generation;

        memcpy(p->sites, cases[i].sites, sizeof cases[i].sites);
        assert_int_equal(program_begin(p, cases[i].kinds, cases[i].n, cases[i].body), 0);
        if (cases[i].input) {
            p->v[0].len = strlen(cases[i].input);
            memcpy(p->v[0].data, cases[i].input, p->v[0].len);
        } else {
            for (size_t k = 0; k < cases[i].n; k++)
                p->v[k].bits = 1;
        }
        p->limit = cases[i].most;
        cfz_solver_entry(&p->search, 0, 0);
        while (!p->search.over && cfz_solver_side(&p->search, false, &generation))
            cfz_solver_entry(&p->search, 0, generation);
        if (!p->solved)
            fail_msg("%s: not solved in %llu executions; last step \"%s\"", cases[i].name,
                     (unsigned long long)p->runs, cfz_solver_step_name());
        while (
            cfz_solver_side(&p->search, false, &generation)) /* of this program, not of the next */
            ;
    }
}

/* A number of two factors, both of them prime. */
static void factors(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len >= 4)
        p->solved = program_equal(p, 0, (uint64_t)d[1] * d[3], 53 * 59);
}

/* At the third attempt all pairs are tried; twice as many executions are allowed in all. */
static void test_pair(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;
    const struct cfz_goal_note *note;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = equal32;
    p.sites[0].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, factors), 0);
    note = cfz_goal_note(p.search.goals, cfz_goal_key0(&p.sites[0], 1));
    p.v[0].len = 4;
    memcpy(p.v[0].data, "abcd", 4);
    p.limit = 2 * 0x10000;
    for (unsigned round = 0; round < 2 && !p.solved && !p.search.over; round++)
        cfz_solver_entry(&p.search, round, 0);
    assert_true(p.solved);
    assert_int_equal(note->tried, 3);
    assert_string_equal(cfz_solver_step_name(), "pair");
}

/* Behind a sum at the end, which is xored in, one byte is three more than another: each probe
 * breaks the sum, which a recipe tells how to mend. In the input that is probed it is not where the
 * recipe says, counted from the beginning. */
static void sealed(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len;
    uint32_t s = 0x12345678;

    for (size_t i = 0; i + 4 < n; i++)
        s = s * 16777619U ^ d[i];
    if (n < 8 || !program_equal(p, 0, s ^ le32(d + n - 4), UINT32_MAX))
        return;
    p->solved = program_equal(p, 1, d[1], (uint8_t)(d[2] + 3));
}

static void test_sealed(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;
    uint8_t d[10] = "abcdef";
    uint32_t s = 0x12345678;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = equal32;
    p.sites[0].flags = CFZ_SITE_CONST_B;
    p.sites[1] = (struct cfz_site){
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 8};
    assert_int_equal(program_begin(&p, bytes, 1, sealed), 0);
    *cfz_site_recipe(p.search.goals, &p.sites[0]) = (struct cfz_recipe){
        .set = CFZ_RECIPE_XOR, .width = 4, .at = 4, .from_end = 4, .reckoned = 1};
    p.search.goals->nrecipes = 1;
    for (int i = 0; i < 6; i++)
        s = s * 16777619U ^ d[i];
    s = ~s;
    memcpy(d + 6, &s, 4);
    p.v[0].len = sizeof d;
    memcpy(p.v[0].data, d, sizeof d);
    p.limit = 3000;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
}

/*
 * A tag at the beginning, and a second one at the place that a byte names, which is that of the
 * first: it is put in at an end, and the byte named it.
 */
static void directory(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (vs->v[0].len < 8 || !program_equal(p, 0, le32(d), 0x21474154) || d[4] + 4U > vs->v[0].len)
        return;
    p->solved = program_equal(p, 1, le32(d + d[4]), 0xd1e7c705);
}

static void test_straightened(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    for (unsigned i = 0; i < 5; i++)
        p.sites[i] = constant8;
    assert_int_equal(program_begin(&p, bytes, 1, checks), 0);
    p.limit = 1000;
    memcpy(p.v[0].data, "abcd", 4);
    p.v[0].len = 4;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "FLG", 3);
}

static void test_planted(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = p.sites[1] = equal32;
    p.sites[0].flags = p.sites[1].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, directory), 0);
    memcpy(p.v[0].data, "TAG!\0zzz", 8);
    p.v[0].len = 8;
    p.limit = 60000;
    for (int attempt = 0; attempt < 2 && !p.solved; attempt++)
        cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "planted");
    assert_int_equal(p.v[0].len, 20); /* the second attempt is that with a tail */
    assert_memory_equal(p.v[0].data, "TAG!\x10zzzAAAAAAAA\x05\xc7\xe7\xd1", 20);
}

/* Works on an input until it is solved, at most two times: steps of every other attempt have their
 * turn the second time. */
static void work_twice_on(struct program *p, const char *input, size_t n)
{
    for (int attempt = 0; attempt < 2 && !p->solved; attempt++) {
        memcpy(p->v[0].data, input, n);
        p->v[0].len = n;
        cfz_solver_entry(&p->search, 0, 0);
    }
}

/* The last byte, behind a mark, names the place of a tag; 0 says that there is none. But for the
 * tag nothing is compared. */
static void named(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len, place;

    if (n < 5 || memcmp(d + n - 5, "TAG!", 4) != 0)
        return;
    place = d[n - 1];
    if (place + 4 <= n && program_equal(p, 0, le32(d + place), 0xd1e7c705))
        p->solved = place > 0;
}

static void test_planted_behind_one(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = equal32;
    p.sites[0].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, named), 0);
    p.limit = 60000;
    work_twice_on(&p, "TAG!\0", 5);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "planted");
    assert_int_equal(p.v[0].len, 10);
    assert_memory_equal(p.v[0].data, "\0\x05\xc7\xe7\xd1TAG!\x01", 10);
}

/* A byte behind the last mark says how far before the mark a tag stands. It is no place of a
 * constant that is put in, so that the byte has to get all values; and the input is long, so that
 * trying the places costs more than a step may. */
static void before_mark(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len, mark = n < 5 ? 0 : n - 5;

    while (mark > 0 && memcmp(d + mark, "TAG!", 4) != 0)
        mark--;
    if (n >= 5 && memcmp(d + mark, "TAG!", 4) == 0 && d[mark + 4] <= mark)
        p->solved = program_equal(p, 0, le32(d + mark - d[mark + 4]), 0xd1e7c705);
}

static void test_planted_all_values(void **state)
{
    static struct program p;
    static char input[600] = "abTAG!";
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = equal32;
    p.sites[0].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, before_mark), 0);
    p.limit = 60000;
    work_twice_on(&p, input, sizeof input);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "planted");
    assert_int_equal(p.v[0].len, 612); /* the tail is eight bytes */
    assert_memory_equal(p.v[0].data,
                        "\x05\xc7\xe7\xd1"
                        "abTAG!\x06",
                        11);
}

/* What is compared last is the outcome of a comparison before it, which holds on another way, too:
 * one that does not come to the last one. */
static void on_other_way(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    bool flag;

    if (vs->v[0].len != 8)
        return;
    if (!program_equal(p, 0, d[0], 'M')) {
        program_equal(p, 1, 7, 7);
        return;
    }
    flag = program_equal(p, 1, d[0], d[4]);
    p->solved = program_equal(p, 2, flag, 1);
}

static void test_outcome_on_other_way(void **state)
{
    static struct program p;
    static struct cfz_image im;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_goal g;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = p.sites[1] = p.sites[2] = constant8;
    p.sites[1].flags = 0;
    assert_int_equal(program_begin(&p, bytes, 1, on_other_way), 0);
    memcpy(p.v[0].data, "Mabcdefg", 8);
    p.v[0].len = 8;
    assert_true(program_last_goal(&p, &im, &g));
    assert_int_equal(cfz_trace.nevents, 3);
    p.limit = 3000;
    cfz_solver_goal(&p.search, &im, &g);
    assert_true(p.solved);
    assert_memory_equal(p.v[0].data, "MabcMefg", 8);
}

/* A field within another. That the outer length says how much there is, and the inner one no more
 * than that, are no comparisons that are told. */
static void within(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    size_t n = vs->v[0].len;

    if (n > 4 && d[1] + 2U == n && d[3] + 4U <= n)
        p->solved = program_equal(p, 0, d[3], 12);
}

static void test_nested(void **state)
{
    static struct program p;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_solver_map(&err), 0);
    p.sites[0] = equal32;
    p.sites[0].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, within), 0);
    p.limit = 10000;
    work_twice_on(&p, "T\5F\3abc", 7);
    assert_true(p.solved);
    assert_string_equal(cfz_solver_step_name(), "nested lengths");
    assert_int_equal(p.v[0].len, 16);
    assert_memory_equal(p.v[0].data, "T\16F\14", 4); /* both have grown by nine */
}

/*
 * A record of a tag, a length, data and a sum over them: what is behind the length is not looked at
 * before it is there as a whole. Nothing has counters: what shows an outcome is worked on all the
 * same, at once, and with a tail.
 */
static void record(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    uint32_t sum = 0;

    if (vs->v[0].len < 5 || !program_equal(p, 0, le32(d), 0x52444849) ||
        !program_equal(p, 1, d[4], 13) || vs->v[0].len < 5 + 13 + 4)
        return;
    for (int i = 0; i < 18; i++)
        sum = sum * 31 + d[i];
    if (program_equal(p, 2, le32(d + 18), sum))
        p->solved = program_equal(p, 3, d[9], 0x77);
}

static void begin_record(struct program *p)
{
    p->sites[0] = p->sites[2] = equal32;
    p->sites[1] = p->sites[3] = constant8;
    p->sites[0].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(p, bytes, 1, record), 0);
}

/* Has the solver work on "IHDRx" until it is over or has nothing left. */
static void work_on_record(struct program *p)
{
    unsigned generation;

    memcpy(p->v[0].data, "IHDRx", 5);
    p->v[0].len = 5;
    cfz_solver_entry(&p->search, 0, 0);
    while (!p->search.over && cfz_solver_side(&p->search, false, &generation))
        cfz_solver_entry(&p->search, 0, generation);
}

static void test_record(void **state)
{
    static struct program p;

    (void)state;
    begin_record(&p);
    p.limit = 20000;
    work_on_record(&p);
    assert_true(p.solved);
    assert_int_equal(p.v[0].data[9], 0x77);
}

/* Another input had its sum right, at another place: that is no reason to leave this one. */
static void test_record_like_others(void **state)
{
    static struct program p;

    (void)state;
    begin_record(&p);
    for (int outcome = 0; outcome < 2; outcome++)
        cfz_goal_meet(p.search.goals, cfz_goal_key0(&p.sites[2], outcome));
    *cfz_site_recipe(p.search.goals, &p.sites[2]) =
        (struct cfz_recipe){.set = CFZ_RECIPE_COPY, .width = 4, .at = 40, .from_end = 40};
    p.search.goals->nrecipes = 1;
    p.limit = 40000;
    work_on_record(&p);
    assert_true(p.solved);
}

/* Inputs that showed an outcome are told apart from others that showed something. */
static void test_outcomes_apart(void **state)
{
    static struct program p;
    unsigned generation, outcomes = 0;

    (void)state;
    begin_record(&p);
    memcpy(p.v[0].data, "IHDRx", 5);
    p.v[0].len = 5;
    cfz_solver_entry(&p.search, 0, 0);
    while (cfz_solver_side(&p.search, true, &generation)) {
        outcomes++;
        assert_int_equal(generation, 1);
    }
    assert_true(outcomes > 0);
}

/* Twelve digits, looked at from behind as isdigit does: it gives up at the first that is none. */
static void digits_from_behind(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;

    if (!program_equal(p, 1, vs->v[0].len, 12))
        return;
    for (int i = 12; i-- > 0;)
        if (program_equal(p, 0, d[i] >= '0' && d[i] <= '9' ? 0x800 : 0, 0))
            return;
    p->solved = true;
}

/* Each step is an input that is as long as the one before, and is worked on as that was. */
static void test_steps_of_one_length(void **state)
{
    static struct program p;
    unsigned generation, steps = 0;

    (void)state;
    p.sites[0] = p.sites[1] = (struct cfz_site){
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32, .flags = CFZ_SITE_CONST_B};
    assert_int_equal(program_begin(&p, bytes, 1, digits_from_behind), 0);
    memcpy(p.v[0].data, "AAAAAAAAAAAA", 12);
    p.v[0].len = 12;
    p.limit = 10000;
    cfz_solver_entry(&p.search, 0, 0);
    for (; !p.search.over && cfz_solver_side(&p.search, false, &generation); steps++) {
        assert_true(generation == 1 || p.v[0].len > 12);
        cfz_solver_entry(&p.search, 0, generation);
    }
    assert_true(p.solved);
    assert_true(steps >= 11);
}

/* A program that parses a text of its own first: no room is given to what no input moves. */
static void preface(struct program *p, const struct cfz_values *vs)
{
    for (uint64_t i = 0; i < 500; i++)
        program_equal(p, 2 + i % 6, i, 1000);
    if (vs->v[0].len > 1)
        p->solved = program_equal(p, 1, vs->v[0].data[1], 0x77);
}

static void test_fixed(void **state)
{
    static struct program p;
    const struct cfz_site_note *own, *input;

    (void)state;
    for (int i = 2; i < 8; i++)
        p.sites[i] = equal64;
    p.sites[1] = constant8;
    assert_int_equal(program_begin(&p, bytes, 1, preface), 0);
    own = cfz_site_note(p.search.goals, &p.sites[2]);
    input = cfz_site_note(p.search.goals, &p.sites[1]);
    p.v[0].len = 0;
    cfz_solver_entry(&p.search, 0, 0); /* it has a tail the second time */
    assert_int_equal(own->fixed, 1);
    assert_false(own->moved);
    assert_true(input->moved);
    assert_true(p.solved);
}

/* Time is work where it is much, and in steps. */
static void test_work_by_time(void **state)
{
    (void)state;
    assert_int_equal(cfz_work_by_time(7, 0), 7);
    assert_int_equal(cfz_work_by_time(7, 3999), 7);
    assert_int_equal(cfz_work_by_time(7, 4000), 16000);
    assert_int_equal(cfz_work_by_time(7, 15999), 16000);
    assert_int_equal(cfz_work_by_time(7, 16000), 64000);
    assert_int_equal(cfz_work_by_time(7, 270000), 1024000);
    assert_true(cfz_work_by_time(7, UINT64_MAX) > UINT64_MAX / 2);
}

/* What comparisons tell is not told by time, even if a unit of them takes nearly a microsecond. */
static void test_work_of_comparisons(void **state)
{
    (void)state;
    assert_int_equal(cfz_work_by_time(4000, 4100), 4000);
    assert_int_equal(cfz_work_by_time(3999, 4100), 16000);
    assert_int_equal(cfz_work_by_time(50000, 16100), 50000);
}

/* Lengths are reckoned for operands of any size. */
static void test_far_lengths(void **state)
{
    static struct program p;
    unsigned generation;

    (void)state;
    for (int i = 0; i < 3; i++)
        p.sites[i] = equal64;
    assert_int_equal(program_begin(&p, bytes, 1, far_lengths), 0);
    memcpy(p.v[0].data, "ab", 2);
    p.v[0].len = 2;
    p.limit = 20000;
    cfz_solver_entry(&p.search, 0, 0);
    while (!p.search.over && cfz_solver_side(&p.search, false, &generation))
        cfz_solver_entry(&p.search, 0, generation);
    assert_true(p.runs > 100);
    assert_false(p.solved);
}

/* So are numbers, which themselves may be the last ones that there are. */
static void test_far_numbers(void **state)
{
    static const enum cfz_kind int64s[] = {CFZ_KIND_INT64, CFZ_KIND_INT64};
    static const int64_t starts[2][2] = {{1000, 7}, {INT64_MIN, INT64_MAX}};
    static struct program programs[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct program *p = &programs[i];
        unsigned generation;

        p->sites[0] = equal64;
        p->sites[1] = (struct cfz_site){.kind = CFZ_SITE_INT,
                                        .predicate = CFZ_REL_GREATER,
                                        .width = 64,
                                        .flags = CFZ_SITE_CONST_B | CFZ_SITE_SIGNED};
        assert_int_equal(program_begin(p, int64s, 2, far_numbers), 0);
        p->v[0].bits = (uint64_t)starts[i][0];
        p->v[1].bits = (uint64_t)starts[i][1];
        p->limit = 20000;
        cfz_solver_entry(&p->search, 0, 0);
        while (!p->search.over && cfz_solver_side(&p->search, false, &generation))
            cfz_solver_entry(&p->search, 0, generation);
        assert_true(p->runs > 100);
        assert_false(p->solved);
    }
}

/* An input that is too long has no image, and costs nothing. */
static void test_too_long(void **state)
{
    static struct program p;
    static uint8_t big[CFZ_IMAGE_MAX + 1];

    (void)state;
    p.sites[0] = equal32;
    assert_int_equal(program_begin(&p, bytes, 1, length), 0);
    p.v[0].data = big;
    p.v[0].len = sizeof big;
    assert_false(cfz_solver_entry(&p.search, 0, 0));
    assert_int_equal(p.runs, 0);
}

/* The search ends at once when it is told to. */
static void test_over(void **state)
{
    static struct program p;

    (void)state;
    p.sites[0] = equal32;
    assert_int_equal(program_begin(&p, bytes, 1, scrambled), 0);
    memcpy(p.v[0].data, "abcd", 4);
    p.v[0].len = 4;
    p.limit = 10;
    cfz_solver_entry(&p.search, 0, 0);
    assert_int_equal(p.runs, 10);
    assert_true(p.search.over);
}

/* An index in brackets behind a name, or none in them, which is 0. */
static void has_index(struct program *p, const struct cfz_values *vs)
{
    const char *d = (const char *)vs->v[0].data;
    char *end;
    long index;

    if (vs->v[0].len < 3 || d[0] != 'a' || d[1] != '[')
        return;
    index = strtol(d + 2, &end, 10);
    if (program_equal(p, 0, (uint8_t)*end, ']') && program_equal(p, 1, (uint8_t)end[1], 0))
        p->solved = program_equal(p, 2, (uint32_t)index, (uint32_t)-7);
}

/* There is no number yet: it is put in. */
static void test_inserted(void **state)
{
    static struct program p;

    (void)state;
    for (int i = 0; i < 3; i++) {
        p.sites[i] = equal32;
        p.sites[i].flags = CFZ_SITE_CONST_B;
    }
    p.sites[2].flags |= CFZ_SITE_SIGNED;
    assert_int_equal(program_begin(&p, string, 1, has_index), 0);
    p.v[0].len = 3;
    memcpy(p.v[0].data, "a[]", 4);
    p.limit = 500;
    cfz_solver_entry(&p.search, 0, 0);
    assert_true(p.solved);
    assert_string_equal((const char *)p.v[0].data, "a[-7]");
}

static unsigned counted_to[256]; /* executions in which the loop of counts went so far */

/* A loop that counts to the first byte, behind one of two ways. */
static void counts(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *d = vs->v[0].data;
    uint32_t i = 0;

    if (vs->v[0].len != 2)
        return;
    program_equal(p, 1, d[1], 7);
    do
        if (p->tracing)
            cfuzz_trace_number(&p->sites[0], i, d[0]);
    while (i++ < d[0]);
    counted_to[d[0]]++;
}

/* On each way it is a goal to leave the loop in its first two rounds, and not in each other one. */
static void test_counts(void **state)
{
    enum { ROUNDS = 12, COUNT = 9 };
    static struct program p;

    (void)state;
    p.sites[0] = p.sites[1] = equal32;
    p.sites[0].predicate = CFZ_REL_LESS;
    p.sites[1].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, counts), 0);
    for (uint8_t way = 6; way <= 7; way++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            p.data[0][0] = COUNT;
            p.data[0][1] = way;
            p.v[0].len = 2;
            cfz_solver_entry(&p.search, round, 0);
        }
    for (unsigned k = 2; k < 8; k++)
        assert_int_equal(counted_to[k] + 2, counted_to[1]);
}

/* Before it comes to its input the program compares as often as a table is long; then a quotient
 * of two numbers has to be 16. */
static void behind_table(struct program *p, const struct cfz_values *vs)
{
    enum { TABLE = 20000 };
    uint32_t h[2];

    for (uint32_t i = 0; i < TABLE; i++)
        program_equal(p, 0, i, TABLE);
    if (vs->v[0].len != sizeof h)
        return;
    memcpy(h, vs->v[0].data, sizeof h);
    if (h[0] > 0 && h[0] < 1 << 20)
        p->solved = program_equal(p, 1, h[1] * 8 / h[0], 16);
}

/* What a goal may cost is so many executions, though each one costs hundreds of those of a small
 * program; what it has cost in the end is the work of all. */
static void test_work_before_input(void **state)
{
    static const uint32_t from[] = {0x90807, 0x70605};
    static struct program p;
    const uint64_t one = 2 * cfz_work(20001);

    (void)state;
    p.sites[0] = p.sites[1] = equal32;
    p.sites[0].flags = p.sites[1].flags = CFZ_SITE_CONST_B;
    assert_int_equal(program_begin(&p, bytes, 1, behind_table), 0);
    p.limit = 4000;
    for (unsigned round = 0; round < 2 && !p.solved; round++) {
        memcpy(p.v[0].data, from, sizeof from);
        p.v[0].len = sizeof from;
        cfz_solver_entry(&p.search, round, 0);
        assert_int_equal(p.search.unit, 0);
    }
    assert_true(p.solved);
    assert_in_range(p.search.cost, p.traced * one * 9 / 10, p.traced * one * 11 / 10);
}

/* Work counts in units for as long as they are told, and none costs nothing. */
static void test_units(void **state)
{
    struct cfz_search s = {.cost = 10};

    (void)state;
    assert_int_equal(cfz_search_cost(&s, 7), 7);
    cfz_search_unit(&s, 5);
    assert_int_equal(cfz_search_cost(&s, 12), 2);
    assert_int_equal(cfz_search_cost(&s, 4), 1);
    s.cost += 3;
    cfz_search_unit(&s, 4);
    assert_int_equal(s.cost, 10 + 3 * 5);
    s.cost += 2;
    cfz_search_settle(&s);
    assert_int_equal(s.cost, 10 + 3 * 5 + 2 * 4);
    cfz_search_settle(&s);
    assert_int_equal(s.cost, 10 + 3 * 5 + 2 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_straightened),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_planted_behind_one),
        cmocka_unit_test(test_planted_all_values),
        cmocka_unit_test(test_outcome_on_other_way),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_record_like_others),
        cmocka_unit_test(test_outcomes_apart),
        cmocka_unit_test(test_steps_of_one_length),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_work_by_time),
        cmocka_unit_test(test_work_of_comparisons),
        cmocka_unit_test(test_far_lengths),
        cmocka_unit_test(test_far_numbers),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_work_before_input),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_inserted),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_over),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_sealed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
