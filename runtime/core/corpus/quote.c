/*
 * quote.c - text in Go's quotes, as strconv.Quote writes it.
 *
 * Printable characters stay as they are; all others become escapes, the shortest that
 * Go has for them. A byte that is not part of UTF-8 text becomes \xHH.
 */
#include "core/corpus/quote.h"

#include "core/text.h"

enum { QUOTED_MAX = 10 }; /* bytes of one quoted code point: \U0010ffff */

/* Writes \x, \u or \U and so many hex digits of v. Returns the length, as put_quoted does. */
static size_t put_hex(char *out, char letter, uint32_t v, int digits)
{
    static const char hex[] = "0123456789abcdef";

    out[0] = '\\';
    out[1] = letter;
    for (int i = 0; i < digits; i++)
        out[2 + i] = hex[v >> 4 * (digits - 1 - i) & 15];
    return 2 + (size_t)digits;
}

/*
 * Writes a code point of a literal that quote begins and ends. If rune is CFZ_RUNE_BAD, writes
 * byte, which is not part of UTF-8 text.
 */
static size_t put_quoted(char *out, uint32_t rune, uint8_t byte, char quote)
{
    static const char letters[] = "abtnvfr"; /* of the characters '\a' to '\r' in order */

    if (rune == CFZ_RUNE_BAD)
        return put_hex(out, 'x', byte, 2);
    if (rune == (uint32_t)quote || rune == '\\') {
        out[0] = '\\';
        out[1] = (char)rune;
        return 2;
    }
    if (cfz_rune_is_printable(rune))
        return cfz_utf8_encode(rune, (uint8_t *)out);
    if (rune >= '\a' && rune <= '\r') {
        out[0] = '\\';
        out[1] = letters[rune - '\a'];
        return 2;
    }
    if (rune < 0x20 || rune == 0x7f)
        return put_hex(out, 'x', rune, 2);
    return rune < 0x10000 ? put_hex(out, 'u', rune, 4) : put_hex(out, 'U', rune, 8);
}

static int quote_text(const uint8_t *p, size_t len, struct cfz_buf *out, struct cfz_error *err)
{
    enum { CHUNK = 4096 };
    const uint8_t *end, *chunk;

    if (len == 0)
        return 0; /* p may be NULL */
    end = p + len;
    while (p < end) {
        /* A byte becomes four at most (\xff). A code point may reach beyond the chunk's end. */
        size_t n = (size_t)(end - p) < CHUNK ? (size_t)(end - p) : CHUNK;

        if (cfz_buf_reserve(out, 4 * n + QUOTED_MAX, err) < 0)
            return -1;
        for (chunk = p + n; p < chunk;) {
            uint32_t rune;
            uint8_t byte = *p;

            if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\') {
                out->data[out->len++] = byte;
                p++;
                continue;
            }
            p += cfz_utf8_decode(p, (size_t)(end - p), &rune);
            out->len += put_quoted((char *)out->data + out->len, rune, byte, '"');
        }
        out->data[out->len] = '\0';
    }
    return 0;
}

int cfz_quote_some(const void *text, size_t len, size_t max, struct cfz_buf *out,
                   struct cfz_error *err)
{
    size_t start = out->len;

    if (cfz_buf_puts(out, "\"", err) < 0 || quote_text(text, len > max ? max : len, out, err) < 0 ||
        cfz_buf_puts(out, len > max ? "\"..." : "\"", err) < 0) {
        cfz_buf_truncate(out, start);
        return -1;
    }
    return 0;
}

int cfz_quote(const void *text, size_t len, struct cfz_buf *out, struct cfz_error *err)
{
    return cfz_quote_some(text, len, len, out, err);
}

int cfz_quote_char(uint32_t rune, struct cfz_buf *out, struct cfz_error *err)
{
    char quoted[QUOTED_MAX];
    size_t n = put_quoted(quoted, rune, 0, '\'');

    return cfz_buf_printf(out, err, "'%.*s'", (int)n, quoted);
}
