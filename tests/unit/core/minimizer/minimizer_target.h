/*
 * minimizer_target.h - what the minimizer's tests minimize against: a function that
 * fails or does not, counted.
 */
#ifndef MINIMIZER_TARGET_H
#define MINIMIZER_TARGET_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/minimizer/minimizer.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define B(literal)                                                                                 \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

/* Fails, as a test function does: true is what the minimizer is to keep. */
typedef bool fails_fn(const struct cfz_values *vs);

struct target {
    fails_fn *fails;
    uint64_t tries, accepted;
    uint64_t stop_after; /* tries; 0: never */
    uint64_t *budget;
};

static inline bool try_target(void *ctx, const struct cfz_values *cand)
{
    struct target *t = ctx;
    bool failed = t->fails(cand);

    t->tries++;
    t->accepted += failed;
    if (t->stop_after > 0 && t->tries == t->stop_after)
        *t->budget = 0;
    return failed;
}

static inline struct cfz_value bytes_value(enum cfz_kind kind, const void *data, size_t len)
{
    struct cfz_value v = {.kind = kind, .len = len, .cap = len};

    v.data = len > 0 ? malloc(len) : NULL; /* exactly: a sanitizer sees one byte too far */
    if (len > 0) {
        assert_non_null(v.data);
        memcpy(v.data, data, len);
    }
    return v;
}

/* Minimizes, checks that the input failed, that the result does, and returns the tries. */
static inline uint64_t minimize(struct cfz_value *v, size_t n, fails_fn *fails, uint64_t budget)
{
    struct cfz_values vs = {v, n, n};
    struct cfz_error err = CFZ_ERROR_INIT;
    struct target t = {.fails = fails};
    uint64_t left = budget;

    assert_true(fails(&vs));
    assert_int_equal(cfz_minimize(&vs, &left, try_target, &t, &err), 0);
    assert_int_equal(t.tries, budget - left);
    assert_true(fails(&vs));
    return t.tries;
}

static inline size_t count_byte(const struct cfz_value *v, uint8_t c)
{
    size_t n = 0;

    for (size_t i = 0; i < v->len; i++)
        n += v->data[i] == c;
    return n;
}

static inline bool is(const struct cfz_value *v, const char *data, size_t len)
{
    return v->len == len && (len == 0 || memcmp(v->data, data, len) == 0);
}

#endif
