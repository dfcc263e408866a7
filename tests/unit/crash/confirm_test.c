/*
 * confirm_test.c - what confirming makes of executions, which are scripted.
 *
 * Wraps: trial_run
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "crash/confirm.h"
#include "scripted_trial.h"

static const struct {
    const char *script;
    unsigned runs;
    bool sure;
    const char *text;
} decisions[] = {
    {"f", 1, true, ""},
    {"pppp", 4, false, "flaky: it did not fail again, 4 times in fresh processes"},
    {"pfpp", 4, false, "flaky: it failed 1 of 4 times in fresh processes"},
    {"pfff", 4, false, "flaky: it failed 3 of 4 times in fresh processes"},
    {"pv", 2, false, "flaky: it did not fail again, 1 time in fresh processes"},
    {"v", 1, false, ""},
    {"oooo", 4, false, "flaky: in a fresh process it fails in another way: Aborted at url.c:41"},
    {"ofpo", 4, false, "flaky: it failed 1 of 4 times in fresh processes"},
};

static const struct crash_signature found = {.class = CRASH_FAILED};

static void test_decisions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++) {
        struct confirmation c;
        struct trial t = {.patience = PATIENCE_FULL};
        char text[CONFIRM_TEXT];

        start(decisions[i].script, NULL);
        assert_int_equal(confirm_run(&t, NULL, &found, 7, &c, NULL), 0);
        assert_int_equal(runs, decisions[i].runs);
        assert_int_equal(fresh_runs, runs);
        assert_int_equal(last_hang_ns, 7);
        assert_int_equal(confirm_sure(&c), decisions[i].sure);
        assert_string_equal(confirm_flaky(&c, text), decisions[i].text);
    }
}

static void test_confirm_ends(void **state)
{
    struct confirmation c;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct trial t = {.patience = PATIENCE_NONE};
    char text[CONFIRM_TEXT];

    (void)state;
    start("", NULL);
    assert_int_equal(confirm_run(&t, NULL, &found, 7, &c, NULL), 0);
    assert_int_equal(runs, 0);
    assert_string_equal(confirm_flaky(&c, text), "");
    t.patience = PATIENCE_CONFIRM; /* enough for that */
    start("pe", NULL);
    assert_int_equal(confirm_run(&t, NULL, &found, 7, &c, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_confirm_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
