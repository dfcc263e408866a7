/*
 * escape.c - see escape.h.
 */
#include "core/escape.h"

#include <string.h>

#include "core/text.h"

size_t cfz_escape_next(const char *p, size_t len, enum cfz_escape_what what,
                       char out[CFZ_ESCAPED_MAX], size_t *n)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t rune;
    size_t used = cfz_utf8_decode((const uint8_t *)p, len, &rune);
    bool plain = rune == '\t' || (rune == '\n' && what == CFZ_ESCAPE_TEXT) ||
                 (rune != CFZ_RUNE_BAD && cfz_rune_is_printable(rune));

    *n = 0;
    for (size_t i = 0; i < used; i++) {
        uint8_t byte = (uint8_t)p[i];

        if (plain) {
            out[(*n)++] = p[i];
            continue;
        }
        out[(*n)++] = '\\';
        out[(*n)++] = 'x';
        out[(*n)++] = digits[byte >> 4];
        out[(*n)++] = digits[byte & 15];
    }
    return used;
}

void cfz_escape_line_in_place(char *text, size_t room)
{
    size_t len = strlen(text), at = 0, n, used;
    char shown[CFZ_ESCAPED_MAX];

    /* Skips what stays as it is, which mostly is all of the text. */
    while (at < len &&
           (used = cfz_escape_next(text + at, len - at, CFZ_ESCAPE_LINE, shown, &n), n == used))
        at += used;
    while (at < len) {
        used = cfz_escape_next(text + at, len - at, CFZ_ESCAPE_LINE, shown, &n);
        if (at + n + 1 > room) {
            text[at] = '\0';
            return;
        }
        if (len - used + n + 1 > room) /* the end is cut off */
            len = room - 1 - n + used;
        memmove(text + at + n, text + at + used, len - at - used);
        memcpy(text + at, shown, n);
        len += n - used;
        at += n;
    }
    text[len] = '\0';
}
