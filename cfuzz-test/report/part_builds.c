/*
 * part_builds.c - what the builds of -sanitizers made of the inputs, see parts.h.
 */
#include "report/html.h"
#include "report/parts.h"

#include <string.h>

enum { ROWS_SHOWN = 500 };

/* Whether a row, or a crash, is the test's or of one of its inputs. */
static bool is_of(const struct report_package *p, const char *package, const struct report_test *t,
                  const char *test)
{
    size_t len = strlen(t->name);

    return strcmp(package, p->name) == 0 && strncmp(test, t->name, len) == 0 &&
           (test[len] == '\0' || test[len] == '/');
}

size_t part_builds_failing(const struct report_package *p, const struct report_test *t)
{
    size_t n = 0;

    for (size_t i = 0; p->builds != NULL && i < p->builds->nrows; i++)
        n += is_of(p, p->builds->rows[i].package, t, p->builds->rows[i].test) &&
             sanitizer_row_is_shown(p->builds, &p->builds->rows[i]);
    return n;
}

static int begin_table(struct cfz_buf *out, const struct sanitizer_table *b, const char *first,
                       struct cfz_error *err)
{
    if (html_printf(out, err,
                    "<div class=\"wide\"><table class=\"sortable builds\">\n<thead><tr><th>%s</th>",
                    first) < 0)
        return -1;
    for (size_t k = 0; k < b->ncolumns; k++)
        if (html_printf(out, err, "<th>%t</th>", b->columns[k]) < 0)
            return -1;
    return html_printf(out, err, "</tr></thead>\n<tbody>\n");
}

static int end_table(struct cfz_buf *out, const struct sanitizer_table *b, struct cfz_error *err)
{
    if (html_printf(out, err, "</tbody></table></div>\n") < 0)
        return -1;
    for (size_t k = 0; k < b->ncolumns; k++)
        if (b->left_out[k] != NULL &&
            html_printf(out, err, "<p class=\"none\">%t: left out: %t</p>\n", b->columns[k],
                        b->left_out[k]) < 0)
            return -1;
    return 0;
}

/* What builds made of some inputs together. */
struct sums {
    size_t rows; /* that were added up */
    size_t ran[SANITIZER_COLUMNS_MAX], failed[SANITIZER_COLUMNS_MAX];
};

static void add_up(struct sums *s, const struct sanitizer_table *b, const struct sanitizer_row *r)
{
    s->rows++;
    for (size_t k = 0; k < b->ncolumns; k++) {
        s->ran[k] += r->cell[k] != CELL_NONE;
        s->failed[k] += r->cell[k] >= CELL_KNOWN;
    }
}

static int add_sums(struct cfz_buf *out, const struct sanitizer_table *b, const struct sums *s,
                    struct cfz_error *err)
{
    for (size_t k = 0; k < b->ncolumns; k++)
        if ((s->failed[k] > 0 ? html_printf(out, err, "<td class=\"bad\">%u of %u failed</td>",
                                            (uint64_t)s->failed[k], (uint64_t)s->ran[k])
             : s->ran[k] > 0
                 ? html_printf(out, err, "<td class=\"good\">%u passed</td>", (uint64_t)s->ran[k])
                 : html_printf(out, err, "<td class=\"none\">-</td>")) < 0)
            return -1;
    return 0;
}

/* Says when the builds ran: all at once, or each for itself. */
static int add_when(struct cfz_buf *out, const struct sanitizer_table *b, struct cfz_error *err)
{
    size_t last = 0;
    bool apart = false;

    for (size_t k = 1; k < b->ncolumns; k++) {
        last = b->at[k] > b->at[last] ? k : last;
        apart |= b->at[k] / 86400 != b->at[0] / 86400 || b->at[k] - b->at[0] > 3600 ||
                 b->at[0] - b->at[k] > 3600;
    }
    if (html_printf(out, err, "<p class=\"state\">Every input, run in each build, as of ") < 0)
        return -1;
    for (size_t k = 0; apart && k < b->ncolumns; k++)
        if (html_time(out, b->at[k], err) < 0 ||
            html_printf(out, err, " (%t)%s", b->columns[k], k + 1 < b->ncolumns ? ", " : "") < 0)
            return -1;
    if (!apart && html_time(out, b->at[last], err) < 0)
        return -1;
    return html_printf(out, err, ".</p>\n");
}

int part_builds_of_package(struct cfz_buf *out, const struct report *r,
                           const struct report_package *p, struct cfz_error *err)
{
    const struct sanitizer_table *b = p->builds;

    if (b == NULL && p->check.action == NULL)
        return 0;
    if (html_printf(out, err, "<h3>Sanitizers</h3>\n") < 0 ||
        (b != NULL && add_when(out, b, err) < 0) || part_order(out, &p->check, b != NULL, err) < 0)
        return -1;
    if (b == NULL)
        return 0;
    if (begin_table(out, b, "test", err) < 0)
        return -1;
    for (size_t i = 0; i < p->ntests; i++) {
        const struct report_test *t = &p->tests[i];
        struct sums s = {0};

        for (size_t k = 0; k < b->nrows; k++)
            if (is_of(p, b->rows[k].package, t, b->rows[k].test))
                add_up(&s, b, &b->rows[k]);
        if (html_printf(out, err,
                        "<tr><th scope=\"row\"><a href=\"test-%u.html#builds\">%t</a></th>",
                        (uint64_t)report_test_number(r, t), t->name) < 0 ||
            add_sums(out, b, &s, err) < 0 || html_printf(out, err, "</tr>\n") < 0)
            return -1;
    }
    if (end_table(out, b, err) < 0)
        return -1;
    for (size_t i = 0; i < b->nbroken; i++)
        if (strcmp(b->broken[i].package, p->name) == 0 &&
            html_printf(out, err, "<pre class=\"bad\">%t: %t</pre>\n",
                        b->columns[b->broken[i].column], b->broken[i].why) < 0)
            return -1;
    return 0;
}

/* ---- a test ---------------------------------------------------------------------------------- */

static int add_row(struct cfz_buf *out, const struct sanitizer_table *b,
                   const struct sanitizer_row *row, const struct report_test *t,
                   struct cfz_error *err)
{
    const char *name = row->test + strlen(t->name);

    if (html_printf(out, err, "<tr><th scope=\"row\"><code>%t</code></th>",
                    *name == '/' ? name + 1 : row->test) < 0)
        return -1;
    for (size_t k = 0; k < b->ncolumns; k++)
        if (html_printf(out, err, "<td class=\"%s\">%s</td>",
                        row->cell[k] >= CELL_KNOWN     ? "bad"
                        : row->cell[k] == CELL_NONE    ? "none"
                        : row->cell[k] == CELL_SKIPPED ? ""
                                                       : "good",
                        sanitizer_cell_word(row->cell[k])) < 0)
            return -1;
    return html_printf(out, err, "</tr>\n");
}

/* The table: inputs that failed in some build, and the others added up. */
static int add_rows(struct cfz_buf *out, const struct report_package *p,
                    const struct report_test *t, struct cfz_error *err)
{
    const struct sanitizer_table *b = p->builds;
    struct sums others = {0};
    size_t failing = 0;

    if (begin_table(out, b, "input", err) < 0)
        return -1;
    for (size_t i = 0; i < b->nrows; i++) {
        const struct sanitizer_row *row = &b->rows[i];

        if (!is_of(p, row->package, t, row->test))
            continue;
        if (!sanitizer_row_is_shown(b, row) || ++failing > ROWS_SHOWN)
            add_up(&others, b, row);
        else if (add_row(out, b, row, t, err) < 0)
            return -1;
    }
    if (others.rows > 0 &&
        (html_printf(out, err, "<tr><th scope=\"row\">%u %s</th>", (uint64_t)others.rows,
                     failing == 0       ? others.rows == 1 ? "input" : "inputs"
                     : others.rows == 1 ? "other"
                                        : "others") < 0 ||
         add_sums(out, b, &others, err) < 0 || html_printf(out, err, "</tr>\n") < 0))
        return -1;
    return end_table(out, b, err);
}

int part_builds_of_test(struct cfz_buf *out, const struct report_package *p,
                        const struct report_test *t, struct cfz_error *err)
{
    const struct sanitizer_table *b = p->builds;

    if (b == NULL)
        return 0;
    if (html_printf(out, err, "<section id=\"builds\">\n<h2>Sanitizers</h2>\n") < 0 ||
        add_when(out, b, err) < 0 || add_rows(out, p, t, err) < 0)
        return -1;
    for (size_t i = 0; i < b->ncrashes; i++) {
        const struct sanitizer_crash *c = &b->crashes[i];

        if (!is_of(p, c->package, t, c->test))
            continue;
        if (html_printf(out, err,
                        "<details><summary>%t: <span class=\"bad\">%t</span> <span "
                        "class=\"where\">%t",
                        b->columns[c->column], c->where, c->test) < 0 ||
            (c->inputs > 1 && html_printf(out, err, " and %u other%s", (uint64_t)(c->inputs - 1),
                                          c->inputs == 2 ? "" : "s") < 0) ||
            html_printf(out, err, "</span></summary>\n<pre>%t</pre>\n", c->text) < 0 ||
            (c->command[0] != '\0' &&
             html_printf(out, err, "<p>Again: <code>%t</code></p>\n", c->command) < 0) ||
            html_printf(out, err, "</details>\n") < 0)
            return -1;
    }
    return html_printf(out, err, "</section>\n");
}
