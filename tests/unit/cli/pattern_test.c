/*
 * pattern_test.c - how patterns are split, what they match, which are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cli/pattern.h"
#include "cli/pattern_split.h"

/* Elements are shown as in "<A> <B> or <C>". */
static const struct {
    const char *pattern;
    const char *pieces;
} splits[] = {
    {"", "<>"},
    {"/", "<> <>"},
    {"//", "<> <> <>"},
    {"A", "<A>"},
    {"A/B", "<A> <B>"},
    {"A/B/", "<A> <B> <>"},
    {"/A/B/", "<> <A> <B> <>"},
    {"[A]/(B)", "<[A]> <(B)>"},
    {"[/]/[/]", "<[/]> <[/]>"},
    {"[/]/[:/]", "<[/]> <[:/]>"},
    {"/]", "<> <]>"},
    {"]/", "<]> <>"},
    {"]/[/]", "<]> <[/]>"},
    {"([)/][(])", "<([)/][(])>"},
    {"[(]/[)]", "<[(]> <[)]>"},
    {"A/B|C/D", "<A> <B> or <C> <D>"},
    {"A|", "<A> or <>"},
    {"(A|B)/C", "<(A|B)> <C>"},
    {"[|]", "<[|]>"},
    {"a\\/b", "<a\\/b>"},
    {"a\\|b/c", "<a\\|b> <c>"},
    {"a\\", "<a\\>"},
    /* Faulty ones keep a faulty element. */
    {")/", "<)/>"},
    {")/(/)", "<)/(> <)>"},
    {"a[/)b", "<a[/)b>"},
    {"(/]", "<(/]>"},
    {"(/", "<(/>"},
    {"[/]/[/", "<[/]> <[/>"},
    {"\\p{/}", "<\\p{> <}>"},
    {"\\p/", "<\\p> <>"},
    {"[[:/:]]", "<[[:/:]]>"},
};

static void test_split(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(splits) / sizeof(splits[0]); i++) {
        struct pattern_pieces pieces = PATTERN_PIECES_INIT;
        char text[200] = "";
        size_t len = 0;

        assert_int_equal(pattern_split(splits[i].pattern, &pieces, NULL), 0);
        for (size_t k = 0; k < pieces.n; k++) {
            const struct pattern_piece *p = &pieces.v[k];
            const char *between = k == 0                                          ? ""
                                  : p->alternative == pieces.v[k - 1].alternative ? " "
                                                                                  : " or ";

            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s<%.*s>", between,
                                    (int)p->len, p->s);
        }
        assert_string_equal(text, splits[i].pieces);
        pattern_pieces_release(&pieces);
    }
}

static const char *const invalid[] = {
    ")/", ")/(/)", "a[/)b", "(/]", "(/",    "[/]/[/",  "\\p{/}", "[[:/:]]",
    "(",  "A|(",   "a**",   "\\",  "[b-a]", "(?P<n>a", "\xff",
};

static void test_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        struct pattern *p = NULL;

        if (pattern_new("run", invalid[i], &p, &err) == 0)
            fail_msg("\"%s\": accepted", invalid[i]);
        assert_null(p);
        assert_int_equal(err.code, CFZ_EFORMAT);
    }
}

static void test_error_text(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct pattern *p = NULL;

    (void)state;
    assert_int_equal(pattern_new("run", "(", &p, &err), -1);
    assert_string_equal(
        err.text, "invalid regexp for element 0 of -run (\"(\"): missing closing parenthesis");
    assert_int_equal(pattern_new("fuzz", "A/[", &p, &err), -1);
    assert_string_equal(err.text, "invalid regexp for element 1 of -fuzz (\"[\"): missing "
                                  "terminating ] for character class");
    assert_int_equal(pattern_new("run", "A|B/(", &p, &err), -1);
    assert_string_equal(err.text, "invalid regexp for element 1 of alternative 1 of -run (\"(\"): "
                                  "missing closing parenthesis");
}

static const struct {
    const char *pattern, *name;
    bool match, partial;
} matches[] = {
    {"", "TestFoo", true, false},
    {"TestFoo", "TestFoo", true, false},
    {"TestFoo/", "TestFoo", true, true},
    {"TestFoo/bar/baz", "TestFoo", true, true},
    {"TestFoo", "TestBar", false, false},
    {"TestFoo/", "TestBar", false, false},
    {"TestFoo/bar/baz", "TestBar/bar/baz", false, false},
    {"", "TestFoo/x", true, false},
    {"TestFoo", "TestFoo/x", true, false},
    {"TestFoo/", "TestFoo/x", true, false},
    {"TestFoo/bar/baz", "TestFoo/bar", true, true},
    {"TestFoo/bar/baz", "TestFoo/bar/baz", true, false},
    {"TestFoo/bar/baz", "TestFoo/x", false, false},
    {"A/B|C/D", "TestA/B", true, false},
    {"A/B|C/D", "TestC/D", true, false},
    {"A/B|C/D", "TestA/C", false, false},
    {"/", "TestFoo/x", true, false},
    {"./", "TestFoo/x", true, false},
    {"./.", "TestFoo/x", true, false},
    {"/bar/baz", "TestFoo/bar", true, true},
    {"/bar/baz", "TestFoo/bar/baz", true, false},
    {"//baz", "TestFoo/bar/baz", true, false},
    {"//", "TestFoo/bar/baz", true, false},
    {"//foo", "TestFoo/bar/baz", false, false},
    {"/bar/baz", "TestFoo/x", false, false},
    {"/bar/baz", "TestBar/x/bar/baz", false, false},
    /* Ours: the names of seeds are taken as they are. */
    {"FuzzX/seed#1", "FuzzX/seed#1", true, false},
    {"FuzzX/^seed#1$", "FuzzX/seed#10", false, false},
    {"FuzzX/a b", "FuzzX/a b", true, false},
    {"^FuzzX$", "FuzzXY", false, false},
    {"FuzzX/^.$", "FuzzX/\xc3\xa9", true, false},
    {"FuzzX/b",
     "FuzzX/\xff\xfe"
     "b",
     true, false},
    {"FuzzX/x$", "FuzzX/x\n", false, false},
};

static void test_match(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
        struct pattern *p = NULL;
        bool partial = true, match;

        assert_int_equal(pattern_new("run", matches[i].pattern, &p, NULL), 0);
        match = pattern_match(p, matches[i].name, &partial);
        if (match != matches[i].match || partial != matches[i].partial)
            fail_msg("%s on %s: match %d, partial %d", matches[i].pattern, matches[i].name, match,
                     partial);
        pattern_free(p);
    }
}

static void test_no_pattern_matches_all(void **state)
{
    bool partial = true;

    (void)state;
    assert_true(pattern_match(NULL, "FuzzX/a", &partial));
    assert_false(partial);
    assert_true(pattern_match_top(NULL, "FuzzX"));
    pattern_free(NULL);
}

static void test_top(void **state)
{
    struct pattern *p = NULL;

    (void)state;
    assert_int_equal(pattern_new("fuzz", "A/x|B", &p, NULL), 0);
    assert_true(pattern_match_top(p, "FuzzA"));
    assert_true(pattern_match_top(p, "FuzzB"));
    assert_false(pattern_match_top(p, "FuzzC"));
    pattern_free(p);
}

/* -skip leaves out what matches as a whole; a test is run for those of its seeds that stay. */
static void test_skips(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool skips;
    } cases[] = {
        {"FuzzA", "FuzzA", true},          {"FuzzA", "FuzzA/seed#0", true},
        {"FuzzA", "FuzzB", false},         {"FuzzA/x", "FuzzA", false},
        {"FuzzA/x", "FuzzA/x", true},      {"FuzzA/x", "FuzzA/y", false},
        {"FuzzA/x|FuzzB", "FuzzA", false}, {"FuzzA/x|FuzzB", "FuzzB", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pattern *p = NULL;

        assert_int_equal(pattern_new("skip", cases[i].pattern, &p, NULL), 0);
        if (pattern_skips(p, cases[i].name) != cases[i].skips)
            fail_msg("%s on %s", cases[i].pattern, cases[i].name);
        pattern_free(p);
    }
    assert_false(pattern_skips(NULL, "FuzzA"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_error_text),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_no_pattern_matches_all),
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_skips),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
