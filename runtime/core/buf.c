/*
 * buf.c - growable bytes: doubling, always NUL-terminated.
 */
#include "core/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cfz_buf_release(struct cfz_buf *b)
{
    free(b->data);
    b->data = NULL;
    b->len = b->cap = 0;
}

int cfz_buf_reserve(struct cfz_buf *b, size_t more, struct cfz_error *err)
{
    size_t need, cap;
    uint8_t *data;

    if (more >= SIZE_MAX - b->len)
        return cfz_fail_nomem(err);
    need = b->len + more + 1; /* 1 for the NUL */
    if (need <= b->cap)
        return 0;
    cap = b->cap < 64 ? 64 : b->cap;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    data = realloc(b->data, cap);
    if (!data)
        return cfz_fail_nomem(err);
    data[b->len] = '\0';
    b->data = data;
    b->cap = cap;
    return 0;
}

int cfz_buf_append(struct cfz_buf *b, const void *data, size_t len, struct cfz_error *err)
{
    if (cfz_buf_reserve(b, len, err) < 0)
        return -1;
    if (len > 0)
        memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = '\0';
    return 0;
}

int cfz_buf_puts(struct cfz_buf *b, const char *s, struct cfz_error *err)
{
    return cfz_buf_append(b, s, strlen(s), err);
}

int cfz_buf_printf(struct cfz_buf *b, struct cfz_error *err, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    CFZ_ASSERT(n >= 0); /* the formats are ours */
    if (cfz_buf_reserve(b, (size_t)n, err) < 0)
        return -1;
    va_start(ap, fmt);
    vsnprintf((char *)b->data + b->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->len += (size_t)n;
    return 0;
}

int cfz_buf_escape(struct cfz_buf *b, const char *text, size_t len, enum cfz_escape_what what,
                   struct cfz_error *err)
{
    while (len > 0) {
        char shown[CFZ_ESCAPED_MAX];
        size_t n, used = cfz_escape_next(text, len, what, shown, &n);

        if (cfz_buf_append(b, shown, n, err) < 0)
            return -1;
        text += used;
        len -= used;
    }
    return 0;
}

void cfz_buf_truncate(struct cfz_buf *b, size_t len)
{
    CFZ_ASSERT(len <= b->len);
    b->len = len;
    if (b->data)
        b->data[len] = '\0';
}

const char *cfz_buf_str(const struct cfz_buf *b)
{
    return b->data ? (const char *)b->data : "";
}
