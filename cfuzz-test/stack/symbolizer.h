/*
 * symbolizer.h - llvm-symbolizer: how it is asked, and its answer taken apart.
 *
 * The answer has a part for each address: pairs of lines "function", "file:line:column", one of the
 * function itself behind those that were inlined into it, then an empty line:
 *
 *     digit
 *     /p/url.c:3:1
 *     url_parse
 *     /p/url.c:8:2
 *
 *     ??
 *     ??:0:0
 *
 * Context: ordinary.
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "base/strlist.h"

/*
 * symbolizer_ask appends what program answers. It is run at most once, and not at all where the
 * debug information alone tells the same (debug_info.h). Questions are arguments:
 * "\"file\" 0x12" for an address in a file, or "-e", "file" and addresses. What was answered
 * before, one part for each question, is not asked again: files do not change meanwhile. CFZ_EIO if
 * it cannot be started or fails, CFZ_ENOMEM.
 */
int symbolizer_ask(const char *program, const struct strlist *questions, struct cfz_buf *answer,
                   struct cfz_error *err);

/* Where a reader is in an answer, which is borrowed. It begins as {.at = answer}. */
struct symbolizer_walk {
    const char *at;
    uint32_t address; /* the number of the address it is in */
};

/* Texts are borrowed from the answer. A function that is not known is "??", such a place is empty.
 */
struct symbolizer_frame {
    const char *function, *place;
    size_t function_len, place_len;
    uint32_t address; /* which question it answers, counted from 0 */
};

/* symbolizer_next takes the next frame of the answer, innermost first; false at its end. */
bool symbolizer_next(struct symbolizer_walk *w, struct symbolizer_frame *f);

#endif
