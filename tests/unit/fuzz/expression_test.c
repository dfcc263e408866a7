/*
 * expression_test.c - which part of a source line a comparison is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/expression.h"

/* at: text that begins at the column of the comparison; NULL: no column is known. */
static const struct {
    const char *line, *at, *want;
} cases[] = {
    {"    if (n < 9)", "<", "n < 9"},
    {"    if (crc(data, n - 4) == get32(p + n - 4)) {",
     "==", "crc(data, n - 4) == get32(p + n - 4)"},
    {"  if (a == 1 && b[i == 2] != 3 || c)", "!=", "b[i == 2] != 3"},
    {"  if (a == 1 && b[i == 2] != 3 || c)", "== 1", "a == 1"},
    {"  if (a == 1 && b[i == 2] != 3 || c)", "== 2", "i == 2"},
    {"\treturn x >= y ? 1 : 0;", ">=", "x >= y"},
    {"    bool ok = flags == 0x5, other = 1;", "==", "flags == 0x5"},
    {"    for (size_t i = 0; i != n; i++)", "!=", "i != n"},
    {"    } else if (q->len <= 4) // not <= 5", "<=", "q->len <= 4"},
    {"    } else if (q->len <= 4) // not <= 5", "<= 5", "} else if (q->len <= 4) // not <= 5"},
    {"    while (c == '(' || s[0] == ')')", "== '('", "c == '('"},
    {"    if (strcmp(s, \"a)b\") == 0 && n)", "strcmp", "strcmp(s, \"a)b\")"},
    {"    if (!memcmp(p,", "memcmp", "memcmp(p, ..."},
    {"    if (digest(p, 4) ==", "==", "digest(p, 4) == ..."},
    {"    if (n >= 8 && /* it's \"it */ a[2] == 3)", "== 3", "/* it's \"it */ a[2] == 3"},
    {"    switch (get(p)[0]) {", "switch", "switch (get(p)[0])"},
    {"    if (n < 9)", "n", "if (n < 9)"}, /* neither an operator nor a call */
    {"    if (n < 9)", "(", "if (n < 9)"},
    {"    if (n < 9)", NULL, "if (n < 9)"},
    {"    x = y->z;", "->", "x = y->z;"},
    {"    if (returned == 3)", "==", "returned == 3"},
    {"", NULL, ""},
    {"   \t ", NULL, ""},
    {"<", "<", "< ..."},
    {"    if (\x1b"
     "c == 3)",
     "==",
     "\\x1b"
     "c == 3"}, /* an escape is shown, and not sent */
    {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901", NULL,
     "01234567890123456789012345678901234567890123456789012345678901234567890123456789 ..."},
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_buf out = CFZ_BUF_INIT;
        const char *at = cases[i].at ? strstr(cases[i].line, cases[i].at) : NULL;

        assert_int_equal(expression_in(cases[i].line, strlen(cases[i].line),
                                       at ? (unsigned)(at - cases[i].line) + 1 : 0, &out, NULL),
                         0);
        assert_string_equal(cfz_buf_str(&out), cases[i].want);
        cfz_buf_release(&out);
    }
}

/* Every column of every line, also behind its end. */
static void test_any_column(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned column = 0; column < 100; column++) {
            struct cfz_buf out = CFZ_BUF_INIT;
            size_t len = strlen(cases[i].line);
            char *copy = malloc(len + 1); /* ends where the line does */

            assert_non_null(copy);
            memcpy(copy, cases[i].line, len);
            assert_int_equal(expression_in(copy, len, column, &out, NULL), 0);
            free(copy);
            cfz_buf_release(&out);
        }
}

static void test_files(void **state)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(expression_read(CFZ_TEST_SOURCE_DIR "/tests/unit/fuzz", "expression_test.c", 2,
                                     0, 0, &out, NULL),
                     0);
    assert_string_equal(cfz_buf_str(&out),
                        "* expression_test.c - which part of a source line a comparison is.");
    cfz_buf_release(&out);
    assert_int_equal(expression_read("/", CFZ_TEST_SOURCE_DIR "/tests/unit/fuzz/expression_test.c",
                                     1, 0, 0, &out, NULL),
                     0);
    assert_string_equal(cfz_buf_str(&out), "/*");
    cfz_buf_truncate(&out, 0);
    assert_int_equal(expression_read("/", CFZ_TEST_SOURCE_DIR "/tests/unit/fuzz/expression_test.c",
                                     100000, 1, 0, &out, NULL),
                     0);
    assert_int_equal(expression_read("/", CFZ_TEST_SOURCE_DIR "/tests/unit/fuzz/expression_test.c",
                                     1, 0, 1, &out, NULL),
                     0); /* it was changed since then */
    assert_int_equal(expression_read("/nowhere", "none.c", 1, 1, 0, &out, NULL), 0);
    assert_int_equal(expression_read("/", "/dev/zero", 1, 1, 0, &out, NULL), 0);
    assert_int_equal(expression_read("/", "/", 1, 1, 0, &out, NULL), 0);
    assert_string_equal(cfz_buf_str(&out), "");
    cfz_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_any_column),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
