/*
 * solver_numerals.c - numbers in text and whole arguments that together make up an operand: an
 * address of four numbers, a date, a time, a sum of amounts.
 *
 *     each number one more --traced--> its effect on a - b
 *     the largest effect first: as many of it as go into what is missing, then the next one
 *     once more from there, while it comes nearer
 *
 * That is exact where the operand is a sum of numbers times constants, and Newton's method where
 * it is nearly that, as a date is.
 */
#include <string.h>

#include "solver/solving.h"

enum {
    NUMBERS = 8,     /* that are varied */
    DIGITS_MOST = 9, /* of a number in text; a longer one is left alone */
    ROUNDS = 5,
    REACH = 32, /* bytes to each side in which others are looked for */
};

/* A number of the input: digits in a []byte or string, or an integer argument. */
struct number {
    uint32_t value;   /* of the test */
    uint32_t at, len; /* in the image that it was found in */
    int64_t x;
    int64_t effect; /* on a - b, of one more; 0: none, or it is not known */
};

static struct number numbers[NUMBERS];
static uint32_t nnumbers;
static struct cfz_image from, im; /* the input that it goes on from; the one that is tried */
static bool pads;                 /* a number that gets shorter gets zeros before it */
static bool wraps;                /* differences do */

/* Adds the number at position p of from, if it is one and not there yet. */
static void add_number(uint32_t p)
{
    uint32_t i = cfz_image_value(&from, p), at = from.at[i], end = from.at[i + 1];
    struct number n = {.value = i, .at = at, .len = end - at};

    if (nnumbers == NUMBERS)
        return;
    if (!cfz_image_grows(&from, i)) {
        unsigned unused = n.len < 8 ? 64 - 8 * n.len : 0;

        if (cfz_kind_is_float(from.like[i].kind))
            return;
        n.x = (int64_t)(cfz_image_get(&from, at, n.len, false) << unused) >> unused;
    } else {
        uint32_t e = p;

        if (!cfz_is_digit(from.bytes[p]))
            return;
        for (n.at = p; n.at > at && cfz_is_digit(from.bytes[n.at - 1]);)
            n.at--;
        while (e < end && cfz_is_digit(from.bytes[e]))
            e++;
        n.len = e - n.at;
        if (n.len > DIGITS_MOST)
            return;
        for (uint32_t k = n.at; k < e; k++)
            n.x = 10 * n.x + (from.bytes[k] - '0');
    }
    for (uint32_t k = 0; k < nnumbers; k++)
        if (numbers[k].at == n.at)
            return;
    numbers[nnumbers++] = n;
}

/* What a number may become. */
static int64_t clamp(const struct number *n, int64_t x)
{
    static const int64_t most[DIGITS_MOST + 1] = {0,     9,      99,      999,      9999,
                                                  99999, 999999, 9999999, 99999999, 999999999};

    if (!cfz_image_grows(&from, n->value)) {
        int64_t top = n->len >= 8 ? INT64_MAX : ((int64_t)1 << (8 * n->len)) - 1;

        return x > top ? top : x < -top ? -top : x;
    }
    return x < 0 ? 0 : x > most[DIGITS_MOST] ? most[DIGITS_MOST] : x;
}

/* Makes im what from becomes when the numbers are those in x. False if it has no room for them. */
static bool render(const int64_t x[NUMBERS])
{
    bool done[NUMBERS] = {false};

    cfz_image_copy(&im, &from);
    for (uint32_t k = 0; k < nnumbers; k++) {
        const struct number *n = NULL;
        uint8_t text[DIGITS_MOST + 1];
        uint32_t len = 0, last = 0;
        uint64_t rest;

        /* The last one first, since those behind a number move with its length. */
        for (uint32_t j = 0; j < nnumbers; j++)
            if (!done[j] && (!n || numbers[j].at > n->at)) {
                n = &numbers[j];
                last = j;
            }
        done[last] = true;
        if (x[last] == n->x)
            continue;
        if (!cfz_image_grows(&im, n->value)) {
            cfz_image_put(&im, n->at, n->len, false, (uint64_t)x[last]);
            continue;
        }
        rest = (uint64_t)x[last];
        do
            text[sizeof text - ++len] = (uint8_t)('0' + rest % 10);
        while ((rest /= 10) != 0);
        while (pads && len < n->len)
            text[sizeof text - ++len] = '0';
        if (!cfz_image_splice(&im, n->value, n->at, n->len, text + sizeof text - len, len))
            return false;
    }
    return true;
}

/* a - b; or, if that wraps, as a signed number of the operands' width. An equality does not say
 * whether its operands have a sign. */
static int64_t difference(const struct cfz_task *t, const struct cfz_event *e)
{
    unsigned w = t->g.site->width, unused = w == 0 || w >= 64 || !wraps ? 0 : 64 - w;
    uint64_t d = e->a - cfz_task_b(t, e);

    return (int64_t)(d << unused) >> unused;
}

static uint64_t magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* Executes from with the numbers x. *d gets a - b if the comparison is reached. */
static enum cfz_trial try_numbers(struct cfz_solver *v, const int64_t x[NUMBERS], int64_t *d)
{
    enum cfz_trial r;

    if (!render(x))
        return CFZ_TRIAL_LOST;
    v->step = "numerals";
    v->recipe.set = CFZ_RECIPE_NONE;
    r = cfz_trial(v, &im);
    if (r == CFZ_TRIAL_REACHED)
        *d = difference(v->task, v->event);
    return r;
}

/* Finds the effect of each number. Where one more, or less, leaves the path, a power of two more
 * may not: of an address with a mask some bits have to be zero. */
static enum cfz_trial weigh(struct cfz_solver *v, int64_t was)
{
    static const int64_t steps[] = {1, -1, 2, 4, 8, 16, 32, 64, 128};

    for (uint32_t k = 0; k < nnumbers; k++) {
        int64_t x[NUMBERS], d;
        bool lost = true;

        numbers[k].effect = 0;
        for (size_t i = 0; i < sizeof steps / sizeof steps[0] && lost; i++) {
            enum cfz_trial r;

            for (uint32_t j = 0; j < nnumbers; j++)
                x[j] = numbers[j].x;
            x[k] = clamp(&numbers[k], x[k] + steps[i]);
            if (x[k] == numbers[k].x)
                continue;
            r = try_numbers(v, x, &d);
            if (cfz_trial_ends(r))
                return r;
            if (r != CFZ_TRIAL_REACHED)
                continue;
            numbers[k].effect = (int64_t)((uint64_t)d - (uint64_t)was) / steps[i];
            lost = numbers[k].effect == 0 && steps[i] == 1;
        }
    }
    return CFZ_TRIAL_REACHED;
}

enum { ANEW = -2, ALL = -1 }; /* which numbers share_out changes; else one, by its rank */

/* The number with the largest effect that is not used yet; NUMBERS if there is none. */
static uint32_t largest(const bool used[NUMBERS])
{
    uint32_t best = NUMBERS;

    for (uint32_t j = 0; j < nnumbers; j++)
        if (!used[j] && numbers[j].effect != 0 &&
            (best == NUMBERS || magnitude(numbers[j].effect) > magnitude(numbers[best].effect)))
            best = j;
    return best;
}

/*
 * Sets x so that a - b changes by need, as far as the effects say: the largest ones first, each as
 * often as it goes into what is left. ANEW: as if all were 0 now, like the digits of a number.
 */
static void share_out(int64_t need, int which, int64_t x[NUMBERS])
{
    bool used[NUMBERS] = {false};
    uint64_t rest = (uint64_t)need;
    uint32_t best;

    for (uint32_t j = 0; j < nnumbers; j++) {
        x[j] = which == ANEW && numbers[j].effect != 0 ? 0 : numbers[j].x;
        rest += (uint64_t)(numbers[j].x - x[j]) * (uint64_t)numbers[j].effect;
    }
    for (int rank = 0; (best = largest(used)) < NUMBERS; rank++) {
        int64_t effect = numbers[best].effect, was = x[best], times;

        used[best] = true;
        if ((which >= 0 && rank != which) || (effect == -1 && (int64_t)rest == INT64_MIN))
            continue;
        times = (int64_t)rest / effect;
        if (__builtin_add_overflow(was, times, &x[best]))
            x[best] = was;
        x[best] = clamp(&numbers[best], x[best]);
        rest -= (uint64_t)(x[best] - was) * (uint64_t)effect;
    }
}

/* Adds the numbers of the same text: a change of one of their bytes left the path, maybe. */
static void add_others(void)
{
    const uint32_t i = numbers[0].value;
    const uint32_t first = numbers[0].at > from.at[i] + REACH ? numbers[0].at - REACH : from.at[i];

    for (uint32_t p = first; p < from.at[i + 1] && p < first + 2 * REACH; p++)
        if (cfz_is_amid_text(&from, i, p, p + 1) &&
            (p == from.at[i] || !cfz_is_digit(from.bytes[p - 1])))
            add_number(p);
}

/* Goes on from im, whose numbers are found anew: their places may be others. */
static void go_on(const struct cfz_solver *v)
{
    cfz_image_copy(&from, &im);
    nnumbers = 0;
    for (uint32_t f = 0; f < v->task->nat; f++) {
        uint32_t p = v->task->at[f].p;

        if (p < cfz_image_size(&from))
            add_number(p);
    }
    if (v->task->lost && nnumbers > 1 && cfz_image_grows(&from, numbers[0].value))
        add_others();
}

/* One round: weigh, share out, and go on from what came nearest. REACHED if something did. */
static enum cfz_trial go_round(struct cfz_solver *v, int64_t *d)
{
    int64_t x[NUMBERS], got;
    enum cfz_trial r = weigh(v, *d);

    if (cfz_trial_ends(r))
        return r;
    for (int which = ANEW; which < (int)nnumbers; which++)
        for (int target = 0; target < 3; target++) {
            static const enum cfz_relation becomes[] = {CFZ_REL_EQUAL, CFZ_REL_GREATER,
                                                        CFZ_REL_LESS};
            int64_t to = target == 0 ? 0 : target == 1 ? 1 : -1;

            if (!(becomes[target] & v->task->g.want))
                continue;
            share_out((int64_t)((uint64_t)to - (uint64_t)*d), which, x);
            r = try_numbers(v, x, &got);
            if (cfz_trial_ends(r))
                return r;
            if (r == CFZ_TRIAL_REACHED && magnitude(got) < magnitude(*d)) {
                *d = got;
                go_on(v);
                return r;
            }
        }
    return CFZ_TRIAL_LOST;
}

/* Whether two and more of the numbers are in text. */
static bool are_in_text(void)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < nnumbers; k++)
        n += cfz_image_grows(&from, numbers[k].value);
    return n >= 2;
}

enum cfz_trial cfz_solve_numerals(struct cfz_solver *v, bool in_text)
{
    const struct cfz_task *t = v->task;
    enum cfz_trial r = CFZ_TRIAL_REACHED;
    int64_t d;

    if (t->g.site->kind == CFZ_SITE_FLOAT || t->g.site->width < 8)
        return CFZ_TRIAL_REACHED;
    pads = (atomic_load_explicit(&t->note->tried, memory_order_relaxed) & 1) != 0; /* by turns */
    for (int way = 0; way < 2; way++) {
        const struct cfz_event start = {.site = t->g.site, .a = t->a, .b = t->b};

        wraps = false;
        d = difference(t, &start);
        wraps = way > 0;
        if (wraps && difference(t, &start) == d)
            continue;
        d = difference(t, &start);
        cfz_image_copy(&im, &v->base->im);
        go_on(v);
        if (nnumbers < 2 || are_in_text() != in_text)
            return CFZ_TRIAL_REACHED; /* other steps do one */
        for (int k = 0; k < ROUNDS && !cfz_trial_ends(r); k++) {
            r = go_round(v, &d);
            if (r == CFZ_TRIAL_LOST)
                break;
        }
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}
