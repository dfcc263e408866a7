/*
 * page_source.c - the page of a source: its text, and how often each line ran.
 */
#define _GNU_SOURCE
#include "report/html.h"
#include "report/site.h"

#include <fcntl.h>
#include <string.h>

#include "core/io.h"

enum { SOURCE_MAX = 16 << 20 };

static int add_line(struct cfz_buf *out, const struct lcov_file *f, unsigned number,
                    const char *text, size_t len, struct cfz_error *err)
{
    const struct lcov_line *l = lcov_line_of(f, number);

    if (html_printf(out, err,
                    "<tr id=\"L%u\"%s><td class=\"num\"><a href=\"#L%u\">%u</a></td>"
                    "<td class=\"num count\">",
                    (uint64_t)number,
                    l == NULL      ? ""
                    : l->count > 0 ? " class=\"ran\""
                                   : " class=\"never\"",
                    (uint64_t)number, (uint64_t)number) < 0 ||
        (l != NULL && html_number(out, l->count, err) < 0) ||
        html_printf(out, err, "</td><td><code>") < 0 || html_text(out, text, len, err) < 0)
        return -1;
    return html_printf(out, err, "</code></td></tr>\n");
}

int page_source(struct cfz_buf *out, const struct report_package *p, const struct lcov_file *f,
                struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct cfz_error why = CFZ_ERROR_INIT;
    struct lcov_counts n = lcov_count_file(f);
    const char *at;
    unsigned number = 0;
    int ret = -1;

    if (html_begin(out, report_path(p, f->path), false, false, err) < 0 ||
        html_printf(out, err, "<h1>%t</h1>\n<p>", report_path(p, f->path)) < 0 ||
        html_bar(out, n.lines_run, n.lines, err) < 0 ||
        html_printf(out, err, " of %u lines with code ran.</p>\n", n.lines) < 0)
        return -1;
    if (cfz_io_read_file(AT_FDCWD, f->path, SOURCE_MAX, &text, &why) < 0) {
        ret = html_printf(out, err, "<p class=\"bad\">%t</p>\n", why.text);
        goto out;
    }
    if (html_printf(out, err, "<div class=\"wide\"><table class=\"source\"><tbody>\n") < 0)
        goto out;
    at = cfz_buf_str(&text);
    for (size_t left = text.len; left > 0;) {
        const char *end = memchr(at, '\n', left);
        size_t len = end != NULL ? (size_t)(end - at) : left;

        if (add_line(out, f, ++number, at, len > 0 && at[len - 1] == '\r' ? len - 1 : len, err) < 0)
            goto out;
        at += len + (end != NULL);
        left -= len + (end != NULL);
    }
    ret = html_printf(out, err, "</tbody></table></div>\n");
out:
    cfz_buf_release(&text);
    return ret < 0 ? -1 : html_end(out, err);
}
