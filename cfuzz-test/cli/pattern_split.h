/*
 * pattern_split.h - the first step of pattern_new, apart so that it can be tested.
 */
#ifndef PATTERN_SPLIT_H
#define PATTERN_SPLIT_H

#include <stddef.h>

#include "core/error.h"

/* One element, inside the text that was split. */
struct pattern_piece {
    const char *s;
    size_t len;
    size_t alternative; /* counted from 0, in order */
};

struct pattern_pieces {
    struct pattern_piece *v;
    size_t n;
};

#define PATTERN_PIECES_INIT                                                                        \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* pattern_split appends the elements of text, at least one, to out. CFZ_ENOMEM only. */
int pattern_split(const char *text, struct pattern_pieces *out, struct cfz_error *err);
void pattern_pieces_release(struct pattern_pieces *p);

#endif
