/*
 * expression.c - from an operator outwards, to whatever ends its comparison.
 *
 * Compilers tell the place of the operator of a comparison, of the name of a function that is
 * called, and of the word "switch". Text between quotes is passed over. It is C by and large: what
 * is found is shown to a human.
 */
#define _GNU_SOURCE
#include "fuzz/expression.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/io.h"

enum {
    SHOWN_MAX = 80,            /* bytes of an expression */
    FILE_MAX_BYTES = 64 << 20, /* of a source; a longer one is not read. Guessed */
};

struct span {
    size_t from, end;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Marks what lies between quotes, the quotes included, and comments. NULL if memory is short. */
static bool *quoted(const char *s, size_t len)
{
    bool *q = calloc(len + 1, sizeof *q);
    size_t since = 0; /* where a comment began */
    char in = 0;

    for (size_t i = 0; q && i < len; i++) {
        q[i] = in != 0;
        if (in == '/' || in == '*') {
            if (in == '*' && s[i] == '/' && s[i - 1] == '*' && i >= since + 3)
                in = 0;
            continue;
        }
        if (in && s[i] == '\\' && i + 1 < len) {
            q[++i] = true;
        } else if (in && s[i] == in) {
            in = 0;
        } else if (!in && (s[i] == '"' || s[i] == '\'')) {
            q[i] = true;
            in = s[i];
        } else if (!in && s[i] == '/' && i + 1 < len && (s[i + 1] == '/' || s[i + 1] == '*')) {
            q[i] = true;
            in = s[i + 1];
            since = i;
        }
    }
    return q;
}

static bool twice(const char *s, size_t len, size_t i)
{
    return (i + 1 < len && s[i + 1] == s[i]) || (i > 0 && s[i - 1] == s[i]);
}

/* An assignment, and not a part of ==, <=, >= or !=. */
static bool assigns(const char *s, size_t len, size_t i)
{
    return s[i] == '=' && !(i + 1 < len && s[i + 1] == '=') &&
           !(i > 0 && strchr("=<>!", s[i - 1]) != NULL);
}

/* Whether a comparison ends at s[i], outside of brackets. */
static bool separates(const char *s, size_t len, size_t i)
{
    return strchr(",;?{}", s[i]) != NULL || (s[i] == ':' && !twice(s, len, i)) ||
           ((s[i] == '&' || s[i] == '|') && twice(s, len, i)) || assigns(s, len, i);
}

/* The comparison around the operator at s[at]. */
static struct span around(const char *s, size_t len, const bool *q, size_t at)
{
    struct span r = {at, at};
    unsigned depth = 0;

    while (r.from > 0) {
        char c = s[r.from - 1];

        if (!q[r.from - 1]) {
            if (c == ')' || c == ']')
                depth++;
            else if ((c == '(' || c == '[') && depth-- == 0)
                break;
            else if (depth == 0 && separates(s, len, r.from - 1))
                break;
        }
        r.from--;
    }
    depth = 0;
    for (; r.end < len; r.end++) {
        char c = s[r.end];

        if (q[r.end]) {
            if (c == '/' && r.end + 1 < len && (s[r.end + 1] == '/' || s[r.end + 1] == '*'))
                break;
            continue;
        }
        if (c == '(' || c == '[')
            depth++;
        else if ((c == ')' || c == ']') && depth-- == 0)
            break;
        else if (depth == 0 && r.end > at && separates(s, len, r.end))
            break;
    }
    return r;
}

/* The call whose name begins at s[at], with what follows in brackets on this line. */
static struct span call(const char *s, size_t len, const bool *q, size_t at)
{
    struct span r = {at, at};
    unsigned depth = 0;

    while (r.end < len && is_name(s[r.end]))
        r.end++;
    while (r.end < len && s[r.end] == ' ')
        r.end++;
    if (r.end == len || s[r.end] != '(')
        return (struct span){at, at};
    for (; r.end < len; r.end++) {
        if (q[r.end])
            continue;
        if (s[r.end] == '(')
            depth++;
        else if (s[r.end] == ')' && --depth == 0) {
            r.end++;
            break;
        }
    }
    return r;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct span trim(const char *s, struct span r)
{
    static const char word[] = "return";

    while (r.from < r.end && is_blank(s[r.from]))
        r.from++;
    if (r.end - r.from > sizeof word && memcmp(s + r.from, word, sizeof word - 1) == 0 &&
        !is_name(s[r.from + sizeof word - 1]))
        r.from += sizeof word - 1;
    while (r.from < r.end && is_blank(s[r.from]))
        r.from++;
    while (r.end > r.from && is_blank(s[r.end - 1]))
        r.end--;
    return r;
}

/* What is compared at column, or an empty span. */
static struct span find(const char *s, size_t len, unsigned column, const bool *q)
{
    size_t at = column - 1;
    struct span none = {0, 0}, r;

    if (column == 0 || at >= len || q[at])
        return none;
    if (is_name(s[at]))
        return call(s, len, q, at);
    if (strchr("=!<>", s[at]) == NULL)
        return none;
    r = trim(s, around(s, len, q, at));
    return r.from < at && r.end > at + 1 ? r : none;
}

int expression_in(const char *line, size_t len, unsigned column, struct cfz_buf *out,
                  struct cfz_error *err)
{
    bool *q = quoted(line, len);
    struct span r;
    bool cut;

    if (q == NULL)
        return cfz_fail_nomem(err);
    r = find(line, len, column, q);
    free(q);
    if (r.from == r.end)
        r = trim(line, (struct span){0, len});
    cut = r.end - r.from > SHOWN_MAX;
    if (cut)
        r.end = r.from + SHOWN_MAX;
    else /* it goes on in the next line */
        cut = r.end > r.from && strchr("=!<>&|+-%^,(", line[r.end - 1]) != NULL;
    if (cfz_buf_escape(out, line + r.from, r.end - r.from, CFZ_ESCAPE_LINE, err) < 0)
        return -1;
    return cut ? cfz_buf_puts(out, " ...", err) : 0;
}

int expression_read(const char *dir, const char *path, unsigned line, unsigned column, time_t since,
                    struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT, file = CFZ_BUF_INIT;
    const char *at, *end, *stop;
    struct stat st;
    int ret = -1;

    if (path[0] == '/' ? cfz_buf_puts(&file, path, err) < 0
                       : cfz_buf_printf(&file, err, "%s/%s", dir, path) < 0)
        goto out;
    ret = 0;
    if (line == 0 || stat(cfz_buf_str(&file), &st) < 0 || (since != 0 && st.st_mtime > since) ||
        cfz_io_read_file(AT_FDCWD, cfz_buf_str(&file), FILE_MAX_BYTES, &text, NULL) < 0)
        goto out;
    at = cfz_buf_str(&text);
    stop = at + text.len;
    for (unsigned i = 1; i < line && at != NULL; i++) {
        at = memchr(at, '\n', (size_t)(stop - at));
        at = at != NULL ? at + 1 : NULL;
    }
    if (at == NULL)
        goto out;
    end = memchr(at, '\n', (size_t)(stop - at));
    ret = expression_in(at, (size_t)((end != NULL ? end : stop) - at), column, out, err);
out:
    cfz_buf_release(&file);
    cfz_buf_release(&text);
    return ret;
}
