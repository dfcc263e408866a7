/*
 * shell_test.c - words as a shell reads them: by example, and by asking one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/shell.h"
#include "base/strlist.h"
#include "base/subprocess.h"

static const struct {
    const char *word, *quoted;
} cases[] = {
    {"parse.c", "parse.c"},
    {"-I../include", "-I../include"},
    {"-Wl,--export=a:b@%+", "-Wl,--export=a:b@%+"},
    {"", "''"},
    {"a b", "'a b'"},
    {"-DX=\"y z\"", "'-DX=\"y z\"'"},
    {"it's", "'it'\\''s'"},
    {"'", "''\\'''"},
    {"$HOME", "'$HOME'"},
    {"`id`", "'`id`'"},
    {"a\\b", "'a\\b'"},
    {"a;b&c|d>e<f(g)", "'a;b&c|d>e<f(g)'"},
    {"*?[a]~#!", "'*?[a]~#!'"},
    {"two\nlines", "'two\nlines'"},
    {"\xc3\xa4\xff", "'\xc3\xa4\xff'"},
};

enum { NCASES = sizeof cases / sizeof cases[0] };

static void test_quote(void **state)
{
    (void)state;
    for (size_t i = 0; i < NCASES; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;

        assert_int_equal(cfz_buf_puts(&out, "x ", NULL), 0);
        assert_int_equal(shell_quote(&out, cases[i].word, NULL), 0);
        assert_int_equal(strncmp(cfz_buf_str(&out), "x ", 2), 0);
        assert_string_equal(cfz_buf_str(&out) + 2, cases[i].quoted);
        cfz_buf_release(&out);
    }
}

/* strlist_split reads them back. */
static void test_split(void **state)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    struct strlist words = STRLIST_INIT;

    (void)state;
    for (size_t i = 0; i < NCASES; i++) {
        assert_int_equal(shell_quote(&line, cases[i].word, NULL), 0);
        assert_int_equal(cfz_buf_puts(&line, " ", NULL), 0);
    }
    assert_int_equal(strlist_split(&words, cfz_buf_str(&line), line.len, NULL), 0);
    assert_int_equal(words.n, NCASES);
    for (size_t i = 0; i < NCASES; i++)
        assert_string_equal(words.v[i], cases[i].word);
    strlist_release(&words);
    cfz_buf_release(&line);
}

/* So does a shell: printf prints each of its words between angles. */
static void test_shell(void **state)
{
    struct cfz_buf line = CFZ_BUF_INIT, want = CFZ_BUF_INIT, got = CFZ_BUF_INIT;
    const char *argv[] = {"/bin/sh", "-c", NULL, NULL};
    struct subprocess p = {.argv = argv, .out = &got};
    int status;

    (void)state;
    assert_int_equal(cfz_buf_puts(&line, "printf '<%s>'", NULL), 0);
    for (size_t i = 0; i < NCASES; i++) {
        assert_int_equal(cfz_buf_puts(&line, " ", NULL), 0);
        assert_int_equal(shell_quote(&line, cases[i].word, NULL), 0);
        assert_int_equal(cfz_buf_printf(&want, NULL, "<%s>", cases[i].word), 0);
    }
    argv[2] = cfz_buf_str(&line);
    assert_int_equal(subprocess_run(&p, &status, NULL), 0);
    assert_int_equal(status, 0);
    assert_string_equal(cfz_buf_str(&got), cfz_buf_str(&want));
    cfz_buf_release(&line);
    cfz_buf_release(&want);
    cfz_buf_release(&got);
}

/* What must not be printed as it is; a shell that knows $'...' reads it back. */
static void test_shown(void **state)
{
    static const struct {
        const char *word, *shown;
    } words[] = {
        {"a b", "'a b'"},
        {"été", "'été'"},
        {"", "''"},
        {"a\nok", "$'a\\012ok'"},
        {"\x1b[1'\\1", "$'\\033[1\\047\\1341'"},
        {"\xe2\x80\xae"
         "1",
         "$'\\342\\200\\2561'"},
        {"\t\xff", "$'\\011\\377'"},
    };
    const char *argv[] = {"/bin/bash", "-c", NULL, NULL};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct cfz_buf line = CFZ_BUF_INIT, got = CFZ_BUF_INIT;
        struct subprocess p = {.argv = argv, .out = &got};
        int status;

        assert_int_equal(cfz_buf_puts(&line, "printf %s ", NULL), 0);
        assert_int_equal(shell_quote_shown(&line, words[i].word, NULL), 0);
        assert_string_equal(cfz_buf_str(&line) + strlen("printf %s "), words[i].shown);
        argv[2] = cfz_buf_str(&line);
        if (access("/bin/bash", X_OK) == 0) {
            assert_int_equal(subprocess_run(&p, &status, NULL), 0);
            assert_string_equal(cfz_buf_str(&got), words[i].word);
        }
        cfz_buf_release(&line);
        cfz_buf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_shell),
        cmocka_unit_test(test_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
