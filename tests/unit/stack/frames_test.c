/*
 * frames_test.c - stacks as the user reads them, and whose a frame is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stack/frames.h"

/* ---- printing --------------------------------------------------------------- */

/*
 * A stack in short: a letter is a frame of that function, '?' one that is not known, a digit as
 * many frames that were skipped.
 */
static const struct {
    const char *name, *stack, *want;
} prints[] = {
    {"nothing", "", ""},
    {"numbers", "abc", "#0 a\n#1 b\n#2 c\n"},
    {"twice", "aab", "#0 a\n   and 1 more of the same\n#2 b\n"},
    {"to the end", "abbbb", "#0 a\n#1 b\n   and 3 more of the same\n"},
    {"two", "ababc", "#0 a\n#1 b\n   and 1 time more these 2\n#4 c\n"},
    {"two, and half of a third", "ababac", "#0 a\n#1 b\n   and 1 time more these 2\n#4 a\n#5 c\n"},
    {"three, three times", "abcabcabc", "#0 a\n#1 b\n#2 c\n   and 2 times more these 3\n"},
    {"not next to each other", "abcad", "#0 a\n#1 b\n#2 c\n#3 a\n#4 d\n"},
    {"one after the other", "aabbc",
     "#0 a\n   and 1 more of the same\n#2 b\n   and 1 more of the same\n#4 c\n"},
    {"the shortest of what covers the same", "aaaab", "#0 a\n   and 3 more of the same\n#4 b\n"},
    {"the longer stretch wins", "aabaabc", "#0 a\n#1 a\n#2 b\n   and 1 time more these 3\n#6 c\n"},
    {"skipped", "a9b", "#0 a\n   ... 9 frames left out\n#10 b\n"},
    {"skipped frames repeat nothing", "a9a", "#0 a\n   ... 9 frames left out\n#10 a\n"},
    {"skipped in a recursion", "aa7aab",
     "#0 a\n   and 1 more of the same\n   ... 7 frames left out\n#9 a\n   and 1 more of the "
     "same\n#11 b\n"},
    {"skipped twice", "99a", "   ... 9 frames left out\n   ... 9 frames left out\n#18 a\n"},
    {"unknown in the middle", "a?b", "#0 a\n#1 ??\n#2 b\n"},
    {"unknown at the end", "a???", "#0 a\n"},
    {"only unknown", "???", "#0 ??\n"},
    {"unknown behind skipped ones", "a3??", "#0 a\n   ... 3 frames left out\n"},
};

static void add(struct frames *f, char c)
{
    if (c >= '0' && c <= '9')
        assert_int_equal(frames_skip(f, (uint64_t)(c - '0'), NULL), 0);
    else if (c == '?')
        assert_int_equal(frames_add(f, "??", 2, "??:0:0", 6, "/p", NULL), 0);
    else
        assert_int_equal(frames_add(f, &c, 1, "", 0, "/p", NULL), 0);
}

static void test_print(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++) {
        struct frames f = FRAMES_INIT;
        struct cfz_buf out = CFZ_BUF_INIT;

        for (const char *c = prints[i].stack; *c != '\0'; c++)
            add(&f, *c);
        assert_int_equal(frames_print(&f, &out, NULL), 0);
        if (strcmp(cfz_buf_str(&out), prints[i].want) != 0)
            fail_msg("%s: got\n%swant\n%s", prints[i].name, cfz_buf_str(&out), prints[i].want);
        frames_release(&f);
        cfz_buf_release(&out);
    }
}

/* A recursion of period functions, three turns of it, between an innermost and an outermost frame.
 */
static void add_recursion(struct frames *f, unsigned period)
{
    add(f, 'x');
    for (unsigned i = 0; i < 3 * period; i++)
        add(f, (char)('a' + i % period));
    add(f, 'y');
}

/* Up to 16 functions are folded; more stay as they are. */
static void test_periods(void **state)
{
    (void)state;
    for (unsigned period = 1; period <= 17; period++) {
        struct frames f = FRAMES_INIT;
        struct cfz_buf out = CFZ_BUF_INIT, want = CFZ_BUF_INIT;

        add_recursion(&f, period);
        assert_int_equal(frames_print(&f, &out, NULL), 0);
        cfz_buf_puts(&want, "#0 x\n", NULL);
        for (unsigned i = 0; i < (period > 16 ? 3 * period : period); i++)
            cfz_buf_printf(&want, NULL, "#%u %c\n", 1 + i, 'a' + (int)(i % period));
        if (period == 1)
            cfz_buf_puts(&want, "   and 2 more of the same\n", NULL);
        else if (period <= 16)
            cfz_buf_printf(&want, NULL, "   and 2 times more these %u\n", period);
        cfz_buf_printf(&want, NULL, "#%u y\n", 1 + 3 * period);
        assert_string_equal(cfz_buf_str(&out), cfz_buf_str(&want));
        frames_release(&f);
        cfz_buf_release(&out);
        cfz_buf_release(&want);
    }
}

/* ---- places ----------------------------------------------------------------- */

static const struct {
    const char *place, *want;
} places[] = {
    {"/p/a.c:3:7", "f a.c:3:7"},
    {"/p/sub/a.c:3:7", "f sub/a.c:3:7"},
    {"/pp/a.c:3:7", "f /pp/a.c:3:7"},
    {"/other/p/a.c:3:7", "f /other/p/a.c:3:7"},
    {"/p", "f /p"},
    {"/p/", "f /p/"},
    {"a.c:3:7", "f a.c:3:7"},
    {"/p/a.c:3:0", "f a.c:3"}, /* no column */
    {"/p/a.c:0:0", "f a.c"},   /* no line either */
    {"/p/a.c:0:33", "f a.c"},  /* several lines made one */
    {"/p/a.c:10:33", "f a.c:10:33"},
    {"/p/a.c:30", "f a.c:30"},
    {"??:0:0", "f"},
    {"??", "f"},
    {"", "f"},
};

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct frames f = FRAMES_INIT;

        assert_int_equal(
            frames_add(&f, "f", 1, places[i].place, strlen(places[i].place), "/p", NULL), 0);
        assert_string_equal(f.v[0].text, places[i].want);
        frames_release(&f);
    }
}

static void test_shorten(void **state)
{
    const char *place = "/p/a.c";
    size_t len = strlen(place);

    (void)state;
    assert_false(frames_shorten(&place, &len, "/q"));
    assert_false(frames_shorten(&place, &len, "/p/a.c"));
    assert_false(frames_shorten(&place, &len, "/p/a.c/longer/than/it"));
    assert_string_equal(place, "/p/a.c");
    assert_int_equal(len, 6);
    assert_true(frames_shorten(&place, &len, "/p"));
    assert_string_equal(place, "a.c");
    assert_int_equal(len, 3);
}

/* ---- whose a frame is ------------------------------------------------------- */

static void test_is_runtime(void **state)
{
    static const char *const ours[] = {
        "cfuzz_call_FuzzX", "ffi_call",      "ffi_call_unix64",        "cfz_call_invoke",
        "cfz_executor_run", "cfz_worker",    "cfz_worker_main",        "cfz_host_run",
        "cfz_origin",       "cfz_origin_x1", "__libc_start_call_main", "__libc_start_ca",
    };
    static const char *const theirs[] = {
        "",          "FuzzX",        "parse",       "main",        "cfz_encoding_parse",
        "cfz_buf_x", "cfuzz_setup_", "xcfz_worker", "cfuzz_error", "__libc_start_main",
        "cfz_hos",
    };

    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        assert_true(frames_is_runtime(ours[i], strlen(ours[i])));
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
        assert_false(frames_is_runtime(theirs[i], strlen(theirs[i])));
    assert_false(frames_is_runtime("cfz_worker", 9)); /* len counts */
}

static void test_is_test(void **state)
{
    static const struct {
        const char *function;
        bool is;
    } cases[] = {
        {"FuzzX", true},
        {"cfuzz_setup_FuzzX", true},
        {"FuzzXY", false},
        {"Fuzz", false},
        {"xFuzzX", false},
        {"cfuzz_setup_", false},
        {"cfuzz_setup_Fuzz", false},
        {"cfuzz_call_FuzzX", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(frames_is_test(cases[i].function, strlen(cases[i].function), "FuzzX"),
                         cases[i].is);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print),      cmocka_unit_test(test_periods),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_shorten),
        cmocka_unit_test(test_is_runtime), cmocka_unit_test(test_is_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
