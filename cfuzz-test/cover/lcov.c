/*
 * lcov.c - see lcov.h.
 *
 * A record of a file, as llvm-cov writes it; what else a line may begin with is passed over:
 *
 *     SF:/p/parse.c            which file
 *     FN:6,parse.c:digit       a function begins on line 6
 *     FNDA:4,parse.c:digit     it was called 4 times
 *     BRDA:7,0,1,3             line 7, block 0, branch 1 was taken 3 times; "-": never evaluated
 *     DA:7,4                   line 7 ran 4 times
 *     end_of_record
 */
#define _GNU_SOURCE
#include "cover/lcov.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- arrays in order -------------------------------------------------------------------- */

/* Makes room for an element of size bytes at index, and moves what is there up. */
static int insert(void **v, size_t *n, size_t *cap, size_t size, size_t index,
                  struct cfz_error *err)
{
    if (array_grow(v, *n, cap, size, err) < 0)
        return -1;
    memmove((char *)*v + (index + 1) * size, (char *)*v + index * size, (*n - index) * size);
    memset((char *)*v + index * size, 0, size);
    ++*n;
    return 0;
}

typedef int compare_fn(const void *key, const void *element);

/* The index of the element that equals key, or where it has to be; *found says which. Mostly
 * elements come in order, so the end is looked at first. */
static size_t place_of(const void *key, const void *v, size_t n, size_t size, compare_fn *compare,
                       bool *found)
{
    size_t low = 0, high = n;

    *found = false;
    if (n > 0 && compare(key, (const char *)v + (n - 1) * size) > 0)
        return n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = compare(key, (const char *)v + mid * size);

        if (c == 0) {
            *found = true;
            return mid;
        }
        if (c < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static int compare_file(const void *key, const void *element)
{
    return strcmp(key, ((const struct lcov_file *)element)->path);
}

static int compare_numbers(unsigned a, unsigned b)
{
    return (a > b) - (a < b);
}

static int compare_line(const void *key, const void *element)
{
    return compare_numbers(*(const unsigned *)key, ((const struct lcov_line *)element)->line);
}

static int compare_function(const void *key, const void *element)
{
    const struct lcov_function *a = key, *b = element;
    int c = compare_numbers(a->line, b->line);

    return c != 0 ? c : strcmp(a->name, b->name);
}

static int compare_branch(const void *key, const void *element)
{
    const struct lcov_branch *a = key, *b = element;
    int c = compare_numbers(a->line, b->line);

    if (c == 0)
        c = compare_numbers(a->block, b->block);
    return c != 0 ? c : compare_numbers(a->branch, b->branch);
}

/* ---- adding ------------------------------------------------------------------------------ */

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* The file of that path, which is made if it is not there. NULL without memory. */
static struct lcov_file *file_of(struct lcov *l, const char *path, struct cfz_error *err)
{
    bool found;
    size_t i = place_of(path, l->v, l->n, sizeof *l->v, compare_file, &found);
    char *copy;

    if (found)
        return &l->v[i];
    copy = strdup(path);
    if (copy == NULL || insert((void **)&l->v, &l->n, &l->cap, sizeof *l->v, i, err) < 0) {
        free(copy);
        cfz_fail_nomem(err);
        return NULL;
    }
    l->v[i].path = copy;
    return &l->v[i];
}

static int add_line(struct lcov_file *f, unsigned line, uint64_t count, struct cfz_error *err)
{
    bool found;
    size_t i = place_of(&line, f->lines, f->nlines, sizeof *f->lines, compare_line, &found);

    if (!found &&
        insert((void **)&f->lines, &f->nlines, &f->lines_cap, sizeof *f->lines, i, err) < 0)
        return -1;
    f->lines[i].line = line;
    f->lines[i].count = sum(f->lines[i].count, count);
    return 0;
}

static int add_function(struct lcov_file *f, unsigned line, const char *name, uint64_t count,
                        struct cfz_error *err)
{
    struct lcov_function key = {(char *)name, line, 0};
    bool found;
    size_t i =
        place_of(&key, f->functions, f->nfunctions, sizeof *f->functions, compare_function, &found);

    if (!found) {
        key.name = strdup(name);
        if (key.name == NULL || insert((void **)&f->functions, &f->nfunctions, &f->functions_cap,
                                       sizeof *f->functions, i, err) < 0) {
            free(key.name);
            return cfz_fail_nomem(err);
        }
        f->functions[i] = key;
    }
    f->functions[i].count = sum(f->functions[i].count, count);
    return 0;
}

static int add_branch(struct lcov_file *f, const struct lcov_branch *b, struct cfz_error *err)
{
    bool found;
    size_t i = place_of(b, f->branches, f->nbranches, sizeof *f->branches, compare_branch, &found);

    if (!found) {
        if (insert((void **)&f->branches, &f->nbranches, &f->branches_cap, sizeof *f->branches, i,
                   err) < 0)
            return -1;
        f->branches[i] = *b;
        return 0;
    }
    f->branches[i].evaluated |= b->evaluated;
    f->branches[i].taken = sum(f->branches[i].taken, b->taken);
    return 0;
}

int lcov_add(struct lcov *out, const struct lcov *from, struct cfz_error *err)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct lcov_file *f = &from->v[i];
        struct lcov_file *to = file_of(out, f->path, err);

        if (to == NULL)
            return -1;
        for (size_t k = 0; k < f->nlines; k++)
            if (add_line(to, f->lines[k].line, f->lines[k].count, err) < 0)
                return -1;
        for (size_t k = 0; k < f->nfunctions; k++)
            if (add_function(to, f->functions[k].line, f->functions[k].name, f->functions[k].count,
                             err) < 0)
                return -1;
        for (size_t k = 0; k < f->nbranches; k++)
            if (add_branch(to, &f->branches[k], err) < 0)
                return -1;
    }
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* The record that is being read. */
struct reader {
    struct lcov *out;
    lcov_name_fn *name;
    void *ctx;
    struct lcov_file *file;    /* NULL: it is left out */
    bool inside;               /* between SF and end_of_record */
    struct lcov_file declared; /* functions by FN, whose counts come later; count 1: it came */
    size_t line;               /* of the text */
};

static int fail(const struct reader *r, const char *why, struct cfz_error *err)
{
    return cfz_fail(err, CFZ_EFORMAT, "line %zu: %s", r->line, why);
}

/* Takes a number and the character behind it off *at. */
static bool number(const char **at, char behind, uint64_t *out)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    if (errno != 0 || *end != behind)
        return false;
    *at = end + (behind != '\0');
    return true;
}

/* The same for a number of a line, block or branch. */
static bool small_number(const char **at, char behind, unsigned *out)
{
    uint64_t n;

    if (!number(at, behind, &n) || n > UINT32_MAX)
        return false;
    *out = (unsigned)n;
    return true;
}

/* The name of a static function has its file before it: "parse.c:digit", of newer LLVMs
 * "parse.c;digit". */
static const char *plain_name(const char *name)
{
    const char *colon = strrchr(name, ':'), *semicolon = strrchr(name, ';');
    const char *last =
        colon == NULL || (semicolon != NULL && semicolon > colon) ? semicolon : colon;

    return last != NULL && last[1] != '\0' ? last + 1 : name;
}

static int begin_file(struct reader *r, const char *path, struct cfz_error *err)
{
    bool failed = false;
    char *name = r->name != NULL ? r->name(r->ctx, path, &failed) : strdup(path);

    r->inside = true;
    r->file = NULL;
    if (name == NULL)
        return failed || r->name == NULL ? cfz_fail_nomem(err) : 0;
    r->file = file_of(r->out, name, err);
    free(name);
    return r->file != NULL ? 0 : -1;
}

/* Forgets the functions that were declared. */
static void release_functions(struct lcov_file *f)
{
    for (size_t i = 0; i < f->nfunctions; i++)
        free(f->functions[i].name);
    free(f->functions);
    f->functions = NULL;
    f->nfunctions = f->functions_cap = 0;
}

/* FN: the function's full name is kept until its count comes, which has that name. */
static int read_function(struct reader *r, const char *at, struct cfz_error *err)
{
    unsigned line;

    if (!small_number(&at, ',', &line) || at[0] == '\0')
        return fail(r, "FN: no number and name", err);
    return r->file != NULL ? add_function(&r->declared, line, at, 0, err) : 0;
}

/* FNDA: of functions of one name, as #if makes them, the first that has no count yet. */
static int read_called(struct reader *r, const char *at, struct cfz_error *err)
{
    struct lcov_function *called = NULL;
    uint64_t count;

    if (!number(&at, ',', &count) || at[0] == '\0')
        return fail(r, "FNDA: no number and name", err);
    if (r->file == NULL)
        return 0;
    for (size_t i = 0; i < r->declared.nfunctions; i++) {
        struct lcov_function *f = &r->declared.functions[i];

        if (strcmp(f->name, at) == 0 && (called == NULL || called->count > f->count))
            called = f;
    }
    if (called == NULL)
        return fail(r, "FNDA: a function without FN", err);
    called->count = 1;
    return add_function(r->file, called->line, plain_name(at), count, err);
}

static int read_branch(struct reader *r, const char *at, struct cfz_error *err)
{
    struct lcov_branch b = {.evaluated = true};

    if (!small_number(&at, ',', &b.line) || !small_number(&at, ',', &b.block) ||
        !small_number(&at, ',', &b.branch))
        return fail(r, "BRDA: no three numbers", err);
    if (strcmp(at, "-") == 0)
        b.evaluated = false;
    else if (!number(&at, '\0', &b.taken))
        return fail(r, "BRDA: no count", err);
    return r->file != NULL ? add_branch(r->file, &b, err) : 0;
}

static int read_count(struct reader *r, const char *at, struct cfz_error *err)
{
    unsigned line;
    uint64_t count;

    if (!small_number(&at, ',', &line) || !number(&at, '\0', &count))
        return fail(r, "DA: no two numbers", err);
    return r->file != NULL ? add_line(r->file, line, count, err) : 0;
}

static int read_line(struct reader *r, const char *line, struct cfz_error *err)
{
    static const struct {
        const char *word;
        int (*read)(struct reader *, const char *, struct cfz_error *);
    } words[] = {{"SF:", begin_file},
                 {"FN:", read_function},
                 {"FNDA:", read_called},
                 {"BRDA:", read_branch},
                 {"DA:", read_count}};

    if (strcmp(line, "end_of_record") == 0) {
        r->inside = false;
        r->file = NULL;
        release_functions(&r->declared);
        return 0;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i].word);

        if (strncmp(line, words[i].word, len) != 0)
            continue;
        if (r->inside != (i > 0))
            return fail(r, i > 0 ? "outside of a record" : "SF: the record before has no end", err);
        return words[i].read(r, line + len, err);
    }
    return 0;
}

int lcov_read(struct lcov *out, const char *text, lcov_name_fn *name, void *ctx,
              struct cfz_error *err)
{
    struct reader r = {.out = out, .name = name, .ctx = ctx};
    int ret = 0;

    while (*text != '\0' && ret == 0) {
        size_t len = strcspn(text, "\n");
        char *line = strndup(text, len);

        r.line++;
        ret = line != NULL ? read_line(&r, line, err) : cfz_fail_nomem(err);
        free(line);
        text += len + (text[len] == '\n');
    }
    if (ret == 0 && r.inside)
        ret = fail(&r, "the last record has no end", err);
    release_functions(&r.declared);
    return ret;
}

/* ---- writing ----------------------------------------------------------------------------- */

static int write_functions(struct cfz_buf *out, const struct lcov_file *f, struct cfz_error *err)
{
    uint64_t run = 0;

    for (size_t i = 0; i < f->nfunctions; i++)
        if (cfz_buf_printf(out, err, "FN:%u,%s\n", f->functions[i].line, f->functions[i].name) < 0)
            return -1;
    for (size_t i = 0; i < f->nfunctions; i++) {
        run += f->functions[i].count > 0;
        if (cfz_buf_printf(out, err, "FNDA:%" PRIu64 ",%s\n", f->functions[i].count,
                           f->functions[i].name) < 0)
            return -1;
    }
    return cfz_buf_printf(out, err, "FNF:%zu\nFNH:%" PRIu64 "\n", f->nfunctions, run);
}

static int write_branches(struct cfz_buf *out, const struct lcov_file *f, struct cfz_error *err)
{
    uint64_t taken = 0;

    for (size_t i = 0; i < f->nbranches; i++) {
        const struct lcov_branch *b = &f->branches[i];
        int ret = cfz_buf_printf(out, err, "BRDA:%u,%u,%u,", b->line, b->block, b->branch);

        if (ret == 0)
            ret = b->evaluated ? cfz_buf_printf(out, err, "%" PRIu64 "\n", b->taken)
                               : cfz_buf_puts(out, "-\n", err);
        if (ret < 0)
            return -1;
        taken += b->evaluated && b->taken > 0;
    }
    return cfz_buf_printf(out, err, "BRF:%zu\nBRH:%" PRIu64 "\n", f->nbranches, taken);
}

int lcov_write(struct cfz_buf *out, const struct lcov *l, struct cfz_error *err)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct lcov_file *f = &l->v[i];
        struct lcov_counts n = lcov_count_file(f);

        if (cfz_buf_printf(out, err, "TN:\nSF:%s\n", f->path) < 0 ||
            write_functions(out, f, err) < 0 || write_branches(out, f, err) < 0)
            return -1;
        for (size_t k = 0; k < f->nlines; k++)
            if (cfz_buf_printf(out, err, "DA:%u,%" PRIu64 "\n", f->lines[k].line,
                               f->lines[k].count) < 0)
                return -1;
        if (cfz_buf_printf(out, err, "LF:%" PRIu64 "\nLH:%" PRIu64 "\nend_of_record\n", n.lines,
                           n.lines_run) < 0)
            return -1;
    }
    return 0;
}

/* ---- asking ------------------------------------------------------------------------------ */

const struct lcov_file *lcov_find(const struct lcov *l, const char *path)
{
    bool found;
    size_t i = place_of(path, l->v, l->n, sizeof *l->v, compare_file, &found);

    return found ? &l->v[i] : NULL;
}

const struct lcov_line *lcov_line_of(const struct lcov_file *f, unsigned line)
{
    bool found;
    size_t i = place_of(&line, f->lines, f->nlines, sizeof *f->lines, compare_line, &found);

    return found ? &f->lines[i] : NULL;
}

struct lcov_counts lcov_count_file(const struct lcov_file *f)
{
    struct lcov_counts n = {.lines = f->nlines, .functions = f->nfunctions};

    for (size_t i = 0; i < f->nlines; i++)
        n.lines_run += f->lines[i].count > 0;
    for (size_t i = 0; i < f->nfunctions; i++)
        n.functions_run += f->functions[i].count > 0;
    return n;
}

struct lcov_counts lcov_count(const struct lcov *l)
{
    struct lcov_counts all = {0};

    for (size_t i = 0; i < l->n; i++) {
        struct lcov_counts n = lcov_count_file(&l->v[i]);

        all.lines += n.lines;
        all.lines_run += n.lines_run;
        all.functions += n.functions;
        all.functions_run += n.functions_run;
    }
    return all;
}

const char *lcov_percent(uint64_t part, uint64_t all, char text[LCOV_PERCENT_MAX])
{
    double tenths = 1000.0 * (double)part / (double)all;

    if (part < all && tenths > 999)
        tenths = 999;
    if (part > 0 && tenths < 1)
        tenths = 1;
    snprintf(text, LCOV_PERCENT_MAX, "%.1f%%", tenths / 10);
    return text;
}

void lcov_release(struct lcov *l)
{
    for (size_t i = 0; i < l->n; i++) {
        struct lcov_file *f = &l->v[i];

        release_functions(f);
        free(f->path);
        free(f->lines);
        free(f->branches);
    }
    free(l->v);
    *l = (struct lcov)LCOV_INIT;
}
