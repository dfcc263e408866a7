/*
 * symbolize_report.h - source lines for the stacks in a sanitizer's report.
 *
 * A sanitizer would start a symbolizer in the process that dies, which takes 25 to 150 ms: also for
 * a crash that is only counted, and for each try of minimizing. So it writes bare addresses
 * (symbolize=0, environment.c), and the driver looks up those of the reports that it shows.
 */
#ifndef SYMBOLIZE_REPORT_H
#define SYMBOLIZE_REPORT_H

#include "core/buf.h"

/*
 * symbolize_report replaces, in text of whole lines,
 *     #1 0x55d0c0ffee  (/p/url.test+0xffee) (BuildId: 93ac...)
 * by what the sanitizer itself would have written,
 *     #1 0x55d0c0ffee in url_parse /p/url.c:41:9
 * Functions that were inlined there get lines of their own. A line "SUMMARY: ..." gets its place.
 * What the symbolizer does not know stays; if symbolizer is NULL or fails, all stays. CFZ_ENOMEM.
 * Context: ordinary.
 */
int symbolize_report(const char *symbolizer, struct cfz_buf *text, struct cfz_error *err);

#endif
