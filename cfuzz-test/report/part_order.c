/*
 * part_order.c - what a person may have done from a page that is served, see parts.h.
 */
#include "report/html.h"
#include "report/parts.h"

int part_order(struct cfz_buf *out, const struct report_order *o, bool again, struct cfz_error *err)
{
    if (o->action == NULL)
        return 0;
    if (html_printf(out, err, "<p class=\"state\">") < 0)
        return -1;
    if (o->since != 0) {
        if (html_printf(out, err, "<span class=\"busy\">It is being done, since ") < 0 ||
            html_time(out, o->since, err) < 0 ||
            html_printf(out, err, ", beside the fuzzing and at low priority.</span></p>\n") < 0)
            return -1;
    } else if (html_printf(out, err, "%s<button data-post=\"%t\">%s</button></p>\n",
                           again ? "" : "Not known yet. ", o->action,
                           again ? "Renew" : "Find out") < 0) {
        return -1;
    }
    return o->failure == NULL || o->since != 0
               ? 0
               : html_printf(out, err, "<pre class=\"bad\">%t</pre>\n", o->failure);
}
