/*
 * dict.c - see dict.h.
 *
 * What both engines read is read here, in the same way: libFuzzer's ParseDictionaryFile
 * (FuzzerUtil.cpp) takes anything before the first quote for a name, AFL++'s load_extras_file
 * (afl-fuzz-extras.c) knows name@level="value" and needs no name. Both end a word at the last
 * character of the line.
 */
#include "core/dict.h"

#include <errno.h>
#include <string.h>

#include "core/digits.h"

/* One line while it is read. */
struct line {
    const char *text;
    size_t len; /* without blanks at the end */
    size_t number;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_hex(char c)
{
    return cfz_digit((uint8_t)c) < 16;
}

/* Whether a line may hold the byte as it is. */
static bool is_plain(char c)
{
    return ((unsigned char)c >= ' ' && c != 0x7f) || c == '\t';
}

static int expected(const struct line *l, size_t at, const char *what, struct cfz_error *err)
{
    return cfz_fail(err, CFZ_EFORMAT, "line %zu, column %zu: expected %s", l->number, at + 1, what);
}

void cfz_dict_release(struct cfz_dict *d)
{
    cfz_buf_release(&d->packed);
    d->n = 0;
}

int cfz_dict_add(struct cfz_dict *d, const void *word, size_t len, struct cfz_error *err)
{
    const uint32_t n = (uint32_t)len;

    CFZ_ASSERT(len > 0 && len <= CFZ_WORD_MAX);
    if (d->n == CFZ_DICT_WORDS_MAX || d->packed.len + sizeof n + len > CFZ_DICT_SIZE_MAX) {
        if (d->n == CFZ_DICT_WORDS_MAX)
            cfz_fail(err, CFZ_EFORMAT, "more than %d words", CFZ_DICT_WORDS_MAX);
        else
            cfz_fail(err, CFZ_EFORMAT, "words of more than %d bytes together", CFZ_DICT_SIZE_MAX);
        if (err)
            err->sys = ENOSPC;
        return -1;
    }
    if (cfz_buf_reserve(&d->packed, sizeof n + len, err) < 0 ||
        cfz_buf_append(&d->packed, &n, sizeof n, err) < 0 ||
        cfz_buf_append(&d->packed, word, len, err) < 0)
        return -1;
    d->n++;
    return 0;
}

const uint8_t *cfz_dict_next(const uint8_t *packed, size_t size, size_t *at, uint32_t *len)
{
    const uint8_t *word;
    uint32_t n;

    if (*at > size || size - *at < sizeof n)
        return NULL;
    memcpy(&n, packed + *at, sizeof n);
    if (n == 0 || n > CFZ_WORD_MAX || n > size - *at - sizeof n)
        return NULL;
    word = packed + *at + sizeof n;
    *at += sizeof n + n;
    *len = n;
    return word;
}

/* ---- reading -------------------------------------------------------------------- */

/* Checks what stands before the word, [at, quote): any name, with a level and an equals sign or
 * without, or nothing. */
static int read_name(const struct line *l, size_t at, size_t quote, struct cfz_error *err)
{
    for (size_t i = at; i < quote; i++)
        if (!is_plain(l->text[i]))
            return expected(l, i, "a name without control characters", err);
    return 0;
}

/* Reads the word in [at, end), between its quotes. */
static int read_word(const struct line *l, size_t at, size_t end, struct cfz_buf *word,
                     struct cfz_error *err)
{
    const size_t quote = at - 1;

    word->len = 0;
    while (at < end) {
        char c = l->text[at];
        uint8_t byte = (uint8_t)c;
        size_t used = 1;

        if (!is_plain(c))
            return cfz_fail(err, CFZ_EFORMAT,
                            "line %zu, column %zu: expected \\x%02x for this control character",
                            l->number, at + 1, byte);
        if (c == '\\') {
            if (at + 1 == end) /* it hides the quote at the end */
                return expected(l, end + 1, "\" at the end of the word", err);
            if (l->text[at + 1] == '\\' || l->text[at + 1] == '"') {
                byte = (uint8_t)l->text[at + 1];
                used = 2;
            } else if (l->text[at + 1] == 'x' && end - at >= 4 && is_hex(l->text[at + 2]) &&
                       is_hex(l->text[at + 3])) {
                byte = (uint8_t)(cfz_digit((uint8_t)l->text[at + 2]) << 4 |
                                 cfz_digit((uint8_t)l->text[at + 3]));
                used = 4;
            } else {
                return expected(l, at, "\\\\, \\\" or \\xNN with two hexadecimal digits", err);
            }
        }
        if (word->len == CFZ_WORD_MAX)
            return cfz_fail(err, CFZ_EFORMAT,
                            "line %zu, column %zu: expected a word of at most %d bytes", l->number,
                            quote + 1, CFZ_WORD_MAX);
        if (cfz_buf_append(word, &byte, 1, err) < 0)
            return -1;
        at += used;
    }
    if (word->len == 0)
        return expected(l, at, "at least one byte between the quotes", err);
    return 0;
}

/* Reads a line; word is room that lines share, and has no bytes if there is no word in it. */
static int read_line(const struct line *l, struct cfz_buf *word, struct cfz_error *err)
{
    const char *open;
    size_t at = 0, quote, last;

    word->len = 0;
    while (at < l->len && is_blank(l->text[at]))
        at++;
    if (at == l->len || l->text[at] == '#')
        return 0;
    open = memchr(l->text + at, '"', l->len - at);
    if (!open)
        return expected(l, at, "a word in quotes: \"value\" or name=\"value\"", err);
    quote = (size_t)(open - l->text);
    if (read_name(l, at, quote, err) < 0)
        return -1;
    for (last = l->len - 1; l->text[last] != '"'; last--) {
    }
    if (last == quote)
        return expected(l, l->len, "\" at the end of the word", err);
    for (at = last + 1; at < l->len && is_blank(l->text[at]); at++) {
    }
    if (at < l->len)
        return expected(l, at, "the end of the line after the word", err);
    return read_word(l, quote + 1, last, word, err);
}

int cfz_dict_parse(const char *text, size_t len, struct cfz_dict *d, struct cfz_error *err)
{
    const char *end = text + len;
    const size_t had_len = d->packed.len, had_n = d->n;
    struct cfz_buf word = CFZ_BUF_INIT;
    struct line l = {.number = 0};
    int ret = -1;

    for (const char *next = text; next < end;) {
        const char *eol = memchr(next, '\n', (size_t)(end - next));

        l.text = next;
        l.len = (size_t)((eol ? eol : end) - next);
        l.number++;
        next += l.len + 1;
        while (l.len > 0 && is_blank(l.text[l.len - 1]))
            l.len--;
        if (read_line(&l, &word, err) < 0)
            goto out;
        if (word.len > 0 && cfz_dict_add(d, word.data, word.len, err) < 0) {
            cfz_error_wrap(err, "line %zu", l.number);
            goto out;
        }
    }
    ret = 0;
out:
    if (ret < 0) {
        cfz_buf_truncate(&d->packed, had_len);
        d->n = had_n;
    }
    cfz_buf_release(&word);
    return ret;
}

/* ---- writing -------------------------------------------------------------------- */

int cfz_dict_write(struct cfz_buf *out, const uint8_t *word, size_t len, struct cfz_error *err)
{
    const size_t had = out->len;
    int ret = cfz_buf_puts(out, "\"", err);

    for (size_t i = 0; i < len && ret == 0; i++) {
        if (word[i] == '\\' || word[i] == '"')
            ret = cfz_buf_printf(out, err, "\\%c", word[i]);
        else if (word[i] < ' ' || word[i] >= 0x7f)
            ret = cfz_buf_printf(out, err, "\\x%02x", word[i]);
        else
            ret = cfz_buf_append(out, &word[i], 1, err);
    }
    if (ret == 0)
        ret = cfz_buf_puts(out, "\"", err);
    if (ret < 0)
        cfz_buf_truncate(out, had);
    return ret;
}
