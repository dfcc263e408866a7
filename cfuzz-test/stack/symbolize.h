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
 * without what calls the test function (or its setup part) at the outer end, and of libc's raise
 * and exit handlers at the inner one; what repeats is counted (frames.h). Names of files are
 * relative to dir where they lie in it. With symbolizer NULL, or one that fails, frames read "#0
 * 0x1234 in parse.test". CFZ_ENOMEM.
 */
int symbolize_stack(const char *symbolizer, const char *dir, const char *test,
                    const struct stack *st, const struct cfz_proc_shm *shm, struct cfz_buf *out,
                    struct cfz_error *err);

/*
 * symbolize_format does the same from the symbolizer's answer, one block of
 * "function\nfile:line:column\n" pairs (several where functions were inlined) and
 * an empty line for each frame of st. Exposed for tests.
 */
int symbolize_format(const char *answer, const char *dir, const char *test, const struct stack *st,
                     struct cfz_buf *out, struct cfz_error *err);

#endif
