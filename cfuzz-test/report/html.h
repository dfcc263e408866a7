/*
 * html.h - pieces of pages. All text of others is escaped here: names, values, output and sources
 * are hostile. These fail with CFZ_ENOMEM only. Context: ordinary.
 */
#ifndef HTML_H
#define HTML_H

#include <stdbool.h>

#include "core/buf.h"

/* html_text appends text[0..len) so that it shows as it is, in an element or a quoted attribute;
 * what is not printable shows as \x1b, also what changes the direction of writing. Tabs and line
 * ends stay. */
int html_text(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err);

/*
 * html_printf appends markup, in which %t is a text that html_text escapes, %u a uint64_t, %d an
 * int and %s markup that is ours. Every other '%' stands for itself.
 */
int html_printf(struct cfz_buf *out, struct cfz_error *err, const char *fmt, ...);

/* html_begin opens a page: its head, the way back to the index unless this is it, and <main>. live:
 * it is served while it changes. */
int html_begin(struct cfz_buf *out, const char *title, bool index, bool live,
               struct cfz_error *err);
int html_end(struct cfz_buf *out, struct cfz_error *err);

/* html_number appends a number in groups of three, "12,345,678". */
int html_number(struct cfz_buf *out, uint64_t n, struct cfz_error *err);

/* html_duration appends nanoseconds as people read them: "120ns", "1.2ms", "3.4s". */
int html_duration(struct cfz_buf *out, uint64_t ns, struct cfz_error *err);

/* html_time appends seconds since 1970 as a date and a time of day. */
int html_time(struct cfz_buf *out, int64_t seconds, struct cfz_error *err);

/* html_bar appends a bar of which part/all is filled, with the per cent beside it. */
int html_bar(struct cfz_buf *out, uint64_t part, uint64_t all, struct cfz_error *err);

#endif
