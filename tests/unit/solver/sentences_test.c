/*
 * sentences_test.c - texts that are continued word by word: where they are cut, what is tried
 * behind that, which way is gone on with, and in which order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "../search/program.h"
#include "core/hash.h"
#include "search/words.h"
#include "solver/sentences.h"

enum { SIGNS = 34, WORDS = 4, READ_ON = 2 }; /* executions */

static const enum cfz_kind bytes[] = {CFZ_KIND_BYTES}, mixed[] = {CFZ_KIND_INT32, CFZ_KIND_STRING};
static struct cfz_word_table *words;
static char last[64]; /* what was new, or was executed last */

static void begin(struct program *p, unsigned value, const char *text, size_t len, uint32_t from)
{
    p->v[value].len = len;
    memcpy(p->data[value], text, len);
    p->search.from = from;
    p->search.words = words;
    p->search.work = 7;
    p->search.tells = true;
}

/* The words of a text, as far as they are a sentence: open NAME as list. Each comes to a state. */
static void parse(struct program *p, const uint8_t *text, size_t len)
{
    static const char *const sentence[] = {"open", "", "as", "list"};
    uint64_t states = 0;
    size_t at = 0;

    for (unsigned state = 0; state < 4; state++) {
        size_t n = 0;

        while (at < len && text[at] == ' ')
            at++;
        while (at + n < len && program_equal(p, 0, cfz_is_name(text[at + n]), 1))
            n++;
        if (n == 0 || (sentence[state][0] && (n != strlen(sentence[state]) ||
                                              memcmp(text + at, sentence[state], n) != 0)))
            break;
        states |= 1u << state;
        at += n;
    }
    if (states == 15 && !p->is_news)
        snprintf(last, sizeof last, "%.*s", (int)len, (const char *)text);
    p->search.states = 1 + states;
    p->is_news |= states == 15;
}

/* Amid other bytes, two before it and one behind it; its sets are others. */
static void within(struct program *p, const struct cfz_values *vs)
{
    parse(p, vs->v[0].data + 2, vs->v[0].len - 3);
    p->search.states += 1 << 8;
}

static void whole(struct program *p, const struct cfz_values *vs)
{
    parse(p, vs->v[vs->n - 1].data, vs->v[vs->n - 1].len);
}

/* Continues the first prefix. Returns the executions. */
static uint64_t go_on(struct program *p)
{
    const uint64_t runs = p->runs;

    cfz_sentences_continue(&p->search);
    return p->runs - runs;
}

static void dull(struct program *p, const struct cfz_values *vs)
{
    (void)vs;
    p->search.states = 1;
}

/* What other tests left comes to nothing. */
static void finish(struct program *p)
{
    void (*body)(struct program *, const struct cfz_values *) = p->body;

    p->body = dull;
    while (cfz_sentences_waiting() > 0)
        go_on(p);
    p->body = body;
    p->runs = p->traced = 0;
}

static void test_whole(void **state)
{
    static struct program p;

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, whole), 0);
    assert_int_equal(cfz_sentences_waiting(), 0);
    cfz_sentences_continue(&p.search);
    assert_int_equal(p.runs, 0);

    /* Nothing, "open", "open x", and "open x;", which is as the one before. */
    begin(&p, 0, "open x;", 7, 0);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 4);
    assert_int_equal(p.traced, 0);
    assert_int_equal(cfz_sentences_waiting(), 7);
    cfz_sentences_entry(&p.search); /* all of it is known */
    p.search.work = 1;

    /* Each is continued by everything; of that "open x as" is new, in turn, and then the sentence.
     */
    assert_int_equal(go_on(&p), READ_ON + SIGNS + WORDS);
    assert_int_equal(p.search.work, 7);
    assert_int_equal(p.traced, READ_ON);
    assert_int_equal(go_on(&p), READ_ON + SIGNS + WORDS);
    assert_false(p.is_news);
    assert_int_equal(go_on(&p), READ_ON + SIGNS + WORDS); /* open x */
    assert_int_equal(cfz_sentences_waiting(), 7);
    assert_int_equal(go_on(&p), READ_ON + SIGNS + WORDS);
    assert_true(p.is_news);
    assert_string_equal(last, "open x as list");

    /* Behind it nothing is read. */
    assert_int_equal(go_on(&p), READ_ON);
    assert_int_equal(cfz_sentences_waiting(), 0);
}

/* Amid other bytes a text has room for what fits. */
static void test_within(void **state)
{
    static struct program p;
    static const char text[] = "\1\2open           \3"; /* "open" and eleven blanks */

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, within), 0);
    finish(&p);
    begin(&p, 0, text, sizeof text - 1, 0);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 2); /* before "open", and behind it */
    assert_int_equal(p.v[0].len, sizeof text - 1);
    while (cfz_sentences_waiting() > 0)
        go_on(&p);
    assert_true(p.is_news);
    assert_string_equal(last, "open a as list ");
    assert_memory_equal(p.v[0].data, "\1\2", 2);
    assert_int_equal(p.v[0].data[sizeof text - 2], 3);

    /* Not in what is no text, or hardly one. */
    p.runs = 0;
    begin(&p, 0, "\1ab\2", 4, 0);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 0);
    assert_int_equal(program_begin(&p, mixed, 2, whole), 0);
    begin(&p, 1, "read", 4, 2);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 2); /* in the text behind the number: nothing, and "read" */
}

/* A set of each text's own. */
static void own_sets(struct program *p, const struct cfz_values *vs)
{
    const uint8_t *text = vs->v[0].data;
    const size_t len = vs->v[0].len;

    for (size_t i = 0; i < len; i++)
        program_equal(p, 0, text[i], 'a');
    p->search.states = cfz_text_hash(text, (uint32_t)len);
    snprintf(last, sizeof last, "%.*s", (int)len, (const char *)text);
    p->is_news |= len == 3 && text[2] == '}';
}

/* What brought coverage comes first, then what was found first; and not all can wait. */
static void test_order(void **state)
{
    static struct program p;

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, own_sets), 0);
    finish(&p);
    begin(&p, 0, "zz", 2, 2);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 1); /* the end: it began to differ there */
    go_on(&p);
    assert_true(p.is_news);
    p.search.words = NULL;
    p.limit = p.runs + 1;
    go_on(&p); /* ends at the first execution */
    assert_string_equal(last, "zz} aaaaaaaa");
    p.search.over = false;
    p.limit = p.runs + 1;
    go_on(&p);
    assert_string_equal(last, "zz! aaaaaaaa");

    /* More than there is room for. */
    p.limit = UINT64_MAX;
    p.search.over = false;
    for (int i = 0; i < 60; i++)
        assert_int_equal(go_on(&p), READ_ON + SIGNS);
    assert_true(cfz_sentences_waiting() > 0);
}

static char executed[READ_ON + SIGNS + WORDS][16];
static unsigned nexecuted;

static void note(struct program *p, const struct cfz_values *vs)
{
    snprintf(executed[nexecuted], sizeof executed[0], "%.*s", (int)vs->v[0].len,
             (const char *)vs->v[0].data);
    nexecuted = (nexecuted + 1) % (READ_ON + SIGNS + WORDS);
    own_sets(p, vs);
}

/* What is read behind it, signs, and of the words those that are text, the shortest first. A blank
 * keeps names apart. */
static void test_words(void **state)
{
    static struct program p;

    (void)state;
    assert_int_equal(program_begin(&p, bytes, 1, own_sets), 0);
    begin(&p, 0, "yy", 2, 2);
    cfz_sentences_entry(&p.search);
    assert_int_equal(p.runs, 1); /* the end: it began to differ there */
    p.body = note;
    assert_int_equal(go_on(&p), READ_ON + SIGNS + WORDS);
    assert_string_equal(executed[0], "yy aaaaaaaa");
    assert_string_equal(executed[1], "yy 11((,;)=");
    assert_string_equal(executed[READ_ON], "yy!");
    assert_string_equal(executed[READ_ON + SIGNS - 3], "yy\n");
    assert_string_equal(executed[READ_ON + SIGNS - 2], "yy a");
    assert_string_equal(executed[READ_ON + SIGNS - 1], "yy 1");
    assert_string_equal(executed[READ_ON + SIGNS], "yy as");
    assert_string_equal(executed[READ_ON + SIGNS + 1], "yy list");
    assert_string_equal(executed[READ_ON + SIGNS + 2], "yy open");
    assert_string_equal(executed[READ_ON + SIGNS + 3], "yy name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_order),
    };
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_words_map(&words, &err) < 0 || cfz_sentences_map(&err) < 0)
        return 1;
    cfz_words_add(words, (const uint8_t *)"list", 4, false);
    cfz_words_add(words, (const uint8_t *)"a\1", 2, false); /* no text */
    cfz_words_add(words, (const uint8_t *)"as", 2, false);
    cfz_words_add(words, (const uint8_t *)"a word that is too long to be tried", 35, false);
    cfz_words_add(words, (const uint8_t *)"open", 4, true);
    cfz_words_add(words, (const uint8_t *)"name", 4, false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
