/*
 * symbolizer_test.c - the question to llvm-symbolizer, with a script in its place, and walks
 * through answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stack/symbolizer.h"

/* Each answer as "<address>:<function>@<place> " for each frame. */
static const struct {
    const char *name, *answer, *want;
} walks[] = {
    {"nothing", "", ""},
    {"one", "f\n/p/a.c:1:2\n\n", "0:f@/p/a.c:1:2 "},
    {"two addresses", "f\n/p/a.c:1:2\n\ng\n/p/a.c:3:4\n\n", "0:f@/p/a.c:1:2 1:g@/p/a.c:3:4 "},
    {"inlined functions are of one address", "digit\n/a:1:1\nparse\n/a:2:2\n\nmain\n/a:3:3\n\n",
     "0:digit@/a:1:1 0:parse@/a:2:2 1:main@/a:3:3 "},
    {"a place that is not known is empty, a function is not", "f\n??:0:0\n\n??\n??:0\n\n",
     "0:f@ 1:??@ "},
    {"a file may have any name but one with a line end", "f\n/p q/?? a.c:1:2\n",
     "0:f@/p q/?? a.c:1:2 "},
    {"the last line end is missing", "f\n/a:1:1", "0:f@/a:1:1 "},
    {"cut before the place", "f\n/a:1:1\n\ng\n", "0:f@/a:1:1 1:g@ "},
    {"cut within the function", "f\n/a:1:1\n\ng", "0:f@/a:1:1 "},
    {"only empty lines", "\n\n\n", ""},
};

static void test_walk(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof walks / sizeof walks[0]; i++) {
        struct symbolizer_walk w = {.at = walks[i].answer};
        struct symbolizer_frame f;
        char got[256];
        int n = 0;

        got[0] = '\0';
        while (symbolizer_next(&w, &f))
            n += snprintf(got + n, sizeof got - (size_t)n, "%u:%.*s@%.*s ", f.address,
                          (int)f.function_len, f.function, (int)f.place_len, f.place);
        if (strcmp(got, walks[i].want) != 0)
            fail_msg("%s: got \"%s\", want \"%s\"", walks[i].name, got, walks[i].want);
        assert_false(symbolizer_next(&w, &f)); /* and stays at the end */
    }
}

static int ask(const char *program, struct cfz_buf *answer, struct cfz_error *err)
{
    struct strlist questions = STRLIST_INIT;
    int ret;

    assert_int_equal(strlist_add(&questions, "\"/p q/a\" 0x12", NULL), 0);
    assert_int_equal(strlist_add(&questions, "0x0", NULL), 0);
    ret = symbolizer_ask(program, &questions, answer, err);
    strlist_release(&questions);
    return ret;
}

static void test_ask(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_buf answer = CFZ_BUF_INIT;

    (void)state;
    /* Its arguments, as they are; what it answers is appended. */
    assert_int_equal(cfz_buf_puts(&answer, "before ", NULL), 0);
    assert_int_equal(ask("/bin/echo", &answer, &err), 0);
    assert_string_equal(cfz_buf_str(&answer), "before --output-style=LLVM \"/p q/a\" 0x12 0x0\n");

    assert_int_equal(ask("/bin/false", &answer, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "/bin/false: failed");
    err = (struct cfz_error)CFZ_ERROR_INIT;
    assert_int_equal(ask("/does/not/exist", &answer, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_string_equal(err.text, "/does/not/exist: No such file or directory");
    cfz_buf_release(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_ask),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
