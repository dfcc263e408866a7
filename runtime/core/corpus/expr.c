/*
 * expr.c - reading an expression, in the grammar of the Go language specification:
 *
 *     expr    = unary { binary-operator unary }
 *     unary   = operator unary | "*" unary | primary
 *     primary = operand { "." NAME | "." "(" type ")" | index | call | "{" elements "}" }
 *     operand = NAME | LITERAL | "(" expr ")" | "[" [ expr | "..." ] "]" type
 *
 * It keeps one level of the tree's operands, and the call that ends last, which is the outermost.
 * A type that begins with a keyword (func, map, struct, chan, interface) ends the parse: no value
 * has one, so what follows does not matter.
 *
 * Each parse function below returns 0, or -1 after an error was noted or such a type was met.
 */
#include "core/corpus/expr.h"

enum {
    DEPTH_MAX = 200, /* bounds the recursion; a value is nested at most 3 deep */
    SHOWN_MAX = 40,  /* bytes of a token in an error text */
};

struct parser {
    struct cfz_lexer lx;
    struct cfz_token tok; /* the next one */
    int depth;
    bool type_keyword;    /* the parse ended at a type with a keyword */
    struct cfz_call call; /* the last call that was read */
};

static int parse_expr(struct parser *p, struct cfz_expr *out);
static int parse_type(struct parser *p, struct cfz_expr *array);

static void next(struct parser *p)
{
    p->tok = cfz_lexer_next(&p->lx);
}

/* Whether the next token is punct; take goes on to the one after it if it is. */
static bool at(const struct parser *p, const char *punct)
{
    return p->tok.kind == CFZ_TOKEN_PUNCT && cfz_token_is(&p->tok, punct);
}

static bool take(struct parser *p, const char *punct)
{
    if (!at(p, punct))
        return false;
    next(p);
    return true;
}

/* Notes "want, found <token>" at the next token; returns -1. */
static int fail_here(struct parser *p, const char *want)
{
    int shown = p->tok.len > SHOWN_MAX ? SHOWN_MAX : (int)p->tok.len;

    if (p->tok.kind == CFZ_TOKEN_END)
        cfz_lexer_fail(&p->lx, p->tok.pos, "%s, found the end of the line", want);
    else
        cfz_lexer_fail(&p->lx, p->tok.pos, "%s, found %.*s", want, shown,
                       (const char *)p->tok.text);
    return -1;
}

/* Goes one level deeper; the caller comes back with p->depth--. */
static int enter(struct parser *p)
{
    if (p->depth == DEPTH_MAX) {
        cfz_lexer_fail(&p->lx, p->tok.pos, "nested more than %d levels deep", DEPTH_MAX);
        return -1;
    }
    p->depth++;
    return 0;
}

/* ---- types ------------------------------------------------------------------------- */

static bool is_type_keyword(const struct cfz_token *t)
{
    return t->kind == CFZ_TOKEN_KEYWORD &&
           (cfz_token_is(t, "func") || cfz_token_is(t, "struct") || cfz_token_is(t, "map") ||
            cfz_token_is(t, "chan") || cfz_token_is(t, "interface"));
}

/* At "[": an array or slice type. */
static int parse_array(struct parser *p, struct cfz_expr *out)
{
    struct cfz_expr len;

    *out = (struct cfz_expr){.shape = CFZ_SHAPE_ARRAY};
    next(p);
    if (at(p, "...")) {
        out->has_len = out->dots = true;
        out->dots_pos = p->tok.pos;
        next(p);
    } else if (!at(p, "]")) {
        out->has_len = true;
        if (parse_expr(p, &len) < 0)
            return -1;
    }
    if (!take(p, "]"))
        return fail_here(p, "expected ']'");
    return parse_type(p, out);
}

/* At a name: "T", "pkg.T", "T[type arguments]". */
static int parse_named_type(struct parser *p, struct cfz_expr *array)
{
    array->plain = true;
    array->tok = p->tok;
    next(p);
    if (take(p, ".")) {
        array->plain = false;
        if (p->tok.kind != CFZ_TOKEN_NAME)
            return fail_here(p, "expected a name");
        next(p);
    }
    if (!take(p, "["))
        return 0;
    array->plain = false;
    do {
        struct cfz_expr arg = {.shape = CFZ_SHAPE_OTHER};

        if (parse_type(p, &arg) < 0)
            return -1;
    } while (take(p, ","));
    return take(p, "]") ? 0 : fail_here(p, "expected ']'");
}

/* Reads a type. If it is a name and nothing more, array gets the name. */
static int parse_type(struct parser *p, struct cfz_expr *array)
{
    struct cfz_expr inner;
    int ret;

    array->plain = false;
    if (is_type_keyword(&p->tok)) {
        p->type_keyword = true;
        return -1;
    }
    if (enter(p) < 0)
        return -1;
    if (p->tok.kind == CFZ_TOKEN_NAME) {
        ret = parse_named_type(p, array);
    } else if (at(p, "[")) {
        ret = parse_array(p, &inner);
    } else if (take(p, "*")) {
        ret = parse_type(p, &inner);
    } else if (take(p, "(")) {
        ret = parse_type(p, &inner);
        if (ret == 0 && !take(p, ")"))
            ret = fail_here(p, "expected ')'");
    } else {
        ret = fail_here(p, "expected a type");
    }
    p->depth--;
    return ret;
}

/* ---- expressions --------------------------------------------------------------------- */

static int parse_operand(struct parser *p, struct cfz_expr *out)
{
    *out = (struct cfz_expr){.tok = p->tok};
    switch (p->tok.kind) {
    case CFZ_TOKEN_NAME:
        out->shape = CFZ_SHAPE_NAME;
        next(p);
        return 0;
    case CFZ_TOKEN_INT:
    case CFZ_TOKEN_FLOAT:
    case CFZ_TOKEN_IMAG:
    case CFZ_TOKEN_CHAR:
    case CFZ_TOKEN_STRING:
        out->shape = CFZ_SHAPE_LITERAL;
        next(p);
        return 0;
    case CFZ_TOKEN_PUNCT:
        if (at(p, "["))
            return parse_array(p, out);
        if (take(p, "(")) {
            if (parse_expr(p, out) < 0)
                return -1;
            *out = (struct cfz_expr){.shape = CFZ_SHAPE_OTHER};
            return take(p, ")") ? 0 : fail_here(p, "expected ')'");
        }
        break;
    default:
        break;
    }
    if (is_type_keyword(&p->tok)) {
        p->type_keyword = true;
        return -1;
    }
    return fail_here(p, "expected a value");
}

/* Behind "x.": a name, or "(type)". */
static int parse_selector(struct parser *p, struct cfz_expr *x)
{
    struct cfz_expr type;

    if (p->tok.kind == CFZ_TOKEN_NAME) {
        *x = (struct cfz_expr){
            .shape = CFZ_SHAPE_SELECTOR, .tok = p->tok, .x_shape = x->shape, .x = x->tok};
        next(p);
        return 0;
    }
    if (!take(p, "("))
        return fail_here(p, "expected a name or type after '.'");
    *x = (struct cfz_expr){.shape = CFZ_SHAPE_OTHER};
    if (p->tok.kind == CFZ_TOKEN_KEYWORD && cfz_token_is(&p->tok, "type"))
        next(p);
    else if (parse_type(p, &type) < 0)
        return -1;
    return take(p, ")") ? 0 : fail_here(p, "expected ')'");
}

/* Behind "x[": an index, a slice with up to two colons, or type arguments. */
static int parse_index(struct parser *p, struct cfz_expr *x)
{
    struct cfz_expr e;
    int colons = 0;

    *x = (struct cfz_expr){.shape = CFZ_SHAPE_INDEX};
    if (at(p, "]"))
        return fail_here(p, "expected an index");
    if (!at(p, ":") && parse_expr(p, &e) < 0)
        return -1;
    while (colons < 2 && take(p, ":")) {
        colons++;
        x->shape = CFZ_SHAPE_OTHER;
        if (!at(p, ":") && !at(p, "]") && parse_expr(p, &e) < 0)
            return -1;
    }
    while (colons == 0 && take(p, ","))
        if (!at(p, "]") && parse_type(p, &e) < 0)
            return -1;
    return take(p, "]") ? 0 : fail_here(p, "expected ']'");
}

/* Behind "x(": arguments. */
static int parse_call(struct parser *p, struct cfz_expr *x)
{
    struct cfz_expr fun = *x, first = {.shape = CFZ_SHAPE_OTHER}, arg;
    bool dots = false;
    size_t n = 0;

    while (!dots && !at(p, ")")) {
        if (parse_expr(p, &arg) < 0)
            return -1;
        if (n++ == 0)
            first = arg;
        dots = take(p, "...");
        if (!take(p, ","))
            break;
    }
    if (!take(p, ")"))
        return fail_here(p, "expected ',' or ')'");
    p->call.fun = fun;
    p->call.arg = first;
    p->call.nargs = n;
    *x = (struct cfz_expr){.shape = CFZ_SHAPE_CALL};
    return 0;
}

static int parse_elements(struct parser *p);

/* A key or value of a composite literal. */
static int parse_element(struct parser *p)
{
    struct cfz_expr e;

    return take(p, "{") ? parse_elements(p) : parse_expr(p, &e);
}

/* Behind "T{": elements of a composite literal. */
static int parse_elements(struct parser *p)
{
    int ret = -1;

    if (enter(p) < 0)
        return -1;
    while (!at(p, "}")) {
        if (parse_element(p) < 0 || (take(p, ":") && parse_element(p) < 0))
            goto out;
        if (!take(p, ","))
            break;
    }
    ret = take(p, "}") ? 0 : fail_here(p, "expected ',' or '}'");
out:
    p->depth--;
    return ret;
}

/* An operand and all that is appended to it. */
static int parse_primary(struct parser *p, struct cfz_expr *x)
{
    if (parse_operand(p, x) < 0)
        return -1;
    for (;;) {
        if (x->dots && !at(p, "{")) {
            cfz_lexer_fail(&p->lx, x->dots_pos, "'...' is no length of an array");
            return -1;
        }
        if (take(p, ".")) {
            if (parse_selector(p, x) < 0)
                return -1;
        } else if (take(p, "[")) {
            if (parse_index(p, x) < 0)
                return -1;
        } else if (take(p, "(")) {
            if (parse_call(p, x) < 0)
                return -1;
        } else if (at(p, "{") && x->shape != CFZ_SHAPE_OTHER && x->shape != CFZ_SHAPE_LITERAL &&
                   x->shape != CFZ_SHAPE_CALL) {
            next(p);
            if (parse_elements(p) < 0)
                return -1;
            *x = (struct cfz_expr){.shape = CFZ_SHAPE_OTHER};
        } else {
            return 0;
        }
    }
}

static int parse_unary(struct parser *p, struct cfz_expr *out)
{
    struct cfz_token op = p->tok;
    struct cfz_expr x;
    int ret;

    if (op.kind != CFZ_TOKEN_SIGN && op.kind != CFZ_TOKEN_UNARY && !at(p, "*"))
        return parse_primary(p, out);
    if (enter(p) < 0)
        return -1;
    next(p);
    ret = parse_unary(p, &x);
    p->depth--;
    if (ret < 0)
        return -1;
    *out = (struct cfz_expr){.shape = CFZ_SHAPE_OTHER};
    if (op.kind != CFZ_TOKEN_PUNCT) /* not "*" */
        *out =
            (struct cfz_expr){.shape = CFZ_SHAPE_UNARY, .tok = op, .x_shape = x.shape, .x = x.tok};
    return 0;
}

static int parse_expr(struct parser *p, struct cfz_expr *out)
{
    struct cfz_expr right;
    int ret = -1;

    if (enter(p) < 0)
        return -1;
    if (parse_unary(p, out) < 0)
        goto out;
    while (p->tok.kind == CFZ_TOKEN_SIGN || p->tok.kind == CFZ_TOKEN_BINARY || at(p, "*")) {
        next(p);
        if (parse_unary(p, &right) < 0)
            goto out;
        *out = (struct cfz_expr){.shape = CFZ_SHAPE_OTHER};
    }
    ret = 0;
out:
    p->depth--;
    return ret;
}

int cfz_expr_parse(const uint8_t *line, size_t len, struct cfz_call *out, struct cfz_error *err)
{
    struct parser p = {.depth = 0};
    struct cfz_expr e;
    int ret;

    cfz_lexer_init(&p.lx, line, len);
    next(&p);
    ret = parse_expr(&p, &e);
    if (ret == 0 && p.tok.kind != CFZ_TOKEN_END)
        ret = fail_here(&p, "expected the end of the line");
    if (p.lx.failed) /* also when the parse went well: the lexer may have noted a malformed token */
        return cfz_fail(err, CFZ_EFORMAT, "(test):1:%zu: %s", p.lx.error_pos + 1, p.lx.error);
    CFZ_ASSERT(ret == 0 || p.type_keyword);
    p.call.is_call = ret == 0 && e.shape == CFZ_SHAPE_CALL;
    *out = p.call;
    return 0;
}
