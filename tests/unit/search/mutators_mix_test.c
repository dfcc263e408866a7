/*
 * mutators_mix_test.c - mutations that take from other inputs and know text, with scripted draws:
 * exact results and numbers of draws, also of strings and at the limit.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/mutators.h"

enum { DRAWS = 12 };

/* Run memory of two entries, each of an int and text. */
struct corpus {
    struct cfz_run_shm run;
    uint64_t index[2];
    struct {
        struct cfz_entry head;
        uint64_t number, size;
        char text[32];
    } entries[2];
};

static struct corpus *corpus(void)
{
    static struct corpus c;
    static const char *const texts[2] = {"0123456789", "<tag a-b=\"c\">"};

    if (c.run.nentries > 0)
        return &c;
    c.run.index_off = offsetof(struct corpus, index);
    c.run.arena_off = 0;
    c.run.nentries = 2;
    for (size_t i = 0; i < 2; i++) {
        c.index[i] = offsetof(struct corpus, entries[i]);
        c.entries[i].size = strlen(texts[i]);
        memcpy(c.entries[i].text, texts[i], strlen(texts[i]));
    }
    return &c;
}

struct mix_case {
    const char *mutation;
    const char *in;
    uint32_t draws[DRAWS];
    size_t used;      /* booleans not counted; they alternate, false first */
    const char *want; /* NULL: it declines */
    size_t limit;     /* 0: 64 */
};

static const struct cfz_mutation *named(const char *name)
{
    for (size_t i = 0; i < CFZ_MIX_MUTATIONS; i++)
        if (strcmp(cfz_mix_mutations[i].name, name) == 0)
            return &cfz_mix_mutations[i];
    fail_msg("no mutation \"%s\"", name);
    return NULL;
}

static void run(const struct mix_case *c, enum cfz_kind kind)
{
    const struct cfz_mutation *m = named(c->mutation);
    struct cfz_rand_script script = {.draws = c->draws, .n = DRAWS};
    struct cfz_value v[3] = {{.kind = CFZ_KIND_INT32, .bits = 7},
                             {.kind = kind, .len = strlen(c->in)},
                             {.kind = CFZ_KIND_BYTES, .data = (uint8_t *)"VALUE", .len = 5}};
    struct cfz_values vs = {v, 3, 3};
    struct cfz_rand r;
    size_t limit = c->limit ? c->limit : 64;
    bool applied;

    /* A block of exactly the limit, so that a sanitizer sees a byte too far. */
    v[1].cap = limit > v[1].len ? limit : v[1].len;
    v[1].data = malloc(v[1].cap);
    assert_non_null(v[1].data);
    memcpy(v[1].data, c->in, v[1].len);
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    if (m->among)
        applied = v[1].len >= m->min_len &&
                  m->among(&(struct cfz_among){&r, &vs, 1, limit, &corpus()->run, NULL, NULL});
    else
        applied = cfz_mutation_apply(m, &r, &v[1], limit);
    assert_int_equal(applied, c->want != NULL);
    assert_int_equal(v[1].len, strlen(c->want ? c->want : c->in));
    assert_memory_equal(v[1].data, c->want ? c->want : c->in, v[1].len);
    assert_int_equal(script.used, c->used);
    free(v[1].data);
}

static const struct mix_case cases[] = {
    /* entry, from, length, to */
    {"cross over", "abcdef", {0, 2, 2, 1}, 4, "a234ef", 0},
    {"cross over", "abcdef", {0, 2, 4, 4}, 4, "abcd23", 0}, /* cut at the end */
    {"cross over", "", {0}, 0, NULL, 0},
    {"insert from another input", "ab", {1, 1, 2, 1}, 4, "atagb", 0},
    {"insert from another input", "", {0, 9, 0, 0}, 4, "9", 0},
    {"insert from another input", "ab", {1, 1, 2, 1}, 4, NULL, 4},
    {"splice", "abcdef", {0, 2, 7}, 3, "ab789", 0},
    {"splice", "abcdef", {0, 2, 0}, 3, NULL, 8},
    /* the other value that is text, from, length, to; the first boolean is false: it overwrites */
    {"take from another value", "abcdef", {1, 1, 1, 2}, 4, "abALef", 0},
    {"take from another value", "abcdef", {0}, 1, NULL, 0}, /* the int */
    /* entry, position in it, position in the value */
    {"exchange a word", "x = 1;", {1, 6, 0}, 3, "a-b = 1;", 0},
    {"exchange a word", "x = 1;", {1, 6, 1}, 3, "xa-b1;", 0},
    {"insert a word", "x = 1;", {1, 2, 4}, 3, "x = tag1;", 0},
    {"remove a word", "one two", {5}, 1, "one ", 0},
    {"remove a word", "one two", {3}, 1, "onetwo", 0},
    {"change a number in text", "a=99;", {0, 0}, 2, "a=100;", 0},
    {"change a number in text", "a=99;", {0, 1}, 2, "a=98;", 0},
    {"change a number in text", "a=99;", {0, 2}, 2, "a=198;", 0},
    {"change a number in text", "a=99;", {0, 3}, 2, "a=49;", 0},
    {"change a number in text", "a=99;", {0, 4, 16, 1}, 4, "a=65536;", 0},
    {"change a number in text", "a=99;", {0, 5, 0, 7, 0}, 5, "a=7;", 0},
    {"change a number in text", "a=0", {2, 1}, 2, "a=0", 0},
    {"change a number in text", "a=99;", {4, 0}, 1, NULL, 0}, /* no digit behind it */
    {"change a number in text", "a=99", {0, 0}, 2, NULL, 4},  /* no room */
    {"change a number in text", "1234567890123456789", {0, 0}, 2, "1234567890123456799", 0},
    {"repeat bytes", "abc", {1, 1, 2}, 3, "abcbcbcbc", 0},
    {"repeat bytes", "abc", {1, 1, 2}, 3, NULL, 8},
    /* the other entry has one line */
    {"insert a line", "a\nbc\nd", {0, 4, 3}, 3, "a\n0123456789bc\nd", 0},
    {"insert a line", "", {0}, 0, NULL, 0},
    /* pair, position, length: the first boolean is false, so it is a part and not a word */
    {"enclose", "ab cd", {1, 3, 1}, 3, "ab [cd]", 0},
    {"enclose", "ab cd", {1, 3, 1}, 1, NULL, 6},
};

static void results(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run(&cases[i], CFZ_KIND_BYTES);
        run(&cases[i], CFZ_KIND_STRING);
    }
}

/* What has NULs, for which a string has no place: little end first, a byte order mark or none. */
static void widened(void **state)
{
    static const struct {
        uint32_t draws[4];
        size_t used;
        const char *want;
        size_t n;
    } wide[] = {
        {{0, 2}, 2, "a\0b\0c\0", 6},
        {{1, 2}, 2, "\0a\0b\0c", 6},
        {{0, 1},
         2,
         "\xff\xfe"
         "a\0b\0c\0",
         8},
        {{1, 1}, 2, "\xfe\xff\0a\0b\0c", 8},
        {{0, 0, 1, 0}, 4, "ab\0c", 4}, /* a part */
    };

    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        struct cfz_rand_script script = {.draws = wide[i].draws, .n = 4};
        uint8_t block[8] = "abc";
        struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = block, .len = 3, .cap = 8};
        struct cfz_rand r;

        cfz_rand_init(&r, 0, 1);
        r.script = &script;
        assert_true(cfz_mutation_apply(named("widen to 16 bits"), &r, &v, 8));
        assert_int_equal(v.len, wide[i].n);
        assert_memory_equal(block, wide[i].want, wide[i].n);
        assert_int_equal(script.used, wide[i].used);
        v.kind = CFZ_KIND_STRING;
        assert_false(cfz_mutation_apply(named("widen to 16 bits"), &r, &v, 8));
        v.kind = CFZ_KIND_BYTES;
        v.len = 8;
        script.used = 0;
        assert_false(cfz_mutation_apply(named("widen to 16 bits"), &r, &v, 8)); /* no room */
    }
}

/* Bytes more or less at a place, and the lengths around it; a string has none. */
static void resized(void **state)
{
    enum { LITTLE_LESS, BIG_LESS, LITTLE_MORE, BIG_MORE, TWO_OF_4 = 0, ALL = 8 };
    static const struct {
        const char *in, *want;
        size_t n;
        uint32_t draws[DRAWS]; /* place - 1, how, bytes - 1, lengths, from */
        size_t used, got;      /* got 0: it declines */
    } all[] = {
        /* one byte that spans what follows; the last byte is not its own */
        {"\4abcd.", "\6ababcd.", 6, {2, BIG_MORE + ALL, 1, 1}, 4, 8},
        {"\4abcd.", "\6abcdcd.", 6, {2, BIG_MORE + ALL, 1, 3}, 4, 8},
        {"\4abcd.", "\2ad.", 6, {1, BIG_LESS + ALL, 1}, 3, 4},
        {"\4abcd.", NULL, 6, {3, BIG_LESS + ALL, 1}, 3, 0}, /* more than it spans */
        {"\4abcd.", NULL, 6, {5, BIG_MORE + ALL, 1}, 3, 0},
        /* within one another, two bytes, either one first */
        {"\0\6\0\3abc.", "\0\7\0\4aabc.", 8, {4, BIG_MORE + ALL, 0, 4}, 4, 9},
        {"\6\0\3\0abc.", "\7\0\4\0aabc.", 8, {4, LITTLE_MORE + ALL, 0, 4}, 4, 9},
        {"\6\0\3\0abc.", "\5\0\2\0ac.", 8, {4, LITTLE_LESS + ALL, 0}, 3, 7},
        /* four bytes, and the type behind them */
        {"\0\0\0\7type..d", "\0\0\0\10type...d", 11, {8, BIG_MORE + ALL, 0, 8}, 4, 12},
        /* chance leaves the outer one out */
        {"\5\3abc.", "\5\4aabc.", 6, {2, BIG_MORE + TWO_OF_4, 0, 3, 1, 2}, 6, 7},
        /* nothing could be one */
        {"abcdef", NULL, 6, {2, BIG_MORE + ALL, 0}, 3, 0},
        {"\377abc", NULL, 4, {1, BIG_MORE + ALL, 0}, 3, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct cfz_rand_script script = {.draws = all[i].draws, .n = DRAWS};
        uint8_t block[12];
        struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = block, .len = all[i].n, .cap = 12};
        struct cfz_rand r;
        bool applied;

        memcpy(block, all[i].in, all[i].n);
        cfz_rand_init(&r, 0, 1);
        r.script = &script;
        applied = cfz_mutation_apply(named("resize within lengths"), &r, &v, 12);
        assert_int_equal(applied, all[i].got != 0);
        assert_int_equal(script.used, all[i].used);
        assert_int_equal(v.len, applied ? all[i].got : all[i].n);
        assert_memory_equal(block, applied ? all[i].want : all[i].in, v.len);
        v.kind = CFZ_KIND_STRING;
        assert_false(cfz_mutation_apply(named("resize within lengths"), &r, &v, 12));
    }
}

static const struct cfz_image *other_image(struct cfz_rand *r)
{
    static struct cfz_image im = {.n = 2, .at = {0, 4, 9}, .bytes = "intxT\2yz!"};

    (void)r;
    return &im;
}

/* Bytes of another input, and the lengths around their place. */
static void inserted_within(void **state)
{
    enum { BIG = 1, ALL = 4 };
    static const struct {
        const char *in, *want;
        size_t n;
        uint32_t draws[DRAWS]; /* place - 1, how, from, bytes - 1 if it is no tag with a length */
        size_t used, got;
    } all[] = {
        {"\4abcd.", "\6aT\2bcd.", 6, {1, BIG + ALL, 0, 1}, 4, 8},
        {"\0\6\0\3abc.", "\0\10\0\5ayzbc.", 8, {4, BIG + ALL, 2, 1}, 4, 10},
        {"abcdef", NULL, 6, {2, BIG + ALL, 0, 0}, 4, 0}, /* nothing could be a length */
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct cfz_rand_script script = {.draws = all[i].draws, .n = DRAWS, .bools = 1};
        uint8_t block[12];
        struct cfz_value v[2] = {
            {.kind = CFZ_KIND_INT32},
            {.kind = CFZ_KIND_BYTES, .data = block, .len = all[i].n, .cap = sizeof block}};
        struct cfz_values vs = {v, 2, 2};
        struct cfz_rand r;
        struct cfz_among a = {&r, &vs, 1, sizeof block, NULL, other_image, NULL};
        bool applied;

        memcpy(block, all[i].in, all[i].n);
        cfz_rand_init(&r, 0, 1);
        r.script = &script; /* the first boolean is true: not an entry; the second one false */
        applied = cfz_bytes_insert_within(&a);
        assert_int_equal(applied, all[i].got != 0);
        assert_int_equal(script.used, all[i].used);
        assert_int_equal(v[1].len, applied ? all[i].got : all[i].n);
        assert_memory_equal(block, applied ? all[i].want : all[i].in, v[1].len);
        v[1].kind = CFZ_KIND_STRING;
        assert_false(cfz_bytes_insert_within(&a));
    }
}

/* A string ends at the first NUL that it takes over. */
static void nul(void **state)
{
    struct corpus *c = corpus();
    char was = c->entries[0].text[3];

    (void)state;
    c->entries[0].text[3] = 0;
    run(&(struct mix_case){"splice", "abcdef", {0, 2, 1}, 3, "ab12", 0}, CFZ_KIND_STRING);
    c->entries[0].text[3] = was;
}

static bool is_of_word(uint8_t c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The word around each position of texts of all lengths up to 70, in a buffer that ends with the
 * text and in a larger one. */
static void words(void **state)
{
    struct cfz_rand make;

    (void)state;
    cfz_rand_init(&make, 3, 1);
    for (uint32_t n = 2; n <= 70; n++) {
        uint8_t text[70];

        for (uint32_t i = 0; i < n; i++)
            text[i] = (uint8_t)(cfz_rand_bool(&make) ? cfz_rand_below(&make, 256)
                                                     : (uint32_t) "az AZ 09 _- @[`{/:"[i % 18]);
        for (uint32_t at = 0; at < n; at++) {
            uint32_t from = at, to = at + 1;

            while (from > 0 && is_of_word(text[from - 1]) == is_of_word(text[at]))
                from--;
            while (to < n && is_of_word(text[to]) == is_of_word(text[at]))
                to++;
            for (size_t cap = n; cap <= n + 64; cap += 64) {
                struct cfz_rand_script script = {.draws = (uint32_t[]){at}, .n = 1};
                struct cfz_value v = {
                    .kind = CFZ_KIND_BYTES, .len = n, .cap = cap, .data = malloc(cap)};
                struct cfz_rand r;

                assert_non_null(v.data);
                memset(v.data, 'x', cap);
                memcpy(v.data, text, n);
                cfz_rand_init(&r, 0, 1);
                r.script = &script;
                assert_true(cfz_mutation_apply(named("remove a word"), &r, &v, n));
                assert_int_equal(v.len, n - (to - from));
                assert_memory_equal(v.data, text, from);
                assert_memory_equal(v.data + from, text + to, n - to);
                free(v.data);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results), cmocka_unit_test(widened),
                                       cmocka_unit_test(resized), cmocka_unit_test(inserted_within),
                                       cmocka_unit_test(nul),     cmocka_unit_test(words)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
