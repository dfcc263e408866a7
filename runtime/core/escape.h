/*
 * escape.h - text of others for a terminal: names of files, messages, output. Nothing in it moves
 * the cursor, changes colours or the direction of writing, or begins a line that looks like ours.
 * Context: any.
 */
#ifndef CFZ_ESCAPE_H
#define CFZ_ESCAPE_H

#include <stddef.h>

enum cfz_escape_what {
    CFZ_ESCAPE_TEXT, /* lines: '\n' and tabs stay */
    CFZ_ESCAPE_LINE, /* a name, a message, one line: tabs stay */
};

#define CFZ_ESCAPED_MAX 16 /* a character, escaped byte by byte */

/*
 * cfz_escape_next reads one character of p[0..len), len > 0, and returns how many bytes it has.
 * What is to be shown for it is in out[0..*n): the character, or \x1b for each byte of one that is
 * not printable (text.h).
 */
size_t cfz_escape_next(const char *p, size_t len, enum cfz_escape_what what,
                       char out[CFZ_ESCAPED_MAX], size_t *n);

/* cfz_escape_line_in_place escapes the string text as a line, and cuts it where room bytes, with
 * its end, do not suffice. */
void cfz_escape_line_in_place(char *text, size_t room);

#endif
