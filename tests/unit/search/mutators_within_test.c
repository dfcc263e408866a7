/*
 * mutators_within_test.c - a text amid other bytes is edited and stays as long as it was; scripted
 * draws, exact results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search/mutator.h"
#include "search/mutators.h"
#include "search/words.h"

enum { DRAWS = 8, INSERT = 0, REMOVE = 128 }; /* the latter: draws that choose one */

/* "xyz " before all, and the first four bytes removed. */
static bool insert(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r;
    if (v->len + 4 > limit)
        return false;
    memmove(v->data + 4, v->data, v->len);
    memcpy(v->data, "xyz ", 4);
    v->len += 4;
    return true;
}

static bool take_out(struct cfz_rand *r, struct cfz_value *v, uint64_t limit)
{
    (void)r;
    (void)limit;
    memmove(v->data, v->data + 4, v->len - 4);
    v->len -= 4;
    return true;
}

static const struct cfz_mutation two[] = {{"insert", 0, insert, NULL},
                                          {"take out", 4, take_out, NULL}};

struct change {
    const char *in;
    size_t n;
    uint32_t draws[DRAWS];
    size_t used;
    const char *want; /* NULL: it declines */
};

static void change(const struct change *c, enum cfz_kind kind, struct cfz_words *words,
                   unsigned bools)
{
    static struct cfz_learning learning;
    struct cfz_mutator m = {.max_len = c->n, .learning = &learning, .words = words};
    struct cfz_rand_script script = {.draws = c->draws, .n = DRAWS, .bools = bools};
    uint8_t *block = malloc(c->n); /* so that a sanitizer sees a byte too far */
    struct cfz_value v = {.kind = kind, .data = block, .len = c->n, .cap = c->n};
    struct cfz_values vs = {&v, 1, 1};
    struct cfz_rand r;

    assert_non_null(block);
    memcpy(block, c->in, c->n);
    cfz_learning_init(&learning);
    cfz_learning_replace(&learning, two, 2);
    cfz_rand_init(&r, 0, 1);
    r.script = &script;
    assert_int_equal(cfz_bytes_within(&(struct cfz_among){&r, &vs, 0, c->n, NULL, NULL, &m}),
                     c->want != NULL);
    assert_int_equal(script.used, c->used);
    assert_int_equal(v.len, c->n);
    assert_ptr_equal(v.data, block);
    assert_memory_equal(block, c->want ? c->want : c->in, c->n);
    free(block);
}

#define FILE_OF(text) "\0\1" text "\2\3"

static void test_edits(void **state)
{
    static const struct change all[] = {
        /* place, edits - 1, mutation, where it is made to fit */
        {FILE_OF("one two three"), 17, {4, 0, INSERT, 4}, 4, FILE_OF("xyz two three")},
        {FILE_OF("one two three"), 17, {4, 0, INSERT, 9}, 4, FILE_OF("xyz one three")},
        {FILE_OF("one two three"), 17, {4, 0, INSERT, 17}, 4, FILE_OF("xyz one two  ")},
        {FILE_OF("one two three"), 17, {4, 0, REMOVE, 0}, 4, FILE_OF("    two three")},
        {FILE_OF("one two three"), 17, {4, 0, REMOVE, 6}, 4, FILE_OF("two     three")},
        {FILE_OF("one two three"), 17, {4, 0, REMOVE, 9}, 4, FILE_OF("two three    ")},
        /* two edits */
        {FILE_OF("one two three"), 17, {4, 1, REMOVE, REMOVE, 0}, 5, FILE_OF("        three")},
        /* it was as long as before, and as it was: nothing was changed */
        {FILE_OF("xyz two three"), 17, {4, 1, REMOVE, INSERT}, 4, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        change(&all[i], CFZ_KIND_BYTES, NULL, 0);
}

static void test_where(void **state)
{
    static const char around[] = "abcdefgh\0short\0\0ijklmnop\0";
    static const struct change all[] = {
        {around, 25, {3, 0, REMOVE, 0}, 4, "    efgh\0short\0\0ijklmnop\0"},
        {around,
         25,
         {9, 0, REMOVE, 0},
         4,
         "abcdefgh\0short\0\0    mnop\0"}, /* what is short is passed over */
        {around, 25, {23, 0, REMOVE, 0}, 4, "abcdefgh\0short\0\0    mnop\0"},
        {around, 25, {24, 0, REMOVE, 0}, 4, "    efgh\0short\0\0ijklmnop\0"}, /* round the end */
        {"abcdefghijklmnop", 16, {3}, 1, NULL},                               /* all of it */
        {"abcdefg\0abcdefg\0", 16, {3}, 1, NULL},
        {"\0\0\0\0\0\0\0\0", 8, {7}, 1, NULL},
    };
    char longest[1100];

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        change(&all[i], CFZ_KIND_BYTES, NULL, 0);
    change(&(struct change){.in = around, .n = 25}, CFZ_KIND_STRING, NULL, 0);
    memset(longest, 'a', sizeof longest);
    longest[1025] = 0;
    change(&(struct change){longest, sizeof longest, {3}, 1, NULL}, CFZ_KIND_BYTES, NULL, 0);
}

static void test_words(void **state)
{
    /* place, edits - 1; the boolean is true: the word, r(1); overwriting, at; it fits */
    static const struct change c = {
        FILE_OF("one two three"), 17, {4, 0, 0, 2, 4}, 5, FILE_OF("one WORDthree")};
    static const struct change other = {
        FILE_OF("one two three"), 17, {4, 0, REMOVE, 0}, 4, FILE_OF("    two three")};
    struct cfz_words words = {0};
    struct cfz_error err;

    (void)state;
    assert_int_equal(cfz_words_map(&words.table, &err), 0);
    change(&other, CFZ_KIND_BYTES, &words, 1); /* there is no word */
    cfz_words_add(words.table, (const uint8_t *)"WORD", 4, false);
    change(&c, CFZ_KIND_BYTES, &words, 1);
    assert_int_equal(words.nused, 1);
    assert_int_equal(words.wait, 0); /* those that have their turn are as far away as before */
    change(&other, CFZ_KIND_BYTES, &words, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
