/*
 * strlist_test.c - lists of strings, and lines to words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/strlist.h"

/* Joins the words with '|', so that a list is one string to compare. */
static const char *joined(const struct strlist *l)
{
    static char text[1000];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < l->n; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i > 0 ? "|" : "", l->v[i]);
    return text;
}

static const struct {
    const char *line, *words;
} word_cases[] = {
    {"", ""},
    {" \t ", ""},
    {"a", "a"},
    {" a  b\tc\r", "a|b|c"},
    {"'a b' c", "a b|c"},
    {"\"a b\"", "a b"},
    {"a'b c'd", "ab cd"},
    {"a\\ b", "a b"},
    {"\\'", "'"},
    {"'a\\b'", "a\\b"},
    {"\"a\\b\\\"c\\\\\"", "a\\b\"c\\"},
    {"-DS='\"x y\"'", "-DS=\"x y\""},
    {"a\\", "a\\"},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(word_cases) / sizeof(word_cases[0]); i++) {
        struct strlist l = STRLIST_INIT;

        assert_int_equal(strlist_split(&l, word_cases[i].line, strlen(word_cases[i].line), NULL),
                         0);
        assert_string_equal(joined(&l), word_cases[i].words);
        strlist_release(&l);
    }
}

static void test_empty_words(void **state)
{
    struct strlist l = STRLIST_INIT;

    (void)state;
    assert_int_equal(strlist_split(&l, "'' a \"\"", 7, NULL), 0);
    assert_int_equal(l.n, 3);
    assert_string_equal(l.v[0], "");
    assert_string_equal(l.v[2], "");
    assert_null(l.v[3]);
    strlist_release(&l);
}

static void test_words_refused(void **state)
{
    static const char *const bad[] = {"'a", "\"a", "a 'b", "\"a\\\""};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct strlist l = STRLIST_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;

        assert_int_equal(strlist_split(&l, bad[i], strlen(bad[i]), &err), -1);
        assert_string_equal(err.text, "unterminated quote");
        assert_int_equal(l.n, 0);
    }
}

/* Words are added behind what is there, or none of them. */
static void test_words_behind(void **state)
{
    struct strlist l = STRLIST_INIT;

    (void)state;
    assert_int_equal(strlist_add(&l, "first", NULL), 0);
    assert_int_equal(strlist_split(&l, "a b", 3, NULL), 0);
    assert_int_equal(strlist_split(&l, "c 'd", 4, NULL), -1);
    assert_int_equal(strlist_split(&l, "e f", 1, NULL), 0); /* len counts, not the NUL */
    assert_string_equal(joined(&l), "first|a|b|e");
    strlist_release(&l);
}

static void test_add(void **state)
{
    struct strlist l = STRLIST_INIT, more = STRLIST_INIT;

    (void)state;
    assert_null(l.v);
    assert_int_equal(strlist_add_all(&l, &more, NULL), 0); /* nothing */
    assert_null(l.v);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(strlist_addf(&l, NULL, "%d", i), 0);
        assert_int_equal(l.n, i + 1);
        assert_null(l.v[l.n]); /* an argv at any time */
    }
    assert_string_equal(joined(&l), "0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19");
    assert_int_equal(strlist_add(&more, "a", NULL), 0);
    assert_int_equal(strlist_add_all(&more, &l, NULL), 0);
    assert_int_equal(more.n, 21);
    assert_ptr_not_equal(more.v[1], l.v[0]); /* copies */
    assert_true(strlist_has(&more, "a"));
    assert_true(strlist_has(&more, "19"));
    assert_false(strlist_has(&more, "20"));
    assert_false(strlist_has(&more, ""));
    strlist_release(&more);
    assert_null(more.v);
    assert_int_equal(more.n, 0);
    strlist_release(&more); /* again does nothing */
    strlist_release(&l);
}

static void test_truncate(void **state)
{
    struct strlist l = STRLIST_INIT;

    (void)state;
    strlist_truncate(&l, 0);
    assert_int_equal(strlist_split(&l, "a b c", 5, NULL), 0);
    strlist_truncate(&l, 5); /* more than there is */
    assert_string_equal(joined(&l), "a|b|c");
    strlist_truncate(&l, 1);
    assert_string_equal(joined(&l), "a");
    assert_null(l.v[1]);
    strlist_truncate(&l, 0);
    assert_int_equal(l.n, 0);
    assert_null(l.v[0]);
    strlist_release(&l);
}

static void test_sort(void **state)
{
    static const char line[] = "b a aa \xc3\xa4 Z '' a";
    struct strlist l = STRLIST_INIT;

    (void)state;
    strlist_sort(&l);
    assert_int_equal(strlist_split(&l, line, strlen(line), NULL), 0);
    strlist_sort(&l);
    assert_string_equal(joined(&l), "|Z|a|a|aa|b|\xc3\xa4"); /* by bytes, unsigned */
    strlist_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),         cmocka_unit_test(test_empty_words),
        cmocka_unit_test(test_words_refused), cmocka_unit_test(test_words_behind),
        cmocka_unit_test(test_add),           cmocka_unit_test(test_truncate),
        cmocka_unit_test(test_sort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
