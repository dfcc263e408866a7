/*
 * covered_by.c - see covered_by.h.
 *
 * Of each process that counts, the last state of its profile is kept, and what changed from one
 * state to the next: words of 8 bytes. A state is the profile before or after an input; any can be
 * made again from these, written to a file and asked.
 */
#define _GNU_SOURCE
#include "cover/covered_by.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cover/profiles.h"
#include "cover/llvm_tools.h"
#include "core/io.h"

enum { WORD = 8, PROFILE_MAX = 1 << 30 };

/* A word of a profile that changed. */
struct change {
    size_t offset;
    uint64_t from, to;
};

/* What lies between two states. */
struct step {
    struct change *v;
    size_t n;
};

/* An input that ran: its states are before and after, which count steps. */
struct ran {
    char *name;
    size_t before, after;
};

/* The profile of one process, which forked all that ran these inputs. */
struct trace {
    const struct test_binary *bin;
    char *path;
    struct cfz_buf now; /* the last state */
    struct step *steps;
    size_t nsteps, steps_cap;
    struct ran *inputs;
    size_t ninputs, inputs_cap;
    size_t before; /* the state before the input that runs */

    /* While the question is asked: */
    size_t at;        /* the state that now is */
    uint64_t *counts; /* of the line at each state, 1 more than it is; 0: not asked yet */
};

struct covered_by {
    const struct options *opt;
    char *path; /* real and absolute */
    unsigned line;
    const char *shown; /* the file as it was given */
    int shown_len;
    struct trace *v;
    size_t n;
};

/* ---- what inputs add ---------------------------------------------------------------------- */

/* The trace of the process that runs now, of bin: the one whose profile was not there before, or
 * else the last one. NULL with *err. */
static struct trace *trace_now(struct covered_by *q, const struct test_binary *bin,
                               struct cfz_error *err)
{
    struct strlist raw = STRLIST_INIT;
    struct trace *t = NULL, *v;

    if (cover_raw(q->opt, bin, &raw, err) < 0)
        goto out;
    for (size_t i = 0; i < raw.n; i++) {
        bool known = false;

        for (size_t k = 0; k < q->n; k++)
            known |= strcmp(q->v[k].path, raw.v[i]) == 0;
        if (known)
            continue;
        v = realloc(q->v, (q->n + 1) * sizeof *q->v);
        if (v == NULL) {
            cfz_fail_nomem(err);
            goto out;
        }
        q->v = v;
        q->v[q->n] = (struct trace){.bin = bin, .path = strdup(raw.v[i])};
        if (q->v[q->n].path == NULL ||
            cfz_io_read_file(AT_FDCWD, raw.v[i], PROFILE_MAX, &q->v[q->n].now, err) < 0) {
            free(q->v[q->n].path);
            cfz_buf_release(&q->v[q->n].now);
            goto out;
        }
        q->n++;
    }
    for (size_t k = 0; k < q->n; k++)
        if (q->v[k].bin == bin)
            t = &q->v[k];
    if (t == NULL)
        cfz_fail(err, CFZ_EUSAGE, "%s: it was not built with -cover: no profile", bin->path);
out:
    strlist_release(&raw);
    return t;
}

/* Notes what changed since the last state, if anything did. *state gets the number of the state. */
static int note(struct trace *t, size_t *state, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct step s = {NULL, 0};
    size_t cap = 0;
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, t->path, PROFILE_MAX, &text, err) < 0)
        goto out;
    for (size_t i = 0; i + WORD <= text.len && i + WORD <= t->now.len; i += WORD) {
        struct change c = {.offset = i};

        if (memcmp(text.data + i, t->now.data + i, WORD) == 0)
            continue;
        memcpy(&c.from, t->now.data + i, WORD);
        memcpy(&c.to, text.data + i, WORD);
        if (array_grow((void **)&s.v, s.n, &cap, sizeof *s.v, err) < 0)
            goto out;
        s.v[s.n++] = c;
        memcpy(t->now.data + i, text.data + i, WORD);
    }
    if (s.n > 0) {
        if (array_grow((void **)&t->steps, t->nsteps, &t->steps_cap, sizeof *t->steps, err) < 0)
            goto out;
        t->steps[t->nsteps++] = s;
        s.v = NULL;
    }
    *state = t->nsteps;
    ret = 0;
out:
    free(s.v);
    cfz_buf_release(&text);
    return ret;
}

static int before(void *ctx, const struct test_binary *bin, const char *name, struct cfz_error *err)
{
    struct trace *t = trace_now(ctx, bin, err);

    (void)name;
    return t != NULL ? note(t, &t->before, err) : -1;
}

static int after(void *ctx, const struct test_binary *bin, const char *name, struct cfz_error *err)
{
    struct trace *t = trace_now(ctx, bin, err);
    struct ran *r;

    if (t == NULL ||
        array_grow((void **)&t->inputs, t->ninputs, &t->inputs_cap, sizeof *t->inputs, err) < 0)
        return -1;
    r = &t->inputs[t->ninputs];
    *r = (struct ran){.name = strdup(name), .before = t->before};
    if (r->name == NULL)
        return cfz_fail_nomem(err);
    t->ninputs++;
    return note(t, &r->after, err);
}

/* ---- the question ------------------------------------------------------------------------- */

/* Makes now the state of that number. */
static void go_to(struct trace *t, size_t state)
{
    for (; t->at > state; t->at--)
        for (size_t i = 0; i < t->steps[t->at - 1].n; i++) {
            const struct change *c = &t->steps[t->at - 1].v[i];

            memcpy(t->now.data + c->offset, &c->from, WORD);
        }
    for (; t->at < state; t->at++)
        for (size_t i = 0; i < t->steps[t->at].n; i++) {
            const struct change *c = &t->steps[t->at].v[i];

            memcpy(t->now.data + c->offset, &c->to, WORD);
        }
}

/* The name that the compiler knew the file by is mostly the real one. Where a link led to it, all
 * files are asked. */
static char *same_path(void *ctx, const char *path, bool *failed)
{
    char *real = realpath(path, NULL);

    *failed = real == NULL && errno == ENOMEM;
    if (real != NULL && strcmp(real, ctx) != 0) {
        free(real);
        real = NULL;
    }
    return real;
}

/* How often the line had run at a state. */
static int count_at(struct covered_by *q, struct trace *t, size_t state, uint64_t *count,
                    struct cfz_error *err)
{
    struct strlist raw = STRLIST_INIT;
    struct cfz_buf merged = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    struct lcov l = LCOV_INIT;
    const struct lcov_file *f = NULL;
    const struct lcov_line *line = NULL;
    int ret = -1;

    if (t->counts[state] != 0) {
        *count = t->counts[state] - 1;
        return 0;
    }
    go_to(t, state);
    if (strlist_addf(&raw, err, "%s/state.profraw", q->opt->profile_dir) < 0 ||
        cfz_buf_printf(&merged, err, "%s/state.profdata", q->opt->profile_dir) < 0 ||
        cfz_io_write_file(AT_FDCWD, raw.v[0], t->now.data, t->now.len, CFZ_IO_REPLACE, err) < 0 ||
        llvm_merge(t->bin, &raw, cfz_buf_str(&merged), err) < 0 ||
        llvm_export(t->bin, cfz_buf_str(&merged), q->path, &text, err) < 0)
        goto out;
    if (text.len == 0 && llvm_export(t->bin, cfz_buf_str(&merged), NULL, &text, err) < 0)
        goto out;
    if (lcov_read(&l, cfz_buf_str(&text), same_path, q->path, err) < 0)
        goto out;
    f = lcov_find(&l, q->path);
    line = f != NULL ? lcov_line_of(f, q->line) : NULL;
    *count = line != NULL ? line->count : 0;
    t->counts[state] = *count + 1;
    ret = 0;
out:
    lcov_release(&l);
    cfz_buf_release(&text);
    cfz_buf_release(&merged);
    strlist_release(&raw);
    return ret;
}

/* Adds those of inputs[first..end) that reach the line. */
static int search(struct covered_by *q, struct trace *t, size_t first, size_t end,
                  struct strlist *names, struct cfz_error *err)
{
    size_t mid = first + (end - first) / 2;
    uint64_t from, to;

    if (count_at(q, t, t->inputs[first].before, &from, err) < 0 ||
        count_at(q, t, t->inputs[end - 1].after, &to, err) < 0)
        return -1;
    if (from == to)
        return 0;
    if (end - first == 1)
        return strlist_add(names, t->inputs[first].name, err);
    return search(q, t, first, mid, names, err) < 0 ? -1 : search(q, t, mid, end, names, err);
}

/* Whether there is code on the line. */
static int check_line(const struct covered_by *q, const struct lcov *all, struct cfz_error *err)
{
    const struct lcov_file *f = lcov_find(all, q->path);

    if (f == NULL || f->nlines == 0)
        return cfz_fail(err, CFZ_EUSAGE, "-covered-by: %.*s: no code of the package", q->shown_len,
                        q->shown);
    if (lcov_line_of(f, q->line) != NULL)
        return 0;
    for (size_t i = 0; i < f->nlines; i++)
        if (f->lines[i].line > q->line)
            return cfz_fail(err, CFZ_EUSAGE,
                            "-covered-by: %.*s:%u: no code on this line; the next one with code "
                            "is %u",
                            q->shown_len, q->shown, q->line, f->lines[i].line);
    return cfz_fail(err, CFZ_EUSAGE,
                    "-covered-by: %.*s:%u: no code on this line; the last one with code is %u",
                    q->shown_len, q->shown, q->line, f->lines[f->nlines - 1].line);
}

int covered_by_end(struct covered_by *q, const struct lcov *all, struct strlist *names,
                   bool *no_code, struct cfz_error *err)
{
    int ret = check_line(q, all, err);

    *no_code = ret < 0;
    for (size_t i = 0; i < q->n && ret == 0; i++) {
        struct trace *t = &q->v[i];

        if (t->ninputs == 0)
            continue;
        t->at = t->nsteps;
        t->counts = calloc(t->nsteps + 1, sizeof *t->counts);
        ret = t->counts != NULL ? search(q, t, 0, t->ninputs, names, err) : cfz_fail_nomem(err);
    }
    return ret;
}

/* ---- the beginning and the end --------------------------------------------------------------- */

/* The real path of name[0..len), in the current directory or else in that of the package. */
static char *resolve(const struct package *pkg, const char *name, int len)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    char *real = NULL;

    if (cfz_buf_printf(&path, NULL, "%.*s", len, name) == 0)
        real = realpath(cfz_buf_str(&path), NULL);
    path.len = 0;
    if (real == NULL && errno == ENOENT && name[0] != '/' &&
        cfz_buf_printf(&path, NULL, "%s/%.*s", pkg->dir, len, name) == 0)
        real = realpath(cfz_buf_str(&path), NULL);
    cfz_buf_release(&path);
    return real;
}

/* Takes "<file>:<line>" apart. *file gets the length of the file's name. */
static int parse(const char *what, int *file, unsigned *line, struct cfz_error *err)
{
    const char *colon = strrchr(what, ':');
    unsigned long n;
    char *end;

    if (colon == NULL || colon == what || colon[1] < '0' || colon[1] > '9')
        return cfz_fail(err, CFZ_EUSAGE, "-covered-by=%s: not a file and a line: parse.c:120",
                        what);
    errno = 0;
    n = strtoul(colon + 1, &end, 10);
    if (*end != '\0' || errno != 0 || n == 0 || n > UINT_MAX)
        return cfz_fail(err, CFZ_EUSAGE, "-covered-by=%s: not the number of a line", what);
    *file = (int)(colon - what);
    *line = (unsigned)n;
    return 0;
}

int covered_by_check(const char *what, struct cfz_error *err)
{
    unsigned line;
    int file;

    return parse(what, &file, &line, err);
}

bool covered_by_concerns(const struct options *opt, const struct package *pkg)
{
    unsigned line;
    int file;
    char *path = NULL;
    bool concerns = parse(opt->covered_by, &file, &line, NULL) == 0 &&
                    (path = resolve(pkg, opt->covered_by, file)) != NULL && cover_counts(pkg, path);

    free(path);
    return concerns;
}

int covered_by_begin(const struct options *opt, const struct package *pkg, struct covered_by **out,
                     struct input_watch *watch, struct cfz_error *err)
{
    const char *what = opt->covered_by;
    struct covered_by *q = calloc(1, sizeof *q);

    *out = q;
    if (q == NULL)
        return cfz_fail_nomem(err);
    q->opt = opt;
    q->shown = what;
    if (parse(what, &q->shown_len, &q->line, err) < 0)
        return -1;
    q->path = resolve(pkg, what, q->shown_len);
    if (q->path == NULL) {
        cfz_fail_errno(err, "-covered-by: %.*s", q->shown_len, what);
        if (err != NULL)
            err->code = CFZ_EUSAGE;
        return -1;
    }
    if (!cover_counts(pkg, q->path))
        return cfz_fail(err, CFZ_EUSAGE, "-covered-by: %.*s: not a file of the package",
                        q->shown_len, what);
    *watch = (struct input_watch){before, after, q};
    return 0;
}

void covered_by_free(struct covered_by *q)
{
    if (q == NULL)
        return;
    for (size_t i = 0; i < q->n; i++) {
        struct trace *t = &q->v[i];

        for (size_t k = 0; k < t->nsteps; k++)
            free(t->steps[k].v);
        for (size_t k = 0; k < t->ninputs; k++)
            free(t->inputs[k].name);
        free(t->steps);
        free(t->inputs);
        free(t->counts);
        free(t->path);
        cfz_buf_release(&t->now);
    }
    free(q->v);
    free(q->path);
    free(q);
}
