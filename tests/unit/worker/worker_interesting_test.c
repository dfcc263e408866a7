/*
 * worker_interesting_test.c - interesting inputs: executed again, minimized, reported or
 * forgotten; with counters of the test's own and an executor that only counts.
 *
 * Linked with --wrap=cfz_executor_run, so nothing here runs a user's function; and with --wrap for
 * what counts the work of an execution.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/worker_interesting.h"

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);
enum cfz_verdict __wrap_cfz_executor_run(struct cfz_executor *x);
uint32_t __wrap_cfz_trace_sites(void);
enum cfz_verdict __wrap_cfz_worker_counted(struct cfz_worker *worker, uint64_t *work);

enum { N = 8, LEN = 20 };

static uint8_t counters[N], mask[N];
static uintptr_t pcs[2 * N];
static const enum cfz_kind kinds[] = {CFZ_KIND_BYTES};
static const struct cfz_test test = {.kinds = {CFZ_KIND_BYTES}, .n = 1, .nslots = 1};
static struct cfz_executor x;
static struct cfz_worker w;
static struct cfz_error err;
static uint8_t cur[LEN], room[LEN];
static int driver; /* the other end of the worker's socket */

/* What the target does in its next executions. */
static struct {
    uint64_t execs;
    uint64_t merged_at; /* before this execution the mask gets another worker's bits */
    uint64_t part_at;   /* ... of counter 1 alone */
    uint64_t fail_at, stop_at;
    bool flaky;    /* counts only the first time */
    uint64_t work; /* of an execution; 0: nothing is traced */
} target;

uint32_t __wrap_cfz_trace_sites(void)
{
    return target.work > 0;
}

enum cfz_verdict __wrap_cfz_worker_counted(struct cfz_worker *worker, uint64_t *work)
{
    *work = target.work;
    return cfz_executor_run(worker->x);
}

/* Counts 0 always, 1 with a 'q', 2 with a 'z'. */
enum cfz_verdict __wrap_cfz_executor_run(struct cfz_executor *e)
{
    const uint8_t *data = e->slots.data[0];
    size_t len = e->shm->input[0];

    target.execs++;
    if (target.execs == target.merged_at)
        memset(mask, 0xff, sizeof mask);
    if (target.execs == target.part_at)
        mask[1] = 0xff;
    if (target.execs == target.stop_at)
        atomic_store(&e->shm->stop, 1);
    counters[0] = 1;
    if (target.flaky && target.execs > 1)
        return CFZ_VERDICT_PASS;
    for (size_t i = 0; i < len; i++) {
        if (data[i] == 'q')
            counters[1] = 1;
        else if (data[i] == 'z')
            counters[2] = 1;
    }
    return target.execs == target.fail_at ? CFZ_VERDICT_FAIL : CFZ_VERDICT_PASS;
}

static int setup(void **state)
{
    int fd, pair[2];
    struct stat st;

    (void)state;
    memset(&target, 0, sizeof target);
    memset(&w, 0, sizeof w);
    memset(mask, 0, sizeof mask);
    mask[0] = 1;
    cfz_counters_reset();
    if (cfz_proc_shm_new(1, &w.shm, &fd, &err) < 0 ||
        cfz_slots_reserve(&x.slots, kinds, 1, &err) < 0 ||
        cfz_slots_attach(&x.slots, w.shm, fd, &err) < 0 ||
        cfz_seen_map(&w.seen, mask, sizeof mask, &err) < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair) < 0)
        return -1;
    close(fd);
    x.test = &test;
    x.shm = w.shm;
    driver = pair[0];
    w.sock = pair[1];
    if (fstat(w.sock, &st) < 0)
        return -1;
    w.sock_ino = st.st_ino;
    w.x = &x;
    w.minimize = 512;
    w.room = room;
    w.cur.v = w.cur_v;
    w.cur.n = 1;
    w.cur_v[0] = (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = cur, .len = LEN};
    memcpy(cur, "..q...........z.....", LEN);
    cfz_worker_publish(&w, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close(driver);
    close(w.sock);
    cfz_slots_release(&x.slots);
    cfz_shm_unmap(w.shm, w.shm->size);
    return 0;
}

/* The first execution, which a mutated input gets from the loop, and what comes of it. */
static enum cfz_verdict first(void)
{
    assert_int_equal(cfz_executor_run(&x), CFZ_VERDICT_PASS);
    assert_int_equal(cfz_counters_collect(&w.seen), 2);
    return cfz_worker_interesting(&w, false);
}

/* The one record in the outbox is of this input, or there is none. */
static void check_reported(const char *input, unsigned flags, uint32_t nbits)
{
    const struct cfz_record *r;
    struct cfz_values vs = CFZ_VALUES_INIT;

    assert_int_equal(cfz_outbox_peek(w.shm, &r, &err), 0);
    if (input == NULL) {
        assert_null(r);
        return;
    }
    assert_non_null(r);
    assert_int_equal(r->type, CFZ_RECORD_INTERESTING);
    assert_int_equal(r->flags, flags);
    assert_int_equal(r->nbits, nbits);
    assert_int_equal(
        cfz_values_unpack(&vs, kinds, 1, cfz_record_packed(r), (size_t)r->packed, &err), 0);
    assert_int_equal(vs.v[0].len, strlen(input));
    assert_memory_equal(vs.v[0].data, input, strlen(input));
    cfz_values_release(&vs);
    cfz_outbox_consume(w.shm, r);
    assert_int_equal(cfz_outbox_peek(w.shm, &r, &err), 0);
    assert_null(r);
}

static void test_smaller_is_reported(void **state)
{
    (void)state;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    check_reported("qz", 0, 2);
    assert_int_equal(w.shm->confirming, 1);
    assert_int_equal(target.execs, 2 + w.shm->minimizing);
    assert_true(w.shm->minimizing < 200);
    assert_true(w.records_pending);
    assert_true(w.moved);
    /* Learnt: nothing is new the next time. */
    cfz_executor_run(&x);
    assert_int_equal(cfz_counters_collect(&w.seen), 0);
}

/* How it was made goes with it, and where its new counters are. */
static void test_lineage_and_places(void **state)
{
    const struct cfz_record *r;

    (void)state;
    w.shm->lineage = (struct cfz_lineage){.n = 1, .v = {5}};
    w.cmd.u.cmd.flags = CFZ_FUZZ_PCS;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(cfz_outbox_peek(w.shm, &r, &err), 0);
    assert_non_null(r);
    assert_int_equal(r->lineage.n, 2);
    assert_int_equal(r->lineage.v[0], 5);
    assert_int_equal(r->lineage.v[1], CFZ_LINEAGE_MINIMIZE);
    assert_int_equal(r->flags, CFZ_RECORD_PCS);
    assert_int_equal(r->nbits, 2);
    assert_int_equal(cfz_record_pcs(r)[0], UINT64_C(0x1100)); /* of counters 1 and 2 */
    assert_true(cfz_record_pcs(r)[1] == (UINT64_C(0x1200) | CFZ_PC_FUNCTION));
}

/* The mask got the bits of another worker's input meanwhile. */
static void test_merged_is_forgotten(void **state)
{
    (void)state;
    target.merged_at = 10;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 10); /* not one more */
    assert_int_equal(w.shm->minimizing, 8);
    check_reported(NULL, 0, 0);
    assert_false(w.records_pending);
    /* There is room and a way for the next one. */
    memset(mask, 0, sizeof mask);
    memset(w.seen.own, 0, N);
    mask[0] = 1;
    target.merged_at = 0;
    cfz_worker_publish(&w, 0);
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    check_reported("qz", 0, 2);
}

/* When it is executed for the second time, too: that is no coverage that does not come again. */
static void test_merged_at_once(void **state)
{
    (void)state;
    target.merged_at = 2;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 2);
    assert_int_equal(w.shm->unstable, 0);
    check_reported(NULL, 0, 0);
}

/* What is left of its bits makes no unstable input of it. */
static void test_merged_in_part(void **state)
{
    (void)state;
    target.part_at = 2;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(w.shm->unstable, 0);
    check_reported("z", 0, 1);
}

/* When it is executed for the last time, too. */
static void test_merged_in_the_end(void **state)
{
    (void)state;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    target.merged_at = target.execs;
    teardown(NULL);
    {
        uint64_t at = target.merged_at;

        assert_int_equal(setup(NULL), 0);
        target.merged_at = at;
    }
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, target.merged_at);
    check_reported(NULL, 0, 0);
}

static void test_not_repeated_is_forgotten(void **state)
{
    (void)state;
    target.flaky = true;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 2);
    assert_int_equal(w.shm->unstable, 1);
    assert_int_equal(w.shm->minimizing, 0);
    check_reported(NULL, 0, 0);
}

/* A candidate that fails is in the slots; what it was made of is reported as it is. */
static void test_candidate_fails(void **state)
{
    (void)state;
    target.fail_at = 3;
    assert_int_equal(first(), CFZ_VERDICT_FAIL);
    assert_int_equal(target.execs, 3);
    assert_int_equal(w.shm->input[0], 0); /* the first candidate is empty */
    check_reported("..q...........z.....", 0, 2);
}

static void test_limits(void **state)
{
    (void)state;
    w.minimize = 0; /* -fuzzminimizetime=0x */
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 2);
    check_reported("..q...........z.....", 0, 2);
    teardown(NULL);

    assert_int_equal(setup(NULL), 0);
    w.minimize = 5;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(w.shm->minimizing, 5 + 1); /* one to be sure of the smaller one */
    check_reported("..q...........z", 0, 2);
    teardown(NULL);

    /* An eighth of the work of mutation, and 4,096: it is used up. */
    assert_int_equal(setup(NULL), 0);
    w.work.mutated = 8000;
    w.work.minimized = 1000 + (1 << 12) - 7;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 2);
    check_reported("..q...........z.....", 0, 2);
    teardown(NULL);

    /* The same of an input that costs more than its parent does. It was executed for that. */
    assert_int_equal(setup(NULL), 0);
    target.work = 4096 / 8 + 1;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(target.execs, 3);
    assert_int_equal(w.shm->minimizing, 0);
    check_reported("..q...........z.....", 0, 2);
    teardown(NULL);
    assert_int_equal(setup(NULL), 0);
    target.work = 4096 / 8;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_int_equal(w.shm->minimizing, 8 + 1);
    assert_int_equal(w.work.minimized, (8 + 1) * target.work);
    check_reported("..q...........z", 0, 2);
    teardown(NULL);

    assert_int_equal(setup(NULL), 0);
    target.work = 1;
    target.fail_at = 3;
    assert_int_equal(first(), CFZ_VERDICT_FAIL);
    check_reported("..q...........z.....", 0, 2);
    teardown(NULL);

    assert_int_equal(setup(NULL), 0);
    target.stop_at = 6;
    assert_int_equal(first(), CFZ_VERDICT_PASS);
    assert_in_range(target.execs, 6, 7);
    teardown(NULL);
    assert_int_equal(setup(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_smaller_is_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lineage_and_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_merged_is_forgotten, setup, teardown),
        cmocka_unit_test_setup_teardown(test_merged_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_merged_in_part, setup, teardown),
        cmocka_unit_test_setup_teardown(test_merged_in_the_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_not_repeated_is_forgotten, setup, teardown),
        cmocka_unit_test_setup_teardown(test_candidate_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
    };

    for (size_t i = 0; i < N; i++) {
        pcs[2 * i] = 0x1000 + 0x100 * i;
        pcs[2 * i + 1] = i == 2;
    }
    __sanitizer_cov_8bit_counters_init(counters, counters + N);
    __sanitizer_cov_pcs_init(pcs, pcs + 2 * N);
    if (cfz_counters_prepare(&err) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
