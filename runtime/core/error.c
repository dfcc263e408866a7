/*
 * error.c - filling struct cfz_error, and the end of the process on a broken invariant.
 */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/escape.h"
#include "core/exit_codes.h"

__attribute__((format(printf, 4, 0))) static void
set_text(struct cfz_error *err, enum cfz_code code, int sys, const char *fmt, va_list ap)
{
    err->code = code;
    err->sys = sys;
    if (vsnprintf(err->text, sizeof err->text, fmt, ap) < 0)
        err->text[0] = '\0';
    cfz_escape_line_in_place(err->text, sizeof err->text); /* names of files, and the like */
}

int cfz_fail(struct cfz_error *err, enum cfz_code code, const char *fmt, ...)
{
    va_list ap;

    if (!err)
        return -1;
    va_start(ap, fmt);
    set_text(err, code, 0, fmt, ap);
    va_end(ap);
    return -1;
}

int cfz_fail_nomem(struct cfz_error *err)
{
    return cfz_fail(err, CFZ_ENOMEM, "out of memory");
}

int cfz_fail_errno(struct cfz_error *err, const char *fmt, ...)
{
    int sys = errno;
    size_t len;
    va_list ap;

    if (!err)
        return -1;
    va_start(ap, fmt);
    set_text(err, CFZ_EIO, sys, fmt, ap);
    va_end(ap);
    len = strlen(err->text);
    snprintf(err->text + len, sizeof err->text - len, ": %s", strerror(sys));
    errno = sys;
    return -1;
}

int cfz_error_wrap(struct cfz_error *err, const char *fmt, ...)
{
    char why[CFZ_ERROR_TEXT_MAX];
    size_t len;
    va_list ap;

    if (!err)
        return -1;
    memcpy(why, err->text, sizeof why);
    va_start(ap, fmt);
    set_text(err, err->code, err->sys, fmt, ap);
    va_end(ap);
    len = strlen(err->text);
    snprintf(err->text + len, sizeof err->text - len, ": %s", why);
    return -1;
}

int cfz_error_add_lines(struct cfz_error *err, const char *lines)
{
    size_t len, n, used;
    bool begins = true;

    if (!err)
        return -1;
    len = strlen(err->text);
    for (size_t left = strlen(lines); left > 0; lines += used, left -= used) {
        char shown[CFZ_ESCAPED_MAX];

        used = cfz_escape_next(lines, left, CFZ_ESCAPE_TEXT, shown, &n);
        if (len + strlen("\n    ") + n >= sizeof err->text)
            break;
        if (begins) {
            memcpy(err->text + len, "\n    ", 5);
            len += 5;
        }
        begins = shown[0] == '\n';
        if (begins)
            continue;
        memcpy(err->text + len, shown, n);
        len += n;
    }
    err->text[len] = '\0';
    return -1;
}

void cfz_error_keep(struct cfz_error *first, const struct cfz_error *err)
{
    if (first->code == CFZ_OK)
        *first = *err;
}

/* Appends s to the line in buf[0..*len), as much of it as fits. Context: signal. */
static void put(char *buf, size_t size, size_t *len, const char *s)
{
    while (*s && *len < size)
        buf[(*len)++] = *s++;
}

void cfz_assert_failed(const char *cond, const char *file, int line)
{
    char buf[512], digits[16];
    size_t len = 0, i = sizeof digits;
    unsigned n = line > 0 ? (unsigned)line : 0;

    digits[--i] = '\0';
    do
        digits[--i] = (char)('0' + n % 10);
    while (n /= 10);
    put(buf, sizeof buf - 1, &len, "cfuzz: internal error: ");
    put(buf, sizeof buf - 1, &len, file);
    put(buf, sizeof buf - 1, &len, ":");
    put(buf, sizeof buf - 1, &len, digits + i);
    put(buf, sizeof buf - 1, &len, ": assertion failed: ");
    put(buf, sizeof buf - 1, &len, cond);
    buf[len++] = '\n';
    if (write(STDERR_FILENO, buf, len) < 0)
        _exit(CFZ_EXIT_INTERNAL); /* nobody to tell; the exit code says it */
    _exit(CFZ_EXIT_INTERNAL);
}
