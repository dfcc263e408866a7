/*
 * solver_numerals.c - numbers in text and whole arguments that together make up an operand: an
 * address of four numbers, a date, a time, a sum of amounts.
 *
 *     each number one more --traced--> its effect on a - b
 *     the largest effect first: as many of it as go into what is missing, then the next one
 *     once more from there, while it comes nearer
 *
 * In a repair, where no byte moves what is compared, the numbers are all that are in text.
 *
 * That is exact where the operand is a sum of numbers times constants, and Newton's method where
 * it is nearly that, as a date is.
 */
#include "solver/numbers.h"

enum {
    ROUNDS = 5,
    SUMMANDS = 8, /* that are looked for */
    REACH = 32,   /* bytes to each side in which others are looked for */
};

static struct cfz_numbers numbers;   /* of the input that it goes on from */
static int64_t effects[CFZ_NUMBERS]; /* on a - b, of one more; 0: none, or it is not known */
static struct cfz_image im;          /* the one that is tried */
static bool wraps;                   /* differences do */

/* a - b; or, if that wraps, as a signed number of the operands' width. An equality does not say
 * whether its operands have a sign, and a constant that has none may be recorded with one. */
static int64_t difference(const struct cfz_task *t, const struct cfz_event *e)
{
    const bool is_ordered = !cfz_site_asks_equality(t->g.site);
    const uint64_t mask = wraps || is_ordered ? UINT64_MAX : cfz_site_mask(t->g.site);
    unsigned w = t->g.site->width, unused = w == 0 || w >= 64 || !wraps ? 0 : 64 - w;
    uint64_t d = (e->a & mask) - (cfz_task_b(t, e) & mask);

    return (int64_t)(d << unused) >> unused;
}

static uint64_t magnitude(int64_t x)
{
    return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* Executes from with the numbers x. *d gets a - b if the comparison is reached. */
static enum cfz_trial try_numbers(struct cfz_solver *v, const int64_t x[CFZ_NUMBERS], int64_t *d)
{
    enum cfz_trial r;

    if (!cfz_numbers_render(&numbers, x, &im))
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

    for (uint32_t k = 0; k < numbers.n; k++) {
        int64_t x[CFZ_NUMBERS], d;
        bool lost = true;

        effects[k] = 0;
        for (size_t i = 0; i < sizeof steps / sizeof steps[0] && lost; i++) {
            enum cfz_trial r;

            for (uint32_t j = 0; j < numbers.n; j++)
                x[j] = numbers.of[j].x;
            if (__builtin_add_overflow(x[k], steps[i], &x[k]))
                continue;
            x[k] = cfz_numbers_clamp(&numbers, k, x[k]);
            if (x[k] == numbers.of[k].x)
                continue;
            r = try_numbers(v, x, &d);
            if (cfz_trial_ends(r))
                return r;
            if (r != CFZ_TRIAL_REACHED)
                continue;
            effects[k] = cfz_times((int64_t)((uint64_t)d - (uint64_t)was), steps[i]);
            lost = effects[k] == 0 && steps[i] == 1;
        }
    }
    return CFZ_TRIAL_REACHED;
}

enum { ANEW = -2, ALL = -1 }; /* which numbers share_out changes; else one, by its rank */

/* The number with the largest effect that is not used yet; CFZ_NUMBERS if there is none. */
static uint32_t largest(const bool used[CFZ_NUMBERS])
{
    uint32_t best = CFZ_NUMBERS;

    for (uint32_t j = 0; j < numbers.n; j++)
        if (!used[j] && effects[j] != 0 &&
            (best == CFZ_NUMBERS || magnitude(effects[j]) > magnitude(effects[best])))
            best = j;
    return best;
}

/*
 * Sets x so that a - b changes by need, as far as the effects say: the largest ones first, each as
 * often as it goes into what is left. ANEW: as if all were 0 now, like the digits of a number.
 */
static void share_out(int64_t need, int which, int64_t x[CFZ_NUMBERS])
{
    bool used[CFZ_NUMBERS] = {false};
    uint64_t rest = (uint64_t)need;
    uint32_t best;

    for (uint32_t j = 0; j < numbers.n; j++) {
        x[j] = which == ANEW && effects[j] != 0 ? 0 : numbers.of[j].x;
        rest += (uint64_t)(numbers.of[j].x - x[j]) * (uint64_t)effects[j];
    }
    for (int rank = 0; (best = largest(used)) < CFZ_NUMBERS; rank++) {
        int64_t effect = effects[best], was = x[best], times;

        used[best] = true;
        if (which >= 0 && rank != which)
            continue;
        times = cfz_times((int64_t)rest, effect);
        if (__builtin_add_overflow(was, times, &x[best]))
            x[best] = was;
        x[best] = cfz_numbers_clamp(&numbers, best, x[best]);
        rest -= (uint64_t)(x[best] - was) * (uint64_t)effect;
    }
}

/* Adds the numbers of the same text: a change of one of their bytes left the path, maybe. */
static void add_others(void)
{
    const uint32_t i = numbers.of[0].value;
    const uint32_t first = numbers.of[0].at > numbers.from.at[i] + REACH ? numbers.of[0].at - REACH
                                                                         : numbers.from.at[i];

    for (uint32_t p = first; p < numbers.from.at[i + 1] && p < first + 2 * REACH; p++)
        if (numbers.n < SUMMANDS && cfz_is_amid_text(&numbers.from, i, p, p + 1) &&
            (p == numbers.from.at[i] || !cfz_is_digit(numbers.from.bytes[p - 1])))
            cfz_numbers_add(&numbers, p, false);
}

/* Adds the numbers in text. */
static void add_all(void)
{
    for (uint32_t p = 0; p < cfz_image_size(&numbers.from) && numbers.n < SUMMANDS; p++)
        cfz_numbers_add_in_text(&numbers, p);
}

/* Finds the numbers of the base that the task is about. */
static void find_numbers(const struct cfz_solver *v)
{
    cfz_image_copy(&numbers.from, &v->base->im);
    numbers.n = 0;
    for (uint32_t f = 0; f < v->task->nat; f++) {
        uint32_t p = v->task->at[f].p;

        if (p < cfz_image_size(&numbers.from) && numbers.n < SUMMANDS)
            cfz_numbers_add(&numbers, p, false);
    }
    if (v->repairs && v->task->nat == 0)
        add_all();
    if (v->task->lost && numbers.n > 1 && cfz_image_grows(&numbers.from, numbers.of[0].value))
        add_others();
}

/* One round: weigh, share out, and go on from what came nearest. REACHED if something did. */
static enum cfz_trial go_round(struct cfz_solver *v, int64_t *d)
{
    int64_t x[CFZ_NUMBERS], got;
    uint32_t from, end;
    enum cfz_trial r = weigh(v, *d);

    if (cfz_trial_ends(r))
        return r;
    for (int which = ANEW; which < (int)numbers.n; which++)
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
            if (r == CFZ_TRIAL_LOST && cfz_numbers_written(&numbers, x, &from, &end))
                cfz_note_lost(v, &im, from, end, CFZ_WRITTEN_NUMERAL);
            if (r == CFZ_TRIAL_REACHED && magnitude(got) < magnitude(*d)) {
                *d = got;
                return cfz_numbers_become(&numbers, x) ? r : CFZ_TRIAL_LOST;
            }
        }
    return CFZ_TRIAL_LOST;
}

/* Whether two and more of the numbers are in text. */
static bool are_in_text(void)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < numbers.n; k++)
        n += cfz_image_grows(&numbers.from, numbers.of[k].value);
    return n >= 2;
}

/* Other steps do a single argument. A single number in text may be a part of an operand: the first
 * one of an address. */
static bool is_enough(void)
{
    return numbers.n >= 2 ||
           (numbers.n == 1 && cfz_image_grows(&numbers.from, numbers.of[0].value));
}

enum cfz_trial cfz_solve_numerals(struct cfz_solver *v, bool in_text)
{
    const struct cfz_task *t = v->task;
    enum cfz_trial r = CFZ_TRIAL_REACHED;
    int64_t d;

    if (t->g.site->kind == CFZ_SITE_FLOAT || t->g.site->width < 8)
        return CFZ_TRIAL_REACHED;
    numbers.pads =
        (atomic_load_explicit(&t->note->tried, memory_order_relaxed) & 1) != 0; /* by turns */
    for (int way = 0; way < 2; way++) {
        const struct cfz_event start = {.site = t->g.site, .a = t->a, .b = t->b};

        wraps = false;
        d = difference(t, &start);
        wraps = way > 0;
        if (wraps && difference(t, &start) == d)
            continue;
        d = difference(t, &start);
        find_numbers(v);
        if (are_in_text() != in_text || !is_enough())
            return CFZ_TRIAL_REACHED;
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
