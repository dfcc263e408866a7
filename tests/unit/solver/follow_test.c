/*
 * follow_test.c - each byte behind what was new: where, how many, and what is taken for a word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../search/program.h"
#include "search/words.h"
#include "solver/follow.h"

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, mixed[] = {CFZ_KIND_INT32, CFZ_KIND_STRING};
static struct cfz_word_table *words;

static void begin(struct program *p, const char *text, uint32_t from)
{
    p->v[0].len = strlen(text);
    memcpy(p->data[0], text, p->v[0].len);
    p->search.from = from;
    p->search.words = words;
    p->search.work = 1;
}

static bool is_word(const char *text)
{
    for (uint32_t i = 0; i < words->n; i++)
        if (words->words[i].len == strlen(text) &&
            memcmp(words->text + words->words[i].at, text, strlen(text)) == 0)
            return true;
    return false;
}

static void behind_end(struct program *p, const struct cfz_values *vs)
{
    p->is_news |= vs->v[0].len == 4 && memcmp(vs->v[0].data, "-abc", 4) == 0;
}

static void test_behind_end(void **state)
{
    static struct program p;
    struct cfz_following f = {.vain = 3};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, behind_end), 0);
    begin(&p, "-ab", 2);
    cfz_follow(&f, &p.search);
    assert_true(p.is_news);
    assert_int_equal(p.runs, 256); /* behind the last byte is the end */
    assert_int_equal(p.traced, 0);
    assert_int_equal(f.vain, 0);
    assert_int_equal(f.cost, 256);
    assert_int_equal(words->n, 0); /* it goes on */
}

static void behind_change(struct program *p, const struct cfz_values *vs)
{
    p->is_news |= vs->v[0].len == 6 && memcmp(vs->v[0].data, "abcd y", 6) == 0;
}

static void test_behind_change(void **state)
{
    static struct program p;
    struct cfz_following f = {0};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, behind_change), 0);
    begin(&p, "abcx y", 2);
    cfz_follow(&f, &p.search);
    assert_true(p.is_news);
    assert_int_equal(p.runs, 255 + 256); /* not as it is */
}

static void nothing(struct program *p, const struct cfz_values *vs)
{
    (void)p;
    (void)vs;
}

static void test_word(void **state)
{
    static struct program p;
    struct cfz_following f = {0};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, nothing), 0);
    begin(&p, "1 + roll_back;", 12);
    cfz_follow(&f, &p.search);
    assert_int_equal(f.vain, 1);
    assert_int_equal(words->n, 1);
    assert_true(is_word("roll_back"));
    begin(&p, "1 + r;", 4); /* a single byte is no word */
    cfz_follow(&f, &p.search);
    begin(&p, "1 + r;", 5); /* and there is none */
    cfz_follow(&f, &p.search);
    begin(&p, "", 0);
    cfz_follow(&f, &p.search);
    assert_int_equal(words->n, 1);
    assert_int_equal(f.vain, 3);
}

static void test_number(void **state)
{
    static struct program p;
    struct cfz_following f = {0};

    (void)state;
    assert_int_equal(program_begin(&p, mixed, 2, nothing), 0);
    p.v[0].bits = 7;
    p.search.from = 0;
    cfz_follow(&f, &p.search);
    assert_int_equal(p.runs, 0);
}

static void test_over(void **state)
{
    static struct program p;
    struct cfz_following f = {0};

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, nothing), 0);
    begin(&p, "abc", 2);
    p.limit = 10;
    cfz_follow(&f, &p.search);
    assert_int_equal(p.runs, 10);
    assert_false(is_word("abc"));
}

/* Rarer, the longer nothing comes of it, and within its part of the work. */
static void test_due(void **state)
{
    struct cfz_following f = {0};

    (void)state;
    assert_true(cfz_follow_due(&f, 1, 0) && cfz_follow_due(&f, 1, 0));
    f.vain = 15;
    assert_true(cfz_follow_due(&f, 1, 0));
    f.vain = 16;
    assert_false(cfz_follow_due(&f, 1, 0));
    assert_true(cfz_follow_due(&f, 1, 0));
    f.vain = 1000000;
    for (int i = 1; i < 64; i++)
        assert_false(cfz_follow_due(&f, 1, 0));
    assert_true(cfz_follow_due(&f, 1, 0));
    f = (struct cfz_following){.cost = (1 << 20) + 100};
    assert_false(cfz_follow_due(&f, 1, 399));
    assert_false(cfz_follow_due(&f, 1, 400 + 4 * 511)); /* 512 executions are begun, or none */
    assert_true(cfz_follow_due(&f, 1, 400 + 4 * 512));
    f.cost = 0;
    assert_true(cfz_follow_due(&f, (1 << 20) / 512 / 8, 0)); /* no entry takes more than an eighth */
    assert_false(cfz_follow_due(&f, (1 << 20) / 512 / 8 + 1, 0));
    assert_true(cfz_follow_due(&f, (1 << 20) / 512, 4 * 7 << 20));
    assert_false(cfz_follow_due(&f, UINT64_MAX, 1000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_behind_end), cmocka_unit_test(test_behind_change),
        cmocka_unit_test(test_word),       cmocka_unit_test(test_number),
        cmocka_unit_test(test_over),       cmocka_unit_test(test_due),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    return cfz_words_map(&words, &err) < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
