/*
 * corpus.c - reading corpus directories.
 *
 * A bad file is a result, not a failure: it is one failing seed, and the others run. Writing is in
 * corpus_save.c.
 */
#include "core/corpus/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/io.h"
#include "core/text.h"

/* ---- names ------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Whether name is the dictionary of the test whose directory is path: <Name>.dict in <Name>. */
static bool is_dictionary(const char *path, const char *name)
{
    size_t end = strlen(path), len = strlen(name), from;

    while (end > 0 && path[end - 1] == '/')
        end--;
    for (from = end; from > 0 && path[from - 1] != '/'; from--) {
    }
    return len == end - from + 5 && memcmp(name, path + from, end - from) == 0 &&
           ends_with(name, ".dict");
}

/* Whether it is a file that editors, version control or people leave beside corpus files, or a
 * dictionary. */
static bool is_ignored(const char *path, const char *name)
{
    return is_dictionary(path, name) || name[0] == '.' || strncmp(name, "README", 6) == 0 || ends_with(name, "~") ||
           ends_with(name, ".md");
}

struct names {
    char **v;
    size_t n, cap;
};

static void names_release(struct names *ns)
{
    for (size_t i = 0; i < ns->n; i++)
        free(ns->v[i]);
    free(ns->v);
}

static int names_add(struct names *ns, const char *name, struct cfz_error *err)
{
    char *copy;

    if (ns->n == ns->cap) {
        size_t cap = ns->cap ? ns->cap * 2 : 16;
        char **v = realloc(ns->v, cap * sizeof *v);

        if (!v)
            return cfz_fail_nomem(err);
        ns->v = v;
        ns->cap = cap;
    }
    copy = strdup(name);
    if (!copy)
        return cfz_fail_nomem(err);
    ns->v[ns->n++] = copy;
    return 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_directory(int dirfd, const struct dirent *e)
{
    struct stat st;

    if (e->d_type != DT_UNKNOWN)
        return e->d_type == DT_DIR;
    return fstatat(dirfd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* The names of the corpus files of a directory, sorted; none if it does not exist. */
static int list_names(const char *path, struct names *ns, struct cfz_error *err)
{
    struct dirent *e;
    struct stat st;
    DIR *dir;
    int ret = -1;

    dir = opendir(path);
    if (!dir && errno == ENOENT && lstat(path, &st) < 0 && errno == ENOENT)
        return 0;
    if (!dir) /* a dangling link is there, and ENOENT nevertheless */
        return cfz_fail_errno(err, "reading seed corpus from %s", path);
    while ((errno = 0, e = readdir(dir))) {
        if (is_ignored(path, e->d_name) || is_directory(dirfd(dir), e))
            continue;
        if (names_add(ns, e->d_name, err) < 0)
            goto out;
    }
    if (errno) {
        cfz_fail_errno(err, "reading seed corpus from %s", path);
        goto out;
    }
    if (ns->n > 0)
        qsort(ns->v, ns->n, sizeof *ns->v, compare_names);
    ret = 0;
out:
    closedir(dir);
    return ret;
}

/* ---- files -------------------------------------------------------------------- */

/* The number of the line that value i (from 0) is on, in a text that was parsed. */
static size_t line_of_value(const struct cfz_buf *text, size_t i)
{
    const uint8_t *p = text->data, *end = p + text->len;
    size_t line = 0, values = 0;

    while (p < end) {
        const uint8_t *lf = memchr(p, '\n', (size_t)(end - p)), *value = p;
        size_t n = (size_t)((lf ? lf : end) - p);

        cfz_text_trim(&value, &n);
        if (line++ > 0 && n > 0 && values++ == i)
            break;
        p = lf ? lf + 1 : end;
    }
    return line;
}

/*
 * The number of the line to blame when vals do not fit kinds: that of the first
 * value too many, of another type or out of range; 0 when values are missing.
 */
static size_t line_at_fault(const struct cfz_buf *text, const struct cfz_values *vals,
                            const enum cfz_kind *kinds, size_t n)
{
    size_t i;

    if (vals->n < n)
        return 0;
    for (i = 0; i < n; i++) {
        struct cfz_values one = {&vals->v[i], 1, 0}; /* borrowed */

        if (cfz_values_check(&one, &kinds[i], 1, NULL) < 0)
            break;
    }
    return line_of_value(text, i);
}

static bool are_of(const struct cfz_values *vs, const enum cfz_kind *kinds, size_t n)
{
    if (vs->n != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (vs->v[i].kind != kinds[i])
            return false;
    return true;
}

/* Reads one file into vals. The error text has the path and, if a line is at fault, its number.
 * *other_types gets whether the file has values for another test. */
static int read_values(const char *path, const enum cfz_kind *kinds, size_t n,
                       struct cfz_values *vals, bool *other_types, struct cfz_error *err)
{
    struct cfz_values found = CFZ_VALUES_INIT;
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t line = 0;
    int ret = -1;

    if (cfz_io_read_file(AT_FDCWD, path, CFZ_FILE_MAX, &text, err) < 0)
        goto out; /* names the path */
    if (cfz_encoding_parse(text.data, text.len, &found, &line, err) < 0)
        goto out_wrap;
    if (cfz_values_check(&found, kinds, n, err) < 0) {
        *other_types = !are_of(&found, kinds, n);
        line = line_at_fault(&text, &found, kinds, n);
        goto out_wrap;
    }
    cfz_values_swap(vals, &found);
    ret = 0;
    goto out;
out_wrap:
    if (line > 0)
        cfz_error_wrap(err, "%s: line %zu", path, line);
    else
        cfz_error_wrap(err, "%s", path);
out:
    cfz_values_release(&found);
    cfz_buf_release(&text);
    return ret;
}

/* Reads a file, good or bad. Fails with CFZ_ENOMEM only. */
static int load_file(const char *dir, const char *name, const enum cfz_kind *kinds, size_t n,
                     struct cfz_corpus_file *file, struct cfz_error *err)
{
    struct cfz_buf path = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret = -1;

    if (cfz_buf_printf(&path, err, "%s/%s", dir, name) < 0)
        return -1;
    if (read_values(cfz_buf_str(&path), kinds, n, &file->vals, &file->other_types, &why) < 0) {
        if (why.code == CFZ_ENOMEM) {
            cfz_fail(err, CFZ_ENOMEM, "%s", why.text);
            goto out;
        }
        file->bad = true;
        file->why = strdup(why.text);
        if (!file->why) {
            cfz_fail(err, CFZ_ENOMEM, "%s: out of memory", cfz_buf_str(&path));
            goto out;
        }
    }
    ret = 0;
out:
    cfz_buf_release(&path);
    return ret;
}

int cfz_corpus_load(const char *path, const enum cfz_kind *kinds, size_t n,
                    struct cfz_corpus_dir *out, struct cfz_error *err)
{
    struct cfz_corpus_dir loaded = CFZ_CORPUS_DIR_INIT, old;
    struct names names = {NULL, 0, 0};
    int ret = -1;

    if (list_names(path, &names, err) < 0)
        goto out;
    if (names.n > 0) {
        loaded.files = calloc(names.n, sizeof *loaded.files);
        if (!loaded.files) {
            cfz_fail(err, CFZ_ENOMEM, "reading seed corpus from %s: out of memory", path);
            goto out;
        }
        loaded.n = names.n;
    }
    for (size_t i = 0; i < names.n; i++) {
        loaded.files[i].name = names.v[i];
        names.v[i] = NULL;
        if (load_file(path, loaded.files[i].name, kinds, n, &loaded.files[i], err) < 0)
            goto out;
    }
    old = *out;
    *out = loaded;
    loaded = old;
    ret = 0;
out:
    names_release(&names);
    cfz_corpus_dir_release(&loaded);
    return ret;
}

void cfz_corpus_dir_release(struct cfz_corpus_dir *d)
{
    for (size_t i = 0; i < d->n; i++) {
        free(d->files[i].name);
        free(d->files[i].why);
        cfz_values_release(&d->files[i].vals);
    }
    free(d->files);
    *d = (struct cfz_corpus_dir)CFZ_CORPUS_DIR_INIT;
}
