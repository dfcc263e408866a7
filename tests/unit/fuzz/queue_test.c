/*
 * queue_test.c - inputs that wait, and executions that may still be handed out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fuzz/queue.h"

static void test_order(void **state)
{
    struct queue q = QUEUE_INIT;
    uint64_t v;

    (void)state;
    assert_false(queue_pop(&q, &v));
    /* More than the first allocation, popped in between, so that the ring wraps and grows. */
    for (uint64_t i = 0; i < 40; i++)
        assert_int_equal(queue_push(&q, i, NULL), 0);
    for (uint64_t i = 0; i < 30; i++) {
        assert_true(queue_pop(&q, &v));
        assert_int_equal(v, i);
    }
    for (uint64_t i = 40; i < 300; i++)
        assert_int_equal(queue_push(&q, i, NULL), 0);
    for (uint64_t i = 30; i < 300; i++) {
        assert_true(queue_pop(&q, &v));
        assert_int_equal(v, i);
    }
    assert_false(queue_pop(&q, &v));
    queue_release(&q);
}

static void test_push_front(void **state)
{
    struct queue q = QUEUE_INIT;
    uint64_t v;

    (void)state;
    assert_int_equal(queue_push_front(&q, 2, NULL), 0);
    assert_int_equal(queue_push(&q, 3, NULL), 0);
    assert_int_equal(queue_push_front(&q, 1, NULL), 0);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_true(queue_pop(&q, &v));
        assert_int_equal(v, i);
    }
    queue_release(&q);
}

static void test_unlimited(void **state)
{
    struct budget b;
    uint64_t slice = 1;

    (void)state;
    budget_init(&b, false, 0);
    assert_true(budget_take(&b, 4, &slice));
    assert_int_equal(slice, 0);
    budget_return(&b, 0, 500);
    assert_int_equal(b.done, 500);
    assert_false(budget_spent(&b));
}

static void test_one_worker_takes_all(void **state)
{
    struct budget b;
    uint64_t slice;

    (void)state;
    budget_init(&b, true, 1000);
    assert_true(budget_take(&b, 1, &slice));
    assert_int_equal(slice, 1000);
    assert_false(budget_take(&b, 1, &slice));
    assert_false(budget_spent(&b));
    /* It died after 10: the rest returns. */
    budget_return(&b, 1000, 10);
    assert_false(budget_spent(&b));
    assert_true(budget_take(&b, 1, &slice));
    assert_int_equal(slice, 990);
    budget_return(&b, 990, 990);
    assert_true(budget_spent(&b));
    assert_int_equal(b.done, 1000);
}

/* Whatever workers use of their slices, the sum is exact. */
static void test_sum_is_exact(void **state)
{
    for (uint64_t total = 1; total < 200; total += 7) {
        struct budget b;
        uint64_t slices[3] = {0};
        bool out[3] = {false};
        unsigned steps = 0;

        (void)state;
        budget_init(&b, true, total);
        while (!budget_spent(&b)) {
            unsigned w = steps++ % 3;

            assert_true(steps < 10000);
            if (out[w]) {
                /* Every other slice ends early. */
                budget_return(&b, slices[w], steps % 2 ? slices[w] : (slices[w] + 1) / 2);
                out[w] = false;
            } else {
                out[w] = budget_take(&b, 3, &slices[w]);
                if (out[w])
                    assert_true(slices[w] > 0);
            }
            assert_int_equal(b.done + b.out + b.left, total);
        }
        assert_int_equal(b.done, total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_push_front),
        cmocka_unit_test(test_unlimited),    cmocka_unit_test(test_one_worker_takes_all),
        cmocka_unit_test(test_sum_is_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
