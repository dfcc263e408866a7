/*
 * expr.h - reads a line as an expression of Go, and keeps as much of it as is needed to recognise
 * value lines. Allocates nothing. Context: ordinary.
 */
#ifndef CFZ_EXPR_H
#define CFZ_EXPR_H

#include "core/corpus/lexer.h"

enum cfz_shape {
    CFZ_SHAPE_OTHER, /* an expression that no value line has */
    CFZ_SHAPE_NAME,
    CFZ_SHAPE_LITERAL,
    CFZ_SHAPE_UNARY,
    CFZ_SHAPE_SELECTOR, /* x.name */
    CFZ_SHAPE_ARRAY,    /* the type []T or [n]T */
    CFZ_SHAPE_INDEX,
    CFZ_SHAPE_CALL,
};

/* An expression. Of its inner structure there is one level of operands. */
struct cfz_expr {
    enum cfz_shape shape;
    struct cfz_token tok;   /* name, literal, operator, selected name, or the T of an array */
    enum cfz_shape x_shape; /* x is the operand of an operator, or what is selected from */
    struct cfz_token x;     /* its token, if it is a name or literal */
    bool has_len;           /* array: [3]T or [...]T */
    bool plain;             /* array: T is a name, nothing more */
    bool dots;              /* array: [...]T */
    size_t dots_pos;        /* where the dots are */
};

/* A whole line. */
struct cfz_call {
    bool is_call;        /* if not, the rest means nothing */
    struct cfz_expr fun; /* what is called */
    struct cfz_expr arg; /* the first argument */
    size_t nargs;
};

/*
 * cfz_expr_parse reads a line of text as one expression. Tokens in *out point into the line.
 * CFZ_EFORMAT if it is not an expression: "(test):1:COLUMN: why". The column is that of the fault
 * which Go would report, in bytes from 1.
 */
int cfz_expr_parse(const uint8_t *line, size_t len, struct cfz_call *out, struct cfz_error *err);

#endif
