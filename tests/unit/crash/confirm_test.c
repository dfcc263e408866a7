/*
 * confirm_test.c - what confirming and minimizing make of executions, which are scripted.
 *
 * Wraps: trial_run
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "crash/confirm.h"
#include "crash/crash_minimize.h"

/* ---- the executions -------------------------------------------------------- */

static const char *script; /* one letter each: p passes, f fails, v void, e an error */
static unsigned runs, fresh_runs;
static bool (*judge)(const struct cfz_values *vs,
                     struct trial_outcome *out); /* when script is NULL */
static int64_t last_hang_ns;

int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err);

int __wrap_trial_run(struct trial *t, const struct cfz_values *vs, bool fresh, int64_t hang_ns,
                     struct trial_outcome *out, struct cfz_error *err)
{
    (void)t;
    runs++;
    fresh_runs += fresh;
    last_hang_ns = hang_ns;
    *out = (struct trial_outcome){.verdict = TRIAL_PASSED};
    if (script == NULL) {
        if (judge(vs, out))
            out->verdict = TRIAL_DIED;
        return 0;
    }
    switch (*script++) {
    case 'p':
        return 0;
    case 'f':
        out->verdict = TRIAL_FAILED;
        return 0;
    case 'v':
        out->verdict = TRIAL_VOID;
        return 0;
    default:
        return cfz_fail(err, CFZ_EINTERNAL, "no more");
    }
}

static void start(const char *s)
{
    script = s;
    runs = fresh_runs = 0;
}

/* ---- confirming -------------------------------------------------------------- */

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
};

static void test_decisions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++) {
        struct confirmation c;
        const bool ended = false;
        char text[128];

        start(decisions[i].script);
        assert_int_equal(confirm_run(NULL, NULL, 7, &ended, &c, NULL), 0);
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
    bool ended = true;
    char text[128];

    (void)state;
    start("");
    assert_int_equal(confirm_run(NULL, NULL, 7, &ended, &c, NULL), 0);
    assert_int_equal(runs, 0);
    assert_string_equal(confirm_flaky(&c, text), "");
    ended = false;
    start("pe");
    assert_int_equal(confirm_run(NULL, NULL, 7, &ended, &c, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
}

/* ---- minimizing ---------------------------------------------------------------- */

static bool ended;
static unsigned end_after; /* runs */

/* Dies at one place from 3 bytes on, at another from 1 on. */
static bool two_bugs(const struct cfz_values *vs, struct trial_outcome *out)
{
    ended = runs == end_after;
    out->id.class = CRASH_SIGNAL;
    out->id.place = vs->v[0].len >= 3 ? 1 : 2;
    return vs->v[0].len >= 1;
}

static uint64_t died_ns;

/* Dies after that time. */
static bool takes_time(const struct cfz_values *vs, struct trial_outcome *out)
{
    (void)vs;
    out->ns = died_ns;
    return true;
}

/* Minimizes 40 bytes; the result's length. */
static size_t minimize(struct crash_minimizing *m)
{
    const struct trial_outcome shown = {.verdict = TRIAL_DIED,
                                        .id = {.class = CRASH_SIGNAL, .place = 1}};
    struct cfz_values vs = CFZ_VALUES_INIT;
    char bytes[40];
    size_t len;

    memset(bytes, 'x', sizeof bytes);
    assert_int_equal(
        cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), bytes, sizeof bytes, NULL), 0);
    start(NULL);
    judge = two_bugs;
    ended = false;
    m->shown = &shown;
    m->ended = &ended;
    m->hang_ns = INT64_C(10000000000);
    m->tries = m->accepted = 0;
    assert_int_equal(crash_minimize(NULL, m, &vs, NULL), 0);
    assert_int_equal(m->tries, runs);
    len = vs.v[0].len;
    cfz_values_release(&vs);
    return len;
}

static void test_same_crash(void **state)
{
    struct crash_minimizing m = {.limit = {.kind = LIMIT_TIME, .ns = INT64_C(60000000000)}};

    (void)state;
    end_after = 0;
    assert_int_equal(minimize(&m), 3);
    assert_int_equal(fresh_runs, 0); /* a worker that lives is used again */
    assert_true(last_hang_ns < m.hang_ns);
}

static void test_limits(void **state)
{
    struct crash_minimizing m = {.limit = {.kind = LIMIT_COUNT, .count = 5}};

    (void)state;
    end_after = 0;
    assert_in_range(minimize(&m), 3, 39); /* what was reached is kept */
    assert_int_equal(m.tries, 5);
    m.limit = (struct fuzz_limit){.kind = LIMIT_NONE};
    assert_int_equal(minimize(&m), 40);
    assert_int_equal(m.tries, 0);
    m.limit = (struct fuzz_limit){.kind = LIMIT_TIME, .ns = 1};
    assert_int_equal(minimize(&m), 40);
    assert_int_equal(m.tries, 0);
    /* Ctrl-C during the fourth try */
    m.limit.ns = INT64_C(60000000000);
    end_after = 4;
    assert_in_range(minimize(&m), 3, 39);
    assert_int_equal(m.tries, 4);
}

/* The limit of the second of two tries, when the input itself took shown_ns and the first try,
 * which died, first_ns. */
static int64_t second_limit(enum trial_verdict verdict, uint64_t shown_ns, uint64_t first_ns)
{
    const struct trial_outcome shown = {
        .verdict = verdict, .ns = shown_ns, .id = {.class = CRASH_SIGNAL, .place = 1}};
    bool never = false;
    struct crash_minimizing m = {.shown = &shown,
                                 .limit = {.kind = LIMIT_COUNT, .count = 2},
                                 .hang_ns = INT64_C(10000000000),
                                 .ended = &never};
    struct cfz_values vs = CFZ_VALUES_INIT;

    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), "abcd", 4, NULL), 0);
    start(NULL);
    judge = takes_time;
    died_ns = first_ns;
    assert_int_equal(crash_minimize(NULL, &m, &vs, NULL), 0);
    assert_int_equal(runs, 2);
    cfz_values_release(&vs);
    return last_hang_ns / 1000000;
}

static void test_hang_limit(void **state)
{
    const uint64_t ms = 1000000;

    (void)state;
    assert_int_equal(second_limit(TRIAL_DIED, 0, 0), 400); /* it hung */
    assert_int_equal(second_limit(TRIAL_DIED, 2 * ms, ms), 400);
    assert_int_equal(second_limit(TRIAL_DIED, 700 * ms, ms), 2800);
    assert_int_equal(second_limit(TRIAL_DIED, 0, 300 * ms), 1200);
    assert_int_equal(second_limit(TRIAL_FAILED, 100 * ms, ms), 2000);
    assert_int_equal(second_limit(TRIAL_FAILED, 700 * ms, ms), 10000); /* never more than asked */
}

static void test_run_breaks(void **state)
{
    const struct trial_outcome shown = {.verdict = TRIAL_FAILED};
    bool never = false;
    struct crash_minimizing m = {.shown = &shown,
                                 .limit = {.kind = LIMIT_COUNT, .count = 100},
                                 .hang_ns = 1,
                                 .ended = &never};
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), "abcd", 4, NULL), 0);
    start("pfe");
    assert_int_equal(crash_minimize(NULL, &m, &vs, &err), -1);
    assert_string_equal(err.text, "no more");
    assert_int_equal(vs.v[0].len, 2); /* the best so far */
    cfz_values_release(&vs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),  cmocka_unit_test(test_confirm_ends),
        cmocka_unit_test(test_same_crash), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_hang_limit), cmocka_unit_test(test_run_breaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
