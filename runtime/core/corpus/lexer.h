/*
 * lexer.h - the tokens of one line of a corpus file. They are those of Go, since value lines are
 * expressions of Go. Only cfz_unquote allocates. Context: ordinary.
 */
#ifndef CFZ_LEXER_H
#define CFZ_LEXER_H

#include "core/buf.h"

enum cfz_token_kind {
    CFZ_TOKEN_END,
    CFZ_TOKEN_NAME,
    CFZ_TOKEN_KEYWORD,
    CFZ_TOKEN_INT,
    CFZ_TOKEN_FLOAT,
    CFZ_TOKEN_IMAG, /* 1i */
    CFZ_TOKEN_CHAR,
    CFZ_TOKEN_STRING,
    CFZ_TOKEN_PUNCT,  /* ( ) [ ] { } , : . ... * */
    CFZ_TOKEN_UNARY,  /* ! ~ <- : before an operand only */
    CFZ_TOKEN_SIGN,   /* + - ^ & : before an operand or between two */
    CFZ_TOKEN_BINARY, /* between two operands only */
    CFZ_TOKEN_OTHER,  /* ; ++ -- = += ... and characters that begin no token */
};

struct cfz_token {
    enum cfz_token_kind kind;
    size_t pos; /* bytes from the start of the line */
    const uint8_t *text;
    size_t len;
};

/* Keeps the error that lies furthest to the left, not the first that was noticed: as Go does. */
struct cfz_lexer {
    const uint8_t *line;
    size_t len;
    size_t at; /* where the next token is looked for */
    bool failed;
    size_t error_pos;
    char error[160];
};

/* cfz_lexer_init begins at the start of a line, which is borrowed while lexer and tokens are
 * used. */
void cfz_lexer_init(struct cfz_lexer *lx, const uint8_t *line, size_t len);

/* cfz_lexer_next reads a token. If it is malformed, that is noted as an error, and it is returned
 * all the same. */
struct cfz_token cfz_lexer_next(struct cfz_lexer *lx);

/* cfz_lexer_fail notes an error, unless there is one at or before pos. */
void cfz_lexer_fail(struct cfz_lexer *lx, size_t pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* cfz_token_is reports whether the token has this text. */
bool cfz_token_is(const struct cfz_token *t, const char *text);

/*
 * cfz_unquote appends the bytes that a STRING token stands for. The lexer found no error in it.
 * CFZ_ENOMEM.
 */
int cfz_unquote(const struct cfz_token *t, struct cfz_buf *out, struct cfz_error *err);

/* cfz_unquote_char returns the code point of a CHAR token, likewise without error. */
uint32_t cfz_unquote_char(const struct cfz_token *t);

#endif
