/*
 * lf_report.h - what is printed of an execution that failed, as libFuzzer and the sanitizers print
 * it, and what follows for artifact and exit status. Context: ordinary.
 */
#ifndef LF_REPORT_H
#define LF_REPORT_H

#include "libfuzzer/lf_target.h"

enum lf_kind { LF_CRASH, LF_LEAK, LF_OOM, LF_TIMEOUT };

/* The words that names of artifacts begin with. */
extern const char *const lf_kinds[];

struct lf_failure {
    enum lf_kind kind;
    int status; /* exit status */
};

/*
 * lf_report appends what w, a worker of t that failed, shows: a sanitizer's report with source
 * lines, or libFuzzer's own,
 *     ==12937== ERROR: libFuzzer: deadly signal
 *         #0 0x557f917b7764 in parse /p/parse.c:10:30
 *     SUMMARY: libFuzzer: deadly signal
 * below what the target wrote. e says how w died; NULL: it lives, and the test said that it failed.
 * CFZ_ENOMEM.
 */
int lf_report(const struct lf_target *t, const struct worker *w, const struct ending *e,
              struct lf_failure *f, struct cfz_buf *out, struct cfz_error *err);

/* lf_report_said appends the same of a test that said that it failed, and lives; log is what it
 * said. CFZ_ENOMEM. */
int lf_report_said(const char *test, const char *log, struct cfz_buf *out, struct cfz_error *err);

/* lf_print writes text to stderr as it is: what targets and sanitizers print is for others to
 * parse. */
void lf_print(const struct cfz_buf *text);

#endif
