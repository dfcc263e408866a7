/*
 * text.c - UTF-8 as RFC 3629 has it, white space, printable characters.
 */
#include "core/text.h"

size_t cfz_utf8_decode(const uint8_t *p, size_t len, uint32_t *rune)
{
    /* By length: the least code point that needs it; less is an overlong form. */
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t r;
    size_t n;

    *rune = CFZ_RUNE_BAD;
    if (p[0] < 0x80) {
        *rune = p[0];
        return 1;
    }
    if (p[0] >= 0xc2 && p[0] <= 0xdf) {
        n = 2;
        r = p[0] & 0x1f;
    } else if (p[0] >= 0xe0 && p[0] <= 0xef) {
        n = 3;
        r = p[0] & 0x0f;
    } else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
        n = 4;
        r = p[0] & 0x07;
    } else {
        return 1;
    }
    if (len < n)
        return 1;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 1;
        r = r << 6 | (p[i] & 0x3f);
    }
    if (r < least[n] || !cfz_rune_is_valid(r))
        return 1;
    *rune = r;
    return n;
}

size_t cfz_utf8_encode(uint32_t rune, uint8_t out[4])
{
    if (rune < 0x80) {
        out[0] = (uint8_t)rune;
        return 1;
    }
    if (rune < 0x800) {
        out[0] = (uint8_t)(0xc0 | rune >> 6);
        out[1] = (uint8_t)(0x80 | (rune & 0x3f));
        return 2;
    }
    if (rune < 0x10000) {
        out[0] = (uint8_t)(0xe0 | rune >> 12);
        out[1] = (uint8_t)(0x80 | (rune >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (rune & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | rune >> 18);
    out[1] = (uint8_t)(0x80 | (rune >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (rune >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (rune & 0x3f));
    return 4;
}

bool cfz_rune_is_valid(uint32_t rune)
{
    return rune < 0xd800 || (rune >= 0xe000 && rune <= 0x10ffff);
}

bool cfz_rune_is_printable(uint32_t rune)
{
    size_t lo = 0, hi = cfz_nprintable; /* the range, if any, is in [lo, hi) */

    if (rune < 0x7f)
        return rune >= 0x20;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (rune > cfz_printable[mid].last)
            lo = mid + 1;
        else if (rune < cfz_printable[mid].first)
            hi = mid;
        else
            return true;
    }
    return false;
}

static bool is_blank(uint32_t rune)
{
    return (rune >= '\t' && rune <= '\r') || rune == ' ' || rune == 0x85 || rune == 0xa0 ||
           rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200a) || rune == 0x2028 ||
           rune == 0x2029 || rune == 0x202f || rune == 0x205f || rune == 0x3000;
}

void cfz_text_trim(const uint8_t **text, size_t *len)
{
    const uint8_t *p = *text, *end = p + *len;
    uint32_t rune;
    size_t n;

    while (p < end) {
        n = cfz_utf8_decode(p, (size_t)(end - p), &rune);
        if (!is_blank(rune))
            break;
        p += n;
    }
    /* Backwards: blanks have one, two or three bytes, and no lead byte is also a
     * continuation, so at most one of the three lengths decodes to the very end. */
    for (;;) {
        for (n = 1; n <= 3 && n <= (size_t)(end - p); n++)
            if (cfz_utf8_decode(end - n, n, &rune) == n && is_blank(rune))
                break;
        if (n > 3 || n > (size_t)(end - p))
            break;
        end -= n;
    }
    *text = p;
    *len = (size_t)(end - p);
}
