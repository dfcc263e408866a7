/*
 * encoding.c - corpus files: the file level, and writing values.
 *
 * The format is docs/corpus-format.md. Reading a value line is in encoding_line.c.
 */
#include "core/corpus/encoding.h"

#include <inttypes.h>
#include <string.h>

#include "core/corpus/decimal.h"
#include "core/corpus/encoding_line.h"
#include "core/corpus/quote.h"
#include "core/text.h"

/* ---- reading ------------------------------------------------------------------- */

enum { SHOWN_MAX = 500 }; /* bytes of a bad line in an error text */

/* The header is shown as it is, as Go does, unless a terminal would not like it. */
static int fail_header(const uint8_t *text, size_t len, struct cfz_error *err)
{
    struct cfz_buf shown = CFZ_BUF_INIT;
    bool plain = len <= SHOWN_MAX;
    int ret;

    for (size_t i = 0; plain && i < len;) {
        uint32_t rune;

        i += cfz_utf8_decode(text + i, len - i, &rune);
        plain = rune != CFZ_RUNE_BAD && (rune >= 0x20 || rune == '\t' || rune == '\r') &&
                (rune < 0x7f || rune > 0x9f);
    }
    if (plain)
        ret = cfz_buf_append(&shown, text, len, err);
    else
        ret = cfz_quote_some(text, len, SHOWN_MAX, &shown, err);
    if (ret == 0)
        cfz_fail(err, CFZ_EFORMAT, "unknown encoding version: %s", cfz_buf_str(&shown));
    cfz_buf_release(&shown);
    return -1;
}

static int parse_header(const uint8_t *text, size_t len, struct cfz_error *err)
{
    static const char header[] = CFZ_ENCODING_HEADER;

    if (len > 0 && text[len - 1] == '\r')
        len--;
    if (len != sizeof header - 1 || memcmp(text, header, len) != 0)
        return fail_header(text, len, err);
    return 0;
}

static int wrap_line(const uint8_t *line, size_t len, struct cfz_error *err)
{
    struct cfz_buf shown = CFZ_BUF_INIT;

    if (!err || err->code == CFZ_ENOMEM)
        return -1;
    if (cfz_quote_some(line, len, SHOWN_MAX, &shown, err) == 0)
        cfz_error_wrap(err, "malformed line %s", cfz_buf_str(&shown));
    cfz_buf_release(&shown);
    return -1;
}

int cfz_encoding_parse(const uint8_t *text, size_t len, struct cfz_values *out, size_t *line,
                       struct cfz_error *err)
{
    struct cfz_values vals = CFZ_VALUES_INIT;
    const uint8_t *p = text, *end = text + len, *lf;
    size_t number = 0;
    int ret = -1;

    if (len == 0) {
        cfz_fail(err, CFZ_EFORMAT, "cannot unmarshal empty string");
        goto out;
    }
    lf = memchr(p, '\n', len);
    if (!lf) {
        cfz_fail(err, CFZ_EFORMAT, "must include version and at least one value");
        goto out;
    }
    number = 1;
    if (parse_header(p, (size_t)(lf - p), err) < 0)
        goto out;
    for (p = lf + 1; p < end; p = lf + 1) {
        const uint8_t *value = p;
        size_t n;

        number++;
        lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf)
            lf = end;
        n = (size_t)(lf - p);
        cfz_text_trim(&value, &n);
        if (n > 0 && cfz_encoding_parse_line(value, n, &vals, err) < 0) {
            wrap_line(value, n, err);
            goto out;
        }
    }
    number = 0;
    cfz_values_swap(out, &vals);
    ret = 0;
out:
    if (line)
        *line = number;
    cfz_values_release(&vals);
    return ret;
}

/* ---- writing -------------------------------------------------------------------- */

/* Takes back what a failed writer appended behind start. Returns -1. */
static int undo(struct cfz_buf *out, size_t start)
{
    cfz_buf_truncate(out, start);
    return -1;
}

static int write_char(const char *type, uint32_t rune, struct cfz_buf *out, struct cfz_error *err)
{
    if (cfz_buf_printf(out, err, "%s(", type) < 0 || cfz_quote_char(rune, out, err) < 0)
        return -1;
    return cfz_buf_puts(out, ")", err);
}

/* All NaNs but the one that Go's math.NaN gives are written by their bits. */
static int write_float(const struct cfz_value *v, enum cfz_float_format format, struct cfz_buf *out,
                       struct cfz_error *err)
{
    uint64_t nan = format == CFZ_FLOAT32 ? 0x7fc00000 : 0x7ff8000000000001;
    char text[CFZ_FLOAT_TEXT_MAX];

    cfz_float_format(v->bits, format, text);
    if (strcmp(text, "NaN") == 0 && v->bits != nan)
        return cfz_buf_printf(out, err, "math.Float%dfrombits(0x%" PRIx64 ")", (int)format,
                              v->bits);
    return cfz_buf_printf(out, err, "float%d(%s)", (int)format, text);
}

/* Appends one value; when it fails, a part of it may be there. */
static int write_value(const struct cfz_value *v, struct cfz_buf *out, struct cfz_error *err)
{
    const struct cfz_kind_row *row = cfz_kind_row(v->kind);

    switch (row->family) {
    case CFZ_FAMILY_BYTES:
    case CFZ_FAMILY_STRING:
        if (cfz_buf_puts(out, row->name, err) < 0 || cfz_buf_puts(out, "(", err) < 0 ||
            cfz_quote(v->data, v->len, out, err) < 0)
            return -1;
        return cfz_buf_puts(out, ")", err);
    case CFZ_FAMILY_BOOL:
        return cfz_buf_puts(out, v->bits ? "bool(true)" : "bool(false)", err);
    case CFZ_FAMILY_SIGNED:
        /* Negative numbers, surrogates and what is too large are not characters. */
        if (row->char_name && v->bits <= 0x10ffff && cfz_rune_is_valid((uint32_t)v->bits))
            return write_char(row->char_name, (uint32_t)v->bits, out, err);
        return cfz_buf_printf(out, err, "%s(%" PRId64 ")", row->name, cfz_value_int(v));
    case CFZ_FAMILY_UNSIGNED:
        if (row->char_name)
            return write_char(row->char_name, (uint8_t)v->bits, out, err);
        return cfz_buf_printf(out, err, "%s(%" PRIu64 ")", row->name, v->bits);
    default:
        CFZ_ASSERT(row->family == CFZ_FAMILY_FLOAT);
        return write_float(v, row->width == 32 ? CFZ_FLOAT32 : CFZ_FLOAT64, out, err);
    }
}

int cfz_encoding_write_value(const struct cfz_value *v, struct cfz_buf *out, struct cfz_error *err)
{
    size_t start = out->len;

    return write_value(v, out, err) < 0 ? undo(out, start) : 0;
}

int cfz_encoding_write(const struct cfz_values *vs, struct cfz_buf *out, struct cfz_error *err)
{
    size_t start = out->len;

    CFZ_ASSERT(vs->n > 0); /* a fuzz test has at least one value */
    if (cfz_buf_puts(out, CFZ_ENCODING_HEADER "\n", err) < 0)
        return undo(out, start);
    for (size_t i = 0; i < vs->n; i++)
        if (write_value(&vs->v[i], out, err) < 0 || cfz_buf_puts(out, "\n", err) < 0)
            return undo(out, start);
    return 0;
}
