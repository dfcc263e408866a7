/*
 * suggest_test.c - which of several words is near to one that is not known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/suggest.h"

static const char *nearest(const char *word)
{
    static const char *const from[] = {"run", "fuzz", "fuzztime", "fuzzmaxlen", "seed", "n"};
    struct suggestion s = {.word = word, .len = strlen(word)};

    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++)
        suggest_offer(&s, from[i]);
    return s.best != NULL ? s.best : "";
}

static void test_nearest(void **state)
{
    char longest[66];

    (void)state;
    assert_string_equal(nearest("fuztime"), "fuzztime");   /* left out */
    assert_string_equal(nearest("fuzzztime"), "fuzztime"); /* added */
    assert_string_equal(nearest("fuzztine"), "fuzztime");  /* exchanged */
    assert_string_equal(nearest("fuzztiem"), "fuzztime");  /* swapped */
    assert_string_equal(nearest("FuzzTime"), "fuzztime");  /* case */
    assert_string_equal(nearest("fuzz-time"), "fuzztime");
    assert_string_equal(nearest("nur"), ""); /* two apart */
    assert_string_equal(nearest("fuzzmaxlength"), "fuzzmaxlen");
    assert_string_equal(nearest("fuz"), "fuzz");
    assert_string_equal(nearest("sees"), "seed");
    /* Nothing that is all different, and nothing for a single character. */
    assert_string_equal(nearest("x"), "");
    assert_string_equal(nearest(""), "");
    assert_string_equal(nearest("bogus"), "");
    memset(longest, 'f', 65);
    longest[65] = '\0';
    assert_string_equal(nearest(longest), "");
}

/* The word need not end where its length says. */
static void test_length(void **state)
{
    struct suggestion s = {.word = "fuztime=3s", .len = 7};

    (void)state;
    suggest_offer(&s, "fuzztime");
    assert_string_equal(s.best, "fuzztime");
    assert_int_equal(s.distance, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
