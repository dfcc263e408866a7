/*
 * tap.c - see tap.h.
 */
#define _GNU_SOURCE
#include "results/tap.h"

#include <string.h>

#include "results/result_list.h"

int tap_begin(struct cfz_buf *out, struct cfz_error *err)
{
    return cfz_buf_puts(out, "TAP version 13\n", err);
}

int tap_lines(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err)
{
    while (len > 0) {
        const char *nl = memchr(text, '\n', len);
        size_t n = nl != NULL ? (size_t)(nl - text) : len;

        if (cfz_buf_puts(out, n > 0 ? "# " : "#", err) < 0 ||
            cfz_buf_append(out, text, n, err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
            return -1;
        n += nl != NULL;
        text += n;
        len -= n;
    }
    return 0;
}

/* A '#' would begin a directive, and a backslash takes away what the next character means. */
static int add_name(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err)
{
    char shown[CFZ_ESCAPED_MAX];
    size_t used, n;

    for (; len > 0; text += used, len -= used) {
        used = cfz_escape_next(text, len, CFZ_ESCAPE_LINE, shown, &n);
        for (size_t i = 0; i < n; i++)
            if (((shown[i] == '#' || shown[i] == '\\') && cfz_buf_puts(out, "\\", err) < 0) ||
                cfz_buf_append(out, &shown[i], 1, err) < 0)
                return -1;
    }
    return 0;
}

/* A line of the YAML block, unless there is nothing to say. In quotes a backslash and a quote are
 * escaped; nothing else can be there that is not printable. */
static int yaml(struct cfz_buf *out, const char *key, const char *text, size_t len,
                struct cfz_error *err)
{
    char shown[CFZ_ESCAPED_MAX];
    size_t used, n;

    if (len == 0)
        return 0;
    if (cfz_buf_printf(out, err, "  %s: \"", key) < 0)
        return -1;
    for (; len > 0; text += used, len -= used) {
        used = cfz_escape_next(text, len, CFZ_ESCAPE_LINE, shown, &n);
        for (size_t i = 0; i < n; i++)
            if (shown[i] == '\t'
                    ? cfz_buf_puts(out, "\\t", err) < 0
                    : ((shown[i] == '"' || shown[i] == '\\') && cfz_buf_puts(out, "\\", err) < 0) ||
                          cfz_buf_append(out, &shown[i], 1, err) < 0)
                return -1;
    }
    return cfz_buf_puts(out, "\"\n", err);
}

static int yaml_text(struct cfz_buf *out, const char *key, const char *text, struct cfz_error *err)
{
    return yaml(out, key, text, strlen(text), err);
}

static int add_block(struct cfz_buf *out, const struct result *r, struct cfz_error *err)
{
    const struct result_crash *c = r->crash;
    size_t len;
    const char *message = result_message(r, &len);

    if (len == 0)
        return 0;
    if (cfz_buf_puts(out, "  ---\n", err) < 0 || yaml(out, "message", message, len, err) < 0)
        return -1;
    if (c != NULL &&
        (yaml_text(out, "at", c->line, err) < 0 ||
         yaml_text(out, "function", c->function, err) < 0 ||
         yaml_text(out, "identity", c->identity, err) < 0 ||
         yaml_text(out, "input", c->file, err) < 0 || yaml_text(out, "rerun", c->command, err) < 0))
        return -1;
    return cfz_buf_puts(out, "  ...\n", err);
}

int tap_result(struct cfz_buf *out, uint64_t number, const char *package, const struct result *r,
               struct cfz_error *err)
{
    bool failed = r->kind == RESULT_FAILED || r->kind == RESULT_BROKEN;
    const char *message;
    size_t len;

    if (cfz_buf_printf(out, err, "%sok %llu - ", failed ? "not " : "", (unsigned long long)number) <
        0)
        return -1;
    if (package != NULL &&
        (add_name(out, package, strlen(package), err) < 0 || cfz_buf_puts(out, ": ", err) < 0))
        return -1;
    if (add_name(out, r->test, strlen(r->test), err) < 0)
        return -1;
    if (r->kind == RESULT_SKIPPED) {
        message = result_message(r, &len);
        if (cfz_buf_puts(out, len > 0 ? " # SKIP " : " # SKIP", err) < 0 ||
            add_name(out, message, len, err) < 0)
            return -1;
    }
    if (cfz_buf_puts(out, "\n", err) < 0)
        return -1;
    return failed ? add_block(out, r, err) : 0;
}

int tap_end(struct cfz_buf *out, uint64_t n, struct cfz_error *err)
{
    if (n == 0)
        return cfz_buf_puts(out, "1..0 # SKIP no tests\n", err);
    return cfz_buf_printf(out, err, "1..%llu\n", (unsigned long long)n);
}
