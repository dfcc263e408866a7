/*
 * page_test.c - the page of a test: how its runs went, what failed, what blocks it, its inputs.
 */
#include "report/html.h"
#include "report/parts.h"
#include "report/plot.h"
#include "report/site.h"

#include <stdlib.h>
#include <string.h>

enum { SLOWEST = 10, INPUTS_SHOWN = 2000, INPUTS_OPEN = 30 };

static const char *sanitizers_text(const char *words)
{
    return words[0] != '\0' ? words : "no sanitizer";
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int add_run_row(struct cfz_buf *out, const struct history *h, size_t i,
                       struct cfz_error *err)
{
    const struct history_run *r = &h->runs[i];
    const struct history_point *at = r->npoints > 0 ? &r->points[r->npoints - 1] : NULL;
    size_t first = h->n > PLOT_RUNS ? h->n - PLOT_RUNS : 0;

    if (i >= first
            ? html_printf(out, err,
                          "<tr><td><label class=\"key c%u\"><input type=\"checkbox\" checked "
                          "data-run=\"%u\"> <span class=\"swatch\"></span></label></td>"
                          "<td class=\"when\" data-sort=\"%u\">",
                          (uint64_t)(i - first), (uint64_t)(i - first), (uint64_t)r->began) < 0
            : html_printf(out, err, "<tr><td></td><td class=\"when\" data-sort=\"%u\">",
                          (uint64_t)r->began) < 0)
        return -1;
    if (html_time(out, r->began, err) < 0 ||
        html_printf(
            out, err,
            "</td><td class=\"%s\">%t</td><td class=\"when\">%t</td><td class=\"num\">%u</td>"
            "<td>%t</td><td class=\"num\" data-sort=\"%u\">",
            strcmp(r->end, "failed") == 0 ? "bad" : "", r->end, sanitizers_text(r->sanitizers),
            r->workers, r->seed, at != NULL ? at->ms : 0) < 0 ||
        html_duration(out, at != NULL ? at->ms * 1000000 : 0, err) < 0 ||
        html_printf(out, err, "</td><td class=\"num\" data-sort=\"%u\">",
                    at != NULL ? at->execs : 0) < 0 ||
        html_number(out, at != NULL ? at->execs : 0, err) < 0 ||
        html_printf(out, err, "</td><td class=\"num\">%u</td>", at != NULL ? at->corpus : 0) < 0)
        return -1;
    if (r->counters > 0 && at != NULL
            ? html_printf(out, err, "<td class=\"num\" data-sort=\"%u\">%u of %u</td>", at->covered,
                          at->covered, r->counters) < 0
            : html_printf(out, err, "<td class=\"num none\" data-sort=\"0\">-</td>") < 0)
        return -1;
    return html_printf(out, err, "<td class=\"num%s\">%u</td></tr>\n",
                       r->ncrashes > 0 ? " bad" : "", (uint64_t)r->ncrashes);
}

static int add_runs(struct cfz_buf *out, const struct report_test *t, struct cfz_error *err)
{
    const struct history *h = &t->history;

    if (h->n == 0)
        return html_printf(
            out, err,
            "<section id=\"runs\"><h2>Runs</h2>\n<p class=\"none\">It was not fuzzed "
            "yet: <code>cfuzz-test -fuzz=%t</code></p></section>\n",
            t->name);
    if (html_printf(out, err, "<section id=\"plots\">\n<h2>Runs</h2>\n<div class=\"plots\">\n") <
            0 ||
        plot_curves(out, h, PLOT_COVERED, PLOT_MS, err) < 0 ||
        plot_curves(out, h, PLOT_COVERED, PLOT_EXECS, err) < 0 ||
        plot_curves(out, h, PLOT_EXECS, PLOT_MS, err) < 0 ||
        plot_curves(out, h, PLOT_CORPUS, PLOT_MS, err) < 0 ||
        html_printf(out, err,
                    "</div></section>\n<section id=\"runs\"><div class=\"wide\">"
                    "<table class=\"sortable\">\n<thead><tr><th></th>"
                    "<th>began</th><th>end</th><th>built with</th><th class=\"num\">workers</th>"
                    "<th>seed</th><th class=\"num\">time</th><th class=\"num\">executions</th>"
                    "<th class=\"num\">corpus</th><th class=\"num\">edges</th>"
                    "<th class=\"num\">crashes</th></tr></thead>\n<tbody>\n") < 0)
        return -1;
    for (size_t i = h->n; i-- > 0;)
        if (add_run_row(out, h, i, err) < 0)
            return -1;
    return html_printf(out, err, "</tbody></table></div></section>\n");
}

/* ---- failures ----------------------------------------------------------------------------------
 */

static int add_failures(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                        const struct report_test *t, struct cfz_error *err)
{
    const char *name;

    if (r->live) /* what runs find is said below */
        return 0;
    if (t->failed == 0)
        return t->result == NULL ? 0
                                 : html_printf(out, err,
                                               "<section id=\"failing\"><h2>Failing inputs</h2>\n"
                                               "<p class=\"none\">none, with %t%s</p></section>\n",
                                               sanitizers_text(r->sanitizers),
                                               part_builds_failing(p, t) > 0
                                                   ? "; but see <a href=\"#builds\">Sanitizers</a>"
                                                   : "");
    if (html_printf(out, err,
                    "<section id=\"failing\">\n<h2>Failing inputs</h2>\n<p>Run just now, with "
                    "%t.</p>\n",
                    sanitizers_text(r->sanitizers)) < 0)
        return -1;
    for (size_t i = 0; i < t->ninputs; i++) {
        const struct result *in = &t->inputs[i];

        if (!report_of_test(in, t->name, &name) || in->kind != RESULT_FAILED)
            continue;
        if (html_printf(out, err, "<details id=\"input-%t\" open><summary><code>%t</code> ", name,
                        name) < 0 ||
            html_printf(out, err, "<span class=\"bad\">%t</span></summary>\n<pre>%t</pre>\n",
                        in->crash != NULL ? in->crash->where : "", in->text) < 0)
            return -1;
        if (in->crash != NULL && in->crash->command[0] != '\0' &&
            html_printf(out, err, "<p>Again: <code>%t</code></p>\n", in->crash->command) < 0)
            return -1;
        if (html_printf(out, err, "</details>\n") < 0)
            return -1;
    }
    return html_printf(out, err, "</section>\n");
}

/* What runs found, the last one first: it says which sanitizer reported what. */
static int add_found(struct cfz_buf *out, const struct report_test *t, struct cfz_error *err)
{
    bool any = false;

    for (size_t i = t->history.n; i-- > 0;) {
        const struct history_run *r = &t->history.runs[i];

        if (r->ncrashes == 0 && r->said[0] == '\0')
            continue;
        if (!any &&
            html_printf(out, err, "<section id=\"found\">\n<h2>Found by fuzzing</h2>\n") < 0)
            return -1;
        any = true;
        if (html_printf(out, err, "<h3>With %t, ", sanitizers_text(r->sanitizers)) < 0 ||
            html_time(out, r->began, err) < 0 ||
            html_printf(out, err, "</h3>\n<ul class=\"names\">\n") < 0)
            return -1;
        for (size_t k = 0; k < r->ncrashes; k++)
            if (html_printf(out, err,
                            "<li><span class=\"bad\">%t</span> <span class=\"where\">%u time%s%s"
                            "%t</span></li>\n",
                            r->crashes[k].where, r->crashes[k].met,
                            r->crashes[k].met == 1 ? "" : "s",
                            r->crashes[k].file[0] != '\0' ? ", " : "", r->crashes[k].file) < 0)
                return -1;
        if (html_printf(out, err, "</ul>\n") < 0)
            return -1;
        if (r->said[0] != '\0' &&
            html_printf(out, err,
                        "<details><summary>what was said</summary><pre>%t</pre></details>\n",
                        r->said) < 0)
            return -1;
    }
    return any ? html_printf(out, err, "</section>\n") : 0;
}

/* ---- what blocks -------------------------------------------------------------------------------
 */

static int add_blocked(struct cfz_buf *out, const struct report_test *t, struct cfz_error *err)
{
    for (size_t i = t->history.n; i-- > 0;) {
        const struct history_run *r = &t->history.runs[i];

        if (r->blocked[0] == '\0')
            continue;
        return html_printf(out, err,
                           "<section id=\"blocked\">\n<h2>Comparisons that block</h2>\n"
                           "<p>Inputs reach them and none that passes gets past, as of ") < 0 ||
                       html_time(out, r->began, err) < 0 ||
                       html_printf(out, err, ".</p>\n<pre>%t</pre>\n</section>\n", r->blocked) < 0
                   ? -1
                   : 0;
    }
    return 0;
}

/* ---- inputs
 * --------------------------------------------------------------------------------------- */

static int slower(const void *a, const void *b)
{
    const struct result *x = *(const struct result *const *)a,
                        *y = *(const struct result *const *)b;

    return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : strcmp(x->test, y->test);
}

/* Whether an input is a crasher: it fails now, or a run saved it because it failed. */
static bool is_crasher(const struct report_test *t, const struct result *in, const char *name)
{
    if (in->kind == RESULT_FAILED)
        return true;
    for (size_t i = 0; i < t->history.n; i++)
        for (size_t k = 0; k < t->history.runs[i].ncrashes; k++) {
            const char *file = t->history.runs[i].crashes[k].file, *slash = strrchr(file, '/');

            if (strcmp(slash != NULL ? slash + 1 : file, name) == 0)
                return true;
        }
    return false;
}

static const char *origin_of(const struct report_test *t, const struct result *in, const char *name)
{
    if (in->input != NULL && in->input->origin == ORIGIN_CACHE)
        return "cache";
    return in->input != NULL && in->input->origin == ORIGIN_FILE && is_crasher(t, in, name)
               ? "crasher"
               : "seed";
}

static int add_input_row(struct cfz_buf *out, const struct report *r, const struct report_test *t,
                         const struct result *in, struct cfz_error *err)
{
    bool known = !r->live || in->ns > 0 || in->kind == RESULT_FAILED;
    const char *name = in->test + strlen(t->name) + 1;
    uint64_t bytes = in->input != NULL ? in->input->bytes : 0;

    if (html_printf(out, err,
                    "<tr><th scope=\"row\"><code>%t</code></th><td class=\"values\"><code>%t</code>"
                    "</td><td>%s</td><td class=\"%s\">%s</td>"
                    "<td class=\"num\" data-sort=\"%u\">",
                    name, in->input != NULL ? in->input->values : "", origin_of(t, in, name),
                    in->kind == RESULT_FAILED ? "bad" : "",
                    !known                       ? "-"
                    : in->kind == RESULT_FAILED  ? "failed"
                    : in->kind == RESULT_SKIPPED ? "skipped"
                                                 : "passed",
                    bytes) < 0 ||
        html_number(out, bytes, err) < 0 ||
        html_printf(out, err, "</td><td class=\"num\" data-sort=\"%u\">", in->ns) < 0 ||
        (r->live && in->ns == 0 ? html_printf(out, err, "-") : html_duration(out, in->ns, err)) < 0)
        return -1;
    return html_printf(out, err, "</td></tr>\n");
}

static int add_table(struct cfz_buf *out, const struct report *r, const struct report_test *t,
                     const struct result *const *v, size_t n, struct cfz_error *err)
{
    if (html_printf(out, err,
                    "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr><th>input</th>"
                    "<th>values</th><th>from</th><th>result</th><th class=\"num\">bytes</th>"
                    "<th class=\"num\">time</th></tr></thead>\n<tbody>\n") < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (add_input_row(out, r, t, v[i], err) < 0)
            return -1;
    return html_printf(out, err, "</tbody></table></div>\n");
}

static int add_inputs(struct cfz_buf *out, const struct report *r, const struct report_test *t,
                      struct cfz_error *err)
{
    const struct result **v = calloc(t->ninputs + 1, sizeof *v);
    const char *name;
    size_t n = 0, shown;
    int ret = -1;

    if (v == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < t->ninputs; i++)
        if (report_of_test(&t->inputs[i], t->name, &name))
            v[n++] = &t->inputs[i];
    if (n == 0) {
        ret = 0;
        goto out;
    }
    shown = n < INPUTS_SHOWN ? n : INPUTS_SHOWN;
    qsort(v, n, sizeof *v, slower);
    if (html_printf(out, err, "<section id=\"slowest\">\n<h2>Slowest inputs</h2>\n") < 0 ||
        add_table(out, r, t, v, n < SLOWEST ? n : SLOWEST, err) < 0 ||
        html_printf(out, err,
                    "</section>\n<section id=\"inputs\">\n<h2>Corpus</h2>\n"
                    "<p>%u seed%s, %u from the cache.</p>\n<details%s><summary>%s %u of "
                    "them</summary>\n",
                    (uint64_t)t->seeds, t->seeds == 1 ? "" : "s", (uint64_t)t->cached,
                    n <= INPUTS_OPEN ? " open" : "", n == shown ? "All" : "The first",
                    (uint64_t)shown) < 0)
        goto out;
    n = 0;
    for (size_t i = 0; i < t->ninputs && n < shown; i++)
        if (report_of_test(&t->inputs[i], t->name, &name))
            v[n++] = &t->inputs[i];
    if (add_table(out, r, t, v, shown, err) < 0)
        goto out;
    if (t->seeds + t->cached > shown &&
        html_printf(out, err, "<p>and %u more</p>\n", (uint64_t)(t->seeds + t->cached - shown)) < 0)
        goto out;
    ret = html_printf(out, err, "</details></section>\n");
out:
    free(v);
    return ret;
}

/* Functions are known of the package, whose tests ran together. */
static int add_unreached(struct cfz_buf *out, const struct report *r,
                         const struct report_package *p, struct cfz_error *err)
{
    struct lcov_counts n = lcov_count(&p->coverage);

    if (!p->measured || n.functions == 0)
        return 0;
    return html_printf(out, err, "<section id=\"unreached\">\n<h2>Functions never reached</h2>\n%s",
                       n.functions_run < n.functions
                           ? "<p>No input of the package that ran reaches them.</p>\n"
                           : "") < 0 ||
                   part_unreached(out, r, p, err) < 0 || html_printf(out, err, "</section>\n") < 0
               ? -1
               : 0;
}

int page_test(struct cfz_buf *out, const struct report *r, const struct report_package *p,
              const struct report_test *t, struct cfz_error *err)
{
    if (html_begin(out, t->name, false, r->live, err) < 0 ||
        html_printf(out, err, "<h1>%t</h1>\n<p class=\"where\">%t</p>\n", t->name, p->dir) < 0 ||
        add_failures(out, r, p, t, err) < 0 || add_runs(out, t, err) < 0 ||
        add_found(out, t, err) < 0 || part_builds_of_test(out, p, t, err) < 0 ||
        add_blocked(out, t, err) < 0 || add_unreached(out, r, p, err) < 0 ||
        add_inputs(out, r, t, err) < 0)
        return -1;
    return html_end(out, err);
}
