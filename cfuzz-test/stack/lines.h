/*
 * lines.h - source lines of a test binary's code, each asked for once.
 *
 * The symbolizer is started for an address that was not asked for before, and the answer
 * kept: crashes come by the thousand, from few places. Context: ordinary.
 */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>

enum { LINES_MAX = 1024 }; /* addresses; each costs a process. Guessed. */

struct line {
    uint64_t address; /* in the file */
    char *text;       /* "parse.c:41", relative to dir where it lies in it */
};

struct lines {
    const char *symbolizer, *path, *dir; /* borrowed; symbolizer NULL: nothing is known */
    struct line *v;
    size_t n, cap;
};

/* lines_find returns the line of address, or NULL where it is not known. Borrowed from l, until
 * lines_release. */
const char *lines_find(struct lines *l, uint64_t address);

void lines_release(struct lines *l);

#endif
