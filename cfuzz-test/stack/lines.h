/*
 * lines.h - the source lines of addresses in a test binary.
 *
 * Crashes come by the thousand, from few places. So the symbolizer is started for each address
 * once, and the answer is kept. Context: ordinary.
 */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>

enum { LINES_MAX = 1024 }; /* addresses; each costs a process. Guessed. */

struct line {
    uint64_t address; /* in the file */
    char *text;       /* "parse.c:41", relative to dir if the file lies in it; NULL: not known */
};

struct lines {
    /* Borrowed: the program, the test binary, the package's directory. symbolizer NULL: no line is
     * known. */
    const char *symbolizer, *path, *dir;
    struct line *v;
    size_t n, cap;
};

/* lines_find returns the line of address, or NULL if it is not known. Borrowed from l until
 * lines_release. */
const char *lines_find(struct lines *l, uint64_t address);

void lines_release(struct lines *l);

#endif
