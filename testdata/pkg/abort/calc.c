/*
 * A pocket calculator in reverse Polish notation: "12 3 + 2 *".
 *
 * Bug: an assertion of the library itself, so abort(). The operators check that
 * two operands are there; '~', which swaps them, forgot to.
 */
#include <assert.h>
#include <stdint.h>

enum { DEPTH = 32 };

struct calc {
    int64_t stack[DEPTH];
    int top;
};

static int64_t calc_pop(struct calc *c)
{
    assert(c->top > 0);
    return c->stack[--c->top];
}

static int calc_push(struct calc *c, int64_t v)
{
    if (c->top == DEPTH)
        return -1;
    c->stack[c->top++] = v;
    return 0;
}

/* Returns 0 and the value on top, or -1 for an expression that is none. */
static int calc_eval(struct calc *c, const char *text, int64_t *value)
{
    for (; *text != '\0'; text++) {
        int64_t a, b;

        if (*text >= '0' && *text <= '9') {
            int32_t n = 0;

            while (*text >= '0' && *text <= '9' && n < 100000)
                n = n * 10 + (*text++ - '0');
            text--;
            if (calc_push(c, n) < 0)
                return -1;
            continue;
        }
        if (*text == ' ')
            continue;
        if (*text == '~') { /* the bug: c->top is not looked at */
            a = calc_pop(c);
            b = calc_pop(c);
            calc_push(c, a);
            calc_push(c, b);
            continue;
        }
        if (c->top < 2)
            return -1;
        a = calc_pop(c);
        b = calc_pop(c);
        switch (*text) {
        case '+':
            calc_push(c, (int64_t)((uint64_t)b + (uint64_t)a));
            break;
        case '-':
            calc_push(c, (int64_t)((uint64_t)b - (uint64_t)a));
            break;
        case '*':
            calc_push(c, (int64_t)((uint64_t)b * (uint64_t)a));
            break;
        default:
            return -1;
        }
    }
    if (c->top == 0)
        return -1;
    *value = calc_pop(c);
    return 0;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzCalc)(cfuzz_f *f)
{
    cfuzz_add(f, "12 3 + 2 *");
    cfuzz_add(f, "1 2 ~ -");
}

FUZZ_TEST(FuzzCalc, string)(cfuzz_t *t, const char *text)
{
    struct calc c = {{0}, 0};
    int64_t value;

    if (calc_eval(&c, text, &value) < 0)
        cfuzz_skip(t, "not an expression");
    cfuzz_log(t, "%s = %lld", text, (long long)value);
}
#endif
