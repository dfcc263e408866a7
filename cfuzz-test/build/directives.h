/*
 * directives.h - the //cfuzz: comment lines of a C or C++ source.
 *
 *     //cfuzz:cflags  -I../include "-DNAME=a b"
 *     //cfuzz:cxxflags -std=c++20
 *     //cfuzz:ldflags -lm
 *     //cfuzz:sources ../src/parse.c ../src/lex*.c
 *     //cfuzz:compare my_streq 0 1
 *     //cfuzz:compare my_memeq 0 1 2
 *     //cfuzz:exclude luac.c win*.c
 *     //cfuzz:pkg-config glib-2.0
 *
 * Each begins in the first column. The rest of the line is split into words as a shell does it
 * (strlist_split). For C89 a line may also be a comment of the other kind, which ends on it:
 *
 *     / *cfuzz:ldflags -lm * /                                          (without the two blanks)
 */
#ifndef DIRECTIVES_H
#define DIRECTIVES_H

#include "base/strlist.h"

struct directives {
    struct strlist cflags, cxxflags, ldflags, sources, exclude, pkg_config;
    /* For each word of these, the number of its line. */
    struct strlist sources_lines, exclude_lines, pkg_config_lines;
    struct strlist comparators; /* "my_memeq:0:1:2@LINE" */
};

#define DIRECTIVES_INIT                                                                            \
    {                                                                                              \
        STRLIST_INIT, STRLIST_INIT, STRLIST_INIT, STRLIST_INIT, STRLIST_INIT, STRLIST_INIT,        \
            STRLIST_INIT, STRLIST_INIT, STRLIST_INIT, STRLIST_INIT                                 \
    }

void directives_release(struct directives *d);

/*
 * directives_parse adds to out what text[0..len) says. CFZ_EFORMAT names the
 * line: "line 3: unknown directive //cfuzz:cflag; did you mean //cfuzz:cflags?", "line 3:
 * unterminated quote".
 */
int directives_parse(const char *text, size_t len, struct directives *out, struct cfz_error *err);

#endif
