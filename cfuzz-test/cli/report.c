/*
 * report.c - see report.h.
 */
#include "cli/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/corpus/encoding.h"
#include "core/corpus/quote.h"
#include "core/escape.h"
#include "core/io.h"
#include "base/duration.h"

_Static_assert(REPORT_DURATION_MAX >= DURATION_TEXT_MAX, "room for any duration");

enum {
    VALUE_BYTES_SHOWN = 64, /* of a long []byte or string */
    SECOND = 1000000000,
    WRITTEN_AT_ONCE = 32768,
};

static int broken;        /* the errno of the first write that failed, or 0 */
static bool lossy;        /* of report_lossy */
static report_sink *sink; /* takes what would go to stdout, or NULL */
static void *sink_ctx;

/* Writes text escaped, and end. No memory is needed: it may be what there is none of. All that the
 * driver says of a run comes by here. Returns 0 or an errno. */
static int put(int fd, const char *text, size_t len, enum cfz_escape_what what, const char *end)
{
    char block[WRITTEN_AT_ONCE];
    size_t filled = 0, n;
    struct cfz_error err = CFZ_ERROR_INIT;

    while (len > 0) {
        size_t used;

        if (filled + CFZ_ESCAPED_MAX > sizeof block) {
            if (cfz_io_write_all(fd, block, filled, &err) < 0)
                return err.sys != 0 ? err.sys : EIO;
            filled = 0;
        }
        used = cfz_escape_next(text, len, what, block + filled, &n);
        filled += n;
        text += used;
        len -= used;
    }
    for (; *end != '\0' && filled < sizeof block; end++)
        block[filled++] = *end;
    if (filled > 0 && cfz_io_write_all(fd, block, filled, &err) < 0)
        return err.sys != 0 ? err.sys : EIO;
    return 0;
}

/* Gives text, escaped, and end to the sink. Returns 0 or an errno. */
static int pass_on(const char *text, size_t len, enum cfz_escape_what what, const char *end)
{
    struct cfz_buf lines = CFZ_BUF_INIT;
    struct cfz_error err = CFZ_ERROR_INIT;
    int ret = 0;

    if (cfz_buf_escape(&lines, text, len, what, &err) < 0 || cfz_buf_puts(&lines, end, &err) < 0 ||
        (lines.len > 0 && sink(sink_ctx, cfz_buf_str(&lines), lines.len, &err) < 0))
        ret = err.sys != 0 ? err.sys : ENOMEM;
    cfz_buf_release(&lines);
    return ret;
}

/* The same for whoever reads fd. */
static int deliver(int fd, const char *text, size_t len, enum cfz_escape_what what, const char *end)
{
    return fd == STDOUT_FILENO && sink != NULL ? pass_on(text, len, what, end)
                                               : put(fd, text, len, what, end);
}

__attribute__((format(printf, 2, 0))) static int put_line(int fd, const char *fmt, va_list ap)
{
    char stack[1024];
    struct cfz_buf heap = CFZ_BUF_INIT;
    va_list again;
    int len, ret = 0;

    va_copy(again, ap);
    len = vsnprintf(stack, sizeof stack, fmt, ap);
    if (len >= 0 && (size_t)len < sizeof stack) {
        ret = deliver(fd, stack, (size_t)len, CFZ_ESCAPE_LINE, "\n");
    } else if (len >= 0 && cfz_buf_reserve(&heap, (size_t)len + 1, NULL) == 0) {
        vsnprintf((char *)heap.data, (size_t)len + 1, fmt, again);
        ret = deliver(fd, (const char *)heap.data, (size_t)len, CFZ_ESCAPE_LINE, "\n");
    }
    va_end(again);
    cfz_buf_release(&heap);
    return ret;
}

/* Takes what a write to stdout came to. */
static void take_status(int status)
{
    if (!lossy || status == EPIPE)
        broken = status;
}

void report_lossy(void)
{
    lossy = true;
}

void report_line(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    if (broken == 0)
        take_status(put_line(STDOUT_FILENO, fmt, ap));
    va_end(ap);
}

void report_message(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line(STDERR_FILENO, fmt, ap);
    va_end(ap);
}

void report_text(const struct cfz_buf *text)
{
    if (broken == 0)
        take_status(
            deliver(STDOUT_FILENO, (const char *)text->data, text->len, CFZ_ESCAPE_TEXT, ""));
}

void report_bytes(const char *text, size_t len)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (broken == 0 && cfz_io_write_all(STDOUT_FILENO, text, len, &err) < 0)
        take_status(err.sys != 0 ? err.sys : EIO);
}

void report_divert(report_sink *to, void *ctx)
{
    sink = to;
    sink_ctx = ctx;
}

int report_broken(void)
{
    return broken;
}

const char *report_duration(int64_t ns, char text[REPORT_DURATION_MAX])
{
    return duration_format(ns, text);
}

const char *report_elapsed(uint64_t ns, char text[REPORT_DURATION_MAX])
{
    /* Go rounds half away from zero. */
    return duration_format((int64_t)((ns + SECOND / 2) / SECOND * SECOND), text);
}

int report_progress(struct cfz_buf *out, const struct progress *p, struct cfz_error *err)
{
    char elapsed[REPORT_DURATION_MAX];
    double seconds = (double)(p->elapsed_ns - p->since_ns) / SECOND;
    double rate = seconds > 0 ? (double)(p->execs - p->since_execs) / seconds : 0;

    return cfz_buf_printf(out, err,
                          "fuzz: elapsed: %s, execs: %llu (%.0f/sec), new interesting: %llu "
                          "(total: %llu)%s%s\n",
                          report_elapsed(p->elapsed_ns, elapsed), (unsigned long long)p->execs,
                          rate, (unsigned long long)p->interesting, (unsigned long long)p->total,
                          p->meanwhile != NULL ? "; " : "",
                          p->meanwhile != NULL ? p->meanwhile : "");
}

int report_baseline(struct cfz_buf *out, uint64_t elapsed_ns, bool counters, uint64_t done,
                    uint64_t total, unsigned workers, struct cfz_error *err)
{
    char elapsed[REPORT_DURATION_MAX];

    if (cfz_buf_printf(out, err, "fuzz: elapsed: %s, %s: %llu/%llu completed",
                       report_elapsed(elapsed_ns, elapsed),
                       counters ? "gathering baseline coverage" : "testing seed corpus",
                       (unsigned long long)done, (unsigned long long)total) < 0)
        return -1;
    if (workers > 0 && cfz_buf_printf(out, err, ", now fuzzing with %u workers", workers) < 0)
        return -1;
    return cfz_buf_puts(out, "\n", err);
}

int report_result(struct cfz_buf *out, unsigned depth, const char *word, const char *name,
                  uint64_t ns, struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "%*s--- %s: ", (int)(4 * depth), "", word) < 0 ||
        cfz_buf_escape(out, name, strlen(name), CFZ_ESCAPE_LINE, err) < 0)
        return -1;
    return cfz_buf_printf(out, err, " (%.2fs)\n", (double)ns / SECOND);
}

int report_indent(struct cfz_buf *out, unsigned by, const char *text, size_t len,
                  struct cfz_error *err)
{
    while (len > 0) {
        const char *nl = memchr(text, '\n', len);
        size_t line = nl != NULL ? (size_t)(nl - text) : len;

        if (cfz_buf_printf(out, err, "%*s", (int)by, "") < 0 ||
            cfz_buf_append(out, text, line, err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
            return -1;
        if (nl == NULL)
            break;
        text += line + 1;
        len -= line + 1;
    }
    return 0;
}

static int add_value(struct cfz_buf *out, const struct cfz_value *v, struct cfz_error *err)
{
    if (!cfz_kind_is_slot(v->kind) || v->len <= VALUE_BYTES_SHOWN)
        return cfz_encoding_write_value(v, out, err);
    if (cfz_buf_printf(out, err, "%s(", cfz_kind_name(v->kind)) < 0 ||
        cfz_quote(v->data, VALUE_BYTES_SHOWN, out, err) < 0)
        return -1;
    return cfz_buf_printf(out, err, "...) (%zu bytes)", v->len);
}

int report_values(struct cfz_buf *out, const struct cfz_values *vs, struct cfz_error *err)
{
    for (size_t i = 0; i < vs->n; i++) {
        if (add_value(out, &vs->v[i], err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
            return -1;
    }
    return 0;
}

uint64_t report_values_size(const struct cfz_values *vs)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < vs->n; i++)
        bytes += cfz_kind_is_slot(vs->v[i].kind) ? vs->v[i].len
                                                 : (cfz_kind_width(vs->v[i].kind) + 7) / 8;
    return bytes;
}
