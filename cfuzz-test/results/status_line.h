/*
 * status_line.h - on a terminal, one line below all others that says where the run is, drawn again
 * and again.
 *
 *     fuzzing 1m3s 34.1k/s new 12/45 cov 31/118 crashes 0 find 12s ago, 2 workers
 *
 * While it is there, lines that are printed come above it (report_divert). It is asked for the
 * width of the terminal each time it is drawn, and leaves out what has no room. Context: ordinary.
 */
#ifndef STATUS_LINE_H
#define STATUS_LINE_H

#include "core/buf.h"
#include "results/result.h"

/* status_line_wanted reports whether stdout is a terminal that can do this, and its user wants it:
 * no NO_COLOR, TERM not dumb. */
bool status_line_wanted(void);

/* status_line_open has lines come above the status line from here on. */
void status_line_open(void);
bool status_line_is_open(void);

/* status_line_show draws it. */
void status_line_show(const char *test, const struct fuzz_status *s);

/* status_line_close removes it. Does nothing if there is none. */
void status_line_close(void);

/* status_line_text appends the line, of at most width columns. *columns is how many it has. Exposed
 * for tests. CFZ_ENOMEM. */
int status_line_text(struct cfz_buf *out, const char *test, const struct fuzz_status *s,
                     unsigned width, unsigned *columns, struct cfz_error *err);

#endif
