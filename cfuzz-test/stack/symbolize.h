/*
 * symbolize.h - addresses of a stopped process to functions and source lines.
 *
 * llvm-symbolizer is run once a stack, with addresses relative to the loaded
 * files. Context: ordinary.
 */
#ifndef SYMBOLIZE_H
#define SYMBOLIZE_H

#include "core/buf.h"
#include "stack/stack.h"

/*
 * symbolize_stack appends one line a frame,
 *     #0 url_parse url.c:41:9
 *     #1 FuzzUrl url.c:80:5
 * At the outer end the callers of the test function, or of its setup part, are left out; at the
 * inner end libc's raise and exit handlers. Repeated frames are counted (frames.h). Files in dir
 * are relative to it. If symbolizer is NULL or fails, frames read "#0 0x1234 in parse.test".
 * CFZ_ENOMEM.
 */
int symbolize_stack(const char *symbolizer, const char *dir, const char *test,
                    const struct stack *st, const struct cfz_proc_shm *shm, struct cfz_buf *out,
                    struct cfz_error *err);

/*
 * symbolize_format does the same from the symbolizer's answer (symbolizer.h) about the frames of
 * st. Exposed for tests.
 */
int symbolize_format(const char *answer, const char *dir, const char *test, const struct stack *st,
                     struct cfz_buf *out, struct cfz_error *err);

#endif
