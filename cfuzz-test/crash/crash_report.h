/*
 * crash_report.h - what the user is told about an execution that ended its
 * process: how, where, on which input, and what the target said itself.
 */
#ifndef CRASH_REPORT_H
#define CRASH_REPORT_H

#include "process/ending.h"
#include "process/output.h"
#include "stack/stack.h"

struct crash_view {
    const struct cfz_proc_shm *shm; /* of the dead process */
    const struct output *output;
    bool mixed;                     /* in which there may be something of earlier inputs too */
    const struct stack *hung_stack; /* n = 0: see the marks in shm */
    const enum cfz_kind *kinds;     /* of the test's values */
    size_t nvalues;
    const char *test;               /* its name */
    const struct cfz_values *input; /* what was executed, or NULL */
    const char *symbolizer, *dir;   /* see symbolize.h */
};

/* What stands above the output, if it is all of the input. */
#define CRASH_OUTPUT_TITLE(mixed)                                                                  \
    ((mixed) ? "output of the target, also of earlier inputs:" : "output of the target:")

/*
 * crash_report appends the lines that stand below "--- FAIL: ...", without
 * indentation:
 *     fuzzing process hung or terminated unexpectedly: signal: segmentation fault
 *     read 1 byte past the end of argument 1 ([]byte, 37 bytes)
 *     parse_test.c:7: a line of cfuzz_log
 *     stack:
 *         #0 parse parse.c:41:9
 *     AddressSanitizer:
 *         allocated by thread T0 here:
 *             #0 malloc
 *     output of the target:
 *         parsing...
 *     input:
 *         []byte("GET ")
 * Of a sanitizer's report there are the parts that sanitizer_report.h names. CFZ_ENOMEM.
 */
int crash_report(const struct crash_view *v, const struct ending *e, struct cfz_buf *out,
                 struct cfz_error *err);

/*
 * crash_fault describes a memory fault by what lies there: an argument and the
 * distance to it, the end of the stack, or just an address. text is "" when there
 * was no memory fault.
 */
void crash_fault(const struct crash_view *v, char text[256]);

#endif
