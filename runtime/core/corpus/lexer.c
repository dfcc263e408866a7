/*
 * lexer.c - tokens of a value line, by the lexical rules of the Go language
 * specification.
 *
 * Reading goes on after an error, since one that is noticed later may lie further left: an
 * unterminated string is reported at its opening quote.
 */
#include "core/corpus/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum {
    BOM = 0xfeff, /* the byte order mark */
    ASCII_MAX = 0x7f,
    LOWER = 0x20,  /* this bit makes a letter of ASCII lower-case */
    NO_DIGIT = 16, /* of hex_value */
};

void cfz_lexer_fail(struct cfz_lexer *lx, size_t pos, const char *fmt, ...)
{
    va_list ap;

    if (lx->failed && lx->error_pos <= pos)
        return;
    lx->failed = true;
    lx->error_pos = pos;
    va_start(ap, fmt);
    vsnprintf(lx->error, sizeof lx->error, fmt, ap);
    va_end(ap);
}

void cfz_lexer_init(struct cfz_lexer *lx, const uint8_t *line, size_t len)
{
    uint32_t rune;

    *lx = (struct cfz_lexer){.line = line, .len = len};
    if (len > 0) {
        size_t n = cfz_utf8_decode(line, len, &rune);

        if (rune == BOM)
            lx->at = n; /* tolerated here only */
    }
}

bool cfz_token_is(const struct cfz_token *t, const char *text)
{
    return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

/* ---- characters ---------------------------------------------------------------- */

/* The byte at a place, or -1 behind the end. */
static int byte_at(const struct cfz_lexer *lx, size_t at)
{
    return at < lx->len ? lx->line[at] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(int c)
{
    if (is_digit(c))
        return c - '0';
    c |= LOWER;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : NO_DIGIT;
}

static bool is_name_byte(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* Steps over one character. In literals and comments, too, NUL, a BOM and what is not UTF-8 are
 * errors. */
static uint32_t step(struct cfz_lexer *lx)
{
    uint32_t rune;
    size_t n = cfz_utf8_decode(lx->line + lx->at, lx->len - lx->at, &rune);

    if (rune == 0)
        cfz_lexer_fail(lx, lx->at, "illegal character NUL");
    else if (rune == CFZ_RUNE_BAD)
        cfz_lexer_fail(lx, lx->at, "illegal UTF-8 encoding");
    else if (rune == BOM)
        cfz_lexer_fail(lx, lx->at, "illegal byte order mark");
    lx->at += n;
    return rune;
}

/* A character in words, for an error. */
static const char *describe(uint32_t rune, char buf[32])
{
    uint8_t utf8[4];

    if (rune == CFZ_RUNE_BAD)
        return "illegal byte";
    if (cfz_rune_is_printable(rune)) {
        size_t n = cfz_utf8_encode(rune, utf8);

        snprintf(buf, 32, "U+%04X '%.*s'", (unsigned)rune, (int)n, (const char *)utf8);
    } else {
        snprintf(buf, 32, "U+%04X", (unsigned)rune);
    }
    return buf;
}

/* ---- blanks and comments --------------------------------------------------------- */

static void skip_block_comment(struct cfz_lexer *lx)
{
    size_t start = lx->at;

    lx->at += 2;
    while (lx->at < lx->len) {
        if (byte_at(lx, lx->at) == '*' && byte_at(lx, lx->at + 1) == '/') {
            lx->at += 2;
            return;
        }
        step(lx);
    }
    cfz_lexer_fail(lx, start, "comment not terminated");
}

static void skip_blanks(struct cfz_lexer *lx)
{
    for (;;) {
        int c = byte_at(lx, lx->at);

        if (c == ' ' || c == '\t' || c == '\r') {
            lx->at++;
        } else if (c == '/' && byte_at(lx, lx->at + 1) == '*') {
            skip_block_comment(lx);
        } else if (c == '/' && byte_at(lx, lx->at + 1) == '/') {
            while (lx->at < lx->len)
                step(lx);
        } else {
            return;
        }
    }
}

/* ---- numbers ----------------------------------------------------------------------- */

struct number {
    int base;
    char prefix;       /* x, o, b; 0 for none, also of a number that begins with 0 and has base 8 */
    bool digits, seps; /* there was a digit, a '_' */
    bool bad_digit;    /* there was one that the base does not have */
    size_t bad_pos;
};

static const char *number_name(const struct number *n)
{
    return n->base == 16  ? "hexadecimal"
           : n->base == 8 ? "octal"
           : n->base == 2 ? "binary"
                          : "decimal";
}

/* Reads digits and '_'; false if there is no digit. Up to base 10 it takes all decimal digits, and
 * notes the first that is too large. */
static bool read_digits(struct cfz_lexer *lx, struct number *n, int base)
{
    bool any = false;

    for (;; lx->at++) {
        int c = byte_at(lx, lx->at);

        if (c == '_') {
            n->seps = true;
        } else if (base == 16 ? hex_value(c) < NO_DIGIT : is_digit(c)) {
            any = true;
            if (base <= 10 && c - '0' >= base && !n->bad_digit) {
                n->bad_digit = true;
                n->bad_pos = lx->at;
            }
        } else {
            return any;
        }
    }
}

/* Checks that each '_' stands between two digits. A base prefix counts as a digit. */
static void check_separators(struct cfz_lexer *lx, size_t start, const struct number *n)
{
    bool digit = false; /* the byte before i counts as a digit */
    size_t i = start;

    if (n->prefix) {
        digit = true;
        i += 2;
    }
    for (; i < lx->at; i++) {
        int c = byte_at(lx, i);

        if (c == '_') {
            int next = i + 1 < lx->at ? byte_at(lx, i + 1) : -1;

            if (!digit) {
                cfz_lexer_fail(lx, i, "'_' not between digits");
                return;
            }
            if (next != '_' && !is_digit(next) && !(n->base == 16 && hex_value(next) < NO_DIGIT)) {
                cfz_lexer_fail(lx, i, "'_' not between digits");
                return;
            }
        }
        digit = is_digit(c) || (n->base == 16 && hex_value(c) < NO_DIGIT);
    }
}

/* Reads a number: prefix, digits, point and digits, exponent, 'i'. */
static enum cfz_token_kind read_number(struct cfz_lexer *lx)
{
    enum cfz_token_kind kind = CFZ_TOKEN_INT;
    struct number n = {.base = 10};
    size_t start = lx->at;
    int e;

    if (byte_at(lx, lx->at) == '0') {
        int c = byte_at(lx, lx->at + 1) | LOWER;

        n.base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
        if (c == 'x' || c == 'o' || c == 'b') {
            n.prefix = (char)c;
            lx->at += 2;
        } else {
            n.digits = true; /* the 0 itself */
            lx->at++;
        }
    }
    if (byte_at(lx, lx->at) != '.')
        n.digits |= read_digits(lx, &n, n.base);
    if (byte_at(lx, lx->at) == '.') {
        kind = CFZ_TOKEN_FLOAT;
        if (n.prefix == 'o' || n.prefix == 'b')
            cfz_lexer_fail(lx, lx->at, "%s number with a point", number_name(&n));
        lx->at++;
        n.digits |= read_digits(lx, &n, n.base);
    }
    if (!n.digits)
        cfz_lexer_fail(lx, lx->at, "%s number without digits", number_name(&n));

    e = byte_at(lx, lx->at) | LOWER;
    if (e == 'e' || e == 'p') {
        struct number exponent = {.base = 10};

        if (e == 'e' && n.prefix)
            cfz_lexer_fail(lx, lx->at, "'e' exponent of a %s number", number_name(&n));
        if (e == 'p' && n.prefix != 'x')
            cfz_lexer_fail(lx, lx->at, "'p' exponent of a number that is not hexadecimal");
        kind = CFZ_TOKEN_FLOAT;
        lx->at++;
        if (byte_at(lx, lx->at) == '+' || byte_at(lx, lx->at) == '-')
            lx->at++;
        if (!read_digits(lx, &exponent, 10))
            cfz_lexer_fail(lx, lx->at, "exponent without digits");
        n.seps |= exponent.seps;
    } else if (n.prefix == 'x' && kind == CFZ_TOKEN_FLOAT) {
        cfz_lexer_fail(lx, lx->at, "hexadecimal fraction without a 'p' exponent");
    }
    if (byte_at(lx, lx->at) == 'i') {
        kind = CFZ_TOKEN_IMAG;
        lx->at++;
    }
    if (kind == CFZ_TOKEN_INT && n.bad_digit)
        cfz_lexer_fail(lx, n.bad_pos, "digit '%c' in %s number", byte_at(lx, n.bad_pos),
                       n.base == 8 ? "an octal" : "a binary");
    if (n.seps)
        check_separators(lx, start, &n);
    return kind;
}

/* ---- quotes -------------------------------------------------------------------------- */

/*
 * Looks up the escape that begins with c after the backslash; false if there is none. *digits
 * digits of *base follow; if that is 0, the escape stands for the byte *value.
 */
static bool find_escape(int c, int quote, unsigned *digits, unsigned *base, uint32_t *value)
{
    static const struct {
        uint8_t valid, digits, value;
    } escapes[128] = {
        ['a'] = {1, 0, '\a'}, ['b'] = {1, 0, '\b'}, ['f'] = {1, 0, '\f'}, ['n'] = {1, 0, '\n'},
        ['r'] = {1, 0, '\r'}, ['t'] = {1, 0, '\t'}, ['v'] = {1, 0, '\v'}, ['\\'] = {1, 0, '\\'},
        ['0'] = {1, 3, 0},    ['1'] = {1, 3, 0},    ['2'] = {1, 3, 0},    ['3'] = {1, 3, 0},
        ['4'] = {1, 3, 0},    ['5'] = {1, 3, 0},    ['6'] = {1, 3, 0},    ['7'] = {1, 3, 0},
        ['x'] = {1, 2, 0},    ['u'] = {1, 4, 0},    ['U'] = {1, 8, 0},
    };

    *digits = 0;
    *base = 16;
    *value = (uint32_t)quote;
    if (c == quote)
        return true;
    if (c < 0 || c > ASCII_MAX || !escapes[c].valid)
        return false;
    *digits = escapes[c].digits;
    *base = *digits == 3 ? 8 : 16;
    *value = escapes[c].value;
    return true;
}

/* Steps over an escape, whose backslash was read. If it is not an escape, returns false and stays
 * at the fault. */
static bool read_escape(struct cfz_lexer *lx, int quote)
{
    size_t start = lx->at;
    int c = byte_at(lx, lx->at);
    unsigned digits, base;
    uint32_t value;
    char buf[32];

    if (c < 0) {
        cfz_lexer_fail(lx, start, "escape sequence without end");
        return false;
    }
    if (!find_escape(c, quote, &digits, &base, &value)) {
        cfz_lexer_fail(lx, start, "no such escape sequence");
        return false;
    }
    if (base == 16)
        lx->at++; /* the letter */
    for (; digits > 0; digits--, lx->at++) {
        unsigned d = (unsigned)hex_value(byte_at(lx, lx->at));

        if (byte_at(lx, lx->at) < 0) {
            cfz_lexer_fail(lx, lx->at, "escape sequence without end");
            return false;
        }
        if (d >= base) {
            cfz_utf8_decode(lx->line + lx->at, lx->len - lx->at, &value);
            cfz_lexer_fail(lx, lx->at, "%s is no digit of an escape sequence",
                           describe(value, buf));
            return false;
        }
        value = value * base + d;
    }
    if (base == 8 ? value > 255 : !cfz_rune_is_valid(value)) {
        cfz_lexer_fail(lx, start, "escape sequence is no code point");
        return false;
    }
    return true;
}

/* The three literals, each from its opening quote on. */
static void read_string(struct cfz_lexer *lx)
{
    size_t start = lx->at++;

    while (lx->at < lx->len) {
        uint8_t c = lx->line[lx->at];

        if (c == '"') {
            lx->at++;
            return;
        }
        if (c == '\\') {
            lx->at++;
            read_escape(lx, '"');
        } else if (c != 0 && c <= ASCII_MAX) {
            lx->at++;
        } else {
            step(lx);
        }
    }
    cfz_lexer_fail(lx, start, "string not terminated");
}

static void read_raw_string(struct cfz_lexer *lx)
{
    size_t start = lx->at++;

    while (lx->at < lx->len) {
        if (lx->line[lx->at] == '`') {
            lx->at++;
            return;
        }
        step(lx);
    }
    cfz_lexer_fail(lx, start, "string not terminated");
}

static void read_char(struct cfz_lexer *lx)
{
    size_t start = lx->at++, n = 0;
    bool valid = true;

    for (;;) {
        if (lx->at >= lx->len) {
            if (valid)
                cfz_lexer_fail(lx, start, "character not terminated");
            return;
        }
        if (lx->line[lx->at] == '\'') {
            lx->at++;
            break;
        }
        n++;
        if (lx->line[lx->at] == '\\') {
            lx->at++;
            valid &= read_escape(lx, '\'');
        } else {
            step(lx);
        }
    }
    if (valid && n != 1)
        cfz_lexer_fail(lx, start, "%s",
                       n == 0 ? "no character between the quotes"
                              : "more than one character between the quotes");
}

/* ---- names and operators ----------------------------------------------------------------- */

static bool is_keyword(const struct cfz_token *t)
{
    static const char *const words[] = {
        "break",  "case",        "chan", "const",   "continue", "default", "defer",
        "else",   "fallthrough", "for",  "func",    "go",       "goto",    "if",
        "import", "interface",   "map",  "package", "range",    "return",  "select",
        "struct", "switch",      "type", "var",
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cfz_token_is(t, words[i]))
            return true;
    return false;
}

/* Reads a name; false if there is none. Letters beyond ASCII are part of a name in Go. No name that
 * means something has one, so every printable character is taken for a letter. */
static bool read_name(struct cfz_lexer *lx)
{
    size_t start = lx->at;

    for (;;) {
        uint32_t rune;

        if (lx->at == lx->len)
            break;
        if (is_name_byte(lx->line[lx->at])) {
            lx->at++;
            continue;
        }
        cfz_utf8_decode(lx->line + lx->at, lx->len - lx->at, &rune);
        if (rune <= ASCII_MAX || !cfz_rune_is_printable(rune))
            break;
        step(lx);
    }
    return lx->at > start;
}

/* Reads the longest operator that is here; false if there is none. */
static bool read_operator(struct cfz_lexer *lx, enum cfz_token_kind *kind)
{
    static const struct {
        char text[4];
        enum cfz_token_kind kind;
    } ops[] = {
        /* longer ones before their beginnings */
        {"...", CFZ_TOKEN_PUNCT}, {"<<=", CFZ_TOKEN_OTHER}, {">>=", CFZ_TOKEN_OTHER},
        {"&^=", CFZ_TOKEN_OTHER}, {"<<", CFZ_TOKEN_BINARY}, {">>", CFZ_TOKEN_BINARY},
        {"&^", CFZ_TOKEN_BINARY}, {"&&", CFZ_TOKEN_BINARY}, {"||", CFZ_TOKEN_BINARY},
        {"==", CFZ_TOKEN_BINARY}, {"!=", CFZ_TOKEN_BINARY}, {"<=", CFZ_TOKEN_BINARY},
        {">=", CFZ_TOKEN_BINARY}, {"<-", CFZ_TOKEN_UNARY},  {"++", CFZ_TOKEN_OTHER},
        {"--", CFZ_TOKEN_OTHER},  {"+=", CFZ_TOKEN_OTHER},  {"-=", CFZ_TOKEN_OTHER},
        {"*=", CFZ_TOKEN_OTHER},  {"/=", CFZ_TOKEN_OTHER},  {"%=", CFZ_TOKEN_OTHER},
        {"&=", CFZ_TOKEN_OTHER},  {"|=", CFZ_TOKEN_OTHER},  {"^=", CFZ_TOKEN_OTHER},
        {":=", CFZ_TOKEN_OTHER},  {"=", CFZ_TOKEN_OTHER},   {";", CFZ_TOKEN_OTHER},
        {"+", CFZ_TOKEN_SIGN},    {"-", CFZ_TOKEN_SIGN},    {"^", CFZ_TOKEN_SIGN},
        {"&", CFZ_TOKEN_SIGN},    {"!", CFZ_TOKEN_UNARY},   {"~", CFZ_TOKEN_UNARY},
        {"/", CFZ_TOKEN_BINARY},  {"%", CFZ_TOKEN_BINARY},  {"|", CFZ_TOKEN_BINARY},
        {"<", CFZ_TOKEN_BINARY},  {">", CFZ_TOKEN_BINARY},  {"*", CFZ_TOKEN_PUNCT},
        {"(", CFZ_TOKEN_PUNCT},   {")", CFZ_TOKEN_PUNCT},   {"[", CFZ_TOKEN_PUNCT},
        {"]", CFZ_TOKEN_PUNCT},   {"{", CFZ_TOKEN_PUNCT},   {"}", CFZ_TOKEN_PUNCT},
        {",", CFZ_TOKEN_PUNCT},   {":", CFZ_TOKEN_PUNCT},   {".", CFZ_TOKEN_PUNCT},
    };
    size_t left = lx->len - lx->at;

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        size_t n;

        if (left == 0 || lx->line[lx->at] != (uint8_t)ops[i].text[0])
            continue;
        n = strlen(ops[i].text);
        if (n <= left && memcmp(lx->line + lx->at, ops[i].text, n) == 0) {
            lx->at += n;
            *kind = ops[i].kind;
            return true;
        }
    }
    return false;
}

static enum cfz_token_kind read_token(struct cfz_lexer *lx)
{
    int c = byte_at(lx, lx->at), next = byte_at(lx, lx->at + 1);
    enum cfz_token_kind kind;
    size_t start = lx->at;
    uint32_t rune;
    char buf[32];

    if (c < 0)
        return CFZ_TOKEN_END;
    if (is_digit(c) || (c == '.' && is_digit(next)))
        return read_number(lx);
    switch (c) {
    case '"':
        read_string(lx);
        return CFZ_TOKEN_STRING;
    case '`':
        read_raw_string(lx);
        return CFZ_TOKEN_STRING;
    case '\'':
        read_char(lx);
        return CFZ_TOKEN_CHAR;
    default:
        break;
    }
    if (read_name(lx))
        return CFZ_TOKEN_NAME;
    if (read_operator(lx, &kind))
        return kind;
    rune = step(lx);
    cfz_lexer_fail(lx, start, "illegal character %s", describe(rune, buf));
    return CFZ_TOKEN_OTHER;
}

struct cfz_token cfz_lexer_next(struct cfz_lexer *lx)
{
    struct cfz_token t;

    skip_blanks(lx);
    t.pos = lx->at;
    t.text = lx->line + lx->at;
    t.kind = read_token(lx);
    t.len = lx->at - t.pos;
    if (t.kind == CFZ_TOKEN_NAME && is_keyword(&t))
        t.kind = CFZ_TOKEN_KEYWORD;
    return t;
}

/* ---- what quoted literals stand for --------------------------------------------------------- */

/*
 * Reads one character at *p of a literal that has no errors. Returns true if *value is a byte
 * (\xHH, \OOO and ASCII), false if it is a code point.
 */
static bool read_checked(const uint8_t **p, const uint8_t *end, int quote, uint32_t *value)
{
    unsigned digits, base;
    bool valid;
    int c;

    if (**p != '\\') {
        *p += cfz_utf8_decode(*p, (size_t)(end - *p), value);
        return *value <= ASCII_MAX;
    }
    c = *++*p;
    valid = find_escape(c, quote, &digits, &base, value);
    CFZ_ASSERT(valid);
    if (base == 16)
        ++*p; /* the letter; of \OOO it is the first digit */
    for (unsigned i = 0; i < digits; i++)
        *value = *value * base + (unsigned)hex_value(*(*p)++);
    return c != 'u' && c != 'U';
}

int cfz_unquote(const struct cfz_token *t, struct cfz_buf *out, struct cfz_error *err)
{
    const uint8_t *p = t->text + 1, *end = t->text + t->len - 1;
    bool raw = *t->text == '`';
    size_t start = out->len;

    /* No escape is shorter than what it stands for. */
    if (cfz_buf_reserve(out, (size_t)(end - p), err) < 0)
        return -1;
    while (p < end) {
        uint32_t value;

        if (raw || (*p != '\\' && *p <= ASCII_MAX)) {
            if (!raw || *p != '\r') /* raw strings drop it */
                out->data[out->len++] = *p;
            p++;
        } else if (read_checked(&p, end, '"', &value)) {
            out->data[out->len++] = (uint8_t)value;
        } else {
            out->len += cfz_utf8_encode(value, out->data + out->len);
        }
    }
    CFZ_ASSERT(out->len - start <= t->len);
    out->data[out->len] = '\0';
    return 0;
}

uint32_t cfz_unquote_char(const struct cfz_token *t)
{
    const uint8_t *p = t->text + 1;
    uint32_t value;

    read_checked(&p, t->text + t->len - 1, '\'', &value);
    return value;
}
