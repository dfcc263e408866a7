/*
 * crash_baseline.c - see crash_baseline.h.
 */
#define _GNU_SOURCE
#include "crash/crash_baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strlist.h"
#include "cli/sanitizers.h"
#include "core/io.h"
#include "crash/crash_identity.h"
#include "results/result_file.h"

enum { FILE_MAX_BYTES = 16 << 20, FIELDS = 5 };

static const char header[] = "cfuzz baseline v1";

struct entry {
    char *package, *test, *build, *identity, *where;
    unsigned line; /* in the file; 0: it is not there yet */
    bool met;
};

struct crash_baseline {
    const char *path;
    char *dir; /* that the file lies in, absolute */
    bool writing;
    char build[64]; /* the sanitizers of this run */
    struct entry *v;
    size_t n, cap, forgotten;
    struct strlist ran; /* "package\ttest" */
};

/* ---- entries ------------------------------------------------------------------------------ */

static void entry_free(struct entry *e)
{
    free(e->package);
    free(e->test);
    free(e->build);
    free(e->identity);
    free(e->where);
}

/* Adds an entry of texts that are copied, each up to its length. */
static int add(struct crash_baseline *b, const char *const text[FIELDS], const size_t len[FIELDS],
               unsigned line, bool met, struct cfz_error *err)
{
    struct entry e = {.line = line, .met = met};

    if (array_grow((void **)&b->v, b->n, &b->cap, sizeof *b->v, err) < 0)
        return -1;
    e.package = strndup(text[0], len[0]);
    e.test = strndup(text[1], len[1]);
    e.build = strndup(text[2], len[2]);
    e.identity = strndup(text[3], len[3]);
    e.where = strndup(text[4], len[4]);
    if (e.package == NULL || e.test == NULL || e.build == NULL || e.identity == NULL ||
        e.where == NULL) {
        entry_free(&e);
        return cfz_fail_nomem(err);
    }
    b->v[b->n++] = e;
    return 0;
}

/* The directory of a package as the file names it: relative to its own. The caller frees it. NULL
 * without memory. */
static char *package_name(const struct crash_baseline *b, const char *dir)
{
    const char *from = b->dir, *to = dir;
    struct cfz_buf out = CFZ_BUF_INIT;
    size_t common = 0;
    char *text = NULL;

    for (size_t i = 0;; i++) { /* as far as whole elements agree */
        bool ends_from = from[i] == '/' || from[i] == '\0', ends_to = to[i] == '/' || to[i] == '\0';

        if (ends_from && ends_to)
            common = i;
        if (from[i] != to[i] || from[i] == '\0')
            break;
    }
    from += common;
    to += common + (to[common] == '/');
    for (; *from != '\0'; from++)
        if (*from == '/' && from[1] != '\0' && cfz_buf_puts(&out, "../", NULL) < 0)
            goto out;
    if (out.len == 0 && to[0] == '#' && cfz_buf_puts(&out, "./", NULL) < 0) /* no comment */
        goto out;
    if (cfz_buf_puts(&out, to, NULL) < 0)
        goto out;
    if (out.len > 0 && out.data[out.len - 1] == '/')
        cfz_buf_truncate(&out, out.len - 1);
    text = strdup(out.len > 0 ? cfz_buf_str(&out) : ".");
out:
    cfz_buf_release(&out);
    return text;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A harness is named after its file. */
static bool is_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] <= ' ' || text[i] == '/' || text[i] == 0x7f)
            return false;
    return len > 0;
}

/* Whether the directory of a package is there. */
static bool has_package(const struct crash_baseline *b, const char *name, size_t len)
{
    char *path;
    struct stat st;
    bool there;

    if (asprintf(&path, "%s/%.*s", b->dir, (int)len, name) < 0)
        return true;
    there = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    free(path);
    return there;
}

/* Takes one line that is not empty. */
static int read_line(struct crash_baseline *b, const char *line, size_t len, unsigned number,
                     struct cfz_error *err)
{
    const char *text[FIELDS], *at = line, *end = line + len;
    size_t lens[FIELDS];
    int n = 0;

    for (; n < FIELDS; n++) {
        const char *tab = n < FIELDS - 1 ? memchr(at, '\t', (size_t)(end - at)) : NULL;

        text[n] = at;
        lens[n] = (size_t)((tab != NULL ? tab : end) - at);
        if (tab == NULL)
            break;
        at = tab + 1;
    }
    if (n < FIELDS - 2)
        return cfz_fail(err, CFZ_EFORMAT,
                        "line %u: want directory, test, sanitizers, identity and what it was, with "
                        "tabs between",
                        number);
    if (n == FIELDS - 2) {
        text[FIELDS - 1] = "";
        lens[FIELDS - 1] = 0;
    }
    if (lens[0] == 0 || memchr(text[0], '\0', lens[0]) != NULL)
        return cfz_fail(err, CFZ_EFORMAT, "line %u: no directory of a package", number);
    if (!is_name(text[1], lens[1]))
        return cfz_fail(err, CFZ_EFORMAT, "line %u: \"%.*s\" is not the name of a test", number,
                        (int)lens[1], text[1]);
    if (!crash_identity_is(text[3], lens[3]))
        return cfz_fail(err, CFZ_EFORMAT,
                        "line %u: \"%.*s\" is not an identity: 16 of the digits 0-9 and a-f",
                        number, (int)lens[3], text[3]);
    if (!has_package(b, text[0], lens[0])) {
        if (!b->writing)
            return cfz_fail(err, CFZ_EFORMAT,
                            "line %u: there is no directory %.*s; -writebaseline removes it",
                            number, (int)lens[0], text[0]);
        b->forgotten++;
        return 0;
    }
    return add(b, text, lens, number, false, err);
}

static int parse(struct crash_baseline *b, const char *text, size_t len, struct cfz_error *err)
{
    unsigned number = 0;
    bool headed = false;

    for (const char *at = text, *end = text + len; at < end;) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((nl != NULL ? nl : end) - at);

        number++;
        if (n > 0 && at[n - 1] == '\r') /* as git may write it */
            n--;
        if (n > 0 && at[0] != '#') {
            if (!headed && (n != sizeof header - 1 || memcmp(at, header, n) != 0))
                return cfz_fail(err, CFZ_EFORMAT, "line %u: not a baseline: want \"%s\" first",
                                number, header);
            if (headed && read_line(b, at, n, number, err) < 0)
                return -1;
            headed = true;
        }
        if (nl == NULL)
            break;
        at = nl + 1;
    }
    return headed ? 0 : cfz_fail(err, CFZ_EFORMAT, "not a baseline: it is empty");
}

/* The directory that path lies in, absolute. */
static char *dir_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir =
        slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    char *real = dir != NULL ? realpath(dir, NULL) : NULL;

    free(dir);
    return real;
}

/* "asan,ubsan", or "-" without any. */
static void name_build(unsigned sanitizers, char *text, size_t room)
{
    size_t len = 0;

    snprintf(text, room, "-");
    for (size_t i = 0; i < sanitizers_count; i++)
        if ((sanitizers & sanitizers_all[i].bit) != 0 && len < room)
            len += (size_t)snprintf(text + len, room - len, "%s%s", len > 0 ? "," : "",
                                    sanitizers_all[i].flag);
}

int crash_baseline_read(const char *path, bool writing, unsigned sanitizers,
                        struct crash_baseline **out, struct cfz_error *err)
{
    struct crash_baseline *b = calloc(1, sizeof *b);
    struct cfz_error why = CFZ_ERROR_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (b == NULL)
        return cfz_fail_nomem(err);
    b->path = path;
    b->writing = writing;
    name_build(sanitizers, b->build, sizeof b->build);
    b->dir = dir_of(path);
    if (b->dir == NULL) {
        cfz_fail_errno(err, "open %s", path);
        goto out;
    }
    if (writing && access(b->dir, W_OK) < 0) {
        cfz_fail_errno(err, "write %s", path);
        goto out;
    }
    if (cfz_io_read_file(AT_FDCWD, path, FILE_MAX_BYTES, &text, &why) < 0) {
        if (!writing || why.sys != ENOENT) {
            if (err != NULL)
                *err = why;
            goto out;
        }
    } else if (parse(b, cfz_buf_str(&text), text.len, err) < 0) {
        cfz_error_wrap(err, "%s", path);
        goto out;
    }
    *out = b;
    b = NULL;
    ret = 0;
out:
    cfz_buf_release(&text);
    crash_baseline_free(b);
    return ret;
}

void crash_baseline_free(struct crash_baseline *b)
{
    if (b == NULL)
        return;
    for (size_t i = 0; i < b->n; i++)
        entry_free(&b->v[i]);
    free(b->v);
    free(b->dir);
    strlist_release(&b->ran);
    free(b);
}

const char *crash_baseline_path(const struct crash_baseline *b)
{
    return b->path;
}

/* ---- a run --------------------------------------------------------------------------------- */

static void forget(struct crash_baseline *b, size_t i)
{
    entry_free(&b->v[i]);
    memmove(&b->v[i], &b->v[i + 1], (b->n - i - 1) * sizeof b->v[0]);
    b->n--;
    b->forgotten++;
}

static bool is_one_of(const char *name, const char *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, v[i]) == 0)
            return true;
    return false;
}

int crash_baseline_check(struct crash_baseline *b, const char *dir, const char *const *tests,
                         size_t n, struct cfz_error *err)
{
    char *package = package_name(b, dir);
    int ret = 0;

    if (package == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < b->n && ret == 0; i++) {
        const struct entry *e = &b->v[i];

        if (strcmp(e->package, package) != 0 || is_one_of(e->test, tests, n))
            continue;
        if (b->writing)
            forget(b, i--);
        else
            ret = cfz_fail(err, CFZ_EUSAGE,
                           "%s: line %u: %s has no fuzz test %s; -writebaseline removes it",
                           b->path, e->line, e->package, e->test);
    }
    free(package);
    return ret;
}

void crash_baseline_ran(struct crash_baseline *b, const char *dir, const char *test)
{
    char *package = package_name(b, dir);

    if (package != NULL)
        strlist_addf(&b->ran, NULL, "%s\t%s", package, test);
    free(package);
}

int crash_baseline_knows(struct crash_baseline *b, const char *dir, const char *test,
                         const char *identity, const char *where, bool *known,
                         struct cfz_error *err)
{
    char *package = package_name(b, dir);
    int ret = 0;

    *known = false;
    if (package == NULL)
        return cfz_fail_nomem(err);
    for (size_t i = 0; i < b->n && !*known; i++) {
        struct entry *e = &b->v[i];

        if (strcmp(e->package, package) == 0 && strcmp(e->test, test) == 0 &&
            strcmp(e->identity, identity) == 0)
            *known = e->met = true;
    }
    if (!*known && b->writing) {
        const char *const text[FIELDS] = {package, test, b->build, identity, where};
        const size_t len[FIELDS] = {strlen(package), strlen(test), strlen(b->build),
                                    strlen(identity), strlen(where)};

        if (strpbrk(package, "\t\n\r") != NULL)
            ret = cfz_fail(err, CFZ_EUSAGE, "%s: a package cannot be named there: %s", b->path,
                           package);
        else
            ret = add(b, text, len, 0, true, err);
        *known = ret == 0;
    }
    free(package);
    return ret;
}

/* ---- the end ------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->package, y->package);

    if (order == 0)
        order = strcmp(x->test, y->test);
    if (order == 0)
        order = strcmp(x->build, y->build);
    return order != 0 ? order : strcmp(x->identity, y->identity);
}

static bool has_run(const struct crash_baseline *b, const struct entry *e)
{
    char *name;
    bool ran;

    if (strcmp(e->build, b->build) != 0 || asprintf(&name, "%s\t%s", e->package, e->test) < 0)
        return false;
    ran = strlist_has(&b->ran, name);
    free(name);
    return ran;
}

static int write_file(const struct crash_baseline *b, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int ret = -1;

    if (cfz_buf_printf(&text, err,
                       "%s\n# Crashes that are known: cfuzz-test -baseline=FILE fails on others. "
                       "cfuzz-test -baseline=FILE\n# -writebaseline writes this. Directory, test, "
                       "sanitizers, identity, what it was.\n",
                       header) < 0)
        goto out;
    for (size_t i = 0; i < b->n; i++) {
        const struct entry *e = &b->v[i];

        if (cfz_buf_printf(&text, err, "%s\t%s\t%s\t%s\t", e->package, e->test, e->build,
                           e->identity) < 0 ||
            cfz_buf_escape(&text, e->where, strlen(e->where), CFZ_ESCAPE_LINE, err) < 0 ||
            cfz_buf_puts(&text, "\n", err) < 0)
            goto out;
    }
    ret = result_file_write(b->path, &text, err);
out:
    cfz_buf_release(&text);
    return ret;
}

int crash_baseline_end(struct crash_baseline *b, struct crash_baseline_counts *counts,
                       struct cfz_error *err)
{
    *counts = (struct crash_baseline_counts){0};
    for (size_t i = 0; i < b->n; i++) {
        if (b->v[i].met || !has_run(b, &b->v[i]))
            continue;
        if (b->writing)
            forget(b, i--);
        else
            counts->gone++;
    }
    counts->listed = b->n;
    for (size_t i = 0; i < b->n; i++) {
        counts->met += b->v[i].met;
        counts->added += b->v[i].line == 0;
    }
    if (!b->writing)
        return 0;
    counts->gone = b->forgotten;
    if (b->n > 0)
        qsort(b->v, b->n, sizeof b->v[0], by_name);
    return write_file(b, err);
}
