/*
 * shell.c - see shell.h.
 */
#include "base/shell.h"

#include <stdbool.h>
#include <string.h>

#include "core/escape.h"

int shell_quote(struct cfz_buf *out, const char *word, struct cfz_error *err)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "@%+=:,./_-";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        return cfz_buf_puts(out, word, err);
    if (cfz_buf_puts(out, "'", err) < 0)
        return -1;
    for (const char *s = word; *s != '\0'; s++)
        if ((*s == '\'' ? cfz_buf_puts(out, "'\\''", err) : cfz_buf_append(out, s, 1, err)) < 0)
            return -1;
    return cfz_buf_puts(out, "'", err);
}

int shell_quote_shown(struct cfz_buf *out, const char *word, struct cfz_error *err)
{
    size_t len = strlen(word), at = 0, used = 0, n = 0;
    char shown[CFZ_ESCAPED_MAX];
    bool plain = strchr(word, '\t') == NULL;

    for (; at < len && plain; at += used) {
        used = cfz_escape_next(word + at, len - at, CFZ_ESCAPE_LINE, shown, &n);
        plain = n == used;
    }
    if (plain)
        return shell_quote(out, word, err);
    if (cfz_buf_puts(out, "$'", err) < 0)
        return -1;
    for (at = 0; at < len; at += used) {
        bool special = word[at] == '\'' || word[at] == '\\' || word[at] == '\t';

        used = cfz_escape_next(word + at, len - at, CFZ_ESCAPE_LINE, shown, &n);
        if (n == used && !special) {
            if (cfz_buf_append(out, shown, n, err) < 0)
                return -1;
            continue;
        }
        for (size_t i = 0; i < used; i++)
            if (cfz_buf_printf(out, err, "\\%03o", (unsigned char)word[at + i]) < 0)
                return -1;
    }
    return cfz_buf_puts(out, "'", err);
}
