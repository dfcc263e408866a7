/*
 * worker_test.c - a test binary from outside: origin, hosts, workers, without a driver.
 *
 * Takes the binary of target.c, in any of its builds, as its argument; what a build
 * cannot do (no counters, ThreadSanitizer without handlers) it finds out by HELLO. With
 * -bench it prints executions per second instead.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "driver_end.h"

static const char *binary;
static struct origin origin;

static bool built_with(unsigned flags)
{
    return origin.hello.u.hello.build & flags;
}

static bool any_sanitizer(void)
{
    return built_with(CFZ_BUILD_ASAN | CFZ_BUILD_MSAN | CFZ_BUILD_TSAN | CFZ_BUILD_UBSAN);
}

static int setup(void **state)
{
    (void)state;
    origin_start(&origin, binary);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    origin_stop(&origin);
    return 0;
}

static void worker_of(struct session *s, const char *test)
{
    session_start(s, &origin, test, NULL, NULL);
    worker_start(s);
}

/* ---- origin and hosts ---------------------------------------------------------------- */

static void test_hello(void **state)
{
    (void)state;
    assert_int_equal(origin.hello.u.hello.abi, CFUZZ_ABI);
    assert_int_equal(origin.hello.u.hello.shm_version, CFZ_SHM_VERSION);
    assert_int_equal(origin.hello.u.hello.ntests, 12);
    assert_string_equal(origin.tests[0].name, "FuzzEmpty"); /* in the order of lines */
    assert_string_equal(origin.tests[1].name, "FuzzDepth");
    assert_string_equal(origin.tests[2].name, "FuzzKinds");
    assert_int_equal(origin.tests[2].n, 15);
    assert_true(origin.tests[2].has_setup);
    assert_false(origin.tests[0].has_setup);
    assert_string_equal(origin.tests[11].name, "FuzzMany");
}

static void test_setup_runs_once(void **state)
{
    struct session s;
    struct cfz_msg cmd, result;
    uint64_t index;

    (void)state;
    session_start(&s, &origin, "FuzzSetup", NULL, NULL);
    assert_int_equal(s.seeds.u.seeds.verdict, CFZ_VERDICT_PASS);
    assert_int_equal(s.nseeds, 2);
    assert_int_equal(s.first_seed.v[0].len, 3);
    assert_memory_equal(s.first_seed.v[0].data, "one", 3);
    assert_int_equal(s.first_seed.v[1].bits, 1);
    assert_non_null(strstr(log_of(&s.host), "in the\n    setup\n"));

    s.first_seed.v[1].bits = 2;
    assert_int_equal(
        cfz_run_shm_append(s.run, s.run_fd, &s.first_seed, 0, CFZ_NO_ENTRY, &index, NULL), 0);
    for (int i = 0; i < 2; i++) {
        worker_start(&s);
        cfz_msg_init(&cmd, CFZ_MSG_RUN);
        cmd.u.cmd.entry = index;
        assert_true(worker_command(&s, CFZ_MSG_RUN, &cmd, &result, NULL));
        assert_int_equal(result.u.result.verdict, CFZ_VERDICT_PASS);
        assert_non_null(strstr(log_of(&s.worker), ": setup ran 1 times, n 2, env FuzzSetup\n"));
        /* the second run in the same worker: the environment was restored */
        assert_true(worker_command(&s, CFZ_MSG_RUN, &cmd, &result, NULL));
        assert_non_null(strstr(log_of(&s.worker), ": setup ran 1 times, n 2, env FuzzSetup\n"));
        close(s.worker.sock);
        s.worker.sock = -1;
        assert_int_equal(WTERMSIG(worker_wait(&s)), SIGKILL); /* its own group, on end-of-file */
        worker_release(&s);
    }
    session_finish(&s);
    assert_string_equal(output_of(&s.host), "cleanup second\ncleanup first\n");
    session_release(&s);
}

static void test_setup_called_from_target(void **state)
{
    struct session s;
    struct cfz_msg cmd, result;
    uint64_t index;

    (void)state;
    session_start(&s, &origin, "FuzzSetup", NULL, NULL);
    assert_int_equal(
        cfz_run_shm_append(s.run, s.run_fd, &s.first_seed, 0, CFZ_NO_ENTRY, &index, NULL), 0);
    worker_start(&s);
    cfz_msg_init(&cmd, CFZ_MSG_RUN);
    assert_true(worker_command(&s, CFZ_MSG_RUN, &cmd, &result, NULL));
    assert_int_equal(result.u.result.verdict, CFZ_VERDICT_FAIL);
    assert_non_null(strstr(log_of(&s.worker), "testing: cfuzz_f_log was called inside the fuzz "
                                              "target, use cfuzz_log instead\n"));
    assert_null(strstr(log_of(&s.worker), "not here"));
    session_release(&s);
}

static void test_setup_verdicts(void **state)
{
    struct session s;
    bool exited;
    int status;

    (void)state;
    session_start(&s, &origin, "FuzzSetupFatal", NULL, NULL);
    assert_int_equal(s.seeds.u.seeds.verdict, CFZ_VERDICT_FAIL);
    assert_non_null(strstr(log_of(&s.host), ": no disk\n"));
    session_release(&s);
    session_start(&s, &origin, "FuzzSetupSkip", NULL, NULL);
    assert_int_equal(s.seeds.u.seeds.verdict, CFZ_VERDICT_SKIP);
    session_release(&s);
    session_start(&s, &origin, "FuzzSetupBadSeed", NULL, NULL);
    assert_int_equal(s.seeds.u.seeds.verdict, CFZ_VERDICT_FAIL);
    assert_int_equal(s.nseeds, 0);
    assert_non_null(
        strstr(log_of(&s.host), ": wrong number of values in corpus entry: 2, want 1\n"));
    assert_non_null(strstr(log_of(&s.host), ": value 1: 300 out of range of int8\n"));
    session_release(&s);

    session_start(&s, &origin, "FuzzSetupExit", &exited, &status);
    assert_true(exited);
    assert_int_equal(status, 0);
    assert_int_equal(s.host.shm->crash.kind, CFZ_CRASH_EXIT);
    assert_int_equal(s.host.shm->crash.code, 0);
    session_release(&s);
    session_start(&s, &origin, "FuzzSetupCrash", &exited, &status);
    assert_true(exited);
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_int_equal(s.host.shm->state, CFZ_STATE_SETUP);
    if (!built_with(CFZ_BUILD_TSAN))
        assert_int_equal(s.host.shm->crash.kind, CFZ_CRASH_SIGNAL);
    session_release(&s);
}

static void test_seeds_beyond_the_outbox(void **state)
{
    struct session s;

    (void)state;
    session_start(&s, &origin, "FuzzSetupMany", NULL, NULL);
    assert_int_equal(s.seeds.u.seeds.verdict, CFZ_VERDICT_PASS);
    assert_int_equal(s.nseeds, 12);
    assert_int_equal(s.first_seed.v[0].len, 40 << 20);
    session_release(&s);
}

static void test_arguments(void **state)
{
    struct session s;
    struct cfz_msg cmd, result;
    uint64_t index;

    (void)state;
    session_start(&s, &origin, "FuzzKinds", NULL, NULL);
    assert_int_equal(s.nseeds, 1);
    assert_int_equal(
        cfz_run_shm_append(s.run, s.run_fd, &s.first_seed, 0, CFZ_NO_ENTRY, &index, NULL), 0);
    worker_start(&s);
    cfz_msg_init(&cmd, CFZ_MSG_RUN);
    assert_true(worker_command(&s, CFZ_MSG_RUN, &cmd, &result, NULL));
    assert_string_equal(log_of(&s.worker), "");
    assert_int_equal(result.u.result.verdict, CFZ_VERDICT_PASS);
    session_release(&s);
}

/* ---- one execution -------------------------------------------------------------------- */

static void test_verdicts(void **state)
{
    static const struct {
        const char *input;
        enum cfz_verdict verdict;
        const char *log, *output;
    } cases[] = {
        {"", CFZ_VERDICT_PASS, "", ""},
        {"f", CFZ_VERDICT_FAIL, ": fatal 1\n", ""},
        {"", CFZ_VERDICT_PASS, "", ""},
        {"e", CFZ_VERDICT_FAIL, ": first\n    second\ntarget.c:", ""},
        {"s", CFZ_VERDICT_SKIP, ": skip\n", ""},
        {"S", CFZ_VERDICT_FAIL, ": error before skip\n", ""},
        {"c", CFZ_VERDICT_FAIL, "", "cleanup 2\ncleanup 1\n"},
        {"l", CFZ_VERDICT_PASS, "line 99 of many\n", ""},
        {"l", CFZ_VERDICT_PASS, "    ... (more text than cfuzz keeps was cut)\n", ""},
        {"p", CFZ_VERDICT_PASS, "", "printed\n"},
        {"k", CFZ_VERDICT_PASS, "", ""},
        {"", CFZ_VERDICT_PASS, "", ""},
    };
    struct session s;

    (void)state;
    worker_of(&s, "FuzzAct");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_msg result;

        assert_true(worker_try(&s, cases[i].input, strlen(cases[i].input), &result, NULL));
        assert_int_equal(result.u.result.verdict, cases[i].verdict);
        assert_non_null(strstr(log_of(&s.worker), cases[i].log));
        if (!cases[i].log[0])
            assert_string_equal(log_of(&s.worker), "");
        assert_non_null(strstr(output_of(&s.worker), cases[i].output));
        assert_int_equal(s.worker.shm->execs, i + 1);
        assert_int_equal(s.worker.shm->crash.kind, CFZ_CRASH_NONE);
    }
    session_release(&s);
}

/* TRIES of inputs of FuzzAct, a letter each. */
static bool try_several(struct session *s, const char *letters, struct cfz_msg *result, int *status)
{
    struct cfz_msg cmd;

    cfz_msg_init(&cmd, CFZ_MSG_TRIES);
    for (size_t i = 0; letters[i]; i++) {
        struct cfz_value v = {CFZ_KIND_BYTES, 0, (uint8_t *)(uintptr_t)&letters[i], 1, 0};
        struct cfz_values vs = {&v, 1, 0};
        uint64_t len = cfz_values_packed_size(&vs);

        memcpy(cmd.text + cmd.text_len, &len, sizeof len);
        cfz_values_pack(&vs, (uint8_t *)cmd.text + cmd.text_len + sizeof len);
        cmd.text_len += (uint32_t)(sizeof len + len);
    }
    return worker_command(s, CFZ_MSG_TRIES, &cmd, result, status);
}

/* One after the other, until one fails, prints or dies; that one is then in the slots. Where an
 * execution took long, on a busy machine, the command ends before: then it is given again. */
static void test_several_inputs(void **state)
{
    enum { PATIENCE = 1000 };
    static const struct {
        const char *letters;
        enum cfz_verdict verdict;
        uint64_t executed;
        const char *log, *output;
    } cases[] = {
        {"----", CFZ_VERDICT_PASS, 4, "", ""},
        {"--s", CFZ_VERDICT_SKIP, 3, ": skip\n", ""},
        {"s--", CFZ_VERDICT_PASS, 3, "", ""},
        {"-S--", CFZ_VERDICT_FAIL, 2, ": error before skip\n", ""},
        {"-p--", CFZ_VERDICT_PASS, 2, "", "printed\n"},
    };
    struct session s;
    struct cfz_msg result;
    int status = 0;

    (void)state;
    worker_of(&s, "FuzzAct");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t executed = 0;

        for (int k = 0; k < PATIENCE && executed < cases[i].executed; k++) {
            uint64_t before = s.worker.shm->execs;

            assert_true(try_several(&s, cases[i].letters, &result, NULL));
            executed = s.worker.shm->execs - before;
            assert_int_equal(s.worker.shm->state, CFZ_STATE_IDLE);
        }
        assert_int_equal(executed, cases[i].executed);
        assert_int_equal(result.u.result.verdict, cases[i].verdict);
        assert_non_null(strstr(log_of(&s.worker), cases[i].log));
        if (!cases[i].log[0])
            assert_string_equal(log_of(&s.worker), "");
        assert_non_null(strstr(output_of(&s.worker), cases[i].output));
    }
    for (int k = 0; k < PATIENCE && try_several(&s, "--a-", &result, &status); k++) {
    }
    assert_int_not_equal(status, 0);
    assert_int_equal(s.worker.shm->input[0], 1);
    assert_int_equal(
        cfz_proc_slot(
            s.worker.shm,
            0)[cfz_slot_offset((enum cfz_placement)s.worker.shm->placement, CFZ_KIND_BYTES, 1)],
        'a');
    session_release(&s);
}

/* Where a crash mark is to be, and what it says. */
struct death {
    const char *input;
    enum cfz_crash_kind kind;
    int signo; /* by which the process dies without sanitizer, or its exit code, negated */
    bool check_addr, is_write;
    long addr_past; /* address, relative to the end of the data; or absolute */
};

static void check_death(const struct death *d, bool absolute)
{
    struct session s;
    struct cfz_msg result;
    struct cfz_values vs = CFZ_VALUES_INIT;
    int status = 0;
    uint32_t kind;

    worker_of(&s, "FuzzAct");
    assert_false(worker_try(&s, d->input, strlen(d->input), &result, &status));
    assert_int_equal(s.worker.shm->state, CFZ_STATE_TARGET);
    /* the input is still there */
    assert_int_equal(cfz_proc_input(s.worker.shm, s.test->kinds, s.test->n, &vs, NULL), 0);
    assert_int_equal(vs.v[0].len, strlen(d->input));
    assert_memory_equal(vs.v[0].data, d->input, strlen(d->input));
    cfz_values_release(&vs);
    kind = s.worker.shm->crash.kind;
    if (built_with(CFZ_BUILD_TSAN) && kind != CFZ_CRASH_EXIT) {
        session_release(&s); /* no handlers: the wait status has to do */
        return;
    }
    if (any_sanitizer() && kind == CFZ_CRASH_SANITIZER)
        assert_int_equal(d->kind, CFZ_CRASH_SIGNAL);
    else
        assert_int_equal(kind, d->kind);
    if (!any_sanitizer()) {
        if (d->signo < 0)
            assert_int_equal(WEXITSTATUS(status), -d->signo);
        else
            assert_int_equal(WTERMSIG(status), d->signo);
    }
    if (kind == CFZ_CRASH_SIGNAL) {
        assert_int_equal(s.worker.shm->crash.signo, d->signo);
        assert_true(s.worker.shm->crash.nframes >= 2);
        assert_true(s.worker.shm->nmodules >= 2);
    }
    /* UBSan's check of a function's type reads before the wild pointer */
    if (built_with(CFZ_BUILD_ASAN | CFZ_BUILD_UBSAN) && d->input[0] == 'j')
        kind = CFZ_CRASH_NONE;
    if (kind == CFZ_CRASH_SIGNAL && d->check_addr) {
        uint64_t end = s.worker.shm->slot_addr[0] +
                       cfz_slot_offset((enum cfz_placement)s.worker.shm->placement, CFZ_KIND_BYTES,
                                       strlen(d->input)) +
                       strlen(d->input);

        assert_int_equal(s.worker.shm->crash.is_write, d->is_write);
        assert_int_equal(s.worker.shm->crash.addr,
                         absolute ? (uint64_t)d->addr_past : end + (uint64_t)d->addr_past);
    }
    session_release(&s);
}

static void test_deaths(void **state)
{
    static const struct death absolute[] = {
        {"n", CFZ_CRASH_SIGNAL, SIGSEGV, true, true, 8},
        {"N", CFZ_CRASH_SIGNAL, SIGSEGV, true, false, 8},
        {"j", CFZ_CRASH_SIGNAL, SIGSEGV, true, false, 0x1234},
        {"t", CFZ_CRASH_SIGNAL, SIGSEGV, true, true, 16},
        {"a", CFZ_CRASH_SIGNAL, SIGABRT, false, false, 0},
        {"r", CFZ_CRASH_SIGNAL, SIGSEGV, false, false, 0},
        {"x", CFZ_CRASH_EXIT, -3, false, false, 0},
        {"X", CFZ_CRASH_NONE, -4, false, false, 0},
        {"T", CFZ_CRASH_NONE, SIGTERM, false, false, 0},
    };
    static const struct death relative[] = {
        {"w123", CFZ_CRASH_SIGNAL, SIGSEGV, true, true, -4},
        {"o123456789", CFZ_CRASH_SIGNAL, SIGSEGV, true, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof absolute / sizeof absolute[0]; i++)
        check_death(&absolute[i], true);
    for (size_t i = 0; i < sizeof relative / sizeof relative[0]; i++) {
        /* data does not end at the page under UBSan, nor is what follows poisoned */
        if (relative[i].input[0] == 'o' && built_with(CFZ_BUILD_UBSAN | CFZ_BUILD_TSAN))
            continue;
        check_death(&relative[i], false);
    }
}

static void test_closed_descriptors(void **state)
{
    struct session s;
    struct cfz_msg result;
    int status = 0;

    (void)state;
    worker_of(&s, "FuzzAct");
    assert_false(worker_try(&s, "d", 1, &result, &status));
    assert_int_equal(WEXITSTATUS(status), CFZ_EXIT_INTERNAL);
    assert_int_equal(s.worker.shm->crash.kind, CFZ_CRASH_MISUSE);
    assert_non_null(strstr(log_of(&s.worker), "the test closed "));
    session_release(&s);
}

static void test_hang_is_killed(void **state)
{
    struct session s;
    struct cfz_msg cmd;
    const struct timespec pause = {0, 10000000};

    (void)state;
    worker_of(&s, "FuzzAct");
    cfz_msg_init(&cmd, CFZ_MSG_TRY);
    s.worker.shm->input[0] = 1;
    cfz_proc_slot(
        s.worker.shm,
        0)[cfz_slot_offset((enum cfz_placement)s.worker.shm->placement, CFZ_KIND_BYTES, 1)] = 'h';
    assert_int_equal(cfz_msg_send(s.worker.sock, &cmd, NULL, 0, NULL), 0);
    while (s.worker.shm->state != CFZ_STATE_TARGET) /* CTest ends this if it is never so */
        nanosleep(&pause, NULL);
    assert_int_equal(s.worker.shm->execs, 1);
    assert_int_equal(kill(-s.worker.pid, SIGKILL), 0);
    assert_int_equal(WTERMSIG(worker_wait(&s)), SIGKILL);
    session_release(&s);
}

static void test_forked_process_dies_with_worker(void **state)
{
    struct session s;
    struct cfz_msg cmd, result;

    (void)state;
    worker_of(&s, "FuzzAct");
    assert_true(worker_try(&s, "K", 1, &result, NULL));
    cfz_msg_init(&cmd, CFZ_MSG_QUIT);
    assert_int_equal(cfz_msg_send(s.worker.sock, &cmd, NULL, 0, NULL), 0);
    assert_int_equal(worker_wait(&s), 0);
    for (int i = 0; kill(-s.worker.pid, 0) == 0; i++) { /* the group empties */
        struct timespec pause = {0, 10000000};

        assert_true(i < 24000); /* 240 s */
        nanosleep(&pause, NULL);
    }
    session_release(&s);
}

/* ---- fuzzing ---------------------------------------------------------------------------- */

static void append_zero(struct session *s, uint32_t flags)
{
    struct cfz_values vs = CFZ_VALUES_INIT;
    uint64_t index;

    assert_int_equal(cfz_values_zero(&vs, s->test->kinds, s->test->n, NULL), 0);
    assert_int_equal(cfz_run_shm_append(s->run, s->run_fd, &vs, flags, CFZ_NO_ENTRY, &index, NULL),
                     0);
    cfz_values_release(&vs);
}

static struct cfz_msg fuzz_command(uint64_t limit, uint64_t seed)
{
    struct cfz_msg cmd;

    cfz_msg_init(&cmd, CFZ_MSG_FUZZ);
    cmd.u.cmd.limit = limit;
    cmd.u.cmd.seed = seed;
    cmd.u.cmd.k = 1;
    cmd.u.cmd.max_len = 300;
    return cmd;
}

static void test_limit_is_exact(void **state)
{
    struct session s;
    struct cfz_msg cmd = fuzz_command(12345, 1), result;

    (void)state;
    worker_of(&s, "FuzzMany");
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(result.u.result.mutated, 0); /* nothing to mutate */
    append_zero(&s, CFZ_ENTRY_IDLE);
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(result.u.result.mutated, 0);
    append_zero(&s, 0);
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(result.u.result.verdict, CFZ_VERDICT_PASS);
    assert_int_equal(result.u.result.mutated, 12345);
    assert_int_equal(s.worker.shm->mutated, 12345);
    assert_true(s.worker.shm->skipped > 0);
    cmd = fuzz_command(1, UINT64_MAX);
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(s.worker.shm->mutated, 12346);
    cmd = fuzz_command(1000000, UINT64_MAX);
    s.worker.shm->stop = 1;
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(result.u.result.mutated, 0);
    session_release(&s);
}

static void test_finds_by_coverage(void **state)
{
    uint64_t mutated[2] = {0, 0};
    size_t ninteresting[2] = {0, 0};

    (void)state;
    if (!built_with(CFZ_BUILD_COUNTERS))
        skip();
    for (int i = 0; i < 2; i++) { /* twice the same, to the execution */
        struct session s;
        struct cfz_msg cmd = fuzz_command(5000000, 7), result, run;
        struct cfz_values vs = CFZ_VALUES_INIT;

        worker_of(&s, "FuzzDepth");
        append_zero(&s, 0);
        s.answer = true;
        cfz_msg_init(&run, CFZ_MSG_RUN);
        run.u.cmd.coverage = 1;
        assert_true(worker_command(&s, CFZ_MSG_RUN, &run, &result, NULL));
        assert_int_equal(s.nbase, 1);
        assert_true(s.nbits >= 2);
        run.u.cmd.coverage = 0; /* nothing new the second time: no record */
        assert_true(worker_command(&s, CFZ_MSG_RUN, &run, &result, NULL));
        assert_int_equal(s.nbase, 1);
        run.u.cmd.coverage = 1;
        assert_true(worker_command(&s, CFZ_MSG_RUN, &run, &result, NULL));
        assert_int_equal(s.nbase, 2);

        cmd.u.cmd.sync = 1000;
        assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
        assert_int_equal(result.u.result.verdict, CFZ_VERDICT_FAIL);
        assert_non_null(strstr(log_of(&s.worker), ": found it\n"));
        assert_int_equal(cfz_proc_input(s.worker.shm, s.test->kinds, 1, &vs, NULL), 0);
        assert_true(vs.v[0].len >= 3);
        assert_memory_equal(vs.v[0].data, "abc", 3);
        cfz_values_release(&vs);
        mutated[i] = result.u.result.mutated;
        ninteresting[i] = s.ninteresting;
        session_release(&s);
    }
    assert_true(ninteresting[0] >= 2);
    assert_int_equal(ninteresting[0], ninteresting[1]);
    assert_int_equal(mutated[0], mutated[1]);
}

/* Has a worker of s, which looks at the corpus whenever it likes, find what FuzzDepth looks for. */
static void find_without_sync(struct session *s, bool search)
{
    struct cfz_msg cmd = fuzz_command(0, 3), result;

    worker_of(s, "FuzzDepth");
    append_zero(s, 0);
    s->answer = true;
    cmd.u.cmd.search = search;
    assert_true(worker_command(s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    assert_int_equal(result.u.result.verdict, CFZ_VERDICT_FAIL);
}

static void test_news_without_sync(void **state)
{
    struct session s;

    (void)state;
    if (!built_with(CFZ_BUILD_COUNTERS))
        skip();
    find_without_sync(&s, false);
    assert_true(s.ninteresting >= 2);
    assert_int_equal(s.nwaits, 0);
    session_release(&s);
}

/* What the first stage finds is in the corpus before it goes on, whether the run can be repeated or
 * not. */
static void test_chain_without_sync(void **state)
{
    struct session s;

    (void)state;
    if (!built_with(CFZ_BUILD_COUNTERS))
        skip();
    find_without_sync(&s, true);
    if (s.worker.shm->tracing > 0)
        assert_true(s.nwaits >= 1);
    else
        assert_int_equal(s.nwaits, 0);
    session_release(&s);
}

/* ---- speed -------------------------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Wall time says what one gets here and now; processor time, what the loop costs. */
static void bench(const char *name, uint64_t n)
{
    struct session s;
    struct cfz_msg cmd = fuzz_command(n, 1), result;
    double wall, cpu, done;
    clockid_t clock;

    worker_of(&s, name);
    append_zero(&s, 0);
    assert_int_equal(clock_getcpuclockid(s.worker.pid, &clock), 0);
    wall = seconds(CLOCK_MONOTONIC);
    cpu = seconds(clock);
    assert_true(worker_command(&s, CFZ_MSG_FUZZ, &cmd, &result, NULL));
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(clock) - cpu;
    done = (double)result.u.result.mutated;
    printf("%-10s %10.0f executions per second, %10.0f per processor second (%.1f ns)\n", name,
           done / wall, done / cpu, cpu / done * 1e9);
    session_release(&s);
}

static void run_bench(void **state)
{
    (void)state;
    bench("FuzzEmpty", 10000000);
    bench("FuzzMany", 3000000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello),
        cmocka_unit_test(test_setup_runs_once),
        cmocka_unit_test(test_setup_called_from_target),
        cmocka_unit_test(test_setup_verdicts),
        cmocka_unit_test(test_seeds_beyond_the_outbox),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_deaths),
        cmocka_unit_test(test_closed_descriptors),
        cmocka_unit_test(test_hang_is_killed),
        cmocka_unit_test(test_forked_process_dies_with_worker),
        cmocka_unit_test(test_limit_is_exact),
        cmocka_unit_test(test_finds_by_coverage),
        cmocka_unit_test(test_news_without_sync),
        cmocka_unit_test(test_chain_without_sync),
    };
    const struct CMUnitTest benches[] = {cmocka_unit_test(run_bench)};

    if (argc < 2) {
        fprintf(stderr, "usage: %s <test binary> [-bench]\n", argv[0]);
        return 2;
    }
    binary = argv[1];
    if (argc > 2 && strcmp(argv[2], "-bench") == 0)
        return cmocka_run_group_tests(benches, setup, teardown);
    return cmocka_run_group_tests(tests, setup, teardown);
}
