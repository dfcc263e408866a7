/*
 * executor_test.c - how user functions are entered and left: verdicts, logs, cleanups in
 * their order, what is undone; with one fuzz test whose act the input chooses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define CFUZZ_TEST
#include <cfuzz.h>

#include "core/protocol.h"
#include "target/executor.h"

/* What happened, in order: one letter for each thing. */
static char trace[256];
static char temp_dir[512];

static void note(const char *what)
{
    strncat(trace, what, sizeof trace - strlen(trace) - 1);
}

static void cleanup_note(void *arg)
{
    note(arg);
}

static cfuzz_t *current; /* cleanups get an argument of their own */

#line 100 "act.c"
static void cleanup_fatal(void *arg)
{
    note(arg);
    cfuzz_fatal(current, "in a cleanup");
    note("!");
}

static void cleanup_adds(void *arg)
{
    note(arg);
    cfuzz_cleanup(current, cleanup_note, (void *)"+");
}

static void cleanup_env(void *arg)
{
    (void)arg;
    note(getenv("CFZ_EXECUTOR_TEST")); /* still that of the test */
}

FUZZ_SETUP(FuzzAct)(cfuzz_f *f)
{
    note("s");
    cfuzz_f_cleanup(f, cleanup_note, (void *)"1");
    cfuzz_f_cleanup(f, cleanup_note, (void *)"2");
    cfuzz_add(f, CFUZZ_BYTES("one"), 1);
    cfuzz_add(f, CFUZZ_BYTES(""), -2);
    cfuzz_f_log(f, "two seeds");
}

FUZZ_TEST(FuzzAct, [] byte, int)(cfuzz_t *t, const uint8_t *data, size_t len, int n)
{
    current = t;
    for (size_t i = 0; i < len; i++) {
        switch (data[i]) {
        case 'a':
            cfuzz_cleanup(t, cleanup_note, (void *)"a");
            break;
        case 'b':
            cfuzz_cleanup(t, cleanup_note, (void *)"b");
            break;
        case 'F':
            cfuzz_cleanup(t, cleanup_fatal, (void *)"F");
            break;
        case '+':
            cfuzz_cleanup(t, cleanup_adds, (void *)"A");
            break;
        case 'm':
            for (int k = 0; k < n; k++)
                cfuzz_cleanup(t, cleanup_note, (void *)"m");
            break;
        case 'l':
            cfuzz_log(t, "n is %d\nand more", n);
            break;
        case 'e':
            cfuzz_error(t, "error");
            break;
        case 'f':
            cfuzz_fatal(t, "fatal");
            break;
        case 's':
            cfuzz_skip(t, "skip");
            break;
        case 'v':
            cfuzz_setenv(t, "CFZ_EXECUTOR_TEST", "inner");
            cfuzz_cleanup(t, cleanup_env, NULL);
            break;
        case 't':
            snprintf(temp_dir, sizeof temp_dir, "%s", cfuzz_temp_dir(t));
            break;
        case 'k':
            if (fork() == 0)
                return; /* comes back from the test: ends there */
            wait(NULL);
            break;
        case '?':
            note(cfuzz_failed(t) ? "(failed)" : cfuzz_skipped(t) ? "(skipped)" : "(fine)");
            break;
        default:
            break;
        }
    }
    note(".");
}
#line 125 "executor_test.c"

static struct cfz_executor *const x = &cfz_executor;
static struct cfz_error err;
static struct cfz_values seeds[4];
static size_t nseeds;

static int take_seed(void *ctx, const struct cfz_values *vs, struct cfz_error *e)
{
    (void)ctx;
    if (nseeds == 4)
        return cfz_fail(e, CFZ_EIO, "no room for seeds");
    return cfz_values_copy(&seeds[nseeds++], vs, e);
}

static int start(void **state)
{
    const struct cfz_test *tests;
    size_t n;
    int fd;

    (void)state;
    if (cfz_registry_load(&tests, &n, &err) < 0 || n != 1 ||
        cfz_proc_shm_new(tests[0].nslots, &x->shm, &fd, &err) < 0 ||
        cfz_slots_reserve(&x->slots, tests[0].kinds, tests[0].n, &err) < 0 ||
        cfz_slots_attach(&x->slots, x->shm, fd, &err) < 0)
        return -1;
    close(fd);
    x->test = tests;
    x->shm->pid = getpid();
    snprintf(x->shm->name, sizeof x->shm->name, "FuzzAct/x");
    return cfz_executor_begin(x, &err);
}

static int reset(void **state)
{
    (void)state;
    trace[0] = 0;
    return 0;
}

static enum cfz_verdict run(const char *acts, int n)
{
    trace[0] = 0;
    cfz_slots_bytes(&x->slots, 0, (const uint8_t *)acts, strlen(acts));
    cfz_slots_scalar(&x->slots, 1, (uint64_t)n);
    return cfz_executor_run(x);
}

static const char *log_text(void)
{
    static char text[CFZ_LOG_MAX + 1];

    memcpy(text, x->shm->log, x->shm->log_len);
    text[x->shm->log_len] = 0;
    return text;
}

static void test_setup(void **state)
{
    (void)state;
    assert_int_equal(cfz_executor_setup(x, take_seed, NULL), CFZ_VERDICT_PASS);
    assert_string_equal(trace, "s"); /* its cleanups come when all of it is over */
    assert_string_equal(log_text(), "act.c:126: two seeds\n");
    assert_int_equal(x->shm->state, CFZ_STATE_IDLE);
    assert_int_equal(nseeds, 2);
    assert_int_equal(seeds[0].v[0].len, 3);
    assert_int_equal(seeds[0].v[1].bits, 1);
    assert_int_equal(seeds[1].v[0].len, 0);
    assert_int_equal(seeds[1].v[1].bits, (uint64_t)-2);
    assert_int_equal(cfz_executor_setup_done(x), CFZ_VERDICT_PASS);
    assert_string_equal(trace, "s21");
    assert_string_equal(log_text(), "");
    assert_int_equal(cfz_executor_setup_done(x), CFZ_VERDICT_PASS);
    assert_string_equal(trace, "s21"); /* once */
    for (size_t i = 0; i < nseeds; i++)
        cfz_values_release(&seeds[i]);
}

static void test_verdicts(void **state)
{
    static const struct {
        const char *acts;
        enum cfz_verdict verdict;
        const char *trace, *log;
    } cases[] = {
        {"", CFZ_VERDICT_PASS, ".", ""},
        {"l", CFZ_VERDICT_PASS, ".", "act.c:151: n is 7\n    and more\n"},
        {"", CFZ_VERDICT_PASS, ".", ""}, /* nothing of the run before */
        {"?e?", CFZ_VERDICT_FAIL, "(fine)(failed).", "act.c:154: error\n"},
        {"f?", CFZ_VERDICT_FAIL, "", "act.c:157: fatal\n"},
        {"s?", CFZ_VERDICT_SKIP, "", "act.c:160: skip\n"},
        {"es", CFZ_VERDICT_FAIL, "", "act.c:154: error\nact.c:160: skip\n"},
        {"?", CFZ_VERDICT_PASS, "(fine).", ""},
        /* Cleanups: last first, after any way out. */
        {"ab", CFZ_VERDICT_PASS, ".ba", ""},
        {"abbf", CFZ_VERDICT_FAIL, "bba", "act.c:157: fatal\n"},
        {"bas", CFZ_VERDICT_SKIP, "ab", "act.c:160: skip\n"},
        /* One that fails keeps none of the others from running. */
        {"aFb", CFZ_VERDICT_FAIL, ".bFa", "act.c:103: in a cleanup\n"},
        {"aFFf", CFZ_VERDICT_FAIL, "FFa",
         "act.c:157: fatal\nact.c:103: in a cleanup\nact.c:103: in a cleanup\n"},
        {"a+b", CFZ_VERDICT_PASS, ".bA+a", ""},
        {"a", CFZ_VERDICT_PASS, ".a", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t before = x->shm->execs;
        enum cfz_verdict verdict = run(cases[i].acts, 7);

        if (verdict != cases[i].verdict || strcmp(trace, cases[i].trace) != 0 ||
            strcmp(log_text(), cases[i].log) != 0)
            fail_msg("\"%s\": verdict %d, \"%s\", log \"%s\"", cases[i].acts, (int)verdict, trace,
                     log_text());
        assert_int_equal(x->shm->execs, before + 1);
        assert_int_equal(x->shm->state, CFZ_STATE_ENGINE);
        assert_int_equal(x->t.scope.nundo, 0);
        assert_false(x->t.scope.active);
    }
}

static void test_number_of_cleanups(void **state)
{
    (void)state;
    assert_int_equal(run("m", CFZ_CLEANUPS_MAX), CFZ_VERDICT_PASS);
    assert_int_equal(strlen(trace), 1 + CFZ_CLEANUPS_MAX);
    assert_int_equal(run("m", CFZ_CLEANUPS_MAX + 1), CFZ_VERDICT_FAIL);
    assert_string_equal(log_text(), "cleanup: more than 64 in one run\n");
    assert_int_equal(strlen(trace), CFZ_CLEANUPS_MAX); /* those that there are run */
}

static void test_environment_is_restored(void **state)
{
    (void)state;
    unsetenv("CFZ_EXECUTOR_TEST");
    assert_int_equal(run("v", 0), CFZ_VERDICT_PASS);
    assert_string_equal(trace, ".inner");
    assert_null(getenv("CFZ_EXECUTOR_TEST"));
    setenv("CFZ_EXECUTOR_TEST", "outer", 1);
    assert_int_equal(run("vvf", 0), CFZ_VERDICT_FAIL);
    assert_string_equal(getenv("CFZ_EXECUTOR_TEST"), "outer");
    unsetenv("CFZ_EXECUTOR_TEST");
}

static void test_temp_dir_is_removed(void **state)
{
    struct stat st;

    (void)state;
    assert_int_equal(run("tf", 0), CFZ_VERDICT_FAIL);
    assert_int_equal(temp_dir[0], '/');
    assert_int_equal(stat(temp_dir, &st), -1);
}

/* A process that the target forked and that returns from the test is not the worker. */
static void test_forked_process_ends(void **state)
{
    (void)state;
    assert_int_equal(run("ka", 0), CFZ_VERDICT_PASS);
    assert_string_equal(trace, ".a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_setup, reset),  cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_number_of_cleanups),  cmocka_unit_test(test_environment_is_restored),
        cmocka_unit_test(test_temp_dir_is_removed), cmocka_unit_test(test_forked_process_ends),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}
