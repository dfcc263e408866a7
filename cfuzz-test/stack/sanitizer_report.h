/*
 * sanitizer_report.h - a sanitizer's report, taken apart for a message: what is wrong in one line,
 * the stack, and what else is of use.
 *
 * Pure. Context: ordinary.
 */
#ifndef SANITIZER_REPORT_H
#define SANITIZER_REPORT_H

#include <stdbool.h>

#include "core/buf.h"

enum {
    /* A report is looked for in so many bytes at the end of a target's output. A frame takes some
     * 140, and the report of a stack overflow has 256 frames. */
    SANITIZER_REPORT_READ = 256 << 10,
};

struct sanitizer_report {
    size_t start;         /* where it begins in the output, behind what the target wrote */
    char tool[48];        /* "AddressSanitizer" */
    char summary[512];    /* what is wrong, where in an object, where in the source */
    struct cfz_buf stack; /* of the error: lines as frames_print writes them */
    struct cfz_buf rest;  /* other stacks with their titles: of an allocation, of other threads */
};

#define SANITIZER_REPORT_INIT                                                                      \
    {                                                                                              \
        0, "", "", CFZ_BUF_INIT, CFZ_BUF_INIT                                                      \
    }

enum { SANITIZER_LINE_MAX = 256 }; /* bytes of its text */

/*
 * sanitizer_report_line copies to text, without the process id, the line of the last report in
 * output that says what is wrong: "AddressSanitizer: heap-buffer-overflow on address 0x...". A
 * longer one is cut. Returns false if there is no report.
 */
bool sanitizer_report_line(const char *output, char text[SANITIZER_LINE_MAX]);

/*
 * sanitizer_report_read fills *r from the last report in output and sets *found to whether there is
 * one. The report's addresses were replaced by symbolize_report before. *r is the caller's, INIT
 * before and released afterwards, also on failure. Examples of a summary:
 *     AddressSanitizer: heap-buffer-overflow: read of 1 byte, just past the end of a heap object of
 *     16 bytes, at url.c:41:9                                                        (one line)
 *     url.c:41:9: runtime error: shift exponent 77 is too large for 32-bit type 'int'
 * Stacks end with the frame of test, and files below dir are relative to it. Maps of shadow bytes,
 * registers and what the summary says are left out. CFZ_ENOMEM.
 */
int sanitizer_report_read(const char *output, const char *dir, const char *test, bool *found,
                          struct sanitizer_report *r, struct cfz_error *err);

void sanitizer_report_release(struct sanitizer_report *r);

#endif
