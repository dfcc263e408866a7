/*
 * lines.h - functions and source lines of addresses in a test binary.
 *
 * Crashes come by the thousand, from few places. So the symbolizer is asked for each address once,
 * and the answer is kept. Context: ordinary.
 */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>

enum { LINES_MAX = 4096 }; /* addresses; guessed */

/* A function that an address lies in, by itself or since it was inlined there. */
struct line_frame {
    char *function; /* NULL: not known */
    char *line;     /* "parse.c:41", relative to dir if the file lies in it; NULL: not known */
};

struct line {
    uint64_t address;     /* in the file */
    struct line_frame *v; /* innermost first: what was inlined, then the function itself */
    size_t n;             /* 0: nothing is known */
};

struct lines {
    /* Borrowed: the program, the test binary, the package's directory. symbolizer NULL: nothing is
     * known. */
    const char *symbolizer, *path, *dir;
    struct line *v;
    size_t n, cap;
};

/*
 * lines_ask finds out about n addresses at once: the symbolizer is started at most once. lines_find
 * returns what is known of one, asking if need be, or NULL if there are too many or memory is
 * short. Borrowed from l until the next call of either.
 */
void lines_ask(struct lines *l, const uint64_t *addresses, size_t n);
const struct line *lines_find(struct lines *l, uint64_t address);

void lines_release(struct lines *l);

#endif
