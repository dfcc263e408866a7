/*
 * Tests for core/dict.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/dict.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* The words of d, each as cfz_dict_write writes it and behind a blank. */
static char *shown(const struct cfz_dict *d)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    const uint8_t *word;
    size_t at = 0, n = 0;
    uint32_t len;

    assert_int_equal(cfz_buf_puts(&out, "", NULL), 0);
    while ((word = cfz_dict_next(d->packed.data, d->packed.len, &at, &len)) != NULL) {
        assert_int_equal(cfz_buf_puts(&out, " ", NULL), 0);
        assert_int_equal(cfz_dict_write(&out, word, len, NULL), 0);
        n++;
    }
    assert_int_equal(at, d->packed.len);
    assert_int_equal(n, d->n);
    return (char *)out.data;
}

static const struct {
    const char *text;
    size_t len;
    const char *want;
} good[] = {
    {TEXT(""), ""},
    {TEXT("\n\n  \t\n# \"x\"\n   # comment"), ""},
    {TEXT("\"GET\""), " \"GET\""},
    {TEXT("\"GET\"\n\"POST\"\n"), " \"GET\" \"POST\""},
    {TEXT("\"GET\"\r\n\r\nname=\"POST\" \t\r\n"), " \"GET\" \"POST\""},
    {TEXT("kw_1=\"a\"\n  kw-2.3 = \"b\"\nkw[3]=\"c\"\nkw \"d\"\n=\"e\""),
     " \"a\" \"b\" \"c\" \"d\" \"e\""},
    {TEXT("kw@0=\"a\"\nkw@12 = \"b\"\n@3=\"c\"\nkw@3\"d\""), " \"a\" \"b\" \"c\" \"d\""},
    /* ... and names, as libFuzzer has them */
    {TEXT("at_@media=\"@media\"\nkw@=\"a\"\n@=\"b\"\nkw@1x \"c\""),
     " \"@media\" \"a\" \"b\" \"c\""},
    {TEXT("\"\\\\\\\"\\x00\\xfF\\x41\""), " \"\\\\\\\"\\x00\\xffA\""},
    {TEXT("\" a\tb \""), " \" a\\x09b \""},
    {TEXT("\"a\"b\"\n\"\"\"\n\"#\" # \"b\""), " \"a\\\"b\" \"\\\"\" \"#\\\" # \\\"b\""},
    {TEXT("\"\xc3\xa4\xff\""), " \"\\xc3\\xa4\\xff\""},
    {TEXT("\"same\"\n\"same\"\n"), " \"same\" \"same\""},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct cfz_dict d = CFZ_DICT_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        char *text;

        if (cfz_dict_parse(good[i].text, good[i].len, &d, &err) < 0)
            fail_msg("%s: %s", good[i].text, err.text);
        text = shown(&d);
        assert_string_equal(text, good[i].want);
        free(text);
        cfz_dict_release(&d);
    }
}

static const struct {
    const char *text;
    size_t len;
    const char *why;
} bad[] = {
    {TEXT("GET"), "line 1, column 1: expected a word in quotes: \"value\" or name=\"value\""},
    {TEXT("\"a\"\n\n  kw=value\n"),
     "line 3, column 3: expected a word in quotes: \"value\" or name=\"value\""},
    {TEXT("kw="), "line 1, column 1: expected a word in quotes: \"value\" or name=\"value\""},
    {TEXT("kw=\"abc"), "line 1, column 8: expected \" at the end of the word"},
    {TEXT("\""), "line 1, column 2: expected \" at the end of the word"},
    {TEXT("\"abc\\\""), "line 1, column 7: expected \" at the end of the word"},
    {TEXT("\"a\" # why"), "line 1, column 5: expected the end of the line after the word"},
    {TEXT("\"a\",\n"), "line 1, column 4: expected the end of the line after the word"},
    {TEXT("kw=\"\""), "line 1, column 5: expected at least one byte between the quotes"},
    {TEXT("\"a\\n\""),
     "line 1, column 3: expected \\\\, \\\" or \\xNN with two hexadecimal digits"},
    {TEXT("\"\\x4\""),
     "line 1, column 2: expected \\\\, \\\" or \\xNN with two hexadecimal digits"},
    {TEXT("\"\\xg0\""),
     "line 1, column 2: expected \\\\, \\\" or \\xNN with two hexadecimal digits"},
    {TEXT("\"\\x0g\""),
     "line 1, column 2: expected \\\\, \\\" or \\xNN with two hexadecimal digits"},
    {TEXT("\"\\X00\""),
     "line 1, column 2: expected \\\\, \\\" or \\xNN with two hexadecimal digits"},
    {TEXT("\"a\0b\""), "line 1, column 3: expected \\x00 for this control character"},
    {TEXT("\"a\x7f\""), "line 1, column 3: expected \\x7f for this control character"},
    {TEXT("\"a\rb\""), "line 1, column 3: expected \\x0d for this control character"},
    {TEXT("k\0w=\"a\""), "line 1, column 2: expected a name without control characters"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct cfz_dict d = CFZ_DICT_INIT;
        struct cfz_error err = CFZ_ERROR_INIT;
        char *text;

        assert_int_equal(cfz_dict_add(&d, "before", 6, NULL), 0);
        assert_int_equal(cfz_dict_parse(bad[i].text, bad[i].len, &d, &err), -1);
        assert_int_equal(err.code, CFZ_EFORMAT);
        assert_string_equal(err.text, bad[i].why);
        text = shown(&d); /* nothing of a bad file was added */
        assert_string_equal(text, " \"before\"");
        free(text);
        cfz_dict_release(&d);
    }
}

/* A word of exactly CFZ_WORD_MAX bytes, and of one more. */
static void test_long(void **state)
{
    struct cfz_dict d = CFZ_DICT_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    char *text = malloc(CFZ_WORD_MAX + 4);

    (void)state;
    assert_non_null(text);
    memset(text, 'a', CFZ_WORD_MAX + 4);
    text[0] = '\n';
    text[1] = text[CFZ_WORD_MAX + 2] = '"';
    assert_int_equal(cfz_dict_parse(text, CFZ_WORD_MAX + 3, &d, &err), 0);
    assert_int_equal(d.packed.len, 4 + CFZ_WORD_MAX);
    text[CFZ_WORD_MAX + 2] = 'a';
    text[CFZ_WORD_MAX + 3] = '"';
    assert_int_equal(cfz_dict_parse(text, CFZ_WORD_MAX + 4, &d, &err), -1);
    assert_string_equal(err.text, "line 2, column 1: expected a word of at most 1048576 bytes");
    assert_int_equal(d.n, 1);
    free(text);
    cfz_dict_release(&d);
}

static void test_many(void **state)
{
    struct cfz_dict d = CFZ_DICT_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    char *word = calloc(1, CFZ_WORD_MAX);

    (void)state;
    assert_non_null(word);
    for (int i = 0; i < CFZ_DICT_WORDS_MAX; i++)
        assert_int_equal(cfz_dict_add(&d, "x", 1, &err), 0);
    assert_int_equal(cfz_dict_parse("\"y\"", 3, &d, &err), -1);
    assert_string_equal(err.text, "line 1: more than 16384 words");
    assert_int_equal(err.sys, ENOSPC);
    cfz_dict_release(&d);
    for (int i = 0; i < 15; i++)
        assert_int_equal(cfz_dict_add(&d, word, CFZ_WORD_MAX, &err), 0);
    assert_int_equal(cfz_dict_add(&d, word, CFZ_WORD_MAX, &err), -1);
    assert_string_equal(err.text, "words of more than 16777216 bytes together");
    assert_int_equal(err.sys, ENOSPC);
    assert_int_equal(cfz_dict_add(&d, word, 1000, &err), 0);
    free(word);
    cfz_dict_release(&d);
}

/* What is not a row of words is no word. */
static void test_next(void **state)
{
    static const uint8_t none[] = {0, 0, 0, 0, 'a'}, cut[] = {2, 0, 0, 0, 'a'};
    static const uint8_t high[] = {0xff, 0xff, 0xff, 0xff, 'a'};
    uint32_t len = 7;
    size_t at = 0;

    (void)state;
    assert_null(cfz_dict_next(none, sizeof none, &at, &len));
    assert_null(cfz_dict_next(cut, sizeof cut, &at, &len));
    assert_null(cfz_dict_next(high, sizeof high, &at, &len));
    assert_null(cfz_dict_next(cut, 3, &at, &len));
    assert_int_equal(at, 0);
    at = 6;
    assert_null(cfz_dict_next(cut, sizeof cut, &at, &len));
    assert_int_equal(len, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good), cmocka_unit_test(test_bad),  cmocka_unit_test(test_long),
        cmocka_unit_test(test_many), cmocka_unit_test(test_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
