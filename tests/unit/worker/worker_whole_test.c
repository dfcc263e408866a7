/*
 * worker_whole_test.c - what a worker does with its own state is not taken for damage; what it
 * never does is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worker/worker_whole.h"

static void test_whole(void **state)
{
    static struct cfz_worker w;
    static struct cfz_cov_bits bits[4], held[4];
    static uint8_t data[8];

    (void)state;
    assert_true(cfz_worker_whole()); /* not made yet */
    w.seen.bits = bits;
    w.seen.held = held;
    w.seen.n = 4;
    w.cur.v = w.cur_v;
    w.cur.n = 1;
    w.cur_v[0] = (struct cfz_value){.kind = CFZ_KIND_BYTES, .data = data, .cap = sizeof data};
    cfz_worker_made(&w);
    assert_true(cfz_worker_whole());
    w.cur_v[0].len = 8;
    assert_true(cfz_worker_whole());
    cfz_seen_hold(&w.seen); /* the two arrays change places */
    assert_ptr_equal(w.seen.bits, held);
    assert_true(cfz_worker_whole());
    cfz_seen_unhold(&w.seen);
    assert_true(cfz_worker_whole());

    w.seen.bits = held; /* but one is not both */
    assert_false(cfz_worker_whole());
    w.seen.bits = bits;
    w.cur_v[0].len = 9;
    assert_false(cfz_worker_whole());
    w.cur_v[0].len = 0;
    w.sock = 77;
    assert_false(cfz_worker_whole());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
