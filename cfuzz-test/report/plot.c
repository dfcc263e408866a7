/*
 * plot.c - see plot.h.
 */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>

#include "report/html.h"

/* Units of the drawing, which scales with the page. */
enum {
    WIDTH = 460,
    HEIGHT = 220,
    LEFT = 52, /* of the numbers */
    RIGHT = 22,
    TOP = 12,
    BOTTOM = 34,
    STEPS = 4, /* lines across */
    NUMBER_MAX = 32,
};

static const char *const titles[] = {[PLOT_MS] = "time",
                                     [PLOT_EXECS] = "executions",
                                     [PLOT_CORPUS] = "inputs in the corpus",
                                     [PLOT_COVERED] = "edges covered"};

static uint64_t value(const struct history_point *p, enum plot_axis a)
{
    return a == PLOT_MS       ? p->ms
           : a == PLOT_EXECS  ? p->execs
           : a == PLOT_CORPUS ? p->corpus
                              : p->covered;
}

double plot_nice(double n)
{
    double power = pow(10, floor(log10(n > 1 ? n : 1)));

    for (int i = 0; i < 2; i++, power *= 10) {
        static const double steps[] = {1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8};

        for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
            if (steps[k] * power >= n)
                return steps[k] * power;
    }
    return power;
}

/* Where the axis of a ends, of which n is the greatest value. There are no halves of things that
 * are counted. */
static double axis_end(double n, enum plot_axis a)
{
    double end = plot_nice(n);

    while (a != PLOT_MS && fmod(end, STEPS) != 0)
        end = plot_nice(end + 1);
    return end;
}

static size_t first_run(const struct history *h)
{
    return h->n > PLOT_RUNS ? h->n - PLOT_RUNS : 0;
}

static double greatest(const struct history *h, enum plot_axis a)
{
    uint64_t most = 1;

    for (size_t i = first_run(h); i < h->n; i++)
        for (size_t k = 0; k < h->runs[i].npoints; k++)
            if (value(&h->runs[i].points[k], a) > most)
                most = value(&h->runs[i].points[k], a);
    return (double)most;
}

/* A number as it stands at an axis: "1.5M", "30s". */
static const char *axis_number(double n, enum plot_axis a, char text[NUMBER_MAX])
{
    if (a == PLOT_MS && n >= 3600000)
        snprintf(text, NUMBER_MAX, "%.3gh", n / 3600000);
    else if (a == PLOT_MS && n >= 120000)
        snprintf(text, NUMBER_MAX, "%.3gm", n / 60000);
    else if (a == PLOT_MS)
        snprintf(text, NUMBER_MAX, "%.3gs", n / 1000);
    else if (n >= 1e9)
        snprintf(text, NUMBER_MAX, "%.3gG", n / 1e9);
    else if (n >= 1e6)
        snprintf(text, NUMBER_MAX, "%.3gM", n / 1e6);
    else if (n >= 1e4)
        snprintf(text, NUMBER_MAX, "%.3gk", n / 1e3);
    else
        snprintf(text, NUMBER_MAX, "%.4g", n);
    return text;
}

static int draw_axes(struct cfz_buf *out, double xmax, double ymax, enum plot_axis what,
                     enum plot_axis against, struct cfz_error *err)
{
    char text[NUMBER_MAX];

    for (int i = 0; i <= STEPS; i++) {
        double y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (double)i / STEPS;
        double x = LEFT + (WIDTH - LEFT - RIGHT) * (double)i / STEPS;

        if (cfz_buf_printf(out, err,
                           "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                           "<text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>",
                           LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4,
                           axis_number(ymax * i / STEPS, what, text)) < 0 ||
            cfz_buf_printf(out, err, "<text class=\"x\" x=\"%.1f\" y=\"%d\">%s</text>", x,
                           HEIGHT - BOTTOM + 16, axis_number(xmax * i / STEPS, against, text)) < 0)
            return -1;
    }
    return cfz_buf_printf(out, err, "<text class=\"x name\" x=\"%d\" y=\"%d\">%s</text>",
                          LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 3, titles[against]);
}

/* A curve whose value holds until the next point, as coverage does; executions are in a line. */
static int draw_run(struct cfz_buf *out, const struct history_run *r, size_t k, double xmax,
                    double ymax, enum plot_axis what, enum plot_axis against, struct cfz_error *err)
{
    double width = WIDTH - LEFT - RIGHT, height = HEIGHT - TOP - BOTTOM, before = -1;

    if (r->npoints == 0)
        return 0;
    if (cfz_buf_printf(out, err,
                       "<polyline class=\"run c%zu\" data-run=\"%zu\" fill=\"none\" points=\"", k,
                       k) < 0)
        return -1;
    for (size_t i = 0; i < r->npoints; i++) {
        double x = LEFT + width * (double)value(&r->points[i], against) / xmax;
        double y = HEIGHT - BOTTOM - height * (double)value(&r->points[i], what) / ymax;

        if (what != PLOT_EXECS && before >= 0 &&
            cfz_buf_printf(out, err, "%.1f,%.1f ", x, before) < 0)
            return -1;
        if (cfz_buf_printf(out, err, "%.1f,%.1f ", x, y) < 0)
            return -1;
        before = y;
    }
    return cfz_buf_puts(out, "\"/>", err);
}

int plot_curves(struct cfz_buf *out, const struct history *h, enum plot_axis what,
                enum plot_axis against, struct cfz_error *err)
{
    double xmax = axis_end(greatest(h, against), against);
    double ymax = axis_end(greatest(h, what), what);
    bool any = false;

    if (html_printf(out, err, "<figure><figcaption>%s over %s</figcaption>", titles[what],
                    titles[against]) < 0)
        return -1;
    for (size_t i = first_run(h); i < h->n; i++)
        any |= h->runs[i].npoints > 1;
    if (!any)
        return cfz_buf_puts(out, "<p class=\"none\">no run that took long enough</p></figure>\n",
                            err);
    if (cfz_buf_printf(out, err,
                       "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\">"
                       "<title>%s over %s</title>",
                       WIDTH, HEIGHT, titles[what], titles[against]) < 0 ||
        draw_axes(out, xmax, ymax, what, against, err) < 0)
        return -1;
    for (size_t i = first_run(h); i < h->n; i++)
        if (draw_run(out, &h->runs[i], i - first_run(h), xmax, ymax, what, against, err) < 0)
            return -1;
    return cfz_buf_puts(out, "</svg></figure>\n", err);
}

int plot_spark(struct cfz_buf *out, const struct history *h, struct cfz_error *err)
{
    enum { SPARK_WIDTH = 120, SPARK_HEIGHT = 24 };
    const struct history_run *r = h->n > 0 ? &h->runs[h->n - 1] : NULL;
    double xmax = 1, ymax = 1;

    if (r == NULL || r->npoints < 2)
        return cfz_buf_puts(out, "<span class=\"none\">-</span>", err);
    for (size_t i = 0; i < r->npoints; i++) {
        xmax = fmax(xmax, (double)r->points[i].ms);
        ymax = fmax(ymax, (double)r->points[i].covered);
    }
    if (cfz_buf_printf(out, err,
                       "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\">"
                       "<polyline fill=\"none\" points=\"",
                       SPARK_WIDTH, SPARK_HEIGHT) < 0)
        return -1;
    for (size_t i = 0; i < r->npoints; i++)
        if (cfz_buf_printf(out, err, "%.1f,%.1f ", SPARK_WIDTH * (double)r->points[i].ms / xmax,
                           SPARK_HEIGHT - 2 -
                               (SPARK_HEIGHT - 4) * (double)r->points[i].covered / ymax) < 0)
            return -1;
    return cfz_buf_puts(out, "\"/></svg>", err);
}
