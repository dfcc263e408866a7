/*
 * environment_test.c - whose sanitizer options win.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sanitizers.h"
#include "process/environment.h"

static const struct environment_use plain;

/* The value of name in env, which must be there exactly once. */
static const char *value_of(const struct strlist *env, const char *name)
{
    const char *found = NULL;
    size_t len = strlen(name);

    for (size_t i = 0; i < env->n; i++) {
        if (strncmp(env->v[i], name, len) == 0 && env->v[i][len] == '=') {
            assert_null(found);
            found = env->v[i] + len + 1;
        }
    }
    assert_non_null(found);
    return found;
}

static void test_order(void **state)
{
    struct strlist l = STRLIST_INIT;

    (void)state;
    assert_int_equal(environment_options("A", "d=1", NULL, "f=1", &l, NULL), 0);
    assert_int_equal(environment_options("B", "d=1", "u=2", "f=1", &l, NULL), 0);
    assert_int_equal(environment_options("C", "d=1", "", NULL, &l, NULL), 0);
    assert_string_equal(l.v[0], "A=d=1:f=1");
    assert_string_equal(l.v[1], "B=d=1:u=2:f=1");
    assert_string_equal(l.v[2], "C=d=1");
    strlist_release(&l);
}

static void test_whole(void **state)
{
    struct strlist env = STRLIST_INIT;
    const char *asan;

    (void)state;
    setenv("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=0", 1);
    setenv("CFUZZ_TEST_VARIABLE", "kept", 1);
    assert_int_equal(environment_for_target("/usr/bin/llvm-symbolizer", NULL, plain, &env, NULL),
                     0);
    assert_string_equal(value_of(&env, "CFUZZ_TEST_VARIABLE"), "kept");
    asan = value_of(&env, "ASAN_OPTIONS");
    /* A later option wins: the user's over our default, ours over what we depend on. */
    assert_true(strstr(asan, "detect_leaks=1") < strstr(asan, "detect_leaks=0"));
    assert_non_null(strstr(asan, "leak_check_at_exit=0"));
    assert_true(strstr(asan, "abort_on_error=0") < strstr(asan, "abort_on_error=1"));
    assert_non_null(strstr(asan, "external_symbolizer_path=/usr/bin/llvm-symbolizer"));
    assert_non_null(strstr(value_of(&env, "UBSAN_OPTIONS"), "halt_on_error=1"));
    assert_non_null(strstr(value_of(&env, "TSAN_OPTIONS"), "die_after_fork=0"));
    assert_true(strstr(asan, "handle_abort=0") > strstr(asan, "abort_on_error=0"));
    strlist_release(&env);
    /* Behind libFuzzer's command line, the user says whether abort() is reported. */
    setenv("ASAN_OPTIONS", "handle_abort=1", 1);
    assert_int_equal(environment_for_target(
                         NULL, NULL, (struct environment_use){.reports_abort = true}, &env, NULL),
                     0);
    assert_non_null(strstr(value_of(&env, "ASAN_OPTIONS"), "handle_abort=1"));
    assert_null(strstr(value_of(&env, "ASAN_OPTIONS"), "handle_abort=0"));
    strlist_release(&env);
    unsetenv("ASAN_OPTIONS");
    unsetenv("CFUZZ_TEST_VARIABLE");
}

/* Without a symbolizer of ours, and for suppressions, sanitizers look names up themselves. */
static void test_symbolize(void **state)
{
    static const char *const names[] = {"ASAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS",
                                        "UBSAN_OPTIONS"};
    static const struct {
        const char *symbolizer, *user;
        bool bare;
    } cases[] = {
        {"/usr/bin/llvm-symbolizer", NULL, true},
        {"/usr/bin/llvm-symbolizer", "history_size=1", true},
        {"/usr/bin/llvm-symbolizer", "suppressions=/p/url.supp", false},
        {"/a:b/llvm-symbolizer", NULL, false},
        {NULL, NULL, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct strlist env = STRLIST_INIT;

        if (cases[i].user != NULL)
            setenv("TSAN_OPTIONS", cases[i].user, 1);
        assert_int_equal(environment_for_target(cases[i].symbolizer, NULL, plain, &env, NULL), 0);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            assert_int_equal(strstr(value_of(&env, names[k]), ":symbolize=0") != NULL,
                             cases[i].bare);
        assert_int_equal(strstr(value_of(&env, "TSAN_OPTIONS"), "stack_trace_format=DEFAULT") !=
                             NULL,
                         cases[i].bare);
        strlist_release(&env);
        unsetenv("TSAN_OPTIONS");
    }
}

/* Fuzzing has a quarantine of its own, unless the harness or the user says. */
static void test_quarantine(void **state)
{
    static char harness[] = "ASAN_OPTIONS=quarantine_size_mb=64";
    static char *v[] = {harness, NULL};
    const struct strlist settings = {.v = v, .n = 1};
    const struct environment_use fuzzes = {.fuzzes = true};
    struct strlist env = STRLIST_INIT;
    const char *asan;

    (void)state;
    assert_int_equal(environment_for_target("/s", NULL, plain, &env, NULL), 0);
    assert_null(strstr(value_of(&env, "ASAN_OPTIONS"), "quarantine_size_mb"));
    strlist_release(&env);
    for (int symbolizer = 0; symbolizer < 2; symbolizer++) {
        setenv("ASAN_OPTIONS", "quarantine_size_mb=128", 1);
        assert_int_equal(
            environment_for_target(symbolizer ? "/s" : NULL, &settings, fuzzes, &env, NULL), 0);
        asan = value_of(&env, "ASAN_OPTIONS");
        assert_non_null(strstr(asan, ":quarantine_size_mb=10:"));
        assert_true(strstr(asan, "mb=10:") < strstr(asan, "mb=64:"));
        assert_true(strstr(asan, "mb=64:") < strstr(asan, "mb=128:"));
        assert_null(strstr(value_of(&env, "MSAN_OPTIONS"), "quarantine_size_mb"));
        strlist_release(&env);
        unsetenv("ASAN_OPTIONS");
    }
}

/* A new sanitizer needs a line here too: ASAN_OPTIONS for -asan. */
static void test_every_sanitizer(void **state)
{
    struct strlist env = STRLIST_INIT;

    (void)state;
    assert_int_equal(environment_for_target(NULL, NULL, plain, &env, NULL), 0);
    for (size_t i = 0; i < sanitizers_count; i++) {
        char name[32];

        snprintf(name, sizeof name, "%s_OPTIONS", sanitizers_all[i].flag);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)toupper((unsigned char)*c);
        assert_non_null(strstr(value_of(&env, name), "abort_on_error=1"));
    }
    strlist_release(&env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),           cmocka_unit_test(test_whole),
        cmocka_unit_test(test_symbolize),       cmocka_unit_test(test_quarantine),
        cmocka_unit_test(test_every_sanitizer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
