/*
 * solver_real.c - Newton's method, for comparisons of floats and for float arguments: a root, a
 * quantity in text times the unit behind it, a temperature in degrees of another kind.
 *
 *     a number, and the same with a little more --traced--> slope of a - b
 *     where the slope says that a - b is what is wanted; half as far while that is no nearer
 *     of an integer that is made of a float, at last the end of what gives the same one
 *
 * One number is varied at a time: a float argument, an integer argument, or a decimal number in a
 * []byte or string. Where greater or less is wanted it goes just beyond the other operand, so that
 * the other end of a range is kept.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/numbers.h"

enum {
    REALS = 6,    /* numbers that are tried */
    LONGEST = 32, /* characters of one in text */
    ITERATIONS = 12,
    HALVES = 8,       /* of a step that does not come nearer */
    HALVES_STEPS = 3, /* ... of one towards an integer */
    ULPS = 4,         /* to each side of where it ends */
    DOUBLINGS = 24,   /* of a step, until the integer is another one */
    SLOPE_DIGITS = 3, /* of a fraction, while the slope is not known */
    FRACTION = 9,     /* digits of a fraction, where they are few */
    BISECTIONS = 64,  /* of the last step: enough but around 0 */
};

/* A number of the input. */
struct real {
    uint32_t value;   /* of the test */
    uint32_t at, len; /* in the base */
    bool is_whole;    /* has no fraction */
    bool is_scaled;   /* in text; of a fraction no more digits are written than it takes */
    int digits;       /* ... so many of them */
    double x;
};

static struct cfz_image im;

/* The decimal number around position p, of value i, or false. */
static bool read_text(const struct cfz_image *b, uint32_t i, uint32_t p, struct real *n)
{
    uint32_t from = p, end = b->at[i + 1];
    char text[LONGEST + 1], *stop;

    while (from > b->at[i] && p - from < LONGEST &&
           (cfz_is_digit(b->bytes[from - 1]) || b->bytes[from - 1] == '.'))
        from--;
    if (from > b->at[i] && b->bytes[from - 1] == '-')
        from--;
    n->len = end - from < LONGEST ? end - from : LONGEST;
    memcpy(text, b->bytes + from, n->len);
    text[n->len] = 0;
    text[strspn(text, "-+.0123456789eE")] = 0; /* no names, no hexadecimal */
    n->x = strtod(text, &stop);
    n->at = from;
    n->len = (uint32_t)(stop - text);
    n->is_whole =
        !memchr(text, '.', n->len) && !memchr(text, 'e', n->len) && !memchr(text, 'E', n->len);
    return n->len > 0 && p < from + n->len;
}

/* The number that the byte at p of the base is of, or false. */
static bool read_number(const struct cfz_image *b, uint32_t p, struct real *n)
{
    uint32_t i = cfz_image_value(b, p);
    enum cfz_kind kind = b->like[i].kind;

    n->value = i;
    n->is_scaled = false;
    n->digits = 0;
    if (cfz_image_grows(b, i))
        return read_text(b, i, p, n) && isfinite(n->x);
    n->at = b->at[i];
    n->len = b->at[i + 1] - n->at;
    n->is_whole = !cfz_kind_is_float(kind);
    if (n->is_whole) {
        unsigned unused = n->len < 8 ? 64 - 8 * n->len : 0;

        n->x = (double)((int64_t)(cfz_image_get(b, n->at, n->len, false) << unused) >> unused);
    } else {
        struct cfz_value v = {.kind = kind, .bits = cfz_image_get(b, n->at, n->len, false)};

        n->x = cfz_value_float(&v);
    }
    return isfinite(n->x);
}

/* Makes im the base with another number. False if that cannot be written. */
static bool write_number(const struct cfz_image *b, const struct real *n, double x)
{
    char text[LONGEST];
    int len;

    if (n->is_whole && fabs(x) > 9e18)
        return false;
    cfz_image_copy(&im, b);
    if (!cfz_image_grows(b, n->value)) {
        struct cfz_value v = {.kind = b->like[n->value].kind};

        if (n->is_whole)
            v.bits = (uint64_t)(int64_t)x;
        else
            cfz_value_set_float(&v, x);
        cfz_image_put(&im, n->at, n->len, false, v.bits);
        return true;
    }
    len = n->is_scaled ? snprintf(text, sizeof text, "%.*f", n->digits, x)
                       : snprintf(text, sizeof text, n->is_whole ? "%.0f" : "%.17g", x);
    return len > 0 && len < (int)sizeof text &&
           cfz_image_splice(&im, n->value, n->at, n->len, (const uint8_t *)text, (uint32_t)len);
}

static double operand(const struct cfz_site *site, uint64_t v)
{
    if (site->kind == CFZ_SITE_FLOAT)
        return cfz_number_float(site, v);
    return site->flags & CFZ_SITE_SIGNED ? (double)(int64_t)v : (double)v;
}

/* Executes the base with x for the number. *gap gets what is missing from a - b. */
static enum cfz_trial try_real(struct cfz_solver *v, const struct real *n, double x, double *gap)
{
    const struct cfz_site *site = v->task->g.site;
    enum cfz_trial r;
    double a, b;

    if (!isfinite(x) || !write_number(&v->base->im, n, x))
        return CFZ_TRIAL_LOST;
    v->step = "newton";
    r = cfz_trial(v, &im);
    if (r != CFZ_TRIAL_REACHED)
        return r;
    a = operand(site, v->event->a);
    b = operand(site, v->event->b);
    *gap = cfz_aim(v->task, a, b) - (a - b);
    return isfinite(*gap) ? r : CFZ_TRIAL_LOST;
}

/* How much the gap changes by one more at x, as a step of so much says; 0 if it says nothing. */
static enum cfz_trial slope_at(struct cfz_solver *v, const struct real *n, double x, double gap,
                               double step, double *slope)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    *slope = 0;
    for (int side = 0; side < 2 && *slope == 0; side++, step = -step) {
        double there;

        r = try_real(v, n, x + step, &there);
        if (cfz_trial_ends(r))
            return r;
        if (r == CFZ_TRIAL_REACHED)
            *slope = (there - gap) / step;
    }
    return *slope != 0 && isfinite(*slope) ? CFZ_TRIAL_REACHED : CFZ_TRIAL_LOST;
}

static double power_of_ten(int n)
{
    double p = 1;

    while (n-- > 0)
        p *= 10;
    return p;
}

/* What is written for to with so many digits of a fraction: not before it, seen from x. */
static double beyond(double x, double to, int digits)
{
    const double units = power_of_ten(digits), all = to * units;
    double whole;

    if (!(fabs(all) < 9e18))
        return to;
    whole = (double)(int64_t)all;
    if (to < x && whole > all)
        whole--;
    else if (to > x && whole < all)
        whole++;
    return whole / units;
}

/*
 * A step of a number with few digits of a fraction: as many as the slope asks for, so that an
 * integer becomes one more or less; then fewer, since a program may read no more of them, or take
 * what is behind them for something else.
 */
static enum cfz_trial scaled_step(struct cfz_solver *v, struct real *n, double *x, double *gap,
                                  double slope)
{
    const double size = fabs(slope), step = -*gap / slope;
    int most = 0;

    while (most < FRACTION && power_of_ten(most) < size * (1 - 1e-9))
        most++;
    for (int k = 0; k <= most; k++) {
        double to, left;
        enum cfz_trial r;

        n->digits = k == 0 ? most : k - 1;
        to = k == 0 ? *x + step : beyond(*x, *x + step, n->digits);
        r = try_real(v, n, to, &left);
        if (cfz_trial_ends(r))
            return r;
        if (r == CFZ_TRIAL_REACHED && fabs(left) < fabs(*gap)) {
            *x = to;
            *gap = left;
            return r;
        }
    }
    return CFZ_TRIAL_LOST;
}

/* One step from *x, or a part of it, that leaves less of the gap. LOST if none does. */
static enum cfz_trial step_from(struct cfz_solver *v, struct real *n, double *x, double *gap)
{
    /* A slope over little is exact, but an integer stays the same over little, or jumps. */
    static const double exact[] = {1e-6, 1e-3, 1, 0}, coarse[] = {1, 32, 1024, 1e-3, 0},
                        scaled[] = {1, 1e-3, 0};
    const bool steps = v->task->g.site->kind == CFZ_SITE_INT && !n->is_whole;
    const int halves = steps ? HALVES_STEPS : HALVES;

    for (const double *part = n->is_scaled ? scaled : steps ? coarse : exact; *part != 0; part++) {
        double step = (fabs(*x) > 1 ? fabs(*x) : 1) * *part, slope, left;
        enum cfz_trial r;

        if (n->is_whole)
            step = step < 1 ? 1 : cfz_rounded(step);
        if (n->digits < SLOPE_DIGITS)
            n->digits = SLOPE_DIGITS;
        r = slope_at(v, n, *x, *gap, step, &slope);
        if (cfz_trial_ends(r))
            return r;
        if (n->is_scaled) {
            if (r == CFZ_TRIAL_LOST)
                continue;
            return fabs(slope) > 1 ? scaled_step(v, n, x, gap, slope) : CFZ_TRIAL_LOST;
        }
        step = -*gap / slope;
        for (int k = 0; k <= halves && r == CFZ_TRIAL_REACHED; k++, step /= 2) {
            double to = n->is_whole ? cfz_rounded(*x + step) : *x + step;
            enum cfz_trial there = try_real(v, n, to, &left);

            if (cfz_trial_ends(there))
                return there;
            if (there == CFZ_TRIAL_REACHED && fabs(left) < fabs(*gap)) {
                *x = to;
                *gap = left;
                return there;
            }
        }
    }
    return CFZ_TRIAL_LOST;
}

/*
 * The end of what the program makes the same integer of, from x on: bisected, until no other number
 * is between. There a range may end that the program takes for half open, or that a number is
 * wrapped into.
 */
static enum cfz_trial to_edge(struct cfz_solver *v, const struct real *n, double x, double gap,
                              double by)
{
    double in = x, out = x, left;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    for (int k = 0; k < DOUBLINGS && out == x; k++, by *= 2) {
        r = try_real(v, n, x + by, &left);
        if (cfz_trial_ends(r))
            return r;
        if (r == CFZ_TRIAL_REACHED && left == gap)
            in = x + by;
        else
            out = x + by;
    }
    for (int k = 0; k < BISECTIONS && out != x; k++) {
        const double mid = in + (out - in) / 2;

        if (mid == in || mid == out)
            break;
        r = try_real(v, n, mid, &left);
        if (cfz_trial_ends(r))
            return r;
        if (r == CFZ_TRIAL_REACHED && left == gap)
            in = mid;
        else
            out = mid;
    }
    return CFZ_TRIAL_REACHED;
}

static enum cfz_trial approach(struct cfz_solver *v, struct real *n)
{
    const struct cfz_task *t = v->task;
    double a = operand(t->g.site, t->a), b = operand(t->g.site, t->b), x = n->x;
    double gap = cfz_aim(t, a, b) - (a - b), ulp;
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (!isfinite(gap))
        return CFZ_TRIAL_REACHED;
    for (int k = 0; k < ITERATIONS && r == CFZ_TRIAL_REACHED; k++)
        r = step_from(v, n, &x, &gap);
    if (n->is_scaled)
        return r;
    if (t->g.site->kind == CFZ_SITE_INT && !n->is_whole && x != n->x && !cfz_trial_ends(r))
        return to_edge(v, n, x, gap, (x - n->x) * 1e-3);
    ulp = fabs(x) * DBL_EPSILON;
    for (int k = -ULPS; k <= ULPS && !n->is_whole && !cfz_trial_ends(r); k++)
        r = try_real(v, n, x + k * ulp, &gap);
    return cfz_trial_ends(r) ? r : CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_real(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    const bool is_float = t->g.site->kind == CFZ_SITE_FLOAT;
    uint32_t tried[REALS], ntried = 0;

    if ((!is_float && t->g.site->kind != CFZ_SITE_INT) || t->g.want & CFZ_REL_UNORDERED ||
        t->g.want == (CFZ_REL_GREATER | CFZ_REL_LESS))
        return CFZ_TRIAL_REACHED;
    v->recipe.set = CFZ_RECIPE_NONE;
    for (uint32_t f = 0; f < t->nat && ntried < REALS; f++) {
        struct real n;
        bool again = false;
        enum cfz_trial r;

        if (!read_number(b, t->at[f].p, &n))
            continue;
        for (uint32_t k = 0; k < ntried; k++)
            again |= tried[k] == n.at;
        if (again || (!is_float && n.is_whole && (!cfz_image_grows(b, n.value) || t->g.level > 0)))
            continue; /* other steps do integers of integers */
        tried[ntried++] = n.at;
        if (!is_float && cfz_image_grows(b, n.value)) {
            r = n.is_whole ? CFZ_TRIAL_REACHED : approach(v, &n);
            n.is_whole = false;
            n.is_scaled = true;
            if (!cfz_trial_ends(r))
                r = approach(v, &n);
            if (cfz_trial_ends(r))
                return r;
            continue;
        }
        if (is_float && n.is_whole && cfz_image_grows(b, n.value)) {
            n.is_whole = false; /* with a fraction, if the program takes one */
            r = approach(v, &n);
            if (cfz_trial_ends(r))
                return r;
            n.is_whole = true;
        }
        r = approach(v, &n);
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}
