/*
 * crash_minimize_test.c - what minimizing a failing input makes of executions, which are scripted.
 *
 * Wraps: trial_run trial_run_several
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "core/protocol.h"
#include "crash/crash_minimize.h"
#include "scripted_trial.h"

static struct trial trial;
static unsigned end_after; /* runs */
static unsigned messages;  /* for several inputs */
static bool refuses;       /* ... of which nothing is known then */

int __wrap_trial_run_several(struct trial *t, const void *inputs, size_t len, size_t n,
                             int64_t hang_ns, size_t *passed, struct trial_outcome *out,
                             struct cfz_error *err);

/* Executes them by judge; those behind three are left for the next message. */
int __wrap_trial_run_several(struct trial *t, const void *inputs, size_t len, size_t n,
                             int64_t hang_ns, size_t *passed, struct trial_outcome *out,
                             struct cfz_error *err)
{
    static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES};
    const uint8_t *at = inputs;

    messages++;
    *passed = 0;
    *out = (struct trial_outcome){.verdict = TRIAL_VOID};
    assert_true(n > 1 && len <= CFZ_MSG_TEXT_MAX);
    if (script != NULL || refuses)
        return 0;
    for (size_t i = 0; i < n && i < 3 && t->patience == PATIENCE_FULL; i++) {
        struct cfz_values vs = CFZ_VALUES_INIT;
        uint64_t size;
        bool died;

        memcpy(&size, at, sizeof size);
        at += sizeof size;
        assert_int_equal(cfz_values_unpack(&vs, kinds, 1, at, size, err), 0);
        at += size;
        assert_true(at <= (const uint8_t *)inputs + len);
        runs++;
        last_hang_ns = hang_ns;
        died = judge(&vs, out);
        cfz_values_release(&vs);
        if (died) {
            out->verdict = TRIAL_DIED;
            return 0;
        }
        *out = (struct trial_outcome){.verdict = TRIAL_VOID};
        ++*passed;
    }
    return 0;
}

/* Dies at one place from 3 bytes on, at another from 1 on. */
static bool two_bugs(const struct cfz_values *vs, struct trial_outcome *out)
{
    if (runs == end_after)
        trial.patience = PATIENCE_CONFIRM;
    out->signature.class = CRASH_SIGNAL;
    out->signature.place = vs->v[0].len >= 3 ? 1 : 2;
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
                                        .signature = {.class = CRASH_SIGNAL, .place = 1}};
    struct cfz_values vs = CFZ_VALUES_INIT;
    char bytes[40];
    size_t len;

    memset(bytes, 'x', sizeof bytes);
    assert_int_equal(
        cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), bytes, sizeof bytes, NULL), 0);
    start(NULL, two_bugs);
    trial = (struct trial){.patience = PATIENCE_FULL};
    m->shown = &shown;
    m->hang_ns = INT64_C(10000000000);
    m->tries = m->accepted = 0;
    messages = 0;
    assert_int_equal(crash_minimize(&trial, m, &vs, NULL), 0);
    assert_int_equal(m->tries, runs);
    assert_false(trial.minimizing);
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

/* Dies with two bytes, 'x' and then 'y', among 40. */
static bool two_of_many(const struct cfz_values *vs, struct trial_outcome *out)
{
    const uint8_t *data = vs->v[0].data, *x;
    size_t len = vs->v[0].len;

    out->signature.class = CRASH_SIGNAL;
    out->signature.place = 1;
    x = len > 0 ? memchr(data, 'x', len) : NULL;
    return x != NULL && memchr(x, 'y', len - (size_t)(x - data)) != NULL;
}

/* Candidates that are refused come together: the result and the tries are the same as one by one,
 * and what was executed was asked for. */
static void test_several_at_once(void **state)
{
    const struct trial_outcome shown = {.verdict = TRIAL_DIED,
                                        .signature = {.class = CRASH_SIGNAL, .place = 1}};
    struct crash_minimizing m = {
        .shown = &shown, .limit = {.kind = LIMIT_COUNT, .count = 10000}, .hang_ns = 1};
    uint64_t tries[2], accepted[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct cfz_values vs = CFZ_VALUES_INIT;
        char bytes[40];

        refuses = i == 1;
        memset(bytes, 'z', sizeof bytes);
        bytes[11] = 'x';
        bytes[30] = 'y';
        assert_int_equal(
            cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), bytes, sizeof bytes, NULL),
            0);
        start(NULL, two_of_many);
        trial = (struct trial){.patience = PATIENCE_FULL};
        m.tries = m.accepted = 0;
        messages = 0;
        assert_int_equal(crash_minimize(&trial, &m, &vs, NULL), 0);
        assert_int_equal(vs.v[0].len, 2);
        assert_memory_equal(vs.v[0].data, "xy", 2);
        assert_int_equal(m.tries, runs);
        tries[i] = m.tries;
        accepted[i] = m.accepted;
        if (!refuses)
            assert_in_range(messages, 1, runs / 2);
        cfz_values_release(&vs);
    }
    refuses = false;
    assert_int_equal(tries[0], tries[1]);
    assert_int_equal(accepted[0], accepted[1]);
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
    /* The time is up during the fourth try. */
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
        .verdict = verdict, .ns = shown_ns, .signature = {.class = CRASH_SIGNAL, .place = 1}};
    struct crash_minimizing m = {.shown = &shown,
                                 .limit = {.kind = LIMIT_COUNT, .count = 2},
                                 .hang_ns = INT64_C(10000000000)};
    struct cfz_values vs = CFZ_VALUES_INIT;

    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), "abcd", 4, NULL), 0);
    start(NULL, takes_time);
    trial = (struct trial){.patience = PATIENCE_FULL};
    died_ns = first_ns;
    assert_int_equal(crash_minimize(&trial, &m, &vs, NULL), 0);
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
    struct crash_minimizing m = {
        .shown = &shown, .limit = {.kind = LIMIT_COUNT, .count = 100}, .hang_ns = 1};
    struct cfz_values vs = CFZ_VALUES_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    assert_int_equal(cfz_value_set_bytes(cfz_values_push(&vs, CFZ_KIND_BYTES), "abcd", 4, NULL), 0);
    start("pfe", NULL);
    trial = (struct trial){.patience = PATIENCE_FULL};
    assert_int_equal(crash_minimize(&trial, &m, &vs, &err), -1);
    assert_string_equal(err.text, "no more");
    assert_int_equal(vs.v[0].len, 2); /* the best so far */
    cfz_values_release(&vs);
}

static void test_limit_of_one(void **state)
{
    const uint64_t s = 1000000000;
    struct options opt = {.fuzzminimizetime = {.kind = LIMIT_TIME, .ns = 60 * (int64_t)s}};

    (void)state;
    assert_int_equal(crash_minimize_limit(&opt, 0, 0).ns, 5 * s);
    assert_int_equal(crash_minimize_limit(&opt, 70 * s, 0).ns, 7 * s);
    assert_int_equal(crash_minimize_limit(&opt, 10000 * s, 0).ns, 60 * s);
    /* Others took a fifth of the time, and more than that. */
    assert_int_equal(crash_minimize_limit(&opt, 70 * s, 14 * s).ns, 7 * s);
    assert_int_equal(crash_minimize_limit(&opt, 70 * s, 14 * s + 1).ns, s);
    assert_int_equal(crash_minimize_limit(&opt, 10000 * s, 2001 * s).ns, s);
    opt.minimize_given = true;
    assert_int_equal(crash_minimize_limit(&opt, 0, s).ns, 60 * s);
    opt.minimize_given = false;
    opt.fuzzminimizetime.ns = (int64_t)s / 2; /* what is shorter stays */
    assert_int_equal(crash_minimize_limit(&opt, 70 * s, 60 * s).ns, s / 2);
    opt.fuzzminimizetime.kind = LIMIT_NONE; /* libFuzzer's command line */
    assert_int_equal(crash_minimize_limit(&opt, 0, 0).kind, LIMIT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_crash), cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_hang_limit),
        cmocka_unit_test(test_run_breaks), cmocka_unit_test(test_limit_of_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
