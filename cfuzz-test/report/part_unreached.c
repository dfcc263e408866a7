/*
 * part_unreached.c - functions that no input reached, see parts.h.
 */
#include "report/html.h"
#include "report/parts.h"

enum { FUNCTIONS_SHOWN = 500, FUNCTIONS_OPEN = 20 };

int part_unreached(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                   struct cfz_error *err)
{
    struct lcov_counts all = lcov_count(&p->coverage);
    uint64_t never = all.functions - all.functions_run, shown = 0;

    if (never == 0)
        return all.functions > 0 ? html_printf(out, err, "<p>Every function was reached.</p>\n")
                                 : 0;
    if (html_printf(
            out, err,
            "<details%s><summary>%u function%s never reached</summary>\n<ul class=\"names\">\n",
            never <= FUNCTIONS_OPEN ? " open" : "", never, never == 1 ? "" : "s") < 0)
        return -1;
    for (size_t i = 0; i < p->coverage.n; i++) {
        const struct lcov_file *f = &p->coverage.v[i];

        for (size_t k = 0; k < f->nfunctions; k++)
            if (f->functions[k].count == 0 && shown++ < FUNCTIONS_SHOWN &&
                html_printf(out, err,
                            "<li><a href=\"source-%u-%u.html#L%u\"><code>%t</code></a> "
                            "<span class=\"where\">%t:%u</span></li>\n",
                            (uint64_t)report_package_number(r, p), (uint64_t)i,
                            (uint64_t)f->functions[k].line, f->functions[k].name,
                            report_path(p, f->path), (uint64_t)f->functions[k].line) < 0)
                return -1;
    }
    if (shown > FUNCTIONS_SHOWN &&
        html_printf(out, err, "<li>and %u more</li>\n", shown - FUNCTIONS_SHOWN) < 0)
        return -1;
    return html_printf(out, err, "</ul></details>\n");
}
