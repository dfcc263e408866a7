/*
 * symbolize_report.h - source lines for the stacks in a sanitizer's report.
 *
 * A sanitizer would start a symbolizer for each report, in the process that dies: 25 to 150 ms,
 * for every crash that is only counted, and for every try of minimizing. So it writes bare
 * addresses (symbolize=0, environment.c), and the driver looks up those of reports that are shown.
 */
#ifndef SYMBOLIZE_REPORT_H
#define SYMBOLIZE_REPORT_H

#include "core/buf.h"

/*
 * symbolize_report replaces, in text of whole lines,
 *     #1 0x55d0c0ffee  (/p/url.test+0xffee) (BuildId: 93ac...)
 * by what the sanitizer itself would have written,
 *     #1 0x55d0c0ffee in url_parse /p/url.c:41:9
 * with functions that were inlined there, and the place in a line "SUMMARY: ...". What the
 * symbolizer does not know, or all without one, stays. CFZ_ENOMEM. Context: ordinary.
 */
int symbolize_report(const char *symbolizer, struct cfz_buf *text, struct cfz_error *err);

#endif
