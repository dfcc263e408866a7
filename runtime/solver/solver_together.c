/*
 * solver_together.c - two numbers that change together, so that something that they add up to stays
 * as it is: shares that are a hundred in all, two sides of one area, a sum and a difference.
 *
 *     each number a little more --leaves the path at a comparison--> its effect there
 *     two of them, each by as much as the other's effect --traced--> what the task compares moves
 *     from there on Newton's method, or bit by bit where that moves it as an xor does
 *
 * The numbers are arguments and numbers in text. What is not quite right at the comparison that is
 * to stay, as a float may be that was rounded, is made up for by the second number, once. Of
 * numbers in text, a pair that came nearer stays so for the next pair: two addresses of one
 * network.
 */
#include <math.h>

#include "solver/numbers.h"

enum {
    ITERATIONS = 10,
    HALVES = 6, /* of a step that does not come nearer */
    BITS = 40,  /* that are tried one by one */
};

/* Of a number: the comparison at which a change of it leaves the path, and its effect there. */
struct effect {
    const struct cfz_site *site; /* NULL: it is not known */
    uint32_t nth;
    double step, difference; /* a change of it, and a - b there: after it, and then without it */
    double of_one;           /* what one more does to a - b there */
};

static const double LITTLE = 1.0 / 1024; /* of a float */
static const double ROUNDING = 1e-6;     /* parts of an effect on a float; guessed */

static struct cfz_numbers numbers;
static struct effect effects[CFZ_NUMBERS];
static struct cfz_image im;
static bool wraps; /* what is asked for equality is taken for a signed number */

/* Two of them, and what each becomes more by one step. */
struct pair {
    uint32_t i, j;
    double di, dj;
};

static bool is_float(uint32_t k)
{
    return cfz_kind_is_float(numbers.from.like[numbers.of[k].value].kind);
}

static double value_of(uint32_t k)
{
    const struct cfz_number *n = &numbers.of[k];
    const struct cfz_value v = {.kind = numbers.from.like[n->value].kind, .bits = (uint64_t)n->x};

    if (is_float(k))
        return cfz_value_float(&v);
    return cfz_kind_is_unsigned(v.kind) ? (double)v.bits : (double)n->x;
}

/* Makes number k, in x, d; false if it can't be that. */
static bool set(int64_t x[CFZ_NUMBERS], uint32_t k, double d)
{
    struct cfz_value v = {.kind = numbers.from.like[numbers.of[k].value].kind};

    if (is_float(k)) {
        cfz_value_set_float(&v, d);
        x[k] = (int64_t)v.bits;
        return true;
    }
    if (!(fabs(d) < 9e18))
        return false;
    d = cfz_rounded(d);
    x[k] = cfz_numbers_clamp(&numbers, k, (int64_t)d);
    return x[k] == (int64_t)d;
}

static void as_they_are(int64_t x[CFZ_NUMBERS])
{
    for (uint32_t k = 0; k < numbers.n; k++)
        x[k] = numbers.of[k].x;
}

/* a - b; that of integers that are not ordered as a signed number of their width, if that wraps. */
static double difference(const struct cfz_site *site, uint64_t a, uint64_t b)
{
    const unsigned unused = site->width == 0 || site->width >= 64 ? 0 : 64 - site->width;

    if (site->kind == CFZ_SITE_FLOAT)
        return cfz_number_float(site, a) - cfz_number_float(site, b);
    if (cfz_site_asks_equality(site))
        return wraps ? (double)((int64_t)((a - b) << unused) >> unused)
                     : (double)(a & cfz_site_mask(site)) - (double)(b & cfz_site_mask(site));
    return site->flags & CFZ_SITE_SIGNED ? (double)(int64_t)a - (double)(int64_t)b
                                         : (double)a - (double)b;
}

/* What is missing from a - b of the task. */
static double gap_of(const struct cfz_task *t, uint64_t a, uint64_t b)
{
    const struct cfz_site *site = t->g.site;
    const bool floats = site->kind == CFZ_SITE_FLOAT;

    return cfz_aim(t, floats ? cfz_number_float(site, a) : 0,
                   floats ? cfz_number_float(site, b) : 0) -
           difference(site, a, b);
}

/* ---- effects --------------------------------------------------------------------------------- */

static void find_numbers(const struct cfz_task *t, const struct cfz_image *from)
{
    cfz_image_copy(&numbers.from, from);
    numbers.n = 0;
    numbers.pads = false;
    for (uint32_t i = 0; i < from->n; i++)
        if (!cfz_image_grows(from, i))
            cfz_numbers_add(&numbers, from->at[i], true);
    for (uint32_t f = 0; f < t->nat; f++)
        cfz_numbers_add_in_text(&numbers, t->at[f].p);
    for (uint32_t p = 0; p < cfz_image_size(from); p++)
        cfz_numbers_add_in_text(&numbers, p);
}

/* Sees where a change of number k leaves the path. False if the search is over. */
static bool see_effect(struct cfz_solver *v, uint32_t k)
{
    struct effect *e = &effects[k];
    const double x = value_of(k), least = is_float(k) ? LITTLE : 1;
    double step = is_float(k) && fabs(x) > 1 ? fabs(x) * least : least;

    e->site = NULL;
    for (int side = 0; side < 2 && !e->site; side++, step = -step) {
        const struct cfz_event *left;
        int64_t to[CFZ_NUMBERS];

        as_they_are(to);
        if (!set(to, k, x + step) || to[k] == numbers.of[k].x ||
            !cfz_numbers_render(&numbers, to, &im))
            continue;
        if (!cfz_solver_execute(v->s, &im))
            return false;
        left = cfz_base_left(v->base);
        if (!left || (left->site->kind != CFZ_SITE_INT && left->site->kind != CFZ_SITE_FLOAT))
            continue;
        e->site = left->site;
        e->nth = left->nth;
        e->step = step;
        e->difference = difference(left->site, left->a, left->b);
    }
    return true;
}

/* Finds the effects of all numbers. False if the search is over. */
static bool see_effects(struct cfz_solver *v)
{
    for (uint32_t k = 0; k < numbers.n; k++)
        if (!see_effect(v, k))
            return false;
    if (!cfz_solver_execute(v->s, &numbers.from))
        return false;
    for (uint32_t k = 0; k < numbers.n; k++) {
        struct effect *e = &effects[k];
        const struct cfz_event *was = e->site ? cfz_trace_find(e->site, e->nth) : NULL;

        e->of_one = was ? (e->difference - difference(was->site, was->a, was->b)) / e->step : 0;
        e->difference = was ? difference(was->site, was->a, was->b) : 0;
    }
    return true;
}

/* ---- pairs ------------------------------------------------------------------------------ */

/* Executes the input t steps further, and once more if the comparison that is to stay is missed by
 * little. *gap gets what is missing then. */
static enum cfz_trial go(struct cfz_solver *v, const struct pair *p, double t, double *gap)
{
    const struct effect *stays = &effects[p->j];
    double xj = value_of(p->j) + p->dj * t;
    enum cfz_trial r = CFZ_TRIAL_LOST;

    for (int again = 0; again < 2 && r == CFZ_TRIAL_LOST; again++) {
        const struct cfz_event *e;
        int64_t x[CFZ_NUMBERS];
        double off;

        as_they_are(x);
        if (!set(x, p->i, value_of(p->i) + p->di * t) || !set(x, p->j, xj) ||
            !cfz_numbers_render(&numbers, x, &im))
            return r;
        v->step = "together";
        v->recipe.set = CFZ_RECIPE_NONE;
        r = cfz_trial_once(v, &im);
        e = r == CFZ_TRIAL_LOST ? cfz_trace_find(stays->site, stays->nth) : NULL;
        off = e ? difference(e->site, e->a, e->b) - stays->difference : 0;
        if (r == CFZ_TRIAL_LOST && (again || off == 0))
            return cfz_trial_back(v, &im);
        xj -= off / stays->of_one;
    }
    if (r == CFZ_TRIAL_REACHED)
        *gap = gap_of(v->task, v->event->a, v->event->b);
    return r;
}

/* As many of the lowest bits of the operands as are the same. */
static unsigned same_bits(const struct cfz_solver *v)
{
    const uint64_t other = (v->event->a ^ v->event->b) & cfz_site_mask(v->task->g.site);

    return other ? (unsigned)__builtin_ctzll(other) : 64;
}

/* How many steps back both are still above 0; 0 if one of them becomes more then. */
static double steps_back(const struct pair *p)
{
    const double i = value_of(p->i) / p->di, j = value_of(p->j) / p->dj;
    const double least = i < j ? i : j;

    return p->di > 0 && p->dj > 0 && least > 1 && least < 9e18 ? (double)(int64_t)(least - 1) : 0;
}

/* From the lowest bit on, one after the other becomes right; numbers that grow together begin as
 * small as they may be. */
static enum cfz_trial bit_by_bit(struct cfz_solver *v, const struct pair *p)
{
    double gap, t = -steps_back(p);
    enum cfz_trial r = go(v, p, t, &gap);
    unsigned same;

    if (r == CFZ_TRIAL_LOST)
        r = go(v, p, t = 0, &gap);
    if (r != CFZ_TRIAL_REACHED)
        return r;
    same = same_bits(v);
    for (unsigned k = 0; k < BITS && !cfz_trial_ends(r); k++) {
        const double more = (double)(UINT64_C(1) << k);

        r = go(v, p, t + more, &gap);
        if (r != CFZ_TRIAL_REACHED || same_bits(v) <= same)
            continue;
        same = same_bits(v);
        t += more;
    }
    return r;
}

/* The slope of the gap at t, by one step; or LOST. */
static enum cfz_trial slope_at(struct cfz_solver *v, const struct pair *p, double t, double gap,
                               double step, double *slope)
{
    enum cfz_trial r = CFZ_TRIAL_LOST;

    for (int side = 0; side < 2 && r == CFZ_TRIAL_LOST; side++, step = -step) {
        double there;

        r = go(v, p, t + step, &there);
        if (r == CFZ_TRIAL_REACHED)
            *slope = (there - gap) / step;
    }
    return r;
}

/* A small part of a gap, or of 1, that is a power of two: short numbers stay short with it, and
 * what they add up to exactly what it was. */
static double little_of(double gap)
{
    double step = LITTLE;

    for (unsigned k = 0; k < BITS && step > fabs(gap) * LITTLE; k++)
        step /= 2;
    return step;
}

/* Whether both numbers of a pair are in text. */
static bool is_in_text(const struct pair *p)
{
    return cfz_image_grows(&numbers.from, numbers.of[p->i].value) &&
           cfz_image_grows(&numbers.from, numbers.of[p->j].value);
}

/* What is tried for a number of steps. In text smaller numbers make up for what is left, most
 * often: it is rather too little. */
static double whole_steps(const struct pair *p, double t)
{
    const double nearest = cfz_rounded(t);

    return is_in_text(p) && nearest > t ? nearest - 1 : nearest;
}

/* Whether a pair in text was too much, and is too little now, by less than a step. */
static bool is_less(const struct pair *p, double slope, double was, double left)
{
    return is_in_text(p) && was / slope > 0 && left / slope < 0 && fabs(left) < fabs(slope);
}

/* Newton's method along one pair, from the gap that there is. It gets, and *t the steps to, what
 * came nearest. */
static enum cfz_trial slide(struct cfz_solver *v, const struct pair *p, double *gap, double *t)
{
    const bool whole = !is_float(p->i);
    double slope;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    *t = 0;
    for (int n = 0; n < ITERATIONS; n++) {
        const double step = whole ? 1 : little_of(*gap);
        double to, left;
        bool nearer = false;

        r = slope_at(v, p, *t, *gap, step, &slope);
        if (r != CFZ_TRIAL_REACHED || slope == 0)
            return r;
        to = *t - *gap / slope;
        for (int k = 0; k <= HALVES && !nearer; k++, to = *t + (to - *t) / 2) {
            r = go(v, p, whole ? whole_steps(p, to) : to, &left);
            if (cfz_trial_ends(r))
                return r;
            nearer = r == CFZ_TRIAL_REACHED &&
                     (fabs(left) < fabs(*gap) || is_less(p, slope, *gap, left));
            if (nearer)
                *t = whole ? whole_steps(p, to) : to;
        }
        if (!nearer)
            break;
        *gap = left;
    }
    return whole && !is_in_text(p) && v->task->g.want == CFZ_REL_EQUAL &&
                   v->task->g.site->kind == CFZ_SITE_INT
               ? bit_by_bit(v, p)
               : r;
}

/* The integer that an effect is, but for rounding; or the effect. */
static double as_integer(double effect)
{
    const double nearest = cfz_rounded(effect);

    return fabs(effect - nearest) <= fabs(effect) * ROUNDING ? nearest : effect;
}

/* What goes into both: Euclid's algorithm, as far as they are exact. */
static double divisor(double a, double b)
{
    const bool exact = a == cfz_rounded(a) && b == cfz_rounded(b);
    const double least = exact ? 0 : fmin(fabs(a), fabs(b)) * ROUNDING;

    while (fabs(b) > least) {
        const double rest = a - b * cfz_rounded(a / b);

        a = b;
        b = rest;
    }
    return fabs(a);
}

/* Makes p of two numbers that have an effect on the same comparison. */
static bool make_pair(struct pair *p, uint32_t i, uint32_t j)
{
    const struct effect *a = &effects[i], *b = &effects[j];

    if (!a->site || a->site != b->site || a->nth != b->nth || a->of_one == 0 || b->of_one == 0 ||
        is_float(i) != is_float(j))
        return false;
    *p = (struct pair){i, j, 1, -a->of_one / b->of_one};
    if (!is_float(i)) {
        const double x = as_integer(a->of_one), y = as_integer(b->of_one);
        double d;

        if (!(fabs(x) < 1e15) || !(fabs(y) < 1e15))
            return false; /* NaN, too */
        d = divisor(x, y);
        p->di = cfz_rounded(y / d);
        p->dj = -cfz_rounded(x / d);
        if (p->di < 0) {
            p->di = -p->di;
            p->dj = -p->dj;
        }
    }
    return true;
}

/* Along two numbers that have an effect on the same comparison; both ways, where that may be of an
 * xor, which asks whether they are the same. */
static enum cfz_trial slide_pair(struct cfz_solver *v, struct pair *p, double *gap, double *t)
{
    const bool is_same = effects[p->i].of_one == effects[p->j].of_one;
    enum cfz_trial r = CFZ_TRIAL_LOST;

    *t = 0;
    for (int way = 0; way < (is_same ? 2 : 1) && !cfz_trial_ends(r) && *t == 0; way++) {
        if (is_same)
            p->dj = (way == 0) == (value_of(p->i) == value_of(p->j)) ? p->di : -p->di;
        r = slide(v, p, gap, t);
    }
    return r;
}

/* Makes the numbers of a pair in text t steps more for all that follows: further ones may make up
 * for what is left. False if there is no room. */
static bool go_on(const struct pair *p, double t)
{
    int64_t x[CFZ_NUMBERS];

    as_they_are(x);
    return set(x, p->i, value_of(p->i) + p->di * t) && set(x, p->j, value_of(p->j) + p->dj * t) &&
           cfz_numbers_become(&numbers, x);
}

static enum cfz_trial slide_all(struct cfz_solver *v)
{
    const double all = gap_of(v->task, v->task->a, v->task->b);
    double left = all;

    for (uint32_t i = 0; i < numbers.n; i++)
        for (uint32_t j = i + 1; j < numbers.n; j++) {
            double gap, t;
            struct pair p;
            enum cfz_trial r;

            if (!make_pair(&p, i, j))
                continue;
            gap = is_in_text(&p) ? left : all;
            r = slide_pair(v, &p, &gap, &t);
            if (cfz_trial_ends(r))
                return r;
            if (is_in_text(&p) && t != 0 && go_on(&p, t))
                left = gap;
        }
    return CFZ_TRIAL_LOST;
}

enum cfz_trial cfz_solve_together(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    enum cfz_trial r = CFZ_TRIAL_LOST;
    bool first = true; /* wraps at first: not with numbers in text, which have no sign */
    double gap;

    find_numbers(t, &v->base->im);
    if (numbers.n < 2)
        return r;
    wraps = true;
    if (!see_effects(v))
        return CFZ_TRIAL_OVER;
    for (uint32_t k = 0; k < numbers.n; k++)
        first = first && !cfz_image_grows(&numbers.from, numbers.of[k].value);
    wraps = first;
    gap = gap_of(t, t->a, t->b);
    r = slide_all(v);
    wraps = !first;
    if (cfz_trial_ends(r) || gap_of(t, t->a, t->b) == gap)
        return r;
    find_numbers(t, &v->base->im); /* from where they were */
    return slide_all(v);
}
