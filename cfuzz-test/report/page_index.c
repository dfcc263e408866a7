/*
 * page_index.c - the first page: packages, their tests, sources and functions never reached.
 */
#include "report/html.h"
#include "report/parts.h"
#include "report/plot.h"
#include "report/site.h"

#include <stdlib.h>
#include <string.h>

static int tile(struct cfz_buf *out, const char *what, uint64_t n, const char *class,
                struct cfz_error *err)
{
    return html_printf(out, err, "<div class=\"tile %s\"><b>", class) < 0 ||
                   html_number(out, n, err) < 0 ||
                   html_printf(out, err, "</b> %s</div>\n", what) < 0
               ? -1
               : 0;
}

/* How many inputs of a test fail, in whatever build. */
static uint64_t failing_of(const struct report_package *p, const struct report_test *t)
{
    size_t n = part_builds_failing(p, t);

    return n > t->failed ? n : t->failed;
}

/* What all packages have together. */
static int add_summary(struct cfz_buf *out, const struct report *r, struct cfz_error *err)
{
    uint64_t tests = 0, failing = 0, inputs = 0, execs = 0;
    struct lcov_counts all = {0};

    for (size_t i = 0; i < r->n; i++) {
        struct lcov_counts n = lcov_count(&r->v[i].coverage);

        all.lines += n.lines;
        all.lines_run += n.lines_run;
        for (size_t k = 0; k < r->v[i].ntests; k++) {
            const struct report_test *t = &r->v[i].tests[k];

            tests++;
            failing += failing_of(&r->v[i], t);
            inputs += t->seeds + t->cached;
            for (size_t m = 0; m < t->history.n; m++)
                if (t->history.runs[m].npoints > 0)
                    execs += t->history.runs[m].points[t->history.runs[m].npoints - 1].execs;
        }
    }
    if (html_printf(out, err, "<section id=\"summary\" class=\"tiles\">\n") < 0 ||
        tile(out, r->n == 1 ? "package" : "packages", r->n, "", err) < 0 ||
        tile(out, tests == 1 ? "fuzz test" : "fuzz tests", tests, "", err) < 0 ||
        (!r->live && tile(out, "inputs", inputs, "", err) < 0) ||
        (!r->live && tile(out, failing == 1 ? "failing input" : "failing inputs", failing,
                          failing > 0 ? "bad" : "good", err) < 0) ||
        tile(out, "executions fuzzed", execs, "", err) < 0)
        return -1;
    if (all.lines > 0 && (html_printf(out, err, "<div class=\"tile\">") < 0 ||
                          html_bar(out, all.lines_run, all.lines, err) < 0 ||
                          html_printf(out, err, " of lines</div>\n") < 0))
        return -1;
    return html_printf(out, err, "</section>\n");
}

static const char *word_of(const struct report_package *p, const struct report_test *t)
{
    const struct history_run *last = t->history.n > 0 ? &t->history.runs[t->history.n - 1] : NULL;

    if (t->result == NULL)
        return last != NULL ? last->end : "not run";
    return t->result->kind == RESULT_FAILED || failing_of(p, t) > 0 ? "failed"
           : t->result->kind == RESULT_SKIPPED                      ? "skipped"
                                                                    : "passed";
}

/* Whether a run before, or this one before its crash k, met the same. */
static bool was_met(const struct history *h, size_t run, size_t k)
{
    const char *where = h->runs[run].crashes[k].where;

    for (size_t i = 0; i <= run; i++)
        for (size_t c = 0; c < (i < run ? h->runs[i].ncrashes : k); c++)
            if (strcmp(h->runs[i].crashes[c].where, where) == 0)
                return true;
    return false;
}

static int add_test_row(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                        const struct report_test *t, struct cfz_error *err)
{
    const char *word = word_of(p, t);
    const struct history_run *last = t->history.n > 0 ? &t->history.runs[t->history.n - 1] : NULL;
    const struct history_point *at =
        last != NULL && last->npoints > 0 ? &last->points[last->npoints - 1] : NULL;
    uint64_t execs = 0, crashes = 0;

    for (size_t i = 0; i < t->history.n; i++) {
        const struct history_run *run = &t->history.runs[i];

        execs += run->npoints > 0 ? run->points[run->npoints - 1].execs : 0;
        for (size_t k = 0; k < run->ncrashes; k++)
            crashes += !was_met(&t->history, i, k);
    }
    if (html_printf(
            out, err,
            "<tr><th scope=\"row\"><a href=\"test-%u.html\">%t</a></th>"
            "<td class=\"%s\">%t</td><td class=\"num\" data-sort=\"%u\">",
            (uint64_t)report_test_number(r, t), t->name,
            strcmp(word, "failed") == 0   ? "bad"
            : strcmp(word, "passed") == 0 ? "good"
                                          : "",
            word, r->live ? (at != NULL ? at->corpus : 0) : (uint64_t)(t->seeds + t->cached)) < 0 ||
        (r->live ? html_printf(out, err, "%u", at != NULL ? at->corpus : (uint64_t)0)
                 : html_printf(out, err, "%u + %u", (uint64_t)t->seeds, (uint64_t)t->cached)) < 0 ||
        html_printf(out, err, "</td><td class=\"num\">%u</td>", (uint64_t)t->history.n) < 0 ||
        html_printf(out, err, "<td class=\"num\" data-sort=\"%u\">", execs) < 0 ||
        html_number(out, execs, err) < 0 ||
        html_printf(out, err, "</td><td class=\"num\" data-sort=\"%u\">",
                    at != NULL ? at->covered : 0) < 0)
        return -1;
    if ((at != NULL && last->counters > 0
             ? html_printf(out, err, "%u of %u", at->covered, last->counters)
             : html_printf(out, err, "<span class=\"none\">-</span>")) < 0)
        return -1;
    if (html_printf(out, err, "</td><td class=\"num%s\">%u</td><td>", crashes > 0 ? " bad" : "",
                    crashes) < 0 ||
        plot_spark(out, &t->history, err) < 0)
        return -1;
    return html_printf(out, err, "</td></tr>\n");
}

static int add_tests(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                     struct cfz_error *err)
{
    if (p->ntests == 0)
        return html_printf(out, err, "<p class=\"none\">no fuzz tests</p>\n");
    if (html_printf(out, err,
                    "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr><th>test</th>"
                    "<th>result</th><th class=\"num\">%s</th>"
                    "<th class=\"num\">runs</th><th class=\"num\">executions</th>"
                    "<th class=\"num\">edges</th><th class=\"num\">crashes</th>"
                    "<th>edges, last run</th></tr></thead>\n<tbody>\n",
                    r->live ? "corpus" : "seeds + cached") < 0)
        return -1;
    for (size_t i = 0; i < p->ntests; i++)
        if (add_test_row(out, r, p, &p->tests[i], err) < 0)
            return -1;
    return html_printf(out, err, "</tbody></table></div>\n");
}

static int add_sources(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                       struct cfz_error *err)
{
    bool any = p->measured && p->coverage.n > 0;

    if (!any && p->measure.action == NULL)
        return 0;
    if (html_printf(out, err, "<h3>Sources</h3>\n") < 0)
        return -1;
    if (p->measured && p->measured_at != 0 &&
        (html_printf(out, err, "<p class=\"state\">Lines that the inputs reach, as of ") < 0 ||
         html_time(out, p->measured_at, err) < 0 ||
         html_printf(out, err, "%s</p>\n", any ? "." : ": there are none.") < 0))
        return -1;
    if (part_order(out, &p->measure, p->measured, err) < 0 || !any)
        return any ? -1 : 0;
    if (html_printf(out, err,
                    "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr>"
                    "<th>file</th><th class=\"num\">lines that ran</th>"
                    "<th>of all with code</th><th class=\"num\">functions</th></tr></thead>\n"
                    "<tbody>\n") < 0)
        return -1;
    for (size_t i = 0; i < p->coverage.n; i++) {
        const struct lcov_file *f = &p->coverage.v[i];
        struct lcov_counts n = lcov_count_file(f);

        if (html_printf(out, err,
                        "<tr><th scope=\"row\"><a href=\"source-%u-%u.html\">%t</a></th>"
                        "<td class=\"num\">%u of %u</td><td data-sort=\"%d\">",
                        (uint64_t)report_package_number(r, p), (uint64_t)i, report_path(p, f->path),
                        n.lines_run, n.lines,
                        n.lines > 0 ? (int)(10000 * (double)n.lines_run / (double)n.lines) : 0) <
                0 ||
            html_bar(out, n.lines_run, n.lines, err) < 0 ||
            html_printf(out, err, "</td><td class=\"num\">%u of %u</td></tr>\n", n.functions_run,
                        n.functions) < 0)
            return -1;
    }
    return html_printf(out, err, "</tbody></table></div>\n");
}

static int add_package(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                       struct cfz_error *err)
{
    if (html_printf(out, err,
                    "<section id=\"package-%u\">\n<h2>%t</h2>\n<p class=\"where\">%t</p>\n",
                    (uint64_t)report_package_number(r, p), p->name, p->dir) < 0)
        return -1;
    if (p->why != NULL && html_printf(out, err, "<pre class=\"bad\">%t</pre>\n", p->why) < 0)
        return -1;
    if (p->why == NULL &&
        (add_tests(out, r, p, err) < 0 || part_builds_of_package(out, r, p, err) < 0))
        return -1;
    if (p->why == NULL && add_sources(out, r, p, err) < 0)
        return -1;
    if (p->measured && p->coverage.n > 0 && part_unreached(out, r, p, err) < 0)
        return -1;
    return html_printf(out, err, "</section>\n");
}

int page_index(struct cfz_buf *out, const struct report *r, struct cfz_error *err)
{
    if (html_begin(out, r->live ? "fuzzing now" : "report", true, r->live, err) < 0 ||
        html_printf(out, err, "<h1>%s</h1>\n", r->live ? "Fuzzing now" : "Fuzzing report") < 0 ||
        add_summary(out, r, err) < 0)
        return -1;
    for (size_t i = 0; i < r->n; i++)
        if (add_package(out, r, &r->v[i], err) < 0)
            return -1;
    return html_end(out, err);
}
