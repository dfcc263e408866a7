/*
 * subprocess.h - short-lived helper programs (compilers, ninja, symbolizer) and
 * the words for how any process ended. Context: ordinary.
 */
#ifndef SUBPROCESS_H
#define SUBPROCESS_H

#include <stdbool.h>

#include "core/buf.h"

struct subprocess {
    const char *const *argv; /* argv[0] is looked up in PATH unless it holds a '/' */
    const char *dir;         /* working directory, or NULL for ours */
    struct cfz_buf *out;     /* its stdout is appended here; NULL: ours */
    struct cfz_buf *err;     /* its stderr; NULL: ours. If it is out, both are there, as written */
    /* When not NULL, called after each append to out; may take bytes out of it. */
    void (*on_output)(void *ctx, struct cfz_buf *out);
    void *ctx;
    bool out_to_err; /* with out NULL: its stdout goes to our stderr */
};

/*
 * subprocess_run runs p to its end and stores the status as from waitpid. The
 * child is sent SIGTERM when this process dies. CFZ_EIO "<argv[0]>: <why>" when
 * it could not be started, and "interrupted while <argv[0]> ran" when a signal was caught
 * (interrupt.h): the child was told to end, and did. A child that started and failed is not an
 * error here.
 */
int subprocess_run(const struct subprocess *p, int *status, struct cfz_error *err);

#define SUBPROCESS_STATUS_MAX 64

/*
 * subprocess_status_text describes a wait status in Go's words: "exit status 1",
 * "signal: segmentation fault", "signal: aborted (core dumped)". Returns text.
 */
const char *subprocess_status_text(int status, char text[SUBPROCESS_STATUS_MAX]);

/* "segmentation fault", or "signal 40" in text for one without a name. */
const char *subprocess_signal_name(int sig, char text[SUBPROCESS_STATUS_MAX]);

/* Whether sig is one that a program brings on itself: ILL TRAP ABRT BUS FPE SEGV PIPE. */
bool subprocess_is_crash_signal(int sig);

#endif
