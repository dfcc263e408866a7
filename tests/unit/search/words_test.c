/*
 * words_test.c - what a word does to a value, with scripted draws; which words are seen in a trace;
 * how often words have a turn, and which, given what they brought.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "program.h"
#include "search/mutator.h"
#include "search/words.h"

static struct cfz_word_table *new_table(void)
{
    struct cfz_word_table *t = NULL;
    struct cfz_error err = CFZ_ERROR_INIT;

    assert_int_equal(cfz_words_map(&t, &err), 0);
    return t;
}

static void free_table(struct cfz_word_table *t)
{
    assert_int_equal(munmap(t, sizeof *t), 0);
}

static void add(struct cfz_word_table *t, const char *word, bool given)
{
    cfz_words_add(t, (const uint8_t *)word, (uint32_t)strlen(word), given);
}

static bool has(const struct cfz_word_table *t, const char *word, size_t len)
{
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t its;
        const uint8_t *text = cfz_words_text(t, i, &its);

        if (its == len && memcmp(text, word, len) == 0)
            return true;
    }
    return false;
}

/* ---- one turn -------------------------------------------------------------------- */

#define B(literal) literal, sizeof(literal) - 1

static const struct {
    const char *word;
    size_t word_len;
    uint32_t what, at;
    const char *in;
    size_t in_len;
    size_t limit;
    const char *want; /* NULL: it declines */
    size_t want_len;
} turns[] = {
    /* an insertion anywhere */
    {B("AB"), 0, 0, B(""), 8, B("AB")},
    {B("AB"), 0, 0, B("wxyz"), 8, B("ABwxyz")},
    {B("AB"), 0, 3, B("wxyz"), 8, B("wxyABz")},
    {B("AB"), 0, 4, B("wxyz"), 8, B("wxyzAB")},
    {B("A\0"), 0, 1, B("w\0"), 8, B("wA\0\0")},
    /* behind a name */
    {B("AB"), 1, 0, B("wx yz"), 8, B("ABwx yz")},
    {B("AB"), 1, 1, B("wx yz"), 8, B("wxAB yz")},
    {B("AB"), 1, 2, B("wx yz"), 8, B("wxAB yz")},
    {B("AB"), 1, 3, B("wx yz"), 8, B("wx AByz")},
    {B("AB"), 1, 4, B("wx yz"), 8, B("wx yzAB")},
    /* overwriting */
    {B("AB"), 2, 0, B("wxyz"), 4, B("AByz")},
    {B("AB"), 2, 2, B("wxyz"), 4, B("wxAB")},
    {B("ABCD"), 2, 0, B("wx"), 4, B("ABCD")},
    {B("ABCD"), 2, 0, B("wxyz"), 4, B("ABCD")},
    /* in the place of a name, or of a byte */
    {B("AB"), 3, 1, B("<xyz>"), 8, B("<AB>")},
    {B("AB"), 3, 3, B("<x_9>"), 8, B("<AB>")},
    {B("AB"), 3, 0, B("<x_9>"), 8, B("ABx_9>")},
    {B("AB"), 3, 2, B("x y"), 8, B("x AB")},
    {B("AB"), 3, 0, B(""), 8, B("AB")},
    /* no room: it overwrites */
    {B("AB"), 0, 1, B("wxyz"), 5, B("wABz")},
    {B("AB"), 0, 4, B("wxyz"), 5, B("wxAB")},
    {B("AB"), 0, 1, B("wxyz"), 2, B("wABz")},
    {B("AB"), 3, 1, B("<x>"), 3, B("<AB")},
    {B("ABC"), 0, 1, B("wx"), 3, B("ABC")},
    /* no room at all */
    {B("ABC"), 0, 0, B("wx"), 2, NULL, 0},
    {B("ABC"), 2, 0, B(""), 2, NULL, 0},
};

static void test_turn(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct cfz_word_table *t = new_table();
        struct cfz_words w = {.table = t, .wait = 1, .gap = 1};
        /* The word, of one, what it does, where, and the next gap; declined three times. */
        const uint32_t draws[] = {0, turns[i].what, turns[i].at, 4};
        const uint32_t declined[] = {0, 0, 0, 4};
        struct cfz_rand_script script = {.draws = turns[i].want ? draws : declined, .n = 4};
        size_t cap = turns[i].limit > turns[i].in_len ? turns[i].limit : turns[i].in_len;
        uint8_t *block = malloc(cap);
        struct cfz_value v = {
            .kind = CFZ_KIND_BYTES, .data = block, .len = turns[i].in_len, .cap = cap};
        struct cfz_rand r;

        assert_non_null(block);
        memcpy(block, turns[i].in, turns[i].in_len);
        cfz_words_add(t, (const uint8_t *)turns[i].word, (uint32_t)turns[i].word_len, false);
        cfz_rand_init(&r, 0, 1);
        r.script = &script;
        assert_int_equal(cfz_words_mutate(&w, &r, &v, turns[i].limit), turns[i].want != NULL);
        assert_int_equal(script.used, 4);
        assert_int_equal(w.wait, 5);
        if (!turns[i].want) {
            assert_int_equal(w.nused, 0);
            assert_int_equal(v.len, turns[i].in_len);
        } else {
            if (v.len != turns[i].want_len || memcmp(block, turns[i].want, v.len) != 0)
                fail_msg("turn %zu: got \"%.*s\"", i, (int)v.len, (const char *)block);
            assert_int_equal(w.nused, 1);
            assert_int_equal(w.used[0], 0);
        }
        free(block);
        free_table(t);
    }
}

/* A word with a NUL does not go into a string. */
static void test_string(void **state)
{
    struct cfz_word_table *t = new_table();
    struct cfz_words w = {.table = t};
    uint8_t data[64];
    struct cfz_value v = {.kind = CFZ_KIND_STRING, .data = data, .cap = sizeof data};
    struct cfz_rand r;

    (void)state;
    cfz_rand_init(&r, 1, 1);
    cfz_words_add(t, (const uint8_t *)"a\0b", 3, true);
    for (int i = 0; i < 1000; i++)
        assert_false(cfz_words_mutate(&w, &r, &v, sizeof data));
    v.kind = CFZ_KIND_BYTES;
    for (int i = 0; i < 1000 && v.len == 0; i++)
        cfz_words_mutate(&w, &r, &v, sizeof data);
    assert_int_equal(v.len, 3);
    assert_memory_equal(data, "a\0b", 3);
    free_table(t);
}

/*
 * A target wrote over the table. No word leads out of it, so that nothing faults, and a value stays
 * one: no longer than it may be, and of a string without NUL.
 */
static void test_overwritten(void **state)
{
    static uint8_t data[4096];
    static const int bytes[] = {0, 1, 0x41, 0x80, 0xff, -1, -2, -3, -4};

    (void)state;
    for (size_t k = 0; k < sizeof bytes / sizeof bytes[0]; k++) {
        struct cfz_word_table *t = new_table();
        struct cfz_words w = {.table = t};
        struct cfz_rand r;
        uint32_t len;
        char text[16];

        cfz_rand_init(&r, k, 1);
        add(t, "one", true);
        add(t, "two", false);
        if (bytes[k] >= 0)
            memset(t, bytes[k], sizeof *t);
        for (size_t i = 0; bytes[k] < 0 && i < sizeof *t; i += 4)
            memcpy((uint8_t *)t + i, &(uint32_t){cfz_rand_below(&r, UINT32_MAX)}, 4);
        if (bytes[k] < -1) /* only the words themselves are wrong */
            atomic_store(&t->n, CFZ_WORDS_MAX);
        for (int i = 0; i < 5000; i++) {
            struct cfz_value v = {.kind = i & 1 ? CFZ_KIND_STRING : CFZ_KIND_BYTES,
                                  .data = data,
                                  .len = (size_t)i % 32,
                                  .cap = sizeof data};

            memset(data, 'x', sizeof data);
            cfz_words_mutate(&w, &r, &v, 1000);
            assert_true(v.len <= 1000);
            if (v.kind == CFZ_KIND_STRING)
                assert_null(memchr(data, 0, v.len));
            if (i % 7 == 0)
                cfz_words_news(&w);
            if (i % 100 == 0)
                cfz_words_credit(&w, false);
        }
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "word %d", i);
            add(t, text, i & 1);
        }
        for (uint32_t i = 0; i < CFZ_WORDS_MAX; i++) {
            const uint8_t *at = cfz_words_text(t, i, &len);

            assert_true(!at || (at >= t->text && at + len <= t->text + sizeof t->text));
        }
        assert_int_equal(cfz_words_renew(t, NULL), 0);
        assert_false(cfz_words_any(&w));
        add(t, "one", true);
        assert_true(has(t, "one", 3));
        free_table(t);
    }
}

/* The mutator without words, and with a table that has none, draws the same. */
static void test_none(void **state)
{
    struct cfz_word_table *t = new_table();
    struct cfz_words w = {.table = t};
    uint8_t data[2][256];
    struct cfz_value v[2] = {{.kind = CFZ_KIND_BYTES, .data = data[0], .cap = sizeof data[0]},
                             {.kind = CFZ_KIND_BYTES, .data = data[1], .cap = sizeof data[1]}};
    struct cfz_values vs[2] = {{&v[0], 1, 0}, {&v[1], 1, 0}};
    struct cfz_mutator m[2] = {{.max_len = 256}, {.max_len = 256}};

    (void)state;
    assert_false(cfz_words_any(&w));
    cfz_rand_init(&m[0].rand, 7, 1);
    cfz_rand_init(&m[1].rand, 7, 1);
    for (int i = 0; i < 10000; i++) {
        m[1].words = cfz_words_any(&w) ? &w : NULL;
        cfz_mutate(&m[0], &vs[0]);
        cfz_mutate(&m[1], &vs[1]);
        assert_int_equal(v[0].len, v[1].len);
        assert_memory_equal(data[0], data[1], v[0].len);
    }
    assert_int_equal(m[0].rand.s, m[1].rand.s);
    free_table(t);
}

/* ---- what is in the table ------------------------------------------------------------ */

static void test_add(void **state)
{
    struct cfz_word_table *t = new_table();
    uint32_t len;

    (void)state;
    add(t, "one", true);
    add(t, "two", false);
    add(t, "one", false);
    add(t, "two", true);
    add(t, "", true);
    assert_int_equal(t->n, 2);
    assert_true(t->words[0].given);
    assert_false(t->words[1].given);
    assert_memory_equal(cfz_words_text(t, 1, &len), "two", 3);
    assert_int_equal(t->grant, 1024);
    free_table(t);
}

static void test_full(void **state)
{
    struct cfz_word_table *t = new_table();
    uint8_t *word = calloc(1, CFZ_WORD_MAX);
    char text[16];

    (void)state;
    assert_non_null(word);
    for (int i = 0; i < 30; i++) { /* 24 MiB of room */
        word[0] = (uint8_t)i;
        cfz_words_add(t, word, CFZ_WORD_MAX, true);
    }
    assert_int_equal(t->n, 24);
    for (int i = 0; i < 100000; i++) { /* more than the set of keys has places */
        snprintf(text, sizeof text, "%d", i);
        add(t, text, true);
    }
    assert_int_equal(t->n, 24);
    free(word);
    free_table(t);

    t = new_table();
    for (int i = 0; i < 100000; i++) {
        snprintf(text, sizeof text, "%d", i);
        add(t, text, true);
    }
    assert_int_equal(t->n, CFZ_WORDS_MAX);
    free_table(t);
}

static void compare(struct program *p, const struct cfz_values *vs)
{
    static struct cfz_site *s;

    s = p->sites;
    program_text(p, 0, (const char *)vs->v[0].data, "keyword");
    cfuzz_trace_text(&s[1], "table1\0", 7, vs->v[0].data, 7);
    cfuzz_trace_text(&s[0], "abc", 4, "zzzz", 5); /* one byte, again and again */
    cfuzz_trace_number(&s[2], 17, 0x12345678);
    cfuzz_trace_number(&s[3], 17, 0x1234);     /* an order: no word */
    cfuzz_trace_number(&s[4], 17, 0xab);       /* one byte */
    cfuzz_trace_number(&s[5], 17, 0xffffffd0); /* a small negative number */
    cfuzz_trace_switch(&s[6], 17);
}

static void test_learn(void **state)
{
    static const struct cfz_case cases[] = {{.value = 7}, {.value = 0xcafe}, {.value = 0x10203}};
    static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES};
    static struct program p = {
        .sites = {
            {.kind = CFZ_SITE_STRING, .flags = CFZ_SITE_CONST_B},
            {.kind = CFZ_SITE_MEM},
            {.kind = CFZ_SITE_INT,
             .predicate = CFZ_REL_EQUAL,
             .width = 32,
             .flags = CFZ_SITE_CONST_B},
            {.kind = CFZ_SITE_INT,
             .predicate = CFZ_REL_LESS,
             .width = 32,
             .flags = CFZ_SITE_CONST_B},
            {.kind = CFZ_SITE_INT,
             .predicate = CFZ_REL_EQUAL,
             .width = 32,
             .flags = CFZ_SITE_CONST_B},
            {.kind = CFZ_SITE_INT,
             .predicate = CFZ_REL_EQUAL,
             .width = 32,
             .flags = CFZ_SITE_CONST_B},
            {.kind = CFZ_SITE_SWITCH, .width = 32, .ncases = 3, .cases = cases},
        }};
    struct cfz_word_table *t = new_table();

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, compare), 0);
    memcpy(p.v[0].data, "an input", 9);
    p.v[0].len = 8;
    p.search.words = t;
    p.limit = 3; /* the entry alone: once plainly, and twice traced */
    cfz_copies(&p.search, 2000);
    assert_true(has(t, "keyword", 7));
    assert_true(has(t, "table1", 6)); /* without its NUL; it is not in the input */
    assert_true(has(t, "abc", 3));
    assert_true(has(t, "\x78\x56\x34\x12", 4));
    assert_true(has(t, "\x12\x34\x56\x78", 4));
    assert_true(has(t, "\xfe\xca", 2));
    assert_true(has(t, "\xca\xfe", 2));
    assert_true(has(t, "\x03\x02\x01\x00", 4));
    assert_true(has(t, "\x00\x01\x02\x03", 4));
    assert_int_equal(t->n, 9);
    assert_int_equal(t->nseen, 9);
    assert_int_equal(t->grant, 0);
    free_table(t);
}

static void test_seen_are_bounded(void **state)
{
    struct cfz_word_table *t = new_table();
    static struct cfz_event events[2000];
    static struct cfz_site site = {
        .kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 64, .flags = CFZ_SITE_CONST_A};
    struct cfz_trace trace = {.events = events, .nevents = 2000};
    struct cfz_image input = {.n = 0};

    (void)state;
    for (uint32_t i = 0; i < 2000; i++) {
        events[i].site = &site;
        events[i].a = 0x12340000 + i;
    }
    cfz_words_learn(t, &trace, &input);
    assert_int_equal(t->n, CFZ_WORDS_SEEN_MAX);
    add(t, "given", true);
    assert_int_equal(t->n, CFZ_WORDS_SEEN_MAX + 1);
    free_table(t);
}

/* ---- how often -------------------------------------------------------------------- */

struct counts {
    uint64_t turns;
    uint64_t of[4]; /* by word */
};

/* Mutations in chains of five. Word 0 brings something in one of so many turns, others in one of so
 * many mutations; 0: never. */
static void mutate(struct cfz_words *w, unsigned n, unsigned word_brings, unsigned others_bring,
                   struct counts *c)
{
    static uint8_t data[64];
    struct cfz_rand r;

    cfz_rand_init(&r, 3, 1);
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < n; i++) {
        struct cfz_value v = {.kind = CFZ_KIND_BYTES, .data = data, .len = 10, .cap = sizeof data};

        if (i % 5 == 0)
            cfz_words_credit(w, false);
        if (cfz_words_mutate(w, &r, &v, sizeof data)) {
            uint32_t word = w->used[w->nused - 1];

            c->turns++;
            c->of[word]++;
            if (word == 0 && word_brings > 0 && c->of[0] % word_brings == 0)
                cfz_words_credit(w, true);
        } else if (w->nused == 0 && others_bring > 0 && i % others_bring == 0) {
            cfz_words_credit(w, true);
        }
    }
}

static void test_share(void **state)
{
    struct cfz_words w = {0};
    struct counts c;

    (void)state;
    /* Words that bring nothing get next to nothing. */
    w.table = new_table();
    add(w.table, "one", false);
    add(w.table, "two", false);
    mutate(&w, 1000000, 0, 1000, &c);
    assert_in_range(c.turns, 1000, 8000);
    free_table(w.table);

    /* The same, where nothing brings anything. */
    w = (struct cfz_words){.table = new_table()};
    add(w.table, "one", false);
    add(w.table, "two", false);
    mutate(&w, 1000000, 0, 0, &c);
    assert_in_range(c.turns, 1000, 30000);
    free_table(w.table);

    /* One that brings ten times what others do has nearly all it may have; the other has little. */
    w = (struct cfz_words){.table = new_table()};
    add(w.table, "one", false);
    add(w.table, "two", false);
    mutate(&w, 1000000, 30, 1000, &c);
    assert_in_range(c.turns, 150000, 260000);
    assert_true(c.of[0] > 5 * c.of[1]);
    free_table(w.table);

    /* A given word is tried early. */
    w = (struct cfz_words){.table = new_table()};
    add(w.table, "one", true);
    mutate(&w, 1000, 0, 10, &c);
    assert_in_range(c.turns, 80, 200);
    free_table(w.table);

    /* And also among seen ones. */
    w = (struct cfz_words){.table = new_table()};
    add(w.table, "one", true);
    add(w.table, "two", false);
    add(w.table, "three", false);
    add(w.table, "four", false);
    mutate(&w, 2000, 0, 10, &c);
    assert_true(c.of[0] > c.turns / 2);
    free_table(w.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turn),        cmocka_unit_test(test_string),
        cmocka_unit_test(test_overwritten), cmocka_unit_test(test_none),
        cmocka_unit_test(test_add),         cmocka_unit_test(test_full),
        cmocka_unit_test(test_learn),       cmocka_unit_test(test_seen_are_bounded),
        cmocka_unit_test(test_share),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
