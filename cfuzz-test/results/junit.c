/*
 * junit.c - see junit.h.
 *
 * Of XML this needs the escaping of text and nothing else: see docs/decisions/064-results.md.
 */
#define _GNU_SOURCE
#include "results/junit.h"

#include <string.h>
#include <time.h>

int junit_escape(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err)
{
    char shown[CFZ_ESCAPED_MAX];
    size_t used, n;

    for (; len > 0; text += used, len -= used) {
        int ret;

        used = cfz_escape_next(text, len, CFZ_ESCAPE_TEXT, shown, &n);
        if (text[0] == '&')
            ret = cfz_buf_puts(out, "&amp;", err);
        else if (text[0] == '<')
            ret = cfz_buf_puts(out, "&lt;", err);
        else if (text[0] == '>')
            ret = cfz_buf_puts(out, "&gt;", err);
        else if (text[0] == '"')
            ret = cfz_buf_puts(out, "&quot;", err);
        else
            ret = cfz_buf_append(out, shown, n, err);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* Appends name="value". Line ends and tabs would become blanks when it is read. */
static int attribute(struct cfz_buf *out, const char *name, const char *value, size_t len,
                     struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, " %s=\"", name) < 0 || junit_escape(out, value, len, err) < 0)
        return -1;
    return cfz_buf_puts(out, "\"", err);
}

static int attribute_text(struct cfz_buf *out, const char *name, const char *value,
                          struct cfz_error *err)
{
    return attribute(out, name, value, strlen(value), err);
}

/* "failure", "error" or "skipped", whatever tag says, below a testcase. */
static int cause(struct cfz_buf *out, const char *tag, const char *type, const char *message,
                 size_t len, const char *text, struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "      <%s", tag) < 0 ||
        (len > 0 && attribute(out, "message", message, len, err) < 0) ||
        (type != NULL && attribute_text(out, "type", type, err) < 0))
        return -1;
    if (text == NULL || text[0] == '\0')
        return cfz_buf_puts(out, "/>\n", err);
    if (cfz_buf_puts(out, ">", err) < 0 || junit_escape(out, text, strlen(text), err) < 0)
        return -1;
    return cfz_buf_printf(out, err, "</%s>\n", tag);
}

static int testcase(struct cfz_buf *out, const char *package, const struct result *r,
                    struct cfz_error *err)
{
    size_t len;
    const char *message = result_message(r, &len);
    const char *type = r->crash != NULL && r->crash->kind[0] != '\0' ? r->crash->kind : "failed";
    int ret;

    if (cfz_buf_puts(out, "    <testcase", err) < 0 ||
        attribute_text(out, "name", r->test, err) < 0 ||
        attribute_text(out, "classname", package, err) < 0 ||
        cfz_buf_printf(out, err, " time=\"%.3f\"", (double)r->ns / 1e9) < 0)
        return -1;
    if (r->kind == RESULT_PASSED)
        return cfz_buf_puts(out, "/>\n", err);
    if (cfz_buf_puts(out, ">\n", err) < 0)
        return -1;
    if (r->kind == RESULT_SKIPPED)
        ret = cause(out, "skipped", NULL, message, len, NULL, err);
    else
        ret = cause(out, r->kind == RESULT_BROKEN ? "error" : "failure", type, message, len,
                    r->text, err);
    return ret < 0 ? -1 : cfz_buf_puts(out, "    </testcase>\n", err);
}

static size_t count(const struct result_package *p, enum result_kind kind)
{
    size_t n = p->kind == RESULT_BROKEN && kind == RESULT_BROKEN;

    for (size_t i = 0; i < p->n; i++)
        n += p->v[i].kind == kind;
    return n;
}

static int testsuite(struct cfz_buf *out, size_t id, const struct result_package *p,
                     struct cfz_error *err)
{
    struct result broken = {.test = p->name, .kind = RESULT_BROKEN, .text = p->why};
    struct tm tm;
    char began[32];

    gmtime_r(&p->began, &tm);
    strftime(began, sizeof began, "%Y-%m-%dT%H:%M:%S", &tm);
    if (cfz_buf_printf(out, err, "  <testsuite id=\"%zu\"", id) < 0 ||
        attribute_text(out, "name", p->name, err) < 0 ||
        attribute_text(out, "package", p->name, err) < 0 ||
        cfz_buf_printf(out, err,
                       " timestamp=\"%s\" hostname=\"localhost\" tests=\"%zu\" failures=\"%zu\" "
                       "errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
                       began, p->n + (p->kind == RESULT_BROKEN), count(p, RESULT_FAILED),
                       count(p, RESULT_BROKEN), count(p, RESULT_SKIPPED), p->seconds) < 0)
        return -1;
    if (p->build == NULL
            ? cfz_buf_puts(out, "    <properties/>\n", err) < 0
            : cfz_buf_printf(
                  out, err,
                  "    <properties>\n      <property name=\"sanitizers\" value=\"%s\"/>\n"
                  "    </properties>\n",
                  p->build) < 0)
        return -1;
    for (size_t i = 0; i < p->n; i++)
        if (testcase(out, p->name, &p->v[i], err) < 0)
            return -1;
    if (p->kind == RESULT_BROKEN && testcase(out, p->name, &broken, err) < 0)
        return -1;
    return cfz_buf_puts(out, "    <system-out/>\n    <system-err/>\n  </testsuite>\n", err);
}

int junit_write(struct cfz_buf *out, const struct result_list *l, struct cfz_error *err)
{
    if (cfz_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", err) < 0)
        return -1;
    for (size_t i = 0; i < l->n; i++)
        if (testsuite(out, i, &l->v[i], err) < 0)
            return -1;
    return cfz_buf_puts(out, "</testsuites>\n", err);
}
