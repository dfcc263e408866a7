/*
 * sanitizer_report.h - what a sanitizer wrote, as the parts of a message: what is wrong in one
 * line, the stack, and what else is of use.
 *
 * Pure. Context: ordinary.
 */
#ifndef SANITIZER_REPORT_H
#define SANITIZER_REPORT_H

#include <stdbool.h>

#include "core/buf.h"

enum {
    /* Of the end of a target's output, where a report is: one has some 140 bytes a frame, and a
     * stack overflow 256 frames. */
    SANITIZER_REPORT_READ = 256 << 10,
};

struct sanitizer_report {
    size_t start;         /* where it begins in the output; before it is what the target wrote */
    char tool[48];        /* "AddressSanitizer" */
    char summary[512];    /* see below */
    struct cfz_buf stack; /* of the error: lines as of frames.h */
    struct cfz_buf rest;  /* other stacks with their titles: of an allocation, of other threads */
};

#define SANITIZER_REPORT_INIT                                                                      \
    {                                                                                              \
        0, "", "", CFZ_BUF_INIT, CFZ_BUF_INIT                                                      \
    }

/*
 * sanitizer_report_line finds the line of the last report in output that says what is wrong,
 * without the process id, or returns false: "AddressSanitizer: heap-buffer-overflow on address
 * 0x...". text is cut.
 */
bool sanitizer_report_line(const char *output, char text[256]);

/*
 * sanitizer_report_read takes the last report in output, which symbolize_report has been over,
 * apart. *r is to be released. The summary says what, where in an object, and where in the source:
 *     AddressSanitizer: heap-buffer-overflow: read of 1 byte, just past the end of a heap object of
 *     16 bytes, at url.c:41:9                                                        (one line)
 *     url.c:41:9: runtime error: shift exponent 77 is too large for 32-bit type 'int'
 * Frames end with that of the test, and files lie relative to dir. Maps of shadow bytes, registers
 * and what the summary says are left out. *found: there is one. CFZ_ENOMEM.
 */
int sanitizer_report_read(const char *output, const char *dir, const char *test, bool *found,
                          struct sanitizer_report *r, struct cfz_error *err);

void sanitizer_report_release(struct sanitizer_report *r);

#endif
