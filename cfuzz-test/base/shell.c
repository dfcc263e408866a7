/*
 * shell.c - see shell.h.
 */
#include "base/shell.h"

#include <string.h>

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
