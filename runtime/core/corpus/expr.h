/*
 * expr.h - a line read as an expression, as much of it as value lines need to be
 * recognised. Allocates nothing. Context: ordinary.
 */
#ifndef CFZ_EXPR_H
#define CFZ_EXPR_H

#include "core/corpus/lexer.h"

enum cfz_shape {
    CFZ_SHAPE_OTHER, /* anything a value line is not made of */
    CFZ_SHAPE_NAME,
    CFZ_SHAPE_LITERAL,
    CFZ_SHAPE_UNARY,
    CFZ_SHAPE_SELECTOR, /* x.name */
    CFZ_SHAPE_ARRAY,    /* the type []T or [n]T */
    CFZ_SHAPE_INDEX,
    CFZ_SHAPE_CALL,
};

/* An expression without its inner structure, but for one level of operands. */
struct cfz_expr {
    enum cfz_shape shape;
    struct cfz_token
        tok; /* name, literal, operator, selected name, or name of the array's element */
    enum cfz_shape x_shape; /* of the operand of an operator or of what is selected from */
    struct cfz_token x;     /* its token, if it is a name or literal */
    bool has_len;           /* array: [3]T or [...]T */
    bool plain;             /* array: the element is a name */
    bool dots;              /* array: [...]T */
    size_t dots_pos;
};

/* A whole line; if it is a call, what is called, with how many arguments, and the first of these.
 */
struct cfz_call {
    bool is_call;
    struct cfz_expr fun, arg;
    size_t nargs;
};

/*
 * cfz_expr_parse reads a line of text as one expression. Tokens in *out point
 * into it. CFZ_EFORMAT: "(test):1:COLUMN: why" where it is no expression, with
 * columns counted in bytes from 1 and of the fault that Go would report.
 */
int cfz_expr_parse(const uint8_t *line, size_t len, struct cfz_call *out, struct cfz_error *err);

#endif
