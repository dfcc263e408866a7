/*
 * mutators_bytes_test.c - each mutation of []byte and string with scripted
 * draws: exact results, exact counts of draws, and the edges (empty, one byte,
 * no room, NUL in a string).
 *
 * Each value lies in a heap block of its limit, exactly and with some room, so that a
 * sanitizer sees the first byte too far.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "search/mutators.h"

#define B(literal)                                                                                 \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define DRAWS(...) {__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct bytes {
    const char *data;
    size_t len;
};

struct mutation_case {
    const char *mutation; /* of Go, or "fitting ..." */
    uint32_t draws[16];
    size_t ndraws;
    struct bytes in;
    size_t limit;
    struct bytes want;
    bool declines; /* then want is not looked at */
    size_t used;   /* draws made, booleans not counted */
    size_t bools;
};

static const struct cfz_mutation *find(const char *name)
{
    static const char fitting[] = "fitting ";

    if (strncmp(name, fitting, sizeof fitting - 1) == 0)
        for (size_t i = 0; i < CFZ_FITTING_MUTATIONS; i++)
            if (strcmp(cfz_fitting_mutations[i].name, name + sizeof fitting - 1) == 0)
                return &cfz_fitting_mutations[i];
    for (size_t i = 0; i < CFZ_BYTES_MUTATIONS; i++)
        if (strcmp(cfz_bytes_mutations[i].name, name) == 0)
            return &cfz_bytes_mutations[i];
    fail_msg("no mutation \"%s\"", name);
    return NULL;
}

/* With room bytes of the buffer beyond the limit: short pieces are moved by words where they fit.
 */
static void run_with(const struct mutation_case *c, enum cfz_kind kind, size_t room)
{
    struct cfz_rand_script script = {.draws = c->draws, .n = c->ndraws};
    size_t cap = (c->limit > c->in.len ? c->limit : c->in.len) + room;
    uint8_t *block = malloc(cap == 0 ? 1 : cap);
    struct cfz_value v = {.kind = kind, .data = block, .len = c->in.len, .cap = cap};
    struct bytes want = c->declines ? c->in : c->want;
    struct cfz_rand r;
    bool applied;

    assert_non_null(block);
    memcpy(block, c->in.data, c->in.len);
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    applied = cfz_mutation_apply(find(c->mutation), &r, &v, c->limit);
    if (applied == c->declines || v.len != want.len || memcmp(v.data, want.data, want.len) != 0 ||
        script.used != c->used || script.bools != c->bools) {
        fprintf(stderr, "%s of %zu bytes: %s, %zu draws, %zu booleans, %zu bytes:", c->mutation,
                c->in.len, applied ? "applied" : "declined", script.used, script.bools, v.len);
        for (size_t i = 0; i < v.len; i++)
            fprintf(stderr, " %d", v.data[i]);
        fprintf(stderr, "\n");
        fail();
    }
    assert_ptr_equal(v.data, block);
    assert_int_equal(v.cap, cap);
    free(block);
}

static void run(const struct mutation_case *c, enum cfz_kind kind)
{
    for (size_t room = 0; room <= 64; room++)
        run_with(c, kind, room);
}

static void run_all(const struct mutation_case *cases, size_t n, enum cfz_kind kind)
{
    for (size_t i = 0; i < n; i++)
        run(&cases[i], kind);
}

/* The table of Go's TestByteSliceMutators, in its order. */
static void results_of_go(void **state)
{
    static const struct mutation_case cases[] = {
        {"remove bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\4"), false, 3, 0},
        {"insert random bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\0\0\0\0"), 8, B("\3\4\5\0\0\0\0"),
         false, 6, 0},
        {"duplicate bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 13, B("\1\1\2\3\4\2\3\4"),
         false, 4, 0},
        {"overwrite bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\1\1\3\4"), false, 4, 0},
        {"bit flip", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\3\2\3\4"), false, 2, 0},
        {"xor byte", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\3\2\3\4"), false, 2, 0},
        {"swap byte", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\2\1\3\4"), false, 2, 0},
        {"add/sub uint8", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\377\2\3\4"), false, 2, 1},
        {"add/sub uint16", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\1\3\3\4"), false, 2, 2},
        {"add/sub uint32", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\2\2\3\4"), false, 2, 2},
        {"add/sub uint64", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4\5\6\7\10"), 8,
         B("\2\2\3\4\5\6\7\10"), false, 2, 2},
        {"interesting uint8", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\377\2\3\4"), false, 2,
         0},
        {"interesting uint16", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\377\177\3\4"), false,
         2, 1},
        {"interesting uint32", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\372\0\0\372"), false,
         2, 1},
        {"insert constant bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 8, B("\3\3\3\1\2\3\4"),
         false, 4, 0},
        {"overwrite constant bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\3\3\3\4"),
         false, 4, 0},
        {"shuffle bytes", DRAWS(0, 1, 2, 3, 4, 5), B("\1\2\3\4"), 4, B("\2\3\1\4"), false, 5, 0},
        {"swap ranges", DRAWS(0, 2, 0, 2), B("\1\2\3\4"), 9, B("\3\2\1\4"), false, 4, 0},
    };

    (void)state;
    assert_int_equal(COUNT(cases), CFZ_BYTES_MUTATIONS);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(cfz_bytes_mutations[i].name, cases[i].mutation);
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

static void removing(void **state)
{
    static const struct mutation_case cases[] = {
        {"remove bytes", DRAWS(0, 0, 3), B("abcde"), 5, B("e"), false, 3, 0},
        {"remove bytes", DRAWS(4, 0, 0), B("abcde"), 5, B("abcd"), false, 3, 0},
        {"remove bytes", DRAWS(0, 0, 4), B("abcde"), 5, B(""), false, 3, 0}, /* all of it */
        {"remove bytes", DRAWS(1, 89, 7), B("abcdefghijk"), 11, B("ajk"), false, 3, 0},
        {"remove bytes", DRAWS(1, 89, 8), B("abcdefghijk"), 11, B("acdefghijk"), false, 3, 0},
        {"remove bytes", DRAWS(1, 90, 8), B("abcdefghijk"), 11, B("ak"), false, 3, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

/* 1 in 100 lengths may be the whole value, 9 up to 32, the others up to 8. */
static void lengths(void **state)
{
    static const struct {
        uint32_t percent, draw;
        size_t want;
    } cases[] = {
        {0, 7, 8},    {0, 8, 1},   {89, 7, 8},   {89, 8, 1},   {90, 31, 32},
        {98, 31, 32}, {98, 32, 1}, {99, 32, 33}, {99, 59, 60}, {99, 60, 1},
    };
    char in[60];

    (void)state;
    memset(in, 'x', sizeof in);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mutation_case c = {"remove bytes",
                                  {0, cases[i].percent, cases[i].draw},
                                  3,
                                  {in, sizeof in},
                                  sizeof in,
                                  {in, sizeof in - cases[i].want},
                                  false,
                                  3,
                                  0};

        run(&c, CFZ_KIND_BYTES);
    }
}

static void inserting(void **state)
{
    static const struct mutation_case cases[] = {
        {"insert random bytes", DRAWS(0, 0, 1, 'x', 'y'), B(""), 2, B("xy"), false, 5, 0},
        {"insert random bytes", DRAWS(2, 0, 1, 'x', 'y'), B("ab"), 4, B("abxy"), false, 5, 0},
        {"insert random bytes", DRAWS(1, 0, 1, 255, 0), B("ab"), 4, B("a\377\0b"), false, 5, 0},
        {"insert random bytes", DRAWS(1, 0, 2), B("ab"), 4, B(""), true, 3, 0},
        {"insert random bytes", DRAWS(1, 0, 0), B("ab"), 2, B(""), true, 3, 0},
        {"insert random bytes", DRAWS(1, 0, 0), B("abc"), 2, B(""), true, 3, 0},
        {"insert random bytes", DRAWS(0, 0, 0), B(""), 0, B(""), true, 3, 0},
        {"insert constant bytes", DRAWS(1, 0, 1, 'x'), B("ab"), 4, B("axxb"), false, 4, 0},
        {"insert constant bytes", DRAWS(0, 90, 31, 7), B("ab"), 34,
         B("\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7ab"), false, 4, 0},
        {"insert constant bytes", DRAWS(1, 0, 2, 'x'), B("ab"), 4, B(""), true, 3, 0},
        {"insert constant bytes", DRAWS(1, 0, 0, 'x'), B("abc"), 2, B(""), true, 3, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

static void copying(void **state)
{
    static const struct mutation_case cases[] = {
        /* Where the copy goes in: before its original, inside, behind, and at its start drawn
         * again; with exactly the room it needs. */
        {"duplicate bytes", DRAWS(2, 0, 0, 1), B("abcdef"), 8, B("cdabcdef"), false, 4, 0},
        {"duplicate bytes", DRAWS(1, 3, 0, 3), B("abcdef"), 10, B("abcbcdedef"), false, 4, 0},
        {"duplicate bytes", DRAWS(0, 4, 0, 1), B("abcdef"), 8, B("abcdabef"), false, 4, 0},
        {"duplicate bytes", DRAWS(0, 2, 0, 1), B("abcdef"), 8,
         B("abab"
           "cdef"),
         false, 4, 0},
        {"duplicate bytes", DRAWS(1, 1, 1, 0, 0, 1), B("ab"), 3, B("bab"), false, 6, 0},
        {"duplicate bytes", DRAWS(5, 4, 0, 7), B("abcdef"), 7, B("abcdfef"), false, 4, 0},
        {"duplicate bytes", DRAWS(0, 1, 0, 1), B("abcdef"), 7, B(""), true, 4, 0},
        {"duplicate bytes", DRAWS(0, 1, 0, 0), B("abcdef"), 6, B(""), true, 4, 0},
        {"overwrite bytes", DRAWS(0, 2, 0, 2), B("abcdef"), 6, B("ababcf"), false, 4, 0},
        {"overwrite bytes", DRAWS(2, 1, 0, 2), B("abcdef"), 6, B("acdeef"), false, 4, 0},
        {"overwrite bytes", DRAWS(0, 4, 0, 4), B("abcdef"), 6, B("abcdab"), false, 4, 0}, /* cut */
        {"overwrite bytes", DRAWS(5, 5, 0, 0, 9), B("abcdef"), 6, B("fbcdef"), false, 5, 0},
        {"overwrite constant bytes", DRAWS(1, 0, 1, 'x'), B("abcd"), 4, B("axxd"), false, 4, 0},
        {"overwrite constant bytes", DRAWS(3, 0, 5, 0), B("abcd"), 4, B("abc\0"), false, 4, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

static void bits_and_bytes(void **state)
{
    static const struct mutation_case cases[] = {
        {"bit flip", DRAWS(1, 5), B("aaa"), 3, B("aAa"), false, 2, 0},
        {"bit flip", DRAWS(2, 7), B("aaa"), 3, B("aa\341"), false, 2, 0},
        {"xor byte", DRAWS(1, 254), B("aaa"), 3, B("a\236a"), false, 2, 0},
        {"xor byte", DRAWS(0, 255), B("a"), 1, B("`"), false, 2, 0}, /* 255 draws 0: xor 1 */
        {"swap byte", DRAWS(2, 2, 0), B("abc"), 3, B("cba"), false, 3, 0},
        {"add/sub uint8", DRAWS(0, 34), B("a"), 1, B(">"), false, 2, 1},
        {"interesting uint8", DRAWS(2, 0), B("abc"), 3, B("ab\200"), false, 2, 0},
        {"interesting uint8", DRAWS(0, 8), B("abc"), 3, B("\177bc"), false, 2, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

/* Scripted booleans alternate from false; here the first one is to be true. */
static void with_true_first(const char *mutation, uint32_t a, uint32_t b, const char *in,
                            const char *want, size_t len)
{
    uint32_t draws[] = {a, b};
    struct cfz_rand_script script = {.draws = draws, .n = 2, .bools = 1};
    uint8_t *block = malloc(len);
    struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = block, .len = len, .cap = len};
    struct cfz_rand r;

    assert_non_null(block);
    memcpy(block, in, len);
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_true(cfz_mutation_apply(find(mutation), &r, &v, len));
    assert_int_equal(v.len, len);
    assert_memory_equal(v.data, want, len);
    free(block);
}

/* For the wide additions: subtract, big endian; for the others: little endian, or add. */
static void other_side_of_booleans(void **state)
{
    (void)state;
    with_true_first("add/sub uint8", 1, 2, "\1\377", "\1\2", 2);
    with_true_first("add/sub uint16", 0, 1, "\1\0\0", "\1\377\377", 3);
    with_true_first("add/sub uint32", 1, 0, "\1\0\0\0", "\0\377\377\376", 4);
    with_true_first("add/sub uint64", 0, 0, "\1\0\0\0\0\0\0\0", "\0\377\377\377\377\377\377\377",
                    8);
    with_true_first("interesting uint16", 1, 0, "aaa", "a\0\200", 3);
    with_true_first("interesting uint32", 0, 6, "aaaa", "\5\377\377\5", 4);
}

/* Little-endian carries, and every position that a width leaves. */
static void wide_additions(void **state)
{
    static const struct mutation_case cases[] = {
        {"add/sub uint16", DRAWS(0, 0), B("\377\377"), 2, B("\0\0"), false, 2, 2},
        {"add/sub uint16", DRAWS(34, 2), B("aa\377\0"), 4, B("aa\42\1"), false, 2, 2},
        {"add/sub uint32", DRAWS(0, 1), B("a\377\377\377\0"), 5, B("a\0\0\0\1"), false, 2, 2},
        {"add/sub uint64", DRAWS(1, 1), B("a\377\377\377\377\377\377\377\0"), 9,
         B("a\1\0\0\0\0\0\0\1"), false, 2, 2},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

/* Each entry of the tables, in big endian. */
static void interesting_values(void **state)
{
    static const int32_t want[] = {
        INT32_MIN, -100663046, -32769, 32768, 65535, 65536, 100663045, INT32_MAX, /* 27 */
        -32768,    -129,       128,    255,   256,   512,   1000,      1024,      4096,
        32767,                                                                         /* 19 */
        -128,      -1,         0,      1,     16,    32,    64,        100,       127, /* 9 */
    };

    (void)state;
    assert_int_equal(COUNT(want), 27);
    for (uint32_t i = 0; i < 27; i++) {
        char be[] = {(char)(want[i] >> 24), (char)(want[i] >> 16), (char)(want[i] >> 8),
                     (char)want[i]};
        struct mutation_case c32 = {
            "interesting uint32", {0, i}, 2, B("abcd"), 4, {be, 4}, false, 2, 1};
        struct mutation_case c16 = {"interesting uint16", {0, i - 8}, 2, B("ab"), 2,
                                    {be + 2, 2},          false,      2, 1};
        struct mutation_case c8 = {"interesting uint8", {0, i - 18}, 2, B("a"), 1,
                                   {be + 3, 1},         false,       2, 0};

        run(&c32, CFZ_KIND_BYTES);
        if (i >= 8)
            run(&c16, CFZ_KIND_BYTES);
        if (i >= 18)
            run(&c8, CFZ_KIND_BYTES);
    }
}

static void rearranging(void **state)
{
    static const struct mutation_case cases[] = {
        {"shuffle bytes", DRAWS(1, 0, 2, 0, 0), B("abcde"), 5, B("acdbe"), false, 5, 0},
        {"shuffle bytes", DRAWS(0, 0, 1), B("abcde"), 5, B(""), true, 3, 0}, /* 2 bytes only */
        {"shuffle bytes", DRAWS(4, 0, 0), B("abcde"), 5, B(""), true, 3, 0},
        {"swap ranges", DRAWS(0, 3, 0, 1), B("abcdef"), 6, B("decabf"), false, 4, 0},
        {"swap ranges", DRAWS(3, 0, 0, 1), B("abcdef"), 6, B("decabf"), false, 4, 0},
        {"swap ranges", DRAWS(0, 2, 0, 1), B("abcdef"), 6, B(""), true, 4, 0}, /* they touch */
        {"swap ranges", DRAWS(0, 1, 0, 2), B("abcdef"), 6, B(""), true, 4, 0},
        {"swap ranges", DRAWS(5, 1, 0, 0), B("abcdef"), 6, B("afcdeb"), false, 4, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

/* Ranges longer than the piece that is swapped at a time. */
static void swapping_long_ranges(void **state)
{
    char in[400], want[400];
    struct mutation_case c = {
        "swap ranges", {10, 220, 99, 149}, 4, {in, 400}, 400, {want, 400}, false, 4, 0};

    (void)state;
    for (int i = 0; i < 400; i++)
        in[i] = want[i] = (char)(i % 251);
    memcpy(want + 10, in + 220, 150);
    memcpy(want + 220, in + 10, 150);
    run(&c, CFZ_KIND_BYTES);
}

/* Which mutations decline values of 0 to 8 bytes for their length alone. */
static void short_values(void **state)
{
    static const size_t shortest[CFZ_BYTES_MUTATIONS] = {2, 0, 2, 2, 1, 1, 2, 1, 2,
                                                         4, 8, 1, 2, 4, 2, 2, 3, 3};

    (void)state;
    for (size_t i = 0; i < CFZ_BYTES_MUTATIONS; i++) {
        for (size_t len = 0; len <= 8; len++) {
            /* Positions 0 and len - 1; 3 bytes where there are that many, 1 else. */
            uint32_t draws[] = {0, (uint32_t)len - 1, 0, i == 17 ? 0 : 2};
            struct cfz_rand_script script = {.draws = draws, .n = 4};
            uint8_t *block = malloc(64);
            struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = block, .len = len, .cap = 64};
            struct cfz_rand r;

            assert_non_null(block);
            memset(block, 'x', len);
            if (i == 16)
                draws[1] = 0, draws[2] = 2; /* of shuffle: percent, length */
            cfz_rand_init(&r, 0, 1);
            r.script = &script;
            if (cfz_mutation_apply(&cfz_bytes_mutations[i], &r, &v, 64) != (len >= shortest[i]))
                fail_msg("%s of %zu bytes", cfz_bytes_mutations[i].name, len);
            if (len < shortest[i] && len <= 1 && i != 16 && i != 17)
                assert_int_equal(script.used, 0);
            free(block);
        }
    }
}

/* Strings end at the first NUL that a mutation wrote. */
static void strings_have_no_nul(void **state)
{
    static const struct mutation_case cases[] = {
        {"insert random bytes", DRAWS(1, 0, 2, 'x', 0, 'y'), B("ab"), 8, B("ax"), false, 6, 0},
        {"insert random bytes", DRAWS(0, 0, 0, 0), B("ab"), 8, B(""), false, 4, 0},
        {"bit flip", DRAWS(1, 5), B("a b"), 3, B("a"), false, 2, 0},
        {"xor byte", DRAWS(1, 31), B("a b"), 3, B("a"), false, 2, 0},
        {"add/sub uint8", DRAWS(2, 31), B("ab "), 3, B("ab"), false, 2, 1},
        {"add/sub uint16", DRAWS(0, 0), B("\377ab"), 3, B(""), false, 2, 2},
        {"add/sub uint32", DRAWS(0, 1), B("a\377\377ab"), 5, B("a"), false, 2, 2},
        {"add/sub uint64", DRAWS(0, 0), B("\376\377abcdef"), 8, B("\377\377abcdef"), false, 2, 2},
        {"interesting uint8", DRAWS(1, 2), B("abc"), 3, B("a"), false, 2, 0},
        {"interesting uint16", DRAWS(1, 13), B("abcd"), 4, B("a"), false, 2, 1},
        {"interesting uint32", DRAWS(1, 0), B("abcde"), 5, B("a\200"), false, 2, 1},
        {"insert constant bytes", DRAWS(1, 0, 2, 0), B("ab"), 8, B("a"), false, 4, 0},
        {"overwrite constant bytes", DRAWS(1, 0, 1, 0), B("abcd"), 4, B("a"), false, 4, 0},
        {"overwrite constant bytes", DRAWS(1, 0, 1, 'x'), B("abcd"), 4, B("axxd"), false, 4, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_STRING);
}

/* Those that draw what can be done. They decline only where nothing can be. */
static void fitting(void **state)
{
    static const struct mutation_case cases[] = {
        /* place, percent, length, bytes: a draw has four */
        {"fitting insert random bytes", DRAWS(1, 0, 1, 'x' + 256 * 'y'), B("ab"), 4, B("axyb"),
         false, 4, 0},
        {"fitting insert random bytes", DRAWS(1, 0, 2, 'x'), B("ab"), 4, B("axb"), false, 4, 0},
        {"fitting insert random bytes", DRAWS(0, 0, 0, 'x'), B(""), 1, B("x"), false, 4, 0},
        {"fitting insert random bytes", DRAWS(0), B("ab"), 2, B(""), true, 0, 0},
        {"fitting insert random bytes", DRAWS(0), B("abc"), 2, B(""), true, 0, 0},
        /* place, percent, length - 3 */
        {"fitting shuffle bytes", DRAWS(0, 0, 0, 0, 0), B("abc"), 3, B("bca"), false, 5, 0},
        {"fitting shuffle bytes", DRAWS(2, 0, 0, 0, 0), B("abcde"), 5, B("abdec"), false, 5, 0},
        {"fitting shuffle bytes", DRAWS(0, 0, 0), B("ab"), 2, B(""), true, 0, 0},
        /* percent, length, place, distance */
        {"fitting swap ranges", DRAWS(0, 0, 0, 0), B("abc"), 3, B("cba"), false, 4, 0},
        {"fitting swap ranges", DRAWS(0, 1, 1, 0), B("abcdef"), 6, B("aefdbc"), false, 4, 0},
        {"fitting swap ranges", DRAWS(0, 1, 0, 1), B("abcdef"), 6, B("efcdab"), false, 4, 0},
        {"fitting swap ranges", DRAWS(0, 2, 0, 0), B("abcdef"), 6, B("cbadef"), false, 4, 0},
        {"fitting swap ranges", DRAWS(0, 0, 0, 0), B("ab"), 2, B(""), true, 0, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

#define X32 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* Those of one place: amid eight equal bytes it is drawn again, up to three times. */
static void at_places(void **state)
{
    static const struct mutation_case cases[] = {
        /* places, then the draw of Go's function for where in one place, then its own */
        {"fitting bit flip", DRAWS(3, 0, 0), B("abcd"), 4, B("abce"), false, 3, 0},
        {"fitting bit flip", DRAWS(9, 33, 0, 0), B(X32 "abcd"), 36, B(X32 "accd"), false, 4, 0},
        {"fitting bit flip", DRAWS(9, 8, 7, 6, 0, 0), B(X32 "abcd"), 36,
         B("xxxxxxyxxxxxxxxxxxxxxxxxxxxxxxxxabcd"), false, 6, 0},
        /* at the edge of the run, and in one that is not long enough to be looked at */
        {"fitting bit flip", DRAWS(29, 0, 0), B(X32 "abcd"), 36,
         B("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxyxxabcd"), false, 3, 0},
        {"fitting bit flip", DRAWS(4, 0, 0), B("xxxxxxxxxx"), 10, B("xxxxyxxxxx"), false, 3, 0},
        {"fitting xor byte", DRAWS(9, 34, 0, 0), B(X32 "abcd"), 36, B(X32 "abbd"), false, 4, 0},
        {"fitting add/sub uint8", DRAWS(9, 32, 0, 1), B(X32 "abcd"), 36, B(X32 "_bcd"), false, 4,
         1},
        {"fitting add/sub uint16", DRAWS(9, 32, 1, 0), B(X32 "abcd"), 36, B(X32 "cbcd"), false, 4,
         2},
        {"fitting add/sub uint32", DRAWS(9, 32, 0, 0), B(X32 "abcd"), 36, B(X32 "bbcd"), false, 4,
         2},
        {"fitting add/sub uint64", DRAWS(28, 0, 0), B(X32 "abcd"), 36,
         B("xxxxxxxxxxxxxxxxxxxxxxxxxxxxyxxxabcd"), false, 3, 2},
        {"fitting interesting uint8", DRAWS(9, 35, 0, 3), B(X32 "abcd"), 36, B(X32 "abc\1"), false,
         4, 0},
        {"fitting interesting uint16", DRAWS(9, 32, 0, 5), B(X32 "abcd"), 36, B(X32 "\2\0cd"),
         false, 4, 1},
        {"fitting interesting uint32", DRAWS(9, 32, 0, 3), B(X32 "abcd"), 36, B(X32 "\0\0\200\0"),
         false, 4, 1},
        {"fitting interesting uint32", DRAWS(0), B("abc"), 36, B(""), true, 0, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_BYTES);
}

/* A string ends where such a mutation wrote a NUL. */
static void at_places_of_strings(void **state)
{
    static const struct mutation_case cases[] = {
        {"fitting bit flip", DRAWS(1, 0, 0), B("a\1b"), 3, B("a"), false, 3, 0},
        {"fitting interesting uint32", DRAWS(9, 32, 0, 3), B(X32 "abcd"), 36, B(X32), false, 4, 1},
        {"fitting interesting uint8", DRAWS(2, 0, 3), B("abcd"), 4, B("ab\1d"), false, 3, 0},
    };

    (void)state;
    run_all(cases, COUNT(cases), CFZ_KIND_STRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_of_go),
        cmocka_unit_test(removing),
        cmocka_unit_test(lengths),
        cmocka_unit_test(inserting),
        cmocka_unit_test(copying),
        cmocka_unit_test(bits_and_bytes),
        cmocka_unit_test(other_side_of_booleans),
        cmocka_unit_test(wide_additions),
        cmocka_unit_test(interesting_values),
        cmocka_unit_test(rearranging),
        cmocka_unit_test(swapping_long_ranges),
        cmocka_unit_test(short_values),
        cmocka_unit_test(strings_have_no_nul),
        cmocka_unit_test(fitting),
        cmocka_unit_test(at_places),
        cmocka_unit_test(at_places_of_strings),
    };

    return cmocka_run_group_tests_name("mutators_bytes", tests, NULL, NULL);
}
