/*
 * crash_report.h - what the user is told about an execution that failed: how, where, on which
 * input, and what the target said itself. Context: ordinary.
 */
#ifndef CRASH_REPORT_H
#define CRASH_REPORT_H

#include "process/worker_client.h"
#include "stack/stack.h"

/* ---- blocks below "--- FAIL: FuzzX (0.04s)" ---------------------------------------- */

/*
 * crash_report_failed appends the block of an input on which w answered FAIL (cfuzz_error or its
 * like):
 *         --- FAIL: FuzzX/seed#0 (0.00s)
 *             parse_test.c:5: bad "0"
 * name heads it, ns is the duration, and input is shown when it is not NULL. CFZ_ENOMEM.
 */
int crash_report_failed(const struct worker *w, const char *name, uint64_t ns,
                        const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err);

/* crash_report_died appends the block of an input of which w died, as e says, indented by depth
 * times 4 blanks. input may be NULL. CFZ_ENOMEM. */
int crash_report_died(const struct worker *w, const struct ending *e, unsigned depth,
                      const struct cfz_values *input, struct cfz_buf *out, struct cfz_error *err);

/*
 * crash_report_host appends the lines of a setup part, or its cleanups, that ended the process, as
 * they stand below "--- FAIL: FuzzX (0.00s)". CFZ_ENOMEM; CFZ_EINTERNAL when it was our own doing.
 */
int crash_report_host(const struct host *h, struct cfz_buf *out, struct cfz_error *err);

/* ---- a process that ended ---------------------------------------------------------- */

/* What is known of a process that ended. All is borrowed. */
struct crash_view {
    const struct cfz_proc_shm *shm; /* what the process left there is not trusted */
    const struct output *output;
    bool sanitized;                 /* a sanitizer's report may be in output */
    bool mixed;                     /* output may hold something of earlier inputs too */
    const struct stack *hung_stack; /* n = 0: the marks in shm have the stack */
    const enum cfz_kind *kinds;     /* of the test's values */
    size_t nvalues;
    const char *test;               /* its name */
    const struct cfz_values *input; /* what was executed, or NULL */
    const char *symbolizer, *dir;   /* see symbolize.h */
};

/*
 * crash_report appends the lines that stand below "--- FAIL: ...", without indentation:
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
 * Of a sanitizer's report it shows the parts that sanitizer_report.h names. Exposed for tests.
 * CFZ_ENOMEM.
 */
int crash_report(const struct crash_view *v, const struct ending *e, struct cfz_buf *out,
                 struct cfz_error *err);

/* crash_view_of looks at worker w, which is to outlive the view. The input is left NULL. */
struct crash_view crash_view_of(const struct worker *w);

/* crash_stack takes the stack of the process: as it was read from outside, or otherwise as the
 * crash mark has it. It is empty where there is none. */
void crash_stack(const struct crash_view *v, struct stack *st);

enum { CRASH_FAULT_MAX = 256 }; /* bytes of its text */

/*
 * crash_fault describes a memory fault by what lies there: an argument and the distance to it, the
 * end of the stack, or just an address. text is "" when there was no memory fault. Exposed for
 * tests.
 */
void crash_fault(const struct crash_view *v, char text[CRASH_FAULT_MAX]);

#endif
