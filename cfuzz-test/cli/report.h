/*
 * report.h - every line of a run that the user reads on stdout.
 *
 * Each call is one write of whole lines (a text over 32 KiB is more), so that lines never mix and
 * none waits in a buffer. The formats are Go's. Functions that append to a buffer are pure and fail
 * with CFZ_ENOMEM only.
 */
#ifndef REPORT_H
#define REPORT_H

#include "core/buf.h"
#include "core/value.h"

/* ---- printing --------------------------------------------------------------- */

/* report_line prints one line, escaped (core/escape.h); the line end is added. */
void report_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* report_text prints text of whole lines, escaped but for the line ends. Names that went into it
 * have to be escaped as lines: report_result does that. */
void report_text(const struct cfz_buf *text);
/* report_lossy has lines that cannot be written be lost, and nothing be broken by it, unless the reader
 * is gone: the run goes on, as libFuzzer's does when the disk of its log is full. */
void report_lossy(void);

/* report_message prints one line on stderr, escaped. */
void report_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* report_bytes writes text to stdout as it is: a form for programs, which its maker keeps safe. */
void report_bytes(const char *text, size_t len);
/* report_broken returns the errno of the first write that failed, EPIPE if the reader of stdout is
 * gone; 0 if none failed. After a failure nothing more is written. */
int report_broken(void);

/* What takes whole lines in place of stdout, escaped. CFZ_ENOMEM; a write that failed is noted by
 * report_bytes. */
typedef int report_sink(void *ctx, const char *lines, size_t len, struct cfz_error *err);
/* report_divert has to take what would be printed on stdout from here on; NULL ends that. */
void report_divert(report_sink *to, void *ctx);

/* ---- formats ---------------------------------------------------------------- */

#define REPORT_DURATION_MAX 40
/* report_duration: "10s", "1.5s", as Go. report_elapsed rounds to whole seconds: "0s", "1m0s". */
const char *report_duration(int64_t ns, char text[REPORT_DURATION_MAX]);
const char *report_elapsed(uint64_t ns, char text[REPORT_DURATION_MAX]);

/* What a progress line says. */
struct progress {
    uint64_t elapsed_ns;
    uint64_t execs;       /* of mutated inputs */
    uint64_t since_execs; /* execs and elapsed_ns of the line before */
    uint64_t since_ns;
    uint64_t interesting, total;
    const char *meanwhile; /* what goes on instead of executions; NULL: nothing */
};
/* "fuzz: elapsed: 3s, execs: 102244 (34066/sec), new interesting: 2 (total: 5)". What
 * goes on instead follows: "; confirming a failing input". */
int report_progress(struct cfz_buf *out, const struct progress *p, struct cfz_error *err);

/* "fuzz: elapsed: 0s, gathering baseline coverage: 0/3 completed", or "testing seed corpus" if
 * there are no counters; with workers above 0, ", now fuzzing with 4 workers" behind it. */
int report_baseline(struct cfz_buf *out, uint64_t elapsed_ns, bool counters, uint64_t done,
                    uint64_t total, unsigned workers, struct cfz_error *err);

/* "    --- FAIL: FuzzFoo/seed#1 (0.00s)" with depth 1. */
int report_result(struct cfz_buf *out, unsigned depth, const char *word, const char *name,
                  uint64_t ns, struct cfz_error *err);

/* Appends text[0..len) with by blanks before each line. The last one gets a line end too. */
int report_indent(struct cfz_buf *out, unsigned by, const char *text, size_t len,
                  struct cfz_error *err);

/*
 * report_values appends the values of an input, one a line, as corpus files spell them. Of a long
 * string or []byte only the first 64 bytes are shown: []byte("GET / HT"...) (5000 bytes).
 */
int report_values(struct cfz_buf *out, const struct cfz_values *vs, struct cfz_error *err);

/* report_values_size gives how many bytes the values are together. */
uint64_t report_values_size(const struct cfz_values *vs);

#endif
