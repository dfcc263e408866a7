/*
 * sanitizer_table.c - see sanitizer_table.h.
 */
#define _GNU_SOURCE
#include "results/sanitizer_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const words[] = {"-", "pass", "skip", "known", "FAIL", "FAIL"};

/* ---- what is known ----------------------------------------------------------------------- */

int sanitizer_table_column(struct sanitizer_table *t, const char *name, const char *left_out,
                           struct cfz_error *err)
{
    size_t i = t->ncolumns;

    if (i == SANITIZER_COLUMNS_MAX)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: too many builds", name);
    t->columns[i] = strdup(name);
    t->left_out[i] = left_out != NULL ? strdup(left_out) : NULL;
    t->at[i] = (int64_t)time(NULL);
    t->ncolumns++;
    return t->columns[i] != NULL && (left_out == NULL || t->left_out[i] != NULL)
               ? 0
               : cfz_fail_nomem(err);
}

/* The length of the name of the test that an input is of. */
static size_t test_len(const struct sanitizer_row *r)
{
    return strcspn(r->test, "/");
}

static bool same_test(const struct sanitizer_row *a, const struct sanitizer_row *b)
{
    return test_len(a) == test_len(b) && strncmp(a->test, b->test, test_len(a)) == 0 &&
           strcmp(a->package, b->package) == 0;
}

static bool is_row(const struct sanitizer_row *r, const char *package, const char *test)
{
    return strcmp(r->test, test) == 0 && strcmp(r->package, package) == 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash(const char *package, const char *test)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (; *package != '\0'; package++)
        h = (h ^ (unsigned char)*package) * 0x100000001b3u;
    for (; *test != '\0'; test++)
        h = (h ^ (unsigned char)*test) * 0x100000001b3u;
    return h;
}

/* Where in the index the row of a test is, or would be. */
static size_t *place(const struct sanitizer_table *t, const char *package, const char *test)
{
    size_t mask = 2 * t->cap - 1, at = hash(package, test) & mask;

    while (t->index[at] != 0 && !is_row(&t->rows[t->index[at] - 1], package, test))
        at = (at + 1) & mask;
    return &t->index[at];
}

/* Makes room for twice as many rows. */
static int grow(struct sanitizer_table *t)
{
    size_t cap = t->cap > 0 ? 2 * t->cap : 16;
    struct sanitizer_row *rows = realloc(t->rows, cap * sizeof *rows);
    size_t *index = calloc(2 * cap, sizeof *index);

    if (rows != NULL)
        t->rows = rows;
    if (rows == NULL || index == NULL) {
        free(index);
        return -1;
    }
    free(t->index);
    t->index = index;
    t->cap = cap;
    for (size_t i = 0; i < t->nrows; i++)
        *place(t, rows[i].package, rows[i].test) = i + 1;
    return 0;
}

/* The row of a test, which is added if there is none. NULL without memory. */
static struct sanitizer_row *find_row(struct sanitizer_table *t, const char *package,
                                      const char *test)
{
    struct sanitizer_row *r;
    size_t *at;

    if (t->nrows == t->cap && grow(t) < 0)
        return NULL;
    at = place(t, package, test);
    if (*at != 0)
        return &t->rows[*at - 1];
    r = &t->rows[t->nrows];
    *r = (struct sanitizer_row){.package = strdup(package), .test = strdup(test)};
    if (r->package == NULL || r->test == NULL) {
        free(r->package);
        free(r->test);
        return NULL;
    }
    *at = ++t->nrows;
    return r;
}

/* Whether an input of that test failed in the running build. */
static bool told_by_input(const struct sanitizer_table *t, const char *package, const char *test)
{
    size_t len = strlen(test);

    for (size_t i = 0; i < t->nrows; i++)
        if (t->rows[i].cell[t->ncolumns - 1] == CELL_FAILED &&
            strcmp(t->rows[i].package, package) == 0 && strncmp(t->rows[i].test, test, len) == 0 &&
            t->rows[i].test[len] == '/')
            return true;
    return false;
}

int sanitizer_table_crash(struct sanitizer_table *t, const struct sanitizer_crash *c,
                          struct cfz_error *err)
{
    struct sanitizer_crash *x;

    if (t->ncrashes == t->crashes_cap) {
        size_t cap = 2 * t->crashes_cap + 8;

        x = realloc(t->crashes, cap * sizeof *x);
        if (x == NULL)
            return cfz_fail_nomem(err);
        t->crashes = x;
        t->crashes_cap = cap;
    }
    x = &t->crashes[t->ncrashes++];
    *x = (struct sanitizer_crash){.column = t->ncolumns - 1,
                                  .inputs = c->inputs,
                                  .package = strdup(c->package),
                                  .test = strdup(c->test),
                                  .where = strdup(c->where),
                                  .command = strdup(c->command),
                                  .text = strdup(c->text)};
    return x->package != NULL && x->test != NULL && x->where != NULL && x->command != NULL &&
                   x->text != NULL
               ? 0
               : cfz_fail_nomem(err);
}

/* Counts the crash of r, or adds it. */
static int add_crash(struct sanitizer_table *t, const char *package, const struct result *r,
                     struct cfz_error *err)
{
    const struct result_crash *c = r->crash;
    const char *where = c != NULL && c->where[0] != '\0' ? c->where : "failed";

    for (size_t i = 0; i < t->ncrashes; i++) {
        struct sanitizer_crash *x = &t->crashes[i];

        if (x->column == t->ncolumns - 1 && strcmp(x->where, where) == 0 &&
            strcmp(x->package, package) == 0) {
            x->inputs++;
            return 0;
        }
    }
    return sanitizer_table_crash(
        t,
        &(struct sanitizer_crash){.inputs = 1,
                                  .package = (char *)(uintptr_t)package,
                                  .test = (char *)(uintptr_t)r->test,
                                  .where = (char *)(uintptr_t)where,
                                  .command = (char *)(uintptr_t)(c != NULL ? c->command : ""),
                                  .text = (char *)(uintptr_t)(r->text != NULL ? r->text : "")},
        err);
}

int sanitizer_table_broken(struct sanitizer_table *t, const char *package, const char *why,
                           struct cfz_error *err)
{
    struct sanitizer_broken *v = realloc(t->broken, (t->nbroken + 1) * sizeof *v);

    if (v == NULL)
        return cfz_fail_nomem(err);
    t->broken = v;
    v += t->nbroken++;
    *v = (struct sanitizer_broken){t->ncolumns - 1, strdup(package), strdup(why)};
    return v->package != NULL && v->why != NULL ? 0 : cfz_fail_nomem(err);
}

int sanitizer_table_cell(struct sanitizer_table *t, const char *package, const char *test,
                         enum sanitizer_cell cell, struct cfz_error *err)
{
    struct sanitizer_row *row = find_row(t, package, test);

    if (row == NULL)
        return cfz_fail_nomem(err);
    if (row->cell[t->ncolumns - 1] < cell) /* with -count an input runs again */
        row->cell[t->ncolumns - 1] = (unsigned char)cell;
    return 0;
}

int sanitizer_table_add(struct sanitizer_table *t, const char *package, const struct result *r,
                        struct cfz_error *err)
{
    static const enum sanitizer_cell cells[] = {[RESULT_PASSED] = CELL_PASSED,
                                                [RESULT_SKIPPED] = CELL_SKIPPED,
                                                [RESULT_FAILED] = CELL_FAILED,
                                                [RESULT_BROKEN] = CELL_BROKEN};
    bool is_input = strchr(r->test, '/') != NULL;
    enum sanitizer_cell cell = cells[r->kind];

    if (t->ncolumns == 0)
        return cfz_fail(err, CFZ_EINTERNAL, "%s: a result without a build", r->test);
    if (cell == CELL_SKIPPED && r->crash != NULL)
        cell = CELL_KNOWN;
    /* A test is told by its inputs. It has a row where it failed itself. */
    if (r->kind != RESULT_BROKEN && !is_input &&
        (cell != CELL_FAILED || told_by_input(t, package, r->test)))
        return 0;
    if (sanitizer_table_cell(t, package, r->kind == RESULT_BROKEN ? "" : r->test, cell, err) < 0)
        return -1;
    if (cell == CELL_BROKEN)
        return sanitizer_table_broken(t, package, r->text != NULL ? r->text : "it failed", err);
    return cell == CELL_FAILED && r->crash != NULL ? add_crash(t, package, r, err) : 0;
}

void sanitizer_table_release(struct sanitizer_table *t)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        free(t->columns[i]);
        free(t->left_out[i]);
    }
    for (size_t i = 0; i < t->nrows; i++) {
        free(t->rows[i].package);
        free(t->rows[i].test);
    }
    for (size_t i = 0; i < t->ncrashes; i++) {
        free(t->crashes[i].package);
        free(t->crashes[i].test);
        free(t->crashes[i].where);
        free(t->crashes[i].command);
        free(t->crashes[i].text);
    }
    for (size_t i = 0; i < t->nbroken; i++) {
        free(t->broken[i].package);
        free(t->broken[i].why);
    }
    free(t->rows);
    free(t->index);
    free(t->crashes);
    free(t->broken);
    memset(t, 0, sizeof *t);
}

/* ---- what is shown ----------------------------------------------------------------------- */

const char *sanitizer_cell_word(enum sanitizer_cell cell)
{
    return words[cell];
}

enum sanitizer_cell sanitizer_cell_of(const char *word)
{
    for (int i = CELL_FAILED; i > CELL_NONE; i--)
        if (strcmp(words[i], word) == 0)
            return (enum sanitizer_cell)i;
    return CELL_NONE;
}

bool sanitizer_row_is_shown(const struct sanitizer_table *t, const struct sanitizer_row *r)
{
    for (size_t i = 0; i < t->ncolumns; i++)
        if (r->cell[i] >= CELL_KNOWN)
            return true;
    return false;
}

bool sanitizer_table_has(const struct sanitizer_table *t, const char *package)
{
    for (size_t i = 0; i < t->nrows; i++)
        if (strcmp(t->rows[i].package, package) == 0)
            return true;
    return false;
}

/* A line of the table, made but for its padding. */
struct line {
    struct cfz_buf name;
    unsigned char cell[SANITIZER_COLUMNS_MAX];
};

struct lines {
    struct line *v;
    size_t n;
};

static int add_line(struct lines *l, const struct sanitizer_row *r, bool packages, size_t others,
                    struct cfz_error *err)
{
    struct line *line = &l->v[l->n++];
    bool whole = r->test[0] == '\0';
    int ret = 0;

    memcpy(line->cell, r->cell, sizeof line->cell);
    if (packages || whole)
        ret = cfz_buf_printf(&line->name, err, "%s%s", r->package, whole ? "" : ": ");
    if (ret == 0 && others == 0)
        ret = cfz_buf_puts(&line->name, r->test, err);
    else if (ret == 0)
        ret = cfz_buf_printf(&line->name, err, "%.*s: %zu other%s", (int)test_len(r), r->test,
                             others, others == 1 ? "" : "s");
    return ret;
}

/* Adds the line of those inputs of a test, which has the rows at v, that failed nowhere. Such an
 * input passed, or was skipped, wherever it ran: a cell shows "pass" if one did. */
static int add_others(const struct sanitizer_table *t, const struct sanitizer_row *const *v,
                      size_t nrows, bool packages, struct lines *l, struct cfz_error *err)
{
    struct sanitizer_row all = {.package = v[0]->package, .test = v[0]->test};
    size_t n = 0;

    for (size_t i = 0; i < nrows; i++) {
        const struct sanitizer_row *r = v[i];

        if (sanitizer_row_is_shown(t, r))
            continue;
        n++;
        for (size_t k = 0; k < t->ncolumns; k++)
            if (r->cell[k] == CELL_PASSED || all.cell[k] == CELL_NONE)
                all.cell[k] = r->cell[k];
    }
    return n > 0 ? add_line(l, &all, packages, n, err) : 0;
}

static int write_crashes(const struct sanitizer_table *t, bool packages, struct cfz_buf *out,
                         struct cfz_error *err)
{
    for (size_t i = 0; i < t->ncrashes; i++) {
        const struct sanitizer_crash *c = &t->crashes[i];

        if (cfz_buf_printf(out, err, "%s: %s: %s%s%s", t->columns[c->column], c->where,
                           packages ? c->package : "", packages ? ": " : "", c->test) < 0 ||
            (c->inputs > 1 && cfz_buf_printf(out, err, " and %zu other%s", c->inputs - 1,
                                             c->inputs == 2 ? "" : "s") < 0) ||
            cfz_buf_puts(out, "\n", err) < 0 ||
            (c->command[0] != '\0' && cfz_buf_printf(out, err, "    %s\n", c->command) < 0))
            return -1;
    }
    for (size_t k = 0; k < t->ncolumns; k++)
        if (t->left_out[k] != NULL &&
            cfz_buf_printf(out, err, "%s: left out: %s\n", t->columns[k], t->left_out[k]) < 0)
            return -1;
    return 0;
}

/* Appends text and blanks up to width, and two more, but behind the last column. */
static int write_padded(struct cfz_buf *out, const char *text, size_t width, bool last,
                        struct cfz_error *err)
{
    return last ? cfz_buf_printf(out, err, "%s\n", text)
                : cfz_buf_printf(out, err, "%-*s  ", (int)width, text);
}

static int write_lines(const struct sanitizer_table *t, const struct lines *l, struct cfz_buf *out,
                       struct cfz_error *err)
{
    size_t width = strlen("input");

    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].name.len > width)
            width = l->v[i].name.len;
    if (write_padded(out, "input", width, t->ncolumns == 0, err) < 0)
        return -1;
    for (size_t k = 0; k < t->ncolumns; k++)
        if (write_padded(out, t->columns[k], strlen("known"), k + 1 == t->ncolumns, err) < 0)
            return -1;
    for (size_t i = 0; i < l->n; i++) {
        if (write_padded(out, cfz_buf_str(&l->v[i].name), width, t->ncolumns == 0, err) < 0)
            return -1;
        for (size_t k = 0; k < t->ncolumns; k++) {
            size_t least = strlen("known"), w = strlen(t->columns[k]);

            if (write_padded(out, words[l->v[i].cell[k]], w > least ? w : least,
                             k + 1 == t->ncolumns, err) < 0)
                return -1;
        }
    }
    return 0;
}

/* By package and test; of those, in the order in which they came. */
static int compare(const void *a, const void *b)
{
    const struct sanitizer_row *x = *(const struct sanitizer_row *const *)a;
    const struct sanitizer_row *y = *(const struct sanitizer_row *const *)b;
    size_t lx = test_len(x), ly = test_len(y);
    int c = strcmp(x->package, y->package);

    if (c == 0)
        c = memcmp(x->test, y->test, lx < ly ? lx : ly);
    if (c == 0)
        c = lx < ly ? -1 : lx > ly;
    return c != 0 ? c : x < y ? -1 : x > y;
}

/* Adds the lines of the test that has the n rows at v. */
static int add_test(const struct sanitizer_table *t, const struct sanitizer_row *const *v, size_t n,
                    bool packages, struct lines *l, struct cfz_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (sanitizer_row_is_shown(t, v[i]) && add_line(l, v[i], packages, 0, err) < 0)
            return -1;
    return add_others(t, v, n, packages, l, err);
}

int sanitizer_table_write(const struct sanitizer_table *t, bool packages, struct cfz_buf *out,
                          struct cfz_error *err)
{
    struct lines l = {calloc(2 * t->nrows + 1, sizeof *l.v), 0};
    const struct sanitizer_row **v = calloc(t->nrows + 1, sizeof *v);
    int ret = -1;

    if (l.v == NULL || v == NULL) {
        cfz_fail_nomem(err);
        goto out;
    }
    for (size_t i = 0; i < t->nrows; i++)
        v[i] = &t->rows[i];
    qsort(v, t->nrows, sizeof *v, compare);
    for (size_t i = 0, n; i < t->nrows; i += n) {
        for (n = 1; i + n < t->nrows && same_test(v[i], v[i + n]);)
            n++;
        if (add_test(t, v + i, n, packages, &l, err) < 0)
            goto out;
    }
    ret = l.n > 0 && write_lines(t, &l, out, err) < 0 ? -1 : write_crashes(t, packages, out, err);
out:
    for (size_t i = 0; i < l.n; i++)
        cfz_buf_release(&l.v[i].name);
    free(l.v);
    free(v);
    return ret;
}
