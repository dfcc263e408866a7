/*
 * strlist.c - see strlist.h.
 */
#define _GNU_SOURCE
#include "base/strlist.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"

void strlist_release(struct strlist *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->v[i]);
    free(l->v);
    *l = (struct strlist)STRLIST_INIT;
}

/* Adds s itself, which is freed on failure. */
static int add_owned(struct strlist *l, char *s, struct cfz_error *err)
{
    if (s == NULL)
        return cfz_fail_nomem(err);
    if (l->n + 1 >= l->cap) {
        size_t cap = l->cap == 0 ? 8 : 2 * l->cap;
        char **v = realloc(l->v, cap * sizeof(*v));

        if (v == NULL) {
            free(s);
            return cfz_fail_nomem(err);
        }
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = s;
    l->v[l->n] = NULL;
    return 0;
}

int strlist_add(struct strlist *l, const char *s, struct cfz_error *err)
{
    return add_owned(l, strdup(s), err);
}

int strlist_addf(struct strlist *l, struct cfz_error *err, const char *fmt, ...)
{
    char *s = NULL;
    va_list ap;

    va_start(ap, fmt);
    if (vasprintf(&s, fmt, ap) < 0)
        s = NULL;
    va_end(ap);
    return add_owned(l, s, err);
}

int strlist_add_words(struct strlist *l, const char *const *words, size_t n, struct cfz_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (strlist_add(l, words[i], err) < 0)
            return -1;
    return 0;
}

int strlist_add_all(struct strlist *l, const struct strlist *from, struct cfz_error *err)
{
    for (size_t i = 0; i < from->n; i++)
        if (strlist_add(l, from->v[i], err) < 0)
            return -1;
    return 0;
}

void strlist_truncate(struct strlist *l, size_t n)
{
    while (l->n > n) {
        free(l->v[--l->n]);
        l->v[l->n] = NULL;
    }
}

bool strlist_has(const struct strlist *l, const char *s)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i], s) == 0)
            return true;
    return false;
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void strlist_sort(struct strlist *l)
{
    if (l->n > 1)
        qsort(l->v, l->n, sizeof(*l->v), compare_strings);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Reads the word that begins at line[*pos], which is not a blank, and moves *pos behind it. */
static int split_word(const char *line, size_t len, size_t *pos, struct cfz_buf *word,
                      struct cfz_error *err)
{
    char quote = 0;
    size_t i = *pos;

    for (; i < len && (quote != 0 || !is_blank(line[i])); i++) {
        char c = line[i];

        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            continue;
        }
        if (c == quote) {
            quote = 0;
            continue;
        }
        /* Inside double quotes a backslash is special before these four only. */
        if (c == '\\' && quote != '\'' && i + 1 < len &&
            (quote == 0 || strchr("\"\\$`", line[i + 1]) != NULL))
            c = line[++i];
        if (cfz_buf_append(word, &c, 1, err) < 0)
            return -1;
    }
    if (quote != 0)
        return cfz_fail(err, CFZ_EFORMAT, "unterminated quote");
    *pos = i;
    return 0;
}

int strlist_split(struct strlist *l, const char *line, size_t len, struct cfz_error *err)
{
    struct cfz_buf word = CFZ_BUF_INIT;
    struct strlist words = STRLIST_INIT;
    int ret = -1;

    for (size_t pos = 0; pos < len;) {
        if (is_blank(line[pos])) {
            pos++;
            continue;
        }
        word.len = 0;
        if (split_word(line, len, &pos, &word, err) < 0 ||
            strlist_addf(&words, err, "%.*s", (int)word.len, cfz_buf_str(&word)) < 0)
            goto out;
    }
    ret = strlist_add_all(l, &words, err);
out:
    strlist_release(&words);
    cfz_buf_release(&word);
    return ret;
}
