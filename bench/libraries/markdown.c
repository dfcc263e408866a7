/*
 * markdown.c - cmark parses a text and writes it as HTML, XML, CommonMark, LaTeX and a manual page.
 */
#include <stdlib.h>

#include <cmark.h>

#include "target.h"

enum { SIZE_MOST = 1 << 13, WIDTH = 20 };

void bench_target(const uint8_t *data, size_t len)
{
    int options = CMARK_OPT_SMART | CMARK_OPT_SOURCEPOS | CMARK_OPT_VALIDATE_UTF8;
    cmark_node *text =
        cmark_parse_document((const char *)data, len < SIZE_MOST ? len : SIZE_MOST, options);

    if (!text)
        return;
    free(cmark_render_html(text, options));
    free(cmark_render_xml(text, options));
    free(cmark_render_commonmark(text, options, WIDTH));
    free(cmark_render_latex(text, options, WIDTH));
    free(cmark_render_man(text, options, WIDTH));
    cmark_node_free(text);
}
