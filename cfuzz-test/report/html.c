/*
 * html.c - see html.h.
 */
#define _GNU_SOURCE
#include "report/html.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/escape.h"
#include "cover/lcov.h"

int html_text(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err)
{
    while (len > 0) {
        char shown[CFZ_ESCAPED_MAX];
        size_t n, taken = cfz_escape_next(text, len, CFZ_ESCAPE_TEXT, shown, &n);

        for (size_t i = 0; i < n; i++) {
            const char *entity = shown[i] == '&'    ? "&amp;"
                                 : shown[i] == '<'  ? "&lt;"
                                 : shown[i] == '>'  ? "&gt;"
                                 : shown[i] == '"'  ? "&quot;"
                                 : shown[i] == '\'' ? "&#39;"
                                                    : NULL;

            if ((entity != NULL ? cfz_buf_puts(out, entity, err)
                                : cfz_buf_append(out, &shown[i], 1, err)) < 0)
                return -1;
        }
        text += taken;
        len -= taken;
    }
    return 0;
}

int html_printf(struct cfz_buf *out, struct cfz_error *err, const char *fmt, ...)
{
    va_list args;
    int ret = 0;

    va_start(args, fmt);
    while (*fmt != '\0' && ret == 0) {
        size_t len = strcspn(fmt, "%");
        const char *s;

        ret = cfz_buf_append(out, fmt, len, err);
        fmt += len;
        if (ret < 0 || *fmt == '\0')
            break;
        switch (fmt[1]) {
        case 't':
            s = va_arg(args, const char *);
            ret = html_text(out, s, strlen(s), err);
            break;
        case 's':
            ret = cfz_buf_puts(out, va_arg(args, const char *), err);
            break;
        case 'u':
            ret = cfz_buf_printf(out, err, "%" PRIu64, va_arg(args, uint64_t));
            break;
        case 'd':
            ret = cfz_buf_printf(out, err, "%d", va_arg(args, int));
            break;
        default:
            ret = cfz_buf_puts(out, "%", err);
            fmt--;
        }
        fmt += 2;
    }
    va_end(args);
    return ret;
}

int html_begin(struct cfz_buf *out, const char *title, bool index, bool live, struct cfz_error *err)
{
    return html_printf(out, err,
                       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<title>%t - cfuzz</title>\n"
                       "<link rel=\"icon\" href=\"data:,\">\n"
                       "<link rel=\"stylesheet\" href=\"report.css\">\n"
                       "<script src=\"report.js\" defer></script>\n"
                       "</head>\n<body%s>\n<header><a href=\"index.html\">cfuzz</a>%s%t</header>\n"
                       "<main>\n",
                       title, live ? " data-live" : "", index ? "" : " <span>/</span> ",
                       index ? "" : title);
}

int html_end(struct cfz_buf *out, struct cfz_error *err)
{
    return cfz_buf_puts(out, "</main>\n</body>\n</html>\n", err);
}

int html_number(struct cfz_buf *out, uint64_t n, struct cfz_error *err)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n);

    for (int i = 0; i < len; i++)
        if (cfz_buf_printf(out, err, "%s%c", i > 0 && (len - i) % 3 == 0 ? "," : "", digits[i]) < 0)
            return -1;
    return 0;
}

int html_duration(struct cfz_buf *out, uint64_t ns, struct cfz_error *err)
{
    double s = (double)ns / 1e9;

    uint64_t whole = (ns + 500000000) / 1000000000;

    /* What would be rounded to one of the next unit is told in that. */
    if (ns < 1000)
        return cfz_buf_printf(out, err, "%uns", (unsigned)ns);
    if (ns < 999500)
        return cfz_buf_printf(out, err, "%.0f\302\265s", s * 1e6);
    if (ns < 999950000)
        return cfz_buf_printf(out, err, "%.1fms", s * 1e3);
    if (ns < UINT64_C(59950000000))
        return cfz_buf_printf(out, err, "%.1fs", s);
    if (whole < 3600)
        return cfz_buf_printf(out, err, "%" PRIu64 "m%02" PRIu64 "s", whole / 60, whole % 60);
    return cfz_buf_printf(out, err, "%.1fh", s / 3600);
}

int html_time(struct cfz_buf *out, int64_t seconds, struct cfz_error *err)
{
    time_t at = (time_t)seconds;
    struct tm tm;
    char text[64];

    if (localtime_r(&at, &tm) == NULL || strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm) == 0)
        return cfz_buf_puts(out, "?", err);
    return cfz_buf_puts(out, text, err);
}

int html_bar(struct cfz_buf *out, uint64_t part, uint64_t all, struct cfz_error *err)
{
    char percent[LCOV_PERCENT_MAX];

    if (all == 0)
        return cfz_buf_puts(out, "<span class=\"none\">none</span>", err);
    lcov_percent(part, all, percent);
    return html_printf(out, err,
                       "<span class=\"bar\"><svg viewBox=\"0 0 100 10\" "
                       "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"%d\" "
                       "height=\"10\"/></svg></span> <span class=\"num\">%s</span>",
                       (int)(100 * (double)part / (double)all), percent);
}
